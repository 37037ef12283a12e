//! The reader of the event stream.

use harness::claude::stream::{LINE_BOUND, PassedOver, read};
use serde_json::json;

use super::run::{control, failed};

#[test]
fn the_fields_of_a_result_are_read() {
    let stream = read(
        &failed("made up")
            .status(404)
            .set("errors", json!(["a", 1, "b"]))
            .stdout(),
    );
    let result = stream.results.first().expect("one result");
    assert_eq!(result.is_error, Some(true));
    assert_eq!(
        result.subtype.as_ref().expect("a subtype").as_str(),
        "success"
    );
    assert_eq!(
        result.stop_reason.as_ref().expect("a reason").as_str(),
        "stop_sequence"
    );
    assert_eq!(result.num_turns, Some(1));
    assert_eq!(result.api_error_status, Some(404));
    assert_eq!(result.result.as_ref().expect("a text").as_str(), "made up");
    let errors: Vec<_> = result.errors.iter().map(|text| text.as_str()).collect();
    assert_eq!(errors, ["a", "b"]);
    assert_eq!(stream.results.len(), 1);
}

#[test]
fn the_fields_of_an_error_event_are_read() {
    let stream = read(
        b"{\"type\":\"assistant\",\"error\":\"a\",\"api_error_type\":\"b\",\"api_error\":\"c\"}",
    );
    let error = stream.errors.first().expect("one error");
    assert_eq!(error.error.as_ref().expect("an error").as_str(), "a");
    assert_eq!(error.api_error_type.as_ref().expect("a type").as_str(), "b");
    assert_eq!(error.api_error.as_ref().expect("a kind").as_str(), "c");
}

#[test]
fn retries_are_counted() {
    assert_eq!(read(&control().retry().retry().stdout()).retries, 2);
}

#[test]
fn every_kind_of_line_passed_over_is_counted() {
    let run = control()
        .raw("not json\n[1]\n7\n{}{}\n")
        .raw(vec![b' '; LINE_BOUND + 7])
        .raw("\n")
        .raw(vec![b'x'; LINE_BOUND + 1])
        .raw("\n{}\n{\"type\":7}\n{\"type\":\"system\"}\n")
        .then("{\"type\":");
    let passed_over = read(&run.stdout()).passed_over;
    let expected = PassedOver {
        not_json: 4,
        too_long: 1,
        cut_off: 1,
        unknown: 3,
    };
    assert_eq!(passed_over, expected);
    assert_eq!(passed_over.total(), 9);
}

#[test]
fn a_line_of_exactly_the_bound_is_read() {
    let mut line = b"{\"type\":\"result\",\"x\":\"".to_vec();
    line.resize(LINE_BOUND - 2, b'x');
    line.extend(b"\"}");
    assert_eq!(read(&line).results.len(), 1);
    line.insert(30, b'x');
    assert_eq!(read(&line).passed_over.too_long, 1);
}

#[test]
fn known_events_are_not_counted_as_passed_over() {
    assert_eq!(
        read(&control().retry().error("unknown").stdout()).passed_over,
        PassedOver::default()
    );
}

#[test]
fn a_mark_and_carriage_returns_and_a_missing_last_newline_are_no_matter() {
    let stdout = String::from_utf8(control().stdout())
        .expect("text")
        .replace('\n', "\r\n");
    let stream = read(format!("\u{feff}{}", stdout.trim_end()).as_bytes());
    assert_eq!(stream.results.len(), 1);
    assert_eq!(stream.passed_over, PassedOver::default());
}

#[test]
fn broken_text_is_replaced_and_the_event_kept() {
    let stream = read(b"{\"type\":\"result\",\"result\":\"a\xFFb\\ud83dc\"}\n");
    let text = stream
        .results
        .first()
        .and_then(|result| result.result.as_ref())
        .expect("a text");
    assert!(text.as_str().starts_with("a\u{fffd}b\u{fffd}"));
    assert!(text.as_str().ends_with('c'));
}

#[test]
fn keys_with_escapes_are_the_same_keys() {
    assert_eq!(read(b"{\"\\u0074ype\":\"result\"}\n").results.len(), 1);
}

#[test]
fn nothing_from_the_cli_is_shown_by_debug() {
    let run = failed("CANARY-a")
        .set("subtype", "CANARY-b")
        .set("stop_reason", "CANARY-c")
        .set("errors", json!(["CANARY-d"]))
        .event(&json!({"type": "assistant", "error": "CANARY-e", "api_error": "CANARY-f", "api_error_type": "CANARY-g"}));
    let stream = read(&run.stdout());
    assert_eq!((stream.results.len(), stream.errors.len()), (1, 1));
    assert!(!format!("{stream:?}").contains("CANARY"));
}
