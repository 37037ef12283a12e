//! A published file that is taken back unless its run comes to its end.

use std::fs::{self, Metadata};
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use super::{Interrupt, Interrupted};

/// A file, told apart from another one at the same path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileIdentity {
    /// Number of the device that holds it.
    pub device: u64,
    /// Its number on that device.
    pub inode: u64,
}

impl From<&Metadata> for FileIdentity {
    fn from(metadata: &Metadata) -> Self {
        Self {
            device: metadata.dev(),
            inode: metadata.ino(),
        }
    }
}

/// Takes a published file back when dropped, or when a signal arrives before it is kept.
#[must_use = "dropping this removes the published file"]
pub struct Withdrawal {
    interrupt: Interrupt,
    id: u64,
}

impl Withdrawal {
    pub(super) fn new(interrupt: Interrupt, path: &Path, identity: FileIdentity) -> Self {
        let mut state = interrupt.0.lock();
        state.next += 1;
        let id = state.next;
        state.published.push(Published {
            id,
            path: path.to_owned(),
            identity,
        });
        drop(state);
        Self { interrupt, id }
    }

    /// The run has come to its end: the file stays.
    ///
    /// # Errors
    ///
    /// There was a signal, and the file is gone.
    pub fn keep(self) -> Result<(), Interrupted> {
        let (mut state, signal) = self.interrupt.0.lock_and_look();
        if let Some(signal) = signal {
            drop(state);
            return Err(self.interrupt.stand_by(signal));
        }
        state.published.retain(|published| published.id != self.id);
        Ok(())
    }
}

impl Drop for Withdrawal {
    fn drop(&mut self) {
        // Under the lock, so that the process does not exit in between.
        let published = &mut self.interrupt.0.lock().published;
        if let Some(index) = published
            .iter()
            .position(|published| published.id == self.id)
        {
            // Whatever made the run fail is what gets reported.
            let _ = published.swap_remove(index).remove();
        }
    }
}

/// A file that was published.
pub(super) struct Published {
    id: u64,
    path: PathBuf,
    identity: FileIdentity,
}

impl Published {
    /// Removes it, and nothing that took its place.
    pub(super) fn remove(&self) -> io::Result<()> {
        if FileIdentity::from(&fs::symlink_metadata(&self.path)?) == self.identity {
            fs::remove_file(&self.path)?;
        }
        Ok(())
    }
}
