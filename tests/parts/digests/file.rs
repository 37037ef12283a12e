//! Digests of single files.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::time::UNIX_EPOCH;

use harness::digest::Digest;
use harness::digest::file::{FileError, RegularFile, digest, digest_prefix};
use rstest::rstest;
use standin::scratch;

use super::hex;
use crate::child::{self, Task, contents};

#[test]
fn digests_are_those_of_the_standard() {
    let abc = "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    assert_eq!(Digest::of("abc").to_string(), abc);
}

#[rstest]
fn a_file_of_any_size_is_digested(
    #[values(
        0, 1, 63, 64, 262_143, 262_144, 262_145, 4_194_303, 4_194_304, 4_194_305, 5_000_000
    )]
    size: usize,
) {
    let folder = scratch::folder().expect("a folder");
    let path = folder.path().join("file");
    let bytes = contents(size);
    fs::write(&path, &bytes).expect("a file");
    let metadata = fs::metadata(&path).expect("it is there");

    let file = digest(&path).expect("it is digested");

    assert_eq!(file.digest.hex(), hex(&bytes));
    assert_eq!(file.size, size as u64);
    assert_eq!((file.device, file.inode), (metadata.dev(), metadata.ino()));
}

#[rstest]
#[case::nothing(0)]
#[case::one_byte(1)]
#[case::some(300_000)]
#[case::all_but_one(5_999_999)]
#[case::all(6_000_000)]
fn a_prefix_is_digested(#[case] prefix: usize) {
    let folder = scratch::folder().expect("a folder");
    let path = folder.path().join("log");
    let bytes = contents(6_000_000);
    fs::write(&path, &bytes).expect("a file");
    let file = digest_prefix(&path, prefix as u64).expect("it is digested");
    assert_eq!(file.digest.hex(), hex(&bytes[..prefix]));
    assert_eq!(file.size, 6_000_000);
}

#[rstest]
#[case::empty(0, 1)]
#[case::by_one(100, 101)]
#[case::far(100, u64::MAX)]
#[case::large(5_000_000, 5_000_001)]
fn a_prefix_longer_than_the_file_is_refused(#[case] size: usize, #[case] prefix: u64) {
    let folder = scratch::folder().expect("a folder");
    let path = folder.path().join("log");
    fs::write(&path, contents(size)).expect("a file");
    assert_eq!(digest_prefix(&path, prefix), Err(FileError::Short));
}

#[test]
fn a_prefix_of_a_growing_file_is_digested() {
    let folder = scratch::folder().expect("a folder");
    let path = folder.path().join("log");
    fs::write(&path, "first\n").expect("a file");
    let file = RegularFile::open(&path).expect("it is opened");
    append(&path);
    let file = file.digest_prefix(6).expect("it is digested");
    assert_eq!((file.digest, file.size), (Digest::of("first\n"), 6));
}

#[rstest]
#[case::absent(|_: &Path| {}, FileError::Absent)]
#[case::directory(|path: &Path| fs::create_dir(path).expect("a directory"), FileError::NotRegular)]
#[case::dangling_link(|path: &Path| symlink("nowhere", path).expect("a link"), FileError::Link)]
#[case::link_to_a_file(
    |path: &Path| {
        fs::write(path.with_extension("target"), "").expect("a file");
        symlink(path.with_extension("target"), path).expect("a link");
    },
    FileError::Link
)]
#[case::link_to_a_device(
    |path: &Path| symlink("/dev/zero", path).expect("a link"),
    FileError::Link
)]
#[case::link_to_itself(|path: &Path| symlink(path, path).expect("a link"), FileError::Link)]
#[case::fifo(fifo, FileError::NotRegular)]
#[case::socket(
    |path: &Path| drop(UnixListener::bind(path).expect("a socket")),
    FileError::NotRegular
)]
fn what_is_no_regular_file_is_refused(#[case] make: fn(&Path), #[case] expected: FileError) {
    let folder = scratch::folder().expect("a folder");
    let path = folder.path().join("entry");
    make(&path);
    assert_eq!(digest(&path), Err(expected));
    assert_eq!(digest_prefix(&path, 0), Err(expected));
}

#[test]
fn a_device_is_refused() {
    assert_eq!(digest(Path::new("/dev/zero")), Err(FileError::NotRegular));
}

#[rstest]
#[case::grown(append)]
#[case::cut_off(|path: &Path| open(path).set_len(3).expect("it is cut off"))]
#[case::emptied(|path: &Path| open(path).set_len(0).expect("it is emptied"))]
#[case::rewritten(|path: &Path| fs::write(path, "other!").expect("it is written"))]
#[case::touched(|path: &Path| open(path).set_modified(UNIX_EPOCH).expect("it is touched"))]
#[case::given_another_mode(|path: &Path| {
    fs::set_permissions(path, fs::Permissions::from_mode(0o640)).expect("the mode is set");
})]
#[case::removed(|path: &Path| fs::remove_file(path).expect("it is removed"))]
#[case::replaced(|path: &Path| {
    fs::write(path.with_extension("new"), "first\n").expect("a file");
    fs::rename(path.with_extension("new"), path).expect("it is moved");
})]
fn a_file_that_changes_is_an_error(#[case] change: fn(&Path), #[values(6, 5_000_000)] size: usize) {
    let folder = scratch::folder().expect("a folder");
    let path = folder.path().join("file");
    fs::write(&path, contents(size)).expect("a file");
    let [digested, read] = [(); 2].map(|()| RegularFile::open(&path).expect("it is opened"));
    change(&path);
    assert_eq!(digested.digest(), Err(FileError::Changed));
    assert_eq!(read.read(), Err(FileError::Changed));
}

#[rstest]
#[case::nothing(0, 0)]
#[case::some(1, 300_000)]
#[case::the_end(999_990, 10)]
#[case::beyond_the_end(999_990, 300_000)]
#[case::behind_the_end(1_000_001, 1)]
fn a_part_is_read_and_no_more(#[case] offset: usize, #[case] bytes: usize) {
    let folder = scratch::folder().expect("a folder");
    let path = folder.path().join("log");
    let all = contents(1_000_000);
    fs::write(&path, &all).expect("a file");
    let file = RegularFile::open(&path).expect("it is opened");
    let read = file
        .read_from(offset as u64, bytes as u64)
        .expect("it is read");
    let end = (offset + bytes).min(all.len());
    assert!(read == all.get(offset..end).unwrap_or_default());
    let tail = file.tail(bytes as u64).expect("it is read");
    assert!(tail == all[all.len() - bytes..]);
}

#[test]
fn a_file_that_may_not_be_read_is_an_error() {
    let folder = scratch::folder().expect("a folder");
    let path = folder.path().join("file");
    fs::write(&path, "private").expect("a file");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).expect("the mode is set");
    let outcome = child::run(child::WITHOUT_RIGHTS, &Task::File(&path));
    assert_eq!(outcome, "Err(Denied)");
}

#[test]
fn the_mode_tells_whether_it_can_be_executed() {
    let folder = scratch::folder().expect("a folder");
    let path = folder.path().join("file");
    fs::write(&path, "").expect("a file");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o750)).expect("the mode is set");
    let file = RegularFile::open(&path).expect("it is opened");
    assert_eq!((file.mode(), file.size()), (0o100_750, 0));
}

fn append(path: &Path) {
    let mut file = OpenOptions::new()
        .append(true)
        .open(path)
        .expect("it is opened");
    file.write_all(b"more\n").expect("it is written");
}

fn open(path: &Path) -> fs::File {
    OpenOptions::new()
        .write(true)
        .open(path)
        .expect("it is opened")
}

fn fifo(path: &Path) {
    nix::unistd::mkfifo(path, nix::sys::stat::Mode::S_IRWXU).expect("a FIFO");
}
