//! The preflight as a whole: what passes, in which order it refuses, and whom it asks.

use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;
use std::thread;
use std::time::Duration;

use harness::deployment::Limits;
use harness::reason::Reason;
use script::{Printed, Script};
use standin::edge::{Reply, Seen};
use standin::scratch;

use crate::ending_early::scene::Scene;
use crate::preflight::sealed::sealed;
use crate::trial::Trial;

#[test]
fn the_control_passes() {
    let trial = Trial::new();
    trial.preflight().expect("the control passes");
    assert_eq!(trial.standin.claude_runs(), 0);
    trial.assert_nothing_left();
    // The key was sent to the catalog once and nowhere else, and no Messages request was made.
    let expected = Seen {
        catalog: 1,
        ..Seen::default()
    };
    assert_eq!(trial.standin.edge.seen(), expected);
}

#[test]
fn each_check_passes_alone() {
    let trial = Trial::new();
    assert_eq!(Reason::preflight().len(), 56);
    assert_eq!(Reason::preflight().last(), Some(&Reason::CatalogIngress));
    for id in Reason::preflight() {
        trial.assert_passes(*id);
    }
    trial.assert_nothing_left();
}

#[test]
fn a_live_deployment_has_the_limits_of_the_contract() {
    let seconds = Duration::from_secs;
    let Limits {
        probe,
        command,
        grace,
        ..
    } = Limits::contract();
    assert_eq!(
        (probe, command, grace),
        (seconds(5), seconds(8), seconds(2))
    );
}

#[test]
fn a_hostile_environment_of_the_caller_changes_nothing() {
    let other = scratch::folder().expect("a folder");
    standin::checkout::commit(other.path(), "sha256").expect("git makes a repository");
    let own = std::env::current_exe().expect("this executable");
    let mut command = Command::new(own);
    command.args(["--exact", "preflight::control::the_control_passes"]);
    for name in ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"] {
        // Port 9 of this host discards: nothing comes back from there.
        command.env(name, "http://127.0.0.1:9");
        command.env(name.to_lowercase(), "http://127.0.0.1:9");
    }
    command
        .env("NO_PROXY", "")
        .env("GIT_DIR", other.path().join(".git"))
        .env("GIT_INDEX_FILE", other.path().join(".git/index"))
        .env("GIT_WORK_TREE", other.path())
        .env("ANTHROPIC_BASE_URL", "http://127.0.0.1:9")
        .env("CLAUDE_CONFIG_DIR", other.path());
    let output = command.output().expect("it can be started");
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{told}");
    assert!(told.contains("1 passed"), "{told}");
}

#[test]
fn proxies_that_are_not_handed_through_are_not_used() {
    let mut trial = Trial::new();
    for name in ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"] {
        trial.standin.set(name, "http://127.0.0.1:9");
    }
    trial.assert_passes(Reason::HealthListener);
    trial.standin.set("IOP_SMOKE_PASS_ENV", "ALL_PROXY");
    let verdict = trial.check(Reason::HealthListener);
    trial.assert_refused(verdict, "health-listener unreachable", 0);
}

#[test]
fn the_first_refusal_is_told_and_the_others_of_its_stage_are_named() {
    let trial = Trial::new();
    fs::rename(trial.path("edge.yaml"), trial.path("aside.yaml")).expect("it can be moved");
    symlink("aside.yaml", trial.path("edge.yaml")).expect("a link can be made");
    fs::create_dir(trial.path("workspace/.claude")).expect("it can be made");
    fs::write(trial.path("workspace/smoke-result.txt"), "").expect("it can be written");
    // Of a later stage, which is not reached.
    trial
        .standin
        .edge
        .behave(|edge| edge.health = Some(Reply::new(503, "")));

    let verdict = trial.preflight();
    let report = format!("{:?}", verdict.as_ref().expect_err("it is refused"));
    trial.assert_refused(verdict, "edge-config link", 0);
    let others: Vec<&str> = named(&report);
    assert_eq!(others, ["workspace-settings", "result-existing"]);
    assert_eq!(trial.standin.edge.seen(), Seen::default());
}

#[test]
fn what_differs_from_the_evidence_is_told_before_any_listener_is_asked() {
    let trial = Trial::new();
    sealed(&trial, |evidence| {
        let other = harness::digest::Digest::of("something else");
        evidence.source.branch_digest = other;
        evidence.runtime.edge_digest = other;
        evidence.runtime.node_version_digest = other;
    });
    trial.standin.edge.behave(|edge| edge.catalog_ingress = 1);
    let verdict = trial.preflight();
    let report = format!("{:?}", verdict.as_ref().expect_err("it is refused"));
    trial.assert_refused(verdict, "source-branch", 0);
    assert_eq!(named(&report), ["edge-digest", "node-version-digest"]);
    assert_eq!(trial.standin.edge.seen(), Seen::default());
}

#[test]
fn refusals_of_listeners_are_told_together() {
    let trial = Trial::new();
    trial.standin.edge.behave(|edge| {
        edge.options = Some(Reply::new(404, ""));
        edge.catalog_ingress = 1;
    });
    let verdict = trial.preflight();
    let report = format!("{:?}", verdict.as_ref().expect_err("it is refused"));
    trial.assert_refused(verdict, "messages-listener status", 0);
    assert_eq!(named(&report), ["catalog-ingress"]);
    assert_eq!(trial.standin.edge.seen().misplaced_key, 0);
}

#[test]
fn what_one_refusal_explains_is_told_once() {
    let mut trial = Trial::new();
    trial.standin.edge.stop().expect("it stops");
    let verdict = trial.preflight();
    let report = format!("{:?}", verdict.as_ref().expect_err("it is refused"));
    trial.assert_refused(verdict, "health-listener unreachable", 0);
    assert_eq!(
        report
            .lines()
            .filter(|line| line.starts_with("health-listener"))
            .count(),
        1
    );
}

#[test]
fn a_failing_command_is_told_by_its_own_check() {
    let trial = Trial::new();
    let mut script = Script::default();
    let fails = Printed {
        exit: 1,
        ..Printed::text("no\n")
    };
    script.answers.insert("version".into(), fails);
    trial
        .standin
        .script("node", &script)
        .expect("the script can be written");
    let verdict = trial.preflight();
    let report = format!("{:?}", verdict.as_ref().expect_err("it is refused"));
    trial.assert_refused(verdict, "node-version failed", 0);
    // That its digest cannot be judged either is no news.
    assert_eq!(named(&report), Vec::<&str>::new());
}

#[test]
fn of_commands_that_run_at_once_the_first_in_order_is_told() {
    let mut scene = Scene::of(Trial::new());
    scene.question("edge", "version", "connect edge go exit 1");
    scene.question("node", "version", "connect node exit 1");
    let trial = &scene.trial;
    let witness = &mut scene.witness;
    let verdict = thread::scope(|scope| {
        let verdict = scope.spawn(|| trial.preflight());
        let mut edge = witness.expect("edge");
        // The later one in the order of the checks has failed before the earlier one.
        witness.expect("node").gone();
        edge.go();
        verdict.join().expect("it does not panic")
    });
    let report = format!("{:?}", verdict.as_ref().expect_err("it is refused"));
    trial.assert_refused(verdict, "edge-version failed", 0);
    assert_eq!(named(&report), ["node-version", "node-version-digest"]);
}

#[test]
fn no_process_is_started_when_a_required_variable_is_missing() {
    let mut trial = Trial::new();
    let log = trial.path("starts");
    let noting = Script {
        start_log: Some(log.clone()),
        ..Script::default()
    };
    for name in ["claude", "edge", "node"] {
        trial
            .standin
            .script(name, &noting)
            .expect("the script can be written");
    }
    trial.preflight().expect("the control passes");
    let starts = fs::read_to_string(&log).expect("starts were noted");
    assert_eq!(starts.lines().count(), 5, "of five commands");

    fs::remove_file(&log).expect("it is there");
    trial.standin.unset("IOP_SMOKE_MODEL");
    let before = trial.standin.edge.seen();
    trial.assert_refused(trial.preflight(), "inputs", 0);
    assert!(!log.exists(), "something was started");
    assert_eq!(trial.standin.edge.seen(), before, "something was asked");
}

/// The checks that a report names besides its first.
fn named(report: &str) -> Vec<&str> {
    report
        .lines()
        .filter_map(|line| line.trim().strip_prefix("also refused: "))
        .collect()
}
