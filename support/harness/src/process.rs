//! Runs one command under the supervisor and reports how it ended.
//!
//! One thread and one loop wait for everything: the command's output, the supervisor's reports, an
//! interruption and the time. Nothing of the output is written to a file.

mod capture;
mod command;
mod error;
mod reports;
mod run;

use std::path::PathBuf;

pub use command::{Command, Output};
pub use error::{NotStarted, ProcessError};

use crate::interrupt::Interrupt;
use run::Run;

/// The executable that stands between this process and the commands it runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Supervisor(PathBuf);

impl Supervisor {
    /// The supervisor's executable is at this path.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self(path.into())
    }

    /// Runs the command and returns when nothing of it is left.
    ///
    /// That takes at most the command's deadline, its grace, [`supervisor::KILL_BOUND`] and what
    /// removing its private directory takes. All processes that it started are gone then, however
    /// they were started, but for what [`Ended::left`] counts.
    ///
    /// # Errors
    ///
    /// The command could not be started or watched, something of it is left that makes its status
    /// meaningless, or the process was interrupted (see [`Interrupt::check`]).
    pub fn run(&self, command: &Command, interrupt: &Interrupt) -> Result<Ended, ProcessError> {
        let active = interrupt.enter()?;
        let outcome = Run::start(&self.0, command).and_then(|run| run.watch(interrupt));
        drop(active);
        // An interrupted command says nothing about itself.
        interrupt.check()?;
        outcome
    }
}

/// Why a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// It ended by itself.
    Exited,
    /// It passed its time.
    Deadline,
    /// It printed more than allowed on stdout (or on the merged stream).
    StdoutOverflow,
    /// It printed more than allowed on stderr.
    StderrOverflow,
}

/// How the leader ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// By exiting, with this status.
    Code(i32),
    /// By this signal.
    Signal(i32),
}

/// How a command ended, with what it printed.
pub struct Ended {
    /// Why it ended.
    pub cause: Cause,
    /// The leader's status; after another cause than [`Cause::Exited`] that of its termination.
    pub status: Status,
    /// Bytes printed on stdout, up to the bound.
    pub stdout: Vec<u8>,
    /// Bytes printed on stderr, up to the bound; empty where both streams are merged.
    pub stderr: Vec<u8>,
    /// Processes besides the leader that were alive when it ended or was ended.
    pub terminated: u32,
    /// Processes that could not be ended within the bound.
    pub left: u32,
}
