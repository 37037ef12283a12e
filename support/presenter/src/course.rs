//! The steps that a run has taken, in words.

use std::fmt;
use std::time::{Duration, Instant};

use harness::progress::Step;

/// The step that a run is at, and how long its stages took.
#[derive(Clone, Debug)]
pub struct Course {
    step: Step,
    since: Instant,
    stages: Vec<(Step, Duration)>,
}

impl Course {
    /// A course that begins with this step.
    pub fn new(step: Step, now: Instant) -> Self {
        Self {
            step,
            since: now,
            stages: Vec::new(),
        }
    }

    /// Goes on to another step.
    pub fn go_on(&mut self, step: Step, now: Instant) {
        if matches!(self.step, Step::Plan | Step::Work | Step::Review) {
            self.stages.push((self.step, now - self.since));
        }
        self.step = step;
        self.since = now;
    }

    /// The step, how long it has taken, and how long the stages before it took:
    /// `work 12 s (plan 3.1 s)`.
    pub fn moving(&self, now: Instant) -> String {
        format!("{} {}{}", self.step, Took(now - self.since), self.before())
    }

    /// The step with what it means, and how long the stages before it took:
    /// `work: the plan is carried out (plan 3.1 s)`.
    pub fn begun(&self) -> String {
        format!("{}: {}{}", self.step, self.step.meaning(), self.before())
    }

    fn before(&self) -> String {
        let stages: Vec<_> = self
            .stages
            .iter()
            .map(|(stage, took)| format!("{stage} {}", Took(*took)))
            .collect();
        match &*stages {
            [] => String::new(),
            stages => format!(" ({})", stages.join(", ")),
        }
    }
}

/// A duration as people say it: `0.3 s`, `12 s`, `2 min 5 s`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Took(pub Duration);

impl fmt::Display for Took {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tenths = self.0.as_millis() / 100;
        match (tenths / 600, tenths / 10) {
            (0, 0..10) => write!(f, "{}.{} s", tenths / 10, tenths % 10),
            (0, seconds) => write!(f, "{seconds} s"),
            (minutes, seconds) => write!(f, "{minutes} min {} s", seconds % 60),
        }
    }
}
