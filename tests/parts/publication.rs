//! A file is published whole or not at all, and never over another.

mod limits;
mod places;
mod published;
mod races;

use std::path::Path;

/// The names in the directory, sorted.
fn names(directory: &Path) -> Vec<String> {
    let mut names: Vec<_> = std::fs::read_dir(directory)
        .expect("the directory is listed")
        .map(|entry| entry.expect("the entry is read").file_name())
        .map(|name| name.into_string().expect("the name is text"))
        .collect();
    names.sort();
    names
}
