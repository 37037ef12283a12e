//! Changes of the sealed evidence.

use std::fs;

use harness::evidence::{Evidence, derive};
use serde_json::Value;

use crate::trial::Trial;

/// Seals something else, with the derived digests that follow from it.
pub(crate) fn sealed(trial: &Trial, change: impl FnOnce(&mut Evidence)) {
    forged(trial, |evidence| {
        change(evidence);
        let runtime = &mut evidence.runtime;
        runtime.workspace_owner_digest = derive::workspace_owner(runtime);
        runtime.stage_binding_digest = derive::stage_binding(runtime);
    });
}

/// Changes the evidence and leaves the derived digests as they are.
pub(crate) fn forged(trial: &Trial, change: impl FnOnce(&mut Evidence)) {
    let mut evidence = trial
        .standin
        .evidence()
        .expect("the deployment can be sealed");
    change(&mut evidence);
    trial
        .standin
        .write_evidence(&evidence)
        .expect("evidence can be written");
}

/// Changes the evidence as a JSON value.
pub(crate) fn edited(trial: &Trial, change: impl FnOnce(&mut Value)) {
    reworded(trial, |text| {
        let mut value = serde_json::from_str(&text).expect("evidence is JSON");
        change(&mut value);
        value.to_string()
    });
}

/// Changes the evidence as text.
pub(crate) fn reworded(trial: &Trial, change: impl FnOnce(String) -> String) {
    let path = trial.path("evidence.json");
    let text = fs::read_to_string(&path).expect("evidence is there");
    fs::write(path, change(text)).expect("evidence can be written");
}
