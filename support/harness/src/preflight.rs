//! The checks that must pass before Claude may be started.

use std::thread;

use crate::inputs::Purpose;
use crate::measure::Measurements;
use crate::measure::command::Question;
use crate::measure::file::Role;
use crate::reason::Reason;
use crate::refusal::{Refusal, Verdict};

mod form;
mod identity;
mod listeners;
pub mod managed;
mod paths;

pub use paths::{absent, target};

/// Runs one check alone.
///
/// # Errors
/// The check's own reason, or that of an earlier check without which it has
/// nothing to judge.
pub fn check(id: Reason, measurements: &Measurements<'_>) -> Verdict {
    match CHECKS.iter().find(|(known, _)| *known == id) {
        Some((_, judge)) => judge(measurements),
        None => Err(Refusal::new(Reason::Internal).found("a check that does not exist")),
    }
}

/// Runs all checks, and asks the listeners nothing unless everything on this host is right.
///
/// # Errors
/// The first check that refuses, in the order of the contract, with the names
/// of the others that refuse as well.
pub fn all(measurements: &Measurements<'_>) -> Verdict {
    stage(measurements, before(Reason::SourceHead))?;
    identity(measurements)?;
    stage(measurements, from(Reason::HealthListener))
}

/// Runs the checks that bind a run to its evidence.
///
/// # Errors
/// As for [`all`].
pub fn identity(measurements: &Measurements<'_>) -> Verdict {
    thread::scope(|scope| {
        for measure in COSTLY {
            // The check it belongs to measures where no thread can be started, and tells
            // refusals in any case.
            let _ = thread::Builder::new().spawn_scoped(scope, || measure(measurements));
        }
        let checks = within(Reason::SourceHead, Reason::HealthListener);
        stage(measurements, checks)
    })
}

/// What is costly to measure on this host, none of which waits for another. The longest is first.
const COSTLY: &[fn(&Measurements<'_>)] = &[
    |m| drop(m.file(Role::Claude)),
    |m| drop(m.answer(Question::ClaudeHelp)),
    |m| drop(m.answer(Question::ClaudeVersion)),
    |m| drop(m.answer(Question::EdgeVersion)),
    |m| drop(m.answer(Question::NodeVersion)),
    |m| drop(m.answer(Question::ConfigCheck)),
    |m| drop(m.checkout()),
    |m| drop(m.worktree()),
    |m| drop(m.file(Role::Edge)),
    |m| drop(m.file(Role::Node)),
];

type Check = (Reason, fn(&Measurements<'_>) -> Verdict);

/// Every check of the contract, in the order of its table.
const CHECKS: &[Check] = &[
    (Reason::Inputs, |m| {
        m.deployment().inputs.complete(Purpose::Run)
    }),
    (Reason::ClaudeExecutable, |m| paths::file(m, Role::Claude)),
    (Reason::EdgeExecutable, |m| paths::file(m, Role::Edge)),
    (Reason::NodeExecutable, |m| paths::file(m, Role::Node)),
    (Reason::RuntimeFile, |m| m.evidence().map(drop)),
    (Reason::EdgeConfig, |m| paths::file(m, Role::Config)),
    (Reason::ObservationLog, |m| {
        paths::observation_log(m).map(drop)
    }),
    (Reason::ObservationPlain, paths::observation_plain),
    (Reason::Workspace, paths::workspace),
    (Reason::WorkspaceSettings, paths::workspace_settings),
    (Reason::ManagedSettings, managed::settings),
    (Reason::ResultExisting, paths::result_existing),
    (Reason::OutputExisting, paths::output_existing),
    (Reason::OutputTarget, paths::output_target),
    (Reason::BaseUrl, |m| {
        form::well_formed(&m.deployment().inputs.base_url)
    }),
    (Reason::MetricsUrl, |m| {
        form::well_formed(&m.deployment().inputs.metrics_url)
    }),
    (Reason::Model, |m| {
        form::well_formed(&m.deployment().inputs.model)
    }),
    (Reason::SecretName, |m| {
        form::well_formed(&m.deployment().inputs.secret_name)
    }),
    (Reason::SecretValue, |m| {
        form::well_formed(&m.deployment().inputs.secret)
    }),
    (Reason::SchemaContract, |m| m.schema().map(drop)),
    (Reason::SourceHead, identity::source_head),
    (Reason::SourceBranch, identity::source_branch),
    (Reason::SourceWorktree, identity::source_worktree),
    (Reason::RunnerOs, identity::runner_os),
    (Reason::RunnerArch, identity::runner_arch),
    (Reason::WorkspaceOwnerOs, identity::workspace_owner_os),
    (Reason::WorkspaceRoot, identity::workspace_root),
    (Reason::WorkspaceOwner, identity::workspace_owner),
    (Reason::ClaudeDigest, identity::claude),
    (Reason::EdgeDigest, identity::edge),
    (Reason::NodeDigest, identity::node),
    (Reason::ConfigDigest, identity::config),
    (Reason::SchemaDigest, identity::schema),
    (Reason::BaseDigest, identity::base_url),
    (Reason::ModelDigest, identity::model),
    (Reason::ClaudeVersion, |m| {
        m.answer(Question::ClaudeVersion).map(drop)
    }),
    (Reason::ClaudeHelp, |m| {
        m.answer(Question::ClaudeHelp).map(drop)
    }),
    (Reason::EdgeVersion, |m| {
        m.answer(Question::EdgeVersion).map(drop)
    }),
    (Reason::NodeVersion, |m| {
        m.answer(Question::NodeVersion).map(drop)
    }),
    (Reason::ConfigCheck, |m| {
        m.answer(Question::ConfigCheck).map(drop)
    }),
    (Reason::ClaudeFlags, form::claude_flags),
    (Reason::ClaudeVersionDigest, identity::claude_version),
    (Reason::ClaudeHelpDigest, identity::claude_help),
    (Reason::EdgeVersionDigest, identity::edge_version),
    (Reason::NodeVersionDigest, identity::node_version),
    (Reason::ConfigCheckDigest, identity::config_check),
    (Reason::StageEngines, identity::stage_engines),
    (Reason::StageBinding, identity::stage_binding),
    (Reason::HealthListener, listeners::health),
    (Reason::MessagesListener, listeners::messages),
    (Reason::MetricsListener, |m| m.exposition().map(drop)),
    (Reason::MetricsCounter, |m| m.counter().map(drop)),
    (Reason::CatalogAuth, listeners::catalog_auth),
    (Reason::CatalogBody, |m| {
        listeners::catalog_body(m).map(drop)
    }),
    (Reason::CatalogModel, listeners::catalog_model),
    (Reason::CatalogIngress, listeners::catalog_ingress),
];

fn before(end: Reason) -> &'static [Check] {
    &CHECKS[..position(end)]
}

fn within(start: Reason, end: Reason) -> &'static [Check] {
    &CHECKS[position(start)..position(end)]
}

fn from(start: Reason) -> &'static [Check] {
    &CHECKS[position(start)..]
}

fn position(id: Reason) -> usize {
    CHECKS
        .iter()
        .position(|(known, _)| *known == id)
        .unwrap_or(CHECKS.len())
}

/// Runs some checks to the end and tells the first refusal, naming the others.
fn stage(measurements: &Measurements<'_>, checks: &[Check]) -> Verdict {
    let mut first: Option<Refusal> = None;
    for (id, judge) in checks {
        measurements.deployment().interrupt.check()?;
        let Err(refusal) = judge(measurements) else {
            continue;
        };
        first = Some(match first {
            None => refusal,
            // What an earlier check explains is not told again.
            Some(first) if refusal.reason() == first.reason() => first,
            Some(first) => first.line(&["also refused: ", id.id()]),
        });
    }
    first.map_or(Ok(()), Err)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_check_of_the_contract_is_run_in_its_order() {
        let ids: Vec<Reason> = CHECKS.iter().map(|(id, _)| *id).collect();
        assert_eq!(ids, Reason::preflight());
    }
}
