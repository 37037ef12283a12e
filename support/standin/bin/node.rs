//! Stand-in for the Node executable: `version`.

use std::process::ExitCode;

use script::{Printed, defaults};

mod answer;

fn main() -> ExitCode {
    answer::answer(|arguments| match arguments {
        ["version"] => Some(Printed::text(defaults::NODE_VERSION)),
        _ => None,
    })
}
