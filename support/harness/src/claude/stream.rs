//! Reads what Claude Code prints on stdout under `--output-format stream-json`.
//!
//! # What the reader relies on
//!
//! Seen in 2.1.113, 2.1.220 and 2.1.332, for every outcome from success to an untrusted certificate:
//!
//! * Stdout is one JSON object a line, and the string `type` at its top level says what it is.
//! * A turn ends with one `result` event. Its `is_error` is a boolean and the one field that tells
//!   success from failure: `subtype` is `success` in both, and `terminal_reason` differs between
//!   versions (`completed` for a failed request in 2.1.113, `api_error` since). `stop_reason` is
//!   `end_turn`, `num_turns` at least 1 after a complete turn. `api_error_status` is the HTTP
//!   status of a refused request and null otherwise; 2.1.220 and 2.1.332 also give 529 for an
//!   overload told inside a stream that began with 200. `result` is the answer, or what went wrong.
//!   A run that ended before its turn has no `result` but the texts in `errors`.
//! * A failed request shows as an `assistant` event with a string in `error`. 2.1.332 adds
//!   `api_error_type` (the type in the API's error body) and, where it knows the cause itself,
//!   `api_error`.
//! * `system` with `subtype` `api_retry` stands for one request that was sent again.
//!
//! Everything else differs between versions and is passed over: other types, other subtypes
//! (2.1.332 begins with `ui_invalidate`, the others with `init`), other fields.
//!
//! # What it does with anything else
//!
//! It never fails. A line that is no JSON, is over 1 MiB, is cut off at the end, or is an event of
//! an unknown kind is passed over and counted. A field of another type than expected, or one that
//! occurs twice in its event, counts as absent, so that `is_error` of `"false"` is no success. Bytes
//! that are not UTF-8 and lone surrogates are replaced; nested objects are skipped unread.

mod event;
mod text;

use event::Event;
pub use event::{ErrorEvent, ResultEvent};
pub use text::Text;

/// Longest line that is read, in bytes.
pub const LINE_BOUND: usize = 1 << 20;

/// What an event stream says.
#[derive(Debug, Default)]
pub struct Stream {
    /// The `result` events, in order.
    pub results: Vec<ResultEvent>,
    /// The `assistant` events that report an error, in order.
    pub errors: Vec<ErrorEvent>,
    /// Number of `system/api_retry` events.
    pub retries: u64,
    /// What was not read.
    pub passed_over: PassedOver,
}

/// Numbers of lines that were passed over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PassedOver {
    /// Lines that are no JSON object.
    pub not_json: u64,
    /// Lines over [`LINE_BOUND`].
    pub too_long: u64,
    /// 1 if the last line has no end and is no JSON object.
    pub cut_off: u64,
    /// Events of a type or subtype that the reader does not know.
    pub unknown: u64,
}

impl PassedOver {
    /// Number of all lines passed over.
    pub const fn total(self) -> u64 {
        self.not_json + self.too_long + self.cut_off + self.unknown
    }
}

/// Reads the whole of a stdout.
pub fn read(stdout: &[u8]) -> Stream {
    let mut stream = Stream::default();
    let stdout = stdout.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(stdout);
    for line in stdout.split_inclusive(|&byte| byte == b'\n') {
        stream.take_line(line);
    }
    stream
}

impl Stream {
    fn take_line(&mut self, line: &[u8]) {
        let ended = line.ends_with(b"\n");
        let line = line.trim_ascii();
        if line.is_empty() {
            return;
        }
        if line.len() > LINE_BOUND {
            self.passed_over.too_long += 1;
            return;
        }
        match Event::parse(&String::from_utf8_lossy(line)) {
            Some(event) => self.take_event(event),
            None if ended => self.passed_over.not_json += 1,
            None => self.passed_over.cut_off += 1,
        }
    }

    fn take_event(&mut self, event: Event) {
        match event {
            Event::Result(result) => self.results.push(result),
            Event::Error(error) => self.errors.push(error),
            Event::Retry => self.retries += 1,
            Event::Irrelevant => {}
            Event::Unknown => self.passed_over.unknown += 1,
        }
    }
}
