//! The digest of a workspace: every entry of a directory tree.

use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;

use rustix::fs::Mode;
use rustix::io::Errno;

use super::file::FileError;
use super::walk::{self, EntryKind, Keep};
use super::{Digest, Hasher};
use crate::refusal::{SafeError, by_number, describe};

/// Digests everything below the directory, without following links.
///
/// There is a record for each entry: its path relative to the directory, with `/` between the
/// parts; its kind; and a value. The records are sorted by the bytes of the paths, and each adds
/// `path NUL kind NUL value NUL` to what is hashed.
///
/// | kind | value |
/// |---|---|
/// | `file` | 64 hex digits: SHA-256 of the contents |
/// | `dir` | nothing |
/// | `link` | 64 hex digits: SHA-256 of the link's target |
/// | `special` | the file-type bits of the mode in decimal; see inode(7) |
///
/// # Errors
///
/// An entry that cannot be read, or changes meanwhile, is an error. FIFOs and devices are not
/// opened, and so are none.
pub fn digest(root: &Path) -> Result<Digest, TreeError> {
    let mut hasher = Hasher::new();
    walk::walk(
        vec![(Vec::new(), open(root)?)],
        Keep::All,
        &mut |path, kind| {
            let (kind, value) = match kind {
                EntryKind::Directory => ("dir", String::new()),
                EntryKind::File(contents) => ("file", contents.hex()),
                EntryKind::Link(target) => ("link", target.hex()),
                EntryKind::Special(bits) => ("special", bits.to_string()),
            };
            hasher.record(&[path, kind.as_bytes(), value.as_bytes()]);
        },
    )?;
    Ok(hasher.finish())
}

/// Why a directory tree could not be digested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TreeError {
    /// There is no such directory.
    #[error("the directory does not exist")]
    Absent,
    /// Something was written, moved or removed while the tree was read.
    #[error("an entry changed while the tree was read")]
    Changed,
    /// An entry may not be read.
    #[error("an entry may not be read")]
    Denied,
    /// Another error of the operating system, in fixed words.
    #[error("an entry could not be read: {0}")]
    Io(&'static str),
    /// The path names a file, or a symbolic link.
    #[error("the path names no directory, or a link to one")]
    NotDirectory,
}

impl SafeError for TreeError {}

fn open(root: &Path) -> Result<OwnedFd, TreeError> {
    rustix::fs::open(root, walk::DIRECTORY, Mode::empty()).map_err(|errno| match errno {
        Errno::NOENT => TreeError::Absent,
        Errno::LOOP | Errno::NOTDIR => TreeError::NotDirectory,
        errno => errno.into(),
    })
}

impl From<FileError> for TreeError {
    fn from(error: FileError) -> Self {
        match error {
            FileError::Denied => Self::Denied,
            FileError::Io(words) => Self::Io(words),
            // It was a regular file when it was listed.
            FileError::Absent
            | FileError::Changed
            | FileError::Link
            | FileError::NotRegular
            | FileError::Short => Self::Changed,
        }
    }
}

impl From<Errno> for TreeError {
    fn from(errno: Errno) -> Self {
        match errno {
            Errno::ACCESS | Errno::PERM => Self::Denied,
            // An entry that was listed is gone, or is something else now.
            Errno::INVAL | Errno::LOOP | Errno::NOENT | Errno::NOTDIR => Self::Changed,
            errno => Self::Io(describe(&errno.into())),
        }
    }
}

impl From<io::Error> for TreeError {
    fn from(error: io::Error) -> Self {
        by_number(&error, Self::Io)
    }
}
