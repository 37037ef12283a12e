//! Ctrl-C during the run.

use std::thread;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use script::Printed;
use serial_test::serial;

use super::invocation::{Invocation, exit, junit_path};
use crate::trial::{PATIENT, Trial};

#[test]
#[serial(nextest)]
fn ctrl_c_ends_the_cli_and_publishes_nothing() {
    let trial = Trial::new();
    let script = trial.standin.script_claude(|script| {
        script.instead_of_run = Some(Printed {
            hang: true,
            ..Printed::default()
        });
    });
    script.expect("the script is written");
    let filter = ["-E", "test(=run::single_request)"];
    let child = Invocation::new("smoke-live")
        .against(&trial)
        .args(&filter)
        .spawned();
    let started = Instant::now();
    while trial.standin.claude_runs() == 0 {
        assert!(started.elapsed() < 6 * PATIENT, "the CLI is started");
        thread::sleep(Duration::from_millis(10));
    }
    let pid = i32::try_from(child.id()).expect("a process id");
    kill(Pid::from_raw(pid), Signal::SIGINT).expect("nextest can be interrupted");
    let output = child.wait_with_output().expect("it ends");
    let printed = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    assert_eq!(
        output.status.code(),
        Some(exit::TEST_RUN_FAILED),
        "{printed}"
    );
    trial.assert_nothing_left();
    let junit = std::fs::read_to_string(junit_path("smoke-live")).expect("a JUnit file");
    for text in [&printed, &junit] {
        assert!(
            trial.private_values().hits(text.as_bytes()).is_empty(),
            "printed"
        );
    }
}
