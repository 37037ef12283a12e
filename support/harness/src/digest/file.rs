//! Digests of files: opened once, without following a link, and read through that descriptor.

use std::fs::{File, Metadata};
use std::io::{self, Read as _};
use std::os::fd::AsFd;
use std::os::unix::fs::{FileExt as _, MetadataExt as _};
use std::path::Path;
use std::sync::mpsc;
use std::thread;

use rustix::fs::{CWD, Mode, OFlags};
use rustix::io::Errno;
use rustix::path::Arg;

use super::{Digest, Hasher};
use crate::refusal::{Circumstance, SafeError, by_number, describe};

/// Bytes that are read at once: large enough to make system calls rare, small enough to stay
/// in the processor's cache until they are hashed.
const CHUNK: usize = 256 << 10;

/// The same where another thread reads: handing over wakes a thread, which costs more than a
/// system call, on a virtual machine above all.
const OVERLAP_CHUNK: usize = 2 << 20;

/// Files from this size on, in bytes, are read by a thread of its own while they are hashed.
const OVERLAP: u64 = 4 << 20;

/// Digest of a file with what identifies it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileDigest {
    /// Digest of the bytes that were read.
    pub digest: Digest,
    /// Device that the file is on.
    pub device: u64,
    /// Inode number of the file.
    pub inode: u64,
    /// Size of the file when it was opened, in bytes.
    pub size: u64,
}

/// Digests the regular file at the path.
///
/// # Errors
///
/// [`FileError::Changed`] when size, modification or change time differ after reading.
pub fn digest(path: &Path) -> Result<FileDigest, FileError> {
    RegularFile::open(path)?.digest()
}

/// Digests the first bytes of the regular file at the path, which may grow meanwhile.
///
/// # Errors
///
/// [`FileError::Short`] when the file has fewer bytes.
pub fn digest_prefix(path: &Path, bytes: u64) -> Result<FileDigest, FileError> {
    RegularFile::open(path)?.digest_prefix(bytes)
}

/// An open regular file that was not reached through a link as the last part of its path.
#[derive(Debug)]
pub struct RegularFile {
    file: File,
    opened: Metadata,
}

impl RegularFile {
    /// Opens the path for reading.
    ///
    /// A FIFO or device is refused without waiting for it.
    pub fn open(path: &Path) -> Result<Self, FileError> {
        Self::open_at(CWD, path)
    }

    /// Opens a path that is relative to an open directory.
    pub fn open_at(directory: impl AsFd, path: impl Arg) -> Result<Self, FileError> {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file: File = rustix::fs::openat(directory, path, flags, Mode::empty())?.into();
        let opened = file.metadata()?;
        if opened.is_file() {
            Ok(Self { file, opened })
        } else {
            Err(FileError::NotRegular)
        }
    }

    /// Device that the file is on.
    pub fn device(&self) -> u64 {
        self.opened.dev()
    }

    /// Inode number of the file.
    pub fn inode(&self) -> u64 {
        self.opened.ino()
    }

    /// Size of the file when it was opened, in bytes.
    pub fn size(&self) -> u64 {
        self.opened.size()
    }

    /// Type and permission bits of the file when it was opened; see inode(7).
    pub fn mode(&self) -> u32 {
        self.opened.mode()
    }

    /// Whether anybody may execute the file.
    pub fn is_executable(&self) -> bool {
        self.mode() & 0o111 != 0
    }

    /// Reads the whole file, with its digest.
    ///
    /// # Errors
    ///
    /// [`FileError::Changed`] when size, modification or change time differ after reading.
    pub fn read(self) -> Result<(FileDigest, Vec<u8>), FileError> {
        let bytes = self.read_from(0, self.size() + 1)?;
        if bytes.len() as u64 != self.size() || !self.at_rest()? {
            return Err(FileError::Changed);
        }
        Ok((self.identify(Digest::of(&bytes)), bytes))
    }

    /// Reads at most so many bytes from the end of the file as it was when it was opened.
    pub fn tail(&self, bytes: u64) -> Result<Vec<u8>, FileError> {
        self.read_from(self.size().saturating_sub(bytes), bytes)
    }

    /// Reads at most so many bytes from an offset in bytes, up to the file's present end.
    pub fn read_from(&self, offset: u64, bytes: u64) -> Result<Vec<u8>, FileError> {
        let mut read = Vec::new();
        let mut chunk = vec![0; buffer_for(bytes)];
        while let left @ 1.. = bytes - read.len() as u64 {
            let most = usize::try_from(left).unwrap_or(CHUNK).min(CHUNK);
            let from = offset + read.len() as u64;
            match retry(|| self.file.read_at(&mut chunk[..most], from))? {
                0 => break,
                count => read.extend_from_slice(&chunk[..count]),
            }
        }
        Ok(read)
    }

    /// The descriptor, at the start of the file.
    pub fn into_file(self) -> File {
        self.file
    }

    /// Digests the whole file.
    ///
    /// # Errors
    ///
    /// [`FileError::Changed`] when size, modification or change time differ after reading.
    pub fn digest(self) -> Result<FileDigest, FileError> {
        // One byte more shows that it grew.
        let (digest, read) = hash(&self.file, self.size() + 1, self.size())?;
        if read != self.size() || !self.at_rest()? {
            return Err(FileError::Changed);
        }
        Ok(self.identify(digest))
    }

    /// Digests the first bytes of the file, which may grow meanwhile.
    ///
    /// # Errors
    ///
    /// [`FileError::Short`] when the file has fewer bytes.
    pub fn digest_prefix(self, bytes: u64) -> Result<FileDigest, FileError> {
        let (digest, read) = hash(&self.file, bytes, bytes)?;
        if read != bytes {
            return Err(FileError::Short);
        }
        Ok(self.identify(digest))
    }

    /// Digests the whole file with a buffer of the caller's, for many files in a row.
    pub(super) fn digest_with(self, buffer: &mut Vec<u8>) -> Result<Digest, FileError> {
        buffer.resize(CHUNK, 0);
        let mut hasher = Hasher::new();
        let mut read = 0;
        // A file that fits is read by one call; its end is known from its size, before and after.
        loop {
            let count = retry(|| (&self.file).read(buffer))?;
            hasher.update(&buffer[..count]);
            read += count as u64;
            if count == 0 || read >= self.size() {
                break;
            }
        }
        if read != self.size() || !self.at_rest()? {
            return Err(FileError::Changed);
        }
        Ok(hasher.finish())
    }

    /// Whether nothing has changed since the file was opened.
    fn at_rest(&self) -> io::Result<bool> {
        Ok(Stamp::of(&self.opened) == Stamp::of(&self.file.metadata()?))
    }

    fn identify(&self, digest: Digest) -> FileDigest {
        FileDigest {
            digest,
            device: self.device(),
            inode: self.inode(),
            size: self.size(),
        }
    }
}

/// What changes when the contents of a file or directory do.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Stamp {
    size: u64,
    modified: (i64, i64),
    changed: (i64, i64),
}

impl Stamp {
    pub(super) fn of(metadata: &Metadata) -> Self {
        Self {
            size: metadata.size(),
            modified: (metadata.mtime(), metadata.mtime_nsec()),
            changed: (metadata.ctime(), metadata.ctime_nsec()),
        }
    }
}

/// Why a file could not be digested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FileError {
    /// There is no such file.
    #[error("the file does not exist")]
    Absent,
    /// The file was written, replaced or touched while it was read.
    #[error("the file changed while it was read")]
    Changed,
    /// The file may not be read.
    #[error("the file may not be read")]
    Denied,
    /// Another error of the operating system, in fixed words.
    #[error("the file could not be read: {0}")]
    Io(&'static str),
    /// The path names a symbolic link.
    #[error("the path names a symbolic link")]
    Link,
    /// The path names a directory, FIFO, socket or device.
    #[error("the path names no regular file")]
    NotRegular,
    /// The file is shorter than the prefix asked for.
    #[error("the file is shorter than it was")]
    Short,
}

impl SafeError for FileError {}

impl FileError {
    /// What it is in a refusal.
    pub const fn circumstance(self) -> Circumstance {
        match self {
            Self::Absent => Circumstance::Absent,
            Self::Changed => Circumstance::Changed,
            Self::Denied => Circumstance::Unreadable,
            Self::Io(_) => Circumstance::Io,
            Self::Link => Circumstance::Link,
            Self::NotRegular => Circumstance::NotRegular,
            Self::Short => Circumstance::Short,
        }
    }
}

impl From<Errno> for FileError {
    fn from(errno: Errno) -> Self {
        match errno {
            Errno::NOENT => Self::Absent,
            Errno::ACCESS | Errno::PERM => Self::Denied,
            Errno::LOOP => Self::Link,
            // A socket, or a device without a driver; see open(2).
            Errno::NXIO | Errno::NODEV => Self::NotRegular,
            errno => Self::Io(describe(&errno.into())),
        }
    }
}

impl From<io::Error> for FileError {
    fn from(error: io::Error) -> Self {
        by_number(&error, Self::Io)
    }
}

/// Digest of the file up to its end or the limit, and how many bytes that was.
fn hash(file: &File, limit: u64, expected: u64) -> io::Result<(Digest, u64)> {
    advise(file);
    if expected < OVERLAP {
        let mut buffer = vec![0; buffer_for(limit)];
        let mut hasher = Hasher::new();
        let mut read = 0;
        while let count @ 1.. = fill(file, &mut buffer, limit - read)? {
            hasher.update(&buffer[..count]);
            read += count as u64;
        }
        return Ok((hasher.finish(), read));
    }
    thread::scope(|scope| {
        let (full, filled) = mpsc::sync_channel::<(Vec<u8>, usize)>(2);
        let (empty, emptied) = mpsc::sync_channel(3);
        for _ in 0..3 {
            // There is room for all of them, so nothing is lost.
            let _ = empty.send(vec![0; OVERLAP_CHUNK]);
        }
        let reader = thread::Builder::new().spawn_scoped(scope, move || {
            let mut read = 0;
            while let Ok(mut buffer) = emptied.recv() {
                let count = fill(file, &mut buffer, limit - read)?;
                read += count as u64;
                if count == 0 || full.send((buffer, count)).is_err() {
                    break;
                }
            }
            Ok(read)
        })?;
        let mut hasher = Hasher::new();
        for (buffer, count) in filled {
            hasher.update(&buffer[..count]);
            // The reader has come to the end when it takes no more.
            let _ = empty.send(buffer);
        }
        let read = reader
            .join()
            .unwrap_or_else(|_| Err(io::Error::other("the reading thread ended early")))?;
        Ok((hasher.finish(), read))
    })
}

/// Size of a buffer for so many bytes.
fn buffer_for(bytes: u64) -> usize {
    usize::try_from(bytes).unwrap_or(CHUNK).min(CHUNK)
}

/// Announces that the file is read from start to end.
#[cfg(target_os = "linux")]
fn advise(file: &File) {
    // Where the advice is refused, reading works all the same.
    let _ = rustix::fs::fadvise(file, 0, None, rustix::fs::Advice::Sequential);
}

/// Other systems find out by themselves.
#[cfg(not(target_os = "linux"))]
fn advise(_file: &File) {}

/// Reads once, at most so many bytes.
fn fill(mut file: &File, buffer: &mut [u8], limit: u64) -> io::Result<usize> {
    let most = usize::try_from(limit).unwrap_or(usize::MAX);
    let most = most.min(buffer.len());
    retry(|| file.read(&mut buffer[..most]))
}

fn retry(mut read: impl FnMut() -> io::Result<usize>) -> io::Result<usize> {
    loop {
        match read() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            outcome => return outcome,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_read_that_was_interrupted_is_made_again() {
        let mut outcomes = [
            Err(io::ErrorKind::Interrupted.into()),
            Err(io::ErrorKind::Interrupted.into()),
            Ok(3),
        ]
        .into_iter();
        assert_eq!(retry(|| outcomes.next().unwrap()).unwrap(), 3);
        let failed = retry(|| Err(io::ErrorKind::WouldBlock.into()));
        assert_eq!(failed.unwrap_err().kind(), io::ErrorKind::WouldBlock);
    }
}
