//! Tells what a process does with a file.

use std::fs::{File, OpenOptions};
use std::os::fd::{AsFd as _, AsRawFd as _};
use std::path::Path;
use std::process::Command;
use std::{io, thread};

use nix::errno::Errno;
use nix::libc;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::inotify::{AddWatchFlags, InitFlags, Inotify};
use nix::sys::signal::Signal;

use crate::supervision::witness::{BOUND, eventually};

/// Reads by which a file is known to be read from end to end, and not only looked at.
const MANY_READS: usize = 8;

/// Chooses the signal that tells the holder of a lease; see `asm-generic/fcntl.h`.
const F_SETSIG: libc::c_int = 10;

/// The events of one file; see inotify(7).
pub(crate) struct Watch(Inotify);

impl Watch {
    /// Watches for this from now on.
    pub(crate) fn new(path: &Path, events: AddWatchFlags) -> Self {
        let flags = InitFlags::IN_CLOEXEC | InitFlags::IN_NONBLOCK;
        let inotify = Inotify::init(flags).expect("files can be watched");
        inotify
            .add_watch(path, events)
            .expect("the file is watched");
        Self(inotify)
    }

    /// Waits until one of the events that are watched for has happened since the last look.
    #[track_caller]
    pub(crate) fn happened(&self) {
        let timeout = PollTimeout::try_from(BOUND).expect("a bound");
        let mut fds = [PollFd::new(self.0.as_fd(), PollFlags::POLLIN)];
        let ready = poll(&mut fds, timeout).expect("events can be waited for");
        assert!(ready > 0, "nothing has happened");
        match self.0.read_events() {
            Ok(_) | Err(Errno::EAGAIN) => {}
            Err(error) => panic!("the events cannot be read: {error}"),
        }
    }

    /// Waits until a file that is watched for `IN_ACCESS` is read from end to end.
    #[track_caller]
    pub(crate) fn is_hashed(&self) {
        (0..MANY_READS).for_each(|_| self.happened());
    }
}

/// Makes a file so large that nobody hashes it in the time of a test; it has no more blocks.
pub(crate) fn enlarge(path: &Path) {
    // A process of its own, for the reason that `standin::executables::install` gives.
    let status = Command::new("truncate")
        .args(["-s", "64G", "--"])
        .arg(path)
        .status();
    assert!(status.expect("truncate can be started").success());
}

/// Has a file emptied, once it is hashed, by a thread of this process.
pub(crate) fn cut_once_hashed(path: &Path) {
    let file = OpenOptions::new().write(true).open(path).expect("the file");
    enlarge(path);
    let read = Watch::new(path, AddWatchFlags::IN_ACCESS);
    thread::spawn(move || {
        read.is_hashed();
        file.set_len(0).expect("it can be emptied");
    });
}

/// Keeps everybody from opening a file, as a server does that takes its time; see `F_SETLEASE` in
/// fcntl(2). Whoever opens it waits, and so does whoever executes it.
pub(crate) struct Lease(File);

impl Lease {
    /// Takes the file, which nobody may have open.
    pub(crate) fn take(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        // Told by a signal that is ignored by default: the usual one would end this process.
        control(&file, F_SETSIG, Signal::SIGURG as libc::c_int)?;
        control(&file, libc::F_SETLEASE, libc::F_WRLCK)?;
        Ok(Self(file))
    }

    /// Waits until somebody waits for the file.
    #[track_caller]
    pub(crate) fn wanted(&self) {
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
