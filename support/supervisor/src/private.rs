//! The directory that a command has to itself, for as long as it runs.
//!
//! The supervisor makes it and removes it, so that it goes whenever the harness dies.

use std::ffi::{CStr, CString};
use std::fs::{self, DirBuilder, Permissions};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _};
use std::path::Path;

use rustix::fs::{
    AtFlags, CWD, Dir, FileType, Mode, OFlags, chmodat, openat, renameat, statat, unlinkat,
};
use rustix::io::Errno;
use rustix::path::Arg;

/// Subdirectory for `HOME`.
pub const HOME: &str = "home";
/// Subdirectory for the command's own configuration.
pub const CONFIG: &str = "config";
/// Subdirectory for `TMPDIR`.
pub const TMP: &str = "tmp";

const OWNER_ONLY: u32 = 0o700;

/// Makes the directory and its three subdirectories, for the owner only under any umask.
///
/// # Errors
///
/// It exists already, even as a dangling link, or cannot be made; nothing is left then.
pub fn make(path: &Path) -> io::Result<()> {
    make_one(path)?;
    let made = [HOME, CONFIG, TMP]
        .iter()
        .try_for_each(|name| make_one(&path.join(name)));
    if made.is_err() {
        let _ = remove(path);
    }
    made
}

fn make_one(path: &Path) -> io::Result<()> {
    DirBuilder::new().mode(OWNER_ONLY).create(path)?;
    fs::set_permissions(path, Permissions::from_mode(OWNER_ONLY))
}

/// Removes the directory with all it holds, whatever modes the command gave to it.
///
/// No link is followed. It needs one open directory more than the two it works on, at any depth.
/// That there is no such directory is no error.
///
/// # Errors
///
/// Something could not be removed: a mount point, an immutable file, or a file that is being made
/// all the while. The rest is removed.
pub fn remove(path: &Path) -> io::Result<()> {
    let flags = match directory_flags(CWD, path) {
        Ok(Some(flags)) => flags,
        // What is there instead was put there by the command.
        Ok(None) => AtFlags::empty(),
        Err(Errno::NOENT) => return Ok(()),
        Err(error) => return Err(error.into()),
    };
    if flags == AtFlags::REMOVEDIR {
        empty(&open(CWD, path)?)?;
    }
    unlinkat(CWD, path, flags)?;
    Ok(())
}

/// Most passes over a directory: each takes one level off everything below it.
const PASSES: usize = 100_000;

/// Removes everything in the directory.
///
/// Directories within directories are first moved up into this one, so depth costs nothing.
fn empty(root: &OwnedFd) -> Result<(), Errno> {
    let mut moved = 0_u64;
    for _ in 0..PASSES {
        let names = names(root)?;
        if names.is_empty() {
            return Ok(());
        }
        let mut removed = false;
        let mut failure = Errno::BUSY;
        for name in &names {
            match remove_entry(root, name, &mut moved) {
                Ok(()) => removed = true,
                Err(error) => failure = error,
            }
        }
        if !removed {
            return Err(failure);
        }
    }
    Err(Errno::BUSY)
}

/// Removes an entry of the root, or moves what its subdirectories are up and then removes it.
fn remove_entry(root: &OwnedFd, name: &CStr, moved: &mut u64) -> Result<(), Errno> {
    let Some(flags) = directory_flags(root, name)? else {
        return unlinkat(root, name, AtFlags::empty());
    };
    let directory = open(root, name)?;
    for inner in names(&directory)? {
        if directory_flags(&directory, &inner)?.is_none() {
            unlinkat(&directory, &inner, AtFlags::empty())?;
            continue;
        }
        // To move a directory is to change its `..`: that needs the right to write to it.
        chmodat(&directory, &inner, Mode::RWXU, AtFlags::empty())?;
        loop {
            *moved += 1;
            let target = format!(".moved-{moved}");
            match renameat(&directory, &inner, root, &target) {
                Err(Errno::EXIST | Errno::NOTEMPTY | Errno::NOTDIR) => {}
                result => break result?,
            }
        }
    }
    unlinkat(root, name, flags)
}

/// The flags with which an entry is removed if it is a directory.
fn directory_flags<P: Arg>(parent: impl AsFd, name: P) -> Result<Option<AtFlags>, Errno> {
    let stat = statat(parent, name, AtFlags::SYMLINK_NOFOLLOW)?;
    let directory = FileType::from_raw_mode(stat.st_mode) == FileType::Directory;
    Ok(directory.then_some(AtFlags::REMOVEDIR))
}

/// Opens a directory, which must be one, after making sure that it may be.
fn open<P: Arg + Copy>(parent: impl AsFd, name: P) -> Result<OwnedFd, Errno> {
    let parent = parent.as_fd();
    chmodat(parent, name, Mode::RWXU, AtFlags::empty())?;
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    openat(parent, name, flags, Mode::empty())
}

fn names(directory: &OwnedFd) -> Result<Vec<CString>, Errno> {
    let mut names = Vec::new();
    for entry in Dir::read_from(directory)? {
        let name = entry?.file_name().to_owned();
        if !matches!(name.to_bytes(), b"." | b"..") {
            names.push(name);
        }
    }
    Ok(names)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o7777
    }

    fn entries(path: &Path) -> Vec<String> {
        let entries = fs::read_dir(path).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn it_and_its_parts_are_the_owners_only() {
        let parent = tempfile::tempdir().unwrap();
        let path = parent.path().join("private");
        make(&path).unwrap();
        assert_eq!(entries(&path), [CONFIG, HOME, TMP]);
        assert_eq!(mode(&path), OWNER_ONLY);
        for part in [CONFIG, HOME, TMP] {
            assert_eq!(mode(&path.join(part)), OWNER_ONLY, "{part}");
        }
    }

    #[test]
    fn an_existing_path_is_refused_and_left_alone() {
        let parent = tempfile::tempdir().unwrap();
        let path = parent.path().join("private");
        symlink("nowhere", &path).unwrap();
        let error = make(&path).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(entries(parent.path()), ["private"]);
    }

    #[test]
    fn odd_modes_links_and_special_files_are_removed() {
        let parent = tempfile::tempdir().unwrap();
        let kept = parent.path().join("kept");
        fs::create_dir(&kept).unwrap();
        fs::write(kept.join("file"), "kept").unwrap();
        let path = parent.path().join("private");
        make(&path).unwrap();
        let deep = path.join("home/a/b/c");
        fs::create_dir_all(&deep).unwrap();
        symlink(&kept, deep.join("link")).unwrap();
        fs::write(deep.join("file"), "x").unwrap();
        fs::write(path.join(".moved-1"), "in the way").unwrap();
        nix::unistd::mkfifo(&deep.join("fifo"), nix::sys::stat::Mode::empty()).unwrap();
        for directory in ["home/a/b/c", "home/a/b", "home/a", "home"] {
            fs::set_permissions(path.join(directory), Permissions::from_mode(0o000)).unwrap();
        }
        remove(&path).unwrap();
        assert_eq!(entries(parent.path()), ["kept"]);
        assert_eq!(entries(&kept), ["file"]);
    }

    #[test]
    fn depth_beyond_the_longest_path_is_removed() {
        let parent = tempfile::tempdir().unwrap();
        let path = parent.path().join("private");
        make(&path).unwrap();
        let mut directory = open(CWD, &path).unwrap();
        let name = "deep".repeat(25);
        for _ in 0..60 {
            rustix::fs::mkdirat(&directory, &name, Mode::RWXU).unwrap();
            directory = open(&directory, &*name).unwrap();
        }
        drop(directory);
        remove(&path).unwrap();
        assert!(entries(parent.path()).is_empty());
    }

    #[test]
    fn a_directory_that_is_gone_is_no_error() {
        let parent = tempfile::tempdir().unwrap();
        assert!(remove(&parent.path().join("private")).is_ok());
    }

    #[test]
    fn a_link_in_its_place_is_removed_and_not_followed() {
        let parent = tempfile::tempdir().unwrap();
        fs::create_dir(parent.path().join("kept")).unwrap();
        let path = parent.path().join("private");
        symlink("kept", &path).unwrap();
        remove(&path).unwrap();
        assert_eq!(entries(parent.path()), ["kept"]);
    }
}
