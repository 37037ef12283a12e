//! Judges a Claude run that has ended: one complete turn, or why not.
//!
//! # Order of preference
//!
//! 1. A bound that was passed: deadline, output, processes left behind. What a run said before that
//!    is incomplete.
//! 2. With exit status 0 the stream alone decides. It must hold exactly one `result` event, without
//!    error, with `end_turn` and at least one turn, and no repeated request; what is missing first
//!    in that order is the reason, and a missing or failed result may be explained by step 3.
//! 3. A failed exit is an error beside a clean result too. An error is explained by the first of
//!    these that says anything:
//!    1. `api_error_status` of an error result; a 400 is refined by its text;
//!    2. `api_error_type` of the last error event, then a precise `api_error`, then a precise
//!       `error`;
//!    3. the text of an error result, then stderr: a refused command line, a status in its fixed
//!       place, the error type in a body, missing credentials, an unreadable answer, the transport.
//!       A rough `error` or `api_error` limits what is searched for: only the transport for
//!       `connection_failed`, anything for `server_error`, which comes with statuses, timeouts and
//!       certificates alike;
//!    4. another `stop_reason` than those of a complete turn and of a failed request;
//!    5. the rough `error` or `api_error` itself;
//!    6. the bare words `API Error`.
//! 4. Without explanation an error result is `error-result`, another fault of the stream its own
//!    reason, and a failed exit with a clean result or none is `unclassified`.
//!
//! Searched are error results and stderr. Init events, answers of the model, and lines in which the
//! CLI tags data (`[claude-code:…]`) are not: they hold paths, ids and anybody's words. A result
//! whose `is_error` is no boolean is no success, but its text may be the model's, so that it is not
//! searched either.

mod bad_request;
mod structured;
mod wording;

use std::borrow::Cow;

use self::structured::Told;
use super::stream::{self, ErrorEvent, PassedOver, ResultEvent, Stream, Text};
use crate::process::{Cause, Ended, Status};
use crate::reason::ClaudeReason;

/// The `stop_reason` of a complete turn.
pub const STOP_REASON: &str = "end_turn";

/// The `stop_reason` that the CLI gives a failed request.
const FAILED_STOP_REASON: &str = "stop_sequence";

/// Most bytes of one text that are searched.
const SEARCH_BOUND: usize = 64 << 10;

/// One complete turn; it ended with [`STOP_REASON`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Success {
    /// Number of turns, at least 1.
    pub num_turns: u64,
    /// Lines of the stream that were not read.
    pub passed_over: PassedOver,
}

/// Judges a run by how it ended and what it printed.
///
/// # Errors
///
/// Why it is not one complete turn.
pub fn judge(ended: &Ended) -> Result<Success, ClaudeReason> {
    if let Some(reason) = bound_passed(ended) {
        return Err(reason);
    }
    let stream = stream::read(&ended.stdout);
    let clean_exit = ended.status == Status::Code(0);
    let fault = match complete_turn(&stream) {
        Ok(success) if clean_exit => return Ok(success),
        Ok(_) => ClaudeReason::Unclassified,
        Err(ClaudeReason::NoResultEvent) if !clean_exit => ClaudeReason::Unclassified,
        Err(fault) => fault,
    };
    let explanation = match (clean_exit, fault) {
        // Stderr may carry warnings on success.
        (true, ClaudeReason::NoResultEvent) => explain(&stream, b""),
        (true, ClaudeReason::ErrorResult) | (false, _) => explain(&stream, &ended.stderr),
        (true, _) => None,
    };
    Err(explanation.unwrap_or(fault))
}

fn bound_passed(ended: &Ended) -> Option<ClaudeReason> {
    match ended.cause {
        Cause::Deadline => Some(ClaudeReason::Deadline),
        Cause::StdoutOverflow => Some(ClaudeReason::StdoutOverflow),
        Cause::StderrOverflow => Some(ClaudeReason::StderrOverflow),
        Cause::Exited if ended.left > 0 => Some(ClaudeReason::LeftProcesses),
        Cause::Exited => None,
    }
}

/// Whether the stream shows one complete turn, whatever the exit status.
fn complete_turn(stream: &Stream) -> Result<Success, ClaudeReason> {
    let first = stream.results.first().ok_or(ClaudeReason::NoResultEvent)?;
    if stream.results.iter().any(is_no_success) {
        return Err(ClaudeReason::ErrorResult);
    }
    if stream.results.len() > 1 {
        return Err(ClaudeReason::SeveralResultEvents);
    }
    if first.stop_reason.as_ref().map(Text::as_str) != Some(STOP_REASON) {
        return Err(ClaudeReason::StopReason);
    }
    if stream.retries > 0 {
        return Err(ClaudeReason::Retried);
    }
    match first.num_turns {
        Some(num_turns) if num_turns > 0 => Ok(Success {
            num_turns,
            passed_over: stream.passed_over,
        }),
        _ => Err(ClaudeReason::NoTurns),
    }
}

fn is_no_success(result: &ResultEvent) -> bool {
    result.is_error != Some(false)
}

/// Step 3 of the order of preference.
fn explain(stream: &Stream, stderr: &[u8]) -> Option<ClaudeReason> {
    let told = stream.errors.last().map_or(Told::Nothing, ErrorEvent::told);
    let precise = match told {
        Told::Precisely(reason) => Some(reason),
        Told::Roughly { .. } | Told::Nothing => None,
    };
    by_status(stream)
        .or(precise.map(|reason| refined(reason, stream)))
        .or_else(|| by_text(stream, stderr, &told))
}

fn by_status(stream: &Stream) -> Option<ClaudeReason> {
    let statuses = stream.results.iter().filter(|result| is_no_success(result));
    statuses
        .filter_map(|result| structured::of_status(result.api_error_status?))
        .next()
        .map(|reason| refined(reason, stream))
}

/// A 400 is told apart by its text; every other reason stands.
fn refined(reason: ClaudeReason, stream: &Stream) -> ClaudeReason {
    if reason != ClaudeReason::Http400 {
        return reason;
    }
    error_texts(stream)
        .map(bad_request::refine)
        .min()
        .unwrap_or(reason)
}

fn by_text(stream: &Stream, stderr: &[u8], told: &Told) -> Option<ClaudeReason> {
    let (search, otherwise): (structured::Search, _) = match *told {
        Told::Roughly { search, otherwise } => (search, Some(otherwise)),
        Told::Precisely(_) | Told::Nothing => (wording::anything, None),
    };
    let stderr = wording::without_tagged_lines(&end_of(stderr));
    let started = !(stream.results.is_empty() && stream.errors.is_empty());
    error_texts(stream)
        .find_map(search)
        .or_else(|| (!started).then(|| wording::usage(&stderr)).flatten())
        .or_else(|| search(&stderr))
        .or_else(|| by_stop_reason(stream))
        .or(otherwise)
        .or_else(|| error_texts(stream).find_map(wording::api_error))
        .or_else(|| wording::api_error(&stderr))
}

fn by_stop_reason(stream: &Stream) -> Option<ClaudeReason> {
    let mut reasons = stream
        .results
        .iter()
        .filter(|result| is_no_success(result))
        .filter_map(|result| result.stop_reason.as_ref().map(Text::as_str));
    reasons
        .any(|reason| reason != STOP_REASON && reason != FAILED_STOP_REASON)
        .then_some(ClaudeReason::StopReason)
}

fn error_texts(stream: &Stream) -> impl Iterator<Item = &str> {
    stream
        .results
        .iter()
        .filter(|result| result.is_error == Some(true))
        .flat_map(|result| result.result.iter().chain(&result.errors))
        .map(|text| start_of(text.as_str()))
}

fn start_of(text: &str) -> &str {
    &text[..text.floor_char_boundary(SEARCH_BOUND)]
}

/// What ends a run is said last.
fn end_of(stderr: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(&stderr[stderr.len().saturating_sub(SEARCH_BOUND)..])
}
