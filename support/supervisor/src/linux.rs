//! Linux: every descendant is found, wherever it went.
//!
//! As a child subreaper (prctl(2)) the supervisor inherits every descendant whose parent died, so
//! a process that has no child has no descendant either. Descendants are found by their parents in
//! `/proc`, whatever session or group they moved to.
//!
//! Not covered: what another service starts on the command's behalf (cron, systemd, a container
//! engine) is no descendant, and a process that changed its user cannot be signalled; the latter
//! is reported as left.

mod events;
mod family;
mod settle;

use std::io;

use rustix::process::{
    Pid, Signal, getpid, getppid, set_child_subreaper, set_parent_process_death_signal,
};

pub(crate) use events::Events;
pub(crate) use family::reap_orphans;
pub(crate) use settle::settle;

/// Makes this process the parent of every descendant whose own parent dies.
///
/// Fails too where `/proc` does not show the processes: nothing could be found then.
pub(crate) fn adopt_orphans() -> io::Result<()> {
    family::check()?;
    // Any process id means "yes" to prctl(2).
    set_child_subreaper(Some(getpid()))?;
    Ok(())
}

/// Has the calling process killed when the supervisor dies; called between fork and exec.
///
/// A last resort for a supervisor that is killed itself: it does not reach the command's children.
pub(crate) fn end_with_supervisor(supervisor: Pid) -> io::Result<()> {
    set_parent_process_death_signal(Some(Signal::KILL))?;
    if getppid() == Some(supervisor) {
        Ok(())
    } else {
        Err(io::ErrorKind::BrokenPipe.into())
    }
}
