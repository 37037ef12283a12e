//! The stand-in executables, put into a deployment's folder.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, io};

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

/// The same as [`install`] in a process of which nothing else starts anything meanwhile.
///
/// # Errors
/// Those of copying.
pub fn install_alone(executables: &[(&Path, &str)], folder: &Path) -> io::Result<()> {
    executables
        .iter()
        .try_for_each(|(executable, name)| fs::copy(executable, folder.join(name)).map(drop))
}

/// Puts copies of executables into a folder, under other names.
///
/// A process of its own makes them: a descriptor that is open for writing here
/// could be inherited by another thread's child, and the copy could not be
/// executed as long as that lives (ETXTBSY in execve(2)). A hard link would
/// change the change time that other deployments watch.
///
/// # Errors
/// Those of copying.
pub fn install(executables: &[(&Path, &str)], folder: &Path) -> io::Result<()> {
    let sources = executables.iter().map(|(executable, _)| executable);
    let status = Command::new("cp")
        .arg("--")
        .args(sources)
        .arg(folder)
        .status()?;
    if !status.success() {
        return Err(io::Error::other("the copy failed"));
    }
    for (executable, name) in executables {
        let built = executable.file_name().unwrap_or_default();
        fs::rename(folder.join(built), folder.join(name))?;
    }
    Ok(())
}
