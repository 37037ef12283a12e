//! Streams that do not show one complete turn.

use harness::reason::ClaudeReason::*;
use serde_json::{Value, json};

use super::row::rows;
use super::run::{control, failed, silent};

/// The clean result once more.
fn second_result() -> Vec<u8> {
    control().result_line()
}

rows! {
    nothing_at_all: silent() => Err(NoResultEvent);
    no_result: control().without_result() => Err(NoResultEvent);
    no_result_but_a_warning: control().without_result().stderr("API Error: 500 made up\n") => Err(NoResultEvent);
    result_cut_off: control().without_result().then("{\"type\":\"result\",\"is_error\":false,") => Err(NoResultEvent);
    result_in_a_huge_line: control().set("result", "x".repeat(2 << 20)) => Err(NoResultEvent);
    result_in_an_array: control().without_result().then("[{\"type\":\"result\",\"is_error\":false}]\n") => Err(NoResultEvent);
    result_of_two_types: control().without_result()
        .then("{\"type\":\"result\",\"type\":\"user\",\"is_error\":false}\n") => Err(NoResultEvent);
    no_result_with_an_error_event: control().without_result().api_type("rate_limit", "rate_limit_error") => Err(Http429);
    two_results: control().then(second_result()) => Err(SeveralResultEvents);
    two_results_and_a_retry: control().retry().then(second_result()) => Err(SeveralResultEvents);
    two_results_and_a_failed_exit: control().then(second_result()).exit(1) => Err(SeveralResultEvents);
    a_clean_result_then_an_error: control()
        .then("{\"type\":\"result\",\"is_error\":true,\"api_error_status\":403}\n") => Err(Http403);
    an_error_then_a_clean_result: failed("API Error: 404 no").status(404).then(second_result()) => Err(Http404);
    an_unexplained_error_then_a_clean_result: failed("no words").exit(0).then(second_result()) => Err(ErrorResult);

    error_alone: control().set("is_error", true) => Err(ErrorResult);
    error_and_exit_1: failed("Something was odd.") => Err(ErrorResult);
    error_without_text: failed("").without("result") => Err(ErrorResult);
    error_before_the_turn: failed("").without("result").set("num_turns", 0)
        .set("errors", json!(["No session of that name"])) => Err(ErrorResult);
    error_of_too_many_turns: failed("").set("subtype", "error_max_turns").set("stop_reason", "tool_use") => Err(StopReason);
    is_error_as_a_string: control().set("is_error", "false") => Err(ErrorResult);
    is_error_as_a_number: control().set("is_error", 0) => Err(ErrorResult);
    is_error_null: control().set("is_error", Value::Null) => Err(ErrorResult);
    is_error_absent: control().without("is_error") => Err(ErrorResult);
    is_error_twice: control().without_result().then(
        "{\"type\":\"result\",\"is_error\":true,\"is_error\":false,\"stop_reason\":\"end_turn\",\"num_turns\":1}\n"
    ) => Err(ErrorResult);
    is_error_as_a_string_beside_an_answer_about_errors: control()
        .set("is_error", "false").set("result", "API Error: 429, Connection refused") => Err(ErrorResult);
    is_error_as_a_string_beside_a_status: control().set("is_error", "true").status(403) => Err(Http403);
    is_error_as_a_string_beside_a_400_about_betas: control()
        .set("is_error", "true").status(400).set("result", "anthropic-beta: unknown") => Err(Http400);
    a_result_that_is_only_a_type: control().without_result().then("{\"type\":\"result\"}\n") => Err(ErrorResult);

    stop_reason_max_tokens: control().set("stop_reason", "max_tokens") => Err(StopReason);
    stop_reason_tool_use: control().set("stop_reason", "tool_use") => Err(StopReason);
    stop_reason_null: control().set("stop_reason", Value::Null) => Err(StopReason);
    stop_reason_absent: control().without("stop_reason") => Err(StopReason);
    stop_reason_as_a_list: control().set("stop_reason", json!(["end_turn"])) => Err(StopReason);
    stop_reason_with_a_space: control().set("stop_reason", "end_turn ") => Err(StopReason);
    stop_reason_and_a_retry: control().set("stop_reason", "max_tokens").retry() => Err(StopReason);
    stop_reason_and_an_error_that_was_overcome: control().set("stop_reason", "max_tokens").error("rate_limit") => Err(StopReason);
    stop_reason_of_an_error_that_the_text_explains: failed("API Error: 429 made up").set("stop_reason", "tool_use") => Err(Http429);
    refusal_in_2_1_113: failed("API Error: Claude Code cannot answer that.").set("stop_reason", "refusal")
        .error("invalid_request") => Err(StopReason);
    output_limit_in_2_1_113: failed("API Error: The answer exceeded the limit.").error("max_output_tokens") => Err(StopReason);
    output_limit_in_2_1_332: failed("API Error: The answer exceeded the limit.")
        .kind("max_output_tokens", "max_output_tokens") => Err(StopReason);

    retry_then_clean: control().retry() => Err(Retried);
    two_retries_then_clean: control().retry().retry() => Err(Retried);
    retry_and_no_turns: control().retry().set("num_turns", 0) => Err(Retried);
    retry_then_a_known_error: failed("API Error: 529 busy").status(529).retry() => Err(Http5xx);
    retry_then_an_unknown_error: failed("Something was odd.").retry() => Err(ErrorResult);
    retry_and_a_failed_exit: control().retry().exit(1) => Err(Retried);

    no_turns: control().set("num_turns", 0) => Err(NoTurns);
    turns_absent: control().without("num_turns") => Err(NoTurns);
    turns_as_a_string: control().set("num_turns", "1") => Err(NoTurns);
    turns_negative: control().set("num_turns", -1) => Err(NoTurns);
    turns_as_a_fraction: control().set("num_turns", 1.5) => Err(NoTurns);

    exit_1_after_a_clean_result: control().exit(1) => Err(Unclassified);
    killed_after_a_clean_result: control().signal(9) => Err(Unclassified);
    terminated_after_a_clean_result: control().exit(143) => Err(Unclassified);
    exit_1_with_an_answer_about_errors: control().exit(1).set("result", "API Error: 429 ECONNREFUSED") => Err(Unclassified);
    exit_1_after_a_clean_result_with_a_reason_on_stderr: control().exit(1)
        .stderr("TypeError: fetch failed\n  cause: connect ECONNREFUSED\n") => Err(ConnectionRefused);
    exit_1_with_words_nobody_knows: silent().exit(1).stderr("Segmentation fault\n") => Err(Unclassified);
    exit_1_with_init_alone: control().without_result().exit(1) => Err(Unclassified);
    exit_127_with_nothing: silent().exit(127) => Err(Unclassified);
    killed_with_nothing: silent().signal(11) => Err(Unclassified);
    exit_1_with_tagged_data: silent().exit(1)
        .stderr("[claude-code:unrecognized_model] {\"model\":\"API Error: 401 ECONNREFUSED\"}\n") => Err(Unclassified);
}
