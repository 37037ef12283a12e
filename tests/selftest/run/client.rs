//! Runs of the CLI that are no success: every class and reason, from what it prints or meets to
//! the end of the run.

use std::path::PathBuf;

use serde_json::{Value, json};
use standin::edge::Reply;
use standin::script::Printed;
use standin::served;

use crate::run::row::rows;
use crate::trial::Trial;

rows! {
    option_refused => "claude-failed cli-validation cli-usage", |t| instead(t, fails("error: unknown option '--bare'\n"));

    key_refused => "claude-failed authentication-rejected http-401", |t| answers(t, 401, "authentication_error", "no");
    no_usable_key => "claude-failed authentication-rejected authentication", |t| {
        instead(t, Printed { stdout: init(), ..fails("Invalid API key · Please run /login\n") });
    };

    connection_refused => "claude-failed transport-failure connection-refused", |t| {
        instead(t, failed("API Error: Unable to connect to API (ConnectionRefused)"));
    };
    connection_reset => "claude-failed transport-failure connection-reset", |t| {
        after(t, failed("API Error: Unable to connect to API (ECONNRESET)"));
    };
    network_timeout => "claude-failed transport-failure network-timeout", |t| after(t, failed("Request timed out"));
    dns_failure => "claude-failed transport-failure dns-failure", |t| {
        instead(t, failed("API Error: Unable to connect to API (ENOTFOUND)"));
    };
    tls_certificate => "claude-failed transport-failure tls-certificate", |t| {
        instead(t, failed("Unable to connect to API: Self-signed certificate detected"));
    };
    fetch_failed => "claude-failed transport-failure fetch-failed", |t| instead(t, fails("TypeError: fetch failed\n"));
    connection_error => "claude-failed transport-failure connection-error", |t| instead(t, failed("API Error: Connection error."));

    beta_refused => "claude-failed api-rejected unsupported-beta", |t| {
        answers(t, 400, "invalid_request_error", "Unexpected value(s) `made-up-1` for the `anthropic-beta` header.");
    };
    field_refused => "claude-failed api-rejected unknown-field", |t| {
        answers(t, 400, "invalid_request_error", "context_management: Extra inputs are not permitted");
    };
    thinking_refused => "claude-failed api-rejected invalid-thinking", |t| {
        answers(t, 400, "invalid_request_error", "thinking.type.enabled is not supported: use output_config.effort");
    };
    output_config_refused => "claude-failed api-rejected invalid-output-config", |t| {
        answers(t, 400, "invalid_request_error", "output_config.effort: made-up is not one of the values");
    };
    status_400 => "claude-failed api-rejected http-400", |t| answers(t, 400, "invalid_request_error", "no");
    status_402 => "claude-failed api-rejected http-402", |t| answers(t, 402, "billing_error", "no");
    status_403 => "claude-failed api-rejected http-403", |t| answers(t, 403, "permission_error", "no");
    status_403_in_a_result_called_success => "claude-failed api-rejected http-403", |t| {
        after(t, with(json!({"is_error": true, "api_error_status": 403, "result": "no"})));
    };
    status_404 => "claude-failed api-rejected http-404", |t| answers(t, 404, "not_found_error", "no");
    status_413 => "claude-failed api-rejected http-413", |t| answers(t, 413, "request_too_large", "no");
    status_429 => "claude-failed api-rejected http-429", |t| answers(t, 429, "rate_limit_error", "no");
    status_529 => "claude-failed api-rejected http-5xx", |t| answers(t, 529, "overloaded_error", "no");
    malformed_response => "claude-failed api-rejected malformed-response", |t| {
        after(t, failed("API Error: Stream ended without receiving any events"));
    };
    status_418 => "claude-failed api-rejected api-error", |t| answers(t, 418, "teapot_error", "no");

    hanging_after_its_result => "claude-failed bounds deadline", |t| {
        t.standin.set("IOP_SMOKE_RUN_TIMEOUT", "1");
        after(t, Printed { hang: true, ..with(json!({})) });
    };
    too_long_on_stdout => "claude-failed bounds stdout-overflow", |t| {
        after(t, Printed { stdout_flood: OVER_LONG - with(json!({})).stdout.len(), ..with(json!({})) });
    };
    too_long_on_stderr => "claude-failed bounds stderr-overflow", |t| after(t, Printed { stderr_flood: OVER_LONG, ..with(json!({})) });

    nothing_printed => "claude-failed protocol no-result-event", |t| after(t, Printed::default());
    two_results => "claude-failed protocol several-result-events", |t| {
        after(t, Printed::text(format!("{}{}{}", init(), result(json!({})), result(json!({})))));
    };
    error_result => "claude-failed protocol error-result", |t| after(t, with(json!({"is_error": true})));
    another_stop_reason => "claude-failed protocol stop-reason", |t| after(t, with(json!({"stop_reason": "max_tokens"})));
    repeated_request => "claude-failed protocol retried", |t| {
        let retry = json!({"type": "system", "subtype": "api_retry", "attempt": 1, "error_status": 529});
        after(t, Printed::text(format!("{}{retry}\n{}", init(), result(json!({})))));
    };
    no_turns => "claude-failed protocol no-turns", |t| after(t, with(json!({"num_turns": 0})));

    gateway_bypassed => "claude-failed gateway-bypassed no-ingress", |t| instead(t, with(json!({})));

    exit_3_after_a_clean_result => "claude-failed unknown unclassified", |t| after(t, Printed { exit: 3, ..with(json!({})) });
    exit_1_with_nothing => "claude-failed unknown unclassified", |t| instead(t, fails(""));
}

/// One byte more than each of the CLI's streams may hold.
const OVER_LONG: usize = (8 << 20) + 1;

/// Has the CLI print this without asking the Edge.
fn instead(trial: &mut Trial, printed: Printed) {
    trial
        .standin
        .script_claude(|script| script.instead_of_run = Some(printed))
        .expect("a script");
}

/// Has the CLI ask the Edge and then print this.
fn after(trial: &mut Trial, printed: Printed) {
    trial
        .standin
        .script_claude(|script| script.after_run = Some(printed))
        .expect("a script");
}

/// Has the Edge refuse the request.
fn answers(trial: &mut Trial, status: u16, kind: &str, message: &str) {
    let body = served::error(kind, message).to_string();
    trial
        .standin
        .edge
        .behave(|behaviour| behaviour.refusal = Some(Reply::new(status, body)));
}

/// The first event of a run.
fn init() -> String {
    let event =
        json!({"type": "system", "subtype": "init", "cwd": "/srv/agent-429gnJ", "tools": ["Bash"]});
    format!("{event}\n")
}

/// The result event of one complete turn, with other fields.
#[expect(clippy::needless_pass_by_value, reason = "rows read better")]
fn result(fields: Value) -> String {
    let mut event = json!({
        "type": "result", "subtype": "success", "is_error": false, "num_turns": 1,
        "stop_reason": "end_turn", "result": "It is written.", "api_error_status": null,
    });
    for (field, value) in fields.as_object().expect("fields") {
        event[field] = value.clone();
    }
    format!("{event}\n")
}

/// A run with exit status 0 whose result has other fields than a complete turn.
fn with(fields: Value) -> Printed {
    Printed::text(init() + &result(fields))
}

/// A run that ends with an error of which this text is all that is known.
fn failed(text: &str) -> Printed {
    let fields = json!({"is_error": true, "stop_reason": "stop_sequence", "result": text});
    Printed {
        exit: 1,
        ..with(fields)
    }
}

/// A run that ends before its first event.
fn fails(stderr: &str) -> Printed {
    Printed {
        stderr: stderr.into(),
        exit: 1,
        ..Printed::default()
    }
}

#[test]
fn a_process_that_is_left_behind_is_ended_and_holds_nobody_up() {
    let trial = Trial::new();
    trial
        .standin
        .script_claude(|script| {
            script.after_run = Some(Printed {
                leave: true,
                ..with(json!({}))
            });
        })
        .expect("a script");
    trial.run().expect("the run itself is right");
    let published = trial.path("out/manifest.json");
    assert!(published.is_file());
    std::fs::remove_file::<PathBuf>(published).expect("the manifest");
    trial.assert_nothing_left();
}
