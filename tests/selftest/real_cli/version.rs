//! Versions of the CLI that are known to differ.

use harness::digest::Digest;

/// A version, as far as rows tell it apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Version {
    /// 2.1.113, the oldest native build.
    V113,
    /// 2.1.220.
    V220,
    /// 2.1.332, and whatever is newer.
    Newest,
}

impl Version {
    /// The version by the digest of what `--version` prints.
    pub(super) fn of(printed: Digest) -> Self {
        let is = |version: &str| printed == Digest::of(format!("{version} (Claude Code)\n"));
        if is("2.1.113") {
            Self::V113
        } else if is("2.1.220") {
            Self::V220
        } else {
            Self::Newest
        }
    }
}
