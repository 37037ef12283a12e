//! Why a test failed: what a refusal's first line says in members of closed sets.

use harness::closed_set::ClosedSet;
use harness::constants::ClaudeFlag;
use harness::evidence::EvidenceFault;
use harness::inputs::fault::Fault;
use harness::manifest::validate::ManifestFault;
use harness::observation::verdict::ObservationFault;
use harness::preflight::managed::SettingsFault;
use harness::probe::catalog::CatalogFault;
use harness::probe::metrics::CounterFault;
use harness::reason::{ClaudeReason, Reason};
use harness::redaction::Kind;
use harness::refusal::{Circumstance, Code};
use harness::schema::SchemaFault;

use super::fault::JunitFault;

/// What stands before the code in the text of a test that returned a refusal.
const PREFIX: &str = "Error: ";

/// Longest text of a finding that is passed on, in bytes.
const FINDING_BOUND: usize = 1024;

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

impl Failure {
    /// Reads nextest's words for how a test failed, and the first line that it printed.
    pub(super) fn of(kind: &str, message: &str) -> Self {
        let refusal = message.strip_prefix(PREFIX).and_then(|line| {
            let (code, finding) = line.split_once(": ").unwrap_or((line, ""));
            Some((parse(code)?, finding))
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
            Self::Refused(Reason::Interrupted.into())
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

/// Reads a code in which every word is a member of a closed set, and nothing else.
pub fn parse(text: &str) -> Option<Code> {
    let mut words = text.split(' ');
    let mut code = Code::from(Reason::from_id(words.next()?)?);
    if code.reason == Reason::ClaudeFailed {
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

/// The known detail with this text.
fn detail(text: &str) -> Option<&'static str> {
    [
        id::<CatalogFault>,
        id::<Circumstance>,
        id::<ClaudeFlag>,
        id::<CounterFault>,
        id::<EvidenceFault>,
        id::<Fault>,
        id::<JunitFault>,
        id::<Kind>,
        id::<ManifestFault>,
        id::<ObservationFault>,
        id::<SchemaFault>,
        id::<SettingsFault>,
    ]
    .iter()
    .find_map(|known| known(text))
}

/// The id of this text, if the set has it.
fn id<S: ClosedSet>(text: &str) -> Option<&'static str> {
    let mut ids = S::MEMBERS.iter().map(|member| member.id());
    ids.find(|id| *id == text)
}

/// A text that a terminal shows as it is.
fn printable(text: &str) -> Option<String> {
    let plain = |char: char| matches!(char, ' '..='~' | '–');
    let shown = !text.is_empty() && text.len() <= FINDING_BOUND && text.chars().all(plain);
    shown.then(|| text.to_owned())
}
