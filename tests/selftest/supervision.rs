//! Nothing outlives the run.

#![expect(
    clippy::unwrap_used,
    reason = "what a test takes for granted may end it"
)]

mod descriptors;
mod endings;
mod errors;
mod interruption;
mod killing;
mod orphans;
mod output;
mod scene;
pub(crate) mod witness;
