//! The run from which all others derive: it passes.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use harness::digest::Digest;
use harness::manifest::canonical;
use standin::observations::{STAGE_MS, TERMINAL_MS};

use crate::trial::{Trial, names};

#[test]
fn the_control_passes_and_publishes_what_it_proves() {
    let trial = Trial::new();
    let evidence = trial.standin.evidence().expect("evidence");
    let proof = trial.run().expect("the control passes");
    assert_eq!(trial.standin.claude_runs(), 1);
    let seen = trial.standin.edge.seen();
    assert_eq!(
        (seen.messages, seen.misplaced_key, seen.unmatched),
        (1, 0, 0)
    );

    let path = trial.path("out/manifest.json");
    let bytes = fs::read(&path).expect("the manifest is published");
    assert_eq!(bytes, canonical(&proof.manifest).expect("canonical bytes"));
    assert_eq!(Digest::of(&bytes), proof.digest);
    let mode = fs::metadata(&path).expect("metadata").permissions().mode();
    assert_eq!(mode & 0o7777, 0o600);
    assert_eq!(names(&trial.path("out")), ["manifest.json"]);
    assert_eq!(names(&trial.path("tmp")), Vec::<String>::new());

    let manifest = proof.manifest;
    assert_eq!(
        (manifest.source, manifest.runtime),
        (evidence.source, evidence.runtime)
    );
    assert_eq!(
        manifest
            .stages
            .iter()
            .map(|stage| stage.duration_ms)
            .collect::<Vec<_>>(),
        STAGE_MS
    );
    assert_eq!(manifest.terminal.duration_ms, TERMINAL_MS);
    assert!(trial.private_values().scan(&bytes).is_none());
}

#[test]
fn the_preflight_of_the_control_passes_and_leaves_nothing() {
    let trial = Trial::new();
    trial.preflight().expect("the control passes");
    assert_eq!(trial.standin.claude_runs(), 0);
    assert_eq!(trial.standin.edge.seen().messages, 0);
    trial.assert_nothing_left();
}

#[test]
fn a_second_run_is_refused_and_the_first_manifest_stays() {
    let mut trial = Trial::new();
    trial.run().expect("the control passes");
    let first = fs::read(trial.path("out/manifest.json")).expect("the manifest");
    fs::remove_file(trial.path("workspace/smoke-result.txt")).expect("the result");
    trial.foreign_output = true;
    trial.assert_refused(trial.run(), "output-existing", 1);
    assert_eq!(
        fs::read(trial.path("out/manifest.json")).expect("the manifest"),
        first
    );
}
