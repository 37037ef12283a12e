//! Records that do not show exactly one request, planned, worked and reviewed.

use serde_json::{Value, json};
use standin::observations::{CORRELATION, lines, served};

use crate::rows::rows;
use crate::run::log::Log;

/// Where the records of a served request are.
const REQUEST: usize = 0;
const PLAN: usize = 1;
const WORK: usize = 2;
const REVIEW: usize = 3;
const TERMINAL: usize = 4;

type Records = Vec<Value>;

/// The records after a change, which must change something.
#[track_caller]
fn changed(change: impl FnOnce(&mut Records)) -> Vec<u8> {
    let mut records = served();
    change(&mut records);
    assert_ne!(records, served(), "the row changes nothing");
    lines(&records)
}

#[track_caller]
fn refused(code: &str, change: impl FnOnce(&mut Records)) {
    let control = Log::new();
    control.append(lines(&served()));
    control.observed_now().expect("the control passes");
    let log = Log::new();
    log.append(changed(change));
    let refusal = log.observed_now().expect_err("the records are refused");
    assert_eq!(refusal.code(), code, "{refusal:?}");
}

#[track_caller]
fn accepted(change: impl FnOnce(&mut Records)) {
    let log = Log::new();
    log.append(changed(change));
    let observed = log.observed_now().expect("the records are accepted");
    assert_eq!(observed.passed_over, 0);
}

fn without(record: &mut Value, key: &str) {
    let removed = record.as_object_mut().and_then(|fields| fields.remove(key));
    assert!(removed.is_some(), "no {key} to remove");
}

/// The same records under another correlation.
fn foreign() -> Records {
    let mut records = served();
    for record in &mut records {
        record["correlation"] = "sr-foreign-1".into();
    }
    records
}

rows! {
    by refused;

    no_records => "observation-mismatch no-record", Vec::clear;
    other_messages_alone => "observation-mismatch no-record", |r| r.iter_mut().for_each(|record| record["msg"] = "node ready".into());

    unknown_key_of_the_request => "observation-mismatch unknown-key", |r| r[REQUEST]["prompt"] = "x".into();
    unknown_key_of_a_stage => "observation-mismatch unknown-key", |r| r[WORK]["model"] = "x".into();
    unknown_key_of_the_terminal => "observation-mismatch unknown-key", |r| r[TERMINAL]["result"] = json!({});
    unknown_key_by_case => "observation-mismatch unknown-key", |r| r[PLAN]["Outcome"] = "success".into();
    unknown_key_that_is_empty => "observation-mismatch unknown-key", |r| r[PLAN][""] = Value::Null;

    correlation_missing => "observation-mismatch correlation-form", |r| without(&mut r[WORK], "correlation");
    correlation_null => "observation-mismatch correlation-form", |r| r[WORK]["correlation"] = Value::Null;
    correlation_as_a_number => "observation-mismatch correlation-form", |r| r[WORK]["correlation"] = 1.into();
    correlation_as_a_list => "observation-mismatch correlation-form", |r| r[WORK]["correlation"] = json!([CORRELATION]);
    correlation_empty => "observation-mismatch correlation-form", |r| correlate(r, "");
    correlation_without_its_prefix => "observation-mismatch correlation-form", |r| correlate(r, "standin-0001");
    correlation_with_its_prefix_alone => "observation-mismatch correlation-form", |r| correlate(r, "sr-");
    correlation_in_capitals => "observation-mismatch correlation-form", |r| correlate(r, "sr-ABC");
    correlation_with_an_underscore => "observation-mismatch correlation-form", |r| correlate(r, "sr-a_b");
    correlation_with_a_blank => "observation-mismatch correlation-form", |r| correlate(r, "sr-a ");
    correlation_with_a_newline => "observation-mismatch correlation-form", |r| correlate(r, "sr-a\n");
    correlation_of_65_characters => "observation-mismatch correlation-form", |r| correlate(r, &format!("sr-{}", "a".repeat(65)));

    foreign_request_before => "observation-mismatch foreign-correlation", |r| *r = [foreign(), served()].concat();
    foreign_request_behind => "observation-mismatch foreign-correlation", |r| r.extend(foreign());
    foreign_request_that_has_only_begun => "observation-mismatch foreign-correlation", |r| r.insert(WORK, foreign().remove(REQUEST));
    foreign_request_that_only_ends => "observation-mismatch foreign-correlation", |r| r.insert(REQUEST, foreign().remove(TERMINAL));
    foreign_correlation_of_one_stage => "observation-mismatch foreign-correlation", |r| r[REVIEW]["correlation"] = "sr-foreign-1".into();
    foreign_correlation_of_the_terminal => "observation-mismatch foreign-correlation", |r| r[TERMINAL]["correlation"] = "sr-foreign-1".into();
    foreign_correlation_that_is_longer => "observation-mismatch foreign-correlation", |r| r[PLAN]["correlation"] = format!("{CORRELATION}0").into();

    event_class_unknown => "observation-mismatch event-class", |r| r[PLAN]["event_class"] = "retry".into();
    event_class_in_capitals => "observation-mismatch event-class", |r| r[TERMINAL]["event_class"] = "Terminal".into();
    event_class_missing => "observation-mismatch event-class", |r| without(&mut r[REQUEST], "event_class");
    event_class_null => "observation-mismatch event-class", |r| r[REQUEST]["event_class"] = Value::Null;
    event_class_as_a_number => "observation-mismatch event-class", |r| r[REVIEW]["event_class"] = 1.into();

    outcome_of_the_request => "observation-mismatch outcome", |r| r[REQUEST]["outcome"] = "failure".into();
    outcome_of_plan => "observation-mismatch outcome", |r| r[PLAN]["outcome"] = "failure".into();
    outcome_of_work => "observation-mismatch outcome", |r| r[WORK]["outcome"] = "timeout".into();
    outcome_of_review => "observation-mismatch outcome", |r| r[REVIEW]["outcome"] = "cancelled".into();
    outcome_of_the_terminal => "observation-mismatch outcome", |r| r[TERMINAL]["outcome"] = "failure".into();
    outcome_empty => "observation-mismatch outcome", |r| r[WORK]["outcome"] = "".into();
    outcome_in_capitals => "observation-mismatch outcome", |r| r[WORK]["outcome"] = "SUCCESS".into();
    outcome_missing => "observation-mismatch outcome", |r| without(&mut r[TERMINAL], "outcome");
    outcome_null => "observation-mismatch outcome", |r| r[PLAN]["outcome"] = Value::Null;
    outcome_true => "observation-mismatch outcome", |r| r[PLAN]["outcome"] = true.into();

    error_class_of_the_request => "observation-mismatch error-class", |r| r[REQUEST]["error_class"] = "internal".into();
    error_class_of_plan => "observation-mismatch error-class", |r| r[PLAN]["error_class"] = "timeout".into();
    error_class_of_work => "observation-mismatch error-class", |r| r[WORK]["error_class"] = "tool".into();
    error_class_of_review => "observation-mismatch error-class", |r| r[REVIEW]["error_class"] = "internal".into();
    error_class_of_the_terminal => "observation-mismatch error-class", |r| r[TERMINAL]["error_class"] = "internal".into();
    error_class_in_capitals => "observation-mismatch error-class", |r| r[WORK]["error_class"] = "None".into();
    error_class_null => "observation-mismatch error-class", |r| r[WORK]["error_class"] = Value::Null;
    error_class_false => "observation-mismatch error-class", |r| r[WORK]["error_class"] = false.into();

    duration_missing_from_the_request => "observation-mismatch duration", |r| without(&mut r[REQUEST], "duration_ms");
    duration_missing_from_a_stage => "observation-mismatch duration", |r| without(&mut r[WORK], "duration_ms");
    duration_missing_from_the_terminal => "observation-mismatch duration", |r| without(&mut r[TERMINAL], "duration_ms");
    duration_negative => "observation-mismatch duration", |r| r[WORK]["duration_ms"] = (-1).into();
    duration_negative_of_the_terminal => "observation-mismatch duration", |r| r[TERMINAL]["duration_ms"] = (-560).into();
    duration_as_a_fraction => "observation-mismatch duration", |r| r[WORK]["duration_ms"] = 1.5.into();
    duration_as_a_float => "observation-mismatch duration", |r| r[WORK]["duration_ms"] = 340.0.into();
    duration_of_the_request_as_a_float => "observation-mismatch duration", |r| r[REQUEST]["duration_ms"] = 0.0.into();
    duration_as_a_string => "observation-mismatch duration", |r| r[PLAN]["duration_ms"] = "120".into();
    duration_null => "observation-mismatch duration", |r| r[PLAN]["duration_ms"] = Value::Null;
    duration_true => "observation-mismatch duration", |r| r[PLAN]["duration_ms"] = true.into();

    request_missing => "observation-mismatch request-count", |r| drop(r.remove(REQUEST));
    request_doubled => "observation-mismatch request-count", |r| r.insert(REQUEST, served().remove(REQUEST));
    request_operation => "observation-mismatch request-operation", |r| r[REQUEST]["operation"] = "plan".into();
    request_operation_missing => "observation-mismatch request-operation", |r| without(&mut r[REQUEST], "operation");
    request_operation_null => "observation-mismatch request-operation", |r| r[REQUEST]["operation"] = Value::Null;
    request_duration_of_1 => "observation-mismatch request-duration", |r| r[REQUEST]["duration_ms"] = 1.into();
    request_duration_of_the_terminal => "observation-mismatch request-duration", |r| r[REQUEST]["duration_ms"] = 560.into();

    stages_missing => "observation-mismatch stage-count", |r| drop(r.drain(PLAN..TERMINAL));
    plan_missing => "observation-mismatch stage-count", |r| drop(r.remove(PLAN));
    work_missing => "observation-mismatch stage-count", |r| drop(r.remove(WORK));
    review_missing => "observation-mismatch stage-count", |r| drop(r.remove(REVIEW));
    plan_doubled => "observation-mismatch stage-count", |r| r.insert(PLAN, served().remove(PLAN));
    work_doubled => "observation-mismatch stage-count", |r| r.insert(WORK, served().remove(WORK));
    review_doubled => "observation-mismatch stage-count", |r| r.insert(REVIEW, served().remove(REVIEW));
    plan_and_work_swapped => "observation-mismatch stage-order", |r| r.swap(PLAN, WORK);
    work_and_review_swapped => "observation-mismatch stage-order", |r| r.swap(WORK, REVIEW);
    plan_and_review_swapped => "observation-mismatch stage-order", |r| r.swap(PLAN, REVIEW);
    work_in_place_of_review => "observation-mismatch stage-order", |r| r[REVIEW] = served().remove(WORK);
    stage_unknown => "observation-mismatch stage-order", |r| r[PLAN]["stage"] = "think".into();
    stage_in_capitals => "observation-mismatch stage-order", |r| r[PLAN]["stage"] = "Plan".into();
    stage_without_a_name => "observation-mismatch stage-order", |r| without(&mut r[WORK], "stage");
    stage_as_a_number => "observation-mismatch stage-order", |r| r[WORK]["stage"] = 2.into();
    operation_of_plan => "observation-mismatch stage-operation", |r| r[PLAN]["operation"] = "work".into();
    operation_of_work => "observation-mismatch stage-operation", |r| r[WORK]["operation"] = "total".into();
    operation_of_review => "observation-mismatch stage-operation", |r| r[REVIEW]["operation"] = "plan".into();
    operation_of_a_stage_missing => "observation-mismatch stage-operation", |r| without(&mut r[WORK], "operation");
    operation_of_a_stage_null => "observation-mismatch stage-operation", |r| r[WORK]["operation"] = Value::Null;

    terminal_missing => "observation-mismatch terminal-count", |r| drop(r.remove(TERMINAL));
    terminal_doubled => "observation-mismatch terminal-count", |r| r.push(served().remove(TERMINAL));
    terminal_operation => "observation-mismatch terminal-operation", |r| r[TERMINAL]["operation"] = "total".into();
    terminal_operation_missing => "observation-mismatch terminal-operation", |r| without(&mut r[TERMINAL], "operation");
    terminal_without_has_result => "observation-mismatch terminal-result", |r| without(&mut r[TERMINAL], "has_result");
    terminal_with_has_result_false => "observation-mismatch terminal-result", |r| r[TERMINAL]["has_result"] = false.into();
    terminal_with_has_result_null => "observation-mismatch terminal-result", |r| r[TERMINAL]["has_result"] = Value::Null;
    terminal_with_has_result_as_a_string => "observation-mismatch terminal-result", |r| r[TERMINAL]["has_result"] = "true".into();
    terminal_with_has_result_1 => "observation-mismatch terminal-result", |r| r[TERMINAL]["has_result"] = 1.into();
    terminal_before_review => "observation-mismatch after-terminal", |r| r.swap(REVIEW, TERMINAL);
    terminal_before_the_request => "observation-mismatch after-terminal", |r| r.rotate_left(1);
    terminal_first_of_all => "observation-mismatch after-terminal", |r| r.rotate_right(1);
}

fn correlate(records: &mut Records, correlation: &str) {
    for record in records {
        record["correlation"] = correlation.into();
    }
}

#[test]
fn every_key_of_the_format_is_accepted() {
    accepted(|records| {
        for record in records {
            for key in ["time", "logger", "message"] {
                record[key] = "made up".into();
            }
        }
    });
}

#[test]
fn an_error_class_may_be_absent_or_empty() {
    accepted(|records| records.iter_mut().for_each(|r| without(r, "error_class")));
    accepted(|records| {
        records
            .iter_mut()
            .for_each(|r| r["error_class"] = "".into())
    });
}

#[test]
fn the_shortest_and_the_longest_correlation_are_accepted() {
    accepted(|records| correlate(records, "sr--"));
    accepted(|records| correlate(records, &format!("sr-{}", "z9-a".repeat(16))));
}

#[test]
fn durations_of_0_and_beyond_all_bounds_are_whole() {
    accepted(|records| records[WORK]["duration_ms"] = 0.into());
    accepted(|records| records[TERMINAL]["duration_ms"] = u64::MAX.into());
}

#[test]
fn has_result_says_nothing_but_of_the_terminal_record() {
    accepted(|records| {
        records[..TERMINAL]
            .iter_mut()
            .for_each(|r| without(r, "has_result"))
    });
}
