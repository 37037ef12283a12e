//! Where a run leaves its results, and which of them are this run's.

use std::env;
use std::path::{Path, PathBuf};

use harness::environment::Environment;
use harness::environment::runner::Runner;
use harness::inputs::variable::Variable;
use harness::measure::file;
use harness::reason::Reason;
use harness::refusal::Verdict;
use report::outcome::run_id::RunId;
use report::outcome::{Conclusion, Outcome, Published, Subject};
use report::publication::{Settings, place_of_run, write_run};

/// The results of the runs of one profile, as they were before a run.
pub struct Results {
    environment: Environment,
    junit: PathBuf,
    before: Option<RunId>,
}

/// What one run left.
#[derive(Debug)]
pub struct Left {
    /// What it came to.
    pub outcome: Outcome,
    /// Where the manifest of a run that passed is, and whether it could be read.
    pub manifest: Place,
    /// Where the page is that was made of it, and whether it could be written; none is made
    /// where no request was to be sent.
    pub page: Option<Place>,
}

/// A file's place, in words that hold no path of the user, or the code of what is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Where it is.
    pub words: String,
    /// Why it is not there, or of no use.
    pub wrong: Option<String>,
}

impl Results {
    /// Those of a profile in the suite's folder, which is the working directory; none for a
    /// profile that does not run the smoke.
    pub fn of(profile: &str, mut environment: Environment) -> Option<Self> {
        let subject = Subject::ALL
            .into_iter()
            .find(|subject| subject.profile() == profile)?;
        if subject == Subject::Standin {
            // It has inputs of its own.
            environment.remove(Variable::Schema.name());
            environment.remove(Variable::Output.name());
        }
        // What the runner says to its tests: where the suite is.
        environment.set(
            "NEXTEST_WORKSPACE_ROOT",
            env::current_dir().unwrap_or_default(),
        );
        let mut results = Self {
            environment,
            junit: Path::new("target/nextest").join(profile).join("junit.xml"),
            before: None,
        };
        results.before = results.read().ok().map(|outcome| outcome.run);
        Some(results)
    }

    /// What the run since then left, with the page that is made of it; nothing if it left no
    /// results, as when it was not built.
    pub fn left(self) -> Option<Left> {
        let mut outcome = self.read().ok()?;
        // The file of an earlier run stays in place until another one is complete.
        if self.before.as_ref() == Some(&outcome.run) {
            return None;
        }
        let default = self
            .junit
            .with_file_name(format!("manifest-{}.json", outcome.run));
        let output = self
            .environment
            .get(Variable::Output.name())
            .map(PathBuf::from);
        let path = output.as_deref().unwrap_or(&default);
        let words = match output {
            Some(_) => format!("at {}", Variable::Output.name()),
            None => in_words(&default),
        };
        let runner = Runner::of(&self.environment);
        let settings = Settings::read(self.environment.clone(), &runner);
        let mut manifest = Place { words, wrong: None };
        // Only a run that passed has published: what else is there is another one's.
        if outcome.conclusion() == Conclusion::PassedUnseen {
            let published = settings
                .as_ref()
                .map_err(Clone::clone)
                .and_then(|settings| Published::read(path, &settings.schema));
            match published {
                Ok(published) => outcome.manifest = Some(published),
                Err(refusal) => manifest.wrong = Some(refusal.code()),
            }
        }
        let path = outcome.manifest.is_some().then_some(path);
        let page = (outcome.conclusion() != Conclusion::ChecksOnly).then(|| {
            let page = place_of_run(&self.junit, path, &outcome);
            let written = settings.and_then(|settings| write_run(&outcome, &page, &settings));
            Place {
                words: match (&output, path) {
                    (Some(_), Some(_)) => "next to the manifest".to_owned(),
                    _ => in_words(&page),
                },
                wrong: written.err().map(|refusal| refusal.code()),
            }
        });
        Some(Left {
            outcome,
            manifest,
            page,
        })
    }

    fn read(&self) -> Verdict<Outcome> {
        let (_, bytes) = file::read(Reason::JunitFile, &self.junit)?;
        Outcome::of(&bytes, None)
    }
}

/// A path within the suite's folder, which is no path of the user.
fn in_words(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
