//! What holds with the real Claude Code CLI as the client.
//!
//! These tests need an executable that the self-test cannot count on, so they
//! are ignored there; `make client` installs the pinned version and runs them.
//! `make claude-matrix` runs them with other versions as well.

mod answers;
mod bad_request;
#[cfg(target_os = "linux")]
mod enclosure;
mod hermetic;
mod job;
#[cfg(target_os = "linux")]
mod key;
mod row;
mod run;
mod scene;
mod streams;
mod transport;
mod version;
