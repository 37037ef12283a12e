//! The harness of the single-request Claude smoke.
//!
//! Data flows one way: [`environment`] is read into [`inputs`], which with a
//! host and limits make a [`deployment`]. [`measure`] takes facts of it,
//! [`preflight`] judges them, [`run`] starts Claude once, judges what it left
//! and builds the [`manifest`], which [`redaction`] scans and [`publish`] puts
//! in place. [`progress`] tells what is under way. Every no is a [`refusal::Refusal`] with a [`reason::Reason`].
//!
//! Nothing here knows of stand-ins or tests.

pub mod closed_set;
pub mod constants;
pub mod deployment;
pub mod digest;
pub mod environment;
pub mod evidence;
pub mod executables;
pub mod inputs;
pub mod interrupt;
pub mod json;
pub mod manifest;
pub mod measure;
pub mod observation;
pub mod preflight;
pub mod probe;
pub mod process;
pub mod progress;
pub mod publish;
pub mod reason;
pub mod redaction;
pub mod refusal;
pub mod report;
pub mod run;
pub mod runner;
pub mod schema;
pub mod source;

/// Claude Code as the client: how it is started, what it prints, why it fails.
pub mod claude {
    pub mod classify;
    pub mod command;
    pub mod environment;
    pub mod stream;
}
