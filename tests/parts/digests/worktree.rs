//! Digests of the sources in a checkout.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::symlink;
use std::path::Path;

use harness::digest::tree::TreeError;
use harness::digest::worktree::{InputFault, WorktreeError, digest};
use nix::sys::stat::Mode;
use rstest::rstest;
use standin::scratch;
use tempfile::TempDir;

use super::{hex, of_records};

#[rstest]
#[case::one_file(&["Makefile"], &["Makefile"])]
#[case::one_directory(&["apps/edge"], &["apps/edge/a.go", "apps/edge/sub/b.go"])]
#[case::nested_directory(&["apps/edge/sub"], &["apps/edge/sub/b.go"])]
#[case::file_and_directory(&["packages", "Makefile"], &["Makefile", "packages/p.go"])]
#[case::order_does_not_count(&["Makefile", "packages"], &["Makefile", "packages/p.go"])]
#[case::same_twice(&["packages", "packages"], &["packages/p.go"])]
#[case::file_below_a_directory(
    &["apps/edge/sub/b.go", "apps/edge"],
    &["apps/edge/a.go", "apps/edge/sub/b.go"]
)]
#[case::directory_below_a_directory(
    &["apps/edge", "apps/edge/sub"],
    &["apps/edge/a.go", "apps/edge/sub/b.go"]
)]
#[case::sorted_by_path(
    &["apps"],
    &["apps/edge-x.go", "apps/edge/a.go", "apps/edge/sub/b.go", "apps/node/c.go"]
)]
#[case::trailing_slash(&["packages/"], &["packages/p.go"])]
#[case::dots_and_slashes(&["./apps//edge/./sub/"], &["apps/edge/sub/b.go"])]
#[case::everything(
    &["."],
    &[
        "Makefile", "apps/edge-x.go", "apps/edge/a.go", "apps/edge/sub/b.go", "apps/node/c.go",
        "packages/p.go",
    ]
)]
#[case::empty_directory_beside(&["empty", "Makefile"], &["Makefile"])]
fn the_files_under_the_inputs_count(#[case] inputs: &[&str], #[case] files: &[&str]) {
    let checkout = checkout();
    let values: Vec<_> = files.iter().map(hex).collect();
    let records: Vec<_> = files
        .iter()
        .zip(&values)
        .map(|(path, value)| [path.as_bytes(), value.as_bytes()])
        .collect();
    let digest = digest(checkout.path(), inputs).expect("it is digested");
    assert_eq!(digest.to_string(), of_records(&records));
}

#[rstest]
#[case::link_to_a_file(|root: &Path| link("../Makefile", root))]
#[case::link_to_a_directory(|root: &Path| link("../apps", root))]
#[case::link_to_a_device(|root: &Path| link("/dev/zero", root))]
#[case::link_loop(|root: &Path| link("l", root))]
#[case::fifo(|root: &Path| {
    nix::unistd::mkfifo(&root.join("packages/f"), Mode::S_IRWXU).expect("a FIFO");
})]
#[case::empty_directory(|root: &Path| {
    fs::create_dir(root.join("packages/e")).expect("a directory");
})]
#[case::file_elsewhere(|root: &Path| fs::write(root.join("apps/new"), "1").expect("a file"))]
fn what_is_no_source_is_passed_over(#[case] add: fn(&Path)) {
    let checkout = checkout();
    let before = digest(checkout.path(), &["packages"]).expect("it is digested");
    add(checkout.path());
    assert_eq!(digest(checkout.path(), &["packages"]), Ok(before));
}

fn link(target: &str, root: &Path) {
    symlink(target, root.join("packages/l")).expect("a link");
}

#[test]
fn a_name_that_is_no_text_counts() {
    let checkout = checkout();
    let name = OsStr::from_bytes(b"a\xff\nb");
    fs::create_dir(checkout.path().join(name)).expect("a directory");
    fs::write(checkout.path().join(name).join(name), "1").expect("a file");
    let digest = digest(checkout.path(), &[name]).expect("it is digested");
    let records = [[b"a\xff\nb/a\xff\nb".to_vec(), hex("1").into_bytes()]];
    assert_eq!(digest.to_string(), of_records(&records));
}

#[rstest]
#[case::missing_first(&["absent", "Makefile"], 1, InputFault::Absent)]
#[case::missing_last(&["Makefile", "packages", "absent"], 3, InputFault::Absent)]
#[case::missing_below(&["apps/edge/absent"], 1, InputFault::Absent)]
#[case::below_a_file(&["Makefile/x"], 1, InputFault::Absent)]
#[case::link_to_a_file(&["Makefile", "file-link"], 2, InputFault::Link)]
#[case::link_to_a_directory(&["directory-link"], 1, InputFault::Link)]
#[case::through_a_link(&["directory-link/edge"], 1, InputFault::Link)]
#[case::dangling_link(&["dangling"], 1, InputFault::Link)]
#[case::link_with_a_slash(&["directory-link/"], 1, InputFault::Link)]
#[case::fifo(&["fifo"], 1, InputFault::Special)]
#[case::empty(&[""], 1, InputFault::Outside)]
#[case::absolute(&["Makefile", "/etc"], 2, InputFault::Outside)]
#[case::above(&["../x"], 1, InputFault::Outside)]
#[case::above_within(&["apps/../Makefile"], 1, InputFault::Outside)]
fn an_input_is_refused(
    #[case] inputs: &[&str],
    #[case] position: usize,
    #[case] fault: InputFault,
) {
    let checkout = checkout();
    let root = checkout.path();
    symlink("Makefile", root.join("file-link")).expect("a link");
    symlink("apps", root.join("directory-link")).expect("a link");
    symlink("nowhere", root.join("dangling")).expect("a link");
    nix::unistd::mkfifo(&root.join("fifo"), Mode::S_IRWXU).expect("a FIFO");
    let error = digest(root, inputs).expect_err("it is refused");
    assert_eq!(error, WorktreeError::Input { position, fault });
    assert_eq!(error.to_string(), format!("input {position}: {fault}"));
}

#[rstest]
#[case::no_input(&[])]
#[case::empty_directory(&["empty"])]
#[case::empty_directory_twice(&["empty", "empty"])]
fn an_empty_set_is_refused(#[case] inputs: &[&str]) {
    let checkout = checkout();
    assert_eq!(digest(checkout.path(), inputs), Err(WorktreeError::Empty));
}

#[rstest]
#[case::absent("absent")]
#[case::file("Makefile")]
fn a_checkout_is_refused(#[case] name: &str) {
    let checkout = checkout();
    let error = digest(&checkout.path().join(name), &["x"]).expect_err("it is refused");
    assert!(matches!(error, WorktreeError::Checkout(_)), "{error}");
}

#[test]
fn an_error_below_an_input_is_that_of_the_tree() {
    let error = WorktreeError::from(TreeError::Changed);
    assert_eq!(error.to_string(), TreeError::Changed.to_string());
}

/// Sources in which each file holds its own path.
fn checkout() -> TempDir {
    let folder = scratch::folder().expect("a folder");
    for directory in ["apps/edge/sub", "apps/node", "packages", "empty"] {
        fs::create_dir_all(folder.path().join(directory)).expect("a directory");
    }
    for file in [
        "Makefile",
        "apps/edge-x.go",
        "apps/edge/a.go",
        "apps/edge/sub/b.go",
        "apps/node/c.go",
        "packages/p.go",
    ] {
        fs::write(folder.path().join(file), file).expect("a file");
    }
    folder
}
