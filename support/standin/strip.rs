//! Keeps symbols and debug information out of the executables: the self-test copies and
//! digests them hundreds of times, and the standard library's alone are megabytes.

#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "that is how a build script speaks with cargo"
)]

fn main() {
    let system = std::env::var("CARGO_CFG_TARGET_OS");
    // The linker of macOS keeps to debug information.
    let option = if system.as_deref() == Ok("linux") {
        "-s"
    } else {
        "-S"
    };
    println!("cargo::rustc-link-arg-bins=-Wl,{option}");
    if system.as_deref() == Ok("linux") {
        println!("cargo::rustc-link-arg-tests=-no-pie");
    }
    println!("cargo::rerun-if-changed=support/standin/strip.rs");
}
