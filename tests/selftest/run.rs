//! Everything that can go wrong from the snapshots to the publication.

mod bound;
mod client;
mod control;
mod environment;
mod ingress;
mod lines;
mod log;
mod observations;
mod output;
mod redaction;
mod rotation;
mod row;
#[cfg(target_os = "linux")]
mod snapshot;
mod start;
mod workspace;

/// The codes that the rows expect, by module.
pub(crate) const CODES: &[&[&str]] = &[
    bound::CODES,
    client::CODES,
    ingress::CODES,
    lines::CODES,
    log::CODES,
    observations::CODES,
    output::CODES,
    redaction::CODES,
    rotation::CODES,
    #[cfg(target_os = "linux")]
    snapshot::CODES,
    start::CODES,
    workspace::CODES,
];
