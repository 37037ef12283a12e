//! What exactly a 400 refused.

use harness::reason::ClaudeReason::*;
use serde_json::json;

use super::row::rows;
use super::run::{Run, failed, silent};

/// A 400 as 2.1.332 reports it.
fn refused(message: &str) -> Run {
    failed(&format!("API Error: 400 {message}"))
        .status(400)
        .api_type("unknown", "invalid_request_error")
}

/// A 400 as 2.1.113 reports it: the body as it came.
fn body(message: &str) -> Run {
    let body =
        json!({"type": "error", "error": {"type": "invalid_request_error", "message": message}});
    failed(&format!("API Error: 400 {body}"))
        .status(400)
        .error("unknown")
}

/// A 400 whose message a gateway quoted into JSON once more.
fn quoted_twice(message: &str) -> Run {
    body(&json!({"error": {"message": message}}).to_string())
}

rows! {
    beta_value: refused("Unexpected value(s) `made-up-1` for the `anthropic-beta` header.") => Err(UnsupportedBeta);
    beta_value_in_a_body: body("Unexpected value(s) `made-up-1` for the `anthropic-beta` header.") => Err(UnsupportedBeta);
    beta_value_quoted_twice_and_wrapped: quoted_twice("Unexpected value(s)\n  `made-up-1` for the\n  `anthropic-beta`\n  header") => Err(UnsupportedBeta);
    beta_wrapped_at_its_hyphen: quoted_twice("Unexpected value for the `anthropic-\n   beta` header") => Err(UnsupportedBeta);
    beta_wrapped_at_another_hyphen: body("Unexpected value for the `anthro-\r\npic-beta` header") => Err(UnsupportedBeta);
    beta_in_unicode_escapes: failed("API Error: 400 {\\\\u0022message\\\\u0022: \\\\u0022anthropic\\\\u002dbeta is invalid").status(400) => Err(UnsupportedBeta);
    beta_flag: refused("invalid beta flag") => Err(UnsupportedBeta);
    beta_in_capitals: refused("Anthropic-Beta: made-up-1 is not supported") => Err(UnsupportedBeta);
    beta_not_open: refused("The made-up context beta is not available for you.") => Err(UnsupportedBeta);
    beta_as_a_field: refused("anthropic_beta: Extra inputs are not permitted") => Err(UnsupportedBeta);
    beta_that_should_go: refused("Please remove the anthropic-beta header") => Err(UnsupportedBeta);
    beta_by_text_alone: failed("API Error: 400 unknown anthropic-beta value") => Err(UnsupportedBeta);
    beta_on_stderr: silent().exit(1).stderr("API Error: 400 unknown anthropic-beta value\n") => Err(UnsupportedBeta);
    beta_before_unknown_field: refused("unknown field: anthropic-beta") => Err(UnsupportedBeta);

    field_context_management: refused("context_management: Extra inputs are not permitted") => Err(UnknownField);
    field_in_a_body: body("context_management: Extra inputs are not permitted") => Err(UnknownField);
    field_quoted_twice: quoted_twice("context_management: Extra inputs\nare not permitted") => Err(UnknownField);
    field_wrapped_at_a_hyphen: body("x: Extra in-\nputs are not per-\nmitted") => Err(UnknownField);
    field_by_a_go_decoder: refused("json: unknown field \"made_up\"") => Err(UnknownField);
    field_unrecognized: refused("Unrecognized request argument supplied: made_up") => Err(UnknownField);
    field_that_needs_a_beta: refused("made_up: Extra inputs are not permitted. Please send the anthropic-beta header.") => Err(UnknownField);
    field_thinking: refused("thinking: Extra inputs are not permitted") => Err(UnknownField);
    field_output_config: refused("output_config: Extra inputs are not permitted") => Err(UnknownField);

    thinking_type: refused("thinking.type.enabled is not supported for this model. Use thinking.type.adaptive and output_config.effort.") => Err(InvalidThinking);
    thinking_type_in_a_body: body("\"thinking.type.enabled\" is not supported. Use output_config.effort instead") => Err(InvalidThinking);
    thinking_type_in_one_sentence: refused("thinking.type.enabled is not supported, use output_config.effort") => Err(InvalidThinking);
    thinking_type_quoted_twice: quoted_twice("thinking.type.enabled is not sup-\nported; try output_config.effort") => Err(InvalidThinking);
    thinking_tag: refused("thinking: Input tag 'enabled' does not match any of the expected tags") => Err(InvalidThinking);
    thinking_budget: refused("`budget_tokens` must be at least 1024") => Err(InvalidThinking);
    thinking_after_the_refusal: refused("This model does not support thinking") => Err(InvalidThinking);
    thinking_with_output_config: refused("thinking and output_config.effort cannot be combined") => Err(InvalidThinking);
    thinking_recommended_away: refused("Instead of thinking.type.enabled, use output_config.effort") => Err(InvalidThinking);
    thinking_may_not_use: refused("thinking cannot use output_config.effort") => Err(InvalidThinking);

    output_effort: refused("output_config.effort: Input should be 'low' or 'high'") => Err(InvalidOutputConfig);
    output_effort_in_a_body: body("output_config.effort 'made-up' is not supported. Use thinking.budget_tokens instead.") => Err(InvalidOutputConfig);
    output_effort_without_thinking: refused("output_config.effort cannot be used when thinking is disabled") => Err(InvalidOutputConfig);
    output_effort_behind_thinking: refused("When thinking is enabled, output_config.effort must not be low") => Err(InvalidOutputConfig);
    output_effort_after_the_refusal: refused("Invalid value for output_config.effort: thinking must be enabled") => Err(InvalidOutputConfig);
    output_effort_named_first: refused("Invalid value for output_config.effort, thinking must be enabled") => Err(InvalidOutputConfig);
    output_effort_parameter: refused("This model does not support the effort parameter.") => Err(InvalidOutputConfig);
    output_format: refused("output_format: this field is deprecated. Use output_config.format") => Err(InvalidOutputConfig);

    plain: refused("max_tokens: made up") => Err(Http400);
    empty: refused("") => Err(Http400);
    names_that_go_on: refused("rethinking, alphabeta, output_configs, the made-up-beta-model are invalid") => Err(Http400);
    names_a_beta_in_a_recommendation: refused("max_tokens is too large. See the anthropic-beta documentation.") => Err(Http400);
    names_thinking_under_another_status: failed("API Error: 500 thinking.type is not supported").status(500) => Err(Http5xx);
    backslashes_at_the_end: refused("\\\\\\") => Err(Http400);
    broken_escapes: refused("\\u12 \\ud83d \\uzzzz \\u00e") => Err(Http400);
}
