//! The IOP checkout: its head and branch, asked of git in a way that neither
//! the caller's environment nor the repository's configuration can change.

use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use thiserror::Error;

use crate::constants::COMMAND_OUTPUT_BOUND;
use crate::digest::Digest;
use crate::evidence::is_head;
use crate::interrupt::Interrupt;
use crate::process::{Cause, Command, Ended, Output, ProcessError, Status, Supervisor};
use crate::refusal::{Circumstance, SafeError};

/// Head and branch of a checkout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkout {
    /// Commit: 40 lowercase hex digits.
    pub head: String,
    /// Digest of the branch's name, `HEAD` when detached.
    pub branch: Digest,
}

/// Why a checkout has no head and branch.
#[derive(Clone, Debug, Error)]
pub enum SourceError {
    /// No repository.
    #[error("not a git repository")]
    NotARepository,
    /// Heads of 64 digits.
    #[error("a repository with 64-digit heads: the manifest format has 40")]
    Sha256Repository,
    /// No commit yet.
    #[error("the head is unborn: there is no commit")]
    UnbornHead,
    /// Git is absent, stuck or answers in another form.
    #[error("git does not answer as expected")]
    Git,
    /// Git could not be run.
    #[error("git could not be run")]
    Process(#[from] ProcessError),
}

impl SafeError for SourceError {}

impl SourceError {
    /// What it is in a refusal.
    pub const fn circumstance(&self) -> Circumstance {
        match self {
            Self::NotARepository => Circumstance::NotARepository,
            Self::Sha256Repository => Circumstance::Sha256Repository,
            Self::UnbornHead => Circumstance::UnbornHead,
            Self::Git | Self::Process(_) => Circumstance::Git,
        }
    }
}

/// How git is run.
pub struct Git<'a> {
    /// Runs it.
    pub supervisor: &'a Supervisor,
    /// Ends it early.
    pub interrupt: &'a Interrupt,
    /// The caller's search path.
    pub path: OsString,
    /// Longest time of one call.
    pub bound: Duration,
    /// Time between asking it to end and ending it.
    pub grace: Duration,
}

impl Git<'_> {
    /// Asks for head and branch of the checkout whose top is `root`.
    ///
    /// # Errors
    /// [`SourceError`].
    pub fn checkout(&self, root: &Path) -> Result<Checkout, SourceError> {
        if std::fs::symlink_metadata(root.join(".git")).is_err() {
            return Err(SourceError::NotARepository);
        }
        let format = ["rev-parse", "--show-object-format"];
        let head = ["HEAD", "--abbrev-ref", "HEAD"];
        let Some(answer) = self.ask(root, &[&format[..], &head].concat())? else {
            // Asked again without the head, to tell what is missing.
            return Err(match self.ask(root, &format)?.as_deref() {
                Some("sha1") => SourceError::UnbornHead,
                Some("sha256") => SourceError::Sha256Repository,
                Some(_) => SourceError::Git,
                None => SourceError::NotARepository,
            });
        };
        match answer.split('\n').collect::<Vec<_>>()[..] {
            ["sha256", ..] => Err(SourceError::Sha256Repository),
            ["sha1", head, branch] if is_head(head) => Ok(Checkout {
                head: head.to_owned(),
                branch: Digest::of(branch),
            }),
            _ => Err(SourceError::Git),
        }
    }

    /// What git prints, without the final newline; nothing if it exits with an error.
    fn ask(&self, root: &Path, question: &[&str]) -> Result<Option<String>, SourceError> {
        let args = [
            "-c",
            "core.fsmonitor=false",
            "-c",
            "core.hooksPath=/dev/null",
        ]
        .into_iter()
        .chain(["-c", "safe.directory=*"])
        .chain(question.iter().copied());
        let command = Command::new("git")
            .args(args)
            .env("PATH", &self.path)
            .env("LC_ALL", "C")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_CONFIG_SYSTEM", "/dev/null")
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_OPTIONAL_LOCKS", "0")
            .env("GIT_TERMINAL_PROMPT", "0")
            // Without this, a broken `.git` makes git look further up.
            .env("GIT_CEILING_DIRECTORIES", root.parent().unwrap_or(root))
            .directory(root)
            .output(Output::Separate {
                stdout: COMMAND_OUTPUT_BOUND,
                stderr: COMMAND_OUTPUT_BOUND,
            })
            .deadline(self.bound)
            .grace(self.grace);
        let ended: Ended = self.supervisor.run(&command, self.interrupt)?;
        match (ended.cause, ended.status) {
            (Cause::Exited, Status::Code(0)) => {
                let text = String::from_utf8(ended.stdout).map_err(|_| SourceError::Git)?;
                Ok(Some(text.trim_end_matches('\n').to_owned()))
            }
            (Cause::Exited, Status::Code(_)) => Ok(None),
            _ => Err(SourceError::Git),
        }
    }
}
