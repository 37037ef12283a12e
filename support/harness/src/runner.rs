//! The host that the smoke runs on, as uname(2) names it.

use nix::sys::utsname::uname;

use crate::reason::Reason;
use crate::refusal::{Refusal, Verdict};

/// `linux`, `darwin`, or what else the system calls itself, in lower case.
///
/// # Errors
/// `runner-os` if the system does not answer.
pub fn os() -> Verdict<String> {
    let name = uname().map_err(|_| Refusal::new(Reason::RunnerOs).found("no answer"))?;
    Ok(name.sysname().to_string_lossy().to_lowercase())
}

/// `uname -m` in lower case.
///
/// # Errors
/// `runner-arch` if the system does not answer.
pub fn arch() -> Verdict<String> {
    let name = uname().map_err(|_| Refusal::new(Reason::RunnerArch).found("no answer"))?;
    Ok(name.machine().to_string_lossy().to_lowercase())
}
