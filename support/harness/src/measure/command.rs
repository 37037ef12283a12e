//! What the executables say of themselves.

use std::ffi::OsString;

use super::Measurements;
use super::file::Role;
use crate::claude::environment;
use crate::constants::COMMAND_OUTPUT_BOUND;
use crate::process::{Cause, Command, NotStarted, Output, ProcessError, Status};
use crate::reason::Reason;
use crate::refusal::{Circumstance, Fact, Refusal, Verdict};

/// A question that an executable answers on its command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// `claude --version`.
    ClaudeVersion,
    /// `claude --help`.
    ClaudeHelp,
    /// `edge version`.
    EdgeVersion,
    /// `node version`.
    NodeVersion,
    /// `edge config check --config FILE`.
    ConfigCheck,
}

impl Question {
    /// Every question; the order is that of the discriminants.
    pub const ALL: [Self; 5] = [
        Self::ClaudeVersion,
        Self::ClaudeHelp,
        Self::EdgeVersion,
        Self::NodeVersion,
        Self::ConfigCheck,
    ];

    /// The check that refuses when there is no usable answer.
    pub const fn reason(self) -> Reason {
        match self {
            Self::ClaudeVersion => Reason::ClaudeVersion,
            Self::ClaudeHelp => Reason::ClaudeHelp,
            Self::EdgeVersion => Reason::EdgeVersion,
            Self::NodeVersion => Reason::NodeVersion,
            Self::ConfigCheck => Reason::ConfigCheck,
        }
    }

    const fn role(self) -> Role {
        match self {
            Self::ClaudeVersion | Self::ClaudeHelp => Role::Claude,
            Self::EdgeVersion | Self::ConfigCheck => Role::Edge,
            Self::NodeVersion => Role::Node,
        }
    }

    fn arguments(self, measurements: &Measurements<'_>) -> Verdict<Vec<OsString>> {
        Ok(match self {
            Self::ClaudeVersion => vec!["--version".into()],
            Self::ClaudeHelp => vec!["--help".into()],
            Self::EdgeVersion | Self::NodeVersion => vec!["version".into()],
            Self::ConfigCheck => {
                let config = measurements.path(Role::Config)?;
                vec![
                    "config".into(),
                    "check".into(),
                    "--config".into(),
                    config.into(),
                ]
            }
        })
    }
}

/// Runs the command and gives what it printed, both streams in the order written.
///
/// # Errors
/// The question's reason, if it fails, prints nothing or passes a bound; those
/// of the executable's own check if it is none.
pub fn ask(measurements: &Measurements<'_>, question: Question) -> Verdict<Vec<u8>> {
    let deployment = measurements.deployment();
    let program = measurements.path(question.role())?;
    super::file::inspect(question.role(), program)?;
    let private = environment::private_home(deployment)?;
    let command = Command::new(program)
        .args(question.arguments(measurements)?)
        .envs(environment::of_question(deployment, &private))
        .private(&private)
        .directory("/")
        .output(Output::Merged(COMMAND_OUTPUT_BOUND))
        .deadline(deployment.limits.command)
        .grace(deployment.limits.grace);
    let refuse = || Refusal::new(question.reason());
    let ended = deployment
        .supervisor
        .run(&command, &deployment.interrupt)
        .map_err(|error| not_run(error, question))?;
    match (ended.cause, ended.status) {
        (Cause::Exited, Status::Code(0)) if ended.stdout.is_empty() => Err(refuse()
            .detail(Circumstance::Silent)
            .expected("some output")
            .found("none")),
        (Cause::Exited, Status::Code(0)) => Ok(ended.stdout),
        (Cause::Exited, Status::Code(code)) => Err(refuse()
            .detail(Circumstance::Failed)
            .expected("exit status 0")
            .found(Fact::Count(u64::from(code.unsigned_abs()), ""))),
        (Cause::Exited, Status::Signal(_)) => Err(refuse()
            .detail(Circumstance::Failed)
            .expected("exit status 0")
            .found("an end by a signal")),
        (Cause::Deadline, _) => Err(refuse()
            .detail(Circumstance::Deadline)
            .expected("an end within its time")
            .found("none")),
        (Cause::StdoutOverflow | Cause::StderrOverflow, _) => Err(refuse()
            .detail(Circumstance::Overflow)
            .expected("at most 65536 bytes of output")
            .found("more")),
    }
}

/// The refusal of a command that could not be run to its end.
fn not_run(error: ProcessError, question: Question) -> Refusal {
    let refusal = environment::refused(error, question.reason());
    match error {
        // On a busy machine its time may be over before it has begun.
        ProcessError::NotStarted {
            why: NotStarted::Deadline,
            ..
        } => refusal.detail(Circumstance::Deadline),
        _ if refusal.reason() == question.reason() => refusal.detail(Circumstance::NotStarted),
        _ => refusal,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_that_could_not_be_run_is_told_by_its_own_check_unless_it_is_not_to_blame() {
        let not_started = |why| ProcessError::NotStarted { why, words: "" };
        for (error, code) in [
            (not_started(NotStarted::Deadline), "edge-version deadline"),
            (
                not_started(NotStarted::NotFound),
                "edge-version not-started",
            ),
            (ProcessError::Left, "edge-version not-started"),
            (not_started(NotStarted::Private), "private-home"),
            (not_started(NotStarted::Supervisor), "supervisor-missing"),
            (ProcessError::SupervisorDied, "supervisor-missing"),
        ] {
            assert_eq!(not_run(error, Question::EdgeVersion).code(), code);
        }
    }
}
