//! One invocation of cargo-nextest by a user.
//!
//! Each has the suite's own profiles, but a store of its own, so that several
//! can run at the same time and none overwrites what a user's own run left.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use harness::environment::Environment;
use harness::environment::runner::Runner;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use quick_xml::Reader;
use quick_xml::events::Event;
use standin::scratch;
use tempfile::TempDir;

use super::reuse;
use crate::trial::Trial;

/// Exit codes of cargo-nextest, by the names of its documentation.
pub(crate) mod exit {
    /// Everything passed.
    pub(crate) const OK: i32 = 0;
    /// A test failed.
    pub(crate) const TEST_RUN_FAILED: i32 = 100;
}

/// What every nextest is started with that a test starts.
pub(crate) const RUNNER_VARIABLES: [(&str, &str); 2] = [
    // A user's own settings of the runner are not what is tested.
    ("NEXTEST_USER_CONFIG_FILE", "none"),
    // Each test is started at once, not through nextest's own executable: that is for a
    // terminal's Ctrl-Z.
    ("NEXTEST_DOUBLE_SPAWN", "0"),
];

/// An invocation in the making.
pub(crate) struct Invocation {
    command: Command,
    profiles: String,
    output: Output,
}

/// Where nextest writes what it keeps of a run.
struct Output {
    store: TempDir,
    profile: &'static str,
}

impl Output {
    /// The profile's folder.
    fn folder(&self) -> PathBuf {
        self.store.path().join(self.profile)
    }
}

/// An invocation that has ended.
#[must_use]
pub(crate) struct Ended {
    /// Its exit code; none if it was ended by a signal.
    pub(crate) code: Option<i32>,
    /// What it printed on both streams.
    pub(crate) printed: String,
    /// The JUnit file that it wrote.
    pub(crate) junit: String,
    output: Output,
}

impl Invocation {
    /// `cargo nextest run --profile PROFILE` by a user who has set nothing.
    ///
    /// It is told what is built, instead of asking cargo.
    pub(crate) fn new(profile: &'static str) -> Self {
        let mut command = cargo(&["nextest", "run", "--color", "never", "--profile", profile]);
        command.args(reuse::arguments());
        Self {
            command,
            profiles: profiles(),
            output: Output {
                store: scratch::folder().expect("a folder"),
                profile,
            },
        }
    }

    /// With another text in the profiles.
    #[track_caller]
    pub(super) fn with_profiles(mut self, from: &str, to: &str) -> Self {
        assert!(self.profiles.contains(from), "not in the profiles: {from}");
        self.profiles = self.profiles.replace(from, to);
        self
    }

    /// With the variables of this deployment set.
    pub(crate) fn against(mut self, trial: &Trial) -> Self {
        for (name, value) in trial.standin.environment().iter() {
            self.command.env(name, value);
        }
        self
    }

    /// Sets a variable of the user's.
    pub(crate) fn variable(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    /// With further arguments.
    pub(crate) fn args(mut self, args: &[impl AsRef<OsStr>]) -> Self {
        self.command.args(args);
        self
    }

    /// Runs it to its end.
    pub(crate) fn run(self) -> Ended {
        self.started().ended()
    }

    /// Starts it in a process group of its own, as a shell does.
    pub(super) fn started(mut self) -> Running {
        let store = self.output.store.path();
        let file = store.join("nextest.toml");
        configure(&file, &self.profiles, store);
        let child = self
            .command
            .arg("--config-file")
            .arg(file)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()
            .expect("cargo can be started");
        Running {
            child,
            output: self.output,
        }
    }
}

/// An invocation under way.
pub(super) struct Running {
    child: Child,
    output: Output,
}

impl Running {
    /// Presses Ctrl-C, as far as it concerns nextest: the tests are in groups of their own.
    pub(super) fn interrupt(&self) {
        let pid = i32::try_from(self.child.id()).expect("a process id");
        kill(Pid::from_raw(pid), Signal::SIGINT).expect("nextest can be interrupted");
    }

    /// Waits for its end.
    pub(super) fn ended(self) -> Ended {
        let output = self.child.wait_with_output().expect("it ends");
        Ended {
            code: output.status.code(),
            printed: String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into(),
            junit: fs::read_to_string(self.output.folder().join("junit.xml")).unwrap_or_default(),
            output: self.output,
        }
    }
}

impl Ended {
    /// What nextest kept of the run.
    pub(crate) fn store(&self) -> &Path {
        self.output.store.path()
    }

    /// Asserts that nothing that was printed or written holds a private value,
    /// and that the JUnit file is well-formed.
    #[track_caller]
    pub(crate) fn assert_silent(&self, trial: &Trial) {
        for text in [&self.printed, &self.junit] {
            let hits = trial.private_values().hits(text.as_bytes());
            assert!(hits.is_empty(), "printed: {hits:?}");
        }
        assert!(!self.junit.is_empty(), "a JUnit file is written");
        let mut reader = Reader::from_str(&self.junit);
        loop {
            match reader.read_event() {
                Ok(Event::Eof) => break,
                Ok(_) => {}
                Err(error) => panic!("the JUnit file is not well-formed: {error}"),
            }
        }
    }

    /// Asserts the code and that this is printed.
    #[track_caller]
    pub(crate) fn assert_failed_with(&self, text: &str) {
        assert_eq!(self.code, Some(exit::TEST_RUN_FAILED), "{}", self.printed);
        assert!(
            self.printed.contains(text),
            "not printed: {text}\n{}",
            self.printed
        );
    }
}

/// A command of cargo in the suite's root, by a user who has set nothing.
pub(super) fn cargo(arguments: &[&str]) -> Command {
    let mut command = Command::new(cargo_path());
    command
        .args(arguments)
        .current_dir(root())
        .stdin(Stdio::null())
        .env_clear()
        .envs(RUNNER_VARIABLES);
    for (name, value) in Environment::of_process().iter() {
        if is_kept(name) {
            command.env(name, value);
        }
    }
    command
}

/// The cargo that started this run, which on some machines is found through another program that
/// first looks for it.
pub(crate) fn cargo_path() -> OsString {
    let caller = Environment::of_process();
    caller.get("CARGO").unwrap_or(OsStr::new("cargo")).into()
}

/// The suite's profiles.
pub(crate) fn profiles() -> String {
    fs::read_to_string(root().join(".config/nextest.toml")).expect("the profiles")
}

/// Writes a configuration file of these profiles, with nextest's store in this folder.
pub(crate) fn configure(file: &Path, profiles: &str, store: &Path) {
    let text = format!("{profiles}\n[store]\ndir = {store:?}\n");
    fs::write(file, text).expect("the profiles");
}

/// The suite's root.
pub(crate) fn root() -> PathBuf {
    let runner = Runner::of(&Environment::of_process());
    runner
        .root()
        .expect("the runner names the suite's root")
        .to_path_buf()
}

/// Whether a nested invocation keeps a variable of this one: the runner's and
/// cargo's own would make it believe that it is part of this run.
pub(crate) fn is_kept(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    let cargo = name.starts_with("CARGO_") && name != "CARGO_HOME" && name != "CARGO_TARGET_DIR";
    !cargo && !name.starts_with("NEXTEST") && !name.starts_with("IOP_SMOKE_") && name != "OUT_DIR"
}
