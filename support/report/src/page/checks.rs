//! Every check, in groups, with what became of it.

use harness::reason::Reason;
use maud::{Markup, html};

use crate::outcome::{Outcome, State, Step, Subtest};
use crate::quantity::duration;

/// Groups of checks by the last check of each, in the order in which they run.
const GROUPS: [(&str, Reason); 9] = [
    ("Inputs", Reason::Inputs),
    ("Executables, files and folders", Reason::OutputTarget),
    ("Addresses, names and schema", Reason::SchemaContract),
    ("Sources", Reason::SourceWorktree),
    ("Host and workspace", Reason::WorkspaceOwner),
    ("Sealed digests", Reason::ModelDigest),
    ("What the executables say", Reason::ConfigCheckDigest),
    ("Stages", Reason::StageBinding),
    ("Listeners and catalog", Reason::CatalogIngress),
];

/// The section with the tables.
pub(super) fn section(outcome: &Outcome) -> Markup {
    let counts = outcome.counts();
    html! {
        section {
            h2 { "Checks" }
            p {
                span.good { "✓ " (counts.passed) " passed" } ", "
                span class=(if counts.failed == 0 { "quiet" } else { "bad" }) {
                    "✕ " (counts.failed) " failed"
                } ", "
                span.quiet { "– " (counts.not_reached) " not reached" }
            }
            div.groups {
                @for (name, steps) in groups(&outcome.steps) {
                    table {
                        caption { (name) }
                        tbody {
                            @for step in steps { (row(step)) }
                        }
                    }
                }
            }
        }
    }
}

/// The steps by their groups; the run is a group of its own.
fn groups(steps: &[Step]) -> Vec<(&'static str, &[Step])> {
    let mut groups = Vec::new();
    let mut rest = steps;
    for (name, last) in GROUPS {
        let is_last = |step: &Step| step.subtest == Subtest::Check(last);
        let end = rest.iter().position(is_last).map_or(0, |at| at + 1);
        let (group, behind) = rest.split_at(end);
        groups.push((name, group));
        rest = behind;
    }
    groups.push(("The run", rest));
    groups
}

fn row(step: &Step) -> Markup {
    let (class, mark, word, elapsed) = match &step.state {
        State::Passed { elapsed_ms } => ("good", "✓", "passed", Some(elapsed_ms)),
        State::Failed { elapsed_ms, .. } => ("bad", "✕", "failed", Some(elapsed_ms)),
        State::NotReached => ("quiet", "–", "not reached", None),
    };
    html! {
        tr {
            td class={ "mark " (class) } {
                span aria-hidden="true" { (mark) }
                span.hidden { (word) }
            }
            th scope="row" class=[(class != "good").then_some(class)] { samp { (step.subtest) } }
            td.number.quiet {
                @match elapsed {
                    Some(elapsed_ms) => (duration(*elapsed_ms)),
                    None => "not reached",
                }
            }
        }
    }
}
