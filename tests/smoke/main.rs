//! What a user runs.
