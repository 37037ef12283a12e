//! What the parts of the harness do that need no deployment, each by itself.
//!
//! An executable of its own, as each of its tests is a process: without what a deployment takes,
//! one starts in two thirds of the time.

#![expect(clippy::expect_used, reason = "a test that cannot be set up must fail")]

mod child;
mod claude;
mod digests;
mod publication;
mod redaction;
