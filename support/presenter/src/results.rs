//! Where a run leaves its results, and which of them are this run's.

use std::fs;
use std::path::{Path, PathBuf};

use harness::environment::Environment;
use harness::inputs::variable::Variable;
use harness::refusal::Verdict;
use harness::schema::{MANIFEST_SCHEMA_FILE, ManifestSchema};
use report::outcome::run_id::RunId;
use report::outcome::{Conclusion, Outcome, Published, Subject};

/// The results of the runs of one profile, as they were before a run.
pub struct Results {
    subject: Subject,
    junit: PathBuf,
    schema: PathBuf,
    output: Option<PathBuf>,
    before: Option<RunId>,
}

/// What one run left.
#[derive(Debug)]
pub struct Left {
    /// What it came to.
    pub outcome: Outcome,
    /// The manifest's place, in words that hold no path of the user.
    pub place: String,
    /// Why the manifest of a run that passed cannot be read.
    pub unread: Option<String>,
}

impl Results {
    /// Those of a profile in the suite's folder, which is the working directory; none for a
    /// profile that does not run the smoke.
    pub fn of(profile: &str, environment: &Environment) -> Option<Self> {
        let subject = Subject::ALL
            .into_iter()
            .find(|subject| subject.profile() == profile)?;
        // The stand-in has inputs of its own.
        let live = |variable: Variable| match subject {
            Subject::Live => environment.get(variable.name()).map(PathBuf::from),
            Subject::Standin => None,
        };
        let schema = Path::new("schemas").join(MANIFEST_SCHEMA_FILE);
        let mut results = Self {
            subject,
            junit: folder(subject).join("junit.xml"),
            schema: live(Variable::Schema).unwrap_or(schema),
            output: live(Variable::Output),
            before: None,
        };
        results.before = results.read().ok().map(|outcome| outcome.run);
        Some(results)
    }

    /// What the run since then left; nothing if it left no results, as when it was not built.
    pub fn left(&self) -> Option<Left> {
        let mut outcome = self.read().ok()?;
        // The file of an earlier run stays in place until another one is complete.
        if self.before.as_ref() == Some(&outcome.run) {
            return None;
        }
        let default = folder(self.subject).join(format!("manifest-{}.json", outcome.run));
        let place = match &self.output {
            Some(_) => format!("at {}", Variable::Output.name()),
            None => default.to_string_lossy().into_owned(),
        };
        let mut unread = None;
        // Only a run that passed has published: what else is there is another one's.
        if outcome.conclusion() == Conclusion::PassedUnseen {
            match self.manifest(self.output.as_ref().unwrap_or(&default)) {
                Ok(manifest) => outcome.manifest = Some(manifest),
                Err(refusal) => unread = Some(refusal.code()),
            }
        }
        Some(Left {
            outcome,
            place,
            unread,
        })
    }

    fn read(&self) -> Verdict<Outcome> {
        let bytes =
            harness::measure::file::read(harness::reason::Reason::JunitFile, &self.junit)?.1;
        Outcome::of(&bytes, None)
    }

    fn manifest(&self, path: &Path) -> Verdict<Published> {
        let bytes = fs::read(&self.schema).unwrap_or_default();
        Published::read(path, &ManifestSchema::parse(&bytes)?)
    }
}

/// Where nextest and the run put what they keep.
fn folder(subject: Subject) -> PathBuf {
    Path::new("target/nextest").join(subject.profile())
}
