//! Masks, limits, rights and file systems that are in the way.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use harness::publish::Way;
use rstest::rstest;
use standin::scratch;

use super::names;
use crate::child::{self, Task};

/// Puts the command where it may mount, without rights outside; fails where that is forbidden.
const MOUNTING: &str = "exec unshare --user --map-root-user --mount sh -c";

#[rstest]
fn the_mode_is_0600_under_any_umask(#[values("000", "022", "077", "777")] mask: &str) {
    for way in Way::ALL {
        let folder = scratch::folder().expect("a folder");
        let path = folder.path().join("manifest.json");
        let shell = format!("umask {mask}; exec \"$@\"");
        let outcome = child::run(&shell, &Task::Publish(Some(way), 100, &path));
        assert_eq!(outcome, format!("Ok({way:?})"));
        let mode = fs::metadata(&path)
            .expect("it is there")
            .permissions()
            .mode();
        assert_eq!(mode, 0o100_600);
        assert_eq!(fs::read(&path).expect("it is read"), child::contents(100));
    }
}

#[rstest]
fn a_file_size_limit_is_an_error(#[values("0", "8")] blocks: &str) {
    for way in Way::ALL {
        let folder = scratch::folder().expect("a folder");
        let path = folder.path().join("manifest.json");
        let shell = format!("ulimit -f {blocks}; exec \"$@\"");
        let outcome = child::run(&shell, &Task::Publish(Some(way), 1 << 20, &path));
        assert_eq!(outcome, "Err(Limit)", "{way:?}");
        assert_eq!(names(folder.path()), [""; 0]);
    }
}

#[test]
fn a_file_within_the_size_limit_is_published() {
    let folder = scratch::folder().expect("a folder");
    let path = folder.path().join("manifest.json");
    let outcome = child::run(
        "ulimit -f 8; exec \"$@\"",
        &Task::Publish(None, 4096, &path),
    );
    assert!(outcome.starts_with("Ok("));
}

#[test]
fn a_directory_without_write_permission_is_refused() {
    for way in Way::ALL {
        let folder = scratch::folder().expect("a folder");
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o555))
            .expect("the mode is set");
        let path = folder.path().join("manifest.json");
        let outcome = child::run(child::WITHOUT_RIGHTS, &Task::Publish(Some(way), 100, &path));
        assert_eq!(outcome, "Err(Denied)", "{way:?}");
        assert_eq!(names(folder.path()), [""; 0]);
    }
}

/// What a file system of its own has to be mounted for.
#[rstest]
#[case::full("mount -t tmpfs -o size=64k none .", 1 << 20, "Err(NoSpace)", 0)]
#[case::large_enough("mount -t tmpfs -o size=4m none .", 1 << 20, "Ok(_)", 1)]
#[case::read_only("mount -t tmpfs -o ro none .", 100, "Err(ReadOnly)", 0)]
fn a_file_system_is_in_the_way(
    #[case] mount: &str,
    #[case] size: usize,
    #[case] expected: &str,
    #[case] left: usize,
) {
    for way in Way::ALL {
        let folder = scratch::folder().expect("a folder");
        let path = folder.path().join("manifest.json");
        // The folder is entered anew: the shell would stay in the one below the mount.
        let shell = format!(
            "{MOUNTING} 'cd {folder} && {mount} && cd {folder} && \"$@\" && \
         echo left: $(ls -A | wc -l)' sh \"$@\"",
            folder = folder.path().display()
        );
        let printed = child::print(&shell, &Task::Publish(Some(way), size, &path));
        let expected = expected.replace('_', &format!("{way:?}"));
        assert!(
            printed.contains(&format!("outcome: {expected}\n")),
            "{printed}"
        );
        assert!(printed.contains(&format!("left: {left}\n")), "{printed}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn without_a_proc_file_system_the_next_way_is_taken() {
    let folder = scratch::folder().expect("a folder");
    let path = folder.path().join("manifest.json");
    let shell = format!("{MOUNTING} 'mount -t tmpfs none /proc && exec \"$@\"' sh \"$@\"");
    let outcome = child::run(&shell, &Task::Publish(None, 100, &path));
    assert_eq!(outcome, "Ok(RenameNoReplace)");
    assert_eq!(names(folder.path()), ["manifest.json"]);
}
