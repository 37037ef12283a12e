//! The tables of the README and of `docs` are those of the suite.

use std::fs;
use std::path::PathBuf;

use harness::environment::Environment;
use harness::environment::runner::Runner;
use harness::inputs::variable::Variable;
use harness::reason::{ClaudeClass, ClaudeReason, Reason};

const TROUBLESHOOTING: &str = "docs/troubleshooting.md";

fn path(name: &str) -> PathBuf {
    let runner = Runner::of(&Environment::of_process());
    runner.root().expect("the suite's root").join(name)
}

fn text(name: &str) -> String {
    fs::read_to_string(path(name)).expect("the file is there")
}

/// The rows of the table below this heading, without their outer bars.
fn table(file: &str, heading: &str) -> Vec<String> {
    let text = text(file);
    let below = text
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
fn every_reason_is_listed_once_with_what_to_do() {
    let reasons: Vec<_> = Reason::ALL
        .iter()
        .map(|reason| format!("`{reason}` | {}", reason.hint()))
        .collect();
    assert_eq!(table("README.md", "| id | what to do |"), reasons);
}

#[test]
fn every_reason_is_listed_once_with_its_usual_causes() {
    let rows = table(TROUBLESHOOTING, "| id | usual causes, and where to look |");
    let listed: Vec<_> = rows
        .iter()
        .map(|row| row.split_once(" | ").expect("two cells"))
        .collect();
    let ids: Vec<_> = listed.iter().map(|(id, _)| (*id).to_owned()).collect();
    let reasons: Vec<_> = Reason::ALL.iter().map(|id| format!("`{id}`")).collect();
    assert_eq!(ids, reasons);
    for (id, causes) in listed {
        assert!(causes.len() > 20, "no causes: {id}");
    }
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
    assert_eq!(table(TROUBLESHOOTING, "| class | reasons |"), classes);
}

#[test]
fn every_variable_is_listed() {
    let named = Variable::ALL.iter().map(|variable| variable.name());
    let mut variables: Vec<_> = named
        .filter(|name| name.starts_with("IOP_SMOKE_"))
        .map(|name| format!("`{name}`"))
        .collect();
    let mut listed: Vec<_> = table("README.md", "| variable | meaning |")
        .iter()
        .filter_map(|row| row.split(" | ").next().map(str::to_owned))
        .collect();
    variables.sort();
    listed.sort();
    assert_eq!(listed, variables);
}

#[test]
fn every_constant_of_the_contract_is_listed_with_what_else_changes() {
    let listed = table(
        "docs/constants.md",
        "| constant | what else changes with it |",
    );
    let listed = listed.concat();
    let source = text("support/harness/src/constants.rs");
    let names: Vec<_> = source
        .lines()
        .filter_map(|line| line.strip_prefix("pub const ")?.split(':').next())
        .collect();
    assert!(names.len() > 20, "the constants are found");
    let missing: Vec<_> = names
        .into_iter()
        .filter(|name| !listed.contains(&format!("`{name}`")))
        .collect();
    assert_eq!(missing, Vec::<&str>::new());
}

#[test]
fn every_link_between_the_documents_leads_somewhere() {
    let pages = [
        "adding-a-check",
        "constants",
        "data-flow",
        "threat-model",
        "troubleshooting",
    ];
    let pages = pages.map(|page| format!("docs/{page}.md"));
    let readme = text("README.md");
    for page in &pages {
        assert!(
            readme.contains(&format!("({page})")),
            "the README links {page}"
        );
    }
    for page in pages.iter().map(String::as_str).chain(["README.md"]) {
        let folder = path(page);
        for link in text(page).split("](").skip(1) {
            let link = link.split([')', '#']).next().expect("a target");
            if !link.is_empty() && !link.contains("://") {
                let target = folder.with_file_name(link);
                assert!(target.exists(), "{page}: {link}");
            }
        }
    }
}
