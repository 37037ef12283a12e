//! A git checkout with the sources that a deployment is bound to.

use std::path::Path;
use std::process::{Command, Stdio};
use std::{fs, io};

use harness::constants::WORKTREE_INPUTS;

/// Branch of the checkout.
pub const BRANCH: &str = "release/standin";

/// Makes a checkout with one commit that holds every default worktree input.
///
/// # Errors
/// A file could not be written, or git failed.
pub fn make(root: &Path) -> io::Result<()> {
    for input in WORKTREE_INPUTS {
        let path = root.join(input);
        // The one input that is a file has no folder of its own.
        if input == "Makefile" {
            fs::write(path, "all:\n\ttrue\n")?;
        } else {
            fs::create_dir_all(&path)?;
            fs::write(path.join("source.go"), format!("package {}\n", input.len()))?;
        }
    }
    git(root, &["init", "--quiet", "--initial-branch", BRANCH])?;
    git(root, &["add", "--all"])?;
    git(
        root,
        &["commit", "--quiet", "--message", "stand-in sources"],
    )
}

/// Runs git in a checkout, with settings that depend on neither machine nor caller.
///
/// # Errors
/// Git could not be run or failed.
pub fn git(root: &Path, arguments: &[&str]) -> io::Result<()> {
    let output = command(root, arguments)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .output()?;
    if output.status.success() {
        return Ok(());
    }
    Err(io::Error::other(
        String::from_utf8_lossy(&output.stderr).into_owned(),
    ))
}

/// The commit that a checkout's head names.
///
/// # Errors
/// Git could not be run or failed.
pub fn head(root: &Path) -> io::Result<String> {
    let output = command(root, &["rev-parse", "HEAD"]).output()?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

fn command(root: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new("git");
    command
        .current_dir(root)
        // What git does for its own sake afterwards may outlive it.
        .args(["-c", "maintenance.auto=false"])
        .args(arguments)
        .stdin(Stdio::null());
    // A hook's GIT_DIR or GIT_INDEX_FILE must not lead into another repository.
    for name in [
        "GIT_DIR",
        "GIT_INDEX_FILE",
        "GIT_WORK_TREE",
        "GIT_OBJECT_DIRECTORY",
    ] {
        command.env_remove(name);
    }
    command
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_AUTHOR_NAME", "stand-in")
        .env("GIT_AUTHOR_EMAIL", "standin@invalid")
        .env("GIT_AUTHOR_DATE", "2026-01-01T00:00:00Z")
        .env("GIT_COMMITTER_NAME", "stand-in")
        .env("GIT_COMMITTER_EMAIL", "standin@invalid")
        .env("GIT_COMMITTER_DATE", "2026-01-01T00:00:00Z");
    command
}
