//! The code of a refusal: what it says in members of closed sets.

use std::fmt;

use crate::reason::{ClaudeReason, Reason};

/// A refusal in a few words: `config-digest`, `claude-failed api-rejected http-404`,
/// `observation-mismatch stage-order`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Code {
    /// The reason.
    pub reason: Reason,
    /// Why the Claude run failed; the class follows from it.
    pub claude: Option<ClaudeReason>,
    /// Id of the member of a closed set that tells cases of one reason apart.
    pub detail: Option<&'static str>,
}

impl From<Reason> for Code {
    fn from(reason: Reason) -> Self {
        Self {
            reason,
            claude: None,
            detail: None,
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.reason)?;
        if let Some(claude) = self.claude {
            write!(f, " {} {claude}", claude.class())?;
        }
        if let Some(detail) = self.detail {
            write!(f, " {detail}")?;
        }
        Ok(())
    }
}
