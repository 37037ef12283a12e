//! Output that nobody would print: it is judged all the same, and never as a success.

use harness::claude::classify::judge;
use harness::process::{Cause, Ended, Status};
use harness::reason::ClaudeReason;

use super::run::{Run, control, failed};

#[test]
fn a_run_that_is_cut_off_anywhere_is_no_success() {
    let whole = control().ended();
    for end in 0..whole.stdout.len() - 1 {
        let cut = with_stdout(whole.stdout[..end].to_vec());
        assert_eq!(
            judge(&cut).map(drop),
            Err(ClaudeReason::NoResultEvent),
            "cut at {end}"
        );
    }
}

#[test]
fn any_changed_byte_is_judged() {
    for run in [
        control(),
        failed("API Error: 400 \\u0022anthropic-\nbeta\\\\").status(400),
    ] {
        let whole = run.stdout();
        for at in 0..whole.len() {
            for byte in [0, b'"', b'\\', b'\n', 0xFF] {
                let mut changed = whole.clone();
                changed[at] = byte;
                // That it returns is the point.
                let _ = judge(&with_stdout(changed));
            }
        }
    }
}

#[test]
fn texts_that_end_in_the_middle_of_something_are_judged() {
    let text = "API Error: {\"error\":{\"type\":\"x\"}} · Request rejected (429) “404 page not found” \\u00e4-\nß";
    for (end, _) in text.char_indices() {
        for start in [0, end] {
            assert!(judge(&failed(&text[start..]).ended()).is_err());
            assert!(judge(&failed(&text[..end]).ended()).is_err());
            assert!(judge(&control().exit(1).stderr(&text.as_bytes()[start..]).ended()).is_err());
        }
    }
}

#[test]
fn the_signs_at_both_ends_of_long_output_are_found() {
    let padding = "ä".repeat(100_000);
    let long_text = failed(&format!("API Error: 402 {padding}"));
    let long_stderr = failed("made up").stderr(format!("{padding}\nAPI Error: 413 made up\n"));
    assert_eq!(reason(&long_text), Some(ClaudeReason::Http402));
    assert_eq!(reason(&long_stderr), Some(ClaudeReason::Http413));
}

fn reason(run: &Run) -> Option<ClaudeReason> {
    judge(&run.ended()).err()
}

fn with_stdout(stdout: Vec<u8>) -> Ended {
    Ended {
        cause: Cause::Exited,
        status: Status::Code(0),
        stdout,
        stderr: Vec::new(),
        terminated: 0,
        left: 0,
    }
}
