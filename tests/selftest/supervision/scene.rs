//! A directory, a witness and a supervisor: what each test of this folder plays in.

use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, ExitStatus};
use std::time::Duration;

use harness::executables;
use harness::interrupt::Interrupt;
use harness::process::{Command, Ended, Output, ProcessError, Supervisor};
use memchr::memmem;
use nix::sys::signal::{Signal, kill, killpg};
use nix::unistd::Pid;
use standin::processes;
use standin::scratch;
use tempfile::TempDir;

use super::witness::{Connection, Witness, eventually};

/// Long enough for a stand-in to end by itself; tests that wait for it to pass use [`SHORT`].
pub(crate) const LONG: Duration = Duration::from_secs(20);

/// Bound on a clean-up after a signal, in milliseconds.
const LIMIT: &str = "10000";

/// Longer than anything that a test does.
const DEADLINE: Duration = Duration::from_secs(60);

/// A grace that is meant to pass.
pub(crate) const SHORT: Duration = Duration::from_millis(100);

const MIB: usize = 1 << 20;

/// A place of its own for one test.
pub(crate) struct Scene {
    launcher: Vec<&'static str>,
    directory: TempDir,
    pub(crate) witness: Witness,
}

impl Scene {
    pub(crate) fn new() -> Self {
        processes::adopt_orphans().unwrap();
        let directory = scratch::folder().unwrap();
        let witness = Witness::in_directory(directory.path());
        let launcher = Vec::new();
        Self {
            launcher,
            directory,
            witness,
        }
    }

    /// Has a command with these arguments execute the harness.
    pub(crate) fn launched_by(mut self, launcher: &[&'static str]) -> Self {
        self.launcher = launcher.to_vec();
        self
    }

    /// A path in the directory of the test.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// Where commands get their private directory.
    pub(crate) fn private(&self) -> PathBuf {
        self.path("private")
    }

    /// A stand-in that takes these steps, with bounds that only a broken test passes.
    pub(crate) fn command(&self, steps: &str) -> Command {
        Command::new(standin("standin-process"))
            .arg(self.witness.path())
            .args(steps.split_whitespace())
            .private(self.private())
            .output(Output::Separate {
                stdout: 8 * MIB,
                stderr: 8 * MIB,
            })
            .deadline(DEADLINE)
            .grace(LONG)
    }

    /// Waits until no process is left that names the test's directory, as all of them do, and
    /// asserts that the private directory went before them.
    #[track_caller]
    pub(crate) fn nothing_left(&self) {
        eventually("no process is left", || !self.processes());
        assert!(!self.private().exists(), "the private directory is there");
    }

    /// Whether a process names the test's directory.
    pub(crate) fn processes(&self) -> bool {
        if !processes::any_descend() {
            return false;
        }
        let directory = self.directory.path().as_os_str().as_bytes();
        let entries = fs::read_dir("/proc").unwrap().flatten();
        let mut lines = entries.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok());
        lines.any(|line| memmem::find(&line, directory).is_some())
    }

    /// Starts a harness that can be signalled.
    pub(crate) fn harness(&mut self, phase: &[&Path]) -> Harness {
        let harness = standin("standin-harness");
        let supervisor = executables::supervisor().unwrap();
        let mut line: Vec<&Path> = self.launcher.iter().map(Path::new).collect();
        line.extend([&*harness, self.witness.path(), &supervisor, LIMIT.as_ref()]);
        line.extend(phase);
        let mut command = std::process::Command::new(line[0]);
        let child = command.args(&line[1..]).process_group(0).spawn().unwrap();
        let connection = self.witness.expect("harness");
        Harness { child, connection }
    }

    /// Starts a harness that runs a stand-in with these steps.
    pub(crate) fn harness_running(&mut self, grace: Duration, steps: &str) -> Harness {
        self.harness_bounded(grace, DEADLINE, steps)
    }

    /// The same, with a deadline that is meant to pass.
    pub(crate) fn harness_bounded(
        &mut self,
        grace: Duration,
        deadline: Duration,
        steps: &str,
    ) -> Harness {
        let [grace, deadline] = [grace, deadline].map(|time| time.as_millis().to_string());
        let (program, socket) = (standin("standin-process"), self.witness.path().to_owned());
        let private = self.private();
        let mut phase = vec!["run".as_ref(), grace.as_ref(), deadline.as_ref()];
        phase.extend([&*private, &program, &socket]);
        phase.extend(steps.split_whitespace().map(Path::new));
        self.harness(&phase)
    }
}

/// A harness in a process of its own.
pub(crate) struct Harness {
    child: Child,
    pub(crate) connection: Connection,
}

impl Harness {
    pub(crate) fn signal(&self, signal: Signal) {
        kill(Pid::from_raw(self.connection.pid()), signal).unwrap();
    }

    pub(crate) fn signal_group(&self, signal: Signal) {
        killpg(Pid::from_raw(self.connection.pid()), signal).unwrap();
    }

    /// Waits for its end.
    #[track_caller]
    pub(crate) fn status(mut self) -> ExitStatus {
        self.connection.gone();
        self.child.wait().unwrap()
    }
}

/// Runs a command in this process.
pub(crate) fn run(command: &Command) -> Result<Ended, ProcessError> {
    let interrupt = Interrupt::install(LONG).unwrap();
    Supervisor::at(executables::supervisor().unwrap()).run(command, &interrupt)
}

/// Runs a command that has to come to an end, while the test does something else.
#[track_caller]
pub(crate) fn run_while(command: &Command, act: impl FnOnce()) -> Ended {
    std::thread::scope(|scope| {
        let running = scope.spawn(|| run(command));
        act();
        running.join().unwrap().unwrap()
    })
}

/// A stand-in's executable.
pub(crate) fn standin(name: &'static str) -> PathBuf {
    executables::find(name).unwrap()
}
