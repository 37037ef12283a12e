//! Evidence is measured into a file of its own, never over another.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;

use harness::evidence::Evidence;
use harness::evidence::capture::capture;
use harness::manifest::canonical;
use harness::measure::Measurements;
use harness::refusal::Verdict;

use crate::rows::rows;
use crate::trial::{Trial, names};

/// A deployment without evidence.
fn unsealed() -> Trial {
    let trial = Trial::new();
    fs::remove_file(trial.path("evidence.json")).expect("the evidence");
    trial
}

fn captured(trial: &Trial) -> Verdict<Evidence> {
    capture(&Measurements::new(&trial.deployment()))
}

#[test]
fn what_is_captured_is_what_the_deployment_is() {
    let trial = unsealed();
    let sealed = trial.standin.evidence().expect("evidence");
    let evidence = captured(&trial).expect("the control is captured");
    assert_eq!(evidence, sealed);
    let path = trial.path("evidence.json");
    let bytes = fs::read(&path).expect("it is written");
    assert_eq!(bytes, canonical(&sealed).expect("canonical bytes"));
    let mode = fs::metadata(&path).expect("metadata").permissions().mode();
    assert_eq!(mode & 0o7777, 0o600);
    assert_eq!(trial.standin.claude_runs(), 0);
    trial.assert_nothing_left();
}

/// Asserts that nothing is captured and what is there stays.
#[track_caller]
fn refused(code: &str, change: impl FnOnce(&mut Trial)) {
    let mut trial = unsealed();
    change(&mut trial);
    let before = names(trial.standin.root());
    trial.assert_refused(captured(&trial), code, 0);
    assert_eq!(names(trial.standin.root()), before, "left or removed");
}

rows! {
    by refused;
    existing_file => "evidence-existing", |t| fs::write(t.path("evidence.json"), "{}\n").expect("a file");
    existing_evidence => "evidence-existing", |t| drop(t.standin.seal().expect("evidence"));
    existing_directory => "evidence-existing", |t| fs::create_dir(t.path("evidence.json")).expect("a directory");
    relative => "evidence-target relative", |t| t.standin.set("IOP_SMOKE_RUNTIME_EVIDENCE", "evidence.json");
    parent_missing => "evidence-target absent", |t| target(t, "nowhere/evidence.json");
    parent_not_canonical => "evidence-target not-canonical", |t| target(t, "out/../evidence.json");
    parent_a_link => "evidence-target link", |t| {
        symlink(t.path("out"), t.path("link")).expect("a link");
        target(t, "link/evidence.json");
    };
    path_of_a_directory => "evidence-target no-file-name", |t| target(t, "evidence.json/");
    path_of_nothing => "evidence-target no-file-name", |t| target(t, "nowhere/..");
}

/// Names another path in the deployment's folder.
fn target(trial: &mut Trial, path: &str) {
    let path = trial.path(path);
    trial.standin.set("IOP_SMOKE_RUNTIME_EVIDENCE", path);
}

#[test]
fn a_dangling_link_is_left_as_it_is() {
    let trial = unsealed();
    let path = trial.path("evidence.json");
    symlink("nowhere", &path).expect("a link");
    let refusal = captured(&trial).expect_err("it is refused");
    assert_eq!(refusal.reason(), harness::reason::Reason::EvidenceExisting);
    assert_eq!(fs::read_link(&path).expect("a link"), Path::new("nowhere"));
    trial.assert_nothing_left();
}
