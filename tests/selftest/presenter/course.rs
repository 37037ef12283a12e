//! The words for the step that a run is at.

use std::time::{Duration, Instant};

use harness::progress::Step;
use presenter::course::{Course, Took};

#[test]
fn durations_are_said_as_people_say_them() {
    for (ms, said) in [
        (0, "0.0 s"),
        (99, "0.0 s"),
        (100, "0.1 s"),
        (9_999, "9.9 s"),
        (10_000, "10 s"),
        (59_999, "59 s"),
        (60_000, "1 min 0 s"),
        (3_725_000, "62 min 5 s"),
    ] {
        assert_eq!(Took(Duration::from_millis(ms)).to_string(), said);
    }
}

#[test]
fn the_stages_before_it_stand_behind_a_step() {
    let start = Instant::now();
    let at = |seconds: u64| start + Duration::from_secs(seconds);
    let mut course = Course::new(Step::Checks, start);
    assert_eq!(course.moving(at(1)), "checks 1.0 s");
    course.go_on(Step::Claude, at(2));
    assert_eq!(course.moving(at(4)), "claude 2.0 s");
    course.go_on(Step::Plan, at(4));
    course.go_on(Step::Work, at(7));
    assert_eq!(course.moving(at(19)), "work 12 s (plan 3.0 s)");
    assert_eq!(course.begun(), "work: the plan is carried out (plan 3.0 s)");
    course.go_on(Step::Review, at(137));
    course.go_on(Step::Answer, at(138));
    let moving = "answer 0.0 s (plan 3.0 s, work 2 min 10 s, review 1.0 s)";
    assert_eq!(course.moving(at(138)), moving);
    course.go_on(Step::Proof, at(140));
    let moving = "proof 0.0 s (plan 3.0 s, work 2 min 10 s, review 1.0 s)";
    assert_eq!(course.moving(at(140)), moving);
}
