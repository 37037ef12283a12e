//! Some entries of one directory that follow one another, on their way to being told.

use std::ffi::CStr;
use std::fs::File;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use rustix::fs::FileType;

use super::listing::Listing;
use super::{EntryKind, Tell};
use crate::digest::Digest;
use crate::digest::tree::TreeError;

/// Most entries of a chunk.
const ENTRIES: usize = 64;

/// Entries whose files are being digested.
pub(super) struct Chunk {
    /// What their paths begin with.
    prefix: Vec<u8>,
    /// Their names, each with a zero byte behind it.
    names: Vec<u8>,
    entries: Vec<Entry>,
    files: usize,
    /// Files that are not digested yet.
    left: AtomicUsize,
}

struct Entry {
    start: usize,
    end: usize,
    found: Found,
}

enum Found {
    Known(EntryKind),
    File(OnceLock<Digest>),
}

impl Chunk {
    /// The next entries of a directory, up to a subdirectory's own; none if there are none.
    pub(super) fn next(
        prefix: &[u8],
        listing: &mut Listing,
        directory: &File,
    ) -> Result<Option<Self>, TreeError> {
        let mut chunk = Self {
            prefix: prefix.to_vec(),
            names: Vec::new(),
            entries: Vec::new(),
            files: 0,
            left: AtomicUsize::new(0),
        };
        while chunk.entries.len() < ENTRIES
            && let Some((name, kind)) = listing.next_itself()
        {
            let found = match kind {
                FileType::RegularFile => Found::File(OnceLock::new()),
                FileType::Directory => Found::Known(EntryKind::Directory),
                FileType::Symlink => {
                    let target = rustix::fs::readlinkat(directory, name, Vec::new())?;
                    Found::Known(EntryKind::Link(Digest::of(target.as_bytes())))
                }
                special => Found::Known(EntryKind::Special(special.as_raw_mode())),
            };
            chunk.add(name, found);
        }
        *chunk.left.get_mut() = chunk.files;
        Ok((!chunk.entries.is_empty()).then_some(chunk))
    }

    fn add(&mut self, name: &CStr, found: Found) {
        self.files += usize::from(matches!(found, Found::File(_)));
        let start = self.names.len();
        self.names.extend_from_slice(name.to_bytes_with_nul());
        let end = self.names.len();
        self.entries.push(Entry { start, end, found });
    }

    /// How many files are among the entries.
    pub(super) fn files(&self) -> usize {
        self.files
    }

    /// About how many bytes it takes.
    pub(super) fn bytes(&self) -> usize {
        self.prefix.len() + self.names.len() + self.entries.len() * size_of::<Entry>()
    }

    /// The number of the first file from an entry's number on.
    pub(super) fn file_from(&self, number: usize) -> Option<usize> {
        let mut from = self.entries.iter().skip(number);
        let file = from.position(|entry| matches!(entry.found, Found::File(_)))?;
        Some(number + file)
    }

    /// The name of the entry with this number.
    pub(super) fn name(&self, number: usize) -> Option<&CStr> {
        let entry = self.entries.get(number)?;
        CStr::from_bytes_with_nul(&self.names[entry.start..entry.end]).ok()
    }

    /// Keeps the digest of the file with this number; true if it was the last one.
    pub(super) fn set(&self, number: usize, digest: Digest) -> bool {
        if let Some(Found::File(cell)) = self.entries.get(number).map(|entry| &entry.found) {
            // Each file is handed to one thread.
            let _ = cell.set(digest);
        }
        self.left.fetch_sub(1, Ordering::AcqRel) == 1
    }

    /// Whether all files are digested.
    pub(super) fn is_done(&self) -> bool {
        self.left.load(Ordering::Acquire) == 0
    }

    /// Tells its entries in order.
    pub(super) fn tell(&self, tell: &mut Tell<'_>) {
        let mut path = self.prefix.clone();
        for entry in &self.entries {
            path.truncate(self.prefix.len());
            path.extend_from_slice(&self.names[entry.start..entry.end - 1]);
            match &entry.found {
                Found::Known(kind) => tell(&path, *kind),
                // All are there by now.
                Found::File(digest) => {
                    if let Some(digest) = digest.get() {
                        tell(&path, EntryKind::File(*digest));
                    }
                }
            }
        }
    }
}
