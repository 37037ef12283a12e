//! The processes of a deployment.

use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::{fs, io};

use memchr::memmem::Finder;

/// Has orphans among this process's descendants become its children, so that [`any_descend`]
/// knows of all.
///
/// # Errors
/// The system refuses it.
#[cfg(target_os = "linux")]
pub fn adopt_orphans() -> io::Result<()> {
    use rustix::process::{getpid, set_child_subreaper};
    Ok(set_child_subreaper(Some(getpid()))?)
}

/// Whether this process, which adopts orphans, has a descendant, be it one that has ended and was
/// not waited for.
///
/// Where there is none, no deployment of this process has a process either, and the question costs
/// one call where [`of`] looks at every process of the host.
#[cfg(target_os = "linux")]
pub fn any_descend() -> bool {
    use rustix::io::Errno;
    use rustix::process::{WaitId, WaitIdOptions, waitid};
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    !matches!(waitid(WaitId::All, options), Err(Errno::CHILD))
}

/// Other systems leave orphans to the first process.
///
/// # Errors
/// None.
#[cfg(not(target_os = "linux"))]
pub fn adopt_orphans() -> io::Result<()> {
    Ok(())
}

/// Cannot be told here: there may always be one.
#[cfg(not(target_os = "linux"))]
pub fn any_descend() -> bool {
    true
}

/// Command lines of the processes that belong to the deployment in this folder, the calling one
/// aside: they were started from it, work in it, or have its path in an argument or a variable.
///
/// That takes in the harness and the supervisors. Where there is no `/proc`, none is found.
pub fn of(root: &Path) -> Vec<String> {
    let own = std::process::id().to_string();
    let path = Finder::new(root.as_os_str().as_bytes());
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries
        .filter(|entry| {
            let name = entry.file_name();
            let is_process = name.as_bytes().iter().all(u8::is_ascii_digit);
            is_process && name != *own && belongs(&entry.path(), root, &path)
        })
        .map(|entry| {
            let line = fs::read(entry.path().join("cmdline")).unwrap_or_default();
            String::from_utf8_lossy(&line).replace('\0', " ")
        })
        .collect()
}

fn belongs(process: &Path, root: &Path, path: &Finder<'_>) -> bool {
    let link = |name: &str| fs::read_link(process.join(name));
    let leads_in = |link: io::Result<PathBuf>| link.is_ok_and(|path| path.starts_with(root));
    let names = |file: &str| {
        let bytes = fs::read(process.join(file)).unwrap_or_default();
        path.find(&bytes).is_some()
    };
    let executable = link("exe");
    // The kernel's own processes, most of all, have none; nor have those that have ended.
    let has_none = matches!(&executable, Err(error) if error.kind() == io::ErrorKind::NotFound);
    // A process has its executable before it has its command line and its variables (execve(2)).
    !has_none
        && (leads_in(executable) || leads_in(link("cwd")) || names("cmdline") || names("environ"))
}
