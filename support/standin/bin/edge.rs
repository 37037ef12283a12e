//! Stand-in for the Edge executable: `version` and `config check --config FILE`.

use std::process::ExitCode;

use script::{Printed, defaults};

mod answer;

fn main() -> ExitCode {
    answer::answer(|arguments| match arguments {
        ["version"] => Some(Printed::text(defaults::EDGE_VERSION)),
        ["config", "check", "--config", file] => {
            let accepted = std::fs::read_to_string(file).is_ok_and(|text| text.contains("stages:"));
            Some(if accepted {
                Printed::text(defaults::CONFIG_CHECK)
            } else {
                Printed {
                    stderr: "configuration refused\n".into(),
                    exit: 1,
                    ..Printed::default()
                }
            })
        }
        _ => None,
    })
}
