//! Checks of texts: inputs and the CLI's help.

use crate::constants::ClaudeFlag;
use crate::inputs::Input;
use crate::measure::{Measurements, given};
use crate::reason::Reason;
use crate::refusal::{Fact, Refusal, Verdict};

/// Refuses a malformed input.
pub(super) fn well_formed<T>(input: &Input<T>) -> Verdict {
    given(input).map(drop)
}

/// Refuses a CLI whose help lacks a flag that the run uses.
pub(super) fn claude_flags(measurements: &Measurements<'_>) -> Verdict {
    let help = measurements.claude_help()?;
    let missing = missing_flags(&String::from_utf8_lossy(help));
    let Some(&first) = missing.first() else {
        return Ok(());
    };
    let flags = missing.iter().map(|flag| Fact::State(flag.id()));
    Err(Refusal::new(Reason::ClaudeFlags)
        .detail(first)
        .expected("help that lists every flag of the run")
        .found(Fact::List(flags.collect()))
        .line(&["found lists the flags that are missing"]))
}

/// The flags that a help text does not list as words of their own.
fn missing_flags(help: &str) -> Vec<ClaudeFlag> {
    let listed: Vec<&str> = help
        .split(|char: char| !(char.is_ascii_alphanumeric() || char == '-'))
        .collect();
    let flags = ClaudeFlag::ALL.iter().copied();
    flags.filter(|flag| !listed.contains(&flag.id())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_longer_flag_does_not_stand_for_a_shorter_one() {
        let help = "-p, --print\n--output-format <f>\n--verbose\n--no-session-persistence\n\
                    --bare-metal\n--setting-sources <s>";
        assert_eq!(missing_flags(help), [ClaudeFlag::Bare]);
    }
}
