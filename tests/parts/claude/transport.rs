//! Requests that did not get through, or whose answers did not come back whole.

use harness::reason::ClaudeReason::*;

use super::row::rows;
use super::run::{Run, control, failed, silent};

/// How 2.1.332 reports a failed connection.
fn newest(text: &str) -> Run {
    failed(text).kind("server_error", "connection_failed")
}

rows! {
    refused_in_2_1_113: failed("API Error: Unable to connect to API (ConnectionRefused)").error("unknown") => Err(ConnectionRefused);
    refused_in_2_1_220: failed("API Error: Unable to connect to API (ConnectionRefused)").error("server_error") => Err(ConnectionRefused);
    refused_in_2_1_332: newest("API Error: Connection refused — made up (ECONNREFUSED)") => Err(ConnectionRefused);
    refused_without_a_name: newest("API Error: Connection refused — made up") => Err(ConnectionRefused);
    refused_on_stderr: silent().exit(1).stderr("connect ECONNREFUSED 127.0.0.1:9\n") => Err(ConnectionRefused);
    refused_inside_fetch_failed: silent().exit(1).stderr("TypeError: fetch failed: ECONNREFUSED\n") => Err(ConnectionRefused);

    reset_in_2_1_113: failed("API Error: Unable to connect to API (ECONNRESET)").error("unknown") => Err(ConnectionReset);
    reset_in_2_1_332: newest("API Error: Connection dropped (ECONNRESET). Made up") => Err(ConnectionReset);
    cut_in_2_1_332: newest("API Error: Connection to the API was lost (StreamTruncated).") => Err(ConnectionReset);
    cut_in_the_middle_of_an_answer: newest("API Error: Connection lost mid-response.") => Err(ConnectionReset);
    socket_error: failed("API Error: Unable to connect to API (UND_ERR_SOCKET)") => Err(ConnectionReset);
    socket_hang_up: failed("API Error: socket hang up") => Err(ConnectionReset);
    broken_pipe: silent().exit(1).stderr("write EPIPE\n") => Err(ConnectionReset);

    timeout_in_2_1_113: failed("Request timed out").error("unknown") => Err(NetworkTimeout);
    timeout_in_2_1_332: failed("Request timed out. Made up").error("server_error") => Err(NetworkTimeout);
    timeout_by_name: newest("API Error: made up (ETIMEDOUT)") => Err(NetworkTimeout);
    timeout_of_a_stream: failed("Stream idle timeout - partial response received") => Err(NetworkTimeout);
    timeout_name_wins_over_reset_words: newest("API Error: Connection dropped (ETIMEDOUT)") => Err(NetworkTimeout);

    name_unknown_in_2_1_220: failed("API Error: Unable to connect to API (ENOTFOUND)").error("server_error") => Err(DnsFailure);
    name_unknown_in_2_1_332: newest("API Error: Can't reach the API server — made up (EAI_AGAIN)") => Err(DnsFailure);
    name_unknown_by_getaddrinfo: failed("getaddrinfo ENOTFOUND made-up.invalid") => Err(DnsFailure);
    name_unknown_in_words: silent().exit(1).stderr("Could not resolve host: made-up.invalid\n") => Err(DnsFailure);

    self_signed_in_2_1_113: failed("API Error: Unable to connect to API: Self-signed certificate detected.").error("unknown") => Err(TlsCertificate);
    self_signed_in_2_1_220: failed("API Error: Unable to connect to API: Self-signed certificate detected.").error("server_error") => Err(TlsCertificate);
    self_signed_in_2_1_332: failed("API Error: made up").kind("server_error", "tls_untrusted_ca") => Err(TlsCertificate);
    signature_in_2_1_332: failed("API Error: made up").kind("server_error", "tls_cert_signature_failure") => Err(TlsCertificate);
    expired_in_2_1_332: failed("API Error: Unable to connect to API: SSL certificate has expired").error("server_error") => Err(TlsCertificate);
    wrong_name: failed("API Error: Unable to connect to API: SSL certificate hostname mismatch").error("server_error") => Err(TlsCertificate);
    chain: failed("Unable to connect to API (SELF_SIGNED_CERT_IN_CHAIN)") => Err(TlsCertificate);
    issuer: failed("Unable to connect to API (UNABLE_TO_GET_ISSUER_CERT_LOCALLY)") => Err(TlsCertificate);
    issuer_in_words: silent().exit(1).stderr("unable to get local issuer certificate\n") => Err(TlsCertificate);
    alternative_name: silent().exit(1).stderr("Error [ERR_TLS_CERT_ALTNAME_INVALID]: made up\n") => Err(TlsCertificate);
    certificate_before_the_connection: newest("API Error: Unable to connect to API: CERT_HAS_EXPIRED") => Err(TlsCertificate);

    fetch_failed: silent().exit(1).stderr("TypeError: fetch failed\n") => Err(FetchFailed);
    fetch_failed_before_the_connection: failed("Unable to connect to API: Failed to fetch") => Err(FetchFailed);

    no_connection: failed("API Error: Connection error.") => Err(ConnectionError);
    no_connection_of_an_unknown_kind: failed("API Error: Unable to connect to API (Odd)") => Err(ConnectionError);
    no_connection_in_2_1_332: newest("API Error: made up") => Err(ConnectionError);
    no_connection_and_a_name_that_goes_on: newest("API Error: made up (ECONNREFUSED2)") => Err(ConnectionError);
    no_connection_and_words_about_a_status: newest("API Error: 429 made up") => Err(ConnectionError);
    // 2.1.113 cannot tell a name that does not resolve from a network without a route.
    name_unknown_or_no_route_in_2_1_113: failed("API Error: Unable to connect to API (FailedToOpenSocket)").error("unknown") => Err(ConnectionError);
    no_route_in_2_1_332: newest("API Error: No internet route — made up (ENETUNREACH)") => Err(ConnectionError);
    no_connection_without_a_result: control().without_result().kind("server_error", "connection_failed") => Err(ConnectionError);

    answer_that_is_no_http: failed("API Error: Connection dropped (Malformed_HTTP_Response). Made up.")
        .kind("server_error", "connection_failed") => Err(MalformedResponse);
    answer_that_is_no_http_to_older_versions: failed("API Error: Unable to connect to API (Malformed_HTTP_Response)")
        .error("unknown") => Err(MalformedResponse);
    empty_stream: failed("API Error: Stream ended without receiving any events").error("unknown") => Err(MalformedResponse);
    empty_answer: failed("API Error: API returned an empty or malformed response (HTTP 200) — made up, connection error")
        .error("unknown") => Err(MalformedResponse);
    event_that_is_not_json: failed("API Error: JSON Parse error: made up").error("unknown") => Err(MalformedResponse);
    event_that_is_not_json_on_stderr: failed("Something was odd.")
        .stderr("Could not parse message into JSON: made up\n") => Err(MalformedResponse);
    page_that_is_not_json: failed("API Error: Unexpected token '<', \"<html>timed out\" is not valid JSON") => Err(MalformedResponse);
    completion_without_content: failed("made up").kind("unknown", "empty_completion") => Err(MalformedResponse);
    answer_of_another_content_type: failed("made up").kind("unknown", "gateway_content_type") => Err(MalformedResponse);
}
