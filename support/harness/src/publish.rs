//! Publishes a file: whole or not at all, never over another, and so that it survives a crash.
//!
//! The contents are written and synced where nobody sees them, given their name in one step that
//! fails when the name is taken, and the directory is synced after that. Everything happens
//! relative to one descriptor of the directory.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use rustix::fs::{AtFlags, Mode, OFlags};
use rustix::io::Errno;

use crate::digest::Digest;
use crate::digest::file::RegularFile;
use crate::reason::Reason;
use crate::refusal::{Refusal, Verdict};

pub use error::PublishError;
use temporary::Temporary;

mod error;
mod temporary;

#[cfg(target_os = "linux")]
mod linux;
#[cfg(not(target_os = "linux"))]
mod unix;

#[cfg(target_os = "linux")]
use linux as system;
#[cfg(not(target_os = "linux"))]
use unix as system;

/// How a file gets its name without replacing another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Way {
    /// A file without a name is linked into place: there is never a temporary name.
    /// See `O_TMPFILE` in open(2).
    UnnamedFile,
    /// A file with a temporary name is renamed. See `RENAME_NOREPLACE` in rename(2).
    RenameNoReplace,
    /// A file with a temporary name is linked into place and the temporary name removed; a
    /// writer that is killed between the two leaves the temporary name behind. See link(2).
    LinkAndUnlink,
}

impl Way {
    /// Every way, in the order in which they are tried.
    pub const ALL: [Self; 3] = [
        Self::UnnamedFile,
        Self::RenameNoReplace,
        Self::LinkAndUnlink,
    ];
}

/// Publishes the bytes at the path, by the first way that the file system allows.
///
/// The file has mode 0600 under any umask. The parent of the path must be a directory and not
/// a link to one. After an error, nothing is left that was not there before.
///
/// # Errors
///
/// [`PublishError::Appeared`] when the path exists, even as a dangling link; it is left
/// untouched.
pub fn publish(path: &Path, bytes: &[u8]) -> Result<Published, PublishError> {
    let place = Place::open(path)?;
    for way in Way::ALL {
        match create(way, &place, bytes) {
            Ok(file) => return finish(place, file, way, bytes),
            Err(PublishError::Unsupported) => {}
            Err(error) => return Err(error),
        }
    }
    Err(PublishError::Unsupported)
}

/// Publishes the bytes at the path by the given way alone.
///
/// # Errors
///
/// Those of [`publish`]; [`PublishError::Unsupported`] when the file system, or the operating
/// system, refuses this way.
pub fn publish_by(way: Way, path: &Path, bytes: &[u8]) -> Result<Published, PublishError> {
    let place = Place::open(path)?;
    let file = create(way, &place, bytes)?;
    finish(place, file, way, bytes)
}

/// Refuses a published file that does not read as what was written.
///
/// # Errors
///
/// `publication-failed`.
pub fn confirmed(found: Digest, expected: Digest) -> Verdict {
    if found == expected {
        return Ok(());
    }
    Err(Refusal::new(Reason::PublicationFailed)
        .expected(expected)
        .found(found))
}

/// A published file. Dropping this leaves the file in place.
#[derive(Debug)]
#[must_use]
pub struct Published {
    place: Place,
    // Kept open: while it is, no other file can have its inode number.
    file: File,
    /// How it was published.
    pub way: Way,
    /// Device that the file is on.
    pub device: u64,
    /// Inode number of the file.
    pub inode: u64,
    /// Digest of the bytes that were published.
    pub digest: Digest,
}

impl Published {
    /// Opens what is at the path now, without following a link, and digests it.
    ///
    /// # Errors
    ///
    /// [`PublishError::Replaced`] when that is not the file that was published, or changes while
    /// it is read.
    pub fn read_back(&self) -> Result<Digest, PublishError> {
        let found = RegularFile::open_at(&self.place.directory, self.place.name())?;
        if (found.device(), found.inode()) != (self.device, self.inode) {
            return Err(PublishError::Replaced);
        }
        Ok(found.digest()?.digest)
    }

    /// Removes the file, if the path still names the very same file.
    ///
    /// A file that takes its place between the comparison and the removal would be lost: no
    /// system call does both.
    ///
    /// # Errors
    ///
    /// [`PublishError::Replaced`] when the path names another file, which is left untouched,
    /// or none.
    pub fn withdraw(self) -> Result<(), PublishError> {
        self.place.remove(&self.file)
    }
}

/// A name in an open directory.
#[derive(Debug)]
struct Place {
    directory: File,
    name: OsString,
}

impl Place {
    fn open(path: &Path) -> Result<Self, PublishError> {
        let name = path.file_name().ok_or(PublishError::Name)?;
        // A path such as `a/b/` or `a/b/.` has a last component too, but asks for a directory.
        if !path.as_os_str().as_bytes().ends_with(name.as_bytes()) {
            return Err(PublishError::Name);
        }
        let parent = match path.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let directory = rustix::fs::open(parent, flags, Mode::empty())?;
        Ok(Self {
            directory: directory.into(),
            name: name.to_owned(),
        })
    }

    fn name(&self) -> &OsStr {
        &self.name
    }

    /// Removes the name if it is the name of this file.
    fn remove(&self, file: &File) -> Result<(), PublishError> {
        let published = rustix::fs::fstat(file)?;
        let found =
            match rustix::fs::statat(&self.directory, self.name(), AtFlags::SYMLINK_NOFOLLOW) {
                Err(Errno::NOENT) => return Err(PublishError::Replaced),
                found => found?,
            };
        if (found.st_dev, found.st_ino) != (published.st_dev, published.st_ino) {
            return Err(PublishError::Replaced);
        }
        rustix::fs::unlinkat(&self.directory, self.name(), AtFlags::empty())?;
        sync_directory(&self.directory)
    }
}

/// Makes the file visible under its name; what is on the disk of it is complete.
fn create(way: Way, place: &Place, bytes: &[u8]) -> Result<File, PublishError> {
    match way {
        Way::UnnamedFile => {
            let file = system::unnamed(&place.directory).map_err(refused)?;
            fill(&file, bytes)?;
            system::link_unnamed(&file, &place.directory, place.name()).map_err(refused)?;
            Ok(file)
        }
        Way::RenameNoReplace => {
            let temporary = Temporary::create(&place.directory)?;
            fill(temporary.file(), bytes)?;
            system::rename(&place.directory, temporary.name(), place.name()).map_err(refused)?;
            Ok(temporary.renamed())
        }
        Way::LinkAndUnlink => {
            let temporary = Temporary::create(&place.directory)?;
            fill(temporary.file(), bytes)?;
            rustix::fs::linkat(
                &place.directory,
                temporary.name(),
                &place.directory,
                place.name(),
                AtFlags::empty(),
            )
            .map_err(refused)?;
            let (file, removed) = temporary.remove();
            if let Err(error) = removed {
                // Half published is not published; the first error is the one to tell.
                let _ = place.remove(&file);
                return Err(error.into());
            }
            Ok(file)
        }
    }
}

/// Gives the file its mode and contents, and waits until they are on the disk.
fn fill(file: &File, bytes: &[u8]) -> Result<(), PublishError> {
    // The mode that a file is created with is cut down by the umask.
    rustix::fs::fchmod(file, Mode::RUSR | Mode::WUSR)?;
    system::write(file, bytes)?;
    file.sync_all()?;
    Ok(())
}

/// Waits until the name is on the disk too, and takes it back if it cannot be.
fn finish(place: Place, file: File, way: Way, bytes: &[u8]) -> Result<Published, PublishError> {
    let settled = sync_directory(&place.directory).and_then(|()| Ok(file.metadata()?));
    match settled {
        Ok(metadata) => Ok(Published {
            device: metadata.dev(),
            inode: metadata.ino(),
            digest: Digest::of(bytes),
            place,
            file,
            way,
        }),
        Err(error) => {
            let _ = place.remove(&file);
            Err(error)
        }
    }
}

fn sync_directory(directory: &File) -> Result<(), PublishError> {
    match directory.sync_all() {
        // See fsync(2): the file system has no such thing for directories.
        Err(error) if Errno::from_io_error(&error) == Some(Errno::INVAL) => Ok(()),
        synced => Ok(synced?),
    }
}

/// Tells a way that is refused from one that failed.
///
/// The errors are those of file systems that lack the operation, of kernels that do not know
/// its flags (see open(2), rename(2) and link(2)), and of a `/proc` that is not there.
fn refused(errno: Errno) -> PublishError {
    match errno {
        Errno::OPNOTSUPP
        | Errno::NOSYS
        | Errno::INVAL
        | Errno::ISDIR
        | Errno::NOENT
        | Errno::PERM
        | Errno::XDEV => PublishError::Unsupported,
        errno => errno.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_published_must_read_as_it_was_written() {
        let [this, other] = ["this", "other"].map(Digest::of);
        assert!(confirmed(this, this).is_ok());
        let refusal = confirmed(other, this).unwrap_err();
        assert_eq!(
            refusal.to_string(),
            format!("publication-failed: expected {this}; found {other}")
        );
    }
}
