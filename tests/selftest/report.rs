//! What a run came to, as its files tell it, and the page made of them.

mod chromium;
mod comparison;
mod document;
mod executable;
mod outcome;
mod page;
mod publication;
pub(crate) mod sample;

/// The codes that the rows expect, by module.
pub(crate) const CODES: &[&[&str]] = &[
    executable::CODES,
    outcome::files::CODES,
    outcome::junit::CODES,
    outcome::junit::bytes::CODES,
    publication::CODES,
    publication::paths::CODES,
    publication::patterns::CODES,
];
