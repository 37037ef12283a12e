//! Lines of the log that are no records, and records that are not written as they should be.

use standin::observations::{lines, served, startup};

use crate::rows::rows;
use crate::run::log::Log;

/// The lines of a served request, each with its line feed.
type Lines = Vec<Vec<u8>>;

fn served_lines() -> Lines {
    served()
        .iter()
        .map(|record| format!("{record}\n").into_bytes())
        .collect()
}

/// A log with these lines.
#[track_caller]
fn log_of(change: impl FnOnce(&mut Lines)) -> Log {
    let mut lines = served_lines();
    change(&mut lines);
    assert_ne!(lines, served_lines(), "the row changes nothing");
    let log = Log::new();
    log.append(lines.concat());
    log
}

#[track_caller]
fn refused(code: &str, change: impl FnOnce(&mut Lines)) {
    let control = Log::new();
    control.append(served_lines().concat());
    control.observed_now().expect("the control passes");
    let refusal = log_of(change)
        .observed_now()
        .expect_err("the lines are refused");
    assert_eq!(refusal.code(), code, "{refusal:?}");
}

/// Asserts that the request is seen all the same, and how many lines are passed over.
#[track_caller]
fn passed_over(count: usize, change: impl FnOnce(&mut Lines)) {
    let observed = log_of(change)
        .observed_now()
        .expect("the lines are accepted");
    assert_eq!(observed.passed_over, count);
}

/// Puts something in place of a part of a line.
#[track_caller]
fn replace(line: &mut Vec<u8>, part: &str, by: &str) {
    let text = String::from_utf8(line.clone()).expect("text");
    assert!(text.contains(part), "no {part} in {text}");
    *line = text.replacen(part, by, 1).into_bytes();
}

const CORRELATION: &str = "\"correlation\":\"sr-standin-0001\"";

rows! {
    by refused;
    correlation_twice => "observation-mismatch duplicate-key", |l| {
        replace(&mut l[2], CORRELATION, "\"correlation\":\"sr-a\",\"correlation\":\"sr-b\"");
    };
    correlation_twice_the_same => "observation-mismatch duplicate-key", |l| {
        replace(&mut l[2], CORRELATION, &format!("{CORRELATION},{CORRELATION}"));
    };
    correlation_twice_once_with_an_escape => "observation-mismatch duplicate-key", |l| {
        replace(&mut l[2], CORRELATION, &format!("\"correl\\u0061tion\":\"sr-b\",{CORRELATION}"));
    };
    outcome_twice => "observation-mismatch duplicate-key", |l| {
        replace(&mut l[4], "{", "{\"outcome\":\"failure\",");
    };
    message_twice => "observation-mismatch duplicate-key", |l| {
        replace(&mut l[1], "{", "{\"msg\":\"node ready\",");
    };
    request_twice_once_with_escapes => "observation-mismatch request-count", |l| {
        let mut again = l[0].clone();
        let message = "\"m\\u0073g\":\"edge_single_request_observ\\u0061tion\"";
        replace(&mut again, "\"msg\":\"edge_single_request_observation\"", message);
        l.insert(1, again);
    };
    unknown_key_twice => "observation-mismatch duplicate-key", |l| {
        replace(&mut l[1], "{", "{\"x\":1,\"x\":1,");
    };
    duration_with_an_exponent => "observation-mismatch duration", |l| {
        replace(&mut l[2], "\"duration_ms\":340", "\"duration_ms\":34e1");
    };
    duration_beyond_64_bits => "observation-mismatch duration", |l| {
        replace(&mut l[2], "\"duration_ms\":340", "\"duration_ms\":18446744073709551616");
    };
    duration_of_minus_0 => "observation-mismatch duration", |l| {
        replace(&mut l[0], "\"duration_ms\":0", "\"duration_ms\":-0");
    };
    invalid_utf_8_in_the_request => "observation-mismatch request-count", |l| broken(&mut l[0]);
    invalid_utf_8_in_a_stage => "observation-mismatch stage-count", |l| broken(&mut l[2]);
    invalid_utf_8_in_the_terminal => "observation-mismatch terminal-count", |l| broken(&mut l[4]);
    byte_order_mark_before_the_request => "observation-mismatch request-count", |l| {
        l[0].splice(..0, *b"\xEF\xBB\xBF");
    };
    record_in_an_array => "observation-mismatch stage-count", |l| {
        l[1].pop();
        l[1] = [b"[", &*l[1], b"]\n"].concat();
    };
    record_in_a_string => "observation-mismatch stage-count", |l| {
        l[1] = format!("{}\n", serde_json::Value::from(String::from_utf8_lossy(&l[1]))).into_bytes();
    };
    record_over_two_lines => "observation-mismatch stage-count", |l| replace(&mut l[1], ",", ",\n");
    two_records_in_one_line => "observation-mismatch request-count", |l| {
        l[0].pop();
    };
    record_cut_off_by_another => "observation-mismatch stage-count", |l| l[1].truncate(60);
    terminal_without_a_line_feed => "observation-mismatch terminal-count", |l| { l[4].pop(); };
    nul_bytes_before_the_request => "observation-mismatch request-count", |l| {
        l[0].splice(..0, [0; 512]);
    };
}

fn broken(line: &mut [u8]) {
    let at = line
        .windows(6)
        .position(|window| window == b"openai")
        .expect("a caller");
    line[at] = 0xFF;
}

#[test]
fn panic_texts_blank_lines_arrays_and_numbers_are_passed_over() {
    passed_over(10, |lines| {
        lines.insert(
            1,
            b"panic: runtime error\n\ngoroutine 1 [running]:\n\tmain.main()\n".to_vec(),
        );
        lines.insert(
            3,
            b"[1,{\"msg\":\"edge_single_request_observation\"}]\n7\n".to_vec(),
        );
        lines.insert(5, b"null\n\"text\"\n   \n{\"msg\":\n".to_vec());
    });
}

#[test]
fn records_with_other_messages_are_passed_over() {
    passed_over(3, |lines| {
        lines.splice(2..2, [startup().into_bytes()]).for_each(drop)
    });
}

#[test]
fn a_nested_object_with_the_message_is_no_record() {
    passed_over(2, |lines| {
        let nested = "{\"level\":\"info\",\"msg\":\"x\",\"inner\":{\"msg\":\"edge_single_request_observation\",\
            \"correlation\":\"sr-b\"}}\n";
        let listed = "{\"msg\":[\"edge_single_request_observation\"]}\n";
        lines.insert(2, nested.into());
        lines.insert(5, listed.into());
    });
}

#[test]
fn invalid_utf_8_in_other_lines_is_passed_over() {
    passed_over(2, |lines| {
        lines.insert(0, b"\xFF\xFE\x00\n".to_vec());
        lines.insert(3, b"{\"msg\":\"\xC3\x28\"}\n".to_vec());
    });
}

#[test]
fn a_byte_order_mark_on_a_line_of_its_own_is_passed_over() {
    passed_over(1, |lines| lines.insert(0, b"\xEF\xBB\xBF\n".to_vec()));
}

#[test]
fn a_long_line_is_passed_over() {
    passed_over(1, |lines| {
        let mut line = vec![b'{'; 15 << 20];
        line.push(b'\n');
        lines.insert(2, line);
    });
}

#[test]
fn deep_nesting_is_passed_over() {
    passed_over(1, |lines| {
        lines.insert(2, format!("{{\"a\":{}\n", "[".repeat(100_000)).into())
    });
}

#[test]
fn carriage_returns_and_blanks_around_records_are_no_matter() {
    passed_over(0, |lines| {
        for line in lines {
            line.pop();
            *line = [b" \t", &**line, b" \r\n"].concat();
        }
    });
}

#[test]
fn a_line_that_is_not_complete_does_not_count() {
    passed_over(0, |lines| {
        lines.push(b"{\"msg\":\"edge_single_request_observation\"".to_vec())
    });
}

#[test]
fn a_line_begun_before_the_run_and_completed_in_it_is_not_of_the_run() {
    let foreign = lines(&served()).repeat(2);
    let begun = &foreign[..foreign.len() - 90];
    let log = Log::holding([startup().as_bytes(), begun].concat());
    log.append(&foreign[begun.len()..]);
    log.append(lines(&served()));
    let observed = log.observed_now().expect("it is accepted");
    assert_eq!(observed.passed_over, 0);
}

#[test]
fn a_record_begun_before_the_run_is_not_of_the_run() {
    let whole = lines(&served());
    let (begun, rest) = whole.split_at(30);
    let log = Log::holding(begun);
    log.append(rest);
    let refusal = log.observed_now().expect_err("the request is missing");
    assert_eq!(refusal.code(), "observation-mismatch request-count");
}

#[test]
fn an_empty_log_may_be_written_to() {
    let log = Log::holding("");
    log.append(lines(&served()));
    log.observed_now().expect("it is accepted");
}
