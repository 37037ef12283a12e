//! Whether a file is an Edge log in JSON lines at all.

use serde_json::Value;

use super::record::Fields;
use crate::constants::EDGE_LOG_MESSAGES;

/// Whether the tail of a file holds a JSON line with a string `level`, a
/// numeric `ts` and a `msg` that only an Edge writes.
pub fn is_edge_log(tail: &[u8]) -> bool {
    tail.split(|byte| *byte == b'\n')
        .filter_map(Fields::parse)
        .any(|fields| {
            fields.text("level").is_some()
                && fields.get("ts").is_some_and(Value::is_number)
                && fields
                    .text("msg")
                    .is_some_and(|msg| EDGE_LOG_MESSAGES.contains(&msg))
        })
}
