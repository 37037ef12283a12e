//! SIGHUP, SIGINT and SIGTERM: all is cleaned up, and the status is the first signal's.

use std::error::Error;
use std::fs::{self, File};

use harness::interrupt::{FileIdentity, Interrupt};
use nix::sys::signal::Signal;
use rstest::rstest;

use super::descriptors::assert_signals_are_default;
use super::scene::{LONG, SHORT, Scene};

const RUN: &str = "connect leader \
    start [ session connect tool wait ] \
    orphan [ session hold connect daemon asked wait ] wait";

#[rstest]
#[case::hup(&[Signal::SIGHUP])]
#[case::int(&[Signal::SIGINT])]
#[case::term(&[Signal::SIGTERM])]
#[case::hup_twice(&[Signal::SIGHUP, Signal::SIGHUP])]
#[case::int_twice(&[Signal::SIGINT, Signal::SIGINT])]
#[case::term_twice(&[Signal::SIGTERM, Signal::SIGTERM])]
#[case::term_then_int(&[Signal::SIGTERM, Signal::SIGINT])]
#[case::int_then_hup_then_term(&[Signal::SIGINT, Signal::SIGHUP, Signal::SIGTERM])]
fn signals_during_the_run(#[case] signals: &[Signal]) {
    let mut scene = Scene::new();
    let harness = scene.harness_running(SHORT, RUN);
    let mut tool = scene.witness.expect("tool");
    let mut daemon = scene.witness.expect("daemon");
    let mut leader = scene.witness.expect("leader");
    assert!(scene.private().exists());

    harness.signal(signals[0]);
    // It sits out its grace: the others arrive in the middle of the clean-up.
    daemon.says("asked");
    for signal in &signals[1..] {
        harness.signal(*signal);
    }
    tool.gone();
    daemon.gone();
    leader.gone();
    assert_eq!(harness.status().code(), Some(128 + signals[0] as i32));
    scene.nothing_left();
}

#[test]
fn a_signal_while_a_command_is_settled() {
    let mut scene = Scene::new();
    let steps = "connect leader start [ hold connect child asked go exit 0 ] go exit 0";
    let harness = scene.harness_running(LONG, steps);
    let mut child = scene.witness.expect("child");
    scene.witness.expect("leader").go();
    child.says("asked");
    harness.signal(Signal::SIGINT);
    child.go();
    child.gone();
    assert_eq!(harness.status().code(), Some(128 + Signal::SIGINT as i32));
    scene.nothing_left();
}

#[rstest]
#[case::hup(Signal::SIGHUP)]
#[case::int(Signal::SIGINT)]
#[case::term(Signal::SIGTERM)]
fn a_signal_while_nothing_runs(#[case] signal: Signal) {
    let mut scene = Scene::new();
    let harness = scene.harness(&["idle".as_ref()]);
    harness.signal(signal);
    assert_eq!(harness.status().code(), Some(128 + signal as i32));
}

#[test]
fn a_signal_between_two_commands() {
    let mut scene = Scene::new();
    let mut harness = scene.harness_running(LONG, "exit 0");
    harness.connection.says("ended");
    harness.signal(Signal::SIGTERM);
    assert_eq!(harness.status().code(), Some(128 + Signal::SIGTERM as i32));
}

#[test]
fn a_signal_that_the_caller_ignores_is_handled() {
    let ignoring = r#"trap '' HUP INT TERM USR1; exec "$0" "$@""#;
    let mut scene = Scene::new().launched_by(&["/bin/sh", "-c", ignoring]);
    let harness = scene.harness_running(LONG, "connect leader wait");
    let mut leader = scene.witness.expect("leader");
    let status = fs::read_to_string(format!("/proc/{}/status", leader.pid())).unwrap();
    assert_signals_are_default(&status);
    harness.signal(Signal::SIGHUP);
    leader.gone();
    assert_eq!(harness.status().code(), Some(128 + Signal::SIGHUP as i32));
}

#[test]
fn a_signal_during_publication_takes_the_file_back() {
    let mut scene = Scene::new();
    let output = scene.path("output");
    let mut harness = scene.harness(&["publishing".as_ref(), &output]);
    harness.connection.says("publishing");
    harness.signal(Signal::SIGTERM);
    harness.connection.go();
    assert_eq!(harness.status().code(), Some(128 + Signal::SIGTERM as i32));
    assert!(!output.exists());
}

#[test]
fn a_signal_after_publication_takes_the_file_back_before_the_run_has_ended() {
    let mut scene = Scene::new();
    let output = scene.path("output");
    let mut harness = scene.harness(&["published".as_ref(), &output]);
    harness.connection.says("published");
    assert!(output.exists());
    harness.signal(Signal::SIGINT);
    assert_eq!(harness.status().code(), Some(128 + Signal::SIGINT as i32));
    assert!(!output.exists());
}

#[test]
fn a_file_that_took_the_published_ones_place_is_left_alone() {
    let mut scene = Scene::new();
    let output = scene.path("output");
    let mut harness = scene.harness(&["published".as_ref(), &output]);
    harness.connection.says("published");
    // Kept elsewhere, so that its number is not given to the other.
    fs::rename(&output, scene.path("moved")).unwrap();
    fs::write(&output, "other").unwrap();
    harness.signal(Signal::SIGINT);
    assert_eq!(harness.status().code(), Some(128 + Signal::SIGINT as i32));
    assert_eq!(fs::read_to_string(&output).unwrap(), "other");
}

#[test]
fn a_signal_after_the_run_has_ended_leaves_the_file() {
    let mut scene = Scene::new();
    let output = scene.path("output");
    let mut harness = scene.harness(&["kept".as_ref(), &output]);
    harness.connection.says("kept");
    harness.signal(Signal::SIGHUP);
    assert_eq!(harness.status().code(), Some(128 + Signal::SIGHUP as i32));
    assert!(output.exists());
}

#[test]
fn a_signal_at_any_moment_from_the_first_to_well_into_the_run() {
    for delay in 0..40 {
        let mut scene = Scene::new();
        let harness = scene.harness_running(LONG, "connect leader wait");
        std::thread::sleep(std::time::Duration::from_micros(100 * delay));
        harness.signal(Signal::SIGTERM);
        assert_eq!(harness.status().code(), Some(128 + Signal::SIGTERM as i32));
        scene.nothing_left();
    }
}

#[test]
fn a_published_file_is_taken_back_unless_it_is_kept() {
    let scene = Scene::new();
    let path = scene.path("output");
    let interrupt = Interrupt::install(LONG).unwrap();
    let publish = || {
        let file = File::create_new(&path)?;
        Ok::<_, Box<dyn Error>>(FileIdentity::from(&file.metadata()?))
    };
    drop(interrupt.publishing(&path, publish).unwrap());
    assert!(!path.exists());
    interrupt
        .publishing(&path, publish)
        .unwrap()
        .keep()
        .unwrap();
    assert!(path.exists());
    assert!(interrupt.publishing(&path, publish).is_err(), "it exists");
    assert!(path.exists());
}
