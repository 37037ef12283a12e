//! The step that the run is at: on a terminal one line that moves, elsewhere a line for each step.

use std::io::{self, Write as _};
use std::time::{Duration, Instant};

use console::Term;
use harness::progress::Step;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::course::Course;

/// How often the moving line is drawn.
const FRAME: Duration = Duration::from_millis(100);

/// Where the steps are shown.
pub(crate) struct Screen {
    course: Option<Course>,
    /// Whether there is a terminal that can show a moving line.
    moves: bool,
    /// The line as it stands there.
    line: Option<ProgressBar>,
    /// Whether the run is being ended, which nextest tells.
    given_up: bool,
}

impl Screen {
    /// On standard error, where nextest writes as well.
    pub(crate) fn new() -> Self {
        let terminal = Term::stderr();
        Self {
            course: None,
            moves: terminal.is_term() && !console::is_dumb(),
            line: None,
            given_up: false,
        }
    }

    /// How long to wait before the next drawing; for ever if nothing moves.
    pub(crate) fn next_draw(&self) -> Option<Duration> {
        (self.moves && self.course.is_some()).then_some(FRAME)
    }

    /// Goes on to a step.
    pub(crate) fn show(&mut self, step: Step, now: Instant) {
        if step == Step::End {
            self.course = None;
            return self.clear();
        }
        if self.given_up {
            return;
        }
        let course = match self.course.take() {
            Some(mut course) => {
                course.go_on(step, now);
                course
            }
            None => Course::new(step, now),
        };
        if !self.moves {
            // Nobody is told that nobody reads.
            let _ = writeln!(io::stderr(), "       STAGE {}", course.begun());
        }
        self.course = Some(course);
        // None is passed over, however many come at once.
        self.draw(now);
    }

    /// Draws the moving line.
    pub(crate) fn draw(&mut self, now: Instant) {
        if let Some(course) = self.course.as_ref().filter(|_| self.moves) {
            let line = self.line.get_or_insert_with(line);
            line.set_message(course.moving(now));
            line.tick();
        }
    }

    /// Shows nothing from now on: the run is being ended.
    pub(crate) fn give_up(&mut self) {
        self.given_up = true;
        self.course = None;
        self.clear();
    }

    /// Takes the moving line away.
    fn clear(&mut self) {
        if let Some(line) = self.line.take() {
            line.finish_and_clear();
        }
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        self.clear();
    }
}

fn line() -> ProgressBar {
    let line = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    // Valid as it stands; the default style shows the same words.
    let style = ProgressStyle::with_template("  {spinner} {wide_msg}");
    let ticks = if supports_unicode::on(supports_unicode::Stream::Stderr) {
        "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏ "
    } else {
        "-\\|/ "
    };
    line.with_style(
        style
            .unwrap_or_else(|_| ProgressStyle::default_spinner())
            .tick_chars(ticks),
    )
}
