//! The API key: it cannot be printed and is wiped on drop.

use std::fmt;

use zeroize::Zeroizing;

use crate::constants::SECRET_LEAST;

/// An API key.
#[derive(Clone)]
pub struct Secret(Zeroizing<String>);

impl Secret {
    /// Takes a key of at least 8 bytes without control characters.
    ///
    /// # Errors
    /// Says in fixed words what is wrong with it.
    pub fn parse(value: &str) -> Result<Self, &'static str> {
        if value.chars().any(char::is_control) {
            return Err("holds a line break or another control character");
        }
        if value.len() < SECRET_LEAST {
            return Err("is shorter than 8 bytes");
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
