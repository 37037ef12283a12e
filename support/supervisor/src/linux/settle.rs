//! Ends whatever lives.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal};

use super::events::Events;
use super::family::{Member, Process, is_alone, living, none_left};
use crate::KILL_BOUND;
use crate::control::Control;
use crate::leader::Leader;
use crate::report::Settled;

/// Longest time between two looks at processes that were killed, or that are there but not seen.
///
/// Every death that matters arrives as an event; this is for a process that forks faster than it
/// can be found.
const INTERVAL: Duration = Duration::from_millis(10);

/// Most looks for processes that were started while the first request to end went round.
const LOOKS: u32 = 4;

/// Asks the leader and all of its descendants to end, and after the grace ends them.
///
/// Returns as soon as none is left. How the leader ended is reported when it has.
pub(crate) fn settle(
    leader: &mut Leader,
    grace: Duration,
    events: &mut Events,
    control: &mut Control,
) -> Settled {
    let kill_from = Instant::now() + grace;
    let give_up = kill_from + KILL_BOUND;
    let mut ended = false;
    let mut ending = Ending::of(leader);
    loop {
        // Looked at before the leader: if nothing lives, it has ended.
        let living = if is_alone(leader) {
            Vec::new()
        } else {
            living(leader)
        };
        if !ended && let Ok(Some(report)) = leader.ending() {
            control.report(report);
            ended = true;
        }
        if living.is_empty() {
            leader.reap();
            if none_left() {
                return ending.settled(0);
            }
        }
        let now = Instant::now();
        if now >= give_up {
            return ending.settled(living.len().max(1));
        }
        let mut until = kill_from;
        if now >= kill_from {
            ending.kill(leader, &living);
            until = give_up.min(now + INTERVAL);
        } else if living.is_empty() {
            until = kill_from.min(now + INTERVAL);
        } else if ending.ask(leader, &living) {
            continue;
        }
        // Without events what follows is still right, and bounded.
        let _ = events.wait(None, until);
    }
}

/// The processes that were told to end.
struct Ending {
    leader: Pid,
    looks: u32,
    known: HashSet<Process>,
    terminated: u32,
}

impl Ending {
    fn of(leader: &Leader) -> Self {
        Self {
            leader: leader.pid(),
            looks: 0,
            known: HashSet::new(),
            terminated: 0,
        }
    }

    /// Asks those that were not asked yet; true if there may be more by now.
    ///
    /// What a process starts after it was asked is taken for its way of ending and left alone
    /// until the grace has passed, unless it is an orphan, whom nobody waits for.
    fn ask(&mut self, leader: &Leader, living: &[Member]) -> bool {
        let mut group_asked = false;
        if self.looks == 0 {
            group_asked = leader.signal_group(Signal::TERM);
            // A stopped process would sit out its grace.
            leader.signal_group(Signal::CONT);
        }
        let looking = self.looks < LOOKS;
        self.looks += 1;
        let mut asked = false;
        for member in living {
            if !(looking || member.ours) || !self.note(member) {
                continue;
            }
            asked = true;
            // Its group now: it may have left since it was seen, and then was not asked with it.
            let group = member.process.group();
            if !(group_asked && group == Some(self.leader.as_raw_pid())) {
                member.process.signal(&[Signal::TERM, Signal::CONT]);
            }
        }
        if !asked {
            self.looks = LOOKS;
        }
        asked && looking
    }

    fn kill(&mut self, leader: &Leader, living: &[Member]) {
        // At once, so that no member of the group can fork away from it.
        leader.signal_group(Signal::KILL);
        for member in living {
            self.note(member);
            member.process.signal(&[Signal::KILL]);
        }
    }

    /// Remembers the process; false if it was known.
    fn note(&mut self, member: &Member) -> bool {
        let new = self.known.insert(member.process);
        if new && !member.ended && member.process.pid() != self.leader {
            self.terminated += 1;
        }
        new
    }

    fn settled(&self, left: usize) -> Settled {
        Settled {
            terminated: self.terminated,
            left: u32::try_from(left).unwrap_or(u32::MAX),
            private_left: false,
        }
    }
}
