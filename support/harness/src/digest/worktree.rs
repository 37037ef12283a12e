//! The digest of sources: the regular files under the listed parts of a checkout.

use std::ffi::OsStr;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Component, Path};

use rustix::fs::{AtFlags, FileType, Mode, OFlags};
use rustix::io::Errno;

use super::file::{FileError, RegularFile};
use super::tree::TreeError;
use super::walk::{self, EntryKind, Keep};
use super::{Digest, Hasher};
use crate::refusal::{Circumstance, SafeError, describe};

/// Digests the regular files under the inputs, which are files or directories given relative to
/// the checkout.
///
/// The files are sorted by the bytes of their paths relative to the checkout, and each adds
/// `path NUL contents NUL` to what is hashed, with the SHA-256 of the contents in 64 hex digits.
/// A file that several inputs cover counts once. Links and special files are passed over, but
/// no input may be one or lead through a link.
///
/// # Errors
///
/// [`WorktreeError::Input`] for the first input that is missing or cannot be used, and
/// [`WorktreeError::Empty`] when there is no file at all.
pub fn digest<P: AsRef<Path>>(checkout: &Path, inputs: &[P]) -> Result<Digest, WorktreeError> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let checkout = rustix::fs::open(checkout, flags, Mode::empty())
        .map_err(|errno| WorktreeError::Checkout(describe(&errno.into())))?;
    let mut files = Vec::new();
    let mut roots = Vec::new();
    for (input, position) in inputs.iter().zip(1..) {
        match locate(&checkout, input.as_ref()) {
            Ok((path, Located::Directory(directory))) => roots.push((path, directory)),
            Ok((path, Located::File(file))) => files.push((path, position, file)),
            Err(fault) => return Err(WorktreeError::Input { position, fault }),
        }
    }
    // Sorted like what is below them, which is where another root lies if it is covered.
    roots.sort_by_cached_key(|(path, _)| below(path));
    roots.dedup_by(|(other, _), (root, _)| below(other).starts_with(&below(root)));
    files.retain(|(path, ..)| !roots.iter().any(|(root, _)| path.starts_with(&below(root))));
    files.sort_by(|(one, ..), (other, ..)| one.cmp(other));
    files.dedup_by(|(other, ..), (path, ..)| other == path);

    let mut record = Record::default();
    let mut alone = Vec::new();
    for (path, position, file) in files {
        let digest = file.digest().map_err(|error| WorktreeError::Input {
            position,
            fault: error.into(),
        })?;
        alone.push((path, digest.digest));
    }
    let mut alone = alone.into_iter().peekable();
    walk::walk(roots, Keep::Files, &mut |path, kind| {
        while let Some((path, contents)) = alone.next_if(|(other, _)| other.as_slice() < path) {
            record.add(&path, contents);
        }
        if let EntryKind::File(contents) = kind {
            record.add(path, contents);
        }
    })?;
    for (path, contents) in alone {
        record.add(&path, contents);
    }
    record.finish()
}

/// What the paths of all that is below a directory begin with.
fn below(path: &[u8]) -> Vec<u8> {
    match path {
        [] => Vec::new(),
        path => [path, b"/"].concat(),
    }
}

/// What is hashed: each file with its contents' digest.
#[derive(Default)]
struct Record {
    hasher: Hasher,
    files: u64,
}

impl Record {
    fn add(&mut self, path: &[u8], contents: Digest) {
        self.files += 1;
        self.hasher.record(&[path, contents.hex().as_bytes()]);
    }

    fn finish(self) -> Result<Digest, WorktreeError> {
        match self.files {
            0 => Err(WorktreeError::Empty),
            _ => Ok(self.hasher.finish()),
        }
    }
}

/// Why the sources could not be digested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WorktreeError {
    /// The checkout could not be opened; why, in fixed words.
    #[error("the checkout could not be opened: {0}")]
    Checkout(&'static str),
    /// There is no regular file under any input.
    #[error("there is no regular file under the inputs")]
    Empty,
    /// An input cannot be used.
    #[error("input {position}: {fault}")]
    Input {
        /// Which input, counted from 1.
        position: usize,
        /// What is wrong with it.
        fault: InputFault,
    },
    /// Something below an input could not be read.
    #[error(transparent)]
    Tree(#[from] TreeError),
}

impl SafeError for WorktreeError {}

impl WorktreeError {
    /// What it is in a refusal.
    pub const fn circumstance(&self) -> Circumstance {
        match self {
            Self::Checkout(_) => Circumstance::Checkout,
            Self::Empty => Circumstance::Empty,
            Self::Input { fault, .. } => fault.circumstance(),
            Self::Tree(_) => Circumstance::Unreadable,
        }
    }
}

/// What is wrong with an input of the worktree digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InputFault {
    /// It does not exist.
    #[error("it does not exist")]
    Absent,
    /// It was written, replaced or touched while it was read.
    #[error("it changed while it was read")]
    Changed,
    /// It may not be read.
    #[error("it may not be read")]
    Denied,
    /// Another error of the operating system, in fixed words.
    #[error("it could not be read: {0}")]
    Io(&'static str),
    /// It is a symbolic link, or leads through one.
    #[error("it is a symbolic link, or leads through one")]
    Link,
    /// It is empty, absolute or contains `..`.
    #[error("it is no path below the checkout")]
    Outside,
    /// It is a FIFO, socket or device.
    #[error("it is neither a regular file nor a directory")]
    Special,
}

impl InputFault {
    /// What it is in a refusal.
    pub const fn circumstance(self) -> Circumstance {
        match self {
            Self::Absent => Circumstance::InputAbsent,
            Self::Changed => Circumstance::InputChanged,
            Self::Denied | Self::Io(_) => Circumstance::InputUnreadable,
            Self::Link => Circumstance::InputLink,
            Self::Outside => Circumstance::InputOutside,
            Self::Special => Circumstance::InputSpecial,
        }
    }
}

enum Located {
    Directory(OwnedFd),
    File(RegularFile),
}

/// Opens an input part by part and returns it with its plain path.
fn locate(checkout: &OwnedFd, input: &Path) -> Result<(Vec<u8>, Located), InputFault> {
    if input.as_os_str().is_empty() {
        return Err(InputFault::Outside);
    }
    let mut path = Vec::new();
    let mut reached = Located::Directory(rustix::fs::openat(
        checkout,
        ".",
        walk::DIRECTORY,
        Mode::empty(),
    )?);
    for component in input.components() {
        let name = match component {
            Component::Normal(name) => name,
            Component::CurDir => continue,
            Component::ParentDir | Component::Prefix(_) | Component::RootDir => {
                return Err(InputFault::Outside);
            }
        };
        let Located::Directory(directory) = reached else {
            return Err(InputFault::Absent);
        };
        reached = step(&directory, name)?;
        if !path.is_empty() {
            path.push(b'/');
        }
        path.extend_from_slice(name.as_bytes());
    }
    Ok((path, reached))
}

fn step(directory: &OwnedFd, name: &OsStr) -> Result<Located, InputFault> {
    let status = rustix::fs::statat(directory, name, AtFlags::SYMLINK_NOFOLLOW)?;
    match FileType::from_raw_mode(status.st_mode) {
        FileType::Directory => {
            let below = rustix::fs::openat(directory, name, walk::DIRECTORY, Mode::empty())?;
            Ok(Located::Directory(below))
        }
        FileType::RegularFile => Ok(Located::File(RegularFile::open_at(directory, name)?)),
        FileType::Symlink => Err(InputFault::Link),
        _ => Err(InputFault::Special),
    }
}

impl From<Errno> for InputFault {
    fn from(errno: Errno) -> Self {
        match errno {
            Errno::ACCESS | Errno::PERM => Self::Denied,
            Errno::LOOP => Self::Link,
            Errno::NOENT | Errno::NOTDIR => Self::Absent,
            errno => Self::Io(describe(&errno.into())),
        }
    }
}

impl From<FileError> for InputFault {
    fn from(error: FileError) -> Self {
        match error {
            FileError::Absent => Self::Absent,
            FileError::Changed | FileError::NotRegular | FileError::Short => Self::Changed,
            FileError::Denied => Self::Denied,
            FileError::Io(words) => Self::Io(words),
            FileError::Link => Self::Link,
        }
    }
}
