//! The steps that a log shows as it grows.

use harness::observation::follow::Stages;
use harness::progress::Step;
use serde_json::json;
use standin::observations::{lines, record, served, startup};

const ALL: [Step; 4] = [Step::Plan, Step::Work, Step::Review, Step::Answer];

/// The steps that begin with these parts of a log, one after the other.
fn steps<'p>(parts: impl IntoIterator<Item = &'p [u8]>) -> Vec<Step> {
    let mut stages = Stages::new(true);
    parts
        .into_iter()
        .flat_map(|part| stages.read(part))
        .collect()
}

#[test]
fn each_record_begins_a_step() {
    let mut stages = Stages::new(true);
    for (record, step) in served().iter().zip(ALL) {
        assert_eq!(stages.read(&lines(std::slice::from_ref(record))), [step]);
    }
    assert_eq!(stages.read(&lines(&served()[4..])), []);
}

#[test]
fn it_does_not_matter_how_the_log_is_cut() {
    let log = [startup().into_bytes(), lines(&served())].concat();
    assert_eq!(steps([&*log]), ALL);
    assert_eq!(steps(log.chunks(1)), ALL);
    assert_eq!(steps(log.chunks(97)), ALL);
}

#[test]
fn a_line_that_was_begun_before_is_passed_over() {
    let mut stages = Stages::new(false);
    assert_eq!(stages.read(&lines(&served()[..2])), [Step::Work]);
}

#[test]
fn a_line_without_an_end_is_none() {
    let log = lines(&served()[..1]);
    assert_eq!(steps([&log[..log.len() - 1]]), []);
}

#[test]
fn no_step_comes_twice_or_after_a_later_one() {
    let mut records = served();
    records.reverse();
    assert_eq!(steps([&*lines(&records)]), [Step::Answer]);
    let twice = [served(), served()].concat();
    assert_eq!(steps([&*lines(&twice)]), ALL);
}

#[test]
fn a_stage_that_is_left_out_is_left_out() {
    let mut records = served();
    records.remove(1);
    let steps = steps([&*lines(&records)]);
    assert_eq!(steps, [Step::Plan, Step::Review, Step::Answer]);
}

#[test]
fn what_is_no_observation_says_nothing() {
    let mut other = record("stage", Some("plan"), "plan", 1);
    other["msg"] = "node ready".into();
    let unknown = record("stage", Some("rest"), "rest", 1);
    let class = record("retry", Some("plan"), "plan", 1);
    let mut typed = record("stage", None, "plan", 1);
    typed["stage"] = json!(["plan"]);
    let records = lines(&[other, unknown, class, typed]);
    let garbage = [b"\xff\xfe{\n\n{}\n[[[[\n{\"msg\":\n", &*records].concat();
    assert_eq!(steps([&*garbage]), []);
}

#[test]
fn a_line_of_any_length_costs_no_memory_and_hides_no_other() {
    let mut stages = Stages::new(true);
    let mut long = record("request", None, "total", 0);
    long["caller"] = "x".repeat(16 << 10).into();
    assert_eq!(stages.read(&lines(&[long])), []);
    for _ in 0..1_000 {
        assert_eq!(stages.read(&[b'{'; 4096]), []);
    }
    assert_eq!(stages.read(b"\n"), []);
    assert_eq!(stages.read(&lines(&served())), ALL);
}
