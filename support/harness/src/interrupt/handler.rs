//! The handler of the three signals: notes the first and wakes the thread that waits for it.

use std::io::{self, PipeReader};
use std::os::fd::{BorrowedFd, IntoRawFd as _};
use std::sync::atomic::{AtomicI32, Ordering};

use nix::errno::Errno;
use nix::libc::c_int;
use nix::sys::signal::{SaFlags, SigAction, SigHandler, SigSet, Signal, sigaction};
use nix::unistd;
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};

const SIGNALS: [Signal; 3] = [Signal::SIGHUP, Signal::SIGINT, Signal::SIGTERM];

/// The number of the first signal, from the moment its handler has run; 0 before.
static RECEIVED: AtomicI32 = AtomicI32::new(0);

/// The descriptor through which the thread is woken, which is never closed.
static WAKE: AtomicI32 = AtomicI32::new(-1);

/// Handles the signals from now on; what is returned can be read once there was one.
///
/// While a thread handles one, the others are held back from it. Of several that the process has
/// not seen yet the system picks the first, and of two that two threads take at the same time
/// either may be noted first.
///
/// May be called once.
pub(super) fn install() -> io::Result<PipeReader> {
    let (sent, wake) = io::pipe()?;
    // A handler never waits: what fills the pipe has woken the thread.
    fcntl_setfl(&wake, fcntl_getfl(&wake)? | OFlags::NONBLOCK)?;
    WAKE.store(wake.into_raw_fd(), Ordering::SeqCst);
    let handler = SigHandler::Handler(note);
    let action = SigAction::new(handler, SaFlags::SA_RESTART, signals());
    for signal in SIGNALS {
        #[expect(unsafe_code, reason = "signal handlers have no safe wrapper")]
        // SAFETY: the handler uses atomic numbers, write(2) and errno alone, and puts errno back.
        unsafe {
            sigaction(signal, &action)?;
        }
    }
    Ok(sent)
}

/// The three signals.
pub(super) fn signals() -> SigSet {
    SIGNALS.into_iter().collect()
}

/// The number of the first signal, if there was one.
pub(super) fn received() -> Option<i32> {
    Some(RECEIVED.load(Ordering::SeqCst)).filter(|number| *number != 0)
}

extern "C" fn note(signal: c_int) {
    let errno = Errno::last_raw();
    let _ = RECEIVED.compare_exchange(0, signal, Ordering::SeqCst, Ordering::SeqCst);
    #[expect(unsafe_code, reason = "a handler has nothing but the number")]
    // SAFETY: the descriptor is set before any handler is installed and never closed.
    let wake = unsafe { BorrowedFd::borrow_raw(WAKE.load(Ordering::SeqCst)) };
    let _ = unistd::write(wake, b"!");
    Errno::set_raw(errno);
}
