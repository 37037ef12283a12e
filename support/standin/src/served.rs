//! Answers of the Messages API, as its documentation on streaming describes them.

use serde_json::{Value, json};

/// Text of the final message.
pub const FINAL_TEXT: &str = "The file was created and its bytes were verified.";

/// The event stream of one finished message.
pub fn event_stream(model: &str) -> String {
    let usage = json!({"input_tokens": 10, "output_tokens": 1});
    let message = json!({
        "id": "msg_standin", "type": "message", "role": "assistant", "model": model,
        "content": [], "stop_reason": null, "stop_sequence": null, "usage": usage,
    });
    let events = [
        json!({"type": "message_start", "message": message}),
        json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}),
        json!({"type": "ping"}),
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": FINAL_TEXT}}),
        json!({"type": "content_block_stop", "index": 0}),
        json!({"type": "message_delta", "delta": {"stop_reason": "end_turn", "stop_sequence": null}, "usage": {"output_tokens": 12}}),
        json!({"type": "message_stop"}),
    ];
    events.iter().map(event).collect()
}

/// The event stream of a message that asks for the client's Bash tool.
pub fn tool_use(model: &str, command: &str) -> String {
    let input = json!({"command": command, "description": "x", "timeout": 600_000});
    let message = json!({
        "id": "msg_standin", "type": "message", "role": "assistant", "model": model,
        "content": [], "stop_reason": null, "stop_sequence": null,
        "usage": {"input_tokens": 10, "output_tokens": 1},
    });
    let tool = json!({"type": "tool_use", "id": "toolu_standin", "name": "Bash", "input": {}});
    let events = [
        json!({"type": "message_start", "message": message}),
        json!({"type": "content_block_start", "index": 0, "content_block": tool}),
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "input_json_delta", "partial_json": input.to_string()}}),
        json!({"type": "content_block_stop", "index": 0}),
        json!({"type": "message_delta", "delta": {"stop_reason": "tool_use", "stop_sequence": null}, "usage": {"output_tokens": 12}}),
        json!({"type": "message_stop"}),
    ];
    events.iter().map(event).collect()
}

/// One event of a stream.
pub fn event(data: &Value) -> String {
    format!(
        "event: {}\ndata: {data}\n\n",
        data["type"].as_str().unwrap_or_default()
    )
}

/// One finished message, for a request that asks for no stream.
pub fn message(model: &str) -> Value {
    json!({
        "id": "msg_standin", "type": "message", "role": "assistant", "model": model,
        "content": [{"type": "text", "text": FINAL_TEXT}],
        "stop_reason": "end_turn", "stop_sequence": null,
        "usage": {"input_tokens": 10, "output_tokens": 12},
    })
}

/// An error body.
pub fn error(kind: &str, message: &str) -> Value {
    json!({"type": "error", "error": {"type": kind, "message": message}})
}

/// The model catalog.
pub fn catalog(model: &str) -> Value {
    let item = |id: &str| json!({"id": id, "type": "model", "display_name": id, "created_at": "2026-01-01T00:00:00Z"});
    json!({
        "data": [item("standin-other-model"), item(model)],
        "has_more": false,
        "first_id": "standin-other-model",
        "last_id": model,
    })
}
