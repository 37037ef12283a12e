//! The whole preflight and the whole run in one process, against a stand-in.
//!
//! With `IOP_SMOKE_CLAUDE` they are measured with that CLI as well, and so is
//! the CLI alone.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use divan::Bencher;
use harness::claude::command::ARGUMENTS;
use harness::claude::environment::of_run;
use harness::constants::{CLEAN_UP_BOUND, PROMPT, RESULT_FILE};
use harness::deployment::{Deployment, Host};
use harness::environment::Environment;
use harness::environment::runner::Runner;
use harness::executables;
use harness::interrupt::Interrupt;
use harness::measure::Measurements;
use harness::process::Supervisor;
use harness::{preflight, run};
use standin::client::RealClient;
use standin::deployment::{Parts, Standin};

/// Root of the suite.
pub(crate) const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

#[divan::bench(args = clients(), sample_count = 20, sample_size = 1)]
fn preflight_alone(bencher: Bencher<'_, '_>, client: &str) {
    let scene = Scene::with(client);
    bencher.bench_local(|| {
        preflight::all(&Measurements::new(&scene.deployment)).expect("it passes");
    });
}

#[divan::bench(args = clients(), sample_count = 10, sample_size = 1)]
fn run_with_preflight(bencher: Bencher<'_, '_>, client: &str) {
    let scene = Scene::with(client);
    bencher
        .with_inputs(|| scene.reset())
        .bench_local_values(|()| run::single_request(&scene.deployment).expect("it passes"));
}

#[divan::bench(args = clients(), sample_count = 10, sample_size = 1)]
fn client_alone(bencher: Bencher<'_, '_>, client: &str) {
    let scene = Scene::with(client);
    bencher
        .with_inputs(|| scene.reset())
        .bench_local_values(|()| {
            let home = tempfile::tempdir().expect("a folder can be made");
            let status = Command::new(&scene.standin.client().executable)
                .args(ARGUMENTS)
                .arg(PROMPT)
                .current_dir(scene.standin.path("workspace"))
                .env_clear()
                .envs(of_run(&scene.deployment, home.path()).expect("inputs are complete"))
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .status();
            assert!(status.expect("it can be started").success());
        });
}

/// A stand-in deployment as the harness sees it, with the limits of the contract.
struct Scene {
    standin: Standin,
    deployment: Deployment,
}

impl Scene {
    fn with(client: &str) -> Self {
        let standin = Standin::start(&Parts {
            real_claude: (client == REAL).then(|| RealClient {
                executable: real().expect("a real CLI is named"),
                facts: Path::new(env!("CARGO_TARGET_TMPDIR")).join("claude-facts.json"),
            }),
            ..parts()
        });
        let standin = standin.expect("a stand-in can be started");
        let environment = standin.environment().clone();
        let supervisor = Supervisor::at(executables::supervisor().expect("it is built"));
        let interrupt = Interrupt::install(CLEAN_UP_BOUND).expect("signals can be handled");
        let mut deployment =
            Deployment::new(environment, &Runner::default(), supervisor, interrupt);
        deployment.host = Host {
            managed_settings: vec![standin.managed_settings()],
        };
        Self {
            standin,
            deployment,
        }
    }

    /// Removes what an earlier run left.
    fn reset(&self) {
        for left in ["out/manifest.json", &format!("workspace/{RESULT_FILE}")] {
            // The first time there is nothing.
            let _ = fs::remove_file(self.standin.path(left));
        }
    }
}

/// What stand-ins are made from.
pub(crate) fn parts() -> Parts {
    let path = Environment::of_process();
    let path = path.get("PATH").unwrap_or_default();
    Parts::under(Path::new(ROOT), path).expect("the stand-ins are built")
}

const REAL: &str = "real CLI";

fn clients() -> Vec<&'static str> {
    match real() {
        Some(_) => vec!["stand-in", REAL],
        None => vec!["stand-in"],
    }
}

fn real() -> Option<PathBuf> {
    Environment::of_process()
        .get("IOP_SMOKE_CLAUDE")
        .map(PathBuf::from)
}
