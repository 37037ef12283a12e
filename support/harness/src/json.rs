//! JSON read strictly, as RFC 8259 advises for data that is judged: one value,
//! UTF-8, no key twice in an object.

use std::fmt;

use serde::de::{self, DeserializeSeed, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};
use thiserror::Error;

use crate::refusal::{Circumstance, SafeError};

/// What is wrong with a JSON text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum JsonFault {
    /// Bytes that are not UTF-8.
    #[error("not utf-8")]
    NotUtf8,
    /// Not one JSON value.
    #[error("not json at line {line}")]
    Syntax {
        /// Line of the first error, from 1.
        line: usize,
    },
    /// A key that stands twice in one object.
    #[error("an object holds a key twice")]
    DuplicateKey,
    /// Something behind the value.
    #[error("bytes follow the value")]
    TrailingBytes,
}

impl SafeError for JsonFault {}

impl JsonFault {
    /// What it is in a refusal.
    pub const fn circumstance(self) -> Circumstance {
        match self {
            Self::NotUtf8 => Circumstance::NotUtf8,
            Self::Syntax { .. } => Circumstance::NotJson,
            Self::DuplicateKey => Circumstance::DuplicateKey,
            Self::TrailingBytes => Circumstance::TrailingBytes,
        }
    }
}

/// Reads one JSON value; white space around it is allowed.
///
/// # Errors
/// [`JsonFault`], whose text never holds any of the input.
pub fn parse(bytes: &[u8]) -> Result<Value, JsonFault> {
    let text = std::str::from_utf8(bytes).map_err(|_| JsonFault::NotUtf8)?;
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let mut duplicate = false;
    let value = Strict {
        duplicate: &mut duplicate,
    }
    .deserialize(&mut deserializer);
    let value = value.map_err(|error| JsonFault::Syntax { line: error.line() })?;
    deserializer.end().map_err(|_| JsonFault::TrailingBytes)?;
    if duplicate {
        Err(JsonFault::DuplicateKey)
    } else {
        Ok(value)
    }
}

/// Builds a value and notes whether any object held a key twice.
struct Strict<'a> {
    duplicate: &'a mut bool,
}

impl<'de> DeserializeSeed<'de> for Strict<'_> {
    type Value = Value;

    fn deserialize<D: de::Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Value, E> {
        Number::from_f64(value)
            .map(Value::Number)
            .ok_or_else(|| E::custom("not a finite number"))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = items.next_element_seed(Strict {
            duplicate: self.duplicate,
        })? {
            values.push(value);
        }
        Ok(Value::Array(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            let value = entries.next_value_seed(Strict {
                duplicate: self.duplicate,
            })?;
            *self.duplicate |= map.insert(key, value).is_some();
        }
        Ok(Value::Object(map))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_value_is_read_as_it_stands() {
        let text = r#"{"a":[null,true,-1,1,1.5,"b\u00e9",{}]}"#;
        let expected: Value = serde_json::from_str(text).unwrap();
        assert_eq!(parse(text.as_bytes()), Ok(expected));
    }

    #[test]
    fn a_fault_is_told_without_the_text() {
        for (text, id, told) in [
            (&b"\xff"[..], "not-utf8", "not utf-8"),
            (b"{\n,}", "not-json", "not json at line 2"),
            (
                b"{\"a\":1,\"a\":1}",
                "duplicate-key",
                "an object holds a key twice",
            ),
            (b"{} {}", "trailing-bytes", "bytes follow the value"),
        ] {
            let fault = parse(text).unwrap_err();
            assert_eq!(
                (fault.circumstance().id(), fault.to_string().as_str()),
                (id, told)
            );
        }
    }
}
