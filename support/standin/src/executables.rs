//! The stand-in executables, put into a deployment's folder.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Paths of the built stand-ins.
#[derive(Clone, Debug)]
pub struct Executables {
    /// The stand-in for Claude Code.
    pub claude: PathBuf,
    /// The stand-in for the Edge.
    pub edge: PathBuf,
    /// The stand-in for the Node.
    pub node: PathBuf,
}

/// Puts a copy of an executable at a path.
///
/// A process of its own makes it: a descriptor that is open for writing here
/// could be inherited by another thread's child, and the copy could not be
/// executed as long as that lives (ETXTBSY in execve(2)). A hard link would
/// change the change time that other deployments watch.
///
/// # Errors
/// Those of copying.
pub fn install(executable: &Path, path: &Path) -> io::Result<()> {
    let status = Command::new("cp")
        .arg("--")
        .arg(executable)
        .arg(path)
        .status()?;
    if status.success() {
        Ok(())
    } else {
        Err(io::Error::other("the copy failed"))
    }
}
