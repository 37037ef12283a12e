//! The stand-in executables, put into a deployment's folder.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, io};

use script::invocation::file_that_names;

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

/// Puts files into a folder that start executables, in a process of which nothing else starts
/// anything meanwhile; copies of those that no file can name.
///
/// # Errors
/// Those of writing.
pub fn install_alone(executables: &[(&Path, &str)], folder: &Path) -> io::Result<()> {
    for (executable, name) in executables {
        let path = folder.join(name);
        if let Some(bytes) = file_that_names(executable) {
            let mut options = OpenOptions::new();
            let file = options.write(true).create_new(true).mode(0o755).open(path);
            file?.write_all(&bytes)?;
        } else {
            fs::copy(executable, path)?;
        }
    }
    Ok(())
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
