//! Digests of workspaces.

use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{FileExt as _, PermissionsExt as _, symlink};
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::UNIX_EPOCH;

use harness::digest::Digest;
use harness::digest::tree::{TreeError, digest};
use nix::sys::stat::Mode;
use rstest::rstest;
use standin::scratch;
use tempfile::TempDir;

use super::{hex, of_records};
use crate::child::{self, Task};

type Record = [Vec<u8>; 3];

#[rstest]
#[case::empty(|_: &Path| {}, vec![])]
#[case::empty_file(|root: &Path| write(root, "a", ""), vec![of_file("a", "")])]
#[case::file(|root: &Path| write(root, "a", "text"), vec![of_file("a", "text")])]
#[case::large_file(
    |root: &Path| write(root, "a", &"x".repeat(600_000)),
    vec![of_file("a", &"x".repeat(600_000))]
)]
#[case::empty_directory(|root: &Path| make(root, "a"), vec![of_directory("a")])]
#[case::nested(
    |root: &Path| {
        make(root, "a/b");
        write(root, "a/b/c", "1");
    },
    vec![of_directory("a"), of_directory("a/b"), of_file("a/b/c", "1")]
)]
#[case::sorted_by_path(
    |root: &Path| {
        make(root, "a");
        for path in ["a/x", "a-b", "a.c", "B"] {
            write(root, path, path);
        }
    },
    vec![
        of_file("B", "B"),
        of_directory("a"),
        of_file("a-b", "a-b"),
        of_file("a.c", "a.c"),
        of_file("a/x", "a/x"),
    ]
)]
#[case::link_to_a_file(
    |root: &Path| {
        write(root, "a", "1");
        link(root, "a", "b");
    },
    vec![of_file("a", "1"), of_link("b", b"a")]
)]
#[case::link_to_a_directory(
    |root: &Path| {
        make(root, "a");
        write(root, "a/x", "1");
        link(root, "a", "b");
    },
    vec![of_directory("a"), of_file("a/x", "1"), of_link("b", b"a")]
)]
#[case::link_to_a_device(
    |root: &Path| link(root, "/dev/zero", "z"),
    vec![of_link("z", b"/dev/zero")]
)]
#[case::dangling_link(|root: &Path| link(root, "nowhere", "z"), vec![of_link("z", b"nowhere")])]
#[case::link_loop(
    |root: &Path| {
        link(root, "b", "a");
        link(root, "a", "b");
        link(root, "..", "up");
    },
    vec![of_link("a", b"b"), of_link("b", b"a"), of_link("up", b"..")]
)]
#[case::link_to_bytes(
    |root: &Path| symlink(OsStr::from_bytes(b"\xff\n"), root.join("l")).expect("a link"),
    vec![of_link("l", b"\xff\n")]
)]
#[case::fifo(|root: &Path| fifo(&root.join("f")), vec![of_special("f", "4096")])]
#[case::socket(
    |root: &Path| drop(UnixListener::bind(root.join("s")).expect("a socket")),
    vec![of_special("s", "49152")]
)]
#[case::name_with_a_newline(
    |root: &Path| write(root, "a\nb", "1"),
    vec![of_file("a\nb", "1")]
)]
#[case::name_that_is_no_text(
    |root: &Path| {
        let below = |bytes: &[u8]| root.join(OsStr::from_bytes(bytes));
        fs::write(below(b"\xff\xfe"), "1").expect("a file");
        fs::create_dir(below(b"\xfd")).expect("a directory");
        fs::write(below(b"\xfd/\xfc"), "2").expect("a file");
    },
    vec![of_directory(b"\xfd"), of_file(b"\xfd/\xfc", "2"), of_file(b"\xff\xfe", "1")]
)]
#[case::hidden(|root: &Path| write(root, ".x", "1"), vec![of_file(".x", "1")])]
fn every_entry_has_a_record(#[case] fill: fn(&Path), #[case] records: Vec<Record>) {
    let folder = scratch::folder().expect("a folder");
    fill(folder.path());
    let digest = digest(folder.path()).expect("it is digested");
    assert_eq!(digest.to_string(), of_records(&records));
}

fn of_directory(path: impl AsRef<[u8]>) -> Record {
    [path.as_ref().to_vec(), b"dir".to_vec(), Vec::new()]
}

fn of_file(path: impl AsRef<[u8]>, text: &str) -> Record {
    [
        path.as_ref().to_vec(),
        b"file".to_vec(),
        hex(text).into_bytes(),
    ]
}

fn of_link(path: &str, target: &[u8]) -> Record {
    [path.into(), b"link".to_vec(), hex(target).into_bytes()]
}

fn of_special(path: &str, bits: &str) -> Record {
    [path.into(), b"special".to_vec(), bits.into()]
}

#[rstest]
#[case::directory_added(|root: &Path| make(root, "more"))]
#[case::contents(|root: &Path| write(root, "sub/file", "tEXT"))]
#[case::length(|root: &Path| write(root, "sub/file", "text\n"))]
#[case::file_added(|root: &Path| write(root, "more", ""))]
#[case::file_removed(|root: &Path| remove(root, "sub/file"))]
#[case::file_renamed(|root: &Path| rename(root, "sub/file", "sub/File"))]
#[case::file_moved(|root: &Path| rename(root, "sub/file", "file"))]
#[case::link_for_file(|root: &Path| {
    remove(root, "sub/file");
    link(root, "text", "sub/file");
})]
#[case::directory_for_file(|root: &Path| {
    remove(root, "sub/file");
    make(root, "sub/file");
})]
#[case::fifo_for_file(|root: &Path| {
    remove(root, "sub/file");
    fifo(&root.join("sub/file"));
})]
#[case::other_target(|root: &Path| {
    remove(root, "link");
    link(root, "sub/", "link");
})]
fn a_change_changes_the_digest(#[case] change: fn(&Path)) {
    let folder = sample();
    let before = digest(folder.path()).expect("it is digested");
    change(folder.path());
    assert_ne!(digest(folder.path()), Ok(before));
}

#[rstest]
#[case::nothing(|_: &Path| {})]
#[case::mode(|root: &Path| mode(&root.join("sub/file"), 0o640))]
#[case::time(|root: &Path| {
    let file = File::options().append(true).open(root.join("sub/file"));
    file.and_then(|file| file.set_modified(UNIX_EPOCH)).expect("it is touched");
})]
#[case::same_bytes_again(|root: &Path| {
    remove(root, "sub/file");
    write(root, "sub/file", "text");
})]
#[case::second_name_elsewhere(|root: &Path| {
    fs::hard_link(root.join("sub/file"), root.join("../second")).expect("a link");
})]
fn what_is_no_contents_does_not_count(#[case] change: fn(&Path)) {
    let folder = scratch::folder().expect("a folder");
    let root = folder.path().join("root");
    fs::create_dir(&root).expect("a directory");
    fill_sample(&root);
    let before = digest(&root).expect("it is digested");
    change(&root);
    assert_eq!(digest(&root), Ok(before));
}

#[rstest]
#[case::absent("absent", TreeError::Absent)]
#[case::file("file", TreeError::NotDirectory)]
#[case::link("link", TreeError::NotDirectory)]
#[case::dangling("dangling", TreeError::NotDirectory)]
#[case::fifo("fifo", TreeError::NotDirectory)]
fn a_root_is_refused(#[case] name: &str, #[case] expected: TreeError) {
    let folder = scratch::folder().expect("a folder");
    write(folder.path(), "file", "");
    make(folder.path(), "real");
    link(folder.path(), "real", "link");
    link(folder.path(), "nowhere", "dangling");
    fifo(&folder.path().join("fifo"));
    assert_eq!(digest(&folder.path().join(name)), Err(expected));
}

#[rstest]
#[case::file("sub/file", 0o000)]
#[case::directory("sub", 0o000)]
#[case::directory_that_cannot_be_entered("sub", 0o400)]
fn an_entry_that_may_not_be_read_is_an_error(#[case] entry: &str, #[case] closed: u32) {
    let folder = sample();
    let entry = folder.path().join(entry);
    mode(&entry, closed);
    let outcome = child::run(child::WITHOUT_RIGHTS, &Task::Tree(folder.path()));
    mode(&entry, 0o700);
    assert_eq!(outcome, "Err(Denied)");
}

#[test]
fn an_empty_directory_need_not_be_entered() {
    let folder = scratch::folder().expect("a folder");
    make(folder.path(), "empty");
    mode(&folder.path().join("empty"), 0o400);
    let expected = of_records(&[of_directory("empty")]);
    let outcome = child::run(child::WITHOUT_RIGHTS, &Task::Tree(folder.path()));
    assert_eq!(outcome, format!("Ok({expected})"));
}

#[test]
fn a_file_that_changes_while_it_is_read_is_an_error() {
    let folder = scratch::folder().expect("a folder");
    let path = folder.path().join("file");
    write(folder.path(), "file", "");
    let file = OpenOptions::new()
        .write(true)
        .open(&path)
        .expect("it is opened");
    // Long enough to read that several ticks of the clock of the file system pass.
    file.set_len(64 << 20).expect("it is grown");
    let done = AtomicBool::new(false);
    let outcome = thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                file.write_all_at(b"x", 0).expect("it is written");
            }
        });
        let outcome = digest_until_an_error(folder.path());
        done.store(true, Ordering::Relaxed);
        outcome
    });
    assert_eq!(outcome, Err(TreeError::Changed));
}

#[test]
fn a_directory_that_changes_while_it_is_read_is_an_error() {
    let folder = scratch::folder().expect("a folder");
    // They are visited between the two looks at the directory above them.
    for directory in 0..400 {
        make(folder.path(), &directory.to_string());
    }
    let done = AtomicBool::new(false);
    let outcome = thread::scope(|scope| {
        scope.spawn(|| {
            // What is never opened cannot be missed either.
            while !done.load(Ordering::Relaxed) {
                fifo(&folder.path().join("fifo"));
                remove(folder.path(), "fifo");
            }
        });
        let outcome = digest_until_an_error(folder.path());
        done.store(true, Ordering::Relaxed);
        outcome
    });
    assert_eq!(outcome, Err(TreeError::Changed));
}

/// On a busy machine the other thread may stand still during one digest.
fn digest_until_an_error(root: &Path) -> Result<Digest, TreeError> {
    let mut outcome = digest(root);
    for _ in 0..50 {
        if outcome.is_err() {
            break;
        }
        outcome = digest(root);
    }
    outcome
}

/// Deeper than a path may be long, than descriptors may be open, and than a stack is deep.
#[test]
fn a_deep_tree_is_digested() {
    const DEPTH: usize = 1100;
    const NAME: &str = "four";
    let folder = scratch::folder().expect("a folder");
    let top = folder.path().join(NAME);
    // From below: a tree is put into a new directory again and again.
    let aside = folder.path().join("aside");
    fs::create_dir(&aside).expect("a directory");
    write(&aside, "file", "deep");
    for _ in 1..DEPTH {
        fs::create_dir(&top).expect("a directory");
        fs::rename(&aside, top.join(NAME)).expect("it is moved");
        fs::rename(&top, &aside).expect("it is moved");
    }
    fs::rename(&aside, &top).expect("it is moved");

    let few_descriptors = "ulimit -n 100; exec \"$@\"";
    let outcome = child::run(few_descriptors, &Task::Tree(folder.path()));

    // Removing it recursively would need as many descriptors.
    fs::rename(&top, &aside).expect("it is moved");
    while fs::rename(aside.join(NAME), &top).is_ok() {
        fs::remove_dir(&aside).expect("it is removed");
        fs::rename(&top, &aside).expect("it is moved");
    }
    let mut records = Vec::new();
    let mut path = String::new();
    for _ in 0..DEPTH {
        path.push_str(NAME);
        records.push(of_directory(&path));
        path.push('/');
    }
    records.push(of_file(format!("{path}file"), "deep"));
    assert_eq!(outcome, format!("Ok({})", of_records(&records)));
}

#[test]
fn a_wide_tree_is_digested() {
    let folder = scratch::folder().expect("a folder");
    let mut records = Vec::new();
    for directory in 0..20 {
        let directory = format!("{directory:02}");
        make(folder.path(), &directory);
        records.push(of_directory(&directory));
        for file in 0..70 {
            let path = format!("{directory}/{file:02}");
            write(folder.path(), &path, &path);
            records.push(of_file(&path, &path));
        }
    }
    let digest = digest(folder.path()).expect("it is digested");
    assert_eq!(digest.to_string(), of_records(&records));
}

/// Computed by another program.
#[test]
fn a_sample_has_the_known_digest() {
    let known = "sha256:77c37e77f790ff48e91f86e9353a4a16738bcda4814ea950ba12f8e06be685d0";
    let digest = digest(sample().path()).expect("it is digested");
    assert_eq!(digest.to_string(), known);
}

fn sample() -> TempDir {
    let folder = scratch::folder().expect("a folder");
    fill_sample(folder.path());
    folder
}

fn fill_sample(root: &Path) {
    make(root, "sub/empty");
    write(root, "sub/file", "text");
    write(root, "sub-file", "more text\n");
    link(root, "sub", "link");
    fifo(&root.join("fifo"));
}

fn write(root: &Path, path: &str, text: &str) {
    fs::write(root.join(path), text).expect("a file");
}

fn make(root: &Path, path: &str) {
    fs::create_dir_all(root.join(path)).expect("a directory");
}

fn link(root: &Path, target: &str, path: &str) {
    symlink(target, root.join(path)).expect("a link");
}

fn remove(root: &Path, path: &str) {
    fs::remove_file(root.join(path)).expect("it is removed");
}

fn rename(root: &Path, from: &str, to: &str) {
    fs::rename(root.join(from), root.join(to)).expect("it is moved");
}

fn fifo(path: &Path) {
    nix::unistd::mkfifo(path, Mode::S_IRWXU).expect("a FIFO");
}

fn mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("the mode is set");
}
