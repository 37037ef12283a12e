//! A refusal: its reason, and what was expected and found as far as both are safe to print.

use std::error::Error;
use std::sync::Arc;
use std::{fmt, io};

use rustix::io::Errno;

pub use circumstance::Circumstance;
pub use code::Code;

use crate::closed_set::ClosedSet;
use crate::digest::Digest;
use crate::reason::{ClaudeReason, Reason};

mod circumstance;
mod code;

/// Outcome of a check or a step of the run.
pub type Verdict<T = ()> = Result<T, Refusal>;

/// Something that may be printed: it cannot hold the value of an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fact {
    /// A digest.
    Digest(Digest),
    /// A number with what it counts.
    Count(u64, &'static str),
    /// A state in fixed words.
    State(&'static str),
    /// An HTTP status.
    Status(u16),
    /// Several facts.
    List(Vec<Fact>),
}

impl fmt::Display for Fact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Digest(digest) => write!(f, "{digest}"),
            Self::Count(count, "") => write!(f, "{count}"),
            Self::Count(count, unit) => write!(f, "{count} {unit}"),
            Self::State(state) => f.write_str(state),
            Self::Status(status) => write!(f, "status {status}"),
            Self::List(facts) => {
                for (index, fact) in facts.iter().enumerate() {
                    write!(f, "{}{fact}", if index == 0 { "" } else { ", " })?;
                }
                Ok(())
            }
        }
    }
}

impl From<Digest> for Fact {
    fn from(digest: Digest) -> Self {
        Self::Digest(digest)
    }
}

impl From<&'static str> for Fact {
    fn from(state: &'static str) -> Self {
        Self::State(state)
    }
}

impl From<&io::Error> for Fact {
    fn from(error: &io::Error) -> Self {
        Self::State(describe(error))
    }
}

/// An error whose text holds nothing but fixed words, digests and numbers.
///
/// Only such errors may be the source of a [`Refusal`]: their text is printed.
pub trait SafeError: Error + Send + Sync + 'static {}

/// The suite says no.
///
/// Its `Debug` form is what a failing test prints; it reads as a report.
#[derive(Clone)]
pub struct Refusal(Box<Parts>);

#[derive(Clone)]
struct Parts {
    code: Code,
    expected: Option<Fact>,
    found: Option<Fact>,
    lines: Vec<String>,
    source: Option<Arc<dyn SafeError>>,
}

impl Refusal {
    /// A refusal for this reason.
    pub fn new(reason: Reason) -> Self {
        Self(Box::new(Parts {
            code: reason.into(),
            expected: None,
            found: None,
            lines: Vec::new(),
            source: None,
        }))
    }

    /// A failed Claude run.
    pub fn claude(reason: ClaudeReason) -> Self {
        let mut refusal = Self::new(Reason::ClaudeFailed);
        refusal.0.code.claude = Some(reason);
        refusal
    }

    /// Adds the member of a closed set that tells cases of one reason apart.
    #[must_use]
    pub fn detail(mut self, detail: impl ClosedSet) -> Self {
        self.0.code.detail = Some(detail.id());
        self
    }

    /// Adds what was expected.
    #[must_use]
    pub fn expected(mut self, fact: impl Into<Fact>) -> Self {
        self.0.expected = Some(fact.into());
        self
    }

    /// Adds what was found.
    #[must_use]
    pub fn found(mut self, fact: impl Into<Fact>) -> Self {
        self.0.found = Some(fact.into());
        self
    }

    /// Adds a line of fixed words below the first.
    #[must_use]
    pub fn line(mut self, words: &[&'static str]) -> Self {
        self.0.lines.push(words.concat());
        self
    }

    /// Adds a line that says which of several this is about: `manifest 3 of 10`.
    #[must_use]
    pub fn at(mut self, what: &'static str, number: usize, of: usize) -> Self {
        self.0.lines.push(format!("{what} {number} of {of}"));
        self
    }

    /// Adds the error that led here.
    #[must_use]
    pub fn caused_by(mut self, source: impl SafeError) -> Self {
        self.0.source = Some(Arc::new(source));
        self
    }

    /// The reason.
    pub fn reason(&self) -> Reason {
        self.0.code.reason
    }

    /// Its [`Code`], as it is printed.
    pub fn code(&self) -> String {
        self.0.code.to_string()
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.code)?;
        match (&self.0.expected, &self.0.found) {
            (Some(expected), Some(found)) => write!(f, ": expected {expected}; found {found}")?,
            (Some(expected), None) => write!(f, ": expected {expected}")?,
            (None, Some(found)) => write!(f, ": found {found}")?,
            (None, None) => {}
        }
        if let Some(claude) = self.0.code.claude {
            write!(f, ": {}", claude.meaning())?;
        }
        Ok(())
    }
}

impl fmt::Debug for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")?;
        for line in &self.0.lines {
            write!(f, "\n  {line}")?;
        }
        let mut source: Option<&(dyn Error + 'static)> = self.source();
        while let Some(error) = source {
            write!(f, "\n  because: {error}")?;
            source = error.source();
        }
        write!(f, "\n  what to do: {}", self.reason().hint())
    }
}

impl Error for Refusal {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0
            .source
            .as_ref()
            .map(|source| source.as_ref() as &(dyn Error + 'static))
    }
}

/// An I/O error as one of its own kind: by the system's number, or in fixed words without one.
pub fn by_number<E: From<Errno>>(error: &io::Error, in_words: fn(&'static str) -> E) -> E {
    match Errno::from_io_error(error) {
        Some(errno) => errno.into(),
        None => in_words(describe(error)),
    }
}

/// Names an I/O error in fixed words: its own text may hold a path.
pub fn describe(error: &io::Error) -> &'static str {
    // The kind for a link that must not be followed is not stable yet.
    if error.raw_os_error() == Some(nix::errno::Errno::ELOOP as i32) {
        return "it is a symbolic link";
    }
    match error.kind() {
        io::ErrorKind::NotFound => "it does not exist",
        io::ErrorKind::PermissionDenied => "permission denied",
        io::ErrorKind::AlreadyExists => "it exists already",
        io::ErrorKind::NotADirectory => "a part of the path is no directory",
        io::ErrorKind::IsADirectory => "it is a directory",
        io::ErrorKind::ReadOnlyFilesystem => "the file system is read-only",
        io::ErrorKind::StorageFull => "the disk is full",
        io::ErrorKind::QuotaExceeded => "the disk quota is used up",
        io::ErrorKind::FileTooLarge => "the file-size limit is reached",
        io::ErrorKind::InvalidFilename => "the path is too long or malformed",
        io::ErrorKind::TimedOut => "timed out",
        io::ErrorKind::UnexpectedEof => "it ended early",
        io::ErrorKind::OutOfMemory => "out of memory",
        io::ErrorKind::ExecutableFileBusy => "the executable is being written",
        _ => "an input/output error",
    }
}

#[cfg(test)]
mod tests {
    use nix::errno::Errno;

    use super::*;

    #[test]
    fn an_io_error_is_told_in_fixed_words() {
        for (errno, words) in [
            (Errno::ELOOP, "it is a symbolic link"),
            (Errno::ENOENT, "it does not exist"),
            (Errno::EACCES, "permission denied"),
            (Errno::EPERM, "permission denied"),
            (Errno::EEXIST, "it exists already"),
            (Errno::ENOTDIR, "a part of the path is no directory"),
            (Errno::EISDIR, "it is a directory"),
            (Errno::EROFS, "the file system is read-only"),
            (Errno::ENOSPC, "the disk is full"),
            (Errno::EDQUOT, "the disk quota is used up"),
            (Errno::EFBIG, "the file-size limit is reached"),
            (Errno::ENAMETOOLONG, "the path is too long or malformed"),
            (Errno::ETIMEDOUT, "timed out"),
            (Errno::ENOMEM, "out of memory"),
            (Errno::ETXTBSY, "the executable is being written"),
            (Errno::EIO, "an input/output error"),
        ] {
            assert_eq!(describe(&io::Error::from(errno)), words, "{errno}");
        }
        let early = io::Error::from(io::ErrorKind::UnexpectedEof);
        assert_eq!(describe(&early), "it ended early");
    }

    #[test]
    fn a_report_has_the_code_the_facts_what_led_there_and_what_to_do() {
        let refusal = Refusal::new(Reason::ConfigDigest)
            .detail(Circumstance::Short)
            .expected(Fact::List(vec![
                Fact::Count(1, ""),
                Fact::Count(2, "bytes"),
            ]))
            .found(Fact::Status(503))
            .line(&["also", " this"])
            .caused_by(crate::json::JsonFault::NotUtf8);
        assert_eq!(refusal.code(), "config-digest short");
        let report = [
            "config-digest short: expected 1, 2 bytes; found status 503",
            "  also this",
            "  because: not utf-8",
            &format!("  what to do: {}", Reason::ConfigDigest.hint()),
        ];
        assert_eq!(format!("{refusal:?}"), report.join("\n"));
    }

    #[test]
    fn a_failed_run_is_told_with_its_meaning() {
        let refusal = Refusal::claude(ClaudeReason::Http404).expected("an answer");
        let meaning = ClaudeReason::Http404.meaning();
        assert_eq!(
            refusal.to_string(),
            format!("claude-failed api-rejected http-404: expected an answer: {meaning}")
        );
        assert_eq!(
            Refusal::new(Reason::Internal).found("this").to_string(),
            "internal: found this"
        );
        assert_eq!(Refusal::new(Reason::Internal).to_string(), "internal");
    }
}
