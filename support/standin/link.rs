//! How executables are linked, which the self-test starts by the thousand.
//!
//! Symbols and debug information are kept out of those that are no tests: the standard library's
//! alone are megabytes. Those of tests lie at a fixed address: elsewhere each start would first
//! correct a hundred thousand addresses. And they know where the C library lies: they are started
//! with five other directories to look for it first (`LD_LIBRARY_PATH`, by cargo and nextest), in
//! a hundred places. What unwinds a panic is part of each executable: finding and preparing that
//! library is a seventh of the start of a small one.
//!
//! The smallest have the C library in them as well, where there is one to link with: that is
//! another fifth. For the supervisor it is more than that, as its environment is the command's: no
//! variable of the loader that is handed through to the command (ld.so(8)) reaches it first.

#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "that is how a build script speaks with cargo"
)]

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};

/// Those that have the C library in them. None of them looks up a name: the C library would load
/// a part of itself for that.
const SELF_CONTAINED: [&str; 7] = [
    "iop-smoke-supervisor",
    "standin-claude",
    "standin-edge",
    "standin-harness",
    "standin-node",
    "standin-process",
    "standin-publisher",
];

/// The libraries that the compiler has every executable linked with, but for the unwinder.
const LIBRARIES: [&str; 6] = ["c", "dl", "m", "pthread", "rt", "util"];

fn main() {
    let target = |fact| env::var(format!("CARGO_CFG_TARGET_{fact}")).unwrap_or_default();
    let linux = target("OS") == "linux";
    // The linker of macOS keeps to debug information.
    let option = if linux { "-s" } else { "-S" };
    println!("cargo::rustc-link-arg-bins=-Wl,{option}");
    // Other systems have none such, and musl's are linked statically in a way of their own.
    if linux && target("ENV") == "gnu" {
        println!("cargo::rustc-link-arg-tests=-no-pie");
        if let Some(directory) = c_library() {
            // The older of the two tags comes before that variable (ld.so(8), DT_RPATH).
            println!("cargo::rustc-link-arg-tests=-Wl,--disable-new-dtags");
            println!("cargo::rustc-link-arg-tests=-Wl,-rpath,{directory}");
        }
        // Whole, as it comes behind the shared one, which is dropped when nothing is left for it.
        println!("cargo::rustc-link-arg=-Wl,--whole-archive,-lgcc_eh,--no-whole-archive");
        if let Some(folder) = archives() {
            for executable in SELF_CONTAINED {
                for option in ["-L", &folder, "-no-pie", "-Wl,--no-dynamic-linker", "-lgcc"] {
                    println!("cargo::rustc-link-arg-bin={executable}={option}");
                }
            }
        }
    }
    println!("cargo::rerun-if-changed=support/standin/link.rs");
    println!("cargo::rerun-if-env-changed=RUSTC_LINKER");
}

/// The directory of this host's C library.
fn c_library() -> Option<String> {
    let library = find("libc.so.6")?.canonicalize().ok()?;
    let directory = library.parent()?.to_str()?;
    // A comma would end the linker's option.
    (!directory.contains(',')).then(|| directory.to_owned())
}

/// A folder in which the linker finds each library as an archive, and no shared one; none where
/// the C library was installed without.
fn archives() -> Option<String> {
    let folder = PathBuf::from(env::var_os("OUT_DIR")?).join("archives");
    fs::create_dir_all(&folder).ok()?;
    for name in LIBRARIES {
        let archive = format!("lib{name}.a");
        link(&find(&archive)?, &folder.join(archive)).ok()?;
    }
    // An archive of nothing (ar(5)), in the place of the shared unwinder.
    fs::write(folder.join("libgcc_s.a"), "!<arch>\n").ok()?;
    Some(folder.to_str()?.to_owned())
}

/// Where the compiler driver that links finds a library of this host, if it is built for that.
fn find(name: &str) -> Option<PathBuf> {
    if env::var_os("TARGET")? != env::var_os("HOST")? {
        return None;
    }
    let driver = env::var_os("RUSTC_LINKER").unwrap_or_else(|| "cc".into());
    let output = Command::new(driver)
        .arg(format!("-print-file-name={name}"))
        .output()
        .ok()?;
    let path = PathBuf::from(String::from_utf8(output.stdout).ok()?.trim_end());
    // One that it does not find it only names.
    path.is_absolute().then_some(path)
}

fn link(library: &Path, path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => symlink(library, path),
    }
}
