//! What a run of the smoke came to, told from what it left: nextest's JUnit
//! file and the manifest, if there is one.
//!
//! [`outcome`] reads both into one typed value. Nothing that is free text in a
//! file gets through: names become members of closed sets, times become numbers.
//! [`page`] shows one run and [`comparison`] several, as HTML that needs nothing
//! else; [`publication`] scans a page and puts it in place.

pub mod comparison;
mod document;
pub mod outcome;
pub mod page;
pub mod publication;
pub mod quantity;
