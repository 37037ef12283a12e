//! Each phase but the publication, each by every way of ending it.

use std::fs;
use std::io::Read as _;
use std::net::{TcpListener, TcpStream};
use std::os::fd::AsFd as _;
use std::sync::{Arc, Mutex};

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::inotify::AddWatchFlags;
use standin::observations::lines;

use super::scene::{Ending, Scene};
use crate::supervision::witness::BOUND;
use crate::watch::{Lease, Watch, enlarge};

/// Declares the four tests of each phase.
macro_rules! phases {
    ( $( $phase:ident )* ) => {
        $(
            mod $phase {
                use crate::ending_early::scene::{
                    Ending, HANGUP_TWICE, INTERRUPT, TERMINATE_THEN_INTERRUPT,
                };

                #[test]
                fn hangup_twice() {
                    super::$phase(HANGUP_TWICE);
                }

                #[test]
                fn interrupt() {
                    super::$phase(INTERRUPT);
                }

                #[test]
                fn terminate_then_interrupt() {
                    super::$phase(TERMINATE_THEN_INTERRUPT);
                }

                #[test]
                fn killed() {
                    super::$phase(Ending::Killed);
                }
            }
        )*
    };
}

phases! {
    reading_the_inputs
    hashing_an_executable
    asking_git
    a_version_command
    everything_asked_at_once
    a_probe_in_flight
    before_the_cli_starts
    between_fork_and_exec
    during_the_run
    settling_processes
    settling_the_log
}

#[track_caller]
fn reading_the_inputs(ending: Ending) {
    let scene = Scene::new();
    // It is not started, unless the signal takes very long to arrive.
    scene.claude("wait");
    let opened = Watch::new(&scene.trial.path("evidence.json"), AddWatchFlags::IN_OPEN);
    let smoke = scene.start();
    opened.happened();
    scene.end(smoke, ending);
}

#[track_caller]
fn hashing_an_executable(ending: Ending) {
    let scene = Scene::new();
    let claude = scene.trial.path("bin/claude");
    enlarge(&claude);
    let read = Watch::new(&claude, AddWatchFlags::IN_ACCESS);
    let smoke = scene.start();
    read.is_hashed();
    scene.end(smoke, ending);
    assert_eq!(scene.trial.standin.claude_runs(), 0);
}

#[track_caller]
fn asking_git(ending: Ending) {
    let mut scene = Scene::new();
    scene.program(
        "git",
        "connect git start [ session connect tool wait ] wait",
    );
    let smoke = scene.start();
    let mut tool = scene.witness.expect("tool");
    let mut git = scene.witness.expect("git");
    scene.end(smoke, ending);
    tool.gone();
    git.gone();
}

#[track_caller]
fn a_version_command(ending: Ending) {
    let mut scene = Scene::new();
    let steps = "connect leader start [ session connect tool wait ] wait";
    scene.question("edge", "version", steps);
    let smoke = scene.start();
    let mut tool = scene.witness.expect("tool");
    let mut leader = scene.witness.expect("leader");
    scene.end(smoke, ending);
    tool.gone();
    leader.gone();
    assert_eq!(scene.trial.standin.claude_runs(), 0);
}

#[track_caller]
fn everything_asked_at_once(ending: Ending) {
    let mut scene = Scene::new();
    scene.program("git", "connect git wait");
    let claude = [
        ("--version", "connect claude wait"),
        ("--help", "connect help wait"),
    ];
    scene.questions("claude", &claude);
    let edge = [
        ("version", "connect edge wait"),
        ("config check", "connect check wait"),
    ];
    scene.questions("edge", &edge);
    scene.question("node", "version", "connect node wait");
    let smoke = scene.start();
    // None of them waits for another to end.
    let asked = ["git", "claude", "help", "edge", "check", "node"];
    let mut asked = asked.map(|name| scene.witness.expect(name));
    scene.end(smoke, ending);
    for process in &mut asked {
        process.gone();
    }
    assert_eq!(scene.trial.standin.claude_runs(), 0);
}

#[track_caller]
fn a_probe_in_flight(ending: Ending) {
    let mut scene = Scene::new();
    let listener = TcpListener::bind("127.0.0.1:0").expect("a listener");
    let address = listener.local_addr().expect("its address");
    let url = format!("http://{address}/metrics");
    scene.trial.standin.set("IOP_SMOKE_METRICS_URL", url);
    let smoke = scene.start();
    let mut probe = accept(&listener);
    let mut request = [0; 12];
    probe.read_exact(&mut request).expect("a request");
    assert_eq!(&request, b"GET /metrics");
    scene.end(smoke, ending);
    assert_eq!(scene.trial.standin.claude_runs(), 0);
}

#[track_caller]
fn before_the_cli_starts(ending: Ending) {
    let scene = Scene::new();
    let large = scene.trial.path("workspace/large");
    fs::write(&large, "").expect("a file");
    enlarge(&large);
    let read = Watch::new(&large, AddWatchFlags::IN_ACCESS);
    let smoke = scene.start();
    read.happened();
    scene.end(smoke, ending);
    assert_eq!(scene.trial.standin.claude_runs(), 0);
}

#[track_caller]
fn between_fork_and_exec(ending: Ending) {
    let scene = Scene::new();
    let lease = Arc::new(Mutex::new(None));
    let (claude, taken) = (scene.trial.path("bin/claude"), Arc::clone(&lease));
    let (asked, told) = std::sync::mpsc::channel();
    // After the last look at the executable and before its run.
    scene.trial.standin.edge.behave(|behaviour| {
        behaviour.at_catalog = Some(Arc::new(move || {
            *taken.lock().expect("the lock") = Some(Lease::take(&claude));
            asked.send(()).expect("the test waits");
        }));
    });
    let smoke = scene.start();
    told.recv_timeout(BOUND).expect("the catalog is asked for");
    let lease = lease.lock().expect("the lock").take();
    let lease = lease.expect("it is taken").expect("leases are supported");
    lease.wanted();
    scene.end(smoke, ending);
    drop(lease);
    assert_eq!(scene.trial.standin.claude_runs(), 0);
}

#[track_caller]
fn during_the_run(ending: Ending) {
    let mut scene = Scene::new();
    scene.claude(
        "connect leader start [ session connect tool wait ] \
         orphan [ session connect daemon wait ] wait",
    );
    let smoke = scene.start();
    let mut tool = scene.witness.expect("tool");
    let mut daemon = scene.witness.expect("daemon");
    let mut leader = scene.witness.expect("leader");
    scene.end(smoke, ending);
    tool.gone();
    daemon.gone();
    leader.gone();
}

#[track_caller]
fn settling_processes(ending: Ending) {
    let mut scene = Scene::new();
    scene.claude("connect leader start [ session hold connect child asked wait ] go exit 0");
    let smoke = scene.start();
    let mut child = scene.witness.expect("child");
    scene.witness.expect("leader").go();
    child.says("asked");
    scene.end(smoke, ending);
    child.gone();
}

#[track_caller]
fn settling_the_log(ending: Ending) {
    let scene = Scene::new();
    scene.trial.standin.edge.behave(|behaviour| {
        behaviour.records = Some(Arc::new(|mut records| {
            records.pop();
            lines(&records)
        }));
    });
    let log = scene.trial.path("edge.log");
    let written = Watch::new(&log, AddWatchFlags::IN_CLOSE_WRITE);
    let smoke = scene.start();
    written.happened();
    // Nobody opens it from now on but who waits for the terminal record, which never comes.
    let opened = Watch::new(&log, AddWatchFlags::IN_OPEN);
    opened.happened();
    scene.end(smoke, ending);
    assert_eq!(scene.trial.standin.claude_runs(), 1);
}

#[track_caller]
fn accept(listener: &TcpListener) -> TcpStream {
    let timeout = PollTimeout::try_from(BOUND).expect("a bound");
    let mut fds = [PollFd::new(listener.as_fd(), PollFlags::POLLIN)];
    let ready = poll(&mut fds, timeout).expect("connections can be waited for");
    assert!(ready > 0, "nobody has connected");
    let (stream, _) = listener.accept().expect("a connection");
    stream.set_read_timeout(Some(BOUND)).expect("a bound");
    stream
}
