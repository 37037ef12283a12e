//! The tables cover every reason, and every row says something.

use std::collections::BTreeSet;

use harness::reason::ClaudeReason;

use super::row::Row;
use super::run::control;
use super::{
    bad_request, bounds, control as passing, credentials, protocol, statuses, transport, usage,
};

fn rows() -> impl Iterator<Item = &'static Row> {
    [
        passing::ROWS,
        bounds::ROWS,
        protocol::ROWS,
        statuses::ROWS,
        credentials::ROWS,
        transport::ROWS,
        usage::ROWS,
        bad_request::ROWS,
    ]
    .into_iter()
    .flatten()
}

#[test]
fn every_reason_is_expected_by_some_row() {
    let expected: BTreeSet<_> = rows().filter_map(|row| row.expected.err()).collect();
    let missing: Vec<_> = ClaudeReason::ALL
        .iter()
        // Needs the ingress counter, which is not in the output.
        .filter(|&&reason| reason != ClaudeReason::NoIngress)
        .filter(|reason| !expected.contains(reason))
        .collect();
    assert_eq!(missing, Vec::<&ClaudeReason>::new());
}

#[test]
fn every_row_differs_from_the_control_and_from_every_other() {
    let mut seen = BTreeSet::new();
    for row in rows() {
        let ended = (row.run)().ended();
        let input = format!("{:?} {:?} {}", ended.cause, ended.status, ended.left);
        assert!(
            seen.insert((input, ended.stdout, ended.stderr)),
            "{} repeats another row",
            row.name
        );
    }
    assert!(seen.len() > 120);
    assert!(!control().stdout().is_empty());
}
