//! Keeps debug information out of the executables: the self-test copies and
//! digests them hundreds of times, and the standard library's alone is megabytes.

#![expect(
    clippy::print_stdout,
    reason = "that is how a build script speaks to cargo"
)]

fn main() {
    // Understood by the linkers of Linux and macOS alike.
    println!("cargo::rustc-link-arg-bins=-Wl,-S");
    println!("cargo::rerun-if-changed=support/standin/strip.rs");
}
