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

/// Has the Edge take as long for each stage as its log says that it took.
pub fn in_real_time(edge: &Edge, log: PathBuf) {
    serve(edge, log, served());
}

/// Has each stage take so long, and the log say so.
pub fn each_stage_takes(edge: &Edge, log: PathBuf, time: Duration) {
    let stage = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    let mut records = served();
    for record in &mut records {
        match record["event_class"].as_str() {
            Some("stage") => record["duration_ms"] = stage.into(),
            Some("terminal") => record["duration_ms"] = stage.saturating_mul(3).into(),
            _ => {}
        }
    }
    serve(edge, log, records);
}

fn serve(edge: &Edge, log: PathBuf, mut records: Vec<Value>) {
    // The request's own record comes at once, the others while the request is served.
    let others = records.split_off(1);
    edge.behave(|behaviour| {
        behaviour.records = Some(Arc::new(move |_| lines(&records)));
        behaviour.during = Some(Arc::new(move || {
            for record in &others {
                if record["event_class"] == "stage" {
                    let ms = record["duration_ms"].as_u64().unwrap_or_default();
                    thread::sleep(Duration::from_millis(ms));
                }
                // A record that is missing is what the run refuses.
                let _ = append(&log, record);
            }
        }));
    });
}

fn append(log: &Path, record: &Value) -> io::Result<()> {
    let file = OpenOptions::new().append(true).open(log);
    file?.write_all(&lines(std::slice::from_ref(record)))
}
