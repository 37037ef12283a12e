//! cargo-nextest as a child that has the same terminal.

use std::io;
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Child, Command};

use harness::environment::Environment;
use harness::inputs::variable::Variable;
use rustix::process::{Pid, Signal, kill_process};

use crate::Invocation;
use crate::socket::Socket;

/// What is added to a signal's number to make the exit code, as shells do.
const SIGNAL_BASE: i32 = 128;

/// nextest under way.
pub(crate) struct Nextest(Child);

impl Nextest {
    /// Starts `cargo nextest run`, which inherits everything.
    ///
    /// Its progress bar is drawn on the line where the steps are shown, so it counts the tests as
    /// they end instead; and what a passing run prints is in the summary. Whoever has set these
    /// variables has it as they want.
    ///
    /// # Errors
    /// cargo could not be started.
    pub(crate) fn start(invocation: &Invocation, socket: Option<&Socket>) -> io::Result<Self> {
        let caller = Environment::of_process();
        let mut command = Command::new("cargo");
        command
            .args(["nextest", "run", "--profile", &invocation.profile])
            .args(&invocation.arguments);
        for (name, value) in [
            ("NEXTEST_SHOW_PROGRESS", "counter"),
            ("NEXTEST_SUCCESS_OUTPUT", "never"),
        ] {
            if caller.get(name).is_none() {
                command.env(name, value);
            }
        }
        match socket {
            Some(socket) => command.env(Variable::Progress.name(), socket.path()),
            None => command.env_remove(Variable::Progress.name()),
        };
        command.spawn().map(Self)
    }

    /// Its exit code once it has ended.
    ///
    /// # Errors
    /// It cannot be waited for.
    pub(crate) fn ended(&mut self) -> io::Result<Option<u8>> {
        let status = self.0.try_wait()?;
        let code = |status: std::process::ExitStatus| {
            let signal = status.signal().map(|signal| SIGNAL_BASE + signal);
            let code = status.code().or(signal).map(u8::try_from);
            code.and_then(Result::ok).unwrap_or(u8::MAX)
        };
        Ok(status.map(code))
    }

    /// Passes SIGTERM on, unless it has been waited for already.
    pub(crate) fn terminate(&self) {
        let pid = i32::try_from(self.0.id()).ok().and_then(Pid::from_raw);
        if let Some(pid) = pid {
            // It may have ended meanwhile: then there is nothing to pass on.
            let _ = kill_process(pid, Signal::TERM);
        }
    }
}
