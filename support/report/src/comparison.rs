//! The page of several runs, compared by their manifests.
//!
//! A manifest holds no time of day, so the order is the one in which the
//! manifests were given. The time of a file would be another order after a copy.

use maud::{Markup, html};

use crate::document::{document, kicker};
use crate::outcome::Published;
use crate::page;
use crate::quantity::{Spread, Unit, duration};

mod changes;
mod columns;

use changes::Change;

/// The durations of one stage, or of the request, run by run.
struct Series {
    name: String,
    values: Vec<u64>,
    spread: Spread,
}

impl Series {
    fn of(name: &str, values: Vec<u64>) -> Self {
        Self {
            name: name.to_owned(),
            spread: Spread::of(&values),
            values,
        }
    }
}

/// The page of several runs, in the order in which they are given.
pub fn of_manifests(runs: &[Published]) -> String {
    let series = series(runs);
    let changes = changes::of(runs);
    let title = format!("{} runs compared", runs.len());
    let body = html! {
        header {
            (kicker())
            h1 { (title) }
            p.lead {
                "Every manifest keeps the rules of its format. Runs are numbered in the order \
                 in which their manifests were given: a manifest holds no time of day."
            }
        }
        section {
            h2 { "How long the stages took" }
            p.note {
                "One column a run, from 0; each row has its own scale. The dashed line is the median."
            }
            @for (index, series) in series.iter().enumerate() {
                h3 { (series.name) " " span.quiet { (told(series.spread)) } }
                (columns::drawing(index, series, &changes))
            }
            (changes::drawing(&changes, runs.len()))
        }
        (figures(&series))
        section {
            h2 { "Runs, and what changed" }
            ol.runs {
                @for (index, run) in runs.iter().enumerate() {
                    (run_item(index, run, &changes))
                }
            }
        }
        (page::footer(page::Basis::Manifests))
    };
    document(&format!("{title} – iop-smoke"), &body)
}

/// The stages and then the request.
fn series(runs: &[Published]) -> Vec<Series> {
    let request = runs.iter().map(|run| run.manifest.terminal.duration_ms);
    let mut series = vec![Series::of("request", request.collect())];
    for (index, (name, _)) in harness::constants::STAGES.iter().enumerate() {
        let stages = runs.iter().filter_map(|run| run.manifest.stages.get(index));
        series.push(Series::of(
            name,
            stages.map(|stage| stage.duration_ms).collect(),
        ));
    }
    series
}

fn told(spread: Spread) -> String {
    let Spread {
        least,
        median,
        most,
    } = spread;
    format!(
        "median {}, from {} to {}",
        duration(median),
        duration(least),
        duration(most)
    )
}

/// The table of every duration.
fn figures(series: &[Series]) -> Markup {
    let most = series.iter().map(|series| series.spread.most).max();
    let unit = Unit::up_to(most.unwrap_or_default());
    let runs = series.first().map_or(0, |series| series.values.len());
    let line = |name: &str, value: &dyn Fn(&Series) -> Option<u64>| {
        html! {
            tr {
                th scope="row" { (name) }
                @for series in series {
                    td.number { @if let Some(ms) = value(series) { (unit.figure(ms)) } }
                }
            }
        }
    };
    html! {
        section {
            h2 { "Figures" }
            p.note { "In " (unit.name()) "." }
            table.figures {
                thead {
                    tr {
                        th scope="col" { "run" }
                        @for series in series { th.number scope="col" { (series.name) } }
                    }
                }
                tbody {
                    @for run in 0..runs {
                        (line(&(run + 1).to_string(), &|series| series.values.get(run).copied()))
                    }
                }
                tbody {
                    (line("median", &|series| Some(series.spread.median)))
                    (line("least", &|series| Some(series.spread.least)))
                    (line("most", &|series| Some(series.spread.most)))
                }
            }
        }
    }
}

/// One run: what it is, and what is different from the one before it.
fn run_item(index: usize, run: &Published, changes: &[Change]) -> Markup {
    let changed: Vec<_> = changes
        .iter()
        .filter_map(|change| change.at(index).map(|from_to| (change.name, from_to)))
        .collect();
    html! {
        li {
            h3 {
                "Run " (index + 1) " "
                span.quiet {
                    "source " (run.manifest.source.short_head())
                    ", manifest " (run.digest.short()) ", "
                    @if index == 0 { "the first" }
                    @else if changed.is_empty() { "nothing changed" }
                    @else if changed.len() == 1 { "1 value changed" }
                    @else { (changed.len()) " values changed" }
                }
            }
            @if !changed.is_empty() {
                dl.pairs {
                    @for (name, (from, to)) in changed {
                        div { dt { (name) } dd { samp { (from) } " → " samp { (to) } } }
                    }
                }
            }
        }
    }
}
