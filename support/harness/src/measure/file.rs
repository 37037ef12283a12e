//! Files that inputs name: opened once, never through a link, digested through that descriptor.

use std::path::Path;

use crate::constants::BODY_BOUND;
use crate::digest::file::{FileDigest, FileError, RegularFile};
use crate::reason::Reason;
use crate::refusal::{Circumstance, Refusal, Verdict};

/// What a file is in the deployment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Claude Code executable.
    Claude,
    /// Edge executable.
    Edge,
    /// Node executable.
    Node,
    /// Edge configuration.
    Config,
}

impl Role {
    /// Every role; the order is that of the discriminants.
    pub const ALL: [Self; 4] = [Self::Claude, Self::Edge, Self::Node, Self::Config];

    const fn reason(self) -> Reason {
        match self {
            Self::Claude => Reason::ClaudeExecutable,
            Self::Edge => Reason::EdgeExecutable,
            Self::Node => Reason::NodeExecutable,
            Self::Config => Reason::EdgeConfig,
        }
    }
}

/// Opens a file of this role; an executable must have an execute bit.
///
/// # Errors
/// The role's reason.
pub fn inspect(role: Role, path: &Path) -> Verdict<RegularFile> {
    let file = open(role.reason(), path)?;
    if role != Role::Config && !file.is_executable() {
        return Err(Refusal::new(role.reason())
            .detail(Circumstance::NotExecutable)
            .expected("a file with an execute bit")
            .found("one without"));
    }
    Ok(file)
}

/// Identity and digest of a file of this role.
///
/// # Errors
/// The role's reason.
pub fn digest(role: Role, path: &Path) -> Verdict<FileDigest> {
    inspect(role, path)?
        .digest()
        .map_err(|error| refusal(role.reason(), error))
}

/// A small file with its bytes.
///
/// # Errors
/// `reason`; files over 1 MiB are refused.
pub fn read(reason: Reason, path: &Path) -> Verdict<(FileDigest, Vec<u8>)> {
    let file = open(reason, path)?;
    if file.size() > BODY_BOUND as u64 {
        return Err(Refusal::new(reason).detail(Circumstance::TooLarge));
    }
    file.read().map_err(|error| refusal(reason, error))
}

/// Opens a regular file that is no link.
///
/// # Errors
/// `reason`, with what is there instead.
pub fn open(reason: Reason, path: &Path) -> Verdict<RegularFile> {
    RegularFile::open(path).map_err(|error| refusal(reason, error))
}

fn refusal(reason: Reason, error: FileError) -> Refusal {
    Refusal::new(reason)
        .detail(error.circumstance())
        .expected("a readable regular file")
        .caused_by(error)
}
