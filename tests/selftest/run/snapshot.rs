//! A log of which no snapshot can be taken before the run.

use std::fs;
use std::path::Path;

use harness::observation::log::Snapshot;

use crate::rows::rows;
use crate::run::log::Log;
use crate::watch::cut_once_hashed;

/// Asserts that a snapshot of a log is taken, and after the change not.
#[track_caller]
fn refused(code: &str, change: impl FnOnce(&Path)) {
    // It has taken one itself.
    let log = Log::new();
    change(&log.path());
    let Err(refusal) = Snapshot::take(&log.path()) else {
        panic!("a snapshot was taken")
    };
    assert_eq!(refusal.code(), code, "{refusal:?}");
}

rows! {
    by refused;
    removed => "observation-log absent", |path| fs::remove_file(path).expect("the log");
    emptied_while_it_is_hashed => "observation-log short", cut_once_hashed;
}
