//! What a run came to, as its files tell it, and the page made of them.

mod outcome;
pub(crate) mod sample;

/// The codes that the rows expect, by module.
pub(crate) const CODES: &[&[&str]] = &[
    outcome::files::CODES,
    outcome::junit::CODES,
    outcome::junit::bytes::CODES,
];
