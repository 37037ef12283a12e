//! Looks for private values in bytes that are about to be published or printed.
//!
//! The haystack is what gets normalised: every reading of it (unescaped, decoded) is searched
//! for the plain value. So a value is found whatever surrounds it, in whichever case and
//! alignment it was encoded, when only some of its characters are escaped, and below several
//! layers of encoding.
//!
//! A value is never missed in the forms listed by [`Encoding`]. What can happen instead is a
//! false alarm: unrelated text may decode to the value by chance. Base64 is read at four and hex
//! at two alignments, so in random text of `n` characters a value of `k` bytes is met with a
//! probability of about `6 n / 256^k`: one in a million for 4 bytes and a manifest, one in
//! a hundred for 4 bytes and 16 MiB, and nothing to speak of from 8 bytes on.

use std::fmt;
use std::ops::ControlFlow;

use memchr::memmem::Finder;

use crate::closed_set::closed_set;
use crate::reason::Reason;
use crate::refusal::{Fact, Refusal};

use needle::Needle;
use readings::{Layer, Reading};

mod needle;
mod opaque;
mod readings;
mod unescape;

closed_set! {
    /// What a private value is.
    pub enum Kind(meaning) {
        Secret => "secret", "the key that the gateway accepts";
        BaseUrl => "base-url", "the address of the gateway";
        Model => "model", "the name of the public model";
        WorkspacePath => "workspace-path", "the path of the workspace";
        OutputPath => "output-path", "the path of the manifest";
        ExpectedLine => "expected-line", "the line that the result file must hold";
    }
}

closed_set! {
    /// The form in which a private value was found.
    ///
    /// Of several layers, the reported one hides the value most: base64, hex and UTF-16 before
    /// percent-encoding, and that before JSON's escapes.
    pub enum Encoding(meaning) {
        Raw => "raw", "as it is";
        JsonEscaped => "json-escaped", "with escapes of JSON";
        PercentEncoded => "percent-encoded", "with percent signs, as in a URL or form";
        Base64 => "base64", "in base64 of either alphabet";
        Hex => "hex", "in hex digits";
        Utf16 => "utf-16", "in two bytes a character, of either byte order";
    }
}

/// A private value was found: what it is and in which form, but not where.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hit {
    /// What was found.
    pub kind: Kind,
    /// How it was written.
    pub encoding: Encoding,
}

impl fmt::Display for Hit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}", self.kind, self.encoding)
    }
}

impl From<Hit> for Fact {
    fn from(hit: Hit) -> Self {
        Self::List(vec![
            Self::State(hit.kind.id()),
            Self::State(hit.encoding.id()),
        ])
    }
}

impl From<Hit> for Refusal {
    fn from(hit: Hit) -> Self {
        Self::new(Reason::Redaction)
            .expected("no private value")
            .found(hit)
    }
}

/// The private values of a run.
///
/// They are wiped when this is dropped, and its `Debug` form names their kinds only.
#[derive(Default)]
pub struct Forbidden {
    needles: Vec<Needle>,
}

impl Forbidden {
    /// Shortest value that is searched for, in bytes; shorter ones are met everywhere.
    pub const LEAST: usize = 4;

    /// No value yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a value; one below [`Self::LEAST`] bytes is passed over.
    ///
    /// A URL or path is also found without its trailing slash, the expected line also without
    /// its newline.
    #[must_use]
    pub fn value(mut self, kind: Kind, value: impl AsRef<[u8]>) -> Self {
        let value = value.as_ref();
        if value.len() >= Self::LEAST {
            self.needles.push(Needle::new(kind, value));
        }
        self
    }

    /// The first private value that the bytes hold in any form.
    pub fn scan(&self, haystack: &[u8]) -> Option<Hit> {
        let mut first = None;
        self.search(haystack, &mut |hit| {
            first = Some(hit);
            ControlFlow::Break(())
        });
        first
    }

    /// Every kind of private value that the bytes hold, with every form, in the order of the
    /// closed sets.
    ///
    /// A value that stands there raw is not reported once more for the readings that leave it
    /// as it is.
    pub fn hits(&self, haystack: &[u8]) -> Vec<Hit> {
        let mut hits = Vec::new();
        self.search(haystack, &mut |hit| {
            hits.push(hit);
            ControlFlow::Continue(())
        });
        hits.sort_unstable();
        hits.dedup();
        hits
    }

    fn search(&self, haystack: &[u8], report: &mut dyn FnMut(Hit) -> ControlFlow<()>) {
        let mut forms: Vec<_> = self
            .needles
            .iter()
            .flat_map(|needle| needle.forms().iter().map(|form| (needle.kind(), form)))
            .map(|(kind, form)| Wanted {
                kind,
                inherent: form.encoding(),
                finder: Finder::new(form.bytes()),
                plain: 0,
                found: false,
            })
            .collect();
        // Broken off or not: what was found has been reported.
        let _ = readings::visit(haystack, &mut |reading| {
            for wanted in &mut forms {
                if wanted.is_new_in(reading) {
                    wanted.found = true;
                    report(Hit {
                        kind: wanted.kind,
                        encoding: match (reading.encoding, wanted.inherent) {
                            (Encoding::Raw, Some(inherent)) => inherent,
                            (encoding, _) => encoding,
                        },
                    })?;
                }
            }
            ControlFlow::Continue(())
        });
    }
}

/// One form of a value, and what was seen of it so far.
struct Wanted<'n> {
    kind: Kind,
    /// The encoding that the form itself is in, if any.
    inherent: Option<Encoding>,
    finder: Finder<'n>,
    /// How often the haystack holds it as it is.
    plain: usize,
    found: bool,
}

impl Wanted<'_> {
    /// Whether the reading shows more of it than a plainer reading did.
    fn is_new_in(&mut self, reading: Reading<'_>) -> bool {
        match reading.layer {
            Layer::Plain => {
                self.plain = self.finder.find_iter(reading.bytes).count();
                self.plain > 0
            }
            // What stands there plainly stands in these too.
            Layer::Unescaped => self.shows_more(reading.bytes),
            // So does what one kind of escapes alone had hidden.
            Layer::Mixed => !self.found && self.shows_more(reading.bytes),
            Layer::Decoded => self.finder.find(reading.bytes).is_some(),
        }
    }

    fn shows_more(&self, bytes: &[u8]) -> bool {
        self.finder.find_iter(bytes).nth(self.plain).is_some()
    }
}

impl fmt::Debug for Forbidden {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list()
            .entries(self.needles.iter().map(Needle::kind))
            .finish()
    }
}
