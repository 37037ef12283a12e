//! What a user runs: every preflight check, the run, and what belongs to it.
//!
//! Under the profiles `smoke-live`, `evidence`, `evidence-diff` and `validate`
//! the environment is the only source of the deployment. Everywhere else each
//! test has a fresh stand-in, so that none is skipped or passes for want of
//! inputs.

#![expect(clippy::expect_used, reason = "a test that cannot be set up must fail")]

mod evidence;
mod manifest;
mod preflight;
mod run;
mod subject;
