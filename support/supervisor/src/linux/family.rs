//! The descendants of the supervisor, as `/proc` shows them.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::io::{self, Read as _};

use rustix::io::Errno;
use rustix::process::{
    Pid, PidfdFlags, Signal, WaitId, WaitIdOptions, WaitOptions, getpid, pidfd_open,
    pidfd_send_signal, waitid, waitpid,
};

use crate::leader::Leader;

/// A process, told apart from a later one with the same number by when it was started.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Process {
    pid: Pid,
    started: u64,
}

/// A descendant that has not been reaped.
#[derive(Clone, Copy, Debug)]
pub(super) struct Member {
    /// The process.
    pub(super) process: Process,
    /// Whether the supervisor is its parent.
    pub(super) ours: bool,
    /// Whether it has ended, as far as can be told: other threads of it may still run.
    pub(super) ended: bool,
}

/// Fails where `/proc` does not show processes.
pub(super) fn check() -> io::Result<()> {
    match read(getpid()) {
        Some(_) => Ok(()),
        None => Err(io::ErrorKind::Unsupported.into()),
    }
}

/// Reaps what was adopted and has ended.
pub(crate) fn reap_orphans(leader: &Leader) {
    let _ = living(leader);
}

/// Whether the leader has ended and seems to be the supervisor's only child.
///
/// Cheaper than a look at every process of the host, which is what most commands need no more than
/// once. Only [`none_left`] is certain; kernels may lack this list.
pub(super) fn is_alone(leader: &Leader) -> bool {
    if !matches!(leader.ending(), Ok(Some(_))) {
        return false;
    }
    let supervisor = getpid().as_raw_pid();
    let children = fs::read_to_string(format!("/proc/{supervisor}/task/{supervisor}/children"));
    children.is_ok_and(|list| list.trim_end() == leader.pid().as_raw_pid().to_string())
}

/// Whether the supervisor has no child left, and so no descendant.
pub(super) fn none_left() -> bool {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    matches!(waitid(WaitId::All, options), Err(Errno::CHILD))
}

/// The descendants that live, after those that were adopted and have ended are reaped.
///
/// The leader is among them unless it has ended; it is never reaped here.
pub(super) fn living(leader: &Leader) -> Vec<Member> {
    let mut members = members();
    members.retain(|member| {
        if !(member.ours && member.ended) {
            return true;
        }
        if member.process.pid == leader.pid() && !leader.reaped() {
            return matches!(leader.ending(), Ok(None));
        }
        // `None`: its first thread has ended but others have not.
        matches!(
            waitpid(Some(member.process.pid), WaitOptions::NOHANG),
            Ok(None)
        )
    });
    members
}

impl Process {
    /// Its process id.
    pub(super) fn pid(self) -> Pid {
        self.pid
    }

    /// The process group that it is in now; `None` if it is gone.
    pub(super) fn group(self) -> Option<i32> {
        let stat = read(self.pid)?;
        (stat.started == self.started).then_some(stat.group)
    }

    /// Signals this process, and never another one that was given its number since.
    pub(super) fn signal(self, signals: &[Signal]) {
        let Ok(handle) = pidfd_open(self.pid, PidfdFlags::empty()) else {
            return;
        };
        // The handle is of the process that has the number now: is it the one that was seen?
        if self.group().is_some() {
            for signal in signals {
                let _ = pidfd_send_signal(&handle, *signal);
            }
        }
    }
}

/// What is used of `/proc/PID/stat` (proc_pid_stat(5)).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stat {
    ended: bool,
    parent: i32,
    group: i32,
    started: u64,
}

/// The supervisor's descendants.
fn members() -> Vec<Member> {
    let all = processes();
    let supervisor = getpid().as_raw_pid();
    let mut children: HashMap<i32, Vec<Pid>> = HashMap::new();
    for (pid, stat) in &all {
        children.entry(stat.parent).or_default().push(*pid);
    }
    let mut members = Vec::new();
    let mut seen = HashSet::new();
    let mut parents = vec![(supervisor, 0)];
    while let Some((parent, since)) = parents.pop() {
        for pid in children.get(&parent).into_iter().flatten() {
            let Some(stat) = all.get(pid) else { continue };
            // A child that is older than its parent is somebody else's: the parent it was read
            // with ended, and its number went to one of ours, while the list was being read.
            if stat.started < since || !seen.insert(*pid) {
                continue;
            }
            members.push(Member {
                process: Process {
                    pid: *pid,
                    started: stat.started,
                },
                ours: parent == supervisor,
                ended: stat.ended,
            });
            parents.push((pid.as_raw_pid(), stat.started));
        }
    }
    members
}

fn processes() -> HashMap<Pid, Stat> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = entries.filter_map(|entry| Pid::from_raw(entry.file_name().to_str()?.parse().ok()?));
    pids.filter_map(|pid| Some((pid, read(pid)?))).collect()
}

fn read(pid: Pid) -> Option<Stat> {
    // One read gives all of it: 52 numbers and a short name.
    let mut text = [0; 2048];
    let mut file = File::open(format!("/proc/{}/stat", pid.as_raw_pid())).ok()?;
    let length = file.read(&mut text).ok()?;
    parse(&String::from_utf8_lossy(&text[..length]))
}

/// The second field is a name in parentheses that may itself hold spaces and parentheses.
fn parse(text: &str) -> Option<Stat> {
    let (_, fields) = text.rsplit_once(") ")?;
    let fields: Vec<&str> = fields.split_ascii_whitespace().collect();
    // Numbered from 1 in the manual; the third is the first here.
    let field = |number: usize| fields.get(number - 3).copied();
    Some(Stat {
        ended: matches!(field(3)?, "Z" | "X"),
        parent: field(4)?.parse().ok()?,
        group: field(5)?.parse().ok()?,
        started: field(22)?.parse().ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_parentheses_and_spaces_is_passed_over() {
        let text = "71 (a) Z 1 (b c) S 70 69 68 0 -1 4194304 1 2 3 4 5 6 7 8 20 0 1 0 4242 0 0\n";
        let stat = Stat {
            ended: false,
            parent: 70,
            group: 69,
            started: 4242,
        };
        assert_eq!(parse(text), Some(stat));
    }

    #[test]
    fn a_cut_text_is_no_process() {
        assert_eq!(parse("71 (name) S 70 69"), None);
        assert_eq!(parse(""), None);
    }

    #[test]
    fn this_process_can_be_read() {
        assert!(check().is_ok());
    }
}
