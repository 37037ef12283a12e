//! A run as its JUnit file and its manifest tell it.

use std::fmt;
use std::path::Path;

use harness::digest::Digest;
use harness::manifest::Manifest;
use harness::manifest::validate::validate;
use harness::measure::file;
use harness::reason::Reason;
use harness::refusal::{Refusal, Verdict};
use harness::schema::ManifestSchema;

pub mod code;
pub mod fault;
pub mod junit;
pub mod run_id;

use code::Failure;
use fault::JunitFault;
use junit::{Case, Ending, Junit};
use run_id::RunId;

/// A run of the smoke.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The id that nextest gave the run.
    pub run: RunId,
    /// What the run was about.
    pub subject: Subject,
    /// When it began.
    pub started: Started,
    /// How long it took, in milliseconds.
    pub elapsed_ms: u64,
    /// Every check in the order in which they run, then the run itself.
    pub steps: Vec<Step>,
    /// The manifest that was given, which keeps every rule of its format.
    pub manifest: Option<Published>,
}

/// What a run was about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A live deployment: profile `smoke-live`.
    Live,
    /// The embedded stand-in: profile `smoke-standin`.
    Standin,
}

impl Subject {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Live, Self::Standin];

    /// The nextest profile, which is also the name of its folder in `target/nextest`.
    pub const fn profile(self) -> &'static str {
        match self {
            Self::Live => "smoke-live",
            Self::Standin => "smoke-standin",
        }
    }

    /// The name that the profile gives its JUnit file.
    pub const fn report_name(self) -> &'static str {
        match self {
            Self::Live => "iop-smoke live",
            Self::Standin => "iop-smoke stand-in",
        }
    }
}

/// A point in time as nextest writes it, to the second.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Started {
    /// `YYYY-MM-DD`.
    pub date: String,
    /// `HH:MM:SS`.
    pub time: String,
    /// `+HH:MM` or `-HH:MM`: what `time` is ahead of UTC.
    pub offset: String,
}

/// What one test of the smoke is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Subtest {
    /// A check of the preflight.
    Check(Reason),
    /// The run: `run::single_request`.
    Run,
}

impl Subtest {
    /// Every check in the order in which they run, then the run.
    pub fn all() -> impl Iterator<Item = Self> {
        let checks = Reason::preflight().iter().copied().map(Self::Check);
        checks.chain([Self::Run])
    }

    /// The id of the check, or `single-request`.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Check(reason) => reason.id(),
            Self::Run => "single-request",
        }
    }

    /// The test's name in `tests/smoke`.
    pub fn test_name(self) -> String {
        match self {
            Self::Check(reason) => format!("preflight::{}", reason.id().replace('-', "_")),
            Self::Run => "run::single_request".to_owned(),
        }
    }
}

impl fmt::Display for Subtest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

/// A test of the smoke and what became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Which one.
    pub subtest: Subtest,
    /// What became of it.
    pub state: State,
}

/// What became of a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// It passed.
    Passed {
        /// How long it took, in milliseconds.
        elapsed_ms: u64,
    },
    /// It failed.
    Failed {
        /// How long it took, in milliseconds.
        elapsed_ms: u64,
        /// Why, as far as closed sets can tell.
        failure: Failure,
    },
    /// It was not started: not selected, or something failed before it.
    NotReached,
}

/// A manifest that keeps every rule of its format.
#[derive(Clone, Debug)]
pub struct Published {
    /// What it says.
    pub manifest: Manifest,
    /// Digest of its bytes.
    pub digest: Digest,
}

impl Published {
    /// Judges a manifest's bytes.
    ///
    /// # Errors
    /// `manifest-invalid`, with the rule that is broken.
    pub fn of(bytes: &[u8], schema: &ManifestSchema) -> Verdict<Self> {
        Ok(Self {
            manifest: validate(bytes, schema)?,
            digest: Digest::of(bytes),
        })
    }

    /// Reads and judges a manifest.
    ///
    /// # Errors
    /// `manifest-file`, and those of [`Self::of`].
    pub fn read(path: &Path, schema: &ManifestSchema) -> Verdict<Self> {
        let (_, bytes) = file::read(Reason::ManifestFile, path)?;
        Self::of(&bytes, schema)
    }
}

/// What a run came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conclusion {
    /// The run passed and its manifest is valid: one request was planned, worked and reviewed.
    Proved,
    /// The run passed, but its manifest was not given.
    PassedUnseen,
    /// Every test that ran passed, and the run was not among them.
    ChecksOnly,
    /// A test failed.
    Refused,
}

impl Outcome {
    /// Reads a run from its JUnit file, and from its manifest if there is one.
    ///
    /// # Errors
    /// `junit-file` and `manifest-file` for files that cannot be read or are larger
    /// than 1 MiB, `junit-invalid run-id` for a manifest that is named after
    /// another run, and those of [`Self::of`].
    pub fn read(junit: &Path, manifest: Option<&Path>, schema: &ManifestSchema) -> Verdict<Self> {
        let (_, bytes) = file::read(Reason::JunitFile, junit)?;
        let published = manifest.map(|path| Published::read(path, schema));
        let outcome = Self::of(&bytes, published.transpose()?)?;
        match manifest.and_then(named_run) {
            Some(run) if run != outcome.run => Err(refuse(JunitFault::RunId)),
            _ => Ok(outcome),
        }
    }

    /// The run of a JUnit file's bytes, with its manifest if there is one.
    ///
    /// # Errors
    /// `junit-invalid`, with the kind of [`JunitFault`]. Nothing of the file is in
    /// the refusal.
    pub fn of(junit: &[u8], manifest: Option<Published>) -> Verdict<Self> {
        let junit = junit::parse(junit).map_err(refuse)?;
        let steps = steps(&junit).map_err(refuse)?;
        let Junit {
            run,
            subject,
            started,
            elapsed_ms,
            ..
        } = junit;
        Ok(Self {
            run,
            subject,
            started,
            elapsed_ms,
            steps,
            manifest,
        })
    }

    /// What the run came to.
    pub fn conclusion(&self) -> Conclusion {
        if self.failures().next().is_some() {
            return Conclusion::Refused;
        }
        let ran = self.state(Subtest::Run) != &State::NotReached;
        match (ran, &self.manifest) {
            (false, _) => Conclusion::ChecksOnly,
            (true, Some(_)) => Conclusion::Proved,
            (true, None) => Conclusion::PassedUnseen,
        }
    }

    /// What became of one test.
    pub fn state(&self, subtest: Subtest) -> &State {
        let step = self.steps.iter().find(|step| step.subtest == subtest);
        step.map_or(&State::NotReached, |step| &step.state)
    }

    /// The tests that failed, in the order in which they run, with why.
    pub fn failures(&self) -> impl Iterator<Item = (Subtest, &Failure)> {
        self.steps.iter().filter_map(|step| match &step.state {
            State::Failed { failure, .. } => Some((step.subtest, failure)),
            State::Passed { .. } | State::NotReached => None,
        })
    }

    /// How many passed, failed and were not reached.
    pub fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        for step in &self.steps {
            match step.state {
                State::Passed { .. } => counts.passed += 1,
                State::Failed { .. } => counts.failed += 1,
                State::NotReached => counts.not_reached += 1,
            }
        }
        counts
    }
}

/// How many tests passed, failed and were not reached.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Passed.
    pub passed: usize,
    /// Failed.
    pub failed: usize,
    /// Not reached.
    pub not_reached: usize,
}

/// The run that a manifest is named after: `manifest-UUID.json`, unless the user chose
/// another name.
fn named_run(manifest: &Path) -> Option<RunId> {
    let stem = manifest.file_stem()?.to_str()?;
    RunId::parse(stem.strip_prefix("manifest-")?)
}

fn steps(junit: &Junit) -> Result<Vec<Step>, JunitFault> {
    let mut cases: Vec<Option<&Case>> = Vec::new();
    let names: Vec<_> = Subtest::all().map(Subtest::test_name).collect();
    cases.resize(names.len(), None);
    for case in &junit.cases {
        let at = names.iter().position(|name| *name == case.name);
        if cases[at.ok_or(JunitFault::UnknownTest)?]
            .replace(case)
            .is_some()
        {
            return Err(JunitFault::RepeatedTest);
        }
    }
    let step = |(subtest, case): (Subtest, Option<&Case>)| Step {
        subtest,
        state: case.map_or(State::NotReached, state),
    };
    Ok(Subtest::all().zip(cases).map(step).collect())
}

fn state(case: &Case) -> State {
    let elapsed_ms = case.elapsed_ms;
    match &case.ending {
        Ending::Passed => State::Passed { elapsed_ms },
        Ending::Skipped => State::NotReached,
        Ending::Failed { kind, message } => State::Failed {
            elapsed_ms,
            failure: Failure::of(kind, message),
        },
    }
}

fn refuse(fault: JunitFault) -> Refusal {
    Refusal::new(Reason::JunitInvalid)
        .detail(fault)
        .found(fault.meaning())
}
