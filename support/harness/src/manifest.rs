//! The manifest: the publishable evidence of one run, schema version 1.

use serde::{Deserialize, Serialize};

use crate::constants::{EXPECTED_LINE, SCHEMA_VERSION, STAGES};
use crate::digest::Digest;
use crate::evidence::{Evidence, Runtime, Source};

pub mod validate;

/// What a passing run publishes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// Always `1`.
    pub schema_version: String,
    /// As in the evidence.
    pub source: Source,
    /// As in the evidence.
    pub runtime: Runtime,
    /// How the ingress counter moved.
    pub ingress: Ingress,
    /// Plan, work and review, in that order.
    pub stages: Vec<Stage>,
    /// How the request ended.
    pub terminal: Terminal,
    /// What became of the workspace.
    pub workspace: Workspace,
    /// How the result file was verified.
    pub verification: Verification,
    /// What the scan of these bytes found.
    pub redaction: Redaction,
}

/// How the ingress counter moved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ingress {
    /// Always 1.
    pub delta: u64,
}

/// One stage of the request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stage {
    /// `plan`, `work` or `review`.
    pub stage: String,
    /// The engine family that served it.
    pub engine_family: String,
    /// Milliseconds.
    pub duration_ms: u64,
    /// The evidence's `stage_binding_digest`.
    pub binding_digest: Digest,
}

/// How the request ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Terminal {
    /// Always 1.
    pub count: u64,
    /// Always `end_turn`.
    pub stop_reason: String,
    /// Milliseconds.
    pub duration_ms: u64,
}

/// What became of the workspace.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Workspace {
    /// Tree digest before the run.
    pub before_digest: Digest,
    /// Tree digest after the run; another one.
    pub after_digest: Digest,
    /// Always true.
    pub changed: bool,
}

/// How the result file was verified.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Verification {
    /// See [`command_digest`].
    pub command_digest: Digest,
    /// Digest of the result file.
    pub result_file_digest: Digest,
    /// Always 0.
    pub exit_code: u64,
}

/// What the scan of the manifest's bytes found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Redaction {
    /// Always 0.
    pub forbidden_match_count: u64,
    /// Always 0.
    pub forbidden_key_count: u64,
}

/// What a run measured beyond its evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Measured {
    /// Milliseconds of plan, work and review.
    pub stage_ms: [u64; STAGES.len()],
    /// Milliseconds of the whole request.
    pub terminal_ms: u64,
    /// Tree digest before the run.
    pub before: Digest,
    /// Tree digest after the run.
    pub after: Digest,
    /// Digest of the result file.
    pub result: Digest,
}

impl Manifest {
    /// The manifest of a run that passed every check.
    pub fn of(evidence: &Evidence, measured: &Measured) -> Self {
        let binding_digest = evidence.runtime.stage_binding_digest;
        let stages = STAGES
            .iter()
            .zip(measured.stage_ms)
            .map(|((stage, engine), duration_ms)| Stage {
                stage: (*stage).to_owned(),
                engine_family: (*engine).to_owned(),
                duration_ms,
                binding_digest,
            });
        Self {
            schema_version: SCHEMA_VERSION.to_owned(),
            source: evidence.source.clone(),
            runtime: evidence.runtime.clone(),
            ingress: Ingress { delta: 1 },
            stages: stages.collect(),
            terminal: Terminal {
                count: 1,
                stop_reason: "end_turn".to_owned(),
                duration_ms: measured.terminal_ms,
            },
            workspace: Workspace {
                before_digest: measured.before,
                after_digest: measured.after,
                changed: true,
            },
            verification: Verification {
                command_digest: command_digest(),
                result_file_digest: measured.result,
                exit_code: 0,
            },
            redaction: Redaction {
                forbidden_match_count: 0,
                forbidden_key_count: 0,
            },
        }
    }
}

/// Digest of the verification: text digest of `cmp-v1|` and the file digest of
/// the bytes that the result file must hold.
pub fn command_digest() -> Digest {
    Digest::of(format!("cmp-v1|{}", Digest::of(EXPECTED_LINE)))
}

/// The bytes of a JSON document in the published form: keys sorted, no spaces,
/// one newline at the end.
pub fn canonical<T: Serialize>(document: &T) -> Result<Vec<u8>, serde_json::Error> {
    let mut value = serde_json::to_value(document)?;
    value.sort_all_objects();
    let mut bytes = serde_json::to_vec(&value)?;
    bytes.push(b'\n');
    Ok(bytes)
}
