//! A run is read from its files as what it was.

use std::collections::BTreeSet;

use harness::reason::{ClaudeReason, Reason};
use report::outcome::code::{Cause, parse};
use report::outcome::{Conclusion, Counts, Outcome, State, Subject, Subtest};

use super::sample::{RUN, Sample, failure, published, test_of};
use crate::completeness;

pub(super) mod files;
pub(super) mod junit;

#[test]
fn a_passing_run() {
    let outcome = Sample::passing().outcome();
    assert_eq!(outcome.conclusion(), Conclusion::Proved);
    assert_eq!(outcome.run.as_str(), RUN);
    assert_eq!(outcome.subject, Subject::Live);
    assert_eq!(outcome.elapsed_ms, 3925);
    let started = &outcome.started;
    assert_eq!(
        [&*started.date, &started.time, &started.offset],
        ["2026-11-30", "14:13:12", "+00:00"]
    );
    assert_eq!(outcome.counts(), counts(57, 0, 0));
    assert_eq!(
        outcome.state(Subtest::Check(Reason::Inputs)),
        &State::Passed { elapsed_ms: 11 }
    );
    let subtests: Vec<_> = outcome.steps.iter().map(|step| step.subtest).collect();
    assert_eq!(subtests, Subtest::all().collect::<Vec<_>>());
}

#[test]
fn a_run_whose_manifest_is_not_given() {
    let outcome = Outcome::of(Sample::passing().text().as_bytes(), None).expect("it is read");
    assert_eq!(outcome.conclusion(), Conclusion::PassedUnseen);
}

#[test]
fn a_run_of_checks_alone() {
    let mut sample = Sample::passing();
    sample.cases.pop();
    assert_eq!(sample.outcome().conclusion(), Conclusion::ChecksOnly);
    assert_eq!(sample.outcome().counts(), counts(56, 0, 1));
}

#[test]
fn a_stand_in() {
    let text = Sample::passing().text().replace(" live", " stand-in");
    let outcome = Outcome::of(text.as_bytes(), Some(published())).expect("it is read");
    assert_eq!(outcome.subject, Subject::Standin);
}

#[test]
fn a_failing_check_in_whatever_order_the_file_has() {
    let mut sample = Sample::failing(
        &test_of(Reason::ConfigDigest),
        "Error: config-digest: expected sha256:00; found sha256:11",
    );
    sample.cases.reverse();
    let outcome = sample.outcome();
    assert_eq!(outcome.conclusion(), Conclusion::Refused);
    let at = Reason::ConfigDigest as usize;
    assert_eq!(outcome.counts(), counts(at, 1, 56 - at));
    let failures: Vec<_> = outcome.failures().collect();
    let [(Subtest::Check(Reason::ConfigDigest), failure)] = &failures[..] else {
        panic!("one failure: {failures:?}")
    };
    assert_eq!(code(&failure.cause), "config-digest");
    assert_eq!(
        failure.finding.as_deref(),
        Some("expected sha256:00; found sha256:11")
    );
}

/// What the first line and nextest's words for the end of a failing run are read as.
#[track_caller]
fn cause(message: &str, kind: &str) -> (Cause, Option<String>) {
    let mut sample = Sample::passing();
    let last = sample.cases.last_mut().expect("a test");
    last.1 = failure(message, kind);
    let outcome = sample.outcome();
    let (_, failure) = outcome.failures().next().expect("a failure");
    (failure.cause, failure.finding.clone())
}

#[test]
fn every_code_that_a_row_expects_is_read_back() {
    let unread: BTreeSet<_> = completeness::expected()
        .into_iter()
        .filter(|code| parse(code).map(|code| code.to_string()).as_deref() != Some(code))
        .collect();
    assert_eq!(unread, BTreeSet::new());
}

#[test]
fn every_reason_of_a_failed_claude_run_is_read_back() {
    for reason in ClaudeReason::ALL {
        let text = format!("claude-failed {} {reason}", reason.class());
        let message = format!(
            "Error: {text}: found 1 as exit status: {}",
            reason.meaning()
        );
        let (cause, _) = cause(&message, "test failure with exit code 101");
        assert_eq!(code(&cause), text);
    }
}

#[test]
fn a_code_with_a_word_of_no_closed_set_is_none() {
    for text in [
        "",
        "Error",
        "config-digest CANARY",
        "config-digest differs CANARY",
        "config-digest  differs",
        "CANARY config-digest",
        "claude-failed",
        "claude-failed api-rejected",
        "claude-failed http-404 api-rejected",
        "claude-failed bounds http-404",
        "Config-Digest",
    ] {
        assert_eq!(parse(text), None, "{text}");
        let (cause, finding) = cause(&format!("Error: {text}: CANARY"), "CANARY");
        assert_eq!((cause, finding), (Cause::Unexplained, None), "{text}");
    }
}

#[test]
fn what_ends_a_test_without_a_refusal() {
    for (kind, expected) in [
        ("test timeout", Cause::TimedOut),
        ("test abort", Cause::Signalled),
        ("test abort with signal 6 (SIGABRT)", Cause::Signalled),
        ("execution failure", Cause::NotStarted),
        (
            "test exited with code 0, but leaked handles so was marked failed",
            Cause::Leaked,
        ),
        ("test failure with exit code 101", Cause::Unexplained),
        ("test failure with exit code 1301", Cause::Unexplained),
    ] {
        let panic = "thread 'run::single_request' panicked at CANARY";
        assert_eq!(cause(panic, kind), (expected, None), "{kind}");
    }
    for signal in [129, 130, 143] {
        let kind = format!("test failure with exit code {signal}");
        assert_eq!(code(&cause("", &kind).0), "interrupted");
    }
}

#[test]
fn a_finding_is_passed_on_only_if_a_terminal_shows_it_as_it_is() {
    let long = "x".repeat(1025);
    for text in ["\u{1b}[31mCANARY", "CANARY\u{202e}", "\u{7f}", &long, ""] {
        let (cause, finding) = cause(&format!("Error: model-digest: {text}"), "");
        assert_eq!((code(&cause), finding), ("model-digest".into(), None));
    }
}

#[test]
fn a_test_that_passed_when_it_was_repeated_has_failed() {
    let mut sample = Sample::passing();
    let flaky = failure("Error: catalog-auth", "test failure with exit code 101");
    sample.cases[3].1 = flaky
        .replace("failure ", "flakyFailure ")
        .replace("/failure", "/flakyFailure");
    assert_eq!(sample.outcome().conclusion(), Conclusion::Refused);
}

fn code(cause: &Cause) -> String {
    match cause {
        Cause::Refused(code) => code.to_string(),
        cause => panic!("no refusal: {cause:?}"),
    }
}

fn counts(passed: usize, failed: usize, not_reached: usize) -> Counts {
    Counts {
        passed,
        failed,
        not_reached,
    }
}
