//! How long the costly parts of the harness take: `make bench`.
//!
//! Files and trees are made once and kept in cargo's folder for temporary files,
//! so that what is read is warm. `BENCHMARKS.md` has figures and what they are
//! compared with.

#![expect(
    clippy::expect_used,
    reason = "a benchmark that cannot be set up must fail"
)]

mod files;
mod material;
mod texts;
mod trees;
mod whole;

fn main() {
    divan::main();
}
