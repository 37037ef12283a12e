//! Rows of the preflight: name, check, code, change.

use harness::reason::Reason;
use standin::deployment::Extent;

use crate::trial::Trial;

/// Asserts that a check passes for the control, and refuses with this code
/// once the change is made.
#[track_caller]
pub(super) fn refused(id: Reason, code: &str, change: impl FnOnce(&mut Trial)) {
    let mut trial = Trial::in_part(needed_by(id));
    trial.assert_passes(id);
    change(&mut trial);
    trial.assert_refused(trial.check(id), code, 0);
}

/// Asserts that a check passes all the same once the change is made.
#[track_caller]
pub(super) fn passes(id: Reason, change: impl FnOnce(&mut Trial)) {
    let mut trial = Trial::in_part(needed_by(id));
    change(&mut trial);
    trial.assert_passes(id);
}

/// What a check looks at. A check that looks at more refuses the control.
fn needed_by(id: Reason) -> Extent {
    let files = Extent::FILES;
    match id {
        Reason::SourceHead | Reason::SourceBranch | Reason::SourceWorktree => Extent {
            checkout: true,
            ..files
        },
        Reason::ClaudeExecutable
        | Reason::ClaudeDigest
        | Reason::ClaudeVersion
        | Reason::ClaudeHelp
        | Reason::ClaudeFlags
        | Reason::ClaudeVersionDigest
        | Reason::ClaudeHelpDigest => Extent {
            executables: &["claude"],
            ..files
        },
        Reason::EdgeExecutable
        | Reason::EdgeDigest
        | Reason::EdgeVersion
        | Reason::EdgeVersionDigest
        | Reason::ConfigCheck
        | Reason::ConfigCheckDigest => Extent {
            executables: &["edge"],
            ..files
        },
        Reason::NodeExecutable
        | Reason::NodeDigest
        | Reason::NodeVersion
        | Reason::NodeVersionDigest => Extent {
            executables: &["node"],
            ..files
        },
        Reason::HealthListener
        | Reason::MessagesListener
        | Reason::MetricsListener
        | Reason::MetricsCounter
        | Reason::CatalogAuth
        | Reason::CatalogBody
        | Reason::CatalogModel
        | Reason::CatalogIngress => Extent {
            edge: true,
            ..files
        },
        _ => files,
    }
}

/// Declares rows: each becomes a test of its own, and its code is listed in `CODES`.
macro_rules! rows {
    ( $( $name:ident: $id:ident => $code:literal, $change:expr; )* ) => {
        $(
            #[test]
            fn $name() {
                crate::preflight::row::refused(harness::reason::Reason::$id, $code, $change);
            }
        )*

        /// The codes that the rows expect.
        pub(crate) const CODES: &[&str] = &[ $( $code, )* ];
    };
}

/// Declares rows with changes that a check must put up with.
macro_rules! accepted {
    ( $( $name:ident: $id:ident, $change:expr; )* ) => {
        $(
            #[test]
            fn $name() {
                crate::preflight::row::passes(harness::reason::Reason::$id, $change);
            }
        )*
    };
}

pub(super) use {accepted, rows};
