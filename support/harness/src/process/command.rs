//! What to run, and within which bounds.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use supervisor::order::Order;
use zeroize::Zeroizing;

use crate::constants::{COMMAND_BOUND, COMMAND_OUTPUT_BOUND, GRACE};

/// Where the command's output goes, each with the most bytes it may print.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    /// Both streams into one, in the order in which they are written.
    Merged(usize),
    /// Each stream on its own.
    Separate {
        /// Bound on stdout.
        stdout: usize,
        /// Bound on stderr.
        stderr: usize,
    },
}

/// A command to run under the supervisor.
///
/// Its environment is empty unless told otherwise. Nothing of it can be printed: arguments may
/// hold private values, and the environment does hold the secret.
pub struct Command {
    program: OsString,
    arguments: Vec<OsString>,
    environment: Vec<(OsString, Zeroizing<Vec<u8>>)>,
    directory: Option<PathBuf>,
    private: Option<PathBuf>,
    pub(super) output: Output,
    pub(super) deadline: Duration,
    pub(super) grace: Duration,
}

impl Command {
    /// The executable with no arguments, bounded like a `--version` command.
    ///
    /// `program` is its path, or its name in an absolute directory of the `PATH` that it is given.
    ///
    /// Without further words its streams are merged, up to [`COMMAND_OUTPUT_BOUND`]; it may take
    /// [`COMMAND_BOUND`], and [`GRACE`] to end when asked to. Its working directory is that of the
    /// calling process.
    pub fn new(program: impl AsRef<Path>) -> Self {
        Self {
            program: program.as_ref().into(),
            arguments: Vec::new(),
            environment: Vec::new(),
            directory: None,
            private: None,
            output: Output::Merged(COMMAND_OUTPUT_BOUND),
            deadline: COMMAND_BOUND,
            grace: GRACE,
        }
    }

    /// Adds an argument.
    #[must_use]
    pub fn arg(mut self, argument: impl AsRef<OsStr>) -> Self {
        self.arguments.push(argument.as_ref().into());
        self
    }

    /// Adds arguments.
    #[must_use]
    pub fn args(mut self, arguments: impl IntoIterator<Item: AsRef<OsStr>>) -> Self {
        self.arguments.extend(
            arguments
                .into_iter()
                .map(|argument| argument.as_ref().into()),
        );
        self
    }

    /// Adds a variable to the environment. Its value is wiped when this is dropped.
    #[must_use]
    pub fn env(mut self, name: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> Self {
        let value = Zeroizing::new(value.as_ref().as_bytes().to_vec());
        self.environment.push((name.as_ref().into(), value));
        self
    }

    /// Adds variables to the environment.
    #[must_use]
    pub fn envs<N: AsRef<OsStr>, V: AsRef<OsStr>>(
        self,
        variables: impl IntoIterator<Item = (N, V)>,
    ) -> Self {
        variables
            .into_iter()
            .fold(self, |command, (name, value)| command.env(name, value))
    }

    /// Sets the working directory.
    #[must_use]
    pub fn directory(mut self, directory: impl Into<PathBuf>) -> Self {
        self.directory = Some(directory.into());
        self
    }

    /// Has a directory made for this command alone and removed when it has ended.
    ///
    /// The path must be absolute and must not exist. The directory holds those that
    /// [`supervisor::private`] names.
    #[must_use]
    pub fn private(mut self, directory: impl Into<PathBuf>) -> Self {
        self.private = Some(directory.into());
        self
    }

    /// Sets where the output goes; passing a bound ends the command.
    #[must_use]
    pub fn output(mut self, output: Output) -> Self {
        self.output = output;
        self
    }

    /// Sets the time after which the command is ended.
    #[must_use]
    pub fn deadline(mut self, deadline: Duration) -> Self {
        self.deadline = deadline;
        self
    }

    /// Sets the time between asking its processes to end and ending them.
    #[must_use]
    pub fn grace(mut self, grace: Duration) -> Self {
        self.grace = grace;
        self
    }

    /// The directory made for this command alone.
    pub(super) fn private_directory(&self) -> Option<&Path> {
        self.private.as_deref()
    }

    pub(super) fn environment(&self) -> impl Iterator<Item = (&OsStr, &OsStr)> {
        let variables = self.environment.iter();
        variables.map(|(name, value)| (name.as_os_str(), OsStr::from_bytes(value)))
    }

    /// What the supervisor is told; `bound` is when it acts unasked.
    pub(super) fn order(&self, bound: Duration) -> Order {
        Order {
            grace: self.grace,
            bound,
            private: self.private.clone(),
            directory: self.directory.clone(),
            program: self.program.clone(),
            arguments: self.arguments.clone(),
        }
    }
}

impl fmt::Debug for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Command")
            .field("arguments", &self.arguments.len())
            .field("environment", &self.environment.len())
            .field("output", &self.output)
            .field("deadline", &self.deadline)
            .field("grace", &self.grace)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neither_arguments_nor_environment_can_be_printed() {
        let command = Command::new("/canary/program")
            .arg("canary-argument")
            .env("CANARY_NAME", "canary-value")
            .directory("/canary/directory")
            .private("/canary/private");
        let printed = format!("{command:?}");
        assert!(!printed.to_lowercase().contains("canary"));
        assert!(printed.starts_with("Command { arguments: 1, environment: 1, "));
    }

    #[test]
    fn the_supervisors_arguments_hold_no_environment() {
        let command = Command::new("program")
            .arg("argument")
            .env("CANARY", "canary-value");
        let arguments = command.order(Duration::ZERO).to_arguments();
        assert!(!format!("{arguments:?}").to_lowercase().contains("canary"));
    }
}
