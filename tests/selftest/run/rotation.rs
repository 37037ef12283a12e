//! Logs that are not left alone, or do not tell of the request, in a whole run.

use std::fs::{self, OpenOptions};
use std::os::unix::fs::{FileExt as _, symlink};
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use serde_json::Value;
use standin::observations::lines;

use crate::run::row::rows;
use crate::trial::{BRIEF, Trial};

rows! {
    replaced => "observation-rotated replaced", |t| during(t, |log| {
        let copy = log.with_extension("copy");
        fs::copy(log, &copy).expect("a copy");
        fs::rename(copy, log).expect("the log");
    });
    truncated => "observation-rotated truncated", |t| during(t, |log| drop(fs::File::create(log).expect("the log")));
    truncated_and_written_further => "observation-rotated rewritten", |t| during(t, |log| {
        let whole = fs::read(log).expect("the log");
        let file = OpenOptions::new().write(true).truncate(true).open(log).expect("the log");
        file.write_all_at(&whole[300..], 300).expect("it can be written to");
    });
    linked => "observation-rotated replaced", |t| during(t, |log| {
        fs::rename(log, log.with_extension("1")).expect("the log");
        symlink(log.with_extension("1"), log).expect("a link");
    });
    stale => "observation-mismatch no-record", |t| {
        t.limits.settle = BRIEF;
        edit(t, Vec::clear);
    };
    no_terminal_record => "observation-mismatch terminal-count", |t| {
        t.limits.settle = BRIEF;
        edit(t, |records| drop(records.pop()));
    };
    stages_out_of_order => "observation-mismatch stage-order", |t| edit(t, |records| records.swap(1, 2));
}

/// Has something happen to the log once the request's records are in it.
fn during(trial: &mut Trial, happens: impl Fn(&Path) + Send + Sync + 'static) {
    let log = trial.path("edge.log");
    trial
        .standin
        .edge
        .behave(|behaviour| behaviour.during = Some(Arc::new(move || happens(&log))));
}

/// Has the served request leave other records.
fn edit(trial: &mut Trial, change: impl Fn(&mut Vec<Value>) + Send + Sync + 'static) {
    trial.standin.edge.behave(|behaviour| {
        behaviour.records = Some(Arc::new(move |mut records| {
            change(&mut records);
            lines(&records)
        }));
    });
}

#[test]
fn a_last_line_that_is_completed_after_the_run_is_waited_for() {
    const LATE: Duration = Duration::from_millis(300);
    let trial = Trial::new();
    trial.standin.edge.behave(|behaviour| {
        behaviour.records = Some(Arc::new(|records| {
            let mut lines = lines(&records);
            lines.truncate(lines.len() - 25);
            lines
        }));
        let log = trial.path("edge.log");
        behaviour.during = Some(Arc::new(move || {
            let log = log.clone();
            thread::spawn(move || {
                thread::sleep(LATE);
                let whole = lines(&standin::observations::served());
                let file = OpenOptions::new().append(true).open(log).expect("the log");
                std::io::Write::write_all(&mut &file, &whole[whole.len() - 25..])
                    .expect("it can be written to");
            });
        }));
    });
    trial.run().expect("it is waited for");
}
