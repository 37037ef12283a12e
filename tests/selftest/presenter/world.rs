//! The presenter in a folder of its own, with a `cargo` of its own in the search path.
//!
//! The folder stands in for the suite's: results are looked for there, so that no user's own are
//! overwritten.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{self, File, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

use harness::environment::Environment;
use harness::executables;
use nix::pty::{Winsize, openpty};
use nix::sys::stat::Mode;
use standin::scratch;
use tempfile::TempDir;

use super::running::Running;
use crate::nextest::invocation::{
    RUNNER_VARIABLES, cargo_path, configure, is_kept, profiles, root,
};
use crate::nextest::reuse;
use crate::trial::Trial;

/// Says where it is told of steps and what it was asked for, then does what it is told to.
const OBEDIENT: &str = r#"#!/bin/sh
printf '%s\n' "$@" > arguments
printf '%s' "$IOP_SMOKE_PROGRESS" > told.new
mv told.new told
read -r order < orders
eval "$order"
"#;

/// The folder with what is in it.
pub(super) struct World {
    folder: TempDir,
    variables: BTreeMap<OsString, OsString>,
}

impl World {
    /// One whose `cargo` obeys.
    pub(super) fn obedient() -> Self {
        let world = Self::with(OBEDIENT);
        nix::unistd::mkfifo(&world.path("orders"), Mode::S_IRWXU).expect("a fifo");
        world
    }

    /// One whose `cargo` runs the suite's nextest against this deployment, with its store here.
    ///
    /// Nothing is built, and nextest is told what is built instead of asking cargo.
    pub(super) fn real(trial: &Trial) -> Self {
        let mut world = Self::with("");
        let file = world.path("nextest.toml");
        configure(&file, &profiles(), &world.path("target/nextest"));
        let path = world.variable("PATH");
        let reused = reuse::arguments();
        let reused: Vec<_> = reused.iter().map(|word| format!("{word:?}")).collect();
        let reused = reused.join(" ");
        let script = format!(
            "#!/bin/sh\n\
             PATH={path:?}\n\
             cd {root:?}\n\
             case \"$1 $2\" in\n\
             'nextest run') exec {cargo:?} \"$@\" --config-file {file:?} {reused} ;;\n\
             build*) ;;\n\
             *) exec {cargo:?} \"$@\" ;;\n\
             esac\n",
            cargo = cargo_path(),
            root = root(),
        );
        world.install(&script);
        for (name, value) in trial.standin.environment().iter() {
            if name != "PATH" {
                world.set(&name.to_string_lossy(), value);
            }
        }
        world
    }

    fn with(script: &str) -> Self {
        let folder = scratch::folder().expect("a folder");
        let caller = Environment::of_process();
        let variables = caller.iter().filter(|(name, _)| is_kept(name));
        let mut world = Self {
            variables: variables
                .map(|(name, value)| (name.into(), value.into()))
                .collect(),
            folder,
        };
        for name in ["bin", "target/nextest/smoke-live", "tmp"] {
            fs::create_dir_all(world.path(name)).expect("a folder");
        }
        for name in ["Makefile", "schemas", "support"] {
            std::os::unix::fs::symlink(root().join(name), world.path(name)).expect("a link");
        }
        world.install(script);
        for (name, value) in RUNNER_VARIABLES {
            world.set(name, value);
        }
        world.set("TMPDIR", world.path("tmp"));
        world.set("TERM", "xterm-256color");
        world.set("LC_ALL", "C.UTF-8");
        world
    }

    fn install(&mut self, script: &str) {
        fs::write(self.path("bin/cargo"), script).expect("a script");
        let mode = Permissions::from_mode(0o755);
        fs::set_permissions(self.path("bin/cargo"), mode).expect("it is made executable");
    }

    /// A path in the folder.
    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Sets a variable.
    pub(super) fn set(&mut self, name: &str, value: impl Into<OsString>) {
        self.variables.insert(name.into(), value.into());
    }

    /// Removes a variable.
    pub(super) fn unset(&mut self, name: &str) {
        self.variables.remove(&OsString::from(name));
    }

    fn variable(&self, name: &str) -> String {
        let value = self.variables.get(&OsString::from(name));
        value
            .map(|value| value.to_string_lossy().into_owned())
            .unwrap_or_default()
    }

    /// A command of this user.
    fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        let path = format!("{}:{}", self.path("bin").display(), self.variable("PATH"));
        command
            .current_dir(self.folder.path())
            .env_clear()
            .envs(&self.variables)
            .env("PATH", path)
            .stdin(Stdio::null());
        command
    }

    /// Runs a line of the shell, and gives its status with what it printed on both streams.
    pub(super) fn shell(&self, line: &str) -> (ExitStatus, String) {
        let mut command = self.command("sh");
        let output = command.args(["-c", line]).output().expect("the shell runs");
        let printed = [output.stdout, output.stderr].concat();
        (
            output.status,
            String::from_utf8_lossy(&printed).into_owned(),
        )
    }

    /// Starts the presenter with its output going to pipes.
    pub(super) fn piped(&self, arguments: &[&str]) -> Running {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        let mut command = self.command(executables::find("iop-smoke-present").expect("built"));
        command
            .args(arguments)
            // As a shell does with a job.
            .process_group(0)
            .stdout(writer.try_clone().expect("a descriptor"))
            .stderr(writer);
        Running::start(self.folder.path().to_owned(), command, reader, None)
    }

    /// Starts the presenter on a terminal of its own with so many columns.
    pub(super) fn on_terminal(&self, columns: u16, arguments: &[&str]) -> Running {
        let size = Winsize {
            ws_row: 50,
            ws_col: columns,
            ws_xpixel: 0,
            ws_ypixel: 0,
        };
        let pair = openpty(&size, None).expect("a pseudo-terminal");
        let theirs = File::from(pair.slave);
        let mut command = self.command("setsid");
        command
            // It becomes the presenter, in a session whose terminal this is.
            .arg("--ctty")
            .arg(executables::find("iop-smoke-present").expect("built"))
            .args(arguments)
            .stdin(theirs.try_clone().expect("a descriptor"))
            .stdout(theirs.try_clone().expect("a descriptor"))
            .stderr(theirs);
        let ours = File::from(pair.master);
        let keys = ours.try_clone().expect("a descriptor");
        Running::start(self.folder.path().to_owned(), command, ours, Some(keys))
    }
}

/// Reads the arguments that the `cargo` was given.
pub(super) fn arguments(world: &World) -> Vec<String> {
    let read = |path: &Path| fs::read_to_string(path).expect("it was started");
    read(&world.path("arguments"))
        .lines()
        .map(str::to_owned)
        .collect()
}
