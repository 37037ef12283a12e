//! Everything that is wrong before the run, each refused by its own check.

mod row;
pub(crate) mod sealed;

mod catalog;
#[cfg(target_os = "linux")]
mod changing;
mod commands;
mod connections;
mod control;
mod evidence;
mod executables;
mod identity;
mod inputs;
mod listeners;
mod locations;
mod log;
mod metrics;
mod model;
mod output;
mod schema;
mod secret;
mod settings;
mod source;
mod workspace;

/// The codes that the rows of all areas expect.
pub(crate) const CODES: &[&[&str]] = &[
    catalog::CODES,
    #[cfg(target_os = "linux")]
    changing::CODES,
    commands::CODES,
    evidence::CODES,
    executables::CODES,
    identity::CODES,
    inputs::CODES,
    listeners::CODES,
    locations::CODES,
    log::CODES,
    metrics::CODES,
    model::CODES,
    output::CODES,
    schema::CODES,
    secret::CODES,
    settings::CODES,
    source::CODES,
    workspace::CODES,
];

#[test]
fn every_check_refuses_in_some_row() {
    for check in harness::reason::Reason::preflight() {
        let refused = CODES
            .iter()
            .copied()
            .flatten()
            .any(|code| code.split(' ').next() == Some(check.id()));
        assert!(refused, "no row expects {check}");
    }
}
