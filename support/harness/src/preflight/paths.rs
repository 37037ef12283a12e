//! Checks of files and folders.

use std::fs;
use std::io;
use std::path::Path;

use nix::unistd::{AccessFlags, access};

use crate::constants::{OBSERVATION_TAIL, RESULT_FILE, SETTINGS_DIR};
use crate::digest::file::RegularFile;
use crate::measure::file::{self, Role};
use crate::measure::{Measurements, given};
use crate::observation::admission;
use crate::reason::Reason;
use crate::refusal::{Circumstance, Fact, Refusal, Verdict};

/// Refuses an executable or configuration that is not what its variable promises.
pub(super) fn file(m: &Measurements<'_>, role: Role) -> Verdict {
    file::inspect(role, m.path(role)?).map(drop)
}

/// The log, opened.
pub(super) fn observation_log(m: &Measurements<'_>) -> Verdict<RegularFile> {
    file::open(
        Reason::ObservationLog,
        given(&m.deployment().inputs.observation)?,
    )
}

/// Refuses a file that holds no line of an Edge in its last 1 MiB.
pub(super) fn observation_plain(m: &Measurements<'_>) -> Verdict {
    let log = observation_log(m)?;
    let tail = log
        .tail(OBSERVATION_TAIL)
        .map_err(|error| Refusal::new(Reason::ObservationLog).caused_by(error))?;
    if admission::is_edge_log(&tail) {
        return Ok(());
    }
    Err(Refusal::new(Reason::ObservationPlain)
        .expected("a JSON line that only an Edge writes")
        .found(Fact::Count(tail.len() as u64, "bytes without one")))
}

/// Refuses a workspace that is not the canonical path of a writable directory.
pub(super) fn workspace(m: &Measurements<'_>) -> Verdict {
    directory(Reason::Workspace, given(&m.deployment().inputs.workspace)?)
}

/// Refuses project settings in the workspace.
pub(super) fn workspace_settings(m: &Measurements<'_>) -> Verdict {
    let workspace = given(&m.deployment().inputs.workspace)?;
    absent(Reason::WorkspaceSettings, &workspace.join(SETTINGS_DIR))
}

/// Refuses a result from before.
pub(super) fn result_existing(m: &Measurements<'_>) -> Verdict {
    let workspace = given(&m.deployment().inputs.workspace)?;
    absent(Reason::ResultExisting, &workspace.join(RESULT_FILE))
}

/// Refuses an output that exists.
pub(super) fn output_existing(m: &Measurements<'_>) -> Verdict {
    absent(
        Reason::OutputExisting,
        given(&m.deployment().inputs.output)?,
    )
}

/// Refuses an output without a canonical, writable parent.
pub(super) fn output_target(m: &Measurements<'_>) -> Verdict {
    let output = given(&m.deployment().inputs.output)?;
    target(Reason::OutputTarget, output)
}

/// Refuses a path whose parent is not the canonical path of a writable directory.
///
/// # Errors
/// `reason`.
pub fn target(reason: Reason, path: &Path) -> Verdict {
    if !path.is_absolute() {
        return Err(Refusal::new(reason)
            .detail(Circumstance::Relative)
            .expected("an absolute path"));
    }
    match (path.parent(), path.file_name()) {
        // `Path` overlooks a final slash or dot, which open(2) does not.
        (Some(parent), Some(name)) if path.as_os_str() == parent.join(name).as_os_str() => {
            directory(reason, parent)
        }
        _ => Err(Refusal::new(reason)
            .detail(Circumstance::NoFileName)
            .expected("the path of a file")),
    }
}

fn directory(reason: Reason, path: &Path) -> Verdict {
    let refuse = |sub, found| {
        Refusal::new(reason)
            .detail(sub)
            .expected("the canonical path of a directory")
            .found(found)
    };
    let metadata = match fs::symlink_metadata(path) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Err(refuse(Circumstance::Absent, Fact::from(&error)));
        }
        Err(error) => return Err(refuse(Circumstance::Unreadable, Fact::from(&error))),
    };
    if metadata.is_symlink() {
        return Err(refuse(Circumstance::Link, Fact::State("a symbolic link")));
    }
    if !metadata.is_dir() {
        return Err(refuse(
            Circumstance::NotADirectory,
            Fact::State("something else"),
        ));
    }
    let canonical = path
        .canonicalize()
        .map_err(|error| refuse(Circumstance::Unreadable, Fact::from(&error)))?;
    if canonical.as_os_str() != path.as_os_str() {
        return Err(refuse(
            Circumstance::NotCanonical,
            Fact::State("another path to it"),
        ));
    }
    access(path, AccessFlags::W_OK | AccessFlags::X_OK).map_err(|errno| {
        Refusal::new(reason)
            .detail(Circumstance::ReadOnly)
            .expected("a directory that may be written to")
            .found(Fact::from(&io::Error::from(errno)))
    })
}

/// Refuses anything at a path, a dangling link included.
///
/// # Errors
/// `reason`.
pub fn absent(reason: Reason, path: &Path) -> Verdict {
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(Refusal::new(reason)
            .detail(Circumstance::Unreadable)
            .expected("nothing")
            .found(&error)),
        Ok(metadata) if metadata.is_symlink() => Err(Refusal::new(reason)
            .detail(Circumstance::Link)
            .expected("nothing")
            .found("a symbolic link")),
        Ok(_) => Err(Refusal::new(reason).expected("nothing").found("something")),
    }
}
