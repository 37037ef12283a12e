//! Every way to refuse is what at least one row expects.

use std::collections::BTreeSet;

use ::report::outcome::fault::JunitFault;
use harness::closed_set::ClosedSet;
use harness::constants::ClaudeFlag;
use harness::evidence::EvidenceFault;
use harness::inputs::fault::Fault;
use harness::manifest::validate::ManifestFault;
use harness::observation::verdict::ObservationFault;
use harness::preflight::managed::SettingsFault;
use harness::probe::catalog::CatalogFault;
use harness::probe::metrics::CounterFault;
use harness::reason::{ClaudeReason, Reason};
use harness::redaction::Kind;
use harness::refusal::Circumstance;
use harness::schema::SchemaFault;

use crate::{capture, drift, manifest, preflight, report, run, suite};

/// The codes of every table of rows. A new table is a line here.
pub(crate) fn expected() -> BTreeSet<&'static str> {
    [
        &[capture::CODES],
        drift::CODES_BY_MODULE,
        manifest::CODES,
        preflight::CODES,
        report::CODES,
        run::CODES,
        suite::CODES,
    ]
    .into_iter()
    .flatten()
    .copied()
    .flatten()
    .copied()
    .collect()
}

/// Asserts that each of these codes is expected by some row.
#[track_caller]
fn assert_expected(codes: impl IntoIterator<Item = String>) {
    let expected = expected();
    let missing: Vec<_> = codes
        .into_iter()
        .filter(|code| !expected.contains(&**code))
        .collect();
    assert!(missing.is_empty(), "no row expects {missing:?}");
}

/// Asserts that each member of a closed set of details is expected by some row.
#[track_caller]
fn assert_details<S: ClosedSet>(reason: Reason, members: &[S]) {
    let ids = members.iter().map(|member| member.id());
    assert_expected(ids.map(|id| format!("{reason} {id}")));
}

/// Asserts that each of these reasons is that of some row's code.
#[track_caller]
fn assert_reasons(reasons: &[Reason]) {
    let reached: BTreeSet<_> = expected()
        .into_iter()
        .filter_map(|code| Reason::from_id(code.split(' ').next()?))
        .collect();
    let missing: Vec<_> = reasons
        .iter()
        // The process exits by the signal's convention before anybody could be told.
        .filter(|&&reason| reason != Reason::Interrupted)
        .filter(|reason| !reached.contains(reason))
        .collect();
    assert_eq!(missing, Vec::<&Reason>::new(), "no row expects them");
}

#[test]
fn every_check_of_the_preflight() {
    assert_reasons(Reason::preflight());
}

#[test]
fn every_reason_of_the_run_and_of_what_surrounds_it() {
    assert_reasons(&Reason::ALL[Reason::preflight().len()..]);
}

#[test]
fn every_code_begins_with_a_reason() {
    for code in expected() {
        let id = code.split(' ').next().unwrap_or_default();
        assert!(Reason::from_id(id).is_some(), "{code}");
    }
}

#[test]
fn every_class_and_reason_of_a_failed_run() {
    let reasons = ClaudeReason::ALL
        .iter()
        // No process of a test outlives SIGKILL: the row is in the classifier's tables.
        .filter(|&&reason| reason != ClaudeReason::LeftProcesses)
        .map(|reason| format!("claude-failed {} {reason}", reason.class()));
    assert_expected(reasons);
}

#[test]
fn every_fault_of_the_observations() {
    assert_details(Reason::ObservationMismatch, ObservationFault::ALL);
}

#[test]
fn every_fault_of_a_log_that_is_not_left_alone() {
    let ways = [
        Circumstance::Replaced,
        Circumstance::Rewritten,
        Circumstance::Truncated,
        Circumstance::Unreadable,
    ];
    assert_details(Reason::ObservationRotated, &ways);
}

#[test]
fn every_fault_of_a_manifest() {
    assert_details(Reason::ManifestInvalid, ManifestFault::ALL);
}

#[test]
fn every_fault_of_a_junit_file() {
    assert_details(Reason::JunitInvalid, JunitFault::ALL);
}

#[test]
fn every_fault_of_the_counter() {
    assert_details(Reason::MetricsCounter, CounterFault::ALL);
}

#[test]
fn every_fault_of_the_catalog() {
    assert_details(Reason::CatalogBody, CatalogFault::ALL);
}

#[test]
fn every_fault_of_an_evidence_file() {
    assert_details(Reason::RuntimeFile, EvidenceFault::ALL);
}

#[test]
fn every_fault_of_a_schema() {
    assert_details(Reason::SchemaContract, SchemaFault::ALL);
}

#[test]
fn every_fault_of_administrator_settings() {
    assert_details(Reason::ManagedSettings, SettingsFault::ALL);
}

#[test]
fn every_flag_of_the_run() {
    assert_details(Reason::ClaudeFlags, ClaudeFlag::ALL);
}

#[test]
fn every_private_value_that_can_be_a_word_of_the_manifest() {
    // The others hold `/`, a scheme or blanks, which no manifest does: the scan's own rows find
    // every kind in every encoding.
    let kinds = [Kind::Model, Kind::Secret];
    assert_details(Reason::Redaction, &kinds);
}

#[test]
fn every_fault_of_an_input() {
    assert_detail_of_some_reason(Fault::ALL);
}

// That a file changes while it is hashed is told by inotify alone.
#[cfg(target_os = "linux")]
#[test]
fn every_circumstance() {
    // The variable that names worktree inputs is refused first; the digest's own rows have it.
    let outside = Circumstance::InputOutside;
    let rest = Circumstance::ALL.iter().copied();
    let rest: Vec<_> = rest.filter(|member| *member != outside).collect();
    assert_detail_of_some_reason(&rest);
}

/// Asserts that each of these is the detail of at least one expected code.
#[track_caller]
fn assert_detail_of_some_reason<S: ClosedSet>(members: &[S]) {
    let expected = expected();
    let details: BTreeSet<_> = expected
        .iter()
        .filter_map(|code| code.split(' ').nth(1))
        .collect();
    let ids = members.iter().map(|member| member.id());
    let missing: Vec<_> = ids.filter(|id| !details.contains(id)).collect();
    assert_eq!(missing, Vec::<&str>::new(), "no row expects them");
}

#[test]
fn every_way_in_which_the_counter_moves() {
    let ways = [Circumstance::Restart, Circumstance::Several];
    assert_details(Reason::IngressDelta, &ways);
}
