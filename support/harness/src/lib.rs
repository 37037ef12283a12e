//! The harness of the single-request Claude smoke.

pub mod constants;
pub mod digest;
pub mod executables;
pub mod interrupt;
pub mod process;
pub mod publish;
pub mod reason;
pub mod redaction;
pub mod refusal;

/// Claude Code as the client: how it is started, what it prints, why it fails.
pub mod claude {
    pub mod classify;
    pub mod stream;
}
