//! The publication, stopped right before and right after the file gets its name.

use std::fs;
use std::sync::{Arc, Mutex, mpsc};

use harness::manifest::validate::validate;
use harness::schema::ManifestSchema;
use nix::libc;
use nix::sys::ptrace;
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;

use super::scene::{Ending, HANGUP_TWICE, Scene, Smoke, TERMINATE_THEN_INTERRUPT};
use crate::supervision::witness::BOUND;
use crate::trial::names;

#[test]
fn a_signal_before_the_file_has_its_name() {
    let (scene, smoke) = stopped(Side::Before);
    assert_eq!(names(&scene.trial.path("out")), Vec::<String>::new());
    signalled(&scene, smoke, TERMINATE_THEN_INTERRUPT);
}

#[test]
fn a_signal_after_the_file_has_its_name() {
    let (scene, smoke) = stopped(Side::After);
    assert_eq!(names(&scene.trial.path("out")), ["manifest.json"]);
    signalled(&scene, smoke, HANGUP_TWICE);
}

#[test]
fn killed_before_the_file_has_its_name() {
    let (scene, smoke) = stopped(Side::Before);
    scene.end(smoke, Ending::Killed);
}

#[test]
fn killed_after_the_file_has_its_name() {
    let (mut scene, smoke) = stopped(Side::After);
    scene.trial.foreign_output = true;
    scene.end(smoke, Ending::Killed);
    // Nobody is left to take it back, but it is whole.
    assert_eq!(names(&scene.trial.path("out")), ["manifest.json"]);
    let [manifest, schema] = ["out/manifest.json", "schema.json"]
        .map(|name| fs::read(scene.trial.path(name)).expect("the file"));
    let schema = ManifestSchema::parse(&schema).expect("the schema");
    validate(&manifest, &schema).expect("a whole manifest");
}

/// Where the publication is stopped.
#[derive(Clone, Copy)]
enum Side {
    Before,
    After,
}

/// A smoke whose working thread stands still on this side of the call that names the file.
fn stopped(side: Side) -> (Scene, Smoke) {
    let scene = Scene::new();
    let (reached, run) = mpsc::channel();
    let (go, gone_on) = mpsc::channel::<()>();
    let gone_on = Mutex::new(gone_on);
    scene.trial.standin.edge.behave(|behaviour| {
        behaviour.during = Some(Arc::new(move || {
            let _ = reached.send(());
            let _ = gone_on.lock().map(|gone_on| gone_on.recv_timeout(BOUND));
        }));
    });
    let smoke = scene.start();
    run.recv_timeout(BOUND).expect("the request arrives");
    let pid = smoke.pid();
    ptrace::seize(pid, ptrace::Options::PTRACE_O_TRACESYSGOOD).expect("children can be traced");
    ptrace::interrupt(pid).expect("it can be stopped");
    go.send(()).expect("the Edge waits");
    stopped_at_call(pid);
    let named = scene.trial.path("out/manifest.json");
    while !match side {
        Side::Before => is_naming(pid),
        Side::After => named.exists(),
    } {
        ptrace::syscall(pid, None).expect("it goes on");
        stopped_at_call(pid);
    }
    (scene, smoke)
}

/// Signals a smoke that stands still, lets it go on, and asserts that it takes the file back.
#[track_caller]
fn signalled(scene: &Scene, smoke: Smoke, ending: Ending) {
    smoke.signals(ending);
    ptrace::detach(smoke.pid(), None).expect("it goes on");
    ending.assert_status(smoke.status());
    scene.trial.assert_nothing_left_soon();
}

/// Waits until the thread stands still at the beginning or end of a system call.
#[track_caller]
fn stopped_at_call(pid: Pid) {
    loop {
        let gone_on = match waitpid(pid, Some(WaitPidFlag::__WALL)).expect("it is a child") {
            WaitStatus::PtraceSyscall(_) => return,
            WaitStatus::PtraceEvent(..) => ptrace::syscall(pid, None),
            WaitStatus::Stopped(_, signal) => ptrace::syscall(pid, signal),
            status => panic!("it did not come so far: {status:?}"),
        };
        gone_on.expect("it goes on");
    }
}

/// Whether the call is the one that gives a file its name.
fn is_naming(pid: Pid) -> bool {
    let call = fs::read_to_string(format!("/proc/{pid}/syscall")).expect("the call can be read");
    let number = call
        .split(' ')
        .next()
        .and_then(|number| number.parse().ok());
    number.is_some_and(|number: libc::c_long| {
        matches!(number, libc::SYS_linkat | libc::SYS_renameat2)
    })
}
