//! The environment that processes of the deployment get, and nothing else whatever the caller has set.

use std::collections::hash_map::RandomState;
use std::ffi::{OsStr, OsString};
use std::hash::{BuildHasher as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use supervisor::private::{CONFIG, HOME, TMP};

use crate::deployment::Deployment;
use crate::measure::given;
use crate::process::{NotStarted, ProcessError};
use crate::reason::Reason;
use crate::refusal::{Refusal, Verdict};

/// Variables of the caller that are handed on if they are set.
const INHERITED: [&str; 3] = ["PATH", "LANG", "TZ"];

/// A path for a private home that nobody has yet, outside the workspace.
///
/// It is not made here: the supervisor makes and removes it, so that it goes
/// however this process ends.
///
/// # Errors
/// `private-home` if the temporary folder is missing or inside the workspace.
pub fn private_home(deployment: &Deployment) -> Verdict<PathBuf> {
    let refuse = |found: &'static str| Refusal::new(Reason::PrivateHome).found(found);
    let base = deployment
        .environment
        .get("TMPDIR")
        .unwrap_or(OsStr::new("/tmp"));
    let base = Path::new(base)
        .canonicalize()
        .map_err(|_| refuse("no temporary directory at TMPDIR"))?;
    if deployment
        .inputs
        .workspace
        .as_ref()
        .is_ok_and(|workspace| base.starts_with(workspace))
    {
        return Err(refuse("a temporary directory inside the workspace"));
    }
    let unique = RandomState::new().build_hasher().finish();
    Ok(base.join(format!("iop-smoke-{}-{unique:016x}", std::process::id())))
}

/// The refusal for a process that could not be run.
pub fn refused(error: ProcessError, otherwise: Reason) -> Refusal {
    let reason = match error {
        ProcessError::Interrupted(_) => Reason::Interrupted,
        ProcessError::PrivateLeft
        | ProcessError::NotStarted {
            why: NotStarted::Private,
            ..
        } => Reason::PrivateHome,
        ProcessError::SupervisorDied
        | ProcessError::NotStarted {
            why: NotStarted::Order | NotStarted::Supervisor | NotStarted::Watch,
            ..
        } => Reason::SupervisorMissing,
        ProcessError::Left | ProcessError::NotStarted { .. } | ProcessError::Watch(_) => otherwise,
    };
    Refusal::new(reason).caused_by(error)
}

/// The variables of a command such as `--version`.
pub fn of_question(deployment: &Deployment, private: &Path) -> Vec<(OsString, OsString)> {
    let mut variables = inherited(deployment, private);
    variables.push(("DISABLE_AUTOUPDATER".into(), "1".into()));
    variables.push((
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC".into(),
        "1".into(),
    ));
    variables
}

/// The variables of the CLI's run.
///
/// # Errors
/// Those of the inputs that go into it.
pub fn of_run(deployment: &Deployment, private: &Path) -> Verdict<Vec<(OsString, OsString)>> {
    let inputs = &deployment.inputs;
    let mut variables = inherited(deployment, private);
    variables.extend(given(&inputs.pass)?.iter().cloned());
    let timeout = api_timeout(*given(&inputs.run_timeout)?);
    let fixed = [
        (
            "ANTHROPIC_BASE_URL",
            given(&inputs.base_url)?.text().to_owned(),
        ),
        ("ANTHROPIC_MODEL", given(&inputs.model)?.text().to_owned()),
        (
            "ANTHROPIC_API_KEY",
            given(&inputs.secret)?.expose().to_owned(),
        ),
        ("API_TIMEOUT_MS", timeout.as_millis().to_string()),
        ("CLAUDE_CODE_MAX_RETRIES", "0".to_owned()),
        ("CLAUDE_CODE_DISABLE_EXPERIMENTAL_BETAS", "1".to_owned()),
        ("CLAUDE_CODE_DISABLE_TERMINAL_TITLE", "1".to_owned()),
        ("CLAUDE_CODE_DISABLE_NONSTREAMING_FALLBACK", "1".to_owned()),
        ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1".to_owned()),
        ("DISABLE_AUTOUPDATER", "1".to_owned()),
    ];
    variables.extend(fixed.map(|(name, value)| (name.into(), value.into())));
    Ok(variables)
}

/// What every process gets: the allow-listed variables of the caller and the private folders.
fn inherited(deployment: &Deployment, private: &Path) -> Vec<(OsString, OsString)> {
    let allowed = |name: &OsStr| {
        INHERITED.iter().any(|allowed| name == *allowed)
            || name.to_str().is_some_and(|name| name.starts_with("LC_"))
    };
    let mut variables: Vec<(OsString, OsString)> = deployment
        .environment
        .iter()
        .filter(|(name, value)| allowed(name) && !value.is_empty())
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    variables.push(("TERM".into(), "dumb".into()));
    variables.push(("HOME".into(), private.join(HOME).into()));
    variables.push(("CLAUDE_CONFIG_DIR".into(), private.join(CONFIG).into()));
    variables.push(("TMPDIR".into(), private.join(TMP).into()));
    variables
}

/// A little below the run's own bound, so that the CLI can say itself that no answer came.
fn api_timeout(bound: Duration) -> Duration {
    bound.saturating_sub(Duration::from_secs(5)).max(bound / 2)
}
