//! The live smoke in an executable of its own, for tests that signal and kill it.
//!
//! `standin-smoke MANAGED GRACE-MS QUIET-MS` runs what `tests/smoke` runs under a live profile,
//! against the deployment that its environment names, with this folder in place of the host's
//! administrator settings and these limits in place of the contract's.

use std::env;
use std::error::Error;
use std::ffi::OsString;
use std::time::Duration;

use harness::constants::CLEAN_UP_BOUND;
use harness::deployment::{Deployment, Host, Limits};
use harness::environment::Environment;
use harness::environment::runner::Runner;
use harness::interrupt::Interrupt;
use harness::process::Supervisor;
use harness::{executables, report, run};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args_os().skip(1);
    let managed = arguments.next().ok_or("a folder is missing")?;
    let grace = milliseconds(arguments.next())?;
    let quiet = milliseconds(arguments.next())?;
    let environment = Environment::of_process();
    let runner = Runner::of(&environment);
    let supervisor = Supervisor::at(executables::supervisor()?);
    let interrupt = Interrupt::install(CLEAN_UP_BOUND)?;
    let mut deployment = Deployment::new(environment, &runner, supervisor, interrupt);
    deployment.host = Host {
        managed_settings: vec![managed.into()],
    };
    deployment.limits = Limits {
        grace,
        quiet,
        ..Limits::contract()
    };
    report::proof(&run::single_request(&deployment)?)?;
    Ok(())
}

fn milliseconds(argument: Option<OsString>) -> Result<Duration, Box<dyn Error>> {
    let argument = argument.ok_or("a time is missing")?;
    let number = argument.to_str().ok_or("a time is not text")?;
    Ok(Duration::from_millis(number.parse()?))
}
