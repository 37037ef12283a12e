//! `iop-smoke-present [--with-file] PROFILE [ARGUMENT…]`
//!
//! Runs `cargo nextest run --profile PROFILE ARGUMENT…`, shows the steps of the run as it takes
//! them, and at the end what came of it. Exits as nextest does. `--with-file` says that the
//! variables come from a file that was given to `make`.

use std::env;
use std::error::Error;
use std::process::ExitCode;

use presenter::{Invocation, present};

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let mut arguments = env::args_os().skip(1).peekable();
    let with_file = arguments
        .next_if(|argument| argument == "--with-file")
        .is_some();
    let profile = arguments
        .next()
        .and_then(|profile| profile.into_string().ok());
    let invocation = Invocation {
        profile: profile.ok_or("usage: iop-smoke-present [--with-file] PROFILE [ARGUMENT…]")?,
        arguments: arguments.collect(),
        with_file,
    };
    Ok(present(&invocation)?)
}
