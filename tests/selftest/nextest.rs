//! The suite as its users run it: cargo-nextest itself, started as a child.

pub(crate) mod invocation;
pub(crate) mod reuse;

mod interrupted;
mod profiles;
