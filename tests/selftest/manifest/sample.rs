//! The manifest and the evidence from which all others derive.

use std::fs;
use std::path::PathBuf;
use std::sync::LazyLock;

use harness::constants::{EXPECTED_LINE, STAGES};
use harness::digest::Digest;
use harness::environment::Environment;
use harness::environment::runner::Runner;
use harness::evidence::{Evidence, Runtime, Source, derive};
use harness::manifest::validate::validate;
use harness::manifest::{Manifest, Measured, canonical};
use harness::schema::{MANIFEST_SCHEMA_FILE, ManifestSchema};
use serde_json::Value;

/// Evidence of no deployment; its derived digests derive.
pub(crate) fn evidence() -> Evidence {
    let digest = Digest::of;
    let mut runtime = Runtime {
        runner_os: "linux".into(),
        runner_arch: "x86_64".into(),
        workspace_os: "linux".into(),
        workspace_arch: "x86_64".into(),
        workspace_root_digest: digest("workspace root"),
        workspace_owner_digest: digest(""),
        claude_digest: digest("claude"),
        claude_version_digest: digest("claude version"),
        claude_help_digest: digest("claude help"),
        edge_digest: digest("edge"),
        edge_version_digest: digest("edge version"),
        node_digest: digest("node"),
        node_version_digest: digest("node version"),
        config_digest: digest("config"),
        config_check_digest: digest("config check"),
        schema_digest: digest("schema"),
        base_url_digest: digest("base url"),
        public_model_digest: digest("model"),
        stage_engines: STAGES.map(|(_, engine)| engine.to_owned()).to_vec(),
        stage_binding_digest: digest(""),
    };
    runtime.workspace_owner_digest = derive::workspace_owner(&runtime);
    runtime.stage_binding_digest = derive::stage_binding(&runtime);
    Evidence {
        schema_version: "1".into(),
        source: Source {
            head: "0123456789abcdef0123456789abcdef01234567".into(),
            branch_digest: digest("branch"),
            worktree_digest: digest("worktree"),
        },
        runtime,
    }
}

/// A manifest that breaks no rule.
pub(crate) fn manifest() -> Value {
    let measured = Measured {
        stage_ms: [120, 340, 80],
        terminal_ms: 560,
        before: Digest::of("before"),
        after: Digest::of("after"),
        result: Digest::of(EXPECTED_LINE),
    };
    serde_json::to_value(Manifest::of(&evidence(), &measured)).expect("a manifest")
}

/// The path of a file in `schemas`.
fn schema_file(name: &str) -> PathBuf {
    let runner = Runner::of(&Environment::of_process());
    runner
        .root()
        .expect("the suite's root")
        .join("schemas")
        .join(name)
}

/// A file in `schemas`.
pub(super) fn schema_of(name: &str) -> Value {
    let bytes = fs::read(schema_file(name)).expect("the schema");
    serde_json::from_slice(&bytes).expect("a schema")
}

/// The project's manifest schema.
pub(crate) static STRICT: LazyLock<ManifestSchema> =
    LazyLock::new(|| parsed(&schema_of(MANIFEST_SCHEMA_FILE)));

/// A schema that keeps the contract and says nothing of values: closed objects and required keys.
pub(crate) static LAX: LazyLock<ManifestSchema> = LazyLock::new(|| {
    let mut schema = schema_of(MANIFEST_SCHEMA_FILE);
    loosen(&mut schema);
    parsed(&schema)
});

fn parsed(schema: &Value) -> ManifestSchema {
    ManifestSchema::parse(schema.to_string().as_bytes()).expect("it keeps the contract")
}

fn loosen(schema: &mut Value) {
    match schema {
        Value::Object(keywords) => {
            for keyword in [
                "const", "enum", "pattern", "minimum", "minItems", "maxItems",
            ] {
                keywords.remove(keyword);
            }
            if keywords.get("type").is_some_and(|kind| kind != "object") {
                keywords.remove("type");
            }
            keywords.values_mut().for_each(loosen);
        }
        Value::Array(items) => items.iter_mut().for_each(loosen),
        _ => {}
    }
}

/// The code that a schema and the rules give some bytes; none if they are accepted.
pub(super) fn code_of(bytes: &[u8], schema: &ManifestSchema) -> Option<String> {
    validate(bytes, schema).err().map(|refusal| refusal.code())
}

/// The published form of a document.
pub(crate) fn bytes_of(document: &Value) -> Vec<u8> {
    canonical(document).expect("canonical bytes")
}

/// Asserts that the control is accepted and a changed one refused with this code.
#[track_caller]
pub(super) fn assert_refused(code: &str, schema: &ManifestSchema, changed: &Value) {
    let control = manifest();
    assert_eq!(code_of(&bytes_of(&control), schema), None, "the control");
    assert_ne!(changed, &control, "the row changes nothing");
    let bytes = bytes_of(changed);
    assert_eq!(code_of(&bytes, schema).as_deref(), Some(code));
}

/// The JSON pointers of a value and of everything in it.
pub(crate) fn nodes(value: &Value) -> Vec<String> {
    let mut found = vec![String::new()];
    let inner: Vec<(String, &Value)> = match value {
        Value::Object(fields) => fields
            .iter()
            .map(|(key, inner)| (key.clone(), inner))
            .collect(),
        Value::Array(items) => items
            .iter()
            .enumerate()
            .map(|(index, inner)| (index.to_string(), inner))
            .collect(),
        _ => Vec::new(),
    };
    for (key, inner) in inner {
        found.extend(nodes(inner).iter().map(|rest| format!("/{key}{rest}")));
    }
    found
}

/// A copy with another value at a pointer.
pub(crate) fn with(document: &Value, pointer: &str, value: Value) -> Value {
    let mut document = document.clone();
    *document.pointer_mut(pointer).expect("a node") = value;
    document
}

/// A copy with a field more in the object at a pointer.
pub(super) fn with_field(document: &Value, pointer: &str, key: &str, value: Value) -> Value {
    let mut document = document.clone();
    let fields = document.pointer_mut(pointer).and_then(Value::as_object_mut);
    let before = fields.expect("an object").insert(key.to_owned(), value);
    assert_eq!(before, None, "{pointer} has a {key} already");
    document
}

/// A copy without the node at a pointer, which is a field of an object.
pub(super) fn without(document: &Value, pointer: &str) -> Value {
    let mut document = document.clone();
    let (parent, key) = pointer.rsplit_once('/').expect("not the root");
    let fields = document.pointer_mut(parent).and_then(Value::as_object_mut);
    assert!(fields.expect("an object").remove(key).is_some());
    document
}
