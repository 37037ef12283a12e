//! The schema of the evidence agrees with what the suite makes of evidence.

use std::fmt::Write as _;
use std::fs;

use harness::deployment::Deployment;
use harness::environment::Environment;
use harness::environment::runner::Runner;
use harness::interrupt::Interrupt;
use harness::measure::Measurements;
use harness::preflight;
use harness::process::Supervisor;
use harness::reason::Reason;
use harness::runner;
use serde_json::{Value, json};
use standin::scratch;
use tempfile::TempDir;

use crate::manifest::sample::{bytes_of, evidence, nodes, schema_of, with, with_field, without};
use crate::trial::CLEAN_UP;

/// File name of the evidence's schema.
const SCHEMA_FILE: &str = "runtime-evidence.schema.json";

/// The checks that judge the form of evidence.
const CHECKS: [Reason; 5] = [
    Reason::RuntimeFile,
    Reason::RunnerOs,
    Reason::RunnerArch,
    Reason::WorkspaceOwnerOs,
    Reason::StageEngines,
];

/// Evidence of this host.
fn control() -> Value {
    let mut evidence = evidence();
    evidence.runtime.runner_os = runner::os().expect("a system");
    evidence.runtime.runner_arch = runner::arch().expect("an architecture");
    evidence.runtime.workspace_os = evidence.runtime.runner_os.clone();
    serde_json::to_value(evidence).expect("evidence")
}

/// Judges evidence as a file of a deployment that is nothing else.
struct Judge {
    folder: TempDir,
    deployment: Deployment,
}

impl Judge {
    fn new() -> Self {
        let folder = scratch::folder().expect("a folder");
        let mut environment = Environment::default();
        environment.set(
            "IOP_SMOKE_RUNTIME_EVIDENCE",
            folder.path().join("evidence.json"),
        );
        let interrupt = Interrupt::install(CLEAN_UP).expect("signals can be handled");
        let supervisor = Supervisor::at("/nowhere");
        Self {
            folder,
            deployment: Deployment::new(environment, &Runner::default(), supervisor, interrupt),
        }
    }

    /// The code of the first check that refuses these bytes.
    fn code_of(&self, bytes: &[u8]) -> Option<String> {
        fs::write(self.folder.path().join("evidence.json"), bytes).expect("a file");
        let measurements = Measurements::new(&self.deployment);
        CHECKS
            .iter()
            .find_map(|id| preflight::check(*id, &measurements).err())
            .map(|refusal| refusal.code())
    }
}

/// Every change that a schema can judge, with its name.
fn changes(control: &Value) -> Vec<(String, Value)> {
    let mut changes = Vec::new();
    for pointer in nodes(control) {
        let value = control.pointer(&pointer).expect("a node");
        for other in [
            Value::Null,
            json!(true),
            json!(1),
            json!(""),
            json!([]),
            json!({}),
            json!("1 "),
        ] {
            if &other != value {
                changes.push((
                    format!("{pointer} as {other}"),
                    with(control, &pointer, other),
                ));
            }
        }
        if value.is_object() {
            let changed = with_field(control, &pointer, "extra", json!(1));
            changes.push((format!("{pointer} with a field more"), changed));
        }
        let (parent, _) = pointer.rsplit_once('/').unwrap_or_default();
        if !pointer.is_empty() && control.pointer(parent).is_some_and(Value::is_object) {
            changes.push((format!("{pointer} removed"), without(control, &pointer)));
        }
        if let Some(text) = value.as_str() {
            for other in [
                text.to_uppercase(),
                format!("{text}\n"),
                format!("{text}0"),
                format!(" {text}"),
                text[1..].to_owned(),
            ] {
                if other != text {
                    changes.push((
                        format!("{pointer} as {other:?}"),
                        with(control, &pointer, other.into()),
                    ));
                }
            }
        }
        if let Some(items) = value.as_array() {
            let more = [&items[..], &items[..1]].concat();
            let reversed: Vec<_> = items.iter().rev().skip(1).cloned().collect();
            changes.push((
                format!("{pointer} with an item more"),
                with(control, &pointer, more.into()),
            ));
            changes.push((
                format!("{pointer} with an item less"),
                with(control, &pointer, reversed.into()),
            ));
        }
    }
    changes
}

#[test]
fn what_the_schema_refuses_is_refused_and_the_other_way_round() {
    let control = control();
    let schema = schema_of(SCHEMA_FILE);
    let schema = jsonschema::draft202012::new(&schema).expect("a schema");
    let judge = Judge::new();
    assert!(schema.is_valid(&control));
    assert_eq!(judge.code_of(&bytes_of(&control)), None, "the control");
    let mut wrong = String::new();
    let changes = changes(&control);
    assert!(changes.len() > 250, "{}", changes.len());
    for (name, changed) in changes {
        let code = judge.code_of(&bytes_of(&changed));
        // Another host than this one is not for a schema to refuse.
        let of_this_host = code.as_deref() != Some("runner-arch");
        if of_this_host && schema.is_valid(&changed) != code.is_none() {
            writeln!(wrong, "{name}: {code:?}").expect("memory");
        }
    }
    assert!(wrong.is_empty(), "the schema says otherwise:\n{wrong}");
}

#[test]
fn the_schema_is_closed_and_its_lists_are_those_of_the_manifest() {
    let evidence = schema_of(SCHEMA_FILE);
    let manifest = schema_of(harness::schema::MANIFEST_SCHEMA_FILE);
    for definition in ["source", "runtime", "digest"] {
        assert_eq!(evidence["$defs"][definition], manifest["$defs"][definition]);
    }
    assert_eq!(evidence["additionalProperties"], false);
    assert_eq!(
        evidence["required"],
        json!(["schema_version", "source", "runtime"])
    );
}
