//! Stand-in for the Node executable: `version`.

use std::process::ExitCode;

use script::invocation::Invocation;
use script::{Printed, defaults};

mod answer;

fn main() -> ExitCode {
    let Ok(invocation) = Invocation::of_this_process() else {
        return ExitCode::from(70);
    };
    answer::answer(&invocation, |arguments| match arguments {
        ["version"] => Some(Printed::text(defaults::NODE_VERSION)),
        _ => None,
    })
}
