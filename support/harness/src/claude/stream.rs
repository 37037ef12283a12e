//! Reads what Claude Code prints on stdout under `--output-format stream-json`.
//!
//! # What the reader relies on
//!
//! Seen in 2.1.113, 2.1.220 and 2.1.332, for every outcome from success to an untrusted certificate;
//! `make claude-matrix` sees to it:
//!
//! * Stdout is one JSON object a line, and the string `type` at its top level says what it is.
//! * A run ends with one `result` event. Its `is_error` is a boolean and the one field that tells
//!   success from failure: `subtype` is `success` in both, and `terminal_reason` differs between
//!   versions (`completed` for a failed request in 2.1.113, `api_error` since). `stop_reason` is
//!   `end_turn`, `num_turns` at least 1 after a complete turn. After a failed request `stop_reason`
//!   is `stop_sequence`, or `refusal` where the model refused.
//! * A stream that ends before its stop reason is no error to 2.1.113 and 2.1.220: they exit with 0
//!   and a `result` whose `is_error` is false and whose `stop_reason` is null. 2.1.332 reports it as
//!   a lost connection.
//! * `api_error_status` is the HTTP status of a refused request and null otherwise; 2.1.220 and
//!   2.1.332 also give 529 for an overload told inside a stream that began with 200.
//! * `result` is the answer, or what went wrong. It has no digits for a page behind a 5xx in 2.1.113
//!   and 2.1.220, and nothing but the server's own words for an error told amid a stream in 2.1.220.
//!   A run that ended before its turn has no `result` but the texts in `errors`.
//! * A failed request shows as an `assistant` event with a string in `error`. 2.1.332 adds
//!   `api_error_type` (the type in the API's error body) and, where it knows the cause itself,
//!   `api_error`. It repeats both, and `api_error_status`, where they are not read.
//! * `system` with `subtype` `api_retry` stands for one request that was sent again. It is not the
//!   only way to send one: 2.1.220 repeats a request without it after an overload told inside a
//!   stream, every version one whose model was not found and one that filled its tokens, 2.1.220
//!   and 2.1.332 one whose `thinking` was refused, and 2.1.332 one that was refused by the model
//!   and, with a `user` event in its own words between, one whose answer was cut off behind a whole
//!   block. Only the gateway's counter tells how many there were.
//!
//! Everything else differs between versions and is passed over: other types, other subtypes
//! (2.1.332 begins with `ui_invalidate`, the others with `init`; `informational` and
//! `model_refusal_no_fallback` beside a refusal), other fields. Stderr may hold anything on success:
//! 2.1.332 prints a line there that begins with `[claude-code:` and holds the model's name.
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
