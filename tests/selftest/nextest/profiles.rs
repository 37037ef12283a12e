//! What each profile does with what the user has set.

use std::fs;
use std::sync::Arc;

use harness::inputs::variable::Variable;
use script::Printed;
use serial_test::serial;
use standin::observations::lines;

use super::invocation::{Invocation, exit};
use crate::trial::{Trial, names};

#[test]
#[serial(nextest)]
fn a_live_smoke_passes_and_publishes() {
    let trial = Trial::new();
    let ended = Invocation::new("smoke-live").against(&trial).run();
    assert_eq!(ended.code, Some(exit::OK), "{}", ended.printed);
    ended.assert_silent(&trial);
    assert_eq!(names(&trial.path("out")), ["manifest.json"]);
    assert_eq!(trial.standin.claude_runs(), 1);
    assert_eq!(trial.standin.edge.seen().messages, 1);
    assert!(ended.printed.contains("proved: "), "{}", ended.printed);
}

#[test]
#[serial(nextest)]
fn a_failing_check_ends_it_before_the_run() {
    let trial = Trial::new();
    fs::write(trial.path("edge.yaml"), "stages: []\n").expect("the configuration");
    let ended = Invocation::new("smoke-live").against(&trial).run();
    ended.assert_failed_with("Error: config-digest: expected sha256:");
    assert!(
        !ended.printed.contains("run::single_request"),
        "{}",
        ended.printed
    );
    ended.assert_silent(&trial);
    assert_eq!(trial.standin.claude_runs(), 0);
    trial.assert_nothing_left();
}

#[test]
#[serial(nextest)]
fn flags_that_go_on_after_a_failure_do_not_start_claude() {
    let trial = Trial::new();
    fs::write(trial.path("edge.yaml"), "stages: []\n").expect("the configuration");
    let filter = "test(=preflight::config_digest) | test(=run::single_request)";
    let flags = ["-j", "8", "--no-fail-fast", "-E", filter];
    let ended = Invocation::new("smoke-live")
        .against(&trial)
        .args(&flags)
        .run();
    ended.assert_failed_with("run::single_request");
    assert_eq!(trial.standin.claude_runs(), 0);
    trial.assert_nothing_left();
}

#[test]
#[serial(nextest)]
fn a_failing_run_says_why_and_publishes_nothing() {
    let trial = Trial::new();
    trial.standin.edge.behave(|behaviour| {
        behaviour.records = Some(Arc::new(|mut records| {
            records.swap(1, 2);
            lines(&records)
        }));
    });
    let ended = Invocation::new("smoke-live")
        .against(&trial)
        .args(&["-E", "test(=run::single_request)"])
        .run();
    ended.assert_failed_with("Error: observation-mismatch stage-order");
    ended.assert_silent(&trial);
    assert!(ended.junit.contains("observation-mismatch stage-order"));
    assert_eq!(trial.standin.claude_runs(), 1);
    trial.assert_nothing_left();
}

#[test]
#[serial(nextest)]
fn what_the_cli_prints_is_never_passed_on() {
    let trial = Trial::new();
    let marker = "\u{1b}[31mMARKER\u{0}\u{7}]]>&<\u{fffe}\r";
    let script = trial.standin.script_claude(|script| {
        script.instead_of_run = Some(Printed {
            stdout: format!("{marker}\n"),
            stderr: marker.into(),
            exit: 3,
            ..Printed::default()
        });
    });
    script.expect("the script is written");
    let filter = ["-E", "test(=run::single_request)"];
    let ended = Invocation::new("smoke-live")
        .against(&trial)
        .args(&filter)
        .run();
    ended.assert_failed_with("Error: claude-failed unknown unclassified");
    assert!(!ended.printed.contains("MARKER") && !ended.junit.contains("MARKER"));
    ended.assert_silent(&trial);
    trial.assert_nothing_left();
}

#[test]
#[serial(nextest)]
fn without_inputs_every_required_variable_is_named() {
    let ended = Invocation::new("smoke-live").run();
    ended.assert_failed_with("Error: inputs: ");
    for variable in Variable::ALL {
        let optional = matches!(
            variable,
            Variable::Output
                | Variable::Secret
                | Variable::Repo
                | Variable::WorktreeInputs
                | Variable::Schema
                | Variable::RunTimeout
                | Variable::PassEnv
                | Variable::Manifest
        );
        assert_eq!(
            ended.printed.contains(&format!("{} [", variable.name())),
            !optional,
            "{}",
            variable.name()
        );
    }
}

#[test]
#[serial(nextest)]
fn one_check_is_selected_by_its_name() {
    let trial = Trial::new();
    let filter = ["-E", "test(=preflight::claude_digest)"];
    let ended = Invocation::new("smoke-live")
        .against(&trial)
        .args(&filter)
        .run();
    assert_eq!(ended.code, Some(exit::OK), "{}", ended.printed);
    assert!(
        ended.printed.contains("1 test run: 1 passed"),
        "{}",
        ended.printed
    );
}

#[test]
#[serial(nextest)]
fn a_retry_is_refused() {
    let trial = Trial::new();
    fs::write(trial.path("edge.yaml"), "stages: []\n").expect("the configuration");
    let args = ["--retries", "1", "-E", "test(=run::single_request)"];
    let ended = Invocation::new("smoke-live")
        .against(&trial)
        .args(&args)
        .run();
    ended.assert_failed_with("Error: live-repeat");
    assert_eq!(trial.standin.claude_runs(), 0);
}

#[test]
#[serial(nextest)]
fn other_profiles_ignore_the_live_variables() {
    let trial = Trial::new();
    let filter = ["-E", "binary(smoke) & test(=run::single_request)"];
    let ended = Invocation::new("default")
        .against(&trial)
        .args(&filter)
        .run();
    assert_eq!(ended.code, Some(exit::OK), "{}", ended.printed);
    assert_eq!(trial.standin.claude_runs(), 0);
    assert_eq!(trial.standin.edge.seen(), standin::edge::Seen::default());
    trial.assert_nothing_left();
}

#[test]
#[serial(nextest)]
fn evidence_is_captured_as_the_deployment_is() {
    let trial = Trial::new();
    let sealed = fs::read(trial.path("evidence.json")).expect("evidence");
    fs::remove_file(trial.path("evidence.json")).expect("evidence");
    let ended = Invocation::new("evidence").against(&trial).run();
    assert_eq!(ended.code, Some(exit::OK), "{}", ended.printed);
    assert_eq!(
        fs::read(trial.path("evidence.json")).expect("evidence"),
        sealed
    );
}
