//! The stages of a request, drawn to scale.
//!
//! Widths are shares of whatever width the page has, heights and letters are not
//! scaled: the labels stay readable on a phone.

use harness::manifest::Manifest;
use maud::{Markup, html};

use crate::document::percent;
use crate::quantity::duration;

/// Height of a row: its label and its bar.
const ROW: usize = 40;

/// One row of the drawing.
struct Row {
    label: String,
    class: &'static str,
    from: u128,
    ms: u64,
}

/// The section with the drawing.
pub(super) fn section(manifest: &Manifest) -> Markup {
    let total = u128::from(manifest.terminal.duration_ms);
    let stages: u128 = manifest
        .stages
        .iter()
        .map(|stage| u128::from(stage.duration_ms))
        .sum();
    let rows = rows(manifest, stages);
    let scale = total.max(stages);
    let height = rows.len() * ROW;
    html! {
        section {
            h2 { "Stages" }
            p.note {
                "Drawn one behind the other: the manifest holds how long each stage took, \
                 not when it began."
                @if stages > total {
                    " Together they took longer than the request is said to have taken."
                }
            }
            svg width="100%" height=(height) role="img" aria-labelledby="stages-title stages-description" {
                title #stages-title { "How long the stages took" }
                desc #stages-description {
                    @for row in &rows { (row.label) ": " (duration(row.ms)) ". " }
                }
                @for (index, row) in rows.iter().enumerate() {
                    text x="0" y=(index * ROW + 15) { (row.label) }
                    text x="100%" y=(index * ROW + 15) text-anchor="end" { (duration(row.ms)) }
                    rect.track x="0" y=(index * ROW + 21) width="100%" height="10" {}
                    rect class=(row.class) x=(percent(row.from as f64, scale as f64))
                        y=(index * ROW + 21) height="10"
                        width=(percent(row.ms as f64, scale as f64)) {}
                }
            }
        }
    }
}

/// The stages, what is left of the request, and the request itself.
fn rows(manifest: &Manifest, stages: u128) -> Vec<Row> {
    let mut from = 0;
    let mut rows = Vec::new();
    for stage in &manifest.stages {
        rows.push(Row {
            label: format!("{} on {}", stage.stage, stage.engine_family),
            class: "bar",
            from,
            ms: stage.duration_ms,
        });
        from += u128::from(stage.duration_ms);
    }
    let total = manifest.terminal.duration_ms;
    let rest = u128::from(total).saturating_sub(stages);
    // What is left of a `u64` is one.
    if let Ok(ms @ 1..) = u64::try_from(rest) {
        rows.push(Row {
            label: "outside the stages".to_owned(),
            class: "whole",
            from,
            ms,
        });
    }
    rows.push(Row {
        label: "the whole request".to_owned(),
        class: "whole",
        from: 0,
        ms: total,
    });
    rows
}
