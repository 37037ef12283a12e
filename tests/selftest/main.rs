//! What proves the suite: every refusal by its exact reason, and what must hold besides.

#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot be set up must fail"
)]

mod child;
mod claude;
mod digests;
mod ending_early;
mod nextest;
mod preflight;
mod publication;
mod real_cli;
mod redaction;
mod run;
mod supervision;
mod trial;
