//! One command from its start until nothing of it is left.

use std::io;
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{Pid, Signal, kill_process_group};
use supervisor::KILL_BOUND;
use supervisor::report::{Report, Settled};

use super::capture::Capture;
use super::command::{Command, Output};
use super::error::{NotStarted, ProcessError};
use super::reports::Reports;
use super::{Cause, Ended, Status};
use crate::interrupt::Interrupt;
use crate::refusal::describe;

/// Time that the supervisor may take beyond its own bounds, mostly to remove a private directory.
const SETTLE_SLACK: Duration = Duration::from_secs(10);

/// Time beyond the deadline after which the supervisor acts unasked.
const SUPERVISOR_SLACK: Duration = Duration::from_secs(2);

/// Stands for a time that no clock can show.
const FAR: Duration = Duration::from_secs(365 * 24 * 60 * 60);

/// A command under way.
pub(super) struct Run<'a> {
    command: &'a Command,
    supervisor: Child,
    reports: Reports,
    stdout: Capture,
    stderr: Option<Capture>,
    /// The command's deadline, and later that of its settling.
    until: Instant,
    /// Why the command is being ended, if its leader did not end by itself.
    cause: Option<Cause>,
    interrupted: bool,
    progress: Progress,
}

/// What the supervisor has said.
#[derive(Default)]
struct Progress {
    leader: Option<Pid>,
    status: Option<Status>,
    refused: Option<ProcessError>,
    /// The leader ended, or was told to.
    ending: bool,
}

impl<'a> Run<'a> {
    /// Starts the supervisor with its order.
    pub(super) fn start(supervisor: &Path, command: &'a Command) -> Result<Self, ProcessError> {
        let started = spawn(supervisor, command);
        started.map_err(|error| ProcessError::NotStarted {
            why: NotStarted::Supervisor,
            words: describe(&error),
        })
    }

    /// Reads until the supervisor says that all is settled.
    pub(super) fn watch(mut self, interrupt: &Interrupt) -> Result<Ended, ProcessError> {
        loop {
            match self.step(interrupt) {
                Ok(None) => {}
                Ok(Some(settled)) => return self.conclude(settled),
                Err(error) => return Err(self.give_up(error)),
            }
        }
    }

    /// Waits for one event or more and acts on it.
    fn step(&mut self, interrupt: &Interrupt) -> Result<Option<Settled>, ProcessError> {
        if Instant::now() >= self.until {
            if self.progress.ending {
                return Err(ProcessError::Left);
            }
            self.end(Some(Cause::Deadline));
        }
        self.wait(interrupt).map_err(ProcessError::watch)?;
        self.read_output().map_err(ProcessError::watch)?;
        self.read_reports()
    }

    fn wait(&mut self, interrupt: &Interrupt) -> io::Result<()> {
        let mut fds = vec![PollFd::new(&self.reports, PollFlags::IN)];
        if !self.interrupted {
            fds.push(PollFd::from_borrowed_fd(interrupt.as_fd(), PollFlags::IN));
        }
        for capture in [Some(&self.stdout), self.stderr.as_ref()]
            .into_iter()
            .flatten()
        {
            fds.extend(
                capture
                    .descriptor()
                    .map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN)),
            );
        }
        let time = self.until.saturating_duration_since(Instant::now());
        match poll(&mut fds, Timespec::try_from(time).ok().as_ref()) {
            Ok(_) => {}
            Err(Errno::INTR) => return Ok(()),
            Err(error) => return Err(error.into()),
        }
        if !self.interrupted && !fds[1].revents().is_empty() {
            self.interrupted = true;
            self.end(None);
        }
        Ok(())
    }

    fn read_output(&mut self) -> io::Result<()> {
        self.stdout.read()?;
        if let Some(stderr) = &mut self.stderr {
            stderr.read()?;
        }
        let stderr = self.stderr.as_ref().is_some_and(Capture::overflowed);
        if let Some(cause) = overflow(self.stdout.overflowed(), stderr) {
            self.end(Some(cause));
        }
        Ok(())
    }

    fn read_reports(&mut self) -> Result<Option<Settled>, ProcessError> {
        loop {
            let report = match self.reports.next() {
                Ok(Some(report)) => report,
                Ok(None) => return Ok(None),
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                    return Err(ProcessError::SupervisorDied);
                }
                Err(error) => return Err(ProcessError::watch(error)),
            };
            match report {
                Report::Started(pid) => self.progress.leader = Pid::from_raw(pid),
                Report::Refused(refused, errno) => {
                    self.progress.refused = Some(ProcessError::refused(refused, errno));
                    self.settle();
                }
                Report::Exited(code) => {
                    self.progress.status = Some(Status::Code(code));
                    self.settle();
                }
                Report::Signalled(signal) => {
                    self.progress.status = Some(Status::Signal(signal));
                    self.settle();
                }
                Report::Settled(settled) => return Ok(Some(settled)),
            }
        }
    }

    /// Has the command ended, unless it is ending.
    fn end(&mut self, cause: Option<Cause>) {
        self.cause = self.cause.or(cause);
        if !self.progress.ending {
            self.reports.end();
            self.settle();
        }
    }

    /// From now on the bounds of settling hold in place of the deadline.
    fn settle(&mut self) {
        if !self.progress.ending {
            self.progress.ending = true;
            let bounds = self.command.grace.saturating_add(KILL_BOUND);
            self.until = after(bounds.saturating_add(SETTLE_SLACK));
        }
    }

    /// All is settled: what is in the pipes is all there will be.
    fn conclude(mut self, settled: Settled) -> Result<Ended, ProcessError> {
        self.reap(SUPERVISOR_SLACK);
        if let Some(refused) = self.progress.refused {
            return Err(refused);
        }
        let (stdout, stdout_overflowed) = self.stdout.finish().map_err(ProcessError::watch)?;
        let (stderr, stderr_overflowed) = match self.stderr {
            Some(stderr) => stderr.finish().map_err(ProcessError::watch)?,
            None => (Vec::new(), false),
        };
        if settled.private_left {
            return Err(ProcessError::PrivateLeft);
        }
        let Some(status) = self.progress.status else {
            return Err(match self.progress.leader {
                Some(_) => ProcessError::Left,
                None => {
                    let words = "no further details";
                    ProcessError::NotStarted {
                        why: NotStarted::Deadline,
                        words,
                    }
                }
            });
        };
        let overflow = overflow(stdout_overflowed, stderr_overflowed);
        let cause = self.cause.or(overflow).unwrap_or(Cause::Exited);
        let Settled {
            terminated, left, ..
        } = settled;
        Ok(Ended {
            cause,
            status,
            stdout,
            stderr,
            terminated,
            left,
        })
    }

    /// Does what can be done from here where the supervisor or its pipes fail.
    fn give_up(mut self, error: ProcessError) -> ProcessError {
        if matches!(error, ProcessError::SupervisorDied | ProcessError::Left)
            && let Some(leader) = self.progress.leader
        {
            // Its number is still its group's: no supervisor has reaped it, or just now.
            let _ = kill_process_group(leader, Signal::KILL);
        }
        match error {
            ProcessError::SupervisorDied => {
                self.reap(SUPERVISOR_SLACK);
                if let Some(private) = self.command.private_directory() {
                    let _ = supervisor::private::remove(private);
                }
            }
            // It has had its time. It sees its connection closed and finishes alone, if it can.
            ProcessError::Left => {}
            _ => {
                self.end(None);
                self.reap(self.until.saturating_duration_since(Instant::now()));
            }
        }
        error
    }

    /// Waits until the supervisor has exited, but no longer than this.
    fn reap(&mut self, bound: Duration) {
        let until = after(bound);
        loop {
            match self.reports.next() {
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => break,
                _ if Instant::now() >= until => {
                    let _ = self.supervisor.kill();
                    break;
                }
                Ok(Some(_)) => continue,
                _ => {}
            }
            let mut fds = [PollFd::new(&self.reports, PollFlags::IN)];
            let time = until.saturating_duration_since(Instant::now());
            let _ = poll(&mut fds, Timespec::try_from(time).ok().as_ref());
        }
        let _ = self.supervisor.wait();
    }
}

fn spawn<'a>(supervisor: &Path, command: &'a Command) -> io::Result<Run<'a>> {
    let (ours, theirs) = UnixStream::pair()?;
    let (out_reader, out_writer) = io::pipe()?;
    let (stdout, stderr, err_writer) = match command.output {
        Output::Merged(bound) => (
            Capture::new(out_reader, bound)?,
            None,
            out_writer.try_clone()?,
        ),
        Output::Separate { stdout, stderr } => {
            let (err_reader, err_writer) = io::pipe()?;
            let stderr = Capture::new(err_reader, stderr)?;
            (Capture::new(out_reader, stdout)?, Some(stderr), err_writer)
        }
    };
    let reports = Reports::new(ours)?;
    let order = command.order(command.deadline.saturating_add(SUPERVISOR_SLACK));
    let until = after(command.deadline);
    let supervisor = std::process::Command::new(supervisor)
        .args(order.to_arguments())
        .env_clear()
        .envs(command.environment())
        .stdin(Stdio::from(OwnedFd::from(theirs)))
        .stdout(Stdio::from(out_writer))
        .stderr(Stdio::from(err_writer))
        .spawn()?;
    Ok(Run {
        command,
        supervisor,
        reports,
        stdout,
        stderr,
        until,
        cause: None,
        interrupted: false,
        progress: Progress::default(),
    })
}

/// What ends a command that printed more than it may, on either of its streams.
fn overflow(stdout: bool, stderr: bool) -> Option<Cause> {
    match (stdout, stderr) {
        (true, _) => Some(Cause::StdoutOverflow),
        (false, true) => Some(Cause::StderrOverflow),
        (false, false) => None,
    }
}

fn after(duration: Duration) -> Instant {
    let now = Instant::now();
    now.checked_add(duration).unwrap_or(now + FAR)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_much_output_ends_a_command_whichever_stream_it_is_on() {
        for (streams, cause) in [
            ((false, false), None),
            ((true, false), Some(Cause::StdoutOverflow)),
            ((true, true), Some(Cause::StdoutOverflow)),
            ((false, true), Some(Cause::StderrOverflow)),
        ] {
            assert_eq!(overflow(streams.0, streams.1), cause);
        }
    }

    #[test]
    fn a_time_beyond_what_the_clock_can_tell_is_far_away() {
        assert!(after(Duration::MAX) > Instant::now() + FAR / 2);
    }
}
