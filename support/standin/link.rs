//! How executables are linked, which the self-test starts by the thousand.
//!
//! Symbols and debug information are kept out of those that are no tests: they are copied and
//! digested hundreds of times, and the standard library's alone are megabytes. Those of tests lie
//! at a fixed address: elsewhere each start would first correct a hundred thousand addresses.
//! What unwinds a panic is part of each executable: finding and preparing that library is a
//! seventh of the start of a small one.

#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "that is how a build script speaks with cargo"
)]

fn main() {
    let target = |fact| std::env::var(format!("CARGO_CFG_TARGET_{fact}")).unwrap_or_default();
    let linux = target("OS") == "linux";
    // The linker of macOS keeps to debug information.
    let option = if linux { "-s" } else { "-S" };
    println!("cargo::rustc-link-arg-bins=-Wl,{option}");
    // Other systems have none such, and musl's are linked statically in a way of their own.
    if linux && target("ENV") == "gnu" {
        println!("cargo::rustc-link-arg-tests=-no-pie");
        // Whole, as it comes behind the shared one, which is dropped when nothing is left for it.
        println!("cargo::rustc-link-arg=-Wl,--whole-archive,-lgcc_eh,--no-whole-archive");
    }
    println!("cargo::rerun-if-changed=support/standin/link.rs");
}
