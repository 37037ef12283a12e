//! What can be done with a published file.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use harness::digest::Digest;
use harness::publish::{PublishError, Published, Way, publish, publish_by};
use rstest::rstest;
use standin::scratch;

use super::names;

const BYTES: &[u8] = b"published bytes\n";

#[rstest]
fn it_is_read_back_and_withdrawn(
    #[values(Way::UnnamedFile, Way::RenameNoReplace, Way::LinkAndUnlink)] way: Way,
) {
    let folder = scratch::folder().expect("a folder");
    let path = folder.path().join("manifest.json");
    let published = publish_by(way, &path, BYTES).expect("it is published");
    assert_eq!(published.read_back(), Ok(Digest::of(BYTES)));
    assert_eq!(published.read_back(), Ok(published.digest));
    assert_eq!(published.withdraw(), Ok(()));
    assert_eq!(names(folder.path()), [""; 0]);
}

#[test]
fn it_stays_when_it_is_let_go() {
    let folder = scratch::folder().expect("a folder");
    let path = folder.path().join("manifest.json");
    drop(publish(&path, BYTES).expect("it is published"));
    assert_eq!(fs::read(&path).expect("it is read"), BYTES);
}

#[test]
fn it_is_found_where_its_directory_was_moved_to() {
    let folder = scratch::folder().expect("a folder");
    let (old, new) = (folder.path().join("old"), folder.path().join("new"));
    fs::create_dir(&old).expect("a directory");
    let published = publish(&old.join("manifest.json"), BYTES).expect("it is published");
    fs::rename(&old, &new).expect("it is moved");
    fs::create_dir(&old).expect("a directory");
    fs::write(old.join("manifest.json"), "foreign").expect("a file");
    assert_eq!(published.read_back(), Ok(Digest::of(BYTES)));
    assert_eq!(published.withdraw(), Ok(()));
    assert_eq!(names(&new), [""; 0]);
    assert_eq!(names(&old), ["manifest.json"]);
}

#[test]
fn other_contents_have_another_digest() {
    let folder = scratch::folder().expect("a folder");
    let path = folder.path().join("manifest.json");
    let published = publish(&path, BYTES).expect("it is published");
    fs::write(&path, "other").expect("it is written");
    assert_eq!(published.read_back(), Ok(Digest::of("other")));
    assert_ne!(published.read_back(), Ok(published.digest));
}

#[rstest]
#[case::removed(|_: &Path| {}, &[])]
#[case::same_bytes_in_another_file(
    |path: &Path| fs::write(path, BYTES).expect("a file"),
    &["manifest.json"]
)]
#[case::link_to_the_same_file(
    |path: &Path| {
        let aside = path.with_extension("aside");
        symlink(aside, path).expect("a link");
    },
    &["manifest.json"]
)]
#[case::directory(|path: &Path| fs::create_dir(path).expect("a directory"), &["manifest.json"])]
#[case::fifo(
    |path: &Path| nix::unistd::mkfifo(path, nix::sys::stat::Mode::S_IRWXU).expect("a FIFO"),
    &["manifest.json"]
)]
fn another_file_in_its_place_is_left_untouched(
    #[case] replace: fn(&Path),
    #[case] left: &[&str],
    #[values(read_back, withdraw)] act: fn(Published) -> Result<(), PublishError>,
) {
    let folder = scratch::folder().expect("a folder");
    let path = folder.path().join("manifest.json");
    let published = publish(&path, BYTES).expect("it is published");
    fs::rename(&path, path.with_extension("aside")).expect("it is moved");
    replace(&path);

    assert_eq!(act(published), Err(PublishError::Replaced));

    let mut expected = vec!["manifest.aside"];
    expected.extend(left);
    assert_eq!(names(folder.path()), expected);
    assert_eq!(
        fs::read(path.with_extension("aside")).expect("it is read"),
        BYTES
    );
}

fn read_back(published: Published) -> Result<(), PublishError> {
    published.read_back().map(drop)
}

fn withdraw(published: Published) -> Result<(), PublishError> {
    published.withdraw()
}
