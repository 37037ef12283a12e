//! One line of the log, read without trusting it.

use std::fmt;

use memchr::memmem;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::Value;

use crate::constants::OBSERVATION_MESSAGE;

/// The top-level keys and values of a JSON object, doubled keys included.
pub struct Fields(Vec<(String, Value)>);

impl Fields {
    /// Reads one line; nothing if it is no JSON object.
    pub fn parse(line: &[u8]) -> Option<Self> {
        let line = line.trim_ascii();
        // Anything else would cost a whole parse to be passed over.
        if line.first() != Some(&b'{') {
            return None;
        }
        serde_json::from_slice(line).ok()
    }

    /// Reads one line; nothing if it is no observation of the single-request path.
    pub fn observation(line: &[u8]) -> Option<Self> {
        // The message stands there as it is, unless a letter of it is escaped: this passes over
        // most lines of a busy log without a parse.
        let may_be = [OBSERVATION_MESSAGE, "\\u"]
            .iter()
            .any(|sign| memmem::find(line, sign.as_bytes()).is_some());
        may_be
            .then(|| Self::parse(line))
            .flatten()
            .filter(Self::is_observation)
    }

    /// Whether this is an observation of the single-request path.
    pub fn is_observation(&self) -> bool {
        self.0
            .iter()
            .any(|(key, value)| key == "msg" && *value == *OBSERVATION_MESSAGE)
    }

    /// Whether any key stands twice.
    pub fn has_duplicate(&self) -> bool {
        let mut keys: Vec<_> = self.keys().collect();
        keys.sort_unstable();
        keys.windows(2).any(|pair| pair[0] == pair[1])
    }

    /// The keys in their order.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(key, _)| key.as_str())
    }

    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.0
            .iter()
            .find(|(name, _)| name == key)
            .map(|(_, value)| value)
    }

    /// The value of a key if it is a string.
    pub fn text(&self, key: &str) -> Option<&str> {
        self.get(key).and_then(Value::as_str)
    }
}

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Pairs;

        impl<'de> Visitor<'de> for Pairs {
            type Value = Fields;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a JSON object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields, A::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                Ok(Fields(pairs))
            }
        }

        deserializer.deserialize_map(Pairs)
    }
}
