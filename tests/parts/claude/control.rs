//! Runs that pass: the control, and what must not be held against it.

use serde_json::json;

use super::row::rows;
use super::run::control;

rows! {
    control_passes: control() => Ok(());
    several_turns_pass: control().set("num_turns", 7) => Ok(());
    warnings_on_stderr_pass: control().stderr("Warning: ECONNREFUSED, API Error: 500\n") => Ok(());
    an_answer_about_errors_passes: control()
        .set("result", "API Error: 401 · Invalid API key · Please run /login (ECONNREFUSED)") => Ok(());
    unknown_events_pass: control()
        .event(&json!({"type": "rate_limit_event", "is_error": true}))
        .event(&json!({"type": "system", "subtype": "thinking_tokens"}))
        .event(&json!({"kind": "result", "is_error": true})) => Ok(());
    tool_results_with_errors_pass: control()
        .event(&json!({"type": "user", "message": {"content": [{"is_error": true}]}, "error": "x"})) => Ok(());
    a_nested_result_passes: control()
        .event(&json!({"type": "user", "message": {"type": "result", "is_error": true}})) => Ok(());
    a_nested_retry_passes: control()
        .event(&json!({"type": "stream_event", "event": {"type": "system", "subtype": "api_retry"}})) => Ok(());
    an_error_that_was_overcome_passes: control().error("server_error") => Ok(());
    a_null_error_passes: control()
        .event(&json!({"type": "assistant", "error": null, "api_error": null})) => Ok(());
    another_subtype_passes: control().set("subtype", "finished") => Ok(());
    an_absent_status_passes: control().without("api_error_status") => Ok(());
    a_line_that_is_not_json_passes: control().raw("node: warning\n") => Ok(());
    an_array_and_a_number_pass: control().raw("[{\"type\":\"result\"}]\n42\n") => Ok(());
    blank_lines_pass: control().raw("\n\r\n  \n") => Ok(());
    a_huge_line_passes: control().raw(vec![b'x'; 2 << 20]).raw("\n") => Ok(());
    an_event_cut_off_at_the_end_passes: control().then("{\"type\":\"result\",\"is_er") => Ok(());
    bytes_that_are_not_utf8_pass: control().raw(b"{\"type\":\"user\",\"x\":\"\xFF\xFE\"}\n") => Ok(());
    nul_bytes_pass: control().raw(b"\0\0\0\n") => Ok(());
    a_lone_surrogate_passes: control().raw("{\"type\":\"user\",\"x\":\"\\ud83d\"}\n") => Ok(());
    deep_nesting_passes: control()
        .raw(format!("{{\"type\":\"user\",\"x\":{}{}}}\n", "[".repeat(9999), "]".repeat(9999))) => Ok(());
}
