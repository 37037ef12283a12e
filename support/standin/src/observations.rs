//! Log lines as the Edge writes them.

use serde_json::{Value, json};

/// Correlation of the requests that the stand-in serves.
pub const CORRELATION: &str = "sr-standin-0001";

/// Milliseconds of plan, work and review.
pub const STAGE_MS: [u64; 3] = [120, 340, 80];
/// Milliseconds of the whole request.
pub const TERMINAL_MS: u64 = 560;

/// Lines that an Edge writes when it starts.
pub fn startup() -> String {
    [
        json!({"level": "info", "ts": 1_700_000_000.25, "caller": "edge/main.go:10", "msg": "edge listening for nodes"}),
        json!({"level": "info", "ts": 1_700_000_000.5, "caller": "edge/main.go:20", "msg": "openai-compatible server listening"}),
        json!({"level": "info", "ts": 1_700_000_001, "caller": "edge/node.go:30", "msg": "node ready"}),
    ]
    .iter()
    .map(|record| format!("{record}\n"))
    .collect()
}

/// The five records of one served request.
pub fn served() -> Vec<Value> {
    let [plan, work, review] = STAGE_MS;
    vec![
        record("request", None, "total", 0),
        record("stage", Some("plan"), "plan", plan),
        record("stage", Some("work"), "work", work),
        record("stage", Some("review"), "review", review),
        record("terminal", None, "terminal", TERMINAL_MS),
    ]
}

/// One record of a served request.
pub fn record(class: &str, stage: Option<&str>, operation: &str, duration_ms: u64) -> Value {
    let mut record = json!({
        "level": "info",
        "ts": 1_700_000_100.5,
        "caller": "openai/single_request.go:100",
        "msg": "edge_single_request_observation",
        "correlation": CORRELATION,
        "event_class": class,
        "operation": operation,
        "outcome": "success",
        "error_class": "none",
        "duration_ms": duration_ms,
        "tool_count": 2,
        "has_result": class == "terminal",
    });
    if let Some(stage) = stage {
        record["stage"] = stage.into();
    }
    record
}

/// Records as lines of a log.
pub fn lines(records: &[Value]) -> Vec<u8> {
    records
        .iter()
        .flat_map(|record| format!("{record}\n").into_bytes())
        .collect()
}
