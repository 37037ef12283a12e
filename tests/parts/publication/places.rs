//! What may be at the path already, and what the path may be.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::path::Path;

use harness::digest::Digest;
use harness::publish::{PublishError, Way, publish, publish_by};
use harness::reason::Reason;
use harness::refusal::Refusal;
use rstest::rstest;
use standin::scratch;

use super::names;

const BYTES: &[u8] = b"{\"schema_version\":\"1\"}\n";

#[rstest]
fn a_free_name_is_published(#[values(0, 1, 5000, 3 << 20)] size: usize) {
    for way in Way::ALL {
        let folder = scratch::folder().expect("a folder");
        let path = folder.path().join("manifest.json");
        let bytes = crate::child::contents(size);

        let published = publish_by(way, &path, &bytes).expect("it is published");

        assert_eq!(fs::read(&path).expect("it is read"), bytes);
        let metadata = fs::symlink_metadata(&path).expect("it is there");
        assert_eq!(metadata.permissions().mode(), 0o100_600);
        assert_eq!(metadata.nlink(), 1);
        assert_eq!(names(folder.path()), ["manifest.json"]);
        assert_eq!(published.way, way);
        assert_eq!(published.digest, Digest::of(&bytes));
        assert_eq!(
            (published.device, published.inode),
            (metadata.dev(), metadata.ino())
        );
    }
}

#[test]
fn the_first_way_is_taken_where_the_file_system_allows_it() {
    let folder = scratch::folder().expect("a folder");
    let published = publish(&folder.path().join("manifest.json"), BYTES).expect("it is published");
    let way = if cfg!(target_os = "linux") {
        Way::UnnamedFile
    } else {
        Way::RenameNoReplace
    };
    assert_eq!(published.way, way);
}

#[derive(Clone, Copy, Debug)]
enum Obstacle {
    File,
    EmptyFile,
    DanglingLink,
    LinkToFile,
    LinkToItself,
    EmptyDirectory,
    Directory,
    Fifo,
}

impl Obstacle {
    fn make(self, path: &Path) {
        let folder = path.parent().expect("it has a parent");
        match self {
            Self::File => fs::write(path, "foreign").expect("a file"),
            Self::EmptyFile => fs::write(path, "").expect("a file"),
            Self::DanglingLink => symlink(folder.join("nowhere"), path).expect("a link"),
            Self::LinkToFile => {
                fs::write(folder.join("target"), "foreign").expect("a file");
                symlink("target", path).expect("a link");
            }
            Self::LinkToItself => symlink(path, path).expect("a link"),
            Self::EmptyDirectory => fs::create_dir(path).expect("a directory"),
            Self::Directory => fs::create_dir_all(path.join("below")).expect("a directory"),
            Self::Fifo => {
                nix::unistd::mkfifo(path, nix::sys::stat::Mode::S_IRWXU).expect("a FIFO");
            }
        }
    }
}

#[rstest]
fn what_is_there_is_left_untouched(
    #[values(
        Obstacle::File,
        Obstacle::EmptyFile,
        Obstacle::DanglingLink,
        Obstacle::LinkToFile,
        Obstacle::LinkToItself,
        Obstacle::EmptyDirectory,
        Obstacle::Directory,
        Obstacle::Fifo
    )]
    obstacle: Obstacle,
) {
    for way in Way::ALL {
        let folder = scratch::folder().expect("a folder");
        let path = folder.path().join("manifest.json");
        obstacle.make(&path);
        let before = harness::digest::tree::digest(folder.path()).expect("the folder is read");
        let inode = fs::symlink_metadata(&path).expect("it is there").ino();

        let error = publish_by(way, &path, BYTES).expect_err("it is refused");

        assert_eq!(error, PublishError::Appeared);
        assert_eq!(error.reason(), Reason::OutputRace);
        let after = harness::digest::tree::digest(folder.path()).expect("the folder is read");
        assert_eq!(before, after);
        assert_eq!(
            fs::symlink_metadata(&path).expect("it is there").ino(),
            inode
        );
        assert!(matches!(publish(&path, BYTES), Err(PublishError::Appeared)));
    }
}

#[rstest]
#[case::no_parent("absent/manifest.json", PublishError::Io("it does not exist"))]
#[case::parent_is_a_file("file/manifest.json", PublishError::NoDirectory)]
#[case::parent_is_a_link("link/manifest.json", PublishError::NoDirectory)]
#[case::parent_is_a_dangling_link("dangling/manifest.json", PublishError::NoDirectory)]
#[case::names_a_directory("new/", PublishError::Name)]
#[case::names_a_directory_by_a_dot("new/.", PublishError::Name)]
#[case::names_the_parent("..", PublishError::Name)]
fn a_path_is_refused(#[case] path: &str, #[case] expected: PublishError) {
    for way in Way::ALL {
        let folder = scratch::folder().expect("a folder");
        fs::write(folder.path().join("file"), "").expect("a file");
        fs::create_dir(folder.path().join("real")).expect("a directory");
        symlink("real", folder.path().join("link")).expect("a link");
        symlink("nowhere", folder.path().join("dangling")).expect("a link");

        let error = publish_by(way, &folder.path().join(path), BYTES).expect_err("it is refused");

        assert_eq!(error, expected);
        assert_eq!(names(folder.path()), ["dangling", "file", "link", "real"]);
        assert_eq!(names(&folder.path().join("real")), [""; 0]);
        let refusal = Refusal::from(error);
        assert_eq!(refusal.code(), "publication-failed");
        assert!(!format!("{refusal:?}").contains("manifest.json"));
    }
}

#[rstest]
#[case::longest(255, None)]
#[case::too_long(256, Some(PublishError::Io("the path is too long or malformed")))]
fn a_name_may_be_as_long_as_the_file_system_allows(
    #[case] length: usize,
    #[case] expected: Option<PublishError>,
) {
    for way in Way::ALL {
        let folder = scratch::folder().expect("a folder");
        let path = folder.path().join("n".repeat(length));
        assert_eq!(publish_by(way, &path, BYTES).err(), expected);
        assert_eq!(names(folder.path()).len(), usize::from(expected.is_none()));
    }
}
