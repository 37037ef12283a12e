//! Digests of files, trees and sources.

mod file;
mod tree;
mod worktree;

use sha2::{Digest as _, Sha256};

/// The digest of the bytes by the library itself, as 64 hex digits.
fn hex(bytes: impl AsRef<[u8]>) -> String {
    Sha256::digest(bytes)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// The digest of records, each part of which ends with a zero byte.
fn of_records<P: AsRef<[u8]>, const N: usize>(records: &[[P; N]]) -> String {
    let mut bytes = Vec::new();
    for part in records.iter().flatten() {
        bytes.extend_from_slice(part.as_ref());
        bytes.push(0);
    }
    format!("sha256:{}", hex(bytes))
}
