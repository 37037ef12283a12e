//! The process between the harness and a command: nothing that the command starts outlives it.
//!
//! The harness cannot be the subreaper itself: under plain `cargo test` it shares its process with
//! other tests, whose children it would adopt and end. So it starts this executable, which starts
//! the command, notices how it ends, ends whatever it left behind wherever that went, removes its
//! private directory and only then says that all is settled.
//!
//! * Standard input is one end of a Unix stream socket pair. The harness writes [`END`] to have
//!   the command ended at once, and closing its end (by dying, say) means the same. The supervisor
//!   writes its [`report::Report`]s there.
//! * Standard output and error are those of the command; the supervisor lets go of both as soon as
//!   the command has started.
//! * The environment is the command's, exactly. It may hold a secret: the supervisor reads nothing
//!   of it but `PATH`, and only if it has to, and nothing of it is in an argument list.
//! * The arguments are an [`order::Order`].
//!
//! On Linux every descendant is found. Other Unix systems have no subreaper: there the command's
//! process group is ended and nothing more (`unix.rs` says what that leaves out).

mod control;
mod descriptors;
mod leader;
#[cfg(target_os = "linux")]
mod linux;
pub mod order;
pub mod private;
pub mod report;
mod signals;
mod supervise;
#[cfg(not(target_os = "linux"))]
mod unix;

#[cfg(target_os = "linux")]
use linux as system;
#[cfg(not(target_os = "linux"))]
use unix as system;

use std::time::Duration;

pub use supervise::supervise;

/// What the harness writes to have the command ended at once.
pub const END: &[u8] = b"end\n";

/// Longest time for which processes are killed, after their grace has passed.
pub const KILL_BOUND: Duration = Duration::from_secs(2);
