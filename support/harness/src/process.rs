//! Runs one command under the supervisor and reports how it ended.

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
    /// Processes that had to be ended after the leader.
    pub terminated: u32,
    /// Processes that could not be ended within the bound.
    pub left: u32,
}
