//! Bounds come first: what was said before one was passed is incomplete.

use harness::process::Cause;
use harness::reason::ClaudeReason::*;

use super::row::rows;
use super::run::{control, failed, silent};

rows! {
    deadline_after_a_clean_result: control().cause(Cause::Deadline) => Err(Deadline);
    deadline_before_any_event: silent().cause(Cause::Deadline).signal(15) => Err(Deadline);
    deadline_wins_over_an_error: failed("API Error: 401 no").status(401).cause(Cause::Deadline) => Err(Deadline);
    deadline_wins_over_left_processes: control().cause(Cause::Deadline).left(1) => Err(Deadline);
    stdout_overflow: control().cause(Cause::StdoutOverflow) => Err(StdoutOverflow);
    stdout_overflow_wins_over_left_processes: control().cause(Cause::StdoutOverflow).left(2) => Err(StdoutOverflow);
    stderr_overflow: control().cause(Cause::StderrOverflow) => Err(StderrOverflow);
    left_processes_after_a_clean_result: control().left(1) => Err(LeftProcesses);
    left_processes_win_over_an_error: failed("API Error: 500 no").status(500).left(3) => Err(LeftProcesses);
}
