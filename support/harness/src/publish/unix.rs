//! Publication as systems other than Linux can do it.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Write as _};

use rustix::io::Errno;
use rustix::process::{Resource, getrlimit};

/// There are no files without a name here.
pub(super) fn unnamed(_directory: &File) -> Result<File, Errno> {
    Err(Errno::OPNOTSUPP)
}

/// There are no files without a name here.
pub(super) fn link_unnamed(_file: &File, _directory: &File, _name: &OsStr) -> Result<(), Errno> {
    Err(Errno::OPNOTSUPP)
}

/// Renames within the directory, to a name that must be free.
#[cfg(target_vendor = "apple")]
pub(super) fn rename(directory: &File, from: &OsStr, to: &OsStr) -> Result<(), Errno> {
    use rustix::fs::RenameFlags;

    rustix::fs::renameat_with(directory, from, directory, to, RenameFlags::NOREPLACE)
}

/// Every rename replaces here.
#[cfg(not(target_vendor = "apple"))]
pub(super) fn rename(_directory: &File, _from: &OsStr, _to: &OsStr) -> Result<(), Errno> {
    Err(Errno::OPNOTSUPP)
}

/// Writes all bytes to a new file; a limit on the size of files is an error and ends nothing.
///
/// A write over the limit (`RLIMIT_FSIZE`) sends SIGXFSZ to the process, whose default is to
/// end it. So nothing is written when the limit does not allow all of it. See setrlimit(2).
pub(super) fn write(mut file: &File, bytes: &[u8]) -> io::Result<()> {
    match getrlimit(Resource::Fsize).current {
        Some(limit) if limit < bytes.len() as u64 => Err(Errno::FBIG.into()),
        _ => file.write_all(bytes),
    }
}
