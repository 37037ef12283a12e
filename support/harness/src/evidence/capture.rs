//! Measures a deployment into sealed evidence.

use crate::constants::{SCHEMA_VERSION, STAGES};
use crate::digest::Digest;
use crate::evidence::{Evidence, Runtime, Source, derive};
use crate::inputs::Purpose;
use crate::measure::command::Question;
use crate::measure::file::Role;
use crate::measure::{Measurements, given};
use crate::publish::{PublishError, publish};
use crate::reason::Reason;
use crate::refusal::{Refusal, Verdict};
use crate::{manifest, preflight, runner};

/// Measures the deployment and writes the evidence file that its inputs name, never over another.
///
/// # Errors
/// The reason of what cannot be measured, `evidence-existing` or `evidence-target`.
pub fn capture(measurements: &Measurements<'_>) -> Verdict<Evidence> {
    let inputs = &measurements.deployment().inputs;
    inputs.complete(Purpose::Capture)?;
    let path = given(&inputs.evidence)?;
    preflight::absent(Reason::EvidenceExisting, path)?;
    preflight::target(Reason::EvidenceTarget, path)?;
    for id in [Reason::Workspace, Reason::ClaudeFlags] {
        preflight::check(id, measurements)?;
    }
    let evidence = measure(measurements)?;
    let bytes = manifest::canonical(&evidence)
        .map_err(|_| Refusal::new(Reason::Internal).found("evidence that is no JSON"))?;
    measurements.deployment().interrupt.check()?;
    match publish(path, &bytes) {
        Ok(_) => Ok(evidence),
        Err(error @ PublishError::Appeared) => {
            Err(Refusal::new(Reason::EvidenceExisting).caused_by(error))
        }
        Err(error) => Err(Refusal::new(Reason::EvidenceTarget).caused_by(error)),
    }
}

/// The evidence of the deployment as it is now.
///
/// # Errors
/// The reason of what cannot be measured.
pub fn measure(m: &Measurements<'_>) -> Verdict<Evidence> {
    let inputs = &m.deployment().inputs;
    let (os, arch) = (runner::os()?, runner::arch()?);
    let workspace = given(&inputs.workspace)?.as_os_str().as_encoded_bytes();
    let nothing = Digest::of("");
    let mut runtime = Runtime {
        runner_os: os.clone(),
        runner_arch: arch.clone(),
        // The Node that owns the workspace runs on this host.
        workspace_os: os,
        workspace_arch: arch,
        workspace_root_digest: Digest::of(workspace),
        workspace_owner_digest: nothing,
        claude_digest: m.file(Role::Claude)?.digest,
        claude_version_digest: m.answer(Question::ClaudeVersion)?,
        claude_help_digest: m.answer(Question::ClaudeHelp)?,
        edge_digest: m.file(Role::Edge)?.digest,
        edge_version_digest: m.answer(Question::EdgeVersion)?,
        node_digest: m.file(Role::Node)?.digest,
        node_version_digest: m.answer(Question::NodeVersion)?,
        config_digest: m.file(Role::Config)?.digest,
        config_check_digest: m.answer(Question::ConfigCheck)?,
        schema_digest: m.schema()?.0.digest,
        base_url_digest: Digest::of(given(&inputs.base_url)?.text()),
        public_model_digest: Digest::of(given(&inputs.model)?.text()),
        stage_engines: STAGES
            .iter()
            .map(|(_, engine)| (*engine).to_owned())
            .collect(),
        stage_binding_digest: nothing,
    };
    runtime.workspace_owner_digest = derive::workspace_owner(&runtime);
    runtime.stage_binding_digest = derive::stage_binding(&runtime);
    let checkout = m.checkout()?;
    Ok(Evidence {
        schema_version: SCHEMA_VERSION.to_owned(),
        source: Source {
            head: checkout.head.clone(),
            branch_digest: checkout.branch,
            worktree_digest: m.worktree()?,
        },
        runtime,
    })
}
