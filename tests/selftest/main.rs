//! What a user runs.

mod claude;
