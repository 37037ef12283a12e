//! What a command is given, and what it is not.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use nix::fcntl::{FcntlArg, FdFlag, fcntl};

use super::scene::{Scene, run, run_while};
use super::witness::eventually;

/// Signals below the real-time ones, in the masks of `/proc/PID/status`.
const ORDINARY: u64 = (1 << 31) - 1;

const CANARY: &str = "canary-of-the-environment";

#[test]
fn a_command_has_three_descriptors() {
    let scene = Scene::new();
    let leaked = tempfile::tempfile().unwrap();
    fcntl(&leaked, FcntlArg::F_SETFD(FdFlag::empty())).unwrap();
    let ended = run(&scene.command("descriptors exit 0")).unwrap();
    drop(leaked);
    assert_eq!(String::from_utf8(ended.stdout).unwrap(), "0\n1\n2\n");
}

#[test]
fn a_command_has_exactly_the_environment_it_was_given() {
    let scene = Scene::new();
    let variables = [("ONE", "1"), ("TWO", "with space"), ("EMPTY", "")];
    let ended = run(&scene.command("environment exit 0").envs(variables)).unwrap();
    let printed = String::from_utf8(ended.stdout).unwrap();
    let lines: BTreeSet<&str> = printed.lines().collect();
    assert_eq!(lines, BTreeSet::from(["ONE=1", "TWO=with space", "EMPTY="]));
}

#[test]
fn a_command_leads_a_session_and_a_group_and_has_default_signals() {
    let mut scene = Scene::new();
    let command = scene.command("connect leader go file /proc/self/status exit 0");
    let mut leader = 0;
    let ended = run_while(&command, || {
        let mut connection = scene.witness.expect("leader");
        leader = connection.pid();
        let stat = stat(leader);
        assert_eq!(
            (stat[2].as_str(), stat[3].as_str()),
            (&*leader.to_string(), &*leader.to_string())
        );
        connection.go();
    });
    assert_ne!(leader, 0);
    assert_signals_are_default(&String::from_utf8(ended.stdout).unwrap());
}

#[test]
fn neither_command_line_holds_the_environment() {
    let mut scene = Scene::new();
    let command = scene
        .command("connect leader go exit 0")
        .env("CANARY", CANARY);
    run_while(&command, || {
        let mut leader = scene.witness.expect("leader");
        let environment = fs::read(format!("/proc/{}/environ", leader.pid())).unwrap();
        assert!(
            String::from_utf8_lossy(&environment).contains(CANARY),
            "the canary is not seen"
        );
        for pid in [leader.pid(), parent(leader.pid())] {
            let line = fs::read(format!("/proc/{pid}/cmdline")).unwrap();
            assert!(!String::from_utf8_lossy(&line).contains(CANARY));
        }
        leader.go();
    });
}

#[test]
fn a_supervisor_holds_no_pipe_and_runs_apart_from_the_harness() {
    let mut scene = Scene::new();
    let command = scene.command("connect leader go exit 0");
    run_while(&command, || {
        let mut leader = scene.witness.expect("leader");
        let supervisor = parent(leader.pid());
        eventually("the supervisor let go of the pipes", || {
            let targets = [1, 2].map(|fd| fs::read_link(format!("/proc/{supervisor}/fd/{fd}")));
            targets
                .iter()
                .all(|target| target.as_ref().unwrap() == Path::new("/dev/null"))
        });
        assert_eq!(
            stat(supervisor)[3],
            supervisor.to_string(),
            "no session of its own"
        );
        leader.go();
    });
}

#[test]
fn orphans_that_end_during_the_run_are_reaped() {
    let mut scene = Scene::new();
    let orphans = "orphan [ exit 0 ] ".repeat(8);
    let command = scene.command(&format!("{orphans} connect leader go exit 0"));
    let ended = run_while(&command, || {
        let mut leader = scene.witness.expect("leader");
        let supervisor = parent(leader.pid());
        let children = format!("/proc/{supervisor}/task/{supervisor}/children");
        eventually("only the leader is left", || {
            fs::read_to_string(&children).unwrap().trim() == leader.pid().to_string()
        });
        leader.go();
    });
    assert_eq!(ended.terminated, 0);
}

#[test]
fn a_harness_is_left_with_no_child() {
    let mut scene = Scene::new();
    let mut harness = scene.harness_running(super::scene::LONG, "start [ session wait ] exit 0");
    harness.connection.says("ended");
    harness.connection.go();
    harness.connection.says("ended");
    let pid = harness.connection.pid();
    let children = fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).unwrap();
    assert_eq!(children, "");
    harness.connection.dismiss();
    assert!(harness.status().success());
}

#[track_caller]
pub(super) fn assert_signals_are_default(status: &str) {
    for set in ["SigBlk:", "SigIgn:", "SigCgt:"] {
        let line = status.lines().find(|line| line.starts_with(set)).unwrap();
        // The stand-in's own runtime ignores SIGPIPE and catches faults.
        let own = match set {
            "SigIgn:" => 1 << (nix::sys::signal::Signal::SIGPIPE as i32 - 1),
            "SigCgt:" => u64::MAX,
            _ => 0,
        };
        let mask = line.rsplit(char::is_whitespace).next().unwrap();
        let mask = u64::from_str_radix(mask, 16).unwrap() & ORDINARY;
        assert_eq!(mask & !own, 0, "{line}");
    }
}

/// The process that started this one.
pub(super) fn parent(pid: i32) -> i32 {
    stat(pid)[1].parse().unwrap()
}

/// State, parent, group, session and more.
fn stat(pid: i32) -> Vec<String> {
    let text = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    let (_, fields) = text.rsplit_once(") ").unwrap();
    fields.split_ascii_whitespace().map(str::to_owned).collect()
}
