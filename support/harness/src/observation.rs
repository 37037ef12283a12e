//! The Edge's log: proof that the request was planned, worked and reviewed.

pub mod admission;
pub mod follow;
pub mod log;
pub mod record;
pub mod verdict;
