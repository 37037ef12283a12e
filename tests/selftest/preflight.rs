//! Everything that is wrong before the run, each refused by its own check.

mod row;

mod executables;
mod listeners;

/// The codes that the rows expect, by module.
pub(crate) const CODES: &[&[&str]] = &[executables::CODES, listeners::CODES];
