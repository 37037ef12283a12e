//! The processes of a deployment.

use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

/// Command lines of the processes that belong to the deployment in this folder, the calling one
/// aside: they were started from it, work in it, or have its path in an argument or a variable.
///
/// That takes in the harness and the supervisors. Where there is no `/proc`, none is found.
pub fn of(root: &Path) -> Vec<String> {
    let own = std::process::id().to_string();
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries
        .filter(|entry| {
            let name = entry.file_name();
            let is_process = name.as_bytes().iter().all(u8::is_ascii_digit);
            is_process && name != *own && belongs(&entry.path(), root)
        })
        .map(|entry| {
            let line = fs::read(entry.path().join("cmdline")).unwrap_or_default();
            String::from_utf8_lossy(&line).replace('\0', " ")
        })
        .collect()
}

fn belongs(process: &Path, root: &Path) -> bool {
    let leads_in =
        |link: &str| fs::read_link(process.join(link)).is_ok_and(|path| path.starts_with(root));
    let root = root.as_os_str().as_bytes();
    let names = |file: &str| {
        let bytes = fs::read(process.join(file)).unwrap_or_default();
        bytes.windows(root.len()).any(|window| window == root)
    };
    leads_in("exe") || leads_in("cwd") || names("cmdline") || names("environ")
}
