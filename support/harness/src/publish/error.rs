//! Why a file could not be published.

use std::io;

use rustix::io::Errno;

use crate::digest::file::FileError;
use crate::reason::Reason;
use crate::refusal::{Refusal, SafeError, by_number, describe};

/// Why a file could not be published, read back or withdrawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PublishError {
    /// The path exists, if only as a dangling link; what is there was left untouched.
    #[error("a file appeared at the path")]
    Appeared,
    /// The directory may not be written to.
    #[error("permission denied")]
    Denied,
    /// Another error of the operating system, in fixed words.
    #[error("the file could not be published: {0}")]
    Io(&'static str),
    /// A limit on the size of files: `RLIMIT_FSIZE`, or that of the file system.
    #[error("the file-size limit is reached")]
    Limit,
    /// The path ends in no file name.
    #[error("the path names no file")]
    Name,
    /// The parent of the path is no directory, or a link to one.
    #[error("the parent of the path is no directory, or a link")]
    NoDirectory,
    /// No space is left, or none of the quota.
    #[error("the disk is full or the quota used up")]
    NoSpace,
    /// The file system is mounted read-only.
    #[error("the file system is read-only")]
    ReadOnly,
    /// The path names another file than the one that was published, or none.
    #[error("the published file is no longer at the path, or was changed")]
    Replaced,
    /// The file system refuses every way that was tried.
    #[error("the file system cannot publish a file without replacing another")]
    Unsupported,
}

impl PublishError {
    /// The reason to refuse the run with.
    pub fn reason(self) -> Reason {
        match self {
            Self::Appeared | Self::Replaced => Reason::OutputRace,
            Self::Denied
            | Self::Io(_)
            | Self::Limit
            | Self::Name
            | Self::NoDirectory
            | Self::NoSpace
            | Self::ReadOnly
            | Self::Unsupported => Reason::PublicationFailed,
        }
    }
}

impl SafeError for PublishError {}

impl From<PublishError> for Refusal {
    fn from(error: PublishError) -> Self {
        Self::new(error.reason()).caused_by(error)
    }
}

impl From<Errno> for PublishError {
    fn from(errno: Errno) -> Self {
        match errno {
            Errno::EXIST => Self::Appeared,
            Errno::ACCESS | Errno::PERM => Self::Denied,
            Errno::FBIG => Self::Limit,
            Errno::NOTDIR | Errno::LOOP => Self::NoDirectory,
            Errno::NOSPC | Errno::DQUOT => Self::NoSpace,
            Errno::ROFS => Self::ReadOnly,
            errno => Self::Io(describe(&errno.into())),
        }
    }
}

impl From<io::Error> for PublishError {
    fn from(error: io::Error) -> Self {
        by_number(&error, Self::Io)
    }
}

/// For a published file that is opened again.
impl From<FileError> for PublishError {
    fn from(error: FileError) -> Self {
        match error {
            FileError::Denied => Self::Denied,
            FileError::Io(words) => Self::Io(words),
            FileError::Absent
            | FileError::Changed
            | FileError::Link
            | FileError::NotRegular
            | FileError::Short => Self::Replaced,
        }
    }
}
