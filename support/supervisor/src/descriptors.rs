//! Descriptors: the command gets its three and no other.

use std::fs::{self, OpenOptions};
use std::io;
use std::os::fd::RawFd;

use nix::unistd;

/// Closes every descriptor but the standard three.
///
/// Whoever started the harness may have left some open across `exec`: neither the command nor the
/// supervisor, which may outlive the harness by seconds, should hold them.
///
/// Must be called before anything is opened.
pub(crate) fn close_inherited() -> io::Result<()> {
    let list = if cfg!(target_os = "linux") {
        "/proc/self/fd"
    } else {
        "/dev/fd"
    };
    let mut inherited = Vec::new();
    for entry in fs::read_dir(list)? {
        let name = entry?.file_name();
        let number = name.to_str().and_then(|name| name.parse::<RawFd>().ok());
        inherited.extend(number.filter(|number| *number > 2));
    }
    for number in inherited {
        // The list's own descriptor is among them and closed by now.
        let _ = unistd::close(number);
    }
    Ok(())
}

/// Lets go of the standard output and error that the command writes to.
///
/// Their readers see the end when the command's processes are gone, not later.
pub(crate) fn release_output() -> io::Result<()> {
    let null = OpenOptions::new().write(true).open("/dev/null")?;
    unistd::dup2_stdout(&null)?;
    unistd::dup2_stderr(&null)?;
    Ok(())
}
