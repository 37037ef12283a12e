//! One event of the stream.

use std::fmt;

use serde::de::{Deserializer as _, Error, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::text::Text;

/// One event, as far as it matters.
pub(super) enum Event {
    Result(ResultEvent),
    Error(ErrorEvent),
    Retry,
    /// An event that is known and says nothing about the outcome.
    Irrelevant,
    Unknown,
}

/// A `result` event. A field that is absent or of another type is `None`.
#[derive(Debug, Default)]
pub struct ResultEvent {
    /// Whether it reports an error.
    pub is_error: Option<bool>,
    /// Its `subtype`.
    pub subtype: Option<Text>,
    /// Why the turn ended.
    pub stop_reason: Option<Text>,
    /// Number of turns.
    pub num_turns: Option<u64>,
    /// HTTP status of the request that failed.
    pub api_error_status: Option<u16>,
    /// The model's answer, or what went wrong.
    pub result: Option<Text>,
    /// What went wrong before a turn began.
    pub errors: Vec<Text>,
}

/// An `assistant` event that stands for a failed request.
#[derive(Debug, Default)]
pub struct ErrorEvent {
    /// The CLI's rough kind of error.
    pub error: Option<Text>,
    /// The type in the API's error body.
    pub api_error_type: Option<Text>,
    /// The CLI's precise kind of error.
    pub api_error: Option<Text>,
}

impl Event {
    /// Reads a line; none if it is no JSON object.
    pub(super) fn parse(line: &str) -> Option<Self> {
        // Spares the making of an error for every line of a long text.
        if !line.starts_with('{') {
            return None;
        }
        let mut deserializer = serde_json::Deserializer::from_str(line);
        let fields = deserializer.deserialize_map(FieldsVisitor).ok()?;
        deserializer.end().ok()?;
        Some(fields.into_event())
    }
}

/// The fields of an event that matter, as they stand in the line.
#[derive(Default)]
struct Fields<'a> {
    kind: Field<'a>,
    subtype: Field<'a>,
    is_error: Field<'a>,
    stop_reason: Field<'a>,
    num_turns: Field<'a>,
    api_error_status: Field<'a>,
    result: Field<'a>,
    errors: Field<'a>,
    error: Field<'a>,
    api_error_type: Field<'a>,
    api_error: Field<'a>,
}

impl<'a> Fields<'a> {
    fn slot(&mut self, key: &[u8]) -> Option<&mut Field<'a>> {
        Some(match key {
            b"type" => &mut self.kind,
            b"subtype" => &mut self.subtype,
            b"is_error" => &mut self.is_error,
            b"stop_reason" => &mut self.stop_reason,
            b"num_turns" => &mut self.num_turns,
            b"api_error_status" => &mut self.api_error_status,
            b"result" => &mut self.result,
            b"errors" => &mut self.errors,
            b"error" => &mut self.error,
            b"api_error_type" => &mut self.api_error_type,
            b"api_error" => &mut self.api_error,
            _ => return None,
        })
    }

    fn into_event(self) -> Event {
        let kind = self.kind.text();
        let subtype = self.subtype.text();
        match kind.as_ref().map_or("", Text::as_str) {
            "result" => Event::Result(ResultEvent {
                is_error: self.is_error.boolean(),
                subtype,
                stop_reason: self.stop_reason.text(),
                num_turns: self.num_turns.number(),
                api_error_status: self.api_error_status.number(),
                result: self.result.text(),
                errors: self.errors.texts(),
            }),
            "assistant" if self.reports_error() => Event::Error(ErrorEvent {
                error: self.error.text(),
                api_error_type: self.api_error_type.text(),
                api_error: self.api_error.text(),
            }),
            "assistant" | "user" => Event::Irrelevant,
            "system" => match subtype.as_ref().map_or("", Text::as_str) {
                "api_retry" => Event::Retry,
                "init" | "ui_invalidate" => Event::Irrelevant,
                _ => Event::Unknown,
            },
            _ => Event::Unknown,
        }
    }

    fn reports_error(&self) -> bool {
        [&self.error, &self.api_error_type, &self.api_error]
            .into_iter()
            .any(Field::is_set)
    }
}

/// A field of an event: absent, there once, or there more than once.
#[derive(Clone, Copy, Default)]
enum Field<'a> {
    #[default]
    Absent,
    Once(&'a RawValue),
    Repeated,
}

impl<'a> Field<'a> {
    fn set(&mut self, value: &'a RawValue) {
        *self = match self {
            Self::Absent => Self::Once(value),
            Self::Once(_) | Self::Repeated => Self::Repeated,
        };
    }

    fn raw(self) -> Option<&'a str> {
        match self {
            Self::Once(value) => Some(value.get()),
            Self::Absent | Self::Repeated => None,
        }
    }

    fn is_set(&self) -> bool {
        !matches!(self, Self::Absent) && self.raw() != Some("null")
    }

    fn boolean(self) -> Option<bool> {
        serde_json::from_str(self.raw()?).ok()
    }

    fn number<N: serde::de::DeserializeOwned>(self) -> Option<N> {
        serde_json::from_str(self.raw()?).ok()
    }

    fn text(self) -> Option<Text> {
        text_of(self.raw()?)
    }

    fn texts(self) -> Vec<Text> {
        let values: Vec<&RawValue> = self
            .raw()
            .and_then(|raw| serde_json::from_str(raw).ok())
            .unwrap_or_default();
        values
            .into_iter()
            .filter_map(|value| text_of(value.get()))
            .collect()
    }
}

/// Decodes a JSON string; lone surrogates, which the CLI can print, are replaced.
fn text_of(raw: &str) -> Option<Text> {
    if !raw.starts_with('"') {
        return None;
    }
    serde_json::Deserializer::from_str(raw)
        .deserialize_bytes(TextVisitor)
        .ok()
}

struct TextVisitor;

impl Visitor<'_> for TextVisitor {
    type Value = Text;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Text, E> {
        Ok(String::from_utf8_lossy(bytes).into_owned().into())
    }
}

struct FieldsVisitor;

impl<'de> Visitor<'de> for FieldsVisitor {
    type Value = Fields<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an event")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields<'de>, A::Error> {
        let mut fields = Fields::default();
        while let Some(Key(key)) = map.next_key()? {
            match fields.slot(&key) {
                Some(field) => field.set(map.next_value()?),
                None => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(fields)
    }
}

/// A key of an event, borrowed where it has no escapes.
struct Key<'de>(std::borrow::Cow<'de, [u8]>);

impl<'de> serde::Deserialize<'de> for Key<'de> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_bytes(KeyVisitor)
    }
}

struct KeyVisitor;

impl<'de> Visitor<'de> for KeyVisitor {
    type Value = Key<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_borrowed_bytes<E: Error>(self, bytes: &'de [u8]) -> Result<Key<'de>, E> {
        Ok(Key(bytes.into()))
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Key<'de>, E> {
        Ok(Key(bytes.to_owned().into()))
    }
}
