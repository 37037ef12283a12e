//! The API key: it cannot be printed and is wiped on drop.

use std::fmt;

use zeroize::Zeroizing;

use super::fault::Fault;
use crate::constants::SECRET_LEAST;

/// An API key.
#[derive(Clone)]
pub struct Secret(Zeroizing<String>);

impl Secret {
    /// Takes a key of at least 8 bytes without control characters.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse(value: &str) -> Result<Self, Fault> {
        if value.chars().any(char::is_control) {
            return Err(Fault::Control);
        }
        if value.len() < SECRET_LEAST {
            return Err(Fault::TooShort);
        }
        Ok(Self(Zeroizing::new(value.to_owned())))
    }

    /// The key itself, for the header and the environment that need it.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(..)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_cannot_be_printed() {
        let secret = Secret::parse("canary-key").unwrap();
        assert_eq!(format!("{secret:?}"), "Secret(..)");
        assert_eq!(secret.expose(), "canary-key");
    }
}
