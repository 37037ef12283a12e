//! The signals that a run meets, and the wait for them.
//!
//! SIGINT and SIGHUP come from the terminal, which sends them to every process of the job: nextest
//! has its own, and a second one would have it kill the run at once. SIGTERM may come to this
//! process alone, so it is passed on if nextest does not end.

use std::io::{self, Read as _};
use std::os::unix::net::UnixStream;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use signal_hook::consts::{SIGCHLD, SIGHUP, SIGINT, SIGTERM};
use signal_hook::low_level::pipe;

use crate::socket::Socket;

/// One end of a pipe that gets a byte upon each signal of a kind.
struct Caught(UnixStream);

impl Caught {
    fn catch(kinds: &[i32]) -> io::Result<Self> {
        let (ours, theirs) = UnixStream::pair()?;
        ours.set_nonblocking(true)?;
        for kind in kinds {
            pipe::register(*kind, theirs.try_clone()?)?;
        }
        Ok(Self(ours))
    }

    /// Whether there was one since the last time.
    fn take(&self) -> bool {
        let mut bytes = [0; 64];
        let mut any = false;
        while matches!((&self.0).read(&mut bytes), Ok(1..)) {
            any = true;
        }
        any
    }
}

/// The signals that are caught from now on.
pub(crate) struct Signals {
    child: Caught,
    terminal: Caught,
    terminate: Caught,
}

impl Signals {
    /// Catches them; a child is started without that.
    ///
    /// # Errors
    /// They cannot be caught.
    pub(crate) fn catch() -> io::Result<Self> {
        Ok(Self {
            child: Caught::catch(&[SIGCHLD])?,
            terminal: Caught::catch(&[SIGINT, SIGHUP])?,
            terminate: Caught::catch(&[SIGTERM])?,
        })
    }

    /// Waits for a signal or something at the socket, but no longer than this.
    ///
    /// # Errors
    /// It cannot be waited.
    pub(crate) fn wait(&self, socket: Option<&Socket>, most: Option<Duration>) -> io::Result<()> {
        let caught = [&self.child, &self.terminal, &self.terminate];
        let mut fds: Vec<_> = caught
            .iter()
            .map(|caught| PollFd::new(&caught.0, PollFlags::IN))
            .collect();
        fds.extend(socket.map(|socket| PollFd::new(socket, PollFlags::IN)));
        let most = most.and_then(|most| Timespec::try_from(most).ok());
        match poll(&mut fds, most.as_ref()) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        // Whether the child has ended is asked each time.
        self.child.take();
        Ok(())
    }

    /// Whether the terminal has interrupted the job since the last time.
    pub(crate) fn interrupted(&self) -> bool {
        self.terminal.take()
    }

    /// Whether this process was asked to end since the last time.
    pub(crate) fn terminated(&self) -> bool {
        self.terminate.take()
    }
}
