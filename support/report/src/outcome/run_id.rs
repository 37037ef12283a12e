//! The id that nextest gives a run.

use std::fmt;

/// A UUID in lower case: 8, 4, 4, 4 and 12 hex digits.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RunId(String);

impl RunId {
    /// Takes a UUID as nextest writes it, and nothing else.
    pub fn parse(text: &str) -> Option<Self> {
        let groups: Vec<_> = text.split('-').collect();
        let sizes = groups.iter().map(|group| group.len());
        let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        let holds =
            sizes.eq([8, 4, 4, 4, 12]) && groups.iter().all(|group| group.bytes().all(is_digit));
        holds.then(|| Self(text.to_owned()))
    }

    /// The id's text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RunId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
