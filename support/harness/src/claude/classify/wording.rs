//! What the CLI's own sentences mean.
//!
//! A server's message is quoted inside them and can hold any words, so that what has a fixed place
//! is looked for there: a status behind `API Error:`, a body right behind it, a refused option at
//! the beginning of a line. Names of system errors count as whole words in their own case.

use serde_json::Value;

use super::{bad_request, structured};
use crate::reason::ClaudeReason;

/// What every failed request is reported with.
const PREFIX: &str = "api error";

/// Sentences that stand for a status without naming it, at the beginning of a line.
const STATUS_SENTENCES: [(&str, u16); 4] = [
    ("credit balance is too low", 400),
    ("prompt is too long", 400),
    ("request too large (max", 413),
    // Apostrophes differ.
    ("s an issue with the selected model", 404),
];

/// Where a status stands in the CLI's sentences: behind these.
const STATUS_LEADS: [&str; 4] = [
    "api error: ",
    "api error (",
    "api error: repeated ",
    "request rejected (",
];

const CREDENTIALS: [&str; 7] = [
    "invalid api key",
    "not logged in",
    "please run /login",
    "failed to authenticate",
    "invalid bearer token",
    "oauth token",
    "does not have access to claude",
];

const MALFORMED: [&str; 7] = [
    "stream ended without receiving any events",
    "empty or malformed response",
    "json parse error",
    "could not parse message into json",
    "is not valid json",
    "unexpected end of json",
    "unexpected token",
];

/// Names of system and library errors; one that ends in `_` stands for all that begin with it.
const TRANSPORT_NAMES: [(&str, ClaudeReason); 38] = [
    ("ConnectionRefused", ClaudeReason::ConnectionRefused),
    ("ECONNREFUSED", ClaudeReason::ConnectionRefused),
    ("ConnectionClosed", ClaudeReason::ConnectionReset),
    ("ConnectionReset", ClaudeReason::ConnectionReset),
    ("ECONNABORTED", ClaudeReason::ConnectionReset),
    ("ECONNRESET", ClaudeReason::ConnectionReset),
    ("EPIPE", ClaudeReason::ConnectionReset),
    ("StreamTruncated", ClaudeReason::ConnectionReset),
    ("UND_ERR_SOCKET", ClaudeReason::ConnectionReset),
    ("ESOCKETTIMEDOUT", ClaudeReason::NetworkTimeout),
    ("ETIMEDOUT", ClaudeReason::NetworkTimeout),
    ("UND_ERR_BODY_TIMEOUT", ClaudeReason::NetworkTimeout),
    ("UND_ERR_CONNECT_TIMEOUT", ClaudeReason::NetworkTimeout),
    ("UND_ERR_HEADERS_TIMEOUT", ClaudeReason::NetworkTimeout),
    ("EAI_", ClaudeReason::DnsFailure),
    ("ENOTFOUND", ClaudeReason::DnsFailure),
    ("CERT_CHAIN_TOO_LONG", ClaudeReason::TlsCertificate),
    ("CERT_HAS_EXPIRED", ClaudeReason::TlsCertificate),
    ("CERT_NOT_YET_VALID", ClaudeReason::TlsCertificate),
    ("CERT_REJECTED", ClaudeReason::TlsCertificate),
    ("CERT_REVOKED", ClaudeReason::TlsCertificate),
    ("CERT_SIGNATURE_FAILURE", ClaudeReason::TlsCertificate),
    ("CERT_UNTRUSTED", ClaudeReason::TlsCertificate),
    ("DEPTH_ZERO_SELF_SIGNED_CERT", ClaudeReason::TlsCertificate),
    ("ERR_SSL_", ClaudeReason::TlsCertificate),
    ("ERR_TLS_", ClaudeReason::TlsCertificate),
    ("HOSTNAME_MISMATCH", ClaudeReason::TlsCertificate),
    ("SELF_SIGNED_CERT_IN_CHAIN", ClaudeReason::TlsCertificate),
    ("UNABLE_TO_GET_ISSUER_CERT", ClaudeReason::TlsCertificate),
    ("UNABLE_TO_GET_ISSUER_CERT_", ClaudeReason::TlsCertificate),
    ("UNABLE_TO_VERIFY_LEAF_", ClaudeReason::TlsCertificate),
    ("UNKNOWN_CERTIFICATE_", ClaudeReason::TlsCertificate),
    ("EHOSTDOWN", ClaudeReason::ConnectionError),
    ("EHOSTUNREACH", ClaudeReason::ConnectionError),
    ("ENETDOWN", ClaudeReason::ConnectionError),
    ("ENETUNREACH", ClaudeReason::ConnectionError),
    // 2.1.113 says this of a name that does not resolve and of a network without a route.
    ("FailedToOpenSocket", ClaudeReason::ConnectionError),
    // Whatever the words around it say: something answered, and not in HTTP.
    ("Malformed_HTTP_Response", ClaudeReason::MalformedResponse),
];

/// Words for the same, in the order of the reasons.
const TRANSPORT_WORDS: [(&str, ClaudeReason); 28] = [
    ("connection refused", ClaudeReason::ConnectionRefused),
    ("connection closed", ClaudeReason::ConnectionReset),
    ("connection dropped", ClaudeReason::ConnectionReset),
    ("connection lost", ClaudeReason::ConnectionReset),
    ("connection reset", ClaudeReason::ConnectionReset),
    (
        "connection to the api was lost",
        ClaudeReason::ConnectionReset,
    ),
    ("connection was closed", ClaudeReason::ConnectionReset),
    ("other side closed", ClaudeReason::ConnectionReset),
    ("socket hang up", ClaudeReason::ConnectionReset),
    ("connect timeout", ClaudeReason::NetworkTimeout),
    ("connection timeout", ClaudeReason::NetworkTimeout),
    ("idle timeout", ClaudeReason::NetworkTimeout),
    ("timed out", ClaudeReason::NetworkTimeout),
    ("could not resolve host", ClaudeReason::DnsFailure),
    ("getaddrinfo", ClaudeReason::DnsFailure),
    ("certificate has expired", ClaudeReason::TlsCertificate),
    ("certificate verify failed", ClaudeReason::TlsCertificate),
    ("self signed certificate", ClaudeReason::TlsCertificate),
    ("self-signed certificate", ClaudeReason::TlsCertificate),
    ("ssl certificate", ClaudeReason::TlsCertificate),
    ("unable to get issuer cert", ClaudeReason::TlsCertificate),
    ("unable to get local issuer", ClaudeReason::TlsCertificate),
    ("unable to verify the first", ClaudeReason::TlsCertificate),
    ("failed to fetch", ClaudeReason::FetchFailed),
    ("fetch failed", ClaudeReason::FetchFailed),
    ("can't reach the api server", ClaudeReason::ConnectionError),
    ("connection error", ClaudeReason::ConnectionError),
    ("unable to connect to api", ClaudeReason::ConnectionError),
];

/// What a refused command line looks like, at the beginning of a line of stderr.
const USAGE: [&str; 10] = [
    "error: unknown option",
    "error: unknown command",
    "error: option '",
    "error: required option",
    "error: missing required argument",
    "error: command-argument value",
    "error: too many arguments",
    "error: input must be provided either through stdin",
    "error: when using --",
    "error processing --",
];

/// Any sign, in the order of preference.
pub(super) fn anything(text: &str) -> Option<ClaudeReason> {
    status(text)
        .or_else(|| body(text))
        .or_else(|| contains(text, &CREDENTIALS, ClaudeReason::Authentication))
        .or_else(|| {
            // Said behind the message of every 5xx, also where a page's title replaces the status.
            let words = ["this is a server-side issue"];
            contains(text, &words, ClaudeReason::Http5xx)
        })
        .or_else(|| contains(text, &MALFORMED, ClaudeReason::MalformedResponse))
        .or_else(|| transport(text))
}

/// A status, or a sentence that stands for one. Of nested ones the outer counts.
pub(super) fn status(text: &str) -> Option<ClaudeReason> {
    let lower = text.to_ascii_lowercase();
    let (at, status) = led_statuses(&lower)
        .chain(page_not_found(&lower))
        .chain(status_sentences(&lower))
        .min()?;
    match structured::of_status(status)? {
        ClaudeReason::Http400 => Some(bad_request::refine(&text[at..])),
        reason => Some(reason),
    }
}

fn led_statuses(lower: &str) -> impl Iterator<Item = (usize, u16)> {
    STATUS_LEADS.iter().flat_map(move |lead| {
        lower.match_indices(lead).filter_map(move |(at, lead)| {
            let digits = lower.get(at + lead.len()..)?;
            Some((at, leading_status(digits)?))
        })
    })
}

/// The three digits at the beginning, if no word goes on behind them.
fn leading_status(text: &str) -> Option<u16> {
    let (digits, rest) = text.split_at_checked(3)?;
    let ends = !rest.starts_with(|next: char| next.is_ascii_alphanumeric() || next == '-');
    let all_digits = digits.bytes().all(|byte| byte.is_ascii_digit());
    let status = digits.parse().ok()?;
    (ends && all_digits && (400..600).contains(&status)).then_some(status)
}

/// The answer of Go's router.
fn page_not_found(lower: &str) -> impl Iterator<Item = (usize, u16)> {
    lower
        .match_indices(" page not found")
        .filter_map(|(end, _)| {
            let at = end.checked_sub(3)?;
            let status = leading_status(lower.get(at..end)?)?;
            let inside_word = lower[..at].ends_with(|previous: char| {
                previous.is_ascii_alphanumeric() || matches!(previous, '-' | '_' | '/')
            });
            (!inside_word).then_some((at, status))
        })
}

fn status_sentences(lower: &str) -> impl Iterator<Item = (usize, u16)> {
    STATUS_SENTENCES
        .iter()
        .filter_map(move |&(sentence, status)| {
            let (at, _) = lower.match_indices(sentence).find(|&(at, _)| {
                let line = lower[..at].rsplit('\n').next().unwrap_or_default();
                let line = line.trim_start();
                line.is_empty() || matches!(line, "there'" | "there’" | "error: ")
            })?;
            Some((at, status))
        })
}

/// The error type of a body that stands where the status would: an error told inside a stream.
fn body(text: &str) -> Option<ClaudeReason> {
    let at = text.to_ascii_lowercase().find("api error: {")?;
    let body = &text[at + "api error: ".len()..];
    let value: Option<Value> = serde_json::Deserializer::from_str(body)
        .into_iter()
        .next()
        .and_then(Result::ok);
    let api_type = value
        .as_ref()
        .and_then(|value| value.pointer("/error/type"))
        .and_then(Value::as_str)
        .unwrap_or_default();
    // Whatever else the body says, it is the server's.
    Some(match structured::of_api_type(api_type) {
        Some(ClaudeReason::Http400) => bad_request::refine(body),
        Some(reason) => reason,
        None => ClaudeReason::ApiError,
    })
}

/// Why a request did not get through. A name that the system gave outweighs words.
pub(super) fn transport(text: &str) -> Option<ClaudeReason> {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
        .filter_map(transport_name)
        .min()
        .or_else(|| {
            let lower = text.to_ascii_lowercase();
            TRANSPORT_WORDS
                .iter()
                .find(|(words, _)| lower.contains(words))
                .map(|&(_, reason)| reason)
        })
}

fn transport_name(word: &str) -> Option<ClaudeReason> {
    TRANSPORT_NAMES
        .iter()
        .find(|(name, _)| word == *name || (name.ends_with('_') && word.starts_with(name)))
        .map(|&(_, reason)| reason)
}

/// A command line that the CLI refused.
pub(super) fn usage(stderr: &str) -> Option<ClaudeReason> {
    let lower = stderr.to_ascii_lowercase();
    lower
        .lines()
        .any(|line| {
            USAGE
                .iter()
                .any(|words| line.trim_start().starts_with(words))
        })
        .then_some(ClaudeReason::CliUsage)
}

/// A failed request of which nothing else is known.
pub(super) fn api_error(text: &str) -> Option<ClaudeReason> {
    contains(text, &[PREFIX], ClaudeReason::ApiError)
}

/// Leaves out the lines in which newer versions tell programs about data, such as the model's name.
pub(super) fn without_tagged_lines(stderr: &str) -> String {
    stderr
        .split_inclusive('\n')
        .filter(|line| !line.starts_with("[claude-code:"))
        .collect()
}

fn contains(text: &str, words: &[&str], reason: ClaudeReason) -> Option<ClaudeReason> {
    let lower = text.to_ascii_lowercase();
    words
        .iter()
        .any(|words| lower.contains(words))
        .then_some(reason)
}
