//! A trial: a stand-in deployment that passes, one change, and what must come of it.

use std::fs;
use std::io::ErrorKind;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use harness::constants::{EXPECTED_LINE, GRACE};
use harness::deployment::{Deployment, Host, Limits};
use harness::environment::Environment;
use harness::environment::runner::Runner;
use harness::executables;
use harness::interrupt::Interrupt;
use harness::measure::Measurements;
use harness::preflight;
use harness::process::Supervisor;
use harness::reason::Reason;
use harness::redaction::{Forbidden, Kind};
use harness::refusal::{Refusal, Verdict};
use harness::run::{self, Proof};
use standin::client::RealClient;
use standin::deployment::{Extent, MODEL, Parts, SECRET, SECRET_VARIABLE, Standin};
use standin::processes;

/// Bound on the clean-up after a signal, which no trial gets.
pub(crate) const CLEAN_UP: Duration = Duration::from_secs(5);

/// Long enough that a busy machine does not pass it, where a trial waits for something to come.
pub(crate) const PATIENT: Duration = Duration::from_secs(20);

/// Short, where a trial waits for something that never comes.
pub(crate) const BRIEF: Duration = Duration::from_millis(300);

/// A deployment that passes until it is changed.
pub(crate) struct Trial {
    /// The deployment.
    pub(crate) standin: Standin,
    /// How long things may take.
    pub(crate) limits: Limits,
    /// Whether something at the output path is not ours and must stay as it is.
    pub(crate) foreign_output: bool,
    /// Whether checks and the run have not the privilege of passing over permissions.
    pub(crate) unprivileged: bool,
}

impl Trial {
    /// The control: nothing is wrong.
    pub(crate) fn new() -> Self {
        Self::in_part(Extent::WHOLE)
    }

    /// The control, with this real CLI in place of the stand-in.
    pub(crate) fn with_real_cli(executable: PathBuf) -> Self {
        let parts = parts();
        // Beside the executables that it is kept for.
        let facts = parts.executables.claude.with_extension("real-cli.json");
        let parts = Parts {
            real_claude: Some(RealClient { executable, facts }),
            ..parts
        };
        Self::of(&parts, Extent::WHOLE)
    }

    /// The control, of which only some parts are made.
    pub(crate) fn in_part(extent: Extent) -> Self {
        Self::of(&parts(), extent)
    }

    fn of(parts: &Parts, extent: Extent) -> Self {
        processes::adopt_orphans().expect("orphans can be adopted");
        let standin = Standin::start_in_part(parts, extent);
        Self {
            standin: standin.expect("a stand-in can be started"),
            limits: Limits {
                probe: PATIENT,
                command: PATIENT,
                grace: GRACE,
                settle: PATIENT,
                quiet: Duration::from_millis(60),
            },
            foreign_output: false,
            unprivileged: false,
        }
    }

    /// A path in the deployment's folder.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.standin.path(name)
    }

    /// The deployment as the harness sees it.
    pub(crate) fn deployment(&self) -> Deployment {
        let runner = Runner::of(&Environment::of_process());
        let supervisor = Supervisor::at(executables::supervisor().expect("it is built"));
        let interrupt = Interrupt::install(CLEAN_UP).expect("signals can be handled");
        let environment = self.standin.environment().clone();
        let mut deployment = Deployment::new(environment, &runner, supervisor, interrupt);
        deployment.limits = self.limits;
        deployment.host = Host {
            managed_settings: vec![self.standin.managed_settings()],
        };
        deployment
    }

    /// Runs one check.
    pub(crate) fn check(&self, id: Reason) -> Verdict {
        let deployment = self.deployment();
        self.privileged_or_not(|| preflight::check(id, &Measurements::new(&deployment)))
    }

    /// Asserts that one check passes.
    #[track_caller]
    pub(crate) fn assert_passes(&self, id: Reason) {
        if let Err(refusal) = self.check(id) {
            panic!("it is refused instead of passing: {refusal:?}");
        }
    }

    /// Runs the whole preflight.
    pub(crate) fn preflight(&self) -> Verdict {
        preflight::all(&Measurements::new(&self.deployment()))
    }

    /// Runs everything.
    pub(crate) fn run(&self) -> Verdict<Proof> {
        let deployment = self.deployment();
        self.privileged_or_not(|| run::single_request(&deployment))
    }

    fn privileged_or_not<T: Send>(&self, run: impl FnOnce() -> T + Send) -> T {
        if self.unprivileged {
            unprivileged(run)
        } else {
            run()
        }
    }

    /// Asserts that a verdict is a refusal with this code, and that it left
    /// nothing: no manifest, no process, no file, no private value in what is printed.
    #[track_caller]
    pub(crate) fn assert_refused<T>(&self, verdict: Verdict<T>, code: &str, claude_runs: usize) {
        let Err(refusal) = verdict else {
            panic!("it passes instead of being refused: {code}")
        };
        assert_eq!(refusal.code(), code, "{refusal:?}");
        assert_eq!(self.standin.claude_runs(), claude_runs, "starts of the CLI");
        self.assert_nothing_left();
        self.assert_silent(&refusal);
    }

    /// Asserts that nothing of a run is left but what was there.
    #[track_caller]
    pub(crate) fn assert_nothing_left(&self) {
        if !self.foreign_output {
            assert_eq!(names(&self.path("out")), Vec::<String>::new(), "published");
        }
        assert_eq!(
            names(&self.path("tmp")),
            Vec::<String>::new(),
            "left in the temporary folder"
        );
        assert_eq!(self.processes(), Vec::<String>::new(), "left running");
    }

    /// The same once the supervisors had time to clean up behind a harness that was killed.
    #[track_caller]
    pub(crate) fn assert_nothing_left_soon(&self) {
        let until = Instant::now() + PATIENT;
        // Nothing says that a process which is nobody's child is gone.
        while Instant::now() < until && !self.processes().is_empty() {
            thread::sleep(Duration::from_millis(10));
        }
        self.assert_nothing_left();
    }

    /// Asserts that the text of a refusal holds no private value in any encoding.
    #[track_caller]
    fn assert_silent(&self, refusal: &Refusal) {
        let printed = format!("{refusal}\n{refusal:?}\n{}", refusal.code());
        let hits = self.private_values().hits(printed.as_bytes());
        assert!(hits.is_empty(), "printed: {hits:?}");
        let canary = format!("{printed}{SECRET}");
        assert!(
            self.private_values().scan(canary.as_bytes()).is_some(),
            "the scan works"
        );
    }

    /// What must not be printed.
    pub(crate) fn private_values(&self) -> Forbidden {
        let variable = |name: &str| {
            let value = self.standin.environment().get(name).unwrap_or_default();
            value.as_bytes().to_vec()
        };
        Forbidden::new()
            .value(Kind::Secret, SECRET)
            .value(Kind::Secret, variable(SECRET_VARIABLE))
            .value(Kind::BaseUrl, variable("IOP_SMOKE_BASE_URL"))
            .value(Kind::Model, MODEL)
            .value(Kind::Model, variable("IOP_SMOKE_MODEL"))
            .value(
                Kind::WorkspacePath,
                self.path("workspace").as_os_str().as_bytes(),
            )
            .value(Kind::OutputPath, self.path("out").as_os_str().as_bytes())
            .value(Kind::ExpectedLine, EXPECTED_LINE)
    }

    /// Processes of the deployment besides this one.
    pub(crate) fn processes(&self) -> Vec<String> {
        if processes::any_descend() {
            processes::of(self.standin.root())
        } else {
            Vec::new()
        }
    }
}

/// What stand-ins are made from.
pub(crate) fn parts() -> Parts {
    let caller = Environment::of_process();
    Parts::built(&caller, &Runner::of(&caller)).expect("the stand-ins are built")
}

/// Runs something as root would without root's privilege of passing over
/// permissions: on a thread of its own, because each has its own capabilities.
#[cfg(target_os = "linux")]
fn unprivileged<T: Send>(run: impl FnOnce() -> T + Send) -> T {
    use rustix::thread::{CapabilitySet, CapabilitySets, set_capabilities};
    thread::scope(|scope| {
        let run = scope.spawn(|| {
            let none = CapabilitySets {
                effective: CapabilitySet::empty(),
                permitted: CapabilitySet::empty(),
                inheritable: CapabilitySet::empty(),
            };
            set_capabilities(None, none).expect("privileges can be given up");
            run()
        });
        run.join().expect("it does not panic")
    })
}

/// Tests are not run as root here.
#[cfg(not(target_os = "linux"))]
fn unprivileged<T>(run: impl FnOnce() -> T) -> T {
    run()
}

/// Names in a folder, sorted; none if it is not there.
pub(crate) fn names(folder: &Path) -> Vec<String> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Vec::new(),
        entries => entries.expect("the folder can be read"),
    };
    let mut names: Vec<String> = entries
        .map(|entry| {
            entry
                .expect("an entry")
                .file_name()
                .to_string_lossy()
                .into()
        })
        .collect();
    names.sort();
    names
}
