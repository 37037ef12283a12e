//! Observation files that are no Edge log.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};

use harness::constants::{EDGE_LOG_MESSAGES, OBSERVATION_TAIL};
use harness::observation::admission::is_edge_log;

use crate::preflight::row::{accepted, rows};
use crate::trial::Trial;

rows! {
    absent: ObservationLog => "observation-log absent", remove;
    directory: ObservationLog => "observation-log not-regular", |t| {
        remove(t);
        fs::create_dir(t.path("edge.log")).expect("it can be made");
    };
    link: ObservationLog => "observation-log link", |t| {
        fs::rename(t.path("edge.log"), t.path("aside.log")).expect("it can be moved");
        symlink("aside.log", t.path("edge.log")).expect("a link can be made");
    };
    dangling_link: ObservationLog => "observation-log link", |t| {
        remove(t);
        symlink("nothing", t.path("edge.log")).expect("a link can be made");
    };
    fifo: ObservationLog => "observation-log not-regular", |t| {
        remove(t);
        nix::unistd::mkfifo(&t.path("edge.log"), nix::sys::stat::Mode::S_IRUSR).expect("it can be made");
    };
    unreadable: ObservationLog => "observation-log unreadable", |t| {
        fs::set_permissions(t.path("edge.log"), fs::Permissions::from_mode(0o200)).expect("it can be changed");
        t.unprivileged = true;
    };
    plain_of_an_absent_log: ObservationPlain => "observation-log absent", remove;

    empty: ObservationPlain => "observation-plain", |t| holds(t, "");
    plain_text: ObservationPlain => "observation-plain", |t| holds(t, "2026-01-01 INFO edge listening for nodes\n");
    console_encoding: ObservationPlain => "observation-plain", |t| {
        holds(t, "2026-01-01T00:00:00.000Z\tinfo\tedge/main.go:10\tedge listening for nodes\t{\"port\": 1}\n");
    };
    unknown_message: ObservationPlain => "observation-plain", |t| holds(t, r#"{"level":"info","ts":1,"msg":"node not ready"}"#);
    message_with_more: ObservationPlain => "observation-plain", |t| holds(t, r#"{"level":"info","ts":1,"msg":"node ready!"}"#);
    level_missing: ObservationPlain => "observation-plain", |t| holds(t, r#"{"ts":1,"msg":"node ready"}"#);
    level_as_number: ObservationPlain => "observation-plain", |t| holds(t, r#"{"level":20,"ts":1,"msg":"node ready"}"#);
    time_missing: ObservationPlain => "observation-plain", |t| holds(t, r#"{"level":"info","msg":"node ready"}"#);
    time_as_text: ObservationPlain => "observation-plain", |t| holds(t, r#"{"level":"info","ts":"2026-01-01","msg":"node ready"}"#);
    message_missing: ObservationPlain => "observation-plain", |t| holds(t, r#"{"level":"info","ts":1,"message":"node ready"}"#);
    record_within_a_record: ObservationPlain => "observation-plain", |t| {
        holds(t, r#"{"entry":{"level":"info","ts":1,"msg":"node ready"}}"#);
    };
    record_within_an_array: ObservationPlain => "observation-plain", |t| holds(t, r#"[{"level":"info","ts":1,"msg":"node ready"}]"#);
    record_over_two_lines: ObservationPlain => "observation-plain", |t| holds(t, "{\"level\":\"info\",\n\"ts\":1,\"msg\":\"node ready\"}\n");
    record_before_the_last_mebibyte: ObservationPlain => "observation-plain", |t| {
        holds(t, &format!("{RECORD}\n{}", "x".repeat(tail())));
    };
    record_across_the_last_mebibyte: ObservationPlain => "observation-plain", |t| {
        holds(t, &format!("{RECORD}\n{}", "x".repeat(tail() - RECORD.len())));
    };
}

accepted! {
    one_record_among_noise: ObservationPlain, |t| holds(t, &format!("panic: oops\n\n7\n[]\n{{\n{RECORD}\nnoise"));
    record_at_the_start_of_the_last_mebibyte: ObservationPlain, |t| {
        holds(t, &format!("x\n{RECORD}\n{}", "x".repeat(tail() - RECORD.len() - 1)));
    };
    record_with_a_carriage_return: ObservationPlain, |t| holds(t, &format!("{RECORD}\r\n"));
    bytes_that_are_no_text: ObservationPlain, |t| {
        let bytes = [b"\xff\xfe\0\n".as_slice(), RECORD.as_bytes()].concat();
        fs::write(t.path("edge.log"), bytes).expect("it can be written");
    };
}

#[test]
fn each_known_message_shows_that_a_file_is_an_edge_log() {
    assert_eq!(EDGE_LOG_MESSAGES.len(), 11);
    for message in EDGE_LOG_MESSAGES {
        let line = format!(r#"{{"level":"info","ts":1.5,"msg":"{message}","port":1}}"#);
        assert!(is_edge_log(line.as_bytes()), "{message}");
    }
}

const RECORD: &str = r#"{"level":"info","ts":1,"msg":"node ready"}"#;

fn tail() -> usize {
    usize::try_from(OBSERVATION_TAIL).expect("a mebibyte")
}

fn remove(trial: &mut Trial) {
    fs::remove_file(trial.path("edge.log")).expect("it is there");
}

fn holds(trial: &mut Trial, text: &str) {
    fs::write(trial.path("edge.log"), text).expect("it can be written");
}
