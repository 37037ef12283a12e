//! JUnit files as nextest writes them, and what they are read as.

use std::fmt::Write as _;

use harness::constants::EXPECTED_LINE;
use harness::digest::Digest;
use harness::manifest::{Manifest, Measured, canonical};
use harness::reason::Reason;
use report::outcome::{Outcome, Published};

use crate::manifest::sample::{STRICT, bytes_of, evidence, manifest};

/// The id of every sample's run.
pub(crate) const RUN: &str = "9f44f92c-48a4-4e8f-9f3b-adfb209a611a";

/// Name of the test of a check.
pub(crate) fn test_of(reason: Reason) -> String {
    format!("preflight::{}", reason.id().replace('-', "_"))
}

/// Tests of a JUnit file: name, and what its element holds.
#[derive(Clone)]
pub(crate) struct Sample {
    /// Names and inner elements in the file's order.
    pub(crate) cases: Vec<(String, String)>,
}

impl Sample {
    /// Every check and the run passed.
    pub(crate) fn passing() -> Self {
        let checks = Reason::preflight().iter().copied().map(test_of);
        let names = checks.chain(["run::single_request".to_owned()]);
        Self {
            cases: names.map(|name| (name, String::new())).collect(),
        }
    }

    /// A test failed with this message, and nothing behind it was started.
    pub(crate) fn failing(test: &str, message: &str) -> Self {
        let mut sample = Self::passing();
        let at = sample.cases.iter().position(|(name, _)| name == test);
        sample.cases.truncate(at.expect("such a test") + 1);
        let last = sample.cases.last_mut().expect("a test");
        last.1 = failure(message, "test failure with exit code 101");
        sample
    }

    /// The file's text.
    pub(crate) fn text(&self) -> String {
        let (tests, failed) = (
            self.cases.len(),
            self.cases
                .iter()
                .filter(|(_, inner)| !inner.is_empty())
                .count(),
        );
        let mut text = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
             <testsuites name=\"iop-smoke live\" tests=\"{tests}\" skipped=\"0\" failures=\"{failed}\" \
             errors=\"0\" uuid=\"{RUN}\" timestamp=\"2026-11-30T14:13:12.134+00:00\" time=\"3.925\">\n    \
             <testsuite name=\"iop-smoke::smoke\" tests=\"{tests}\" skipped=\"0\" errors=\"0\" \
             failures=\"{failed}\">\n"
        );
        for (index, (name, inner)) in self.cases.iter().enumerate() {
            let _ = writeln!(
                text,
                "        <testcase name=\"{name}\" classname=\"iop-smoke::smoke\" \
                 timestamp=\"2026-11-30T14:13:12.134+00:00\" time=\"0.{:03}\">{inner}</testcase>",
                index + 11
            );
        }
        text.push_str("    </testsuite>\n</testsuites>\n");
        text
    }

    /// What it is read as, with the sample manifest if the run is in it and passed.
    #[track_caller]
    pub(crate) fn outcome(&self) -> Outcome {
        let proved = *self == Self::passing();
        let published = proved.then(published);
        Outcome::of(self.text().as_bytes(), published).expect("it is read")
    }
}

impl PartialEq for Sample {
    fn eq(&self, other: &Self) -> bool {
        self.cases == other.cases
    }
}

/// The sample manifest.
pub(crate) fn published() -> Published {
    Published::of(&bytes_of(&manifest()), &STRICT).expect("it is valid")
}

/// The element of a test that failed.
pub(crate) fn failure(message: &str, kind: &str) -> String {
    let escape = |text: &str| quick_xml::escape::escape(text).into_owned();
    let (message, kind) = (escape(message), escape(kind));
    format!(
        "\n            <failure message=\"{message}\" type=\"{kind}\">{message}</failure>\n        "
    )
}

/// Ten manifests: the Claude executable changes with the fourth, and the work takes half as long
/// again from the seventh on, with another source head and Edge.
pub(crate) fn ten() -> Vec<Published> {
    (0..10).map(|run| variation(run).1).collect()
}

/// One of [`ten`], with its bytes.
pub(crate) fn variation(run: u64) -> (Vec<u8>, Published) {
    let mut evidence = evidence();
    if run >= 3 {
        evidence.runtime.claude_digest = Digest::of("another claude");
    }
    if run >= 6 {
        evidence.source.head = "89abcdef0123456789abcdef0123456789abcdef".into();
        evidence.runtime.edge_digest = Digest::of("another edge");
    }
    let work = if run < 6 { 30_000 } else { 45_000 };
    let stage_ms = [8_000 + 70 * run, work + 900 * (run % 4), 6_000 - 40 * run];
    let measured = Measured {
        stage_ms,
        terminal_ms: stage_ms.iter().sum::<u64>() + 400,
        before: Digest::of("before"),
        after: Digest::of("after"),
        result: Digest::of(EXPECTED_LINE),
    };
    let bytes = canonical(&Manifest::of(&evidence, &measured)).expect("canonical bytes");
    let published = Published::of(&bytes, &STRICT).expect("it is valid");
    (bytes, published)
}
