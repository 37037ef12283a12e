//! What proves the suite: every refusal by its exact reason, and what must hold besides.

#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot be set up must fail"
)]

mod capture;
mod completeness;
mod drift;
mod ending_early;
mod manifest;
mod nextest;
mod preflight;
mod presenter;
mod readme;
mod real_cli;
mod report;
mod rows;
mod run;
mod suite;
mod supervision;
mod trial;
#[cfg(target_os = "linux")]
mod watch;
