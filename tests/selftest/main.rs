//! What a user runs.

mod child;
mod digests;
mod publication;
mod redaction;
