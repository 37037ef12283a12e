//! Other Unix systems: the command's process group is ended, and nothing more.
//!
//! They have no subreaper that would inherit orphans, so these are not found and outlive the run:
//!
//! * a process that moved to a session or group of its own, the CLI's shell commands among them,
//!   unless the CLI takes them down when it is asked to end;
//! * with the supervisor itself killed, the whole group.
//!
//! There is no descriptor for a child's end or for signals either: the supervisor looks for the
//! former at short intervals, and does not see that it is asked to end itself.

use std::io;
use std::os::fd::AsFd as _;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{Pid, Signal, test_kill_process_group};

use crate::KILL_BOUND;
use crate::control::Control;
use crate::leader::Leader;
use crate::report::Settled;

/// Time between two looks at whether the leader has ended.
const INTERVAL: Duration = Duration::from_millis(20);

/// The source of events.
pub(crate) struct Events;

/// What has happened.
pub(crate) struct Wake {
    /// A child may have ended.
    pub(crate) child: bool,
    /// The harness wants the command ended.
    pub(crate) asked: bool,
}

impl Events {
    /// Needs no preparation here.
    pub(crate) fn new() -> io::Result<Self> {
        Ok(Self)
    }

    /// Waits for the harness, but no longer than the interval between two looks.
    pub(crate) fn wait(
        &mut self,
        control: Option<&mut Control>,
        until: Instant,
    ) -> io::Result<Wake> {
        let mut fds = Vec::new();
        if let Some(control) = &control {
            fds.push(PollFd::from_borrowed_fd(control.as_fd(), PollFlags::IN));
        }
        let time = until
            .saturating_duration_since(Instant::now())
            .min(INTERVAL);
        match poll(&mut fds, Timespec::try_from(time).ok().as_ref()) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        let asked = control.is_some_and(Control::asks_to_end);
        Ok(Wake { child: true, asked })
    }
}

/// Nothing is adopted here.
pub(crate) fn adopt_orphans() -> io::Result<()> {
    Ok(())
}

/// Nothing is adopted here.
pub(crate) fn reap_orphans(_leader: &Leader) {}

/// There is no such thing here.
pub(crate) fn end_with_supervisor(_supervisor: Pid) -> io::Result<()> {
    Ok(())
}

/// Asks the leader's group to end, and after the grace ends it.
pub(crate) fn settle(
    leader: &mut Leader,
    grace: Duration,
    events: &mut Events,
    control: &mut Control,
) -> Settled {
    let kill_from = Instant::now() + grace;
    let give_up = kill_from + KILL_BOUND;
    let mut ended = false;
    leader.signal_group(Signal::TERM);
    leader.signal_group(Signal::CONT);
    loop {
        if !ended && let Ok(Some(report)) = leader.ending() {
            control.report(report);
            ended = true;
        }
        // A group whose only member has ended refuses even the empty signal.
        if ended && test_kill_process_group(leader.pid()).is_err() {
            leader.reap();
            let left = u32::from(!leader.reaped());
            return Settled {
                left,
                ..Settled::default()
            };
        }
        let now = Instant::now();
        if now >= give_up {
            // How many is not known.
            return Settled {
                left: 1,
                ..Settled::default()
            };
        }
        if now >= kill_from {
            leader.signal_group(Signal::KILL);
        }
        let _ = events.wait(None, give_up);
    }
}
