//! What the supervisor waits for: its children, its harness, signals, and the time.

use std::io;
use std::os::fd::AsFd as _;
use std::time::Instant;

use nix::sys::signal::{SigSet, Signal};
use nix::sys::signalfd::{SfdFlags, SignalFd};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

use crate::control::Control;

/// Signals by which somebody asks the supervisor itself to end.
const ENDING: [Signal; 4] = [
    Signal::SIGHUP,
    Signal::SIGINT,
    Signal::SIGQUIT,
    Signal::SIGTERM,
];

/// The source of events.
pub(crate) struct Events(SignalFd);

/// What has happened; nothing if the time has passed.
#[derive(Default)]
pub(crate) struct Wake {
    /// A child ended.
    pub(crate) child: bool,
    /// Somebody wants the command ended.
    pub(crate) asked: bool,
}

impl Events {
    /// Expects the signals to be blocked.
    pub(crate) fn new() -> io::Result<Self> {
        let mut signals = SigSet::empty();
        signals.add(Signal::SIGCHLD);
        for signal in ENDING {
            signals.add(signal);
        }
        let flags = SfdFlags::SFD_CLOEXEC | SfdFlags::SFD_NONBLOCK;
        Ok(Self(SignalFd::with_flags(&signals, flags)?))
    }

    /// Waits for an event; the harness's wish is one only where its connection is given.
    pub(crate) fn wait(
        &mut self,
        control: Option<&mut Control>,
        until: Instant,
    ) -> io::Result<Wake> {
        let mut fds = vec![PollFd::new(&self.0, PollFlags::IN)];
        if let Some(control) = &control {
            fds.push(PollFd::from_borrowed_fd(control.as_fd(), PollFlags::IN));
        }
        let time = until.saturating_duration_since(Instant::now());
        let time = Timespec::try_from(time).ok();
        match poll(&mut fds, time.as_ref()) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        let mut wake = Wake::default();
        while let Some(signal) = self.0.read_signal()? {
            if u32::try_from(Signal::SIGCHLD as i32) == Ok(signal.ssi_signo) {
                wake.child = true;
            } else {
                wake.asked = true;
            }
        }
        wake.asked |= control.is_some_and(Control::asks_to_end);
        Ok(wake)
    }
}
