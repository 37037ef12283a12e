//! The Edge's log across a run: what was there before, and what was appended.

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use super::verdict;
use crate::constants::OBSERVATION_BOUND;
use crate::digest::file::{FileDigest, FileError, RegularFile};
use crate::interrupt::Interrupt;
use crate::observation::verdict::ObservationFault;
use crate::reason::Reason;
use crate::refusal::{Circumstance, Refusal, Verdict};

/// How often the log is looked at while something is expected in it.
const POLL: Duration = Duration::from_millis(20);

/// The log before the run.
#[derive(Clone, Copy, Debug)]
pub struct Snapshot {
    prefix: FileDigest,
    /// Whether the prefix ends with a complete line.
    at_line_end: bool,
}

impl Snapshot {
    /// Takes the log as it is.
    ///
    /// # Errors
    /// `observation-log`.
    pub fn take(path: &Path) -> Verdict<Self> {
        let refuse = |error: FileError| {
            Refusal::new(Reason::ObservationLog)
                .detail(error.circumstance())
                .caused_by(error)
        };
        let log = RegularFile::open(path).map_err(refuse)?;
        let last = log.tail(1).map_err(refuse)?;
        let size = log.size();
        let prefix = log.digest_prefix(size).map_err(refuse)?;
        Ok(Self {
            prefix: FileDigest { size, ..prefix },
            at_line_end: matches!(last.last(), None | Some(b'\n')),
        })
    }

    /// Whether this is the file that the snapshot was taken of.
    pub(super) fn is_of(&self, log: &RegularFile) -> bool {
        (log.device(), log.inode()) == (self.prefix.device, self.prefix.inode)
    }

    /// Where the fresh part begins, in bytes.
    pub(super) fn size(&self) -> u64 {
        self.prefix.size
    }

    /// Whether the fresh part begins with a line of its own.
    pub(super) fn at_line_end(&self) -> bool {
        self.at_line_end
    }

    /// Waits for the terminal record, then for a quiet period, and gives the
    /// complete lines that were appended.
    ///
    /// Logs are flushed late: the record may come after the CLI has ended. If
    /// none comes within `settle`, what there is is given all the same.
    ///
    /// # Errors
    /// `observation-rotated`, `observation-mismatch` or `interrupted`.
    pub fn fresh(
        &self,
        path: &Path,
        settle: Duration,
        quiet: Duration,
        interrupt: &Interrupt,
    ) -> Verdict<Vec<u8>> {
        let deadline = Instant::now() + settle;
        let mut read = Window::default();
        while !read.has_terminal && Instant::now() < deadline {
            interrupt.check()?;
            self.look(path, &mut read)?;
            if !read.has_terminal {
                thread::sleep(POLL);
            }
        }
        let end = Instant::now() + quiet;
        while read.has_terminal && Instant::now() < end {
            interrupt.check()?;
            thread::sleep(POLL);
        }
        self.look(path, &mut read)?;
        self.same_prefix(path)?;
        Ok(read.complete(self.at_line_end))
    }

    /// Reads what has been appended since the last look.
    fn look(&self, path: &Path, window: &mut Window) -> Verdict {
        let log = RegularFile::open(path).map_err(rotated_by)?;
        if !self.is_of(&log) {
            return Err(rotated(Circumstance::Replaced));
        }
        let from = self.prefix.size + window.bytes.len() as u64;
        if log.size() < from {
            return Err(rotated(Circumstance::Truncated));
        }
        let room = OBSERVATION_BOUND + 1 - window.bytes.len() as u64;
        window.add(&log.read_from(from, room).map_err(rotated_by)?);
        if window.bytes.len() as u64 > OBSERVATION_BOUND {
            return Err(mismatch(ObservationFault::TooLarge));
        }
        Ok(())
    }

    /// Refuses a log whose earlier part is no longer what it was.
    fn same_prefix(&self, path: &Path) -> Verdict {
        let log = RegularFile::open(path).map_err(rotated_by)?;
        let now = log.digest_prefix(self.prefix.size).map_err(rotated_by)?;
        if (now.device, now.inode) != (self.prefix.device, self.prefix.inode) {
            return Err(rotated(Circumstance::Replaced));
        }
        if now.digest != self.prefix.digest {
            return Err(rotated(Circumstance::Rewritten)
                .expected(self.prefix.digest)
                .found(now.digest));
        }
        Ok(())
    }
}

/// What was appended so far.
#[derive(Default)]
struct Window {
    bytes: Vec<u8>,
    has_terminal: bool,
    /// Where the lines begin that were not searched yet.
    searched: usize,
}

impl Window {
    fn add(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
        let end = self
            .bytes
            .iter()
            .rposition(|byte| *byte == b'\n')
            .map_or(0, |last| last + 1);
        if end > self.searched {
            self.has_terminal |= verdict::has_terminal(&self.bytes[self.searched..end]);
            self.searched = end;
        }
    }

    /// The lines that were begun and completed within the window.
    fn complete(mut self, at_line_start: bool) -> Vec<u8> {
        let end = self
            .bytes
            .iter()
            .rposition(|byte| *byte == b'\n')
            .map_or(0, |last| last + 1);
        self.bytes.truncate(end);
        if !at_line_start {
            let first = self.bytes.iter().position(|byte| *byte == b'\n');
            self.bytes.drain(..first.map_or(end, |first| first + 1));
        }
        self.bytes
    }
}

/// The refusal for observations that are not those of one served request.
pub fn mismatch(fault: ObservationFault) -> Refusal {
    Refusal::new(Reason::ObservationMismatch)
        .detail(fault)
        .expected("one request, planned, worked and reviewed")
        .found(fault.meaning())
}

fn rotated(how: Circumstance) -> Refusal {
    Refusal::new(Reason::ObservationRotated).detail(how)
}

fn rotated_by(error: FileError) -> Refusal {
    let how = match error {
        FileError::Short => Circumstance::Truncated,
        FileError::Absent | FileError::Link | FileError::NotRegular => Circumstance::Replaced,
        _ => Circumstance::Unreadable,
    };
    rotated(how).caused_by(error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_a_log_was_rotated_follows_from_how_it_could_not_be_read() {
        for (error, code) in [
            (FileError::Short, "observation-rotated truncated"),
            (FileError::Absent, "observation-rotated replaced"),
            (FileError::Link, "observation-rotated replaced"),
            (FileError::NotRegular, "observation-rotated replaced"),
            (FileError::Denied, "observation-rotated unreadable"),
            (FileError::Changed, "observation-rotated unreadable"),
        ] {
            assert_eq!(rotated_by(error).code(), code);
        }
    }
}
