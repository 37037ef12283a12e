//! The fixed values of the smoke, in one place.
//!
//! Changing one of these changes what a passing run proves: the manifest's
//! readers compare against the same values.

use std::time::Duration;

use crate::closed_set::closed_set;

/// Name of the file that Claude is asked to create in the workspace.
pub const RESULT_FILE: &str = "smoke-result.txt";

/// Exact bytes that the result file must hold: one line, newline-terminated.
pub const EXPECTED_LINE: &str = "IOP single-request Claude smoke verified.\n";

/// What Claude is asked to do.
pub const PROMPT: &str = "Create a file named smoke-result.txt in the current working directory. \
It must contain exactly this one line, terminated by a single newline character and nothing else: \
IOP single-request Claude smoke verified. \
Before you finish, verify the file's bytes: the line above followed by exactly one newline.";

/// Project settings of Claude Code: a workspace that holds this is refused.
pub const SETTINGS_DIR: &str = ".claude";

/// Route that answers 2xx while the Edge is up.
pub const HEALTH_ROUTE: &str = "/healthz";
/// Route of the Messages API.
pub const MESSAGES_ROUTE: &str = "/v1/messages";
/// Route that lists the public models.
pub const CATALOG_ROUTE: &str = "/anthropic/v1/models";
/// Value of the `anthropic-version` header on the catalog route.
pub const ANTHROPIC_VERSION: &str = "2023-06-01";

/// Counter of requests that entered the single-request path; it has no labels.
pub const INGRESS_COUNTER: &str = "iop_anthropic_single_request_ingress_total";

/// `msg` of the log records that describe a served request.
pub const OBSERVATION_MESSAGE: &str = "edge_single_request_observation";

/// `msg` values that prove that a file is an Edge log.
pub const EDGE_LOG_MESSAGES: [&str; 11] = [
    "bootstrap artifact server listening",
    "connected to control plane",
    "edge listening for nodes",
    "edge_anthropic_pre_ingress_rejection",
    "edge_single_request_observation",
    "edge_single_request_terminal_rejection",
    "node connection established",
    "node ready",
    "node registration accepted, awaiting dispatch-ready",
    "node unregistered",
    "openai-compatible server listening",
];

/// The stages in their order, each with the engine family that serves it.
pub const STAGES: [(&str, &str); 3] = [
    ("plan", "gemini"),
    ("work", "ornith-fast"),
    ("review", "gemini"),
];

closed_set! {
    /// A flag that the run uses, and that `claude --help` must therefore mention.
    pub enum ClaudeFlag(purpose) {
        Print => "--print", "one request, and no terminal";
        OutputFormat => "--output-format", "events in JSON lines";
        Verbose => "--verbose", "every event, which JSON lines need";
        NoSessionPersistence => "--no-session-persistence", "nothing is kept to go on with";
        Bare => "--bare", "no settings, hooks or memory of the caller's";
        SettingSources => "--setting-sources", "none, when its list is empty";
    }
}

/// Paths of the IOP checkout that the worktree digest covers unless told otherwise.
pub const WORKTREE_INPUTS: [&str; 6] = [
    "apps/edge/internal/openai",
    "apps/edge/internal/service",
    "apps/node/internal/bootstrap",
    "apps/node/internal/workspace",
    "packages/go/config",
    "Makefile",
];

/// `schema_version` of manifest and evidence.
pub const SCHEMA_VERSION: &str = "1";

/// Most bytes of a health, catalog or metrics body that are read.
pub const BODY_BOUND: usize = 1 << 20;
/// Longest time that one HTTP probe may take.
pub const PROBE_BOUND: Duration = Duration::from_secs(5);
/// Longest time that one command such as `--version` may take.
pub const COMMAND_BOUND: Duration = Duration::from_secs(8);
/// Most bytes that one command such as `--version` may print.
pub const COMMAND_OUTPUT_BOUND: usize = 64 << 10;
/// Most bytes that Claude may print on each of stdout and stderr.
pub const CLAUDE_OUTPUT_BOUND: usize = 8 << 20;
/// Most bytes that the Edge may append to its log during the run.
pub const OBSERVATION_BOUND: u64 = 16 << 20;
/// Bytes at the end of the log that are read to tell whether it is an Edge log.
pub const OBSERVATION_TAIL: u64 = 1 << 20;
/// Longest public model name, in bytes.
pub const MODEL_BOUND: usize = 256;
/// Shortest API key, in bytes.
pub const SECRET_LEAST: usize = 8;
/// Bound on the CLI run unless told otherwise.
pub const RUN_BOUND: Duration = Duration::from_secs(600);
/// Time between asking a process to end and ending it.
pub const GRACE: Duration = Duration::from_secs(2);
/// Longest clean-up after a signal: within nextest's grace period.
pub const CLEAN_UP_BOUND: Duration = Duration::from_millis(5500);
/// Longest wait for the terminal record after the CLI has ended.
pub const SETTLE_BOUND: Duration = Duration::from_secs(10);
/// Time after the terminal record in which nothing more may arrive.
pub const QUIET_PERIOD: Duration = Duration::from_millis(500);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bounds_are_those_of_the_contract() {
        assert_eq!(
            [
                BODY_BOUND,
                COMMAND_OUTPUT_BOUND,
                CLAUDE_OUTPUT_BOUND,
                MODEL_BOUND,
                SECRET_LEAST,
            ],
            [1_048_576, 65_536, 8_388_608, 256, 8]
        );
        assert_eq!(
            [OBSERVATION_BOUND, OBSERVATION_TAIL],
            [16_777_216, 1_048_576]
        );
        assert_eq!(
            [PROBE_BOUND, COMMAND_BOUND, RUN_BOUND, GRACE].map(|bound| bound.as_secs()),
            [5, 8, 600, 2]
        );
        // The clean-up ends before it would be cut off, by the contract and by nextest.
        assert!(GRACE < CLEAN_UP_BOUND && CLEAN_UP_BOUND < Duration::from_secs(6));
    }
}
