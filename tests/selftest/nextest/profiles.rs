//! What each profile does with what the user has set.

use std::fs;
use std::sync::Arc;

use harness::inputs::variable::Variable;
use script::Printed;
use serde_json::Value;
use serial_test::serial;
use standin::observations::lines;

use super::invocation::{Ended, Invocation, exit};
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
    let proven = told(&ended);

    // What it left is judged in the same words.
    let manifest = trial.path("out/manifest.json");
    let ended = Invocation::new("validate")
        .against(&trial)
        .variable("IOP_SMOKE_MANIFEST", &manifest)
        .run();
    assert_eq!(ended.code, Some(exit::OK), "{}", ended.printed);
    assert!(ended.printed.contains("valid: "), "{}", ended.printed);
    let valid = told(&ended);
    let manifest: Value =
        serde_json::from_slice(&fs::read(manifest).expect("a manifest")).expect("a manifest");
    let short = |pointer: &str| {
        let value = manifest.pointer(pointer).and_then(Value::as_str);
        let value = value.expect("a text").trim_start_matches("sha256:");
        value[..12].to_owned()
    };
    let workspace = [
        short("/workspace/before_digest"),
        short("/workspace/after_digest"),
    ];
    let expected = [
        format!("source head  {}", short("/source/head")),
        format!("claude       {}", short("/runtime/claude_digest")),
        format!("edge         {}", short("/runtime/edge_digest")),
        format!("node         {}", short("/runtime/node_digest")),
        format!("config       {}", short("/runtime/config_digest")),
        "plan         120 ms on gemini".to_owned(),
        "work         340 ms on ornith-fast".to_owned(),
        "review       80 ms on gemini".to_owned(),
        "request      560 ms".to_owned(),
        "ingress      +1".to_owned(),
        format!("workspace    changed, {} to {}", workspace[0], workspace[1]),
    ];
    assert_eq!(valid[..expected.len()], expected);
    assert_eq!(proven[..expected.len()], expected);
}

/// The rows that a passing test printed, a name and what there is to say of it; libtest's own
/// words may follow.
fn told(ended: &Ended) -> Vec<String> {
    let printed = ended.printed.lines().map(str::trim_start);
    let rows = printed.skip_while(|line| !line.starts_with("source head"));
    rows.map(str::to_owned).collect()
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
                | Variable::Progress
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
    assert!(ended.printed.contains("sealed: "), "{}", ended.printed);
    let sealed: Value = serde_json::from_slice(&sealed).expect("evidence");
    let expected = [
        ("source head", &sealed["source"]["head"]),
        ("claude", &sealed["runtime"]["claude_digest"]),
        ("edge", &sealed["runtime"]["edge_digest"]),
        ("node", &sealed["runtime"]["node_digest"]),
        ("config", &sealed["runtime"]["config_digest"]),
    ]
    .map(|(name, value)| {
        let value = value
            .as_str()
            .expect("a text")
            .trim_start_matches("sha256:");
        format!("{name:<12} {}", &value[..12])
    });
    assert_eq!(told(&ended)[..expected.len()], expected);
}

#[test]
#[serial(nextest)]
fn evidence_that_no_longer_holds_is_told_field_by_field() {
    let trial = Trial::new();
    fs::write(trial.path("edge.yaml"), "stages: []\n").expect("the configuration");
    let ended = Invocation::new("evidence-diff").against(&trial).run();
    ended.assert_failed_with("Error: evidence-drift differs: expected 23 fields that agree");
    for printed in ["  same         head ", "  differs      config_digest "] {
        assert!(ended.printed.contains(printed), "{}", ended.printed);
    }
    ended.assert_silent(&trial);
    trial.assert_nothing_left();
}
