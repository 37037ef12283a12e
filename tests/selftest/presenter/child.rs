//! The presenter around a nextest: arguments, exit codes, signals, and whose results are shown.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use harness::progress::Step;
use nix::sys::signal::Signal;

use super::world::{World, arguments};
use crate::report::sample::{RUN, Sample};

/// A JUnit file as an earlier run left it.
const JUNIT: &str = "target/nextest/smoke-live/junit.xml";

const NO_RESULT: &str = "no result: nextest has written none for this run\n";

#[test]
fn arguments_are_passed_on_as_they_are() {
    let world = World::obedient();
    let running = world.piped(&[
        "smoke-live",
        "-E",
        "test(=a b) | test(/$c'/)",
        "--no-fail-fast",
    ]);
    running.order("exit 0");
    assert_eq!(running.ended().0, Some(0));
    let expected = ["-E", "test(=a b) | test(/$c'/)", "--no-fail-fast"];
    assert_eq!(
        arguments(&world)[..4],
        ["nextest", "run", "--profile", "smoke-live"]
    );
    assert_eq!(arguments(&world)[4..], expected);
}

#[test]
fn it_exits_as_nextest_does() {
    for (order, code) in [
        ("exit 0", 0),
        ("exit 100", 100),
        ("kill -KILL $$", 137),
        ("kill -TERM $$", 143),
    ] {
        let world = World::obedient();
        let running = world.piped(&["smoke-live"]);
        running.order(order);
        let (ended, seen) = running.ended();
        assert_eq!(
            (ended, &*seen),
            (Some(code), &*format!("\n{NO_RESULT}")),
            "{order}"
        );
    }
}

#[test]
fn the_socket_is_for_this_user_alone() {
    let world = World::obedient();
    let running = world.piped(&["smoke-live"]);
    let socket = running.socket();
    let folder = socket.parent().expect("a folder");
    let mode = fs::metadata(folder).expect("a folder").permissions().mode();
    assert_eq!(mode & 0o7777, 0o700);
    running.order("exit 0");
    running.ended();
}

#[test]
fn sigterm_to_it_alone_is_passed_on() {
    let world = World::obedient();
    let running = world.piped(&["smoke-live"]);
    running.socket();
    running.tell(Step::Work);
    running.shows("STAGE work");
    running.signal(Signal::SIGTERM);
    assert_eq!(running.ended().0, Some(143));
}

#[test]
fn sigterm_to_the_whole_job_comes_to_nextest_once() {
    let world = World::obedient();
    let running = world.piped(&["evidence"]);
    running.order("trap 'echo asked' TERM; echo ready; while :; do sleep 0.05; done");
    running.shows("ready\n");
    running.signal_all(Signal::SIGTERM);
    running.shows("asked\n");
    assert_eq!(running.seen().matches("asked").count(), 1);
    // One that stays for all that is asked again.
    running.shows("asked\nasked\n");
    running.signal_all(Signal::SIGKILL);
}

#[test]
fn what_a_terminal_sends_to_everybody_is_not_passed_on() {
    let world = World::obedient();
    let running = world.piped(&["smoke-live"]);
    running.socket();
    running.signal(Signal::SIGINT);
    running.signal(Signal::SIGHUP);
    running.order("exit 100");
    assert_eq!(running.ended().0, Some(100));
}

#[test]
fn results_of_an_earlier_run_are_not_taken_for_this_ones() {
    let world = World::obedient();
    let message = "Error: config-digest: expected sha256:aa; found sha256:bb";
    let earlier = Sample::failing("preflight::config_digest", message).text();
    fs::write(world.path(JUNIT), &earlier).expect("a file");
    let running = world.piped(&["smoke-live"]);
    running.order("exit 101");
    let (code, seen) = running.ended();
    assert_eq!((code, &*seen), (Some(101), &*format!("\n{NO_RESULT}")));

    fs::remove_file(world.path("told")).expect("a file");
    let running = world.piped(&["smoke-live"]);
    running.socket();
    let now = earlier.replace(RUN, "00000000-1111-2222-3333-444444444444");
    fs::write(world.path(JUNIT), now).expect("a file");
    running.order("exit 100");
    let (code, seen) = running.ended();
    assert_eq!(code, Some(100));
    assert!(seen.contains("\nrefused: config-digest\n"), "{seen}");
}

#[test]
fn a_profile_without_a_smoke_has_no_summary() {
    let world = World::obedient();
    let running = world.piped(&["evidence"]);
    running.order("exit 0");
    assert_eq!(running.ended(), (Some(0), String::new()));
}

#[test]
fn a_temporary_folder_that_is_too_deep_for_a_socket_is_no_matter() {
    let mut world = World::obedient();
    let deep = world.path("tmp-").join("x".repeat(120));
    fs::create_dir_all(&deep).expect("a folder");
    world.set("TMPDIR", &deep);
    let running = world.piped(&["smoke-live"]);
    assert!(running.socket().starts_with("/tmp"));
    running.tell(Step::Plan);
    running.shows("STAGE plan");
    let socket = running.socket();
    running.order("exit 0");
    running.ended();
    assert!(!socket.exists());
    assert_eq!(crate::trial::names(&deep), Vec::<String>::new());
}

#[test]
fn a_cargo_that_cannot_be_started_is_an_error() {
    let mut world = World::obedient();
    fs::remove_file(world.path("bin/cargo")).expect("a file");
    world.set("PATH", "/nowhere");
    let (code, _) = world.piped(&["smoke-live"]).ended();
    assert_eq!(code, Some(1));
}
