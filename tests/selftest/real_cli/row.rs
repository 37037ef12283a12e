//! Rows: a name, what the Edge answers, and what comes of it.

use std::fmt;
use std::fs;

use harness::environment::Environment;
use harness::environment::runner::Runner;

use super::scene::Scene;
use super::version::Version;
use crate::trial::names;

/// What comes of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Outcome<'c> {
    /// The code of the refusal; none if the run passes.
    code: Option<&'c str>,
    /// Number of Messages requests that the CLI sent.
    posts: u32,
}

impl fmt::Display for Outcome<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let code = self.code.unwrap_or("passes");
        let code = code.strip_prefix("claude-failed ").unwrap_or(code);
        write!(f, "{code}, {} sent", self.posts)
    }
}

/// What is expected of a run, by version.
pub(super) struct Expected {
    outcome: Outcome<'static>,
    others: Vec<(Version, Outcome<'static>)>,
    stopped_by: Option<&'static str>,
}

/// The run passes, with one request.
pub(super) fn passes() -> Expected {
    Expected {
        outcome: Outcome {
            code: None,
            posts: 1,
        },
        others: Vec::new(),
        stopped_by: None,
    }
}

/// The run is refused with this code after one request.
pub(super) fn refused(code: &'static str) -> Expected {
    let mut expected = passes();
    expected.outcome.code = Some(code);
    expected
}

impl Expected {
    /// The CLI sends so many requests.
    pub(super) fn posts(mut self, posts: u32) -> Self {
        self.outcome.posts = posts;
        self
    }

    /// In this version something else comes of it.
    pub(super) fn but(mut self, version: Version, other: Self) -> Self {
        self.others.push((version, other.outcome));
        self
    }

    /// No request is sent, because this check refuses before: the CLI is started without it.
    pub(super) fn behind(mut self, check: &'static str) -> Self {
        self.stopped_by = Some(check);
        self.posts(0)
    }

    fn of(&self, version: Version) -> Outcome<'static> {
        let other = self.others.iter().find(|(known, _)| *known == version);
        other.map_or(self.outcome, |&(_, outcome)| outcome)
    }
}

/// Runs a changed deployment and asserts what comes of it, and that nothing is left of it.
#[track_caller]
pub(super) fn check(name: &str, arrange: impl FnOnce(&mut Scene), expected: &Expected) {
    let mut scene = Scene::new();
    arrange(&mut scene);
    let trial = &scene.trial;
    let verdict = match expected.stopped_by {
        None => trial.run().map(drop),
        Some(check) => {
            trial.assert_refused(trial.run(), check, 0);
            scene.client_alone()
        }
    };

    let code = verdict.as_ref().err().map(harness::refusal::Refusal::code);
    let outcome = Outcome {
        code: code.as_deref(),
        posts: scene.posts(),
    };
    record(name, outcome);
    let expected = expected.of(scene.version());
    assert_eq!(outcome, expected, "{verdict:?}");
    match expected.code {
        Some(code) => trial.assert_refused(verdict, code, 0),
        None => {
            assert_eq!(names(&trial.path("out")), ["manifest.json"]);
            assert_eq!(names(&trial.path("tmp")), Vec::<String>::new());
        }
    }
    scene.assert_no_marker_on_disk();
    assert_eq!(trial.standin.edge.seen().misplaced_key, 0);
}

/// Keeps an outcome for `make claude-matrix`, in the profile's folder.
pub(super) fn record(name: &str, outcome: impl fmt::Display) {
    let runner = Runner::of(&Environment::of_process());
    let (Some(root), Some(profile)) = (runner.root(), runner.profile()) else {
        return;
    };
    let folder = root.join("target/nextest").join(profile).join("outcomes");
    let written = fs::create_dir_all(&folder)
        .and_then(|()| fs::write(folder.join(name), format!("{outcome}\n")));
    written.expect("the outcome is kept");
}

/// Declares rows: each becomes a test of its own.
macro_rules! rows {
    ( $( $(#[doc = $doc:literal])* $name:ident => $arrange:expr, $expected:expr; )* ) => {
        $(
            $(#[doc = $doc])*
            #[test]
            #[ignore = "needs the real CLI: make client"]
            fn $name() {
                $crate::real_cli::row::check(stringify!($name), $arrange, &$expected);
            }
        )*
    };
}
pub(super) use rows;
