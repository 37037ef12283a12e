//! Every way to read a haystack, from the plain one to what lies below several encodings.

use std::ops::ControlFlow;

use memchr::memchr;
use zeroize::Zeroizing;

use super::{Encoding, opaque, unescape};

/// How often escapes are undone in a row; nested JSON doubles its backslashes each time.
const ROUNDS: usize = 4;
/// How many of base64, hex and UTF-16 may lie above each other.
const LAYERS: usize = 2;

/// The haystack as somebody may read it.
#[derive(Clone, Copy)]
pub(super) struct Reading<'b> {
    pub(super) encoding: Encoding,
    pub(super) layer: Layer,
    pub(super) bytes: &'b [u8],
}

/// What a reading has in common with plainer ones.
#[derive(Clone, Copy)]
pub(super) enum Layer {
    /// The haystack itself.
    Plain,
    /// The haystack with one kind of escapes undone.
    Unescaped,
    /// The haystack with several kinds of escapes undone.
    Mixed,
    /// What was encoded in it, and nothing else.
    Decoded,
}

/// Hands every reading to the visitor until it breaks off.
pub(super) fn visit(
    haystack: &[u8],
    visitor: &mut dyn FnMut(Reading<'_>) -> ControlFlow<()>,
) -> ControlFlow<()> {
    visitor(Reading {
        encoding: Encoding::Raw,
        layer: Layer::Plain,
        bytes: haystack,
    })?;
    let mut reader = Reader {
        visitor,
        pool: Pool {
            // The digits of a haystack, and one byte that ends the last stretch.
            capacity: haystack.len() + 1,
            free: Vec::new(),
        },
    };
    let json = reader.repeat(haystack, Escapes::Json)?;
    let percent = reader.repeat(haystack, Escapes::Percent)?;
    if memchr(b'+', haystack).is_some() {
        reader.repeat(haystack, Escapes::Form)?;
    }
    if json || percent {
        let plainest = reader.mix(haystack)?;
        reader.decode(&plainest, None, LAYERS)?;
        reader.pool.give(plainest);
    }
    reader.decode(haystack, None, LAYERS)
}

#[derive(Clone, Copy)]
enum Escapes {
    Json,
    Percent,
    Form,
}

impl Escapes {
    fn undo(self, bytes: &[u8], out: &mut Vec<u8>) -> bool {
        match self {
            Self::Json => unescape::json(bytes, out),
            Self::Percent => unescape::percent(bytes, false, out),
            Self::Form => unescape::percent(bytes, true, out),
        }
    }

    fn encoding(self) -> Encoding {
        match self {
            Self::Json => Encoding::JsonEscaped,
            Self::Percent | Self::Form => Encoding::PercentEncoded,
        }
    }
}

struct Reader<'v> {
    visitor: &'v mut dyn FnMut(Reading<'_>) -> ControlFlow<()>,
    pool: Pool,
}

impl Reader<'_> {
    /// Undoes one kind of escapes again and again; says whether there were any.
    fn repeat(&mut self, haystack: &[u8], escapes: Escapes) -> ControlFlow<(), bool> {
        let mut current = self.pool.take();
        if !escapes.undo(haystack, &mut current) {
            self.pool.give(current);
            return ControlFlow::Continue(false);
        }
        let mut next = self.pool.take();
        for round in 1.. {
            self.show(escapes.encoding(), Layer::Unescaped, &current)?;
            next.clear();
            if round == ROUNDS || !escapes.undo(&current, &mut next) {
                break;
            }
            std::mem::swap(&mut current, &mut next);
        }
        self.pool.give(current);
        self.pool.give(next);
        ControlFlow::Continue(true)
    }

    /// Undoes both kinds of escapes in turn and returns what is left.
    fn mix(&mut self, haystack: &[u8]) -> ControlFlow<(), Buffer> {
        let mut current = self.pool.take();
        let mut next = self.pool.take();
        let mut json = Escapes::Json.undo(haystack, &mut current);
        let mut percent = false;
        for _ in 0..ROUNDS {
            let mut changed = false;
            for escapes in [Escapes::Percent, Escapes::Json] {
                next.clear();
                if !escapes.undo(&current, &mut next) {
                    continue;
                }
                std::mem::swap(&mut current, &mut next);
                changed = true;
                match escapes {
                    Escapes::Json => json = true,
                    Escapes::Percent | Escapes::Form => percent = true,
                }
                if json && percent {
                    self.show(Encoding::PercentEncoded, Layer::Mixed, &current)?;
                }
            }
            if !changed {
                break;
            }
        }
        next.clear();
        if json && memchr(b'+', &current).is_some() {
            Escapes::Form.undo(&current, &mut next);
            self.show(Encoding::PercentEncoded, Layer::Mixed, &next)?;
        }
        self.pool.give(next);
        ControlFlow::Continue(current)
    }

    /// Shows what is encoded in the bytes, so many layers deep.
    fn decode(&mut self, bytes: &[u8], outer: Option<Encoding>, layers: usize) -> ControlFlow<()> {
        if layers == 0 {
            return ControlFlow::Continue(());
        }
        let mut decoded = self.pool.take();
        if unescape::widened(bytes, &mut decoded) {
            self.inner(&decoded, outer.unwrap_or(Encoding::Utf16), layers)?;
        }
        let mut digits = self.pool.take();
        if opaque::base64_stretches(bytes, &mut digits) {
            for start in 0..opaque::BASE64_STARTS {
                decoded.clear();
                opaque::base64(&digits, start, &mut decoded);
                self.inner(&decoded, outer.unwrap_or(Encoding::Base64), layers)?;
            }
        }
        digits.clear();
        if opaque::hex_stretches(bytes, &mut digits) {
            for start in 0..opaque::HEX_STARTS {
                decoded.clear();
                opaque::hex(&digits, start, &mut decoded);
                self.inner(&decoded, outer.unwrap_or(Encoding::Hex), layers)?;
            }
        }
        self.pool.give(digits);
        self.pool.give(decoded);
        ControlFlow::Continue(())
    }

    /// Shows decoded bytes, what their escapes hide, and what is encoded in them.
    fn inner(&mut self, bytes: &[u8], encoding: Encoding, layers: usize) -> ControlFlow<()> {
        self.show(encoding, Layer::Decoded, bytes)?;
        self.decode(bytes, Some(encoding), layers - 1)?;

        let mut unescaped = self.pool.take();
        let mut plainest = self.pool.take();
        let json = Escapes::Json.undo(bytes, &mut unescaped);
        if Escapes::Form.undo(bytes, &mut plainest) {
            self.show(encoding, Layer::Decoded, &plainest)?;
        }
        plainest.clear();
        if Escapes::Percent.undo(&unescaped, &mut plainest) || json {
            self.show(encoding, Layer::Decoded, &unescaped)?;
            self.show(encoding, Layer::Decoded, &plainest)?;
            self.decode(&plainest, Some(encoding), layers - 1)?;
        }
        self.pool.give(unescaped);
        self.pool.give(plainest);
        ControlFlow::Continue(())
    }

    fn show(&mut self, encoding: Encoding, layer: Layer, bytes: &[u8]) -> ControlFlow<()> {
        (self.visitor)(Reading {
            encoding,
            layer,
            bytes,
        })
    }
}

/// Wiped on drop.
type Buffer = Zeroizing<Vec<u8>>;

/// Buffers that are used over and over: none ever grows, which would leave a copy behind.
struct Pool {
    capacity: usize,
    free: Vec<Buffer>,
}

impl Pool {
    /// An empty buffer that can hold any reading.
    fn take(&mut self) -> Buffer {
        self.free
            .pop()
            .unwrap_or_else(|| Zeroizing::new(Vec::with_capacity(self.capacity)))
    }

    fn give(&mut self, mut buffer: Buffer) {
        buffer.clear();
        self.free.push(buffer);
    }
}
