//! What holds with the real Claude Code CLI as the client.
//!
//! These tests need an executable that the self-test cannot count on, so they
//! are ignored there; `make client` installs the pinned version and runs them.
//! `make claude-matrix` runs them with other versions as well.

use std::path::PathBuf;

use harness::environment::Environment;

use crate::trial::Trial;

mod answers;
mod bad_request;
#[cfg(target_os = "linux")]
mod enclosure;
mod hermetic;
mod job;
#[cfg(target_os = "linux")]
mod key;
mod outliving;
mod row;
mod run;
mod scene;
mod streams;
mod transport;
mod version;

/// A deployment that passes, with the real CLI that `IOP_SMOKE_CLAUDE` names.
fn trial() -> Trial {
    let caller = Environment::of_process();
    let executable = caller.get("IOP_SMOKE_CLAUDE").map(PathBuf::from);
    Trial::with_real_cli(executable.expect("IOP_SMOKE_CLAUDE names the real CLI: `make client`"))
}
