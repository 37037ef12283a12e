//! The summary of a run, as it is written.

use std::io::Write as _;

use anstream::StripStream;
use harness::digest::Digest;
use harness::reason::Reason;
use presenter::results::{Left, Place};
use presenter::summary::{Layout, write};
use report::outcome::Subject;

use crate::manifest::sample::{bytes_of, manifest};
use crate::report::sample::{Sample, failure, test_of};

const PLAIN: Layout = Layout {
    columns: None,
    block: '#',
    with_file: false,
};

fn left(sample: &Sample) -> Left {
    Left {
        outcome: sample.outcome(),
        manifest: place("at IOP_SMOKE_OUTPUT"),
        page: None,
    }
}

fn place(words: &str) -> Place {
    Place {
        words: words.into(),
        wrong: None,
    }
}

fn written(left: &Left, layout: Layout) -> String {
    let mut out = StripStream::new(Vec::new());
    write(&mut out, left, layout).expect("it is written");
    out.flush().expect("it is written");
    String::from_utf8(out.into_inner()).expect("text")
}

#[test]
fn what_was_proven() {
    let mut left = left(&Sample::passing());
    left.page = Some(place("next to the manifest"));
    let digest = &Digest::of(bytes_of(&manifest())).hex()[..12];
    assert_eq!(
        written(&left, PLAIN),
        format!(
            "
proved: one request was planned, worked and reviewed
  checks       56 passed
  source head  0123456789ab
  claude       c857d09db23e
  edge         a1cb100f57e9
  node         545ea5384610
  config       b79606fb3afe
  plan         120 ms     ###########
  work         340 ms     ################################
  review       80 ms      #######
  total        560 ms     ######################################################
  ingress      +1
  workspace    changed, 6db7d803e74f to f39592393ef0
  manifest     at IOP_SMOKE_OUTPUT
  digest       {digest}
  page         next to the manifest
"
        )
    );
}

#[test]
fn bars_are_as_wide_as_there_is_room() {
    let left = left(&Sample::passing());
    for (columns, plan, total) in [(40, 3, 14), (80, 11, 54), (20, 0, 0), (1_000, 12, 60)] {
        let layout = Layout {
            columns: Some(columns),
            block: '█',
            ..PLAIN
        };
        let written = written(&left, layout);
        let bar = |name: &str| {
            let mut lines = written.lines();
            let line = lines.find(|line| line.starts_with(&format!("  {name} ")));
            line.expect("a row").matches('█').count()
        };
        assert_eq!(
            (bar("plan"), bar("total")),
            (plan, total),
            "{columns} columns"
        );
    }
}

#[test]
fn styles_are_left_to_the_stream() {
    let mut styled = Vec::new();
    write(&mut styled, &left(&Sample::passing()), PLAIN).expect("it is written");
    assert!(styled.contains(&0x1b));
    assert!(!written(&left(&Sample::passing()), PLAIN).contains('\u{1b}'));
}

#[test]
fn the_stand_in_is_called_one() {
    let mut left = left(&Sample::passing());
    left.outcome.subject = Subject::Standin;
    let first = "\nproved: one request to the stand-in was planned, worked and reviewed\n";
    assert!(written(&left, PLAIN).starts_with(first));
}

#[test]
fn a_manifest_that_cannot_be_read_is_no_proof() {
    let mut left = left(&Sample::passing());
    left.outcome.manifest = None;
    left.manifest.wrong = Some("manifest-file absent".into());
    assert_eq!(
        written(&left, PLAIN),
        "
passed: but what it published cannot be read
  manifest     at IOP_SMOKE_OUTPUT: manifest-file absent
"
    );
}

#[test]
fn a_page_that_cannot_be_written_is_no_matter_of_the_verdict() {
    let mut left = left(&Sample::passing());
    left.page = Some(Place {
        words: "next to the manifest".into(),
        wrong: Some("report-existing".into()),
    });
    let written = written(&left, PLAIN);
    assert!(written.starts_with("\nproved: "), "{written}");
    assert!(written.ends_with("\n  page         next to the manifest: report-existing\n"));
}

#[test]
fn checks_alone_send_nothing() {
    let mut sample = Sample::passing();
    sample.cases.pop();
    let written = written(&left(&sample), PLAIN);
    assert_eq!(written, "\npassed: 56 of 56 checks; no request was sent\n");
}

#[test]
fn a_check_that_refused() {
    let message = "Error: config-digest: expected sha256:aa; found sha256:bb";
    let left = left(&Sample::failing("preflight::config_digest", message));
    let layout = Layout {
        columns: Some(60),
        with_file: true,
        ..PLAIN
    };
    assert_eq!(
        written(&left, layout),
        "
refused: config-digest
  expected     sha256:aa
  found        sha256:bb
  what to do   the Edge configuration is not the sealed one:
               restore it or capture the evidence anew
  run again    make preflight TEST=preflight::config_digest ENV=…
  tests        31 passed, 25 not run
  manifest     none: nothing was published
"
    );
}

#[test]
fn a_claude_run_that_failed() {
    let message = "Error: claude-failed api-rejected http-404: found 1 as exit status: status 404";
    let left = left(&Sample::failing("run::single_request", message));
    assert_eq!(
        written(&left, PLAIN),
        "
refused: claude-failed api-rejected http-404
  class        api-rejected: the gateway refused or broke the request
  reason       http-404: status 404
  found        1 as exit status: status 404
  what to do   the class and reason say what the CLI met; look at the Edge's log for the request
  run again    make smoke-live TEST=run::single_request
  tests        56 passed
  manifest     none: nothing was published
"
    );
}

#[test]
fn a_check_that_refused_within_the_run_is_what_is_run_again() {
    let message = "Error: base-digest: expected sha256:aa; found sha256:bb";
    let mut left = left(&Sample::failing("run::single_request", message));
    let again = "\n  run again    make preflight TEST=preflight::base_digest\n";
    assert!(written(&left, PLAIN).contains(again));
    left.outcome.subject = Subject::Standin;
    let again = "\n  run again    make smoke TEST=preflight::base_digest\n";
    assert!(written(&left, PLAIN).contains(again));
}

#[test]
fn a_test_that_failed_without_a_refusal() {
    let mut sample = Sample::failing("run::single_request", "");
    sample.cases[56].1 = failure("", "test timeout");
    assert_eq!(
        written(&left(&sample), PLAIN),
        "
failed: single-request
  found        it took too long, and nextest ended it
  run again    make smoke-live TEST=run::single_request
  tests        56 passed
  manifest     none: nothing was published
"
    );
}

#[test]
fn every_check_is_run_again_by_the_name_of_its_test() {
    for reason in Reason::preflight() {
        let test = test_of(*reason);
        let left = left(&Sample::failing(&test, &format!("Error: {reason}")));
        let again = format!("\n  run again    make preflight TEST={test}\n");
        let hint = format!("\n  what to do   {}\n", reason.hint());
        let written = written(&left, PLAIN);
        assert!(
            written.contains(&again) && written.contains(&hint),
            "{written}"
        );
    }
}
