//! A CLI without a usable key.

use harness::reason::ClaudeReason::*;

use super::row::rows;
use super::run::{control, failed, silent};

rows! {
    not_logged_in: failed("Not logged in · Please run /login").error("authentication_failed") => Err(Authentication);
    not_logged_in_text_alone: failed("Not logged in · Please run /login") => Err(Authentication);
    invalid_key_on_stderr: silent().exit(1).stderr("Invalid API key · Please run /login\n") => Err(Authentication);
    invalid_key_on_stderr_and_a_path_with_digits: control().without_result().exit(1)
        .stderr("Invalid API key · Please run /login\n") => Err(Authentication);
    invalid_key_in_the_errors_of_a_result: failed("").without("result")
        .set("errors", serde_json::json!([7, "Invalid API key"])) => Err(Authentication);
    failed_to_authenticate_without_a_status: failed("Failed to authenticate. Made up") => Err(Authentication);
    authentication_failed_and_words_about_timeouts: failed("The login timed out").error("authentication_failed") => Err(Authentication);
    authentication_failed_without_a_result: control().without_result().error("authentication_failed") => Err(Authentication);
    invalid_key_before_the_connection: failed("Invalid API key (ECONNRESET)") => Err(Authentication);
}
