//! Keeps debug information out of the executables: the self-test copies and
//! digests them hundreds of times, and the standard library's alone is megabytes.

fn main() {
    // Understood by the linkers of Linux and macOS alike.
    println!("cargo::rustc-link-arg-bins=-Wl,-S");
    println!("cargo::rerun-if-changed=build.rs");
}
