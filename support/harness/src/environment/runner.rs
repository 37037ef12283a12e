//! What cargo-nextest and cargo tell a test about the run it belongs to.
//!
//! The names are those of the runner's documentation, "Environment variables
//! Nextest sets", and of The Cargo Book, "Environment variables Cargo sets for
//! crates". Only run-time values are used: those of compile time are wrong in
//! an archive.

use std::path::{Path, PathBuf};
use std::{fs, io};

use super::Environment;
use crate::reason::Reason;
use crate::refusal::{Refusal, Verdict};

/// Profiles under which the environment is the only source of the deployment.
pub const LIVE_PROFILES: [&str; 4] = ["evidence", "evidence-diff", "smoke-live", "validate"];

/// The run that a test belongs to.
#[derive(Clone, Debug, Default)]
pub struct Runner {
    profile: Option<String>,
    run_id: Option<String>,
    root: Option<PathBuf>,
    repeated: bool,
}

impl Runner {
    /// Reads the runner's variables.
    pub fn of(environment: &Environment) -> Self {
        let text = |name| {
            environment
                .get(name)
                .and_then(|value| value.to_str())
                .map(str::to_owned)
        };
        // An attempt id ends with `#N` from the second attempt on.
        let retry = text("NEXTEST_ATTEMPT").is_some_and(|attempt| attempt != "1")
            || text("NEXTEST_ATTEMPT_ID").is_some_and(|id| attempt_number(&id) != 1);
        let stress = text("NEXTEST_STRESS_CURRENT").is_some_and(|current| current != "none");
        // A profile that the runner did not set is none: `cargo test` has no order
        // and no groups, and must not go live because of a variable.
        let run_id = text("NEXTEST_RUN_ID");
        let by_nextest = text("NEXTEST").as_deref() == Some("1") && run_id.is_some();
        Self {
            profile: text("NEXTEST_PROFILE").filter(|_| by_nextest),
            run_id,
            root: environment
                .get("NEXTEST_WORKSPACE_ROOT")
                .or_else(|| environment.get("CARGO_MANIFEST_DIR"))
                .map(PathBuf::from),
            repeated: retry || stress,
        }
    }

    /// The nextest profile; none under plain `cargo test`.
    pub fn profile(&self) -> Option<&str> {
        self.profile.as_deref()
    }

    /// The id of the nextest run.
    pub fn run_id(&self) -> Option<&str> {
        self.run_id.as_deref()
    }

    /// The root of the suite's own checkout.
    pub fn root(&self) -> Option<&Path> {
        self.root.as_deref()
    }

    /// Whether a test that is live under the profile `own` is live now.
    ///
    /// Under any other profile than the live ones it is not. Under another live
    /// profile it is refused: that one promises never to fall back to a stand-in,
    /// and this test would do what it does not promise.
    ///
    /// # Errors
    /// `live-profile`, and `live-repeat` as for [`Self::sent_once`].
    pub fn is_live(&self, own: &str) -> Verdict<bool> {
        match self.profile() {
            Some(profile) if profile == own => self.sent_once().map(|()| true),
            Some(profile) if LIVE_PROFILES.contains(&profile) => {
                Err(Refusal::new(Reason::LiveProfile)
                    .expected("the live profile of this test")
                    .found("another live profile"))
            }
            _ => Ok(false),
        }
    }

    /// Refuses stress repetition and retries: a live request is sent once.
    pub fn sent_once(&self) -> Verdict {
        if self.repeated {
            return Err(Refusal::new(Reason::LiveRepeat)
                .expected("the first and only attempt")
                .found("a repetition"));
        }
        Ok(())
    }

    /// Makes the folder that this run's manifest goes to unless told otherwise,
    /// and gives the manifest's path: in the profile's nextest output folder,
    /// named after the run. There is none outside a nextest run.
    ///
    /// # Errors
    /// The folder could not be made.
    pub fn default_output(&self) -> io::Result<Option<PathBuf>> {
        let (Some(root), Some(profile), Some(run_id)) =
            (self.root(), self.profile(), self.run_id())
        else {
            return Ok(None);
        };
        // The profile's own file is written there at the end of the run only.
        let folder = root.join("target/nextest").join(profile);
        fs::create_dir_all(&folder)?;
        Ok(Some(
            folder
                .canonicalize()?
                .join(format!("manifest-{run_id}.json")),
        ))
    }
}

fn attempt_number(id: &str) -> u32 {
    id.rsplit_once('#')
        .and_then(|(_, number)| number.parse().ok())
        .unwrap_or(1)
}
