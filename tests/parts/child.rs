//! What must happen in a process of its own: under a umask, a limit, or other rights.
//!
//! An executable of its own does there what its standard input says.

use std::io::Write as _;
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use harness::executables;
use harness::publish::Way;

/// What the child is told to do.
pub(crate) enum Task<'p> {
    /// Publish so many bytes at the path, by one way or the first that works.
    Publish(Option<Way>, usize, &'p Path),
    /// Digest the file.
    File(&'p Path),
    /// Digest the tree.
    Tree(&'p Path),
}

impl Task<'_> {
    fn words(&self) -> String {
        match self {
            Self::Publish(way, size, path) => {
                let way = way.map_or(3, |way| way as usize);
                format!("publish {way} {size} {}", path.display())
            }
            Self::File(path) => format!("file 0 0 {}", path.display()),
            Self::Tree(path) => format!("tree 0 0 {}", path.display()),
        }
    }
}

/// Gives up all rights over other users' files, and those of root.
///
/// The owner of a file that has no rights by its mode has none then, even as root. Fails where
/// user namespaces are forbidden.
pub(crate) const WITHOUT_RIGHTS: &str =
    "if [ $(id -u) = 0 ]; then exec unshare --user \"$@\"; else exec \"$@\"; fi";

/// Has the task done by a child below the shell command, which is given it as `"$@"`.
///
/// Returns what came of it. Fails when the shell command itself fails: a case that cannot be
/// made here must not look as if it had passed.
#[track_caller]
pub(crate) fn run(shell: &str, task: &Task<'_>) -> String {
    let printed = print(shell, task);
    let (_, outcome) = printed.split_once("outcome: ").expect("print() saw it");
    outcome.lines().next().unwrap_or_default().to_owned()
}

/// Like [`run`], but returns all that was printed.
#[track_caller]
pub(crate) fn print(shell: &str, task: &Task<'_>) -> String {
    let output = start(shell, task)
        .wait_with_output()
        .expect("the child is waited for");
    assert_eq!(output.status.signal(), None, "the child was killed");
    let printed = String::from_utf8(output.stdout).expect("it prints text");
    assert!(
        printed.contains("outcome: "),
        "the case cannot be made: are user namespaces forbidden on this host?"
    );
    printed
}

/// Starts a child with the task.
pub(crate) fn start(shell: &str, task: &Task<'_>) -> Child {
    let executable = executables::find("standin-publisher").expect("it is built");
    let mut child = Command::new("sh")
        .args(["-c", shell, "sh"])
        .arg(executable)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the child starts");
    let mut stdin = child.stdin.take().expect("it has an input");
    // A shell command that fails does not read it.
    let _ = stdin.write_all(task.words().as_bytes());
    child
}

/// The bytes that a child publishes.
pub(crate) fn contents(size: usize) -> Vec<u8> {
    let mut bytes = b"No period is a power of two.\n".repeat(size / 29 + 1);
    bytes.truncate(size);
    bytes
}
