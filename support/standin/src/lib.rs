//! A deployment of IOP on this machine, made of stand-ins.
//!
//! It offers a smoke exactly the inputs that a real deployment offers:
//! listeners, executables, files and a git checkout. The harness cannot tell
//! the difference, and has no switch that would let it.

pub mod certificates;
pub mod checkout;
pub mod client;
pub mod deployment;
pub mod edge;
pub mod executables;
pub mod front;
pub mod observations;
pub mod pace;
pub mod processes;
pub mod refusing;
pub mod scratch;
pub use ::script;
pub mod served;
