//! SIGKILL of the harness: the supervisor sees its connection closed and cleans up alone.

use std::time::Duration;

use nix::sys::signal::Signal;

use super::scene::{LONG, SHORT, Scene};

#[test]
fn during_the_run() {
    let mut scene = Scene::new();
    let steps = "connect leader \
        start [ session connect tool wait ] \
        orphan [ session hold connect daemon asked wait ] wait";
    let harness = scene.harness_running(SHORT, steps);
    let mut tool = scene.witness.expect("tool");
    let mut daemon = scene.witness.expect("daemon");
    let mut leader = scene.witness.expect("leader");
    assert!(scene.private().exists());
    harness.signal(Signal::SIGKILL);
    tool.gone();
    daemon.gone();
    leader.gone();
    assert!(!harness.status().success());
    scene.nothing_left();
}

#[test]
fn while_the_command_is_settled() {
    let mut scene = Scene::new();
    let steps = "connect leader start [ session hold connect child asked wait ] go exit 0";
    let harness = scene.harness_running(SHORT, steps);
    let mut child = scene.witness.expect("child");
    scene.witness.expect("leader").go();
    child.says("asked");
    harness.signal(Signal::SIGKILL);
    child.gone();
    assert!(!harness.status().success());
    scene.nothing_left();
}

#[test]
fn while_a_signal_is_handled() {
    let mut scene = Scene::new();
    let harness = scene.harness_running(SHORT, "hold connect leader asked wait");
    let mut leader = scene.witness.expect("leader");
    harness.signal(Signal::SIGTERM);
    leader.says("asked");
    harness.signal(Signal::SIGKILL);
    leader.gone();
    assert!(!harness.status().success());
    scene.nothing_left();
}

#[test]
fn the_whole_group_at_once_and_with_it_whatever_has_not_left_it() {
    let mut scene = Scene::new();
    let harness = scene.harness_running(LONG, "connect leader start [ connect child wait ] wait");
    let mut child = scene.witness.expect("child");
    let mut leader = scene.witness.expect("leader");
    harness.signal_group(Signal::SIGKILL);
    child.gone();
    leader.gone();
    assert!(!harness.status().success());
    scene.nothing_left();
}

#[test]
fn a_harness_that_is_stopped_does_not_prolong_the_run() {
    let mut scene = Scene::new();
    let steps = "connect leader start [ session connect tool wait ] wait";
    let mut harness = scene.harness_bounded(SHORT, Duration::from_secs(2), steps);
    let mut leader = scene.witness.expect("leader");
    harness.signal(Signal::SIGSTOP);
    leader.gone();
    harness.signal(Signal::SIGCONT);
    harness.connection.says("ended");
    harness.connection.dismiss();
    assert!(harness.status().success());
    scene.nothing_left();
}

#[test]
fn at_any_moment_from_the_first_to_well_into_the_run() {
    for delay in 0..40 {
        let mut scene = Scene::new();
        let harness = scene.harness_running(LONG, "connect leader wait");
        std::thread::sleep(Duration::from_micros(100 * delay));
        harness.signal(Signal::SIGKILL);
        assert!(!harness.status().success());
        scene.nothing_left();
    }
}
