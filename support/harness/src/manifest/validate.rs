//! Judges a manifest by the schema and by the rules that a schema cannot say.

use serde_json::Value;
use thiserror::Error;

use super::{Manifest, canonical, command_digest};
use crate::closed_set::closed_set;
use crate::constants::{EXPECTED_LINE, SCHEMA_VERSION, STAGES};
use crate::digest::Digest;
use crate::evidence::{derive, is_arch, is_head, is_os};
use crate::json::{self, JsonFault};
use crate::reason::Reason;
use crate::refusal::{Refusal, SafeError, Verdict};
use crate::schema::ManifestSchema;

closed_set! {
    /// The rule that a manifest breaks.
    pub enum ManifestFault(meaning) {
        NotUtf8 => "not-utf8", "it is not UTF-8";
        NotJson => "not-json", "it is not one JSON value";
        DuplicateKey => "duplicate-key", "an object holds a key twice";
        TrailingBytes => "trailing-bytes", "bytes follow the value";
        ForbiddenKey => "forbidden-key", "a key contains a word that may not appear";
        ForbiddenString => "forbidden-string", "a string contains a pattern that may not appear";
        Schema => "schema", "the schema refuses it";
        Shape => "shape", "a field is missing, unknown or of another type";
        SchemaVersion => "schema-version", "the schema version is not 1";
        Head => "head", "the head is not 40 lowercase hex digits";
        Platform => "platform", "a system or architecture is not one the format knows";
        StageEngines => "stage-engines", "the engine families are not those of the stages";
        OwnerDerivation => "owner-derivation", "the workspace owner digest does not derive";
        BindingDerivation => "binding-derivation", "the stage binding digest does not derive";
        IngressDelta => "ingress-delta", "the ingress delta is not 1";
        StageOrder => "stage-order", "the stages are not plan, work and review with their engines";
        StageBinding => "stage-binding", "a stage carries another binding digest than the runtime";
        Terminal => "terminal", "the terminal count or stop reason is not that of one finished turn";
        WorkspaceEqual => "workspace-equal", "the workspace did not change";
        Verification => "verification", "the verification is not that of the expected bytes";
        Counts => "counts", "a redaction count is not 0";
        NotCanonical => "not-canonical", "keys are not sorted, or there is other white space than one final newline";
    }
}

/// Where a schema is broken, in the format's own words.
#[derive(Debug, Error)]
#[error("the schema's `{keyword}` is broken at {path}")]
struct Violation {
    keyword: String,
    path: String,
}

impl SafeError for Violation {}

/// Parts of a key that may not appear, in lower case.
const FORBIDDEN_KEY_PARTS: [&str; 14] = [
    "prompt",
    "output",
    "token",
    "key",
    "auth",
    "credential",
    "secret",
    "password",
    "api_key",
    "apikey",
    "endpoint",
    "bearer",
    "cookie",
    "session",
];

/// The one key that may contain a forbidden part.
const ALLOWED_KEY: &str = "forbidden_key_count";

/// Parts of a string that may not appear, in lower case.
const FORBIDDEN_STRING_PARTS: [&str; 6] = [
    "secret_sentinel",
    "raw_",
    "http://",
    "https://",
    "bearer ",
    "sk-ant-",
];

/// Judges a manifest's bytes.
///
/// # Errors
/// `manifest-invalid` with the first rule that is broken.
pub fn validate(bytes: &[u8], schema: &ManifestSchema) -> Verdict<Manifest> {
    let value = json::parse(bytes).map_err(|fault| refuse(json_fault(fault)).caused_by(fault))?;
    forbidden(&value)?;
    if let Some((keyword, path)) = schema.violation(&value) {
        return Err(refuse(ManifestFault::Schema).caused_by(Violation { keyword, path }));
    }
    // The library's own error would quote the input.
    let manifest: Manifest =
        serde_json::from_value(value).map_err(|_| refuse(ManifestFault::Shape))?;
    if let Some(fault) = broken_rule(&manifest) {
        return Err(refuse(fault));
    }
    let canonical = canonical(&manifest).map_err(|_| refuse(ManifestFault::Shape))?;
    if canonical != bytes {
        return Err(refuse(ManifestFault::NotCanonical));
    }
    Ok(manifest)
}

/// The first rule among those that a schema cannot say, or that the schema in
/// use may not say.
pub fn broken_rule(manifest: &Manifest) -> Option<ManifestFault> {
    let Manifest {
        source,
        runtime,
        ingress,
        stages,
        terminal,
        workspace,
        verification,
        ..
    } = manifest;
    let redaction = &manifest.redaction;
    let expected = Digest::of(EXPECTED_LINE);
    let engines = STAGES.map(|(_, engine)| engine);
    let order = STAGES.iter().copied();
    let rules = [
        (
            manifest.schema_version == SCHEMA_VERSION,
            ManifestFault::SchemaVersion,
        ),
        (is_head(&source.head), ManifestFault::Head),
        (
            is_os(&runtime.runner_os)
                && runtime.workspace_os == runtime.runner_os
                && is_arch(&runtime.runner_arch)
                && is_arch(&runtime.workspace_arch),
            ManifestFault::Platform,
        ),
        (
            runtime.stage_engines == engines,
            ManifestFault::StageEngines,
        ),
        (
            runtime.workspace_owner_digest == derive::workspace_owner(runtime),
            ManifestFault::OwnerDerivation,
        ),
        (
            runtime.stage_binding_digest == derive::stage_binding(runtime),
            ManifestFault::BindingDerivation,
        ),
        (ingress.delta == 1, ManifestFault::IngressDelta),
        (
            stages
                .iter()
                .map(|stage| (&*stage.stage, &*stage.engine_family))
                .eq(order),
            ManifestFault::StageOrder,
        ),
        (
            stages
                .iter()
                .all(|stage| stage.binding_digest == runtime.stage_binding_digest),
            ManifestFault::StageBinding,
        ),
        (
            terminal.count == 1 && terminal.stop_reason == "end_turn",
            ManifestFault::Terminal,
        ),
        (
            workspace.changed && workspace.before_digest != workspace.after_digest,
            ManifestFault::WorkspaceEqual,
        ),
        (
            verification.command_digest == command_digest()
                && verification.result_file_digest == expected
                && verification.exit_code == 0,
            ManifestFault::Verification,
        ),
        (
            redaction.forbidden_match_count == 0 && redaction.forbidden_key_count == 0,
            ManifestFault::Counts,
        ),
    ];
    rules
        .into_iter()
        .find_map(|(holds, fault)| (!holds).then_some(fault))
}

/// Refuses keys and strings that may not appear anywhere.
fn forbidden(value: &Value) -> Verdict {
    match value {
        Value::Object(map) => map.iter().try_for_each(|(key, inner)| {
            let lower = key.to_lowercase();
            if key != ALLOWED_KEY && contains_any(&lower, &FORBIDDEN_KEY_PARTS) {
                return Err(refuse(ManifestFault::ForbiddenKey));
            }
            if holds_forbidden_part(key) {
                return Err(refuse(ManifestFault::ForbiddenString));
            }
            forbidden(inner)
        }),
        Value::Array(items) => items.iter().try_for_each(forbidden),
        Value::String(text) if holds_forbidden_part(text) => {
            Err(refuse(ManifestFault::ForbiddenString))
        }
        _ => Ok(()),
    }
}

/// Whether a text holds a part that no string of a manifest may hold, in any case.
pub fn holds_forbidden_part(text: &str) -> bool {
    contains_any(&text.to_lowercase(), &FORBIDDEN_STRING_PARTS)
}

fn contains_any(text: &str, parts: &[&str]) -> bool {
    parts.iter().any(|part| text.contains(part))
}

fn refuse(fault: ManifestFault) -> Refusal {
    Refusal::new(Reason::ManifestInvalid)
        .detail(fault)
        .found(fault.meaning())
}

fn json_fault(fault: JsonFault) -> ManifestFault {
    match fault {
        JsonFault::NotUtf8 => ManifestFault::NotUtf8,
        JsonFault::Syntax { .. } => ManifestFault::NotJson,
        JsonFault::DuplicateKey => ManifestFault::DuplicateKey,
        JsonFault::TrailingBytes => ManifestFault::TrailingBytes,
    }
}
