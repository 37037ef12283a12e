//! The stand-in executables, put into a deployment's folder.

use std::path::{Path, PathBuf};
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

/// Puts an executable at a path.
///
/// It is linked where possible: a copy that another thread's fork inherits
/// while it is being written cannot be executed (ETXTBSY in execve(2)).
///
/// # Errors
/// Those of linking and copying.
pub fn install(executable: &Path, path: &Path) -> io::Result<()> {
    fs::hard_link(executable, path).or_else(|_| fs::copy(executable, path).map(drop))
}
