//! The README's tables are those of the suite.

use std::fs;

use harness::environment::Environment;
use harness::environment::runner::Runner;
use harness::inputs::variable::Variable;
use harness::reason::{ClaudeClass, ClaudeReason, Reason};

/// The rows of the table below this heading, without their outer bars.
fn table(heading: &str) -> Vec<String> {
    let runner = Runner::of(&Environment::of_process());
    let root = runner.root().expect("the suite's root");
    let readme = fs::read_to_string(root.join("README.md")).expect("the README");
    let below = readme
        .lines()
        .skip_while(|line| *line != heading)
        // The heading and the line that separates it.
        .skip(2);
    below
        .map_while(|line| line.strip_prefix("| ")?.strip_suffix(" |"))
        .map(str::to_owned)
        .collect()
}

#[test]
fn every_reason_is_listed_with_what_to_do() {
    let reasons: Vec<_> = Reason::ALL
        .iter()
        .map(|reason| format!("`{reason}` | {}", reason.hint()))
        .collect();
    assert_eq!(table("| id | what to do |"), reasons);
}

#[test]
fn every_class_is_listed_with_its_reasons() {
    let classes: Vec<_> = ClaudeClass::ALL
        .iter()
        .map(|class| {
            let reasons = ClaudeReason::ALL
                .iter()
                .filter(|reason| reason.class() == *class);
            let reasons: Vec<_> = reasons.map(|reason| format!("`{reason}`")).collect();
            format!("`{class}` | {}", reasons.join(", "))
        })
        .collect();
    assert_eq!(table("| class | reasons |"), classes);
}

#[test]
fn every_variable_is_listed() {
    let named = Variable::ALL.iter().map(|variable| variable.name());
    let mut variables: Vec<_> = named
        .filter(|name| name.starts_with("IOP_SMOKE_"))
        .map(|name| format!("`{name}`"))
        .collect();
    let mut listed: Vec<_> = table("| variable | meaning |")
        .iter()
        .filter_map(|row| row.split(" | ").next().map(str::to_owned))
        .collect();
    variables.sort();
    listed.sort();
    assert_eq!(listed, variables);
}
