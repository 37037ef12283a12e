//! Where the executables of this package are.

use std::env;
use std::path::PathBuf;

use crate::reason::Reason;
use crate::refusal::{Refusal, SafeError};

/// Name of the executable that supervises commands.
pub const SUPERVISOR: &str = "iop-smoke-supervisor";

/// An executable of this package cannot be found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the executable {0} is neither named by the test runner nor next to this one")]
pub struct MissingExecutable(&'static str);

impl SafeError for MissingExecutable {}

impl From<MissingExecutable> for Refusal {
    fn from(missing: MissingExecutable) -> Self {
        Self::new(Reason::SupervisorMissing).caused_by(missing)
    }
}

/// The supervisor's executable.
///
/// # Errors
///
/// It cannot be found.
pub fn supervisor() -> Result<PathBuf, MissingExecutable> {
    find(SUPERVISOR)
}

/// An executable of this package by its name.
///
/// cargo-nextest and cargo name it to the tests that they run; the former does so for archives as
/// well, where it lies somewhere else than at build time. A test that was started by hand finds
/// it where cargo puts it: next to the directory of the test's own executable.
///
/// # Errors
///
/// It cannot be found.
pub fn find(name: &'static str) -> Result<PathBuf, MissingExecutable> {
    for runner in ["NEXTEST_BIN_EXE_", "CARGO_BIN_EXE_"] {
        #[expect(
            clippy::disallowed_methods,
            reason = "names a file of this build, no input"
        )]
        if let Some(path) = env::var_os(format!("{runner}{name}")) {
            return Ok(path.into());
        }
    }
    let own = env::current_exe().map_err(|_| MissingExecutable(name))?;
    let mut above = own
        .ancestors()
        .skip(1)
        .take(2)
        .map(|directory| directory.join(name));
    above
        .find(|path| path.is_file())
        .ok_or(MissingExecutable(name))
}
