//! Folders that live for the milliseconds of a test.

use std::io;
use std::path::{Path, PathBuf};

use harness::environment::Environment;
use rustix::fs::{Access, StatVfsMountFlags, access, statvfs};
use tempfile::{Builder, TempDir};

/// What Linux keeps in memory for everybody; see shm_overview(7).
const MEMORY: &str = "/dev/shm";

/// Bytes that have to be free there: containers are often given 64 MiB.
const ROOM: u64 = 1 << 30;

/// A temporary folder: where `TMPDIR` says, or else in memory if programs may be started from
/// there, or else where the system has such folders.
///
/// A test makes a hundred files and removes them at once. Where that goes to a disk, it takes most
/// of the self-test's time.
///
/// # Errors
/// The folder could not be made.
pub fn folder() -> io::Result<TempDir> {
    made(&Builder::new())
}

/// The same, with a name that begins like this.
///
/// # Errors
/// As for [`folder`].
pub fn folder_named(prefix: &str) -> io::Result<TempDir> {
    made(Builder::new().prefix(prefix))
}

fn made(builder: &Builder<'_, '_>) -> io::Result<TempDir> {
    let chosen = Environment::of_process().get("TMPDIR").is_some();
    match memory().filter(|_| !chosen) {
        Some(memory) => builder.tempdir_in(memory),
        None => builder.tempdir(),
    }
}

fn memory() -> Option<PathBuf> {
    let memory = Path::new(MEMORY);
    let about = statvfs(memory).ok()?;
    let room = about.f_bavail.saturating_mul(about.f_frsize) >= ROOM;
    let bars = StatVfsMountFlags::NOEXEC | StatVfsMountFlags::RDONLY;
    let open = access(memory, Access::WRITE_OK | Access::EXEC_OK).is_ok();
    (room && open && !about.f_flag.intersects(bars)).then(|| memory.into())
}
