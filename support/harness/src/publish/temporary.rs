//! A file under a temporary name, which goes away with it.

use std::ffi::OsStr;
use std::fs::File;
use std::hash::{BuildHasher as _, RandomState};

use rustix::fs::{AtFlags, Mode, OFlags};
use rustix::io::Errno;

/// How often another name is tried when one is taken.
const ATTEMPTS: usize = 16;

/// A new file in the directory; dropping it removes its name.
pub(super) struct Temporary<'d> {
    name: Name<'d>,
    file: File,
}

impl<'d> Temporary<'d> {
    /// Creates an empty file that only its owner may read or write.
    pub(super) fn create(directory: &'d File) -> Result<Self, Errno> {
        let flags =
            OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        for _ in 0..ATTEMPTS {
            let text = unpredictable_name();
            match rustix::fs::openat(directory, &text, flags, Mode::RUSR | Mode::WUSR) {
                Err(Errno::EXIST) => {}
                file => {
                    let file = file?.into();
                    let name = Name {
                        directory,
                        text: Some(text),
                    };
                    return Ok(Self { name, file });
                }
            }
        }
        // Not "it exists": that would be said of the path to be published.
        Err(Errno::AGAIN)
    }

    pub(super) fn file(&self) -> &File {
        &self.file
    }

    pub(super) fn name(&self) -> &OsStr {
        OsStr::new(self.name.text.as_deref().unwrap_or_default())
    }

    /// The file, whose temporary name is gone.
    pub(super) fn renamed(mut self) -> File {
        self.name.text = None;
        self.file
    }

    /// The file, and whether its temporary name could be removed.
    pub(super) fn remove(mut self) -> (File, Result<(), Errno>) {
        let removed = self.name.remove();
        (self.file, removed)
    }
}

struct Name<'d> {
    directory: &'d File,
    text: Option<String>,
}

impl Name<'_> {
    fn remove(&mut self) -> Result<(), Errno> {
        match self.text.take() {
            Some(text) => rustix::fs::unlinkat(self.directory, text, AtFlags::empty()),
            None => Ok(()),
        }
    }
}

impl Drop for Name<'_> {
    fn drop(&mut self) {
        // Reached on the way out of an error, which is the one to tell.
        let _ = self.remove();
    }
}

/// Short, so that it fits wherever the published name does not.
fn unpredictable_name() -> String {
    // The keys of each state are random.
    format!(".iop-smoke-{:016x}", RandomState::new().hash_one(()))
}
