//! Manifests that break their format, each refused by the exact rule.

mod evidence;
mod fields;
mod forbidden;
mod form;
mod rules;
pub(crate) mod sample;
mod schemas;

/// The codes that the rows expect, by module.
pub(crate) const CODES: &[&[&str]] = &[
    fields::CODES,
    forbidden::CODES,
    form::CODES,
    form::files::CODES,
    rules::CODES,
    rules::alone::CODES,
];
