//! The deployment that a test is about: the live one, or a stand-in.

use std::error::Error;
use std::path::PathBuf;

use harness::constants::{CLEAN_UP_BOUND, GRACE};
use harness::deployment::Deployment;
use harness::environment::Environment;
use harness::environment::runner::Runner;
use harness::executables;
use harness::interrupt::Interrupt;
use harness::process::Supervisor;
use harness::refusal::Verdict;
use standin::client::RealClient;
use standin::deployment::{Parts, Standin};
use standin::pace::in_real_time;

/// The profile that puts the real CLI into the stand-in, if one is named.
const STANDIN_PROFILE: &str = "smoke-standin";

/// A deployment under test.
pub(crate) struct Subject {
    /// What the harness sees.
    pub(crate) deployment: Deployment,
    /// The stand-in behind it; none when it is live.
    pub(crate) standin: Option<Standin>,
}

impl Subject {
    /// The deployment that a test is about, live under this profile alone.
    pub(crate) fn new(profile: &str) -> Verdict<Self> {
        Self::prepared(profile, |_| Ok(()))
    }

    /// The same, with a stand-in that is changed before it is looked at.
    pub(crate) fn prepared(
        profile: &str,
        prepare: impl FnOnce(&mut Standin) -> Result<(), Box<dyn Error>>,
    ) -> Verdict<Self> {
        assert!(CLEAN_UP_BOUND > GRACE);
        let caller = Environment::of_process();
        let runner = Runner::of(&caller);
        let supervisor = Supervisor::at(executables::supervisor()?);
        let interrupt =
            Interrupt::install(CLEAN_UP_BOUND).expect("signal handlers can be installed");
        let (environment, standin) = if runner.is_live(profile)? {
            let mut caller = caller;
            if caller.get("IOP_SMOKE_OUTPUT").is_none() {
                caller.set("IOP_SMOKE_OUTPUT", default_output(&runner));
            }
            (caller, None)
        } else {
            let mut standin = standin(&caller, &runner);
            prepare(&mut standin).expect("the stand-in can be changed");
            (standin.environment().clone(), Some(standin))
        };
        let deployment = Deployment::new(environment, &runner, supervisor, interrupt);
        Ok(Self {
            deployment,
            standin,
        })
    }
}

/// The real CLI that the user names for the stand-in profile, if any.
fn real_claude(caller: &Environment, runner: &Runner) -> Option<RealClient> {
    if runner.profile() != Some(STANDIN_PROFILE) {
        return None;
    }
    let executable = caller.get("IOP_SMOKE_CLAUDE")?.into();
    Some(RealClient {
        executable,
        facts: output_folder(runner).join("claude-facts.json"),
    })
}

/// Where the stand-in profile leaves what the user wants to see.
fn output_folder(runner: &Runner) -> PathBuf {
    let output = default_output(runner);
    output.parent().expect("it is in a folder").to_path_buf()
}

fn default_output(runner: &Runner) -> PathBuf {
    let output = runner
        .default_output()
        .expect("the output folder can be made");
    output.expect("nextest names its run")
}

fn standin(caller: &Environment, runner: &Runner) -> Standin {
    let embedded = runner.profile() == Some(STANDIN_PROFILE);
    let parts = Parts::built(caller, runner).expect("cargo or nextest built the stand-ins");
    let parts = Parts {
        real_claude: real_claude(caller, runner),
        ..parts
    };
    let mut standin = Standin::start(&parts).expect("a stand-in can be started");
    if embedded {
        // The manifest is what the user wants to see: it goes where a live one goes.
        standin.set("IOP_SMOKE_OUTPUT", default_output(runner));
        // Stages that take their time can be seen.
        in_real_time(&standin.edge, standin.path("edge.log"));
        // And whoever watches a live run watches this one.
        if let Some(listener) = caller.get("IOP_SMOKE_PROGRESS") {
            standin.set("IOP_SMOKE_PROGRESS", listener);
        }
    }
    standin
}
