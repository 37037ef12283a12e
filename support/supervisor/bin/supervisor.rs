//! The supervisor's executable; `supervisor::supervise` says what it does.

use std::process::ExitCode;

fn main() -> ExitCode {
    supervisor::supervise(std::env::args_os().skip(1))
}
