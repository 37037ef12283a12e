//! Digests as the manifest writes them: `sha256:` and 64 lowercase hex digits.

use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

pub mod file;
pub mod tree;
mod walk;
pub mod worktree;

/// Digits of a digest or commit that are enough to tell two apart by eye.
pub const SHORT: usize = 12;

const PREFIX: &str = "sha256:";
const HEX: &[u8; 16] = b"0123456789abcdef";

/// A SHA-256 digest.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Digest([u8; 32]);

impl Digest {
    /// Digest of the bytes given.
    pub fn of(bytes: impl AsRef<[u8]>) -> Self {
        let mut hasher = Hasher::new();
        hasher.update(bytes.as_ref());
        hasher.finish()
    }

    /// Reads `sha256:` and 64 lowercase hex digits, and nothing else.
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.strip_prefix(PREFIX)?.as_bytes();
        let mut bytes = [0; 32];
        if digits.len() != 64 {
            return None;
        }
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
            *byte = nibble(pair[0])? << 4 | nibble(pair[1])?;
        }
        Some(Self(bytes))
    }

    /// The 64 lowercase hex digits without the prefix.
    pub fn hex(self) -> String {
        let mut hex = String::with_capacity(64);
        for byte in self.0 {
            hex.push(HEX[usize::from(byte >> 4)].into());
            hex.push(HEX[usize::from(byte & 15)].into());
        }
        hex
    }

    /// The first [`SHORT`] of the hex digits.
    pub fn short(self) -> String {
        let mut hex = self.hex();
        hex.truncate(SHORT);
        hex
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{PREFIX}{}", self.hex())
    }
}

impl From<Digest> for String {
    fn from(digest: Digest) -> Self {
        digest.to_string()
    }
}

impl TryFrom<String> for Digest {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::parse(&text).ok_or("not `sha256:` and 64 lowercase hex digits")
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A digest in the making, for what is read piece by piece.
#[derive(Clone, Default)]
pub struct Hasher(Sha256);

impl Hasher {
    /// A digest of nothing so far.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// Adds the parts of a record, a zero byte behind each.
    pub(crate) fn record(&mut self, parts: &[&[u8]]) {
        for part in parts {
            self.update(part);
            self.update(b"\0");
        }
    }

    /// The digest of all that was added.
    pub fn finish(self) -> Digest {
        Digest(self.0.finalize().into())
    }
}

fn nibble(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        _ => None,
    }
}
