//! `iop-smoke-present PROFILE [ARGUMENT…]`: `cargo nextest run --profile PROFILE ARGUMENT…` with the
//! steps of the run shown as it takes them. Exits as nextest does.

use std::env;
use std::error::Error;
use std::process::ExitCode;

use presenter::{Invocation, present};

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let mut arguments = env::args_os().skip(1);
    let profile = arguments.next().and_then(|profile| profile.into_string().ok());
    let invocation = Invocation {
        profile: profile.ok_or("usage: iop-smoke-present PROFILE [ARGUMENT…]")?,
        arguments: arguments.collect(),
    };
    Ok(present(&invocation)?)
}
