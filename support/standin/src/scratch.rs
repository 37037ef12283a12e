//! Folders that live for the milliseconds of a test.

use std::io;
use std::path::Path;

use harness::environment::Environment;
use tempfile::{Builder, TempDir};

/// A temporary folder: where `TMPDIR` says, or else in memory if programs may be started from
/// there, or else where the system has such folders.
///
/// A test makes dozens of files and removes them at once: on a disk the whole self-test takes twice
/// as long.
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
    if Environment::of_process().get("TMPDIR").is_none()
        && let Some(memory) = memory()
    {
        return builder.tempdir_in(memory);
    }
    builder.tempdir()
}

/// What Linux keeps in memory for everybody, if there is room and programs may be started from
/// there; see shm_overview(7) and statvfs(3).
#[cfg(target_os = "linux")]
fn memory() -> Option<&'static Path> {
    use rustix::fs::{Access, StatVfsMountFlags, access, statvfs};

    /// Bytes that have to be free: containers are often given 64 MiB.
    const ROOM: u64 = 1 << 30;

    let memory = Path::new("/dev/shm");
    let about = statvfs(memory).ok()?;
    let room = about.f_bavail.saturating_mul(about.f_frsize) >= ROOM;
    let bars = StatVfsMountFlags::NOEXEC | StatVfsMountFlags::RDONLY;
    let open = access(memory, Access::WRITE_OK | Access::EXEC_OK).is_ok();
    (room && open && !about.f_flag.intersects(bars)).then_some(memory)
}

/// Other systems have no such folder.
#[cfg(not(target_os = "linux"))]
fn memory() -> Option<&'static Path> {
    None
}
