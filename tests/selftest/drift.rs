//! What differs between a deployment and its evidence is told field by field.

use std::fs;

use harness::digest::{Digest, tree};
use harness::evidence::Evidence;
use harness::evidence::drift::{Drift, Outcome, Present, Row, drift};
use harness::evidence::fields::{FIELDS, Origin};
use harness::measure::Measurements;
use harness::refusal::Verdict;
use serde_json::{Value, json};
use standin::deployment::Extent;

use crate::preflight::sealed::{edited, reworded, sealed};
use crate::rows::rows;
use crate::trial::Trial;

/// The codes that the rows expect, by module.
pub(crate) const CODES_BY_MODULE: &[&[&str]] = &[CODES, unusable::CODES];

fn compared(trial: &Trial) -> Verdict<Drift> {
    drift(&Measurements::new(&trial.deployment()))
}

/// The rows that are not as sealed, as `outcome key: meaning`.
fn amiss(drift: &Drift) -> Vec<String> {
    let amiss = |row: &&Row| row.outcome != Outcome::Same;
    let text = |row: &Row| format!("{} {}: {}", row.outcome.words(), row.key, row.meaning);
    drift.rows.iter().filter(amiss).map(text).collect()
}

/// Asserts that the control agrees, and with which code it is refused once the
/// change is made; that nothing is changed, and every field is listed all the same.
#[track_caller]
fn refused(code: &str, change: (fn(&mut Trial), &[&str])) {
    let mut trial = Trial::new();
    let (change, expected) = change;
    let control = compared(&trial).expect("it can be compared");
    assert_eq!(amiss(&control), Vec::<String>::new());
    for (row, field) in control.rows.iter().zip(FIELDS) {
        assert_eq!((row.key, &*row.meaning), (field.key, field.subject));
    }
    control.verdict().expect("the control agrees");
    change(&mut trial);
    let before = tree::digest(trial.standin.root()).expect("a digest");
    let drift = compared(&trial).expect("it can be compared");
    assert_eq!(amiss(&drift), expected);
    assert_eq!(drift.rows.len(), FIELDS.len());
    let verdict = drift.verdict();
    let report = format!("{:?}", verdict.as_ref().expect_err("it is refused"));
    let named =
        |line: &&str| line.starts_with("  differs: ") || line.starts_with("  not measured: ");
    assert_eq!(
        report.lines().filter(named).count(),
        expected.len(),
        "{report}"
    );
    trial.assert_refused(verdict, code, 0);
    let after = tree::digest(trial.standin.root()).expect("a digest");
    assert_eq!(after, before, "something was written");
    assert_eq!(trial.standin.edge.seen(), standin::edge::Seen::default());
}

rows! {
    by refused;
    file_edited => "evidence-drift differs", (|t| edit(t, "edge.yaml"), &[
        "differs workspace_owner_digest: the owner of the workspace: follows from config_digest",
        "differs config_digest: the Edge's configuration file was edited",
        "differs stage_binding_digest: what binds the stages to the deployment: follows from config_digest",
    ]);
    several => "evidence-drift differs", (|t| {
        edit(t, "checkout/Makefile");
        edit(t, "edge.yaml");
        t.standin.set("IOP_SMOKE_MODEL", "standin-other-model");
    }, &[
        "differs worktree_digest: the sources that IOP_SMOKE_WORKTREE_INPUTS lists were edited, or others are listed",
        "differs workspace_owner_digest: the owner of the workspace: follows from config_digest",
        "differs config_digest: the Edge's configuration file was edited",
        "differs public_model_digest: the model is another one",
        "differs stage_binding_digest: what binds the stages to the deployment: follows from config_digest, public_model_digest",
    ]);
    evidence_edited => "evidence-drift differs", (|t| edited(t, |e| e["runtime"]["stage_binding_digest"] = json!(Digest::of("x"))), &[
        "differs stage_binding_digest: what binds the stages to the deployment: the evidence does not derive it, it was edited",
    ]);
    parts_missing => "evidence-drift not-measured", (|t| {
        fs::remove_file(t.path("bin/node")).expect("it is there");
        fs::remove_dir_all(t.path("checkout/.git")).expect("it is there");
    }, &[
        "not measured head: the commit of the IOP checkout: source-head not-a-repository",
        "not measured branch_digest: the branch of the IOP checkout: source-head not-a-repository",
        "not measured workspace_owner_digest: the owner of the workspace: node-executable absent",
        "not measured node_digest: the Node executable: node-executable absent",
        "not measured node_version_digest: what `node version` prints: node-executable absent",
    ]);
    part_missing_and_another_changed => "evidence-drift differs", (|t| {
        fs::remove_dir_all(t.path("workspace")).expect("it is there");
        t.standin.set("IOP_SMOKE_MODEL", "standin-other-model");
    }, &[
        "not measured workspace_root_digest: the path of the workspace: workspace absent",
        "not measured workspace_owner_digest: the owner of the workspace: workspace absent",
        "differs public_model_digest: the model is another one",
        "differs stage_binding_digest: what binds the stages to the deployment: follows from public_model_digest",
    ]);
}

/// Without evidence or inputs there is nothing to compare.
mod unusable {
    use super::{Extent, Trial, compared, edited, fs, json, reworded, rows};

    #[track_caller]
    fn refused(code: &str, change: fn(&mut Trial)) {
        let mut trial = Trial::in_part(Extent::FILES);
        compared(&trial).map(drop).expect("it can be compared");
        change(&mut trial);
        trial.assert_refused(compared(&trial).map(drop), code, 0);
    }

    rows! {
        by refused;
        evidence_missing => "runtime-file absent", |t| fs::remove_file(t.path("evidence.json")).expect("it is there");
        evidence_cut_off => "runtime-file not-json", |t| reworded(t, |text| text[..text.len() / 2].to_owned());
        evidence_of_another_shape => "runtime-file shape", |t| edited(t, |e| e["note"] = json!("x"));
        variable_missing => "inputs", |t| t.standin.unset("IOP_SMOKE_MODEL");
    }
}

#[test]
fn the_key_is_not_needed() {
    let mut trial = Trial::in_part(Extent::FILES);
    for name in [
        "IOP_SMOKE_SECRET_ENV",
        "IOP_SMOKE_METRICS_URL",
        "IOP_SMOKE_OUTPUT",
    ] {
        trial.standin.unset(name);
    }
    compared(&trial).map(drop).expect("it can be compared");
}

#[test]
fn each_field_that_differs_alone_is_named_with_what_follows_from_it() {
    let trial = Trial::new();
    let evidence = trial.standin.evidence().expect("evidence");
    let present = Present::measure(&Measurements::new(&trial.deployment())).expect("measured");
    for field in FIELDS {
        let sealed = with_another_value(&evidence, field.key);
        let drift = present.against(&sealed).expect("compared");
        for row in &drift.rows {
            // What is derived stays as it was sealed: it follows from the present value.
            let expected = if row.key == field.key {
                Outcome::Differs
            } else {
                Outcome::Same
            };
            assert_eq!(
                row.outcome, expected,
                "{} if {} differs",
                row.key, field.key
            );
            let now = row.now.as_deref().expect("it is measured");
            assert_eq!(now == row.sealed, expected == Outcome::Same, "{}", row.key);
        }
        assert_eq!(
            drift.verdict().map_err(|refusal| refusal.code()),
            Err("evidence-drift differs".to_owned())
        );
    }
}

#[test]
fn every_key_of_the_evidence_is_a_field_once_and_in_order() {
    let trial = Trial::in_part(Extent::FILES);
    let evidence = trial.standin.evidence().expect("evidence");
    let text = serde_json::to_string(&evidence).expect("JSON");
    let positions: Vec<_> = FIELDS
        .iter()
        .map(|field| text.find(&format!("\"{}\":", field.key)))
        .collect();
    assert!(positions.iter().all(Option::is_some) && positions.is_sorted());
    let keys = |part: &str| {
        let value = serde_json::to_value(&evidence).expect("JSON");
        value[part].as_object().expect("an object").len()
    };
    assert_eq!(FIELDS.len(), keys("source") + keys("runtime"));
}

#[test]
fn a_derived_field_follows_from_the_fields_it_names_and_no_others() {
    let trial = Trial::in_part(Extent::FILES);
    let evidence = trial.standin.evidence().expect("evidence");
    for derived in FIELDS {
        let Origin::Derived { from, derive } = derived.origin else {
            continue;
        };
        for field in FIELDS {
            let other = with_another_value(&evidence, field.key);
            assert_eq!(
                derive(&other.runtime) != derive(&evidence.runtime),
                from.contains(&field.key),
                "{} from {}",
                derived.key,
                field.key
            );
        }
    }
}

#[test]
fn a_private_value_in_an_edited_file_is_not_shown() {
    let trial = Trial::new();
    let marker = "marker\u{1b}[31m";
    sealed(&trial, |evidence| {
        evidence.runtime.runner_arch = marker.into();
        evidence.runtime.stage_engines[1] = marker.into();
    });
    let drift = compared(&trial).expect("it can be compared");
    let shown = format!("{:?}", drift.rows);
    assert!(!shown.contains("marker"), "{shown}");
    assert!(amiss(&drift)[0].starts_with("differs runner_arch"));
}

/// The same evidence with another value of one field.
fn with_another_value(evidence: &Evidence, key: &str) -> Evidence {
    let mut value = serde_json::to_value(evidence).expect("JSON");
    let part = ["source", "runtime"]
        .into_iter()
        .find(|part| value[part].get(key).is_some());
    let place = &mut value[part.expect("a part has it")][key];
    *place = match place {
        Value::Array(_) => json!(["gemini", "gemini", "gemini"]),
        _ if key.ends_with("_digest") => json!(Digest::of("something else")),
        _ if key == "head" => json!("0123456789".repeat(4)),
        _ => json!("other"),
    };
    serde_json::from_value(value).expect("evidence")
}

/// Adds a comment to a file of the deployment.
fn edit(trial: &mut Trial, name: &str) {
    let path = trial.path(name);
    let text = fs::read_to_string(&path).expect("it can be read");
    fs::write(path, text + "# edited\n").expect("it can be written");
}
