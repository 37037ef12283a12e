//! Administrator settings of Claude Code, which override every flag and variable.
//!
//! The rules are those of its documentation on managed settings: one file
//! `managed-settings.json` and a folder `managed-settings.d` of more.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::closed_set::closed_set;
use crate::json;
use crate::measure::Measurements;
use crate::reason::Reason;
use crate::refusal::{Refusal, Verdict};

closed_set! {
    /// What is wrong with the administrator settings.
    pub enum SettingsFault(meaning) {
        Unreadable => "unreadable", "settings that cannot be read";
        Malformed => "malformed", "settings that are no JSON object";
        Variable => "variable", "a variable that begins with ANTHROPIC_ or CLAUDE";
        Proxy => "proxy", "a proxy";
        Helper => "helper", "an apiKeyHelper";
    }
}

/// Refuses administrator settings that could redirect the run.
pub(super) fn settings(m: &Measurements<'_>) -> Verdict {
    for folder in &m.deployment().host.managed_settings {
        for file in files(folder).map_err(refusal)? {
            match read(&file) {
                Ok(bytes) => judge(&bytes).map_err(refusal)?,
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(_) => return Err(refusal(SettingsFault::Unreadable)),
            }
        }
    }
    Ok(())
}

/// The bytes of a file, or of the file that a link leads to. Reading a FIFO would wait forever.
fn read(path: &Path) -> io::Result<Vec<u8>> {
    if fs::metadata(path)?.is_file() {
        fs::read(path)
    } else {
        Err(io::ErrorKind::InvalidInput.into())
    }
}

/// The settings files that a folder may hold.
fn files(folder: &Path) -> Result<Vec<PathBuf>, SettingsFault> {
    let mut files = vec![folder.join("managed-settings.json")];
    match fs::read_dir(folder.join("managed-settings.d")) {
        Ok(entries) => {
            for entry in entries {
                let path = entry.map_err(|_| SettingsFault::Unreadable)?.path();
                if path
                    .extension()
                    .is_some_and(|extension| extension == "json")
                {
                    files.push(path);
                }
            }
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(_) => return Err(SettingsFault::Unreadable),
    }
    Ok(files)
}

/// Judges one file.
fn judge(bytes: &[u8]) -> Result<(), SettingsFault> {
    let settings = json::parse(bytes).map_err(|_| SettingsFault::Malformed)?;
    let settings = settings.as_object().ok_or(SettingsFault::Malformed)?;
    if settings.contains_key("apiKeyHelper") {
        return Err(SettingsFault::Helper);
    }
    let none = serde_json::Map::new();
    let variables = match settings.get("env") {
        None => &none,
        Some(Value::Object(variables)) => variables,
        Some(_) => return Err(SettingsFault::Malformed),
    };
    for name in variables.keys() {
        if name.starts_with("ANTHROPIC_") || name.starts_with("CLAUDE") {
            return Err(SettingsFault::Variable);
        }
        if name.to_ascii_uppercase().ends_with("_PROXY") {
            return Err(SettingsFault::Proxy);
        }
    }
    Ok(())
}

fn refusal(fault: SettingsFault) -> Refusal {
    Refusal::new(Reason::ManagedSettings)
        .detail(fault)
        .expected("no settings that redirect the run")
        .found(fault.meaning())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_judged_by_what_they_redirect() {
        for (settings, expected) in [
            (r"{}", Ok(())),
            (
                r#"{"env":{"FOO":"1","MY_PROXY_LIST":"x"},"permissions":{}}"#,
                Ok(()),
            ),
            (
                r#"{"env":{"ANTHROPIC_BASE_URL":"x"}}"#,
                Err(SettingsFault::Variable),
            ),
            (
                r#"{"env":{"CLAUDE_CODE_USE_BEDROCK":"1"}}"#,
                Err(SettingsFault::Variable),
            ),
            (r#"{"env":{"https_proxy":"x"}}"#, Err(SettingsFault::Proxy)),
            (r#"{"apiKeyHelper":"/bin/x"}"#, Err(SettingsFault::Helper)),
            (r#"{"env":[]}"#, Err(SettingsFault::Malformed)),
            ("[]", Err(SettingsFault::Malformed)),
            (r#"{"env":{},"env":{}}"#, Err(SettingsFault::Malformed)),
            ("{", Err(SettingsFault::Malformed)),
        ] {
            assert_eq!(judge(settings.as_bytes()), expected, "{settings}");
        }
    }
}
