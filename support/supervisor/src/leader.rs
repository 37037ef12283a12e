//! The command itself: the leader of the session in which it and its processes run.

use std::ffi::{CString, OsString};
use std::fs::File;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::PathBuf;
use std::{env, io, iter, process};

use nix::errno::Errno;
use nix::unistd::{self, ForkResult, execv, fork};
use rustix::process::{
    self as sys, Pid, Signal, WaitId, WaitIdOptions, WaitOptions, kill_process, kill_process_group,
    waitid, waitpid,
};

use crate::control::Control;
use crate::order::Order;
use crate::report::{Refused, Report};
use crate::{signals, system};

/// Status of a process that could not execute the program, as shells have it.
const NOT_EXECUTED: i32 = 127;

/// The command, from its start until it is reaped.
///
/// It is reaped last of all: until then its process id, which is also that of its group, cannot be
/// given to anybody else.
pub(crate) struct Leader {
    pid: Pid,
    reaped: bool,
}

impl Leader {
    /// Starts the command in a session and process group of its own, standard input closed.
    ///
    /// The command's process reports itself before it executes the program: should the supervisor
    /// be killed at any moment, the harness knows of it. It also reports itself that the program
    /// cannot be executed. So nobody waits for that step, which takes as long as the program's
    /// file system lets it, and the command can be ended in the middle of it.
    pub(crate) fn start(
        order: &Order,
        control: &mut Control,
    ) -> Result<Self, (Refused, io::Error)> {
        let other = |error| (Refused::Other, error);
        let exec = Exec::new(order).map_err(other)?;
        let supervisor = sys::getpid();
        #[expect(unsafe_code, reason = "fork has no safe equivalent")]
        // SAFETY: this process has one thread, so the child may do whatever its parent may: no
        // lock is held by a thread that does not exist after the fork.
        match unsafe { fork() }.map_err(|errno| other(errno.into()))? {
            ForkResult::Parent { child } => {
                let pid = Pid::from_raw(child.as_raw());
                let pid = pid.ok_or_else(|| other(io::ErrorKind::InvalidData.into()))?;
                Ok(Self { pid, reaped: false })
            }
            ForkResult::Child => exec.take_over(supervisor, control),
        }
    }

    /// Its process id.
    pub(crate) fn pid(&self) -> Pid {
        self.pid
    }

    /// How it ended, if it has; it is left to be reaped.
    pub(crate) fn ending(&self) -> io::Result<Option<Report>> {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let status = waitid(WaitId::Pid(self.pid), options)?;
        Ok(status.and_then(|status| {
            let exited = status.exit_status().map(Report::Exited);
            exited.or_else(|| status.terminating_signal().map(Report::Signalled))
        }))
    }

    /// Whether it was reaped.
    pub(crate) fn reaped(&self) -> bool {
        self.reaped
    }

    /// Reaps it, if it has ended.
    pub(crate) fn reap(&mut self) {
        if !self.reaped {
            let status = waitpid(Some(self.pid), WaitOptions::NOHANG);
            self.reaped = !matches!(status, Ok(None));
        }
    }

    /// Signals its whole group at once; false if there is none.
    ///
    /// A leader that has not made its group yet is signalled alone. Once it is reaped, the group's
    /// id may be somebody else's.
    pub(crate) fn signal_group(&self, signal: Signal) -> bool {
        if self.reaped {
            return false;
        }
        let asked = kill_process_group(self.pid, signal).is_ok();
        if !asked {
            let _ = kill_process(self.pid, signal);
        }
        asked
    }
}

/// The way from the fork to the program.
///
/// execvp(3) would hand a file of no known format to a shell, and a damaged executable is no script.
struct Exec {
    /// The paths to try: one, or as many as there are directories in `PATH`.
    paths: Vec<CString>,
    arguments: Vec<CString>,
}

impl Exec {
    fn new(order: &Order) -> io::Result<Self> {
        let texts = iter::once(&order.program).chain(&order.arguments);
        let arguments: Result<_, _> = texts.map(|text| CString::new(text.as_bytes())).collect();
        let paths = candidates(&order.program).into_iter();
        let paths: Result<_, _> = paths
            .map(|path| CString::new(path.into_os_string().into_vec()))
            .collect();
        Ok(Self {
            paths: paths?,
            arguments: arguments?,
        })
    }

    /// Makes this process the command's, and ends it if it cannot become that.
    fn take_over(&self, supervisor: Pid, control: &mut Control) -> ! {
        let error = match prepare(supervisor, control) {
            Ok(()) => self.run(),
            Err(error) => error,
        };
        let refused = match error.kind() {
            io::ErrorKind::NotFound => Refused::NotFound,
            io::ErrorKind::PermissionDenied => Refused::Permission,
            _ => Refused::Other,
        };
        control.report(Report::Refused(refused, error.raw_os_error().unwrap_or(0)));
        process::exit(NOT_EXECUTED)
    }

    /// Returns only if it fails; that one may not be executed says more than that others are not
    /// there.
    fn run(&self) -> io::Error {
        let mut failure = Errno::ENOENT;
        for path in &self.paths {
            let Err(error) = execv(path, &self.arguments);
            match error {
                Errno::ENOENT | Errno::ENOTDIR => {}
                Errno::EACCES => failure = error,
                _ => return error.into(),
            }
        }
        failure.into()
    }
}

/// Gives this process what the command's has: its session, its death with the supervisor, its
/// signals and its standard input.
fn prepare(supervisor: Pid, control: &mut Control) -> io::Result<()> {
    sys::setsid()?;
    control.report(Report::Started(sys::getpid().as_raw_pid()));
    system::end_with_supervisor(supervisor)?;
    unistd::dup2_stdin(File::open("/dev/null")?)?;
    signals::release()
}

/// A name without a slash is looked for in the command's `PATH`, and nowhere without that.
fn candidates(program: &OsString) -> Vec<PathBuf> {
    if program.as_bytes().contains(&b'/') {
        return vec![program.into()];
    }
    #[expect(
        clippy::disallowed_methods,
        reason = "the environment is the command's, no input"
    )]
    let path = env::var_os("PATH").unwrap_or_default();
    let directories = env::split_paths(&path).filter(|directory| directory.is_absolute());
    directories
        .map(|directory| directory.join(program))
        .collect()
}
