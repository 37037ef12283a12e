//! A deployment, a witness, and the smoke in a process of its own.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::ExitStatusExt as _;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::{env, iter};

use harness::executables;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
#[cfg(target_os = "linux")]
use nix::{errno::Errno, libc};
use script::{Printed, Script};

use crate::supervision::witness::{BOUND, Witness, eventually};
use crate::trial::{Trial, names};

/// A grace that is meant to pass, in milliseconds.
const GRACE: &str = "300";

/// The quiet period, in milliseconds: nothing of what is tested here is about it.
const QUIET: &str = "50";

/// How a run is ended early.
#[derive(Clone, Copy)]
pub(crate) enum Ending {
    /// By these, one right after the other.
    Signals(&'static [Signal]),
    /// Outright.
    Killed,
}

/// Signals that are tried in each phase: each of the three comes first, once, twice and followed
/// by another one.
pub(crate) const HANGUP_TWICE: Ending = Ending::Signals(&[Signal::SIGHUP, Signal::SIGHUP]);
pub(crate) const INTERRUPT: Ending = Ending::Signals(&[Signal::SIGINT]);
pub(crate) const TERMINATE_THEN_INTERRUPT: Ending =
    Ending::Signals(&[Signal::SIGTERM, Signal::SIGINT]);

impl Ending {
    /// The signals that it consists of.
    pub(crate) fn signals(self) -> &'static [Signal] {
        match self {
            Self::Signals(signals) => signals,
            Self::Killed => &[Signal::SIGKILL],
        }
    }

    /// Asserts that a process has ended as it has to.
    #[track_caller]
    pub(crate) fn assert_status(self, status: ExitStatus) {
        match self {
            Self::Signals(signals) => assert_eq!(
                (status.code(), status.signal()),
                (Some(128 + signals[0] as i32), None)
            ),
            Self::Killed => assert_eq!(status.signal(), Some(Signal::SIGKILL as i32)),
        }
    }
}

/// A deployment that passes until it is changed.
pub(crate) struct Scene {
    pub(crate) trial: Trial,
    pub(crate) witness: Witness,
}

impl Scene {
    pub(crate) fn new() -> Self {
        Self::of(Trial::new())
    }

    /// One with this deployment.
    pub(crate) fn of(trial: Trial) -> Self {
        let witness = Witness::in_directory(trial.standin.root());
        Self { trial, witness }
    }

    /// What an executable prints that becomes a process which takes these steps.
    pub(crate) fn steps(&self, steps: &str) -> Printed {
        let program = executables::find("standin-process").expect("it is built");
        let mut execute = vec![program, self.witness.path().to_owned()];
        execute.extend(steps.split_whitespace().map(PathBuf::from));
        Printed {
            execute,
            ..Printed::default()
        }
    }

    /// Has the CLI take these steps in place of its run.
    pub(crate) fn claude(&self, steps: &str) {
        let printed = self.steps(steps);
        let script = self.trial.standin.script_claude(|script| {
            script.instead_of_run = Some(printed);
        });
        script.expect("the script is written");
    }

    /// Has an executable take these steps when it is asked something.
    pub(crate) fn question(&self, executable: &str, question: &str, steps: &str) {
        self.questions(executable, &[(question, steps)]);
    }

    /// The same for several questions.
    pub(crate) fn questions(&self, executable: &str, questions: &[(&str, &str)]) {
        let answers = questions.iter();
        let answers = answers.map(|(question, steps)| ((*question).to_owned(), self.steps(steps)));
        let script = Script {
            answers: answers.collect(),
            ..Script::default()
        };
        self.trial
            .standin
            .script(executable, &script)
            .expect("the script is written");
    }

    /// Puts a program of this name into the deployment's search path that takes these steps.
    pub(crate) fn program(&mut self, name: &str, steps: &str) {
        let folder = self.trial.path("path");
        fs::create_dir(&folder).expect("a folder");
        let words = self.steps(steps).execute;
        let words: Vec<_> = words.iter().map(|word| format!("{word:?}")).collect();
        let program = folder.join(name);
        let script = format!("#!/bin/sh\nexec {}\n", words.join(" "));
        fs::write(&program, script).expect("a script");
        let mode = Permissions::from_mode(0o755);
        fs::set_permissions(&program, mode).expect("it is made executable");
        let path = self.trial.standin.environment().get("PATH");
        let others = path.map(env::split_paths).into_iter().flatten();
        let path = env::join_paths(iter::once(folder).chain(others)).expect("a search path");
        self.trial.standin.set("PATH", path);
    }

    /// Starts the smoke.
    pub(crate) fn start(&self) -> Smoke {
        let standin = &self.trial.standin;
        let child = Command::new(executables::find("standin-smoke").expect("it is built"))
            .arg(standin.managed_settings())
            .args([GRACE, QUIET])
            .env_clear()
            .envs(standin.environment().iter())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the smoke starts");
        Smoke(child)
    }

    /// Ends the smoke and asserts that it ends as it has to and leaves nothing.
    #[track_caller]
    pub(crate) fn end(&self, smoke: Smoke, ending: Ending) {
        let seen = self.trial.processes();
        assert_ne!(seen, Vec::<String>::new(), "the smoke at least is seen");
        smoke.signals(ending);
        ending.assert_status(smoke.status());
        self.trial.assert_nothing_left_soon();
    }
}

/// The smoke in a process of its own; killed when dropped.
pub(crate) struct Smoke(Child);

impl Smoke {
    /// Its process, and the thread that does its work.
    pub(crate) fn pid(&self) -> Pid {
        Pid::from_raw(i32::try_from(self.0.id()).expect("a process id"))
    }

    /// Sends the signals, each once the one before it has arrived: of several at once the system
    /// picks the first.
    ///
    /// Ones that differ go to the thread that waits for them. If two threads took one each, either
    /// could be noted first: a signal has arrived before its handler runs.
    pub(crate) fn signals(&self, ending: Ending) {
        let signals = ending.signals();
        let differ = signals.iter().any(|signal| *signal != signals[0]);
        let thread = if differ {
            self.interrupt_thread()
        } else {
            self.pid()
        };
        for signal in signals {
            let sent = if differ {
                self.signal_thread(thread, *signal)
            } else {
                kill(self.pid(), *signal)
            };
            sent.expect("it is not reaped yet");
            eventually("the signal arrives", || !self.is_pending(thread, *signal));
        }
    }

    /// The thread that waits for signals.
    fn interrupt_thread(&self) -> Pid {
        let tasks = PathBuf::from(format!("/proc/{}/task", self.pid()));
        let mut thread = None;
        eventually("a thread waits for signals", || {
            thread = names(&tasks).into_iter().find(|task| {
                let name = fs::read_to_string(tasks.join(task).join("comm"));
                name.is_ok_and(|name| name.trim_end() == "interrupt")
            });
            thread.is_some()
        });
        let number = thread.and_then(|task| task.parse().ok());
        Pid::from_raw(number.expect("it has a number"))
    }

    /// Signals one thread, or the process if the thread is gone: then the process is ending.
    #[cfg(target_os = "linux")]
    fn signal_thread(&self, thread: Pid, signal: Signal) -> nix::Result<()> {
        let (process, number) = (self.pid().as_raw(), thread.as_raw());
        #[expect(unsafe_code, reason = "tgkill has no safe wrapper")]
        // SAFETY: the call takes three numbers.
        let result = unsafe { libc::syscall(libc::SYS_tgkill, process, number, signal as i32) };
        match Errno::result(result) {
            Err(Errno::ESRCH) => kill(self.pid(), signal),
            result => result.map(drop),
        }
    }

    /// Signals the process: no test that is for other systems sends signals that differ.
    #[cfg(not(target_os = "linux"))]
    fn signal_thread(&self, _thread: Pid, signal: Signal) -> nix::Result<()> {
        kill(self.pid(), signal)
    }

    /// Whether a signal waits for this thread or for the process.
    fn is_pending(&self, thread: Pid, signal: Signal) -> bool {
        let status = fs::read_to_string(format!("/proc/{}/task/{thread}/status", self.pid()));
        let status = status.unwrap_or_default();
        let mut sets = status.lines().filter_map(|line| {
            let (name, set) = line.split_once(':')?;
            let set = u64::from_str_radix(set.trim(), 16).ok()?;
            matches!(name, "SigPnd" | "ShdPnd").then_some(set)
        });
        // One that has ended handles nothing any more.
        let ended = status.contains("\nState:\tZ");
        !ended && sets.any(|set| set >> (signal as i32 - 1) & 1 == 1)
    }

    /// Waits for its end.
    #[track_caller]
    pub(crate) fn status(mut self) -> ExitStatus {
        let mut status = None;
        eventually("the smoke ends", || {
            status = self.0.try_wait().expect("it can be waited for");
            status.is_some()
        });
        status.unwrap_or_else(|| panic!("it did not end within {BOUND:?}"))
    }
}

impl Drop for Smoke {
    fn drop(&mut self) {
        // It has ended unless its test has failed.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
