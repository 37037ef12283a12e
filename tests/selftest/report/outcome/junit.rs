//! JUnit files that are not what nextest writes, each refused by the exact fault.

use report::outcome::Outcome;

use crate::report::sample::Sample;
use crate::rows::rows;

#[track_caller]
fn refused(code: &str, change: impl FnOnce(&mut String)) {
    bytes_refused(code, |bytes| {
        let mut text = String::from_utf8(bytes.clone()).expect("text");
        change(&mut text);
        *bytes = text.into_bytes();
    });
}

#[track_caller]
fn bytes_refused(code: &str, change: impl FnOnce(&mut Vec<u8>)) {
    let control = Sample::passing().text().into_bytes();
    Outcome::of(&control, None).expect("the control is accepted");
    let mut changed = control.clone();
    change(&mut changed);
    assert_ne!(changed, control, "the row changes nothing");
    let refusal = Outcome::of(&changed, None).expect_err("it is refused");
    assert_eq!(refusal.code(), code);
    let printed = format!("{refusal} {refusal:?}");
    assert!(!printed.contains("CANARY"), "{printed}");
}

#[track_caller]
fn replace(text: &mut String, part: &str, by: &str) {
    assert!(text.contains(part), "no such part: {part}");
    *text = text.replacen(part, by, 1);
}

const FIRST: &str = "name=\"preflight::inputs\"";

rows! {
    by refused;
    nothing => "junit-invalid not-xml", |t| t.clear();
    json => "junit-invalid structure", |t| *t = "{\"CANARY\": 1}".into();
    cut_off => "junit-invalid not-xml", |t| t.truncate(t.len() / 2);
    cut_off_behind_a_test => "junit-invalid not-xml", |t| t.truncate(t.find("    </testsuite>").expect("an end"));
    an_end_without_a_start => "junit-invalid not-xml", |t| replace(t, "</testsuite>", "</CANARY>");
    an_attribute_twice => "junit-invalid not-xml", |t| replace(t, FIRST, "name=\"x\" name=\"x\"");
    an_attribute_without_quotes => "junit-invalid not-xml", |t| replace(t, FIRST, "name=CANARY");
    an_unknown_entity => "junit-invalid not-xml", |t| replace(t, FIRST, "name=\"&CANARY;\"");
    a_second_root => "junit-invalid not-xml", |t| *t = format!("{t}{}", Sample::passing().text().split_once("?>\n").expect("a declaration").1);
    a_document_type => "junit-invalid doctype", |t| replace(t, "<testsuites ", "<!DOCTYPE testsuites [<!ENTITY x SYSTEM \"file:///CANARY\">]><testsuites ");
    nested_entities => "junit-invalid doctype", |t| replace(t, "<testsuites ", "<!DOCTYPE x [<!ENTITY a \"CANARY\"><!ENTITY b \"&a;&a;&a;\">]><testsuites ");
    text_behind_the_root => "junit-invalid structure", |t| t.push_str("CANARY");
    text_between_the_tests => "junit-invalid structure", |t| replace(t, "<testcase ", "CANARY<testcase ");
    another_root => "junit-invalid structure", |t| *t = "<CANARY/>".into();
    another_element_for_a_test => "junit-invalid structure", |t| replace(t, "<testcase ", "<CANARY/><testcase ");
    another_element_in_a_test => "junit-invalid structure", |t| replace(t, "</testcase>", "<CANARY/></testcase>");
    an_element_in_a_failure => "junit-invalid structure", |t| replace(t, "</testcase>", "<failure><CANARY/></failure></testcase>");
    a_test_without_a_name => "junit-invalid structure", |t| replace(t, FIRST, "");
    no_run_id => "junit-invalid structure", |t| replace(t, "uuid=", "id=");
    another_report => "junit-invalid report-name", |t| replace(t, "iop-smoke live", "CANARY");
    report_of_the_self_test => "junit-invalid report-name", |t| replace(t, "iop-smoke live", "iop-smoke self-test");
    run_id_of_another_form => "junit-invalid run-id", |t| replace(t, "9f44f92c-", "../9f44f9");
    run_id_in_capitals => "junit-invalid run-id", |t| replace(t, "9f44f92c-", "9F44F92C-");
    run_id_too_long => "junit-invalid run-id", |t| replace(t, "9f44f92c-", "9f44f92c0-");
    run_id_with_a_sixth_group => "junit-invalid run-id", |t| replace(t, "9f44f92c-", "9f44f92c-0000-");
    a_time_of_words => "junit-invalid time", |t| replace(t, "time=\"0.011\"", "time=\"CANARY\"");
    a_time_below_0 => "junit-invalid time", |t| replace(t, "time=\"0.011\"", "time=\"-0.011\"");
    a_time_of_another_precision => "junit-invalid time", |t| replace(t, "time=\"0.011\"", "time=\"0.0111\"");
    a_time_with_an_exponent => "junit-invalid time", |t| replace(t, "time=\"0.011\"", "time=\"1e9.000\"");
    a_time_beyond_all_ages => "junit-invalid time", |t| replace(t, "time=\"0.011\"", "time=\"9999999999999.000\"");
    a_time_without_seconds => "junit-invalid time", |t| replace(t, "time=\"0.011\"", "time=\".011\"");
    a_start_in_another_form => "junit-invalid time", |t| replace(t, "timestamp=\"2026-11-30T", "timestamp=\"30/11/26 T");
    a_start_in_other_digits => "junit-invalid time", |t| replace(t, "timestamp=\"2026", "timestamp=\"２026");
    another_binary => "junit-invalid other-binary", |t| replace(t, "name=\"iop-smoke::smoke\"", "name=\"iop-smoke::selftest\"");
    a_repeated_run => "junit-invalid other-binary", |t| replace(t, "name=\"iop-smoke::smoke\"", "name=\"iop-smoke::smoke@stress-0\"");
    a_test_that_does_not_exist => "junit-invalid unknown-test", |t| replace(t, FIRST, "name=\"preflight::CANARY\"");
    a_test_named_by_the_id => "junit-invalid unknown-test", |t| replace(t, "preflight::claude_digest", "preflight::claude-digest");
    a_test_of_no_check => "junit-invalid unknown-test", |t| replace(t, FIRST, "name=\"preflight::redaction\"");
    a_test_of_the_evidence => "junit-invalid unknown-test", |t| replace(t, FIRST, "name=\"evidence::capture\"");
    a_test_with_markup => "junit-invalid unknown-test", |t| replace(t, FIRST, "name=\"&lt;script&gt;CANARY&lt;/script&gt;\"");
    a_test_twice => "junit-invalid repeated-test", |t| replace(t, FIRST, "name=\"preflight::model\"");
    no_test => "junit-invalid no-test", |t| {
        let from = t.find("    <testsuite ").expect("a suite");
        let to = t.find("</testsuites>").expect("the end");
        t.replace_range(from..to, "");
    };
    fewer_tests_than_counted => "junit-invalid totals", |t| replace(t, "tests=\"57\"", "tests=\"58\"");
    a_count_of_words => "junit-invalid totals", |t| replace(t, "skipped=\"0\"", "skipped=\"CANARY\"");
    a_failure_that_is_not_counted => "junit-invalid totals", |t| replace(t, "</testcase>", "<failure/></testcase>");
    a_failure_that_is_counted_only => "junit-invalid totals", |t| replace(t, "failures=\"0\"", "failures=\"1\"");
    an_error_that_is_counted_only => "junit-invalid totals", |t| replace(t, "errors=\"0\"", "errors=\"1\"");
    a_skipped_test_that_is_not_counted => "junit-invalid totals", |t| replace(t, "</testcase>", "<skipped/></testcase>");
}

/// Files that are no text.
pub(crate) mod bytes {
    use super::{bytes_refused, rows};

    rows! {
        by bytes_refused;
        a_byte_that_is_not_utf8 => "junit-invalid not-utf8", |b| b[60] = 0xff;
        utf_16 => "junit-invalid not-utf8", |b| b.splice(0..0, [0xff, 0xfe]).for_each(drop);
    }
}
