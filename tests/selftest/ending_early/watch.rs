//! Tells what a process does with a file.

use std::fs::File;
use std::io;
use std::os::fd::{AsFd as _, AsRawFd as _};
use std::path::Path;

use nix::errno::Errno;
use nix::libc;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::inotify::{AddWatchFlags, InitFlags, Inotify};
use nix::sys::signal::Signal;

use crate::supervision::witness::{BOUND, eventually};

/// Chooses the signal that tells the holder of a lease; see `asm-generic/fcntl.h`.
const F_SETSIG: libc::c_int = 10;

/// The events of one file; see inotify(7).
pub(super) struct Watch(Inotify);

impl Watch {
    /// Watches for this from now on.
    pub(super) fn new(path: &Path, events: AddWatchFlags) -> Self {
        let flags = InitFlags::IN_CLOEXEC | InitFlags::IN_NONBLOCK;
        let inotify = Inotify::init(flags).expect("files can be watched");
        inotify
            .add_watch(path, events)
            .expect("the file is watched");
        Self(inotify)
    }

    /// Waits until one of the events that are watched for has happened since the last look.
    #[track_caller]
    pub(super) fn happened(&self) {
        let timeout = PollTimeout::try_from(BOUND).expect("a bound");
        let mut fds = [PollFd::new(self.0.as_fd(), PollFlags::POLLIN)];
        let ready = poll(&mut fds, timeout).expect("events can be waited for");
        assert!(ready > 0, "nothing has happened");
        match self.0.read_events() {
            Ok(_) | Err(Errno::EAGAIN) => {}
            Err(error) => panic!("the events cannot be read: {error}"),
        }
    }
}

/// Keeps everybody from opening a file, as a server does that takes its time; see `F_SETLEASE` in
/// fcntl(2). Whoever opens it waits, and so does whoever executes it.
pub(super) struct Lease(File);

impl Lease {
    /// Takes the file, which nobody may have open.
    pub(super) fn take(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        // Told by a signal that is ignored by default: the usual one would end this process.
        control(&file, F_SETSIG, Signal::SIGURG as libc::c_int)?;
        control(&file, libc::F_SETLEASE, libc::F_WRLCK)?;
        Ok(Self(file))
    }

    /// Waits until somebody waits for the file.
    #[track_caller]
    pub(super) fn wanted(&self) {
        eventually("somebody waits for the file", || {
            control(&self.0, libc::F_GETLEASE, 0).is_ok_and(|held| held != libc::F_WRLCK)
        });
    }
}

fn control(file: &File, command: libc::c_int, argument: libc::c_int) -> io::Result<libc::c_int> {
    #[expect(unsafe_code, reason = "leases have no safe wrapper")]
    // SAFETY: these three commands take a number or nothing, and the descriptor is open.
    let result = unsafe { libc::fcntl(file.as_raw_fd(), command, argument) };
    Ok(Errno::result(result)?)
}
