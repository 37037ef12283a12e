//! The suite as its users run it: cargo-nextest itself, started as a child.

pub(crate) mod invocation;

mod interrupted;
mod profiles;
mod reuse;
