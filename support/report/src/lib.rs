//! What a run of the smoke came to, told from what it left: nextest's JUnit
//! file and the manifest, if there is one.
//!
//! [`outcome`] reads both into one typed value. Nothing that is free text in a
//! file gets through: names become members of closed sets, times become numbers.

pub mod outcome;
