//! Walks directories and digests what is in them.
//!
//! Every step is relative to the descriptor of the directory that it was listed in, so paths may
//! be of any length, and nothing that is renamed meanwhile leads elsewhere. Links are never
//! followed, and only regular files are opened. One thread lists; the others digest.

use std::ffi::CString;
use std::fs::File;
use std::io;
use std::num::NonZero;
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::fs::MetadataExt as _;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, RawMode};
use rustix::io::Errno;

use super::Digest;
use super::file::{FileError, RegularFile, Stamp};
use super::tree::TreeError;

/// Most threads that digest; each has one buffer.
const THREADS_MOST: usize = 8;
/// Most files of one directory that are handed over together.
const BATCH: usize = 32;
/// Most directories above the current one that are kept open; those above are opened again
/// through `..` on the way back.
const OPEN_LEVELS: usize = 32;

/// Flags to open a directory with, for reading and not through a link.
pub(super) const DIRECTORY: OFlags = OFlags::RDONLY
    .union(OFlags::DIRECTORY)
    .union(OFlags::NOFOLLOW)
    .union(OFlags::CLOEXEC);

/// What was found, and where: the raw bytes of a path with `/` between its parts.
pub(super) struct Entry {
    pub(super) path: Vec<u8>,
    pub(super) kind: EntryKind,
}

/// What an entry is, with what counts of it.
pub(super) enum EntryKind {
    Directory,
    /// Digest of the contents.
    File(Digest),
    /// Digest of the link's target.
    Link(Digest),
    /// The file-type bits of its mode; see inode(7).
    Special(RawMode),
}

/// Which entries are wanted.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Keep {
    All,
    Files,
}

/// Finds everything below the directories; the path of each starts every path below it.
///
/// The order is that of the file system.
pub(super) fn walk(roots: Vec<(Vec<u8>, OwnedFd)>, keep: Keep) -> Result<Vec<Entry>, TreeError> {
    let threads = thread::available_parallelism()
        .map_or(1, NonZero::get)
        .min(THREADS_MOST);
    let failed = AtomicBool::new(false);
    let (batches, queue) = mpsc::sync_channel(2 * threads);
    let queue = Arc::new(Mutex::new(queue));
    thread::scope(|scope| {
        let mut workers = Vec::new();
        for _ in 0..threads {
            let queue = Arc::clone(&queue);
            let worker = || digest_batches(queue, &failed);
            workers.push(thread::Builder::new().spawn_scoped(scope, worker)?);
        }
        // The workers alone hold the queue: should all of them end, sending fails.
        drop(queue);
        let mut walker = Walker {
            keep,
            failed: &failed,
            batches,
            found: Vec::new(),
            path: Vec::new(),
            levels: Vec::new(),
        };
        let walked = roots
            .into_iter()
            .try_for_each(|(path, directory)| walker.descend(path, directory));
        if walked.is_err() {
            failed.store(true, Ordering::Relaxed);
        }
        // Without its sender the queue ends, and the workers with it.
        let mut found = walker.finish();
        let mut outcome = walked;
        for worker in workers {
            match worker.join() {
                Ok(Ok(digests)) => {
                    for (index, digest) in digests {
                        found[index].kind = EntryKind::File(digest);
                    }
                }
                // That the walker was told to stop is not the cause.
                Ok(Err(error)) => outcome = Err(error),
                Err(_) => outcome = Err(TreeError::Io("a reading thread ended early")),
            }
        }
        outcome.map(|()| found)
    })
}

/// Regular files of one directory, each with its place in the list of what was found.
struct Batch {
    directory: Arc<File>,
    files: Vec<(usize, CString)>,
}

/// Digests what the queue holds until it ends or an error is met.
fn digest_batches(
    queue: Arc<Mutex<Receiver<Batch>>>,
    failed: &AtomicBool,
) -> Result<Vec<(usize, Digest)>, TreeError> {
    let mut buffer = Vec::new();
    let mut digests = Vec::new();
    loop {
        let next = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(batch) = next else {
            return Ok(digests);
        };
        for (index, name) in batch.files {
            if failed.load(Ordering::Relaxed) {
                return Ok(digests);
            }
            let digest = RegularFile::open_at(&*batch.directory, name)
                .and_then(|file| file.digest_with(&mut buffer));
            match digest {
                Ok(digest) => digests.push((index, digest)),
                Err(error) => {
                    failed.store(true, Ordering::Relaxed);
                    return Err(error.into());
                }
            }
        }
    }
}

struct Walker<'w> {
    keep: Keep,
    failed: &'w AtomicBool,
    batches: SyncSender<Batch>,
    found: Vec<Entry>,
    /// Path of the current directory.
    path: Vec<u8>,
    /// The current directory and those above it.
    levels: Vec<Level>,
}

/// A directory whose subdirectories are being visited.
struct Level {
    /// `None` when it was closed to keep few descriptors open.
    directory: Option<Arc<File>>,
    identity: (u64, u64),
    stamp: Stamp,
    /// Length of the path of the directory above.
    above: usize,
    /// Subdirectories that are still to be visited.
    subdirectories: Vec<CString>,
}

impl Walker<'_> {
    /// Lists a directory and all below it.
    fn descend(&mut self, path: Vec<u8>, directory: OwnedFd) -> Result<(), TreeError> {
        self.path = path;
        self.enter(0, directory)?;
        while let Some(level) = self.levels.last_mut() {
            match (level.subdirectories.pop(), &level.directory) {
                (Some(name), Some(directory)) => {
                    let below = rustix::fs::openat(directory, &name, DIRECTORY, Mode::empty())?;
                    let above = self.path.len();
                    self.extend_path(name.as_bytes());
                    self.enter(above, below)?;
                }
                (None, _) => self.leave()?,
                (Some(_), None) => return Err(TreeError::Io("a directory was closed early")),
            }
        }
        Ok(())
    }

    fn enter(&mut self, above: usize, directory: OwnedFd) -> Result<(), TreeError> {
        let directory = Arc::new(File::from(directory));
        let metadata = directory.metadata()?;
        let subdirectories = self.list(&directory)?;
        if let Some(level) = self.levels.len().checked_sub(OPEN_LEVELS) {
            self.levels[level].directory = None;
        }
        self.levels.push(Level {
            directory: Some(directory),
            identity: (metadata.dev(), metadata.ino()),
            stamp: Stamp::of(&metadata),
            above,
            subdirectories,
        });
        Ok(())
    }

    fn leave(&mut self) -> Result<(), TreeError> {
        let Some(left) = self.levels.pop() else {
            return Ok(());
        };
        self.path.truncate(left.above);
        let Some(directory) = left.directory else {
            return Ok(());
        };
        if Stamp::of(&directory.metadata()?) != left.stamp {
            return Err(TreeError::Changed);
        }
        if let Some(level) = self.levels.last_mut()
            && level.directory.is_none()
        {
            let above: File =
                rustix::fs::openat(&*directory, "..", DIRECTORY, Mode::empty())?.into();
            let metadata = above.metadata()?;
            // Otherwise the directory just left was moved while it was read.
            if (metadata.dev(), metadata.ino()) != level.identity {
                return Err(TreeError::Changed);
            }
            level.directory = Some(Arc::new(above));
        }
        Ok(())
    }

    /// Notes the entries of a directory and returns its subdirectories.
    fn list(&mut self, directory: &Arc<File>) -> Result<Vec<CString>, TreeError> {
        // A copy of the descriptor: the listing closes its own.
        let mut listing = Dir::new(rustix::io::fcntl_dupfd_cloexec(directory.as_fd(), 0)?)?;
        let mut subdirectories = Vec::new();
        let mut files = Vec::new();
        while let Some(entry) = listing.read() {
            let entry = entry?;
            let name = entry.file_name();
            if matches!(name.to_bytes(), b"." | b"..") {
                continue;
            }
            let kind = match entry.file_type() {
                FileType::Unknown => {
                    let flags = AtFlags::SYMLINK_NOFOLLOW;
                    let status = rustix::fs::statat(directory, name, flags)?;
                    FileType::from_raw_mode(status.st_mode)
                }
                known => known,
            };
            let kind = match kind {
                FileType::RegularFile => {
                    files.push((self.found.len(), name.to_owned()));
                    // Until the contents have been digested.
                    EntryKind::File(Digest::of(""))
                }
                FileType::Directory => {
                    subdirectories.push(name.to_owned());
                    EntryKind::Directory
                }
                _ if self.keep == Keep::Files => continue,
                FileType::Symlink => {
                    let target = rustix::fs::readlinkat(directory, name, Vec::new())?;
                    EntryKind::Link(Digest::of(target.as_bytes()))
                }
                special => EntryKind::Special(special.as_raw_mode()),
            };
            if self.keep == Keep::All || matches!(kind, EntryKind::File(_)) {
                let path = self.path_of(name.to_bytes());
                self.found.push(Entry { path, kind });
            }
            if files.len() == BATCH {
                self.hand_over(directory, std::mem::take(&mut files))?;
            }
        }
        if !files.is_empty() {
            self.hand_over(directory, files)?;
        }
        Ok(subdirectories)
    }

    fn hand_over(
        &self,
        directory: &Arc<File>,
        files: Vec<(usize, CString)>,
    ) -> Result<(), TreeError> {
        let batch = Batch {
            directory: Arc::clone(directory),
            files,
        };
        // The worker that failed has the error to tell.
        if self.failed.load(Ordering::Relaxed) || self.batches.send(batch).is_err() {
            return Err(TreeError::Changed);
        }
        Ok(())
    }

    fn path_of(&self, name: &[u8]) -> Vec<u8> {
        let mut path = Vec::with_capacity(self.path.len() + 1 + name.len());
        path.extend_from_slice(&self.path);
        if !path.is_empty() {
            path.push(b'/');
        }
        path.extend_from_slice(name);
        path
    }

    fn extend_path(&mut self, name: &[u8]) {
        if !self.path.is_empty() {
            self.path.push(b'/');
        }
        self.path.extend_from_slice(name);
    }

    fn finish(self) -> Vec<Entry> {
        self.found
    }
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
            errno => Self::Io(crate::refusal::describe(&errno.into())),
        }
    }
}

impl From<io::Error> for TreeError {
    fn from(error: io::Error) -> Self {
        match Errno::from_io_error(&error) {
            Some(errno) => errno.into(),
            None => Self::Io(crate::refusal::describe(&error)),
        }
    }
}
