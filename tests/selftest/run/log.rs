//! A log on its own, as the run watches it: without a deployment and without processes.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

use harness::interrupt::Interrupt;
use harness::observation::log::{Snapshot, mismatch};
use harness::observation::verdict::{self, Observed};
use harness::refusal::Verdict;
use standin::observations::{lines, served, startup};
use standin::scratch;
use tempfile::TempDir;

use crate::rows::rows;
use crate::trial::{BRIEF, CLEAN_UP, PATIENT};

/// An Edge's log of which a snapshot was taken.
pub(super) struct Log {
    folder: TempDir,
    before: Snapshot,
}

impl Log {
    /// The log of an Edge that has just started.
    pub(super) fn new() -> Self {
        Self::holding(startup())
    }

    /// A log that holds this already.
    pub(super) fn holding(contents: impl AsRef<[u8]>) -> Self {
        let folder = scratch::folder().expect("a folder");
        let path = folder.path().join("edge.log");
        fs::write(&path, contents).expect("a log");
        Self {
            before: Snapshot::take(&path).expect("a snapshot"),
            folder,
        }
    }

    /// Where it is.
    pub(super) fn path(&self) -> PathBuf {
        self.folder.path().join("edge.log")
    }

    /// Appends to it.
    pub(super) fn append(&self, bytes: impl AsRef<[u8]>) {
        let mut file = OpenOptions::new()
            .append(true)
            .open(self.path())
            .expect("the log");
        file.write_all(bytes.as_ref())
            .expect("it can be written to");
    }

    /// What the run makes of it if it waits so long for the terminal record, and
    /// so long after that.
    pub(super) fn observed(&self, settle: Duration, quiet: Duration) -> Verdict<Observed> {
        let interrupt = Interrupt::install(CLEAN_UP).expect("signals can be handled");
        let fresh = self.before.fresh(&self.path(), settle, quiet, &interrupt)?;
        verdict::judge(&fresh).map_err(mismatch)
    }

    /// What the run makes of it as it is now.
    pub(super) fn observed_now(&self) -> Verdict<Observed> {
        self.observed(Duration::ZERO, Duration::ZERO)
    }
}

/// Asserts that a log with one served request is judged well, and after the change not.
#[track_caller]
fn refused(code: &str, change: impl FnOnce(&Log)) {
    let log = Log::new();
    log.append(lines(&served()));
    log.observed_now().expect("the control passes");
    change(&log);
    let refusal = log.observed_now().expect_err("the log is refused");
    assert_eq!(refusal.code(), code, "{refusal:?}");
}

rows! {
    by refused;
    removed => "observation-rotated replaced", |log| fs::remove_file(log.path()).expect("the log");
    replaced_by_a_copy => "observation-rotated replaced", |log| {
        let copy = log.path().with_extension("copy");
        fs::copy(log.path(), &copy).expect("a copy");
        fs::rename(copy, log.path()).expect("the log");
    };
    replaced_by_a_link_to_it => "observation-rotated replaced", |log| {
        let aside = log.path().with_extension("1");
        fs::rename(log.path(), &aside).expect("the log");
        std::os::unix::fs::symlink(aside, log.path()).expect("a link");
    };
    replaced_by_a_directory => "observation-rotated replaced", |log| {
        fs::remove_file(log.path()).expect("the log");
        fs::create_dir(log.path()).expect("a directory");
    };
    replaced_by_a_fifo => "observation-rotated replaced", |log| {
        fs::remove_file(log.path()).expect("the log");
        nix::unistd::mkfifo(&log.path(), nix::sys::stat::Mode::S_IRUSR).expect("a fifo");
    };
    emptied => "observation-rotated truncated", |log| cut(log, 0);
    one_byte_of_the_earlier_part_cut_off => "observation-rotated truncated", |log| cut(log, startup().len() as u64 - 1);
    emptied_and_written_further_at_the_old_offset => "observation-rotated rewritten", |log| {
        let whole = fs::read(log.path()).expect("the log");
        cut(log, 0);
        let file = OpenOptions::new().write(true).open(log.path()).expect("the log");
        let old = startup().len();
        std::os::unix::fs::FileExt::write_all_at(&file, &whole[old..], old as u64).expect("it can be written to");
    };
    emptied_and_grown_beyond => "observation-rotated rewritten", |log| {
        cut(log, 0);
        log.append(startup().replace("1700000000", "1800000000"));
        log.append(lines(&served()));
    };
    one_byte_of_the_earlier_part_changed => "observation-rotated rewritten", |log| {
        let mut whole = fs::read(log.path()).expect("the log");
        whole[20] ^= 1;
        fs::write(log.path(), whole).expect("the log");
    };
    more_than_16_mib_of_short_lines => "observation-mismatch too-large", |log| log.append("{}\n".repeat(6 << 20));
    one_line_of_20_mib => "observation-mismatch too-large", |log| log.append(vec![b'x'; 20 << 20]);
    one_byte_too_many => "observation-mismatch too-large", |log| {
        let appended = fs::metadata(log.path()).expect("the log").len() - startup().len() as u64;
        log.append(vec![b'\n'; (16 << 20) - usize::try_from(appended).expect("small") + 1]);
    };
}

fn cut(log: &Log, size: u64) {
    let file = OpenOptions::new()
        .write(true)
        .open(log.path())
        .expect("the log");
    file.set_len(size).expect("it can be cut");
}

#[test]
fn sixteen_mib_are_read() {
    let log = Log::new();
    log.append(lines(&served()));
    let appended = lines(&served()).len();
    log.append(vec![b'\n'; (16 << 20) - appended]);
    let observed = log.observed_now().expect("it is accepted");
    assert_eq!(observed.passed_over, (16 << 20) - appended);
}

#[test]
fn an_earlier_part_written_anew_with_the_same_bytes_is_no_matter() {
    let log = Log::new();
    log.append(lines(&served()));
    fs::write(log.path(), fs::read(log.path()).expect("the log")).expect("the log");
    log.observed_now().expect("it is accepted");
}

/// How much later than the CLI's end a log is written, where it is late.
const LATE: Duration = Duration::from_millis(300);

/// Appends the rest some time later; what is there at first is refused with this code.
#[track_caller]
fn completed_later(code: &str, first: &[u8], rest: &[u8]) {
    let log = Log::new();
    log.append(first);
    let early = log.observed_now().expect_err("it is not complete");
    assert_eq!(early.code(), code);
    thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(LATE);
            log.append(rest);
        });
        log.observed(PATIENT, Duration::ZERO)
            .expect("it is complete then");
    });
}

#[test]
fn a_log_that_is_flushed_late_is_waited_for() {
    completed_later("observation-mismatch no-record", b"", &lines(&served()));
}

#[test]
fn a_last_line_that_is_completed_late_is_read_then() {
    let whole = lines(&served());
    for at in [whole.len() - 1, whole.len() - 40] {
        let (first, rest) = whole.split_at(at);
        completed_later("observation-mismatch terminal-count", first, rest);
    }
}

#[test]
fn after_the_terminal_record_a_quiet_period_is_waited() {
    let log = Log::new();
    log.append(lines(&served()));
    let start = Instant::now();
    log.observed(PATIENT, BRIEF).expect("it is accepted");
    assert!(start.elapsed() >= BRIEF);
}

#[test]
fn without_a_terminal_record_the_time_to_settle_is_waited() {
    let log = Log::new();
    let start = Instant::now();
    log.observed(BRIEF, Duration::ZERO).expect_err("no record");
    assert!(start.elapsed() >= BRIEF);
}
