//! Logs that do not show exactly one request, planned, worked and reviewed.

use std::sync::Arc;

use serde_json::Value;
use standin::observations::lines;

use crate::run::row::rows;
use crate::trial::{BRIEF, Trial};

rows! {
    no_terminal_record => "observation-mismatch terminal-count", |t| {
        t.limits.settle = BRIEF;
        edit(t, |records| { records.pop(); });
    };
    request_duration => "observation-mismatch request-duration", |t| {
        edit(t, |records| records[0]["duration_ms"] = 7.into());
    };
    stage_order => "observation-mismatch stage-order", |t| edit(t, |records| records.swap(1, 2));
}

/// Has the served request leave other records.
fn edit(trial: &mut Trial, change: impl Fn(&mut Vec<Value>) + Send + Sync + 'static) {
    trial.standin.edge.behave(|behaviour| {
        behaviour.records = Some(Arc::new(move |mut records| {
            change(&mut records);
            lines(&records)
        }));
    });
}
