//! Requests that the server refused, by status.

use harness::reason::ClaudeReason::*;
use serde_json::json;

use super::row::rows;
use super::run::{Run, control, failed, silent};

/// How 2.1.113 reports a refused request: the status, a rough kind, the body as it came.
fn oldest(status: u16, error: &str, api_type: &str) -> Run {
    let body = json!({"type": "error", "error": {"type": api_type, "message": "made up"}});
    failed(&format!("API Error: {status} {body}"))
        .status(status)
        .error(error)
}

/// How 2.1.332 reports it: the API's type as well, and the message alone.
fn newest(status: u16, error: &str, api_type: &str) -> Run {
    failed(&format!("API Error: {status} made up"))
        .status(status)
        .api_type(error, api_type)
}

rows! {
    http_400_in_2_1_113: oldest(400, "unknown", "invalid_request_error") => Err(Http400);
    http_400_in_2_1_332: newest(400, "unknown", "invalid_request_error") => Err(Http400);
    http_401_in_2_1_113: oldest(401, "authentication_failed", "authentication_error") => Err(Http401);
    http_401_in_2_1_332: newest(401, "authentication_failed", "authentication_error") => Err(Http401);
    http_401_of_a_bad_key: failed("Invalid API key · Fix it").status(401).error("authentication_failed") => Err(Http401);
    http_402_in_2_1_113: oldest(402, "unknown", "billing_error") => Err(Http402);
    http_402_in_2_1_332: newest(402, "unknown", "billing_error") => Err(Http402);
    http_402_of_a_low_balance: failed("Credit balance is too low").status(402)
        .api_type("billing_error", "billing_error") => Err(Http402);
    http_403_in_2_1_113: oldest(403, "authentication_failed", "permission_error") => Err(Http403);
    http_403_in_2_1_332: newest(403, "authentication_failed", "permission_error") => Err(Http403);
    http_403_with_exit_0: newest(403, "authentication_failed", "permission_error").exit(0) => Err(Http403);
    http_403_of_an_organisation: failed("Your organization has disabled this").status(403)
        .api_type("oauth_org_not_allowed", "permission_error") => Err(Http403);
    http_404_in_2_1_113: failed("There's an issue with the selected model (made-up).").status(404)
        .error("invalid_request") => Err(Http404);
    http_404_in_2_1_220: failed("There's an issue with the selected model (made-up).").status(404)
        .error("model_not_found") => Err(Http404);
    http_404_in_2_1_332: failed("There's an issue with the selected model (made-up).").status(404)
        .api_type("model_not_found", "not_found_error") => Err(Http404);
    http_404_without_digits_or_events: failed("That model is not there.").status(404) => Err(Http404);
    http_413_in_2_1_113: failed("Request too large (max 32MB).").status(413).error("invalid_request") => Err(Http413);
    http_413_in_2_1_332: failed("Request too large (max 32MB).").status(413)
        .api_type("invalid_request", "request_too_large").set("terminal_reason", "image_error") => Err(Http413);
    http_418: newest(418, "unknown", "teapot_error") => Err(ApiError);
    http_429_in_2_1_113: failed("API Error: Request rejected (429) · made up").status(429).error("rate_limit") => Err(Http429);
    http_429_in_2_1_332: failed("API Error: Request rejected (429) · made up").status(429)
        .api_type("rate_limit", "rate_limit_error") => Err(Http429);
    http_500_in_2_1_113: oldest(500, "server_error", "api_error") => Err(Http5xx);
    http_500_in_2_1_332: newest(500, "server_error", "api_error") => Err(Http5xx);
    http_502_without_a_body: failed("API Error: 502 status code (no body).").status(502).error("server_error") => Err(Http5xx);
    http_503_in_2_1_332: newest(503, "server_error", "api_error") => Err(Http5xx);
    http_504_page_in_2_1_113: failed("API Error: Made-up Gateway. This is a server-side issue.").status(504)
        .error("server_error") => Err(Http5xx);
    http_504_in_2_1_332: newest(504, "server_error", "timeout_error") => Err(Http5xx);
    http_529_in_2_1_113: oldest(529, "server_error", "overloaded_error") => Err(Http5xx);
    http_529_in_2_1_332: newest(529, "server_error", "overloaded_error") => Err(Http5xx);
    http_599: newest(599, "server_error", "api_error") => Err(Http5xx);

    // A status outweighs everything else.
    status_400_and_a_text_about_a_refused_connection: failed("API Error: 400 upstream ECONNREFUSED").status(400) => Err(Http400);
    status_400_and_an_answer_about_a_refused_connection: failed("API Error: 400 made up")
        .event(&json!({"type": "assistant", "message": {"content": [{"type": "text", "text": "ECONNREFUSED"}]}}))
        => Err(Http400);
    status_400_mentions_authentication: failed("API Error: 400 the authentication of field x").status(400) => Err(Http400);
    status_400_mentions_a_timeout: failed("API Error: 400 the upstream timed out").status(400) => Err(Http400);
    status_400_mentions_429: failed("API Error: 400 429 items at most, API Error: 429").status(400) => Err(Http400);
    status_500_mentions_401: failed("API Error: 500 API Error: 401 unauthorised").status(500).error("server_error") => Err(Http5xx);
    status_403_and_login: failed("Please run /login · API Error: 403 no").status(403) => Err(Http403);
    status_502_and_a_connection_kind: failed("API Error: 502 x").status(502).kind("server_error", "connection_failed") => Err(Http5xx);

    // A status that is none is no evidence.
    status_200_is_none: failed("API Error: 404 made up").status(200) => Err(Http404);
    status_as_a_string_is_none: failed("API Error: 404 made up").set("api_error_status", "500") => Err(Http404);
    status_as_a_fraction_is_none: failed("API Error: 404 made up").set("api_error_status", 500.5) => Err(Http404);
    status_over_a_million_is_none: failed("API Error: 404 made up").set("api_error_status", 1_000_500) => Err(Http404);
    status_negative_is_none: failed("API Error: 404 made up").set("api_error_status", -500) => Err(Http404);

    // The error event alone.
    type_invalid_request: failed("x").api_type("unknown", "invalid_request_error") => Err(Http400);
    type_authentication: failed("x").api_type("unknown", "authentication_error") => Err(Http401);
    type_billing: failed("x").api_type("billing_error", "billing_error") => Err(Http402);
    type_permission: failed("x").api_type("authentication_failed", "permission_error") => Err(Http403);
    type_not_found: failed("x").api_type("unknown", "not_found_error") => Err(Http404);
    type_too_large: failed("x").api_type("invalid_request", "request_too_large") => Err(Http413);
    type_rate_limit: failed("x").api_type("unknown", "rate_limit_error") => Err(Http429);
    type_overloaded: failed("x").api_type("unknown", "overloaded_error") => Err(Http5xx);
    type_timeout: failed("x").api_type("unknown", "timeout_error") => Err(Http5xx);
    type_api_error_told_inside_a_stream: failed("API Error: connection refused upstream")
        .api_type("unknown", "api_error") => Err(Http5xx);
    type_nobody_knows: failed("API Error: 429 made up").api_type("unknown", "teapot_error") => Err(Http429);
    kind_wins_over_the_rough_error: failed("x").kind("server_error", "stream_idle_timeout") => Err(NetworkTimeout);
    error_rate_limit: failed("x").error("rate_limit") => Err(Http429);
    error_model_not_found: failed("x").error("model_not_found") => Err(Http404);
    error_billing: failed("x").error("billing_error") => Err(Http400);
    error_server: failed("x").error("server_error") => Err(Http5xx);
    error_invalid_request: failed("x").error("invalid_request") => Err(Http400);
    error_invalid_request_about_the_model: failed("There’s an issue with the selected model (x).").error("invalid_request") => Err(Http404);
    error_invalid_request_too_large: failed("Request too large (max 32MB).").error("invalid_request") => Err(Http413);
    error_unknown: failed("x").error("unknown") => Err(ErrorResult);
    error_as_an_object: failed("x").event(&json!({"type": "assistant", "error": {"type": "rate_limit"}})) => Err(ErrorResult);
    error_in_the_message: failed("x").event(&json!({"type": "assistant", "message": {"error": "rate_limit"}})) => Err(ErrorResult);
    the_last_error_event_counts: failed("x").error("rate_limit").error("model_not_found") => Err(Http404);
    error_event_without_a_result: control().without_result().exit(1).error("model_not_found") => Err(Http404);

    // The text alone.
    text_400: failed("API Error: 400 made up") => Err(Http400);
    text_400_in_brackets: failed("API Error (400 made up)") => Err(Http400);
    text_401: failed("Failed to authenticate. API Error: 401 made up") => Err(Http401);
    text_402: failed("API Error: 402 made up") => Err(Http402);
    text_403_and_login: failed("Please run /login · API Error: 403 made up") => Err(Http403);
    text_403_beside_a_rough_error: failed("Please run /login · API Error: 403 made up").error("authentication_failed") => Err(Http403);
    text_404_page_not_found: failed("404 page not found") => Err(Http404);
    text_404_page_not_found_behind_the_prefix: failed("API Error: 404 404 page not found") => Err(Http404);
    text_404_about_the_model: failed("There's an issue with the selected model (made-up).") => Err(Http404);
    text_413: failed("Request too large (max 32MB).") => Err(Http413);
    text_429_rejected: failed("API Error: Request rejected (429) · made up") => Err(Http429);
    text_500: failed("API Error: 500 made up") => Err(Http5xx);
    text_502_around_a_400: failed("API Error: 502 {\"error\":{\"message\":\"upstream said 400\"}}") => Err(Http5xx);
    text_502_around_another_api_error: failed("API Error: 502 {\"message\":\"API Error: 400 no\"}") => Err(Http5xx);
    text_504_page: failed("API Error: 504 <html><head><title>Made up</title></head></html>") => Err(Http5xx);
    text_page_without_a_status: failed("API Error: Upstream timed out. This is a server-side issue, made up") => Err(Http5xx);
    text_529_repeated: failed("API Error: Repeated 529 overloads") => Err(Http5xx);
    text_low_balance: failed("Credit balance is too low") => Err(Http400);
    text_prompt_too_long: failed("Prompt is too long") => Err(Http400);
    text_body_told_inside_a_stream: failed(
        "API Error: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Connection refused; 429\"}}"
    ) => Err(Http5xx);
    text_body_of_an_unknown_type: failed("API Error: {\"error\":{\"type\":\"odd\",\"message\":\"timed out\"}}") => Err(ApiError);
    text_body_that_is_cut_off: failed("API Error: {\"error\":{\"type\":\"api_err") => Err(ApiError);
    text_body_of_a_refused_beta: failed(
        "API Error: {\"error\":{\"type\":\"invalid_request_error\",\"message\":\"invalid beta flag\"}}"
    ) => Err(UnsupportedBeta);
    text_418: failed("API Error: 418 made up") => Err(ApiError);
    text_with_the_prefix_alone: failed("API Error: made up") => Err(ApiError);
    stderr_500: silent().exit(1).stderr("API Error: 500 made up\n") => Err(Http5xx);
    stderr_behind_an_unexplained_error: failed("Something was odd.").stderr("API Error: 413 made up\n") => Err(Http413);
    stderr_404_page: silent().exit(1).stderr("unexpected answer: 404 page not found\n") => Err(Http404);

    // Numbers that are no statuses.
    number_in_a_path: failed("No such file: /srv/418-429/x") => Err(ErrorResult);
    number_in_a_path_behind_the_prefix: failed("API Error: no such file /srv/429/x") => Err(ApiError);
    number_with_four_digits: failed("API Error: 4290 made up") => Err(ApiError);
    number_that_goes_on: failed("API Error: 429-7 made up") => Err(ApiError);
    number_without_error: failed("API Error: 200 made up") => Err(ApiError);
    number_in_a_page_name: failed("/srv/x-404 page not found") => Err(ErrorResult);
    number_in_other_brackets: failed("Request noted (429) in the log") => Err(ErrorResult);
    sentence_inside_another: failed("The tool said: Credit balance is too low") => Err(ErrorResult);
}
