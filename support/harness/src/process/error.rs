//! Why a command has no result.

use std::io;

use supervisor::report::Refused;

use crate::interrupt::Interrupted;
use crate::refusal::{SafeError, describe};

/// A command could not be run to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProcessError {
    /// The process was interrupted.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
    /// Something of the command is left that no result can be given with.
    #[error("the command could not be ended")]
    Left,
    /// The command was not started.
    #[error("{why}: {words}")]
    NotStarted {
        /// Why.
        why: NotStarted,
        /// The system's error in fixed words.
        words: &'static str,
    },
    /// The private directory could not be removed.
    #[error("the command's private directory could not be removed")]
    PrivateLeft,
    /// The output or the supervisor could not be read; the words name the system's error.
    #[error("the command could not be watched: {0}")]
    Watch(&'static str),
    /// The supervisor ended before the command was settled.
    #[error("the supervisor ended before its time")]
    SupervisorDied,
}

impl SafeError for ProcessError {}

impl ProcessError {
    pub(super) fn refused(refused: Refused, errno: i32) -> Self {
        let why = match refused {
            Refused::Directory => NotStarted::Directory,
            Refused::NotFound => NotStarted::NotFound,
            Refused::Order => NotStarted::Order,
            Refused::Other => NotStarted::Other,
            Refused::Permission => NotStarted::Permission,
            Refused::Private => NotStarted::Private,
            Refused::Watch => NotStarted::Watch,
        };
        let words = match errno {
            0 => "no further details",
            errno => describe(&io::Error::from_raw_os_error(errno)),
        };
        Self::NotStarted { why, words }
    }

    pub(super) fn watch(error: impl Into<io::Error>) -> Self {
        Self::Watch(describe(&error.into()))
    }
}

/// Why a command was not started.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotStarted {
    /// Its deadline passed first.
    #[error("the deadline passed before the command was started")]
    Deadline,
    /// The working directory cannot be entered.
    #[error("the working directory cannot be entered")]
    Directory,
    /// The program, or the interpreter that it names, does not exist.
    #[error("the program does not exist")]
    NotFound,
    /// The supervisor refused its arguments, as it does a private directory that is not absolute.
    #[error("the supervisor refused its arguments")]
    Order,
    /// The program cannot be executed for another reason.
    #[error("the program cannot be executed")]
    Other,
    /// The program may not be executed.
    #[error("the program may not be executed")]
    Permission,
    /// The private directory exists already or cannot be made.
    #[error("the private directory cannot be made")]
    Private,
    /// The supervisor's executable could not be started.
    #[error("the supervisor cannot be started")]
    Supervisor,
    /// The system does not let the supervisor watch over a command.
    #[error("the supervisor cannot watch over a command here")]
    Watch,
}
