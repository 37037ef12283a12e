//! Why a test failed: what a refusal's first line says in members of closed sets.

use std::fmt;

use harness::constants::CLAUDE_FLAGS;
use harness::evidence::EvidenceFault;
use harness::inputs::fault::Fault;
use harness::manifest::validate::ManifestFault;
use harness::observation::verdict::ObservationFault;
use harness::probe::catalog::CatalogFault;
use harness::probe::metrics::CounterFault;
use harness::reason::{ClaudeReason, Reason};
use harness::redaction::Kind;
use harness::schema::SchemaFault;

use super::fault::JunitFault;

/// What stands before the code in the text of a test that returned a refusal.
const PREFIX: &str = "Error: ";

/// Longest text of a finding that is passed on, in bytes.
const FINDING_BOUND: usize = 1024;

/// Details that are members of no closed set of their own.
const DETAILS: [&str; 54] = [
    "absent",
    "broken",
    "changed",
    "checkout",
    "contents",
    "deadline",
    "differs",
    "duplicate-key",
    "empty",
    "failed",
    "git",
    "helper",
    "input-absent",
    "input-changed",
    "input-link",
    "input-outside",
    "input-special",
    "input-unreadable",
    "io",
    "link",
    "malformed",
    "no-file-name",
    "not-a-directory",
    "not-a-repository",
    "not-canonical",
    "not-executable",
    "not-json",
    "not-measured",
    "not-regular",
    "not-started",
    "not-utf8",
    "overflow",
    "pattern",
    "proxy",
    "read-only",
    "relative",
    "replaced",
    "restart",
    "rewritten",
    "setup",
    "several",
    "sha256-repository",
    "short",
    "silent",
    "status",
    "timeout",
    "too-large",
    "trailing-bytes",
    "truncated",
    "unborn-head",
    "unreachable",
    "unreadable",
    "unsupported",
    "variable",
];

/// Why a test failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// What failed it, in closed sets.
    pub cause: Cause,
    /// What was expected and found, for a terminal.
    ///
    /// This is text of the file: printable, of at most 1024 bytes, and made of fixed words,
    /// digests and numbers if the harness wrote it. It belongs in no published file.
    pub finding: Option<String>,
}

/// What failed a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The suite refused.
    Refused(Code),
    /// Nextest ended it, because it took too long.
    TimedOut,
    /// A signal ended it.
    Signalled,
    /// It left a process that held its output open.
    Leaked,
    /// It could not be started.
    NotStarted,
    /// Something else, such as a panic: nextest's output shows it.
    Unexplained,
}

/// The code of a refusal: `config-digest`, `claude-failed api-rejected http-404`,
/// `observation-mismatch stage-order`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Code {
    /// The reason.
    pub reason: Reason,
    /// Why the Claude run failed; the class follows from it.
    pub claude: Option<ClaudeReason>,
    /// What tells cases of one reason apart.
    pub detail: Option<&'static str>,
}

impl Failure {
    /// Reads nextest's words for how a test failed, and the first line that it printed.
    pub(super) fn of(kind: &str, message: &str) -> Self {
        let refusal = message.strip_prefix(PREFIX).and_then(|line| {
            let (code, finding) = line.split_once(": ").unwrap_or((line, ""));
            Some((Code::parse(code)?, finding))
        });
        match refusal {
            Some((code, finding)) => Self {
                cause: Cause::Refused(code),
                finding: printable(finding),
            },
            None => Self {
                cause: Cause::by_kind(kind),
                finding: None,
            },
        }
    }
}

impl Cause {
    fn by_kind(kind: &str) -> Self {
        // Exit codes by the convention for signals: the harness ends this way when it is
        // interrupted, before anybody could be told.
        let interrupted = ["129", "130", "143"]
            .iter()
            .any(|code| kind == format!("test failure with exit code {code}"));
        if interrupted {
            Self::Refused(Code {
                reason: Reason::Interrupted,
                claude: None,
                detail: None,
            })
        } else if kind.starts_with("test timeout") {
            Self::TimedOut
        } else if kind.contains("leaked handles") {
            Self::Leaked
        } else if kind.starts_with("test abort") {
            Self::Signalled
        } else if kind.starts_with("execution failure") {
            Self::NotStarted
        } else {
            Self::Unexplained
        }
    }
}

impl Code {
    /// Reads a code in which every word is a member of a closed set, and nothing else.
    pub fn parse(text: &str) -> Option<Self> {
        let mut words = text.split(' ');
        let reason = Reason::from_id(words.next()?)?;
        let mut code = Self {
            reason,
            claude: None,
            detail: None,
        };
        if reason == Reason::ClaudeFailed {
            let class = words.next()?;
            let claude = ClaudeReason::from_id(words.next()?)?;
            if claude.class().id() != class {
                return None;
            }
            code.claude = Some(claude);
        }
        if let Some(word) = words.next() {
            code.detail = Some(detail(word)?);
        }
        words.next().is_none().then_some(code)
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.reason)?;
        if let Some(claude) = self.claude {
            write!(f, " {} {claude}", claude.class())?;
        }
        if let Some(detail) = self.detail {
            write!(f, " {detail}")?;
        }
        Ok(())
    }
}

/// The known detail with this text.
fn detail(text: &str) -> Option<&'static str> {
    let alone = DETAILS.into_iter().chain(CLAUDE_FLAGS);
    let sets = Fault::ALL
        .iter()
        .map(|fault| fault.id())
        .chain(CatalogFault::ALL.iter().map(|fault| fault.id()))
        .chain(CounterFault::ALL.iter().map(|fault| fault.id()))
        .chain(EvidenceFault::ALL.iter().map(|fault| fault.id()))
        .chain(JunitFault::ALL.iter().map(|fault| fault.id()))
        .chain(Kind::ALL.iter().map(|kind| kind.id()))
        .chain(ManifestFault::ALL.iter().map(|fault| fault.id()))
        .chain(ObservationFault::ALL.iter().map(|fault| fault.id()))
        .chain(SchemaFault::ALL.iter().map(|fault| fault.id()));
    alone.chain(sets).find(|known| *known == text)
}

/// A text that a terminal shows as it is.
fn printable(text: &str) -> Option<String> {
    let plain = |char: char| matches!(char, ' '..='~' | '–');
    let shown = !text.is_empty() && text.len() <= FINDING_BOUND && text.chars().all(plain);
    shown.then(|| text.to_owned())
}
