//! A text from the CLI that cannot be printed by accident.

use std::fmt;

/// A text from the CLI.
///
/// It can hold whatever the server said, the key included: its `Debug` form shows the length alone.
pub struct Text(String);

impl Text {
    /// The text itself, to be searched and never shown.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<String> for Text {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Text({} bytes)", self.0.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn its_length_alone_is_printed() {
        let text = Text::from("canary".to_owned());
        assert_eq!(format!("{text:?}"), "Text(6 bytes)");
        assert_eq!(text.as_str(), "canary");
    }
}
