//! The command itself: the leader of the session in which it and its processes run.

use std::ffi::{CString, OsString};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::os::unix::process::CommandExt as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::{env, io, iter};

use nix::errno::Errno;
use nix::unistd::execv;
use rustix::process::{
    self as sys, Pid, Signal, WaitId, WaitIdOptions, WaitOptions, kill_process_group, waitid,
    waitpid,
};

use crate::control::Control;
use crate::order::Order;
use crate::report::{Refused, Report};
use crate::{signals, system};

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
    /// be killed at any moment, the harness knows of it.
    pub(crate) fn start(order: &Order, control: &Control) -> Result<Self, (Refused, io::Error)> {
        let other = |error| (Refused::Other, error);
        let exec = Exec::new(order).map_err(other)?;
        let mut control = control.try_clone().map_err(other)?;
        let mut command = Command::new(&order.program);
        command.stdin(Stdio::null());
        let supervisor = sys::getpid();
        #[expect(unsafe_code, reason = "a session of its own has no safe equivalent")]
        // SAFETY: the closure runs between fork and exec. This process has one thread, so no lock
        // can be held by another one that does not exist after the fork.
        unsafe {
            command.pre_exec(move || {
                sys::setsid()?;
                control.report(Report::Started(sys::getpid().as_raw_pid()));
                system::end_with_supervisor(supervisor)?;
                signals::release()?;
                Err(exec.run())
            });
        }
        let started = command.spawn().and_then(|child| {
            let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
            pid.ok_or_else(|| io::ErrorKind::InvalidData.into())
        });
        match started {
            Ok(pid) => Ok(Self { pid, reaped: false }),
            Err(error) => {
                let refused = match error.kind() {
                    io::ErrorKind::NotFound => Refused::NotFound,
                    io::ErrorKind::PermissionDenied => Refused::Permission,
                    _ => Refused::Other,
                };
                Err((refused, error))
            }
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

    /// Signals its whole group at once; false if it is reaped, for then the group's id is free.
    pub(crate) fn signal_group(&self, signal: Signal) -> bool {
        !self.reaped && kill_process_group(self.pid, signal).is_ok()
    }
}

/// The last step of the start.
///
/// The standard library's own would hand a file of no known format to a shell, as execvp(3) does,
/// and a damaged executable is no script.
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
