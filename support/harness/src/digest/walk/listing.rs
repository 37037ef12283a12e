//! The entries of one directory, in the order in which a tree is told.

use std::cmp::Ordering;
use std::ffi::CStr;
use std::fs::File;
use std::os::fd::AsFd as _;

use rustix::fs::{AtFlags, Dir, FileType};

use super::Keep;
use crate::digest::tree::TreeError;

/// Entries of a directory that are still to be visited.
///
/// A subdirectory stands there twice: for itself, by its name, and for what is below it, by its
/// name with a `/`. Sorted by these, all paths are in order: `a`, `a-b`, `a/c`.
pub(super) struct Listing {
    /// The names, each with a zero byte behind it.
    names: Vec<u8>,
    entries: Vec<Entry>,
    next: usize,
}

/// Small: a directory may have millions.
#[derive(Clone, Copy)]
struct Entry {
    start: usize,
    length: u16,
    kind: FileType,
    /// Whether it stands for what is below.
    below: bool,
}

impl Listing {
    /// Reads the names of a directory's entries.
    pub(super) fn read(directory: &File, keep: Keep) -> Result<Self, TreeError> {
        let mut listing = Self {
            names: Vec::new(),
            entries: Vec::new(),
            next: 0,
        };
        // A copy of the descriptor: the stream closes its own.
        let mut stream = Dir::new(rustix::io::fcntl_dupfd_cloexec(directory.as_fd(), 0)?)?;
        while let Some(entry) = stream.read() {
            let entry = entry?;
            let name = entry.file_name();
            if matches!(name.to_bytes(), b"." | b"..") {
                continue;
            }
            let kind = match entry.file_type() {
                FileType::Unknown => {
                    let flags = AtFlags::SYMLINK_NOFOLLOW;
                    let status = rustix::fs::statat(directory, name, flags)?;
                    FileType::from_raw_mode(status.st_mode)
                }
                known => known,
            };
            listing.add(name, kind, keep)?;
        }
        let Self { names, entries, .. } = &mut listing;
        entries.sort_unstable_by(|one, other| one.order(other, names));
        Ok(listing)
    }

    fn add(&mut self, name: &CStr, kind: FileType, keep: Keep) -> Result<(), TreeError> {
        let directory = kind == FileType::Directory;
        let itself = keep == Keep::All || kind == FileType::RegularFile;
        let start = self.names.len();
        let length = u16::try_from(name.count_bytes());
        let length = length.map_err(|_| TreeError::Io("a name is too long"))?;
        for below in [itself.then_some(false), directory.then_some(true)] {
            self.entries.extend(below.map(|below| Entry {
                start,
                length,
                kind,
                below,
            }));
        }
        if itself || directory {
            self.names.extend_from_slice(name.to_bytes_with_nul());
        }
        Ok(())
    }

    /// The next entry, unless it stands for what is below a subdirectory.
    pub(super) fn next_itself(&mut self) -> Option<(&CStr, FileType)> {
        self.next_if(|entry| !entry.below)
    }

    /// The subdirectory whose entries are next, if they are.
    pub(super) fn next_below(&mut self) -> Option<&CStr> {
        self.next_if(|entry| entry.below).map(|(name, _)| name)
    }

    fn next_if(&mut self, wanted: impl FnOnce(&Entry) -> bool) -> Option<(&CStr, FileType)> {
        let entry = self.entries.get(self.next).filter(|entry| wanted(entry))?;
        self.next += 1;
        let end = entry.start + usize::from(entry.length);
        let name = CStr::from_bytes_with_nul(&self.names[entry.start..=end]).ok()?;
        Some((name, entry.kind))
    }
}

impl Entry {
    fn name<'n>(&self, names: &'n [u8]) -> &'n [u8] {
        &names[self.start..self.start + usize::from(self.length)]
    }

    /// As if there was a `/` behind the name of one that stands for what is below.
    fn order(&self, other: &Self, names: &[u8]) -> Ordering {
        let (own, others) = (self.name(names), other.name(names));
        let common = own.len().min(others.len());
        // Names hold no slash, so one byte more decides.
        let then = |entry: &Self, name: &[u8]| {
            let slash = entry.below.then_some(b'/');
            name.get(common).copied().or(slash)
        };
        own[..common]
            .cmp(&others[..common])
            .then_with(|| then(self, own).cmp(&then(other, others)))
    }
}
