//! Checks that the deployment is the one that the evidence was captured from.

use crate::constants::STAGES;
use crate::digest::Digest;
use crate::evidence::{Runtime, Source, derive, is_arch, is_os};
use crate::measure::command::Question;
use crate::measure::file::Role;
use crate::measure::{Measurements, given};
use crate::reason::Reason;
use crate::refusal::{Circumstance, Refusal, Verdict};
use crate::runner;

pub(super) fn source_head(m: &Measurements<'_>) -> Verdict {
    if m.checkout()?.head == source(m)?.head {
        return Ok(());
    }
    Err(Refusal::new(Reason::SourceHead)
        .detail(Circumstance::Differs)
        .expected("the commit of the evidence")
        .found("another commit"))
}

pub(super) fn source_branch(m: &Measurements<'_>) -> Verdict {
    same(
        Reason::SourceBranch,
        source(m)?.branch_digest,
        m.checkout()?.branch,
    )
}

pub(super) fn source_worktree(m: &Measurements<'_>) -> Verdict {
    same(
        Reason::SourceWorktree,
        source(m)?.worktree_digest,
        m.worktree()?,
    )
}

pub(super) fn runner_os(m: &Measurements<'_>) -> Verdict {
    system(Reason::RunnerOs, &runtime(m)?.runner_os, &runner::os()?)
}

pub(super) fn runner_arch(m: &Measurements<'_>) -> Verdict {
    let sealed = &runtime(m)?.runner_arch;
    if is_arch(sealed) && *sealed == runner::arch()? {
        return Ok(());
    }
    Err(Refusal::new(Reason::RunnerArch)
        .expected("the architecture of the evidence")
        .found("another architecture"))
}

pub(super) fn workspace_owner_os(m: &Measurements<'_>) -> Verdict {
    let runtime = runtime(m)?;
    system(
        Reason::WorkspaceOwnerOs,
        &runtime.workspace_os,
        &runtime.runner_os,
    )
}

pub(super) fn workspace_root(m: &Measurements<'_>) -> Verdict {
    let path = given(&m.deployment().inputs.workspace)?;
    let found = Digest::of(path.as_os_str().as_encoded_bytes());
    same(
        Reason::WorkspaceRoot,
        runtime(m)?.workspace_root_digest,
        found,
    )
}

pub(super) fn workspace_owner(m: &Measurements<'_>) -> Verdict {
    let runtime = runtime(m)?;
    let derived = derive::workspace_owner(runtime);
    same(
        Reason::WorkspaceOwner,
        derived,
        runtime.workspace_owner_digest,
    )
}

pub(super) fn claude(m: &Measurements<'_>) -> Verdict {
    same(
        Reason::ClaudeDigest,
        runtime(m)?.claude_digest,
        m.file(Role::Claude)?.digest,
    )
}

pub(super) fn edge(m: &Measurements<'_>) -> Verdict {
    same(
        Reason::EdgeDigest,
        runtime(m)?.edge_digest,
        m.file(Role::Edge)?.digest,
    )
}

pub(super) fn node(m: &Measurements<'_>) -> Verdict {
    same(
        Reason::NodeDigest,
        runtime(m)?.node_digest,
        m.file(Role::Node)?.digest,
    )
}

pub(super) fn config(m: &Measurements<'_>) -> Verdict {
    same(
        Reason::ConfigDigest,
        runtime(m)?.config_digest,
        m.file(Role::Config)?.digest,
    )
}

pub(super) fn schema(m: &Measurements<'_>) -> Verdict {
    same(
        Reason::SchemaDigest,
        runtime(m)?.schema_digest,
        m.schema()?.0.digest,
    )
}

pub(super) fn base_url(m: &Measurements<'_>) -> Verdict {
    let found = Digest::of(given(&m.deployment().inputs.base_url)?.text());
    same(Reason::BaseDigest, runtime(m)?.base_url_digest, found)
}

pub(super) fn model(m: &Measurements<'_>) -> Verdict {
    let found = Digest::of(given(&m.deployment().inputs.model)?.text());
    same(Reason::ModelDigest, runtime(m)?.public_model_digest, found)
}

pub(super) fn claude_version(m: &Measurements<'_>) -> Verdict {
    let found = m.answer(Question::ClaudeVersion)?;
    same(
        Reason::ClaudeVersionDigest,
        runtime(m)?.claude_version_digest,
        found,
    )
}

pub(super) fn claude_help(m: &Measurements<'_>) -> Verdict {
    let found = m.answer(Question::ClaudeHelp)?;
    same(
        Reason::ClaudeHelpDigest,
        runtime(m)?.claude_help_digest,
        found,
    )
}

pub(super) fn edge_version(m: &Measurements<'_>) -> Verdict {
    let found = m.answer(Question::EdgeVersion)?;
    same(
        Reason::EdgeVersionDigest,
        runtime(m)?.edge_version_digest,
        found,
    )
}

pub(super) fn node_version(m: &Measurements<'_>) -> Verdict {
    let found = m.answer(Question::NodeVersion)?;
    same(
        Reason::NodeVersionDigest,
        runtime(m)?.node_version_digest,
        found,
    )
}

pub(super) fn config_check(m: &Measurements<'_>) -> Verdict {
    let found = m.answer(Question::ConfigCheck)?;
    same(
        Reason::ConfigCheckDigest,
        runtime(m)?.config_check_digest,
        found,
    )
}

pub(super) fn stage_engines(m: &Measurements<'_>) -> Verdict {
    if runtime(m)?.stage_engines == STAGES.map(|(_, engine)| engine) {
        return Ok(());
    }
    Err(Refusal::new(Reason::StageEngines)
        .expected("gemini, ornith-fast, gemini")
        .found("other engine families or another order"))
}

pub(super) fn stage_binding(m: &Measurements<'_>) -> Verdict {
    let runtime = runtime(m)?;
    same(
        Reason::StageBinding,
        derive::stage_binding(runtime),
        runtime.stage_binding_digest,
    )
}

fn source<'m>(m: &'m Measurements<'_>) -> Verdict<&'m Source> {
    Ok(&m.evidence()?.evidence.source)
}

fn runtime<'m>(m: &'m Measurements<'_>) -> Verdict<&'m Runtime> {
    Ok(&m.evidence()?.evidence.runtime)
}

fn same(reason: Reason, expected: Digest, found: Digest) -> Verdict {
    if expected == found {
        return Ok(());
    }
    Err(Refusal::new(reason).expected(expected).found(found))
}

/// Refuses a system that the smoke does not run on, or another than expected.
fn system(reason: Reason, sealed: &str, running: &str) -> Verdict {
    if !is_os(sealed) || !is_os(running) {
        return Err(Refusal::new(reason)
            .detail(Circumstance::Unsupported)
            .expected("linux or darwin")
            .found("another system"));
    }
    if sealed == running {
        return Ok(());
    }
    Err(Refusal::new(reason)
        .detail(Circumstance::Differs)
        .expected("the same system")
        .found("another system"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_system_that_is_not_supported_is_refused_even_if_sealed() {
        let refusal = system(Reason::RunnerOs, "freebsd", "freebsd").unwrap_err();
        assert_eq!(refusal.code(), "runner-os unsupported");
    }
}
