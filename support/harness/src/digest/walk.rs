//! Walks a directory and digests what is in it, in the order of the bytes of the paths.
//!
//! Every step is relative to the descriptor of the directory that it was listed in, so paths may
//! be of any length, and nothing that is renamed meanwhile leads elsewhere. Links are never
//! followed, and only regular files are opened.
//!
//! One thread lists; the others digest; what they found is told in order. So memory is taken by
//! the names in the directories above the current one, and not by the tree.

use std::fs::File;
use std::os::fd::OwnedFd;
use std::os::unix::fs::MetadataExt as _;
use std::sync::Arc;

use rustix::fs::{Mode, OFlags, RawMode};

use super::Digest;
use super::file::Stamp;
use super::tree::TreeError;
use chunk::Chunk;
use listing::Listing;
use pool::Pool;

mod chunk;
mod listing;
mod pool;

/// Most directories above the current one that are kept open; those above are opened again
/// through `..` on the way back.
const OPEN_LEVELS: usize = 32;

/// Flags to open a directory with, for reading and not through a link.
pub(super) const DIRECTORY: OFlags = OFlags::RDONLY
    .union(OFlags::DIRECTORY)
    .union(OFlags::NOFOLLOW)
    .union(OFlags::CLOEXEC);

/// What an entry is, with what counts of it.
#[derive(Clone, Copy, Debug)]
pub(super) enum EntryKind {
    Directory,
    /// Digest of the contents.
    File(Digest),
    /// Digest of the link's target.
    Link(Digest),
    /// The file-type bits of its mode; see inode(7).
    Special(RawMode),
}

/// Which entries are wanted.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Keep {
    All,
    Files,
}

/// Told of each entry: the raw bytes of its path with `/` between the parts, and what it is.
pub(super) type Tell<'t> = dyn FnMut(&[u8], EntryKind) + 't;

/// Finds everything below the directories; the path of each starts every path below it.
///
/// What is below one directory is told in the order of the bytes of the paths, and before what is
/// below the next.
pub(super) fn walk(
    roots: Vec<(Vec<u8>, OwnedFd)>,
    keep: Keep,
    tell: &mut Tell<'_>,
) -> Result<(), TreeError> {
    pool::with(tell, |pool| {
        let mut walker = Walker {
            keep,
            pool,
            path: Vec::new(),
            levels: Vec::new(),
        };
        roots
            .into_iter()
            .try_for_each(|(path, directory)| walker.descend(path, directory))
    })
}

struct Walker<'w, 'p, 'scope, 'env> {
    keep: Keep,
    pool: &'w mut Pool<'p, 'scope, 'env>,
    /// Path of the current directory, with a `/` behind it unless it is the top.
    path: Vec<u8>,
    /// The current directory and those above it.
    levels: Vec<Level>,
}

/// A directory whose entries are being visited.
struct Level {
    /// `None` when it was closed to keep few descriptors open.
    directory: Option<Arc<File>>,
    identity: (u64, u64),
    stamp: Stamp,
    /// Length of the path of the directory above.
    above: usize,
    /// The entries that are still to be visited.
    listing: Listing,
}

impl Walker<'_, '_, '_, '_> {
    /// Visits a directory and all below it.
    fn descend(&mut self, mut path: Vec<u8>, directory: OwnedFd) -> Result<(), TreeError> {
        if !path.is_empty() {
            path.push(b'/');
        }
        self.path = path;
        self.enter(0, directory)?;
        while let Some(level) = self.levels.last_mut() {
            let Some(directory) = &level.directory else {
                return Err(TreeError::Io("a directory was closed early"));
            };
            if let Some(name) = level.listing.next_below() {
                let below = rustix::fs::openat(directory, name, DIRECTORY, Mode::empty())?;
                let above = self.path.len();
                self.path.extend_from_slice(name.to_bytes());
                self.path.push(b'/');
                self.enter(above, below)?;
            } else if let Some(chunk) = Chunk::next(&self.path, &mut level.listing, directory)? {
                self.pool.hand_over(chunk, directory)?;
            } else {
                self.leave()?;
            }
        }
        Ok(())
    }

    fn enter(&mut self, above: usize, directory: OwnedFd) -> Result<(), TreeError> {
        let directory = File::from(directory);
        let metadata = directory.metadata()?;
        let listing = Listing::read(&directory, self.keep)?;
        if let Some(level) = self.levels.len().checked_sub(OPEN_LEVELS) {
            self.levels[level].directory = None;
        }
        self.levels.push(Level {
            directory: Some(Arc::new(directory)),
            identity: (metadata.dev(), metadata.ino()),
            stamp: Stamp::of(&metadata),
            above,
            listing,
        });
        Ok(())
    }

    fn leave(&mut self) -> Result<(), TreeError> {
        let Some(left) = self.levels.pop() else {
            return Ok(());
        };
        self.path.truncate(left.above);
        let Some(directory) = left.directory else {
            return Ok(());
        };
        if Stamp::of(&directory.metadata()?) != left.stamp {
            return Err(TreeError::Changed);
        }
        if let Some(level) = self.levels.last_mut()
            && level.directory.is_none()
        {
            let above: File =
                rustix::fs::openat(&*directory, "..", DIRECTORY, Mode::empty())?.into();
            let metadata = above.metadata()?;
            // Otherwise the directory just left was moved while it was read.
            if (metadata.dev(), metadata.ino()) != level.identity {
                return Err(TreeError::Changed);
            }
            level.directory = Some(Arc::new(above));
        }
        Ok(())
    }
}
