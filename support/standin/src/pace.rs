//! An Edge that takes its time: each record is written when its stage is done.

use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use serde_json::Value;

use crate::edge::Edge;
use crate::observations::{lines, served};

/// Has each stage take so long, and the log of the Edge say so.
pub fn each_stage_takes(edge: &Edge, log: PathBuf, time: Duration) {
    let records = paced(time);
    edge.behave(|behaviour| {
        // The request's own record comes at once, the others while the request is served.
        behaviour.records = Some(Arc::new(|records| lines(&records[..1])));
        behaviour.during = Some(Arc::new(move || {
            for record in &records {
                if record["event_class"] == "stage" {
                    thread::sleep(time);
                }
                // Without the log there is nothing to be shown.
                let _ = append(&log, record);
            }
        }));
    });
}

/// The records after the request's own, with these times.
fn paced(time: Duration) -> Vec<Value> {
    let stage = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    let mut records = served().split_off(1);
    for record in &mut records {
        let stages = if record["event_class"] == "stage" {
            1
        } else {
            3
        };
        record["duration_ms"] = stage.saturating_mul(stages).into();
    }
    records
}

fn append(log: &Path, record: &Value) -> io::Result<()> {
    let file = OpenOptions::new().append(true).open(log);
    file?.write_all(&lines(std::slice::from_ref(record)))
}
