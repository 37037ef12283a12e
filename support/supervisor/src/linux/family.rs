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
/// What most commands need no more than once. Only [`none_left`] is certain.
pub(super) fn is_alone(leader: &Leader) -> bool {
    matches!(leader.ending(), Ok(Some(_)))
        && children_of_thread(getpid(), getpid()).is_ok_and(|list| list == [leader.pid()])
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
///
/// Either way may miss one whose parent ends meanwhile (proc_tid_children(5)).
fn members() -> Vec<Member> {
    let supervisor = getpid();
    by_lists(supervisor).unwrap_or_else(|| by_scan(supervisor))
}

/// By the lists of children, if the kernel has them (CONFIG_PROC_CHILDREN).
///
/// On a busy host this takes a hundredth of the other way, and a process that is started anew all
/// the time would be gone before it was found by that.
fn by_lists(supervisor: Pid) -> Option<Vec<Member>> {
    children_of_thread(supervisor, supervisor).ok()?;
    Some(descendants(supervisor, children, read))
}

/// By a look at every process of the host.
fn by_scan(supervisor: Pid) -> Vec<Member> {
    let all = processes();
    let mut children: HashMap<i32, Vec<Pid>> = HashMap::new();
    for (pid, stat) in &all {
        children.entry(stat.parent).or_default().push(*pid);
    }
    let of = |parent: Pid| children.remove(&parent.as_raw_pid()).unwrap_or_default();
    descendants(supervisor, of, |pid| all.get(&pid).copied())
}

/// Those that two questions lead to: what a process's children are, asked once of each process,
/// and what a process is.
fn descendants(
    supervisor: Pid,
    mut children: impl FnMut(Pid) -> Vec<Pid>,
    read: impl Fn(Pid) -> Option<Stat>,
) -> Vec<Member> {
    let mut members = Vec::new();
    let mut seen = HashSet::new();
    let mut parents = vec![(supervisor, 0)];
    while let Some((parent, since)) = parents.pop() {
        let listed = children(parent).into_iter();
        let found: Vec<_> = listed.filter_map(|pid| Some((pid, read(pid)?))).collect();
        // Numbers are given anew: these are somebody else's if the parent is another by now. The
        // children of the one before are the supervisor's then.
        if parent != supervisor && read(parent).is_none_or(|stat| stat.started != since) {
            continue;
        }
        for (pid, stat) in found {
            let ours = stat.parent == supervisor.as_raw_pid();
            let known = ours || stat.parent == parent.as_raw_pid();
            // A child that is older than its parent is somebody else's: the parent it was read
            // with ended, and its number went to one of ours, while the list was being read.
            if !known || stat.started < since || !seen.insert(pid) {
                continue;
            }
            members.push(Member {
                process: Process {
                    pid,
                    started: stat.started,
                },
                ours,
                ended: stat.ended,
            });
            parents.push((pid, stat.started));
        }
    }
    members
}

/// The children of all of a process's threads: a child is that of the thread which forked it.
fn children(parent: Pid) -> Vec<Pid> {
    let threads = fs::read_dir(format!("/proc/{}/task", parent.as_raw_pid()));
    let threads = threads.into_iter().flatten().flatten();
    threads
        .filter_map(|thread| number(thread.file_name().to_str()?))
        .filter_map(|thread| children_of_thread(parent, thread).ok())
        .flatten()
        .collect()
}

fn children_of_thread(process: Pid, thread: Pid) -> io::Result<Vec<Pid>> {
    let (process, thread) = (process.as_raw_pid(), thread.as_raw_pid());
    let list = fs::read_to_string(format!("/proc/{process}/task/{thread}/children"))?;
    Ok(list.split_ascii_whitespace().filter_map(number).collect())
}

fn processes() -> HashMap<Pid, Stat> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = entries.filter_map(|entry| number(entry.file_name().to_str()?));
    pids.filter_map(|pid| Some((pid, read(pid)?))).collect()
}

fn number(text: &str) -> Option<Pid> {
    Pid::from_raw(text.parse().ok()?)
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

    fn pid(number: i32) -> Pid {
        Pid::from_raw(number).unwrap()
    }

    /// What is found of the descendants of 1 where each of these is read as a parent and a time.
    fn found(lists: &[(i32, &[i32])], stats: &[(i32, i32, u64)]) -> Vec<(i32, bool)> {
        let children = |parent: Pid| {
            let list = lists.iter().find(|(of, _)| *of == parent.as_raw_pid());
            list.map_or(vec![], |(_, list)| list.iter().copied().map(pid).collect())
        };
        let read = |pid: Pid| {
            let stat = stats.iter().find(|(of, ..)| *of == pid.as_raw_pid());
            stat.map(|(_, parent, started)| Stat {
                ended: false,
                parent: *parent,
                group: 1,
                started: *started,
            })
        };
        let members = descendants(pid(1), children, read).into_iter();
        let mut members: Vec<_> = members
            .map(|member| (member.process.pid.as_raw_pid(), member.ours))
            .collect();
        members.sort();
        members
    }

    #[test]
    fn descendants_of_any_depth_are_found() {
        let lists: [(i32, &[i32]); 3] = [(1, &[2, 3]), (3, &[4]), (4, &[5])];
        let stats = [(2, 1, 10), (3, 1, 11), (4, 3, 11), (5, 4, 12)];
        let all = vec![(2, true), (3, true), (4, false), (5, false)];
        assert_eq!(found(&lists, &stats), all);
    }

    #[test]
    fn one_that_was_adopted_meanwhile_is_ours() {
        let lists: [(i32, &[i32]); 2] = [(1, &[2]), (2, &[3])];
        assert_eq!(
            found(&lists, &[(2, 1, 10), (3, 1, 11)]),
            [(2, true), (3, true)]
        );
    }

    #[test]
    fn one_that_was_listed_but_is_another_process_by_now_is_not() {
        let lists: [(i32, &[i32]); 2] = [(1, &[2]), (2, &[3])];
        for stat in [(3, 7, 11), (3, 2, 9)] {
            assert_eq!(found(&lists, &[(2, 1, 10), stat]), [(2, true)], "{stat:?}");
        }
    }

    #[test]
    fn children_of_a_parent_that_is_another_process_by_now_are_not() {
        let looks = std::cell::Cell::new(0);
        let children = |parent: Pid| match parent.as_raw_pid() {
            1 => vec![pid(2)],
            2 => vec![pid(3)],
            _ => vec![],
        };
        let read = |number: Pid| {
            let (parent, started) = match number.as_raw_pid() {
                2 => (1, [10, 12][looks.replace(1)]),
                _ => (2, 13),
            };
            Some(Stat {
                ended: false,
                parent,
                group: 1,
                started,
            })
        };
        let members = descendants(pid(1), children, read);
        let found = members.iter().map(|member| member.process.pid);
        assert_eq!(found.collect::<Vec<_>>(), [pid(2)]);
    }

    #[test]
    fn both_ways_find_a_child_and_its_child() {
        let mut child = std::process::Command::new("sh")
            .args(["-c", "cat; exit"])
            .stdin(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        let own = getpid();
        let expected = |members: Vec<Member>| {
            let ours = members.iter().filter(|member| member.ours);
            let ours = ours.filter(|member| member.process.pid == Pid::from_child(&child));
            ours.count() == 1 && members.iter().any(|member| !member.ours)
        };
        let until = std::time::Instant::now() + std::time::Duration::from_secs(20);
        while !expected(by_scan(own)) {
            assert!(std::time::Instant::now() < until, "not found by a scan");
        }
        if let Some(members) = by_lists(own) {
            assert!(expected(members));
        }
        drop(child.stdin.take());
        assert!(child.wait().unwrap().success());
    }

    #[test]
    fn this_process_can_be_read() {
        assert!(check().is_ok());
    }
}
