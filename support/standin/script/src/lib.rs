//! What the stand-in executables print: a JSON file beside each of them.
//!
//! A script is read from the folder of the executable, because the harness
//! hands no variable through that could carry it.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::{fs, io};

use serde::{Deserialize, Serialize};

pub mod invocation;

/// What a command prints and how it ends.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Printed {
    /// Text on stdout.
    pub stdout: String,
    /// Text on stderr, after that on stdout.
    pub stderr: String,
    /// Further bytes on stdout.
    pub stdout_flood: usize,
    /// Further bytes on stderr.
    pub stderr_flood: usize,
    /// Leave a process behind that keeps both streams open.
    pub leave: bool,
    /// Never end.
    pub hang: bool,
    /// Execute this program with these arguments, in place of what follows.
    pub execute: Vec<PathBuf>,
    /// Exit status.
    pub exit: u8,
}

impl Printed {
    /// A command that prints a text and exits with 0.
    pub fn text(stdout: impl Into<String>) -> Self {
        Self {
            stdout: stdout.into(),
            ..Self::default()
        }
    }
}

/// What an executable answers to its command lines, its arguments joined by blanks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Script {
    /// Answers that begin with these arguments; the others are the stand-in's own.
    pub answers: BTreeMap<String, Printed>,
    /// A file to which a line is appended at each start.
    pub start_log: Option<PathBuf>,
    /// For `claude`: print this instead of speaking to the Edge.
    pub instead_of_run: Option<Printed>,
    /// For `claude`: speak to the Edge, then print this instead of its own events.
    pub after_run: Option<Printed>,
    /// For `claude`: a file to which a line is appended at each run.
    pub run_log: Option<PathBuf>,
}

impl Script {
    /// The script of an executable that is running, whose start it notes if it is told to.
    ///
    /// # Errors
    /// The script exists but cannot be read, or its log cannot be written.
    pub fn of(executable: &Path) -> io::Result<Self> {
        match fs::read(beside(executable)) {
            Ok(bytes) => {
                let script: Self = serde_json::from_slice(&bytes)?;
                if let Some(log) = &script.start_log {
                    append(log, "start\n")?;
                }
                Ok(script)
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Self::default()),
            Err(error) => Err(error),
        }
    }

    /// Writes the script of an executable.
    ///
    /// # Errors
    /// Those of writing a file.
    pub fn write(&self, executable: &Path) -> io::Result<()> {
        fs::write(beside(executable), serde_json::to_vec(self)?)
    }

    /// The answer to a command line, if the script has one.
    pub fn answer(&self, arguments: &[String]) -> Option<&Printed> {
        let line = arguments.join(" ");
        self.answers
            .iter()
            .find(|(start, _)| line.starts_with(*start))
            .map(|(_, printed)| printed)
    }
}

/// Appends a line to a file.
///
/// # Errors
/// Those of writing a file.
pub fn append(path: &Path, line: &str) -> io::Result<()> {
    let file = fs::OpenOptions::new().create(true).append(true).open(path);
    file?.write_all(line.as_bytes())
}

fn beside(executable: &Path) -> PathBuf {
    executable.with_extension("script.json")
}

/// What the stand-ins print unless a script says otherwise.
pub mod defaults {
    /// `claude --version`.
    pub const CLAUDE_VERSION: &str = "0.0.0 (Stand-in Claude)\n";
    /// `claude --help`.
    pub const CLAUDE_HELP: &str = "Usage: claude [options] [prompt]\n\n\
        \x20 --print                   print the answer and exit\n\
        \x20 --output-format <format>  text, json or stream-json\n\
        \x20 --verbose                 print every event\n\
        \x20 --no-session-persistence  keep nothing\n\
        \x20 --bare                    load nothing from the machine\n\
        \x20 --setting-sources <list>  which settings apply\n";
    /// `edge version`.
    pub const EDGE_VERSION: &str = "edge 0.0.0 (stand-in)\n";
    /// `edge config check --config FILE`.
    pub const CONFIG_CHECK: &str = "configuration ok\n";
    /// `node version`.
    pub const NODE_VERSION: &str = "node 0.0.0 (stand-in)\n";
}
