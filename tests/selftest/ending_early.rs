//! The suite's run, signalled and killed in each of its phases.
//!
//! Each phase is reached by the deployment's own means, and the test knows by an event that it is.

#[cfg(target_os = "linux")]
mod phases;
#[cfg(target_os = "linux")]
mod publication;
pub(crate) mod scene;
