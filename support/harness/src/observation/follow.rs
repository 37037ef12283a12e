//! The log while the run goes on: which stage is under way.
//!
//! This judges nothing. What it cannot read or does not know, it passes over; the verdict on the
//! same lines is taken when the CLI has ended.

use std::path::Path;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use super::log::Snapshot;
use super::record::Fields;
use crate::constants::OBSERVATION_BOUND;
use crate::digest::file::RegularFile;
use crate::progress::{Listener, Step};

/// How often the log is looked at.
const POLL: Duration = Duration::from_millis(100);
/// Most bytes that are read at one look.
const LOOK: u64 = 256 << 10;
/// Longest line that is read; an observation has a few hundred bytes.
const LINE: usize = 16 << 10;

/// Runs something, and tells the listener of each stage that the log shows meanwhile.
///
/// Nothing outlives `run`, however it ends.
pub fn during<T>(run: impl FnOnce() -> T, log: &Path, before: &Snapshot, listener: &Listener) -> T {
    if !listener.is_named() {
        return run();
    }
    thread::scope(|scope| {
        // Dropped when `run` returns or panics.
        let (_running, ended) = mpsc::channel::<()>();
        // Without the thread there is no progress to be seen, and nothing else is amiss.
        let _ = thread::Builder::new()
            .name("progress".into())
            .spawn_scoped(scope, move || follow(log, before, listener, &ended));
        run()
    })
}

fn follow(log: &Path, before: &Snapshot, listener: &Listener, ended: &mpsc::Receiver<()>) {
    let Ok(log) = RegularFile::open(log) else {
        return;
    };
    if !before.is_of(&log) {
        return;
    }
    let mut stages = Stages::new(before.at_line_end());
    let mut read = 0;
    let mut running = true;
    // The last look is taken when the run has ended.
    while running && read < OBSERVATION_BOUND && !stages.is_over() {
        running = ended.recv_timeout(POLL) == Err(RecvTimeoutError::Timeout);
        let Ok(bytes) = log.read_from(before.size() + read, LOOK) else {
            return;
        };
        read += bytes.len() as u64;
        for step in stages.read(&bytes) {
            listener.tell(step);
        }
    }
}

/// Which stage the lines read so far have come to.
pub struct Stages {
    current: Step,
    line: Vec<u8>,
    /// The line under way is not wanted: it is too long, or was begun before.
    skip: bool,
}

impl Stages {
    /// Begins with a line, or within one that was begun before.
    pub fn new(at_line_start: bool) -> Self {
        Self {
            current: Step::Claude,
            line: Vec::new(),
            skip: !at_line_start,
        }
    }

    /// Whether no further stage can begin.
    fn is_over(&self) -> bool {
        self.current == Step::Answer
    }

    /// Takes further bytes of the log, and gives the steps that begin with them.
    ///
    /// A step is given at most once and never after a later one.
    pub fn read(&mut self, bytes: &[u8]) -> Vec<Step> {
        let mut begun = Vec::new();
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            if self.line.len() + part.len() > LINE {
                self.skip = true;
                self.line.clear();
            }
            if !self.skip {
                self.line.extend_from_slice(part);
            }
            if part.ends_with(b"\n") {
                let step = begins(&self.line).filter(|step| *step > self.current);
                begun.extend(step);
                self.current = step.unwrap_or(self.current);
                self.line.clear();
                self.skip = false;
            }
        }
        begun
    }
}

/// The step that begins when the log gets this line: a stage's record comes when it is done.
fn begins(line: &[u8]) -> Option<Step> {
    let fields = Fields::observation(line)?;
    match (fields.text("event_class")?, fields.text("stage")) {
        ("request", _) => Some(Step::Plan),
        ("stage", Some("plan")) => Some(Step::Work),
        ("stage", Some("work")) => Some(Step::Review),
        ("stage", Some("review")) | ("terminal", _) => Some(Step::Answer),
        _ => None,
    }
}
