//! A git checkout with the sources that a deployment is bound to.

use std::path::Path;
use std::process::{Command, Stdio};
use std::{fs, io};

use harness::constants::WORKTREE_INPUTS;

/// Branch of the checkout.
pub const BRANCH: &str = "release/standin";

/// A commit of the tree without entries, which git knows without being told.
const COMMIT: &str = "tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\n\
    author stand-in <standin@invalid> 1767225600 +0000\n\
    committer stand-in <standin@invalid> 1767225600 +0000\n\n\
    stand-in sources\n";

/// The name that git gives it.
const COMMIT_ID: &str = "cf9fd86735410502d71fd897c9e1128a2987d22d";

/// Makes a checkout that holds every default worktree input, with one commit on [`BRANCH`].
///
/// The repository is laid out by hand, as gitrepository-layout(5) describes
/// it: every test has a checkout of its own, and git needs several processes
/// for what is one commit here. That commit is empty; nobody asks what is in it.
///
/// # Errors
/// A file could not be written.
pub fn make(root: &Path) -> io::Result<()> {
    sources(root)?;
    let git = root.join(".git");
    let reference = format!("refs/heads/{BRANCH}");
    let (folder, name) = COMMIT_ID.split_at(2);
    let folder = git.join("objects").join(folder);
    fs::create_dir_all(&folder)?;
    fs::write(folder.join(name), loose("commit", COMMIT))?;
    fs::write(git.join("HEAD"), format!("ref: {reference}\n"))?;
    let branch = git.join(reference);
    fs::create_dir_all(branch.parent().unwrap_or(&git))?;
    fs::write(branch, format!("{COMMIT_ID}\n"))
}

/// Makes a checkout with git itself: all sources are committed on [`BRANCH`].
///
/// # Errors
/// A file could not be written, or git failed.
pub fn commit(root: &Path, format: &str) -> io::Result<()> {
    sources(root)?;
    let format = format!("--object-format={format}");
    git(
        root,
        &["init", "--quiet", "--initial-branch", BRANCH, &format],
    )?;
    git(root, &["add", "--all"])?;
    git(
        root,
        &["commit", "--quiet", "--message", "stand-in sources"],
    )
}

/// A loose object's file: header and content in zlib's format (RFC 1950), in one block that is
/// not compressed (RFC 1951).
fn loose(kind: &str, content: &str) -> Vec<u8> {
    let text = format!("{kind} {}\0{content}", content.len());
    // The block's length is 16 bits; what is written here is a few lines.
    let length = u16::try_from(text.len()).unwrap_or(u16::MAX);
    let (mut a, mut b) = (1, 0);
    for byte in text.bytes() {
        a = (a + u32::from(byte)) % 65_521;
        b = (b + a) % 65_521;
    }
    let mut bytes = vec![0x78, 0x01, 0x01];
    bytes.extend(length.to_le_bytes());
    bytes.extend((!length).to_le_bytes());
    bytes.extend(text.bytes());
    bytes.extend((b << 16 | a).to_be_bytes());
    bytes
}

/// Writes a file under every default worktree input.
fn sources(root: &Path) -> io::Result<()> {
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
    Ok(())
}

/// Runs git in a checkout, with settings that depend on neither machine nor caller.
///
/// # Errors
/// Git could not be run or failed.
pub fn git(root: &Path, arguments: &[&str]) -> io::Result<()> {
    answer(root, arguments).map(drop)
}

/// The commit that a checkout's head names.
///
/// # Errors
/// The head's file could not be read, or git failed.
pub fn head(root: &Path) -> io::Result<String> {
    // Most often a file of one line says it.
    match fs::read_to_string(root.join(".git/refs/heads").join(BRANCH)) {
        Ok(commit) if on_branch(root)? => Ok(commit.trim().to_owned()),
        _ => answer(root, &["rev-parse", "HEAD"]),
    }
}

/// Whether the head of a checkout is [`BRANCH`].
fn on_branch(root: &Path) -> io::Result<bool> {
    let head = fs::read_to_string(root.join(".git/HEAD"))?;
    Ok(head.trim() == format!("ref: refs/heads/{BRANCH}"))
}

/// What git prints, without the final newline.
///
/// # Errors
/// Git could not be run or failed.
pub fn answer(root: &Path, arguments: &[&str]) -> io::Result<String> {
    let output = command(root, arguments).output()?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned());
    }
    Err(io::Error::other(
        String::from_utf8_lossy(&output.stderr).into_owned(),
    ))
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
