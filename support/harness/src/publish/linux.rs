//! Publication as Linux can do it.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Write as _};
use std::os::fd::AsRawFd as _;
use std::thread;

use nix::sys::signal::{SigSet, Signal};
use rustix::fs::{AtFlags, CWD, Mode, OFlags, RenameFlags};
use rustix::io::Errno;

/// A file without a name, on the file system of the directory.
pub(super) fn unnamed(directory: &File) -> Result<File, Errno> {
    let flags = OFlags::TMPFILE | OFlags::WRONLY | OFlags::CLOEXEC;
    let file = rustix::fs::openat(directory, ".", flags, Mode::RUSR | Mode::WUSR)?;
    Ok(file.into())
}

/// Gives a file without a name one that must be free.
pub(super) fn link_unnamed(file: &File, directory: &File, name: &OsStr) -> Result<(), Errno> {
    // The other form, with AT_EMPTY_PATH, needs a capability; see open(2).
    let link = format!("/proc/self/fd/{}", file.as_raw_fd());
    rustix::fs::linkat(CWD, link, directory, name, AtFlags::SYMLINK_FOLLOW)
}

/// Renames within the directory, to a name that must be free.
pub(super) fn rename(directory: &File, from: &OsStr, to: &OsStr) -> Result<(), Errno> {
    rustix::fs::renameat_with(directory, from, directory, to, RenameFlags::NOREPLACE)
}

/// Writes all bytes; a limit on the size of files is an error and ends nothing.
///
/// A write over the limit (`RLIMIT_FSIZE`) sends SIGXFSZ to the thread that wrote, and its
/// default is to end the process. So a thread that blocks it does the writing: the write fails
/// with `EFBIG`, and the pending signal ends with the thread. What the process, or its other
/// threads, do with the signal stays as it is. See setrlimit(2) and pthreads(7).
pub(super) fn write(mut file: &File, bytes: &[u8]) -> io::Result<()> {
    thread::scope(|scope| {
        let writer = thread::Builder::new().spawn_scoped(scope, || {
            SigSet::from(Signal::SIGXFSZ).thread_block()?;
            file.write_all(bytes)
        })?;
        writer
            .join()
            .unwrap_or_else(|_| Err(io::Error::other("the writing thread ended early")))
    })
}
