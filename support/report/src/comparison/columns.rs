//! One series drawn as columns, a column a run.

use maud::{Markup, html};

use super::Series;
use super::changes::Change;
use crate::document::{percent, share};
use crate::quantity::duration;

/// Height of the tallest column.
const HEIGHT: f64 = 64.0;

/// Fewest runs that share the whole width: fewer do not get wider columns.
const LEAST_SLOTS: usize = 10;

/// Most run numbers that are written below the columns.
const MOST_NUMBERS: usize = 12;

/// Where the slot of a run begins, and how wide slots are, in shares of the width.
pub(super) struct Slots {
    slots: f64,
}

impl Slots {
    /// Slots for so many runs.
    pub(super) fn of(runs: usize) -> Self {
        Self {
            slots: runs.max(LEAST_SLOTS) as f64,
        }
    }

    /// A place in a run's slot: 0 is where it begins, 1 where it ends.
    pub(super) fn at(&self, run: usize, within: f64) -> String {
        percent(run as f64 + within, self.slots)
    }

    /// A share of a slot's width.
    fn width(&self, share: f64) -> String {
        percent(share, self.slots)
    }
}

/// The drawing of a series.
pub(super) fn drawing(index: usize, series: &Series, changes: &[Change]) -> Markup {
    let runs = series.values.len();
    let slots = Slots::of(runs);
    let most = series.spread.most as f64;
    let y = |ms: u64| format!("{:.2}", HEIGHT * (1.0 - share(ms as f64, most)));
    let height = |ms: u64| format!("{:.2}", HEIGHT * share(ms as f64, most));
    let every = runs.div_ceil(MOST_NUMBERS).max(1);
    let median = y(series.spread.median);
    let end = slots.at(runs, 0.0);
    html! {
        svg width="100%" height=(HEIGHT + 18.0) role="img"
            aria-labelledby={ "series-" (index) " series-text-" (index) } {
            title id={ "series-" (index) } { (series.name) ", run by run" }
            desc id={ "series-text-" (index) } {
                @for (run, ms) in series.values.iter().enumerate() {
                    "Run " (run + 1) ": " (duration(*ms)) ". "
                }
            }
            @for (run, ms) in series.values.iter().enumerate() {
                g {
                    title {
                        "Run " (run + 1) ": " (duration(*ms))
                        @for change in changes.iter().filter(|change| change.at(run).is_some()) {
                            ", " (change.name) " changed"
                        }
                    }
                    rect.bar x=(slots.at(run, 0.2)) y=(y(*ms)) width=(slots.width(0.6)) height=(height(*ms)) {}
                }
                @if run % every == 0 {
                    text.small x=(slots.at(run, 0.5)) y=(HEIGHT + 14.0) text-anchor="middle" { (run + 1) }
                }
            }
            line.rule x1="0" x2=(end) y1=(HEIGHT) y2=(HEIGHT) {}
            line.median x1="0" x2=(end) y1=(median) y2=(median) {}
        }
    }
}
