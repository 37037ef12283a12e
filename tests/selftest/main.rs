//! What proves the suite: every refusal by its exact reason, and what must hold besides.

#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot be set up must fail"
)]

mod capture;
mod child;
mod claude;
mod completeness;
mod digests;
mod drift;
mod ending_early;
mod manifest;
mod nextest;
mod preflight;
mod presenter;
mod publication;
mod readme;
mod real_cli;
mod redaction;
mod report;
mod rows;
mod run;
mod suite;
mod supervision;
mod trial;
