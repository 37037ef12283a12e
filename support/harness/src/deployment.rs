//! A deployment under test: what the live environment and a stand-in both produce.

use std::path::PathBuf;
use std::time::Duration;

use crate::constants::{COMMAND_BOUND, GRACE, PROBE_BOUND, QUIET_PERIOD, SETTLE_BOUND};
use crate::environment::Environment;
use crate::environment::runner::Runner;
use crate::inputs::Inputs;
use crate::interrupt::Interrupt;
use crate::process::Supervisor;
use crate::progress::Listener;

/// Everything that a check or a run needs to know.
pub struct Deployment {
    /// What the user gave.
    pub inputs: Inputs,
    /// The variables that the inputs came from; the CLI gets some of them.
    pub environment: Environment,
    /// What this host adds to it.
    pub host: Host,
    /// How long things may take.
    pub limits: Limits,
    /// Runs every process.
    pub supervisor: Supervisor,
    /// Tells when to end early.
    pub interrupt: Interrupt,
    /// Is told what the run is doing.
    pub listener: Listener,
}

impl Deployment {
    /// The deployment that an environment describes, on this host and with the
    /// contract's limits.
    pub fn new(
        environment: Environment,
        runner: &Runner,
        supervisor: Supervisor,
        interrupt: Interrupt,
    ) -> Self {
        Self {
            inputs: Inputs::read(&environment, runner),
            listener: Listener::of(&environment),
            environment,
            host: Host::this(),
            limits: Limits::contract(),
            supervisor,
            interrupt,
        }
    }
}

/// What a host adds to a deployment.
#[derive(Clone, Debug)]
pub struct Host {
    /// Folders that may hold administrator settings of Claude Code.
    pub managed_settings: Vec<PathBuf>,
}

impl Host {
    /// This host, by Claude Code's own documentation of managed settings.
    pub fn this() -> Self {
        let folder = if cfg!(target_os = "macos") {
            "/Library/Application Support/ClaudeCode"
        } else {
            "/etc/claude-code"
        };
        Self {
            managed_settings: vec![PathBuf::from(folder)],
        }
    }
}

/// How long things may take.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// One HTTP probe.
    pub probe: Duration,
    /// One command such as `--version`.
    pub command: Duration,
    /// Between asking a process to end and ending it.
    pub grace: Duration,
    /// Wait for the terminal record after the CLI has ended.
    pub settle: Duration,
    /// Time after the terminal record in which nothing more may arrive.
    pub quiet: Duration,
}

impl Limits {
    /// The limits of the contract.
    pub const fn contract() -> Self {
        Self {
            probe: PROBE_BOUND,
            command: COMMAND_BOUND,
            grace: GRACE,
            settle: SETTLE_BOUND,
            quiet: QUIET_PERIOD,
        }
    }
}
