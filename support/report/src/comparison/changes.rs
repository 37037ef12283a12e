//! What differs between a run and the one before it.

use harness::digest::SHORT;
use maud::{Markup, html};

use super::columns::Slots;
use crate::outcome::Published;
use crate::page::digests::{Entry, groups};

/// Height of a row: its name and its marks.
const ROW: usize = 36;

/// A value of the manifests that is not the same in every run.
pub(super) struct Change {
    /// What it identifies.
    pub(super) name: &'static str,
    /// The values run by run, shortened.
    values: Vec<String>,
    /// Whether the value of a run differs from that of the run before it.
    changed: Vec<bool>,
}

impl Change {
    /// The value before a run and in it, if they differ.
    pub(super) fn at(&self, run: usize) -> Option<(&str, &str)> {
        let changed = self.changed.get(run).copied().unwrap_or_default();
        let before = self.values.get(run.checked_sub(1)?)?;
        changed.then_some((before, self.values.get(run)?))
    }
}

/// The values that are not the same in every run, in the order of a page's digests.
pub(super) fn of(runs: &[Published]) -> Vec<Change> {
    let by_run: Vec<Vec<_>> = runs
        .iter()
        .map(|run| {
            let head = Entry {
                name: "Source head",
                value: run.manifest.source.head.clone(),
            };
            let groups = groups(&run.manifest).into_iter();
            let entries = groups.flat_map(|(_, entries)| entries);
            [head].into_iter().chain(entries).collect()
        })
        .collect();
    let entries = by_run.first().map_or(0, Vec::len);
    let change = |index: usize| {
        let of_run = by_run.iter().filter_map(|entries| entries.get(index));
        let entries: Vec<_> = of_run.collect();
        let pairs = entries.windows(2);
        let differs = pairs.map(|pair| pair[0].value != pair[1].value);
        let changed: Vec<_> = [false].into_iter().chain(differs).collect();
        let name = entries.first()?.name;
        changed.contains(&true).then(|| Change {
            name,
            values: entries
                .iter()
                .map(|entry| shortened(&entry.value))
                .collect(),
            changed,
        })
    };
    (0..entries).filter_map(change).collect()
}

/// The first digits of a digest or commit; a platform as it is.
fn shortened(value: &str) -> String {
    let digits = value.strip_prefix("sha256:").unwrap_or(value);
    if digits.contains(' ') {
        digits.to_owned()
    } else {
        digits.chars().take(SHORT).collect()
    }
}

/// A row for each value that changes, with a mark at each run where it does.
pub(super) fn drawing(changes: &[Change], runs: usize) -> Markup {
    let slots = Slots::of(runs);
    html! {
        h3 {
            "What changed "
            span.quiet {
                @if changes.is_empty() { "nothing that the manifests hold" }
                @else { "a mark stands below the first run that is different" }
            }
        }
        @if !changes.is_empty() {
            svg width="100%" height=(changes.len() * ROW) role="img"
                aria-labelledby="changes-title changes-description" {
                title #changes-title { "What changed, run by run" }
                desc #changes-description {
                    @for change in changes {
                        (change.name) ": changed in run "
                        @for (index, run) in marked(change, runs).enumerate() {
                            @if index > 0 { ", " }
                            (run + 1)
                        }
                        ". "
                    }
                }
                @for (index, change) in changes.iter().enumerate() {
                    text.small x="0" y=(index * ROW + 12) { (change.name) }
                    line.rule x1="0" x2=(slots.at(runs, 0.0)) y1=(index * ROW + 22) y2=(index * ROW + 22) {}
                    @for run in marked(change, runs) {
                        g {
                            title { (change.name) " changed in run " (run + 1) }
                            circle.bar cx=(slots.at(run, 0.5)) cy=(index * ROW + 22) r="5" {}
                        }
                    }
                }
            }
        }
    }
}

/// The runs in which a value changed.
fn marked(change: &Change, runs: usize) -> impl Iterator<Item = usize> {
    (0..runs).filter(|run| change.at(*run).is_some())
}
