//! The one command line with which Claude Code is started for the run.

use crate::claude::environment;
use crate::constants::{CLAUDE_OUTPUT_BOUND, ClaudeFlag, PROMPT};
use crate::deployment::Deployment;
use crate::measure::given;
use crate::process::{Command, Ended, Output, ProcessError};
use crate::reason::{ClaudeReason, Reason};
use crate::refusal::{Refusal, Verdict};

/// Arguments before the prompt.
///
/// `--bare` and an empty list of setting sources keep the caller's settings
/// out: an `env` block in any of them would override the variables given here.
pub const ARGUMENTS: [&str; 8] = [
    ClaudeFlag::Print.id(),
    ClaudeFlag::OutputFormat.id(),
    "stream-json",
    ClaudeFlag::Verbose.id(),
    ClaudeFlag::NoSessionPersistence.id(),
    ClaudeFlag::Bare.id(),
    ClaudeFlag::SettingSources.id(),
    "",
];

/// Starts Claude once in the workspace and waits until it and everything it started is gone.
///
/// # Errors
/// `claude-start`, `private-home` or `supervisor-missing`; how the CLI itself
/// ended is not judged here.
pub fn run(deployment: &Deployment) -> Verdict<Ended> {
    let inputs = &deployment.inputs;
    let private = environment::private_home(deployment)?;
    let command = Command::new(given(&inputs.claude)?)
        .args(ARGUMENTS)
        .args([PROMPT])
        .directory(given(&inputs.workspace)?)
        .private(&private)
        .output(Output::Separate {
            stdout: CLAUDE_OUTPUT_BOUND,
            stderr: CLAUDE_OUTPUT_BOUND,
        })
        .deadline(*given(&inputs.run_timeout)?)
        .grace(deployment.limits.grace)
        .envs(environment::of_run(deployment, &private)?);
    deployment
        .supervisor
        .run(&command, &deployment.interrupt)
        .map_err(|error| match error {
            ProcessError::Left => Refusal::claude(ClaudeReason::LeftProcesses).caused_by(error),
            error => environment::refused(error, Reason::ClaudeStart),
        })
}
