//! SIGHUP, SIGINT and SIGTERM: everything the run started is gone before the process exits.
//!
//! A thread of its own waits for the signals, so nothing else has to look for them: hashing, a
//! probe or a wait can be in whatever state it is. Upon the first one it
//!
//! 1. closes the gate: no command is started and nothing is published from then on;
//! 2. has the commands under way ended (their runs see [`Interrupt`]'s descriptor) and waits until
//!    nothing of them is left, and until a publication under way is over;
//! 3. withdraws what was published by a run that has not come to its end;
//! 4. exits the process with 128 + the signal's number.
//!
//! Signals after the first change nothing, neither the order nor the status.

mod handler;
mod withdrawal;

use std::io::{self, PipeReader, PipeWriter, Read as _};
use std::os::fd::{AsFd, BorrowedFd};
use std::process;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use once_cell::sync::OnceCell;

pub use withdrawal::{FileIdentity, Withdrawal};

use crate::reason::Reason;
use crate::refusal::{Refusal, SafeError};

/// What is added to a signal's number to make the exit status, as shells do.
const STATUS_BASE: i32 = 128;

/// Time beyond the limit in which the process must have exited.
const EXIT_SLACK: Duration = Duration::from_secs(2);

/// The run was interrupted by a signal.
///
/// Code that sees this runs in a process that should have exited by now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("interrupted by signal {0}")]
pub struct Interrupted(i32);

impl SafeError for Interrupted {}

impl From<Interrupted> for Refusal {
    fn from(interrupted: Interrupted) -> Self {
        Self::new(Reason::Interrupted).caused_by(interrupted)
    }
}

/// The process's way of being interrupted; clones are the same one.
#[derive(Clone)]
pub struct Interrupt(Arc<Shared>);

struct Shared {
    state: Mutex<State>,
    changed: Condvar,
    limit: Duration,
    /// Readable (at its end) once there was a signal.
    closed: PipeReader,
}

#[derive(Default)]
struct State {
    /// The first signal.
    signal: Option<i32>,
    /// Dropped at the first signal.
    open: Option<PipeWriter>,
    /// Commands and publications under way.
    active: usize,
    published: Vec<withdrawal::Published>,
    next: u64,
}

static INSTALLED: OnceCell<Interrupt> = OnceCell::new();

impl Interrupt {
    /// Handles the three signals in this process from now on.
    ///
    /// `limit` bounds the clean-up after a signal. It should exceed the grace of the commands plus
    /// [`supervisor::KILL_BOUND`]; what is not over then is left to the supervisors, which finish
    /// without this process. Where they are handled already, the handle is the one that there is,
    /// with its limit.
    ///
    /// # Errors
    ///
    /// The handlers could not be installed or the thread could not be started.
    pub fn install(limit: Duration) -> io::Result<Self> {
        INSTALLED.get_or_try_init(|| Self::new(limit)).cloned()
    }

    fn new(limit: Duration) -> io::Result<Self> {
        let (closed, open) = io::pipe()?;
        let state = State {
            open: Some(open),
            ..State::default()
        };
        let interrupt = Self(Arc::new(Shared {
            state: Mutex::new(state),
            changed: Condvar::new(),
            limit,
            closed,
        }));
        let sent = handler::install()?;
        let watched = interrupt.clone();
        thread::Builder::new()
            .name("interrupt".into())
            .spawn(move || watched.watch(sent))?;
        Ok(interrupt)
    }

    /// Nothing, unless there was a signal.
    ///
    /// # Errors
    ///
    /// There was one. The process exits while this waits; it returns only if that fails.
    pub fn check(&self) -> Result<(), Interrupted> {
        // Not in the condition of a match: the lock would be held while this waits.
        let signal = self.0.lock_and_look().1;
        signal.map_or(Ok(()), |signal| Err(self.stand_by(signal)))
    }

    /// Publishes a file unless there was a signal; a signal waits until this is over.
    ///
    /// `publish` says which file it published at that path. From then until the withdrawal is
    /// [kept](Withdrawal::keep), a signal removes the file again, and so does dropping it.
    ///
    /// # Errors
    ///
    /// Those of `publish`, and [`Interrupted`].
    pub fn publishing<E: From<Interrupted>>(
        &self,
        path: &std::path::Path,
        publish: impl FnOnce() -> Result<FileIdentity, E>,
    ) -> Result<Withdrawal, E> {
        let active = self.enter()?;
        let identity = publish()?;
        let withdrawal = Withdrawal::new(self.clone(), path, identity);
        drop(active);
        Ok(withdrawal)
    }

    /// Has a signal wait until the guard is dropped.
    pub(crate) fn enter(&self) -> Result<Active<'_>, Interrupted> {
        let (mut state, signal) = self.0.lock_and_look();
        if let Some(signal) = signal {
            drop(state);
            return Err(self.stand_by(signal));
        }
        state.active += 1;
        Ok(Active(&self.0))
    }

    /// Lets the process exit. To go on instead could end it first, with another status.
    fn stand_by(&self, signal: i32) -> Interrupted {
        thread::sleep(self.0.limit + EXIT_SLACK);
        Interrupted(signal)
    }

    fn watch(&self, sent: PipeReader) {
        // A caller may have blocked them for the whole process; one thread that lets them through
        // is enough.
        let _ = handler::signals().thread_unblock();
        let signal = first(sent);
        let shared = &self.0;
        let mut state = shared.lock();
        state.signal = Some(signal);
        state.open = None;
        let until = Instant::now() + shared.limit;
        while state.active > 0 {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            let waited = shared.changed.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        for published in state.published.drain(..) {
            // There is nobody left to tell; the exit status says that nothing is to be relied on.
            let _ = published.remove();
        }
        // The lock is kept: nobody can come to an end that looks like success.
        process::exit(STATUS_BASE + signal);
    }
}

impl AsFd for Interrupt {
    /// A descriptor that polls as readable or hung up once there was a signal.
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.closed.as_fd()
    }
}

impl Shared {
    /// The state, and a signal if there was one, even if the state does not know of it.
    fn lock_and_look(&self) -> (MutexGuard<'_, State>, Option<i32>) {
        let state = self.lock();
        let signal = state.signal.or_else(handler::received);
        (state, signal)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Something that a signal has to wait for.
pub(crate) struct Active<'a>(&'a Shared);

impl Drop for Active<'_> {
    fn drop(&mut self) {
        self.0.lock().active -= 1;
        self.0.changed.notify_all();
    }
}

/// Waits for the first signal.
fn first(mut sent: PipeReader) -> i32 {
    loop {
        // An error is an interruption of the call: the writer is never closed.
        let _ = sent.read(&mut [0]);
        if let Some(signal) = handler::received() {
            return signal;
        }
    }
}
