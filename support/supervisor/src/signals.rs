//! The supervisor's own signals.

use std::io;

use nix::sys::signal::{SigHandler, SigSet, Signal, signal};

const FAULTS: [Signal; 7] = [
    Signal::SIGABRT,
    Signal::SIGBUS,
    Signal::SIGFPE,
    Signal::SIGILL,
    Signal::SIGSEGV,
    Signal::SIGSYS,
    Signal::SIGTRAP,
];

/// Holds back every signal that can be held back.
///
/// Blocked, not ignored: both are inherited by the command (execve(2)), but the mask is emptied
/// between its fork and its exec, see [`release`].
pub(crate) fn block() -> io::Result<()> {
    let mut held = SigSet::all();
    for fault in FAULTS {
        held.remove(fault);
    }
    held.thread_block()?;
    Ok(())
}

/// Lets every signal through; called between fork and exec.
pub(crate) fn release() -> io::Result<()> {
    restore(Signal::SIGPIPE);
    SigSet::empty().thread_set_mask()?;
    Ok(())
}

/// Undoes that whoever started the harness ignored signals, so that the command does not.
pub(crate) fn restore_dispositions() {
    for each in Signal::iterator() {
        // The first two cannot be changed. The third is ignored by the standard library: a write
        // to a harness that is gone must not end us.
        if !matches!(each, Signal::SIGKILL | Signal::SIGSTOP | Signal::SIGPIPE) {
            restore(each);
        }
    }
}

fn restore(each: Signal) {
    #[expect(unsafe_code, reason = "signal dispositions have no safe wrapper")]
    // SAFETY: the default disposition is installed, so no handler of ours will ever run.
    let _ = unsafe { signal(each, SigHandler::SigDfl) };
}
