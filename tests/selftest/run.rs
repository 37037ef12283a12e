//! Everything that can go wrong from the snapshots to the publication.

mod control;
mod observations;
mod row;
