//! The socket that a run tells its steps to: what it is told, and that it has no say.

use std::fs;
use std::os::unix::net::UnixDatagram;
use std::path::{Path, PathBuf};
use std::time::Duration;

use harness::environment::Environment;
use harness::progress::{Listener, Step};
use nix::sys::stat::Mode;
use standin::pace::each_stage_takes;
use standin::scratch;
use standin::script::Printed;
use tempfile::TempDir;

use crate::ending_early::scene::{INTERRUPT, Scene};
use crate::trial::Trial;

/// A listener that hears everything.
struct Ears {
    socket: UnixDatagram,
    path: PathBuf,
    _folder: TempDir,
}

impl Ears {
    /// Opens them, and has this deployment's run tell them.
    fn of(trial: &mut Trial) -> Self {
        let folder = scratch::folder().expect("a folder");
        let path = folder.path().join("socket");
        let socket = UnixDatagram::bind(&path).expect("a socket");
        socket.set_nonblocking(true).expect("it does not block");
        trial.standin.set("IOP_SMOKE_PROGRESS", &path);
        Self {
            socket,
            path,
            _folder: folder,
        }
    }

    /// Everything that was said, as it was said.
    fn heard(&self) -> Vec<String> {
        let mut bytes = [0; 4096];
        let next = || {
            self.socket
                .recv(&mut bytes)
                .ok()
                .map(|count| bytes[..count].to_vec())
        };
        let said = std::iter::from_fn(next);
        said.map(|bytes| String::from_utf8(bytes).expect("a word"))
            .collect()
    }
}

#[test]
fn a_run_tells_its_steps_in_order_and_nothing_else() {
    let mut trial = Trial::new();
    let ears = Ears::of(&mut trial);
    each_stage_takes(
        &trial.standin.edge,
        trial.path("edge.log"),
        Duration::from_millis(150),
    );
    trial.run().expect("the control passes");
    let steps: Vec<_> = Step::ALL.iter().map(|step| step.id()).collect();
    assert_eq!(ears.heard(), steps);
}

#[test]
fn a_run_that_never_begins_is_over() {
    let mut trial = Trial::new();
    let ears = Ears::of(&mut trial);
    fs::write(trial.path("edge.yaml"), "stages: []\n").expect("the configuration");
    trial.assert_refused(trial.run(), "config-digest", 0);
    assert_eq!(ears.heard(), ["checks", "end"]);
}

#[test]
fn a_run_that_passes_its_time_is_over() {
    let mut trial = Trial::new();
    let ears = Ears::of(&mut trial);
    trial.standin.set("IOP_SMOKE_RUN_TIMEOUT", "1");
    let script = trial.standin.script_claude(|script| {
        script.instead_of_run = Some(Printed {
            hang: true,
            ..Printed::default()
        });
    });
    script.expect("the script is written");
    trial.assert_refused(trial.run(), "claude-failed bounds deadline", 1);
    assert_eq!(ears.heard(), ["checks", "claude", "proof", "end"]);
}

#[test]
fn a_run_that_is_interrupted_ends_as_it_has_to() {
    let mut trial = Trial::new();
    let ears = Ears::of(&mut trial);
    let mut scene = Scene::of(trial);
    scene.claude("connect leader wait");
    let smoke = scene.start();
    let mut leader = scene.witness.expect("leader");
    scene.end(smoke, INTERRUPT);
    leader.gone();
    assert_eq!(ears.heard(), ["checks", "claude"]);
}

#[test]
fn a_socket_that_is_full_changes_nothing() {
    let mut trial = Trial::new();
    let ears = Ears::of(&mut trial);
    let sender = UnixDatagram::unbound().expect("a socket");
    sender.set_nonblocking(true).expect("it does not block");
    let mut sent = 0;
    while sender.send_to(b"noise", &ears.path).is_ok() {
        sent += 1;
    }
    trial.run().expect("the control passes");
    assert_eq!(ears.heard(), vec!["noise"; sent], "there was no room");
}

#[test]
fn whatever_else_it_names_is_left_alone() {
    let folder = scratch::folder().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    fs::write(path("file"), "as it was").expect("a file");
    fs::create_dir(path("folder")).expect("a folder");
    nix::unistd::mkfifo(&path("fifo"), Mode::S_IRWXU).expect("a fifo");
    std::os::unix::fs::symlink("file", path("link")).expect("a link");
    drop(UnixDatagram::bind(path("closed")).expect("a socket"));
    let _stream = std::os::unix::net::UnixListener::bind(path("stream")).expect("a socket");
    let long = "x".repeat(200);
    for name in [
        "absent", "closed", "fifo", "file", "folder", "link", "stream", &*long, "file/x",
    ] {
        tell(&path(name));
    }
    tell(Path::new("/dev/null"));
    assert_eq!(
        fs::read_to_string(path("file")).expect("a file"),
        "as it was"
    );
    assert!(!path("absent").exists());
}

/// Tells whatever is there of a step; a test that hangs here is ended by nextest.
fn tell(path: &Path) {
    let environment: Environment = [("IOP_SMOKE_PROGRESS", path)].into_iter().collect();
    Listener::of(&environment).tell(Step::Work);
}
