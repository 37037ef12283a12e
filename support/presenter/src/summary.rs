//! What came of a run, on one screen.
//!
//! Styles are always written: the stream that this is written to takes them away where they do
//! not belong.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use harness::digest::Digest;
use harness::manifest::Manifest;
use harness::reason::Reason;
use harness::refusal::Code;
use report::outcome::code::{Cause, Failure};
use report::outcome::{Conclusion, Outcome, Published, Subject, Subtest};
use report::quantity::duration;

use crate::results::{Left, Place};

/// Columns before a row's value.
const INDENT: usize = 15;
/// Fewest columns that words are given.
const LEAST: usize = 12;
/// Columns of a duration, with a blank behind it.
const DURATION: usize = 11;

const GOOD: Style = AnsiColor::Green.on_default().bold();
const BAD: Style = AnsiColor::Red.on_default().bold();
const NAME: Style = Style::new().dimmed();
const BAR: Style = AnsiColor::Cyan.on_default();

/// How a summary is set.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    /// Columns; none where lines have no end.
    pub columns: Option<usize>,
    /// What bars are made of.
    pub block: char,
    /// Whether `make` was given a file of variables, which a command has to name again.
    pub with_file: bool,
}

/// Writes the summary of a run.
///
/// # Errors
/// Those of the writer.
pub fn write(out: &mut dyn Write, left: &Left, layout: Layout) -> io::Result<()> {
    let mut page = Page { out, layout };
    writeln!(page.out)?;
    let outcome = &left.outcome;
    match (outcome.conclusion(), &outcome.manifest) {
        (Conclusion::Proved, Some(published)) => page.proved(outcome, published, left),
        (Conclusion::Proved | Conclusion::PassedUnseen, _) => page.unseen(left),
        (Conclusion::ChecksOnly, _) => page.checks(outcome),
        (Conclusion::Refused, _) => page.refused(outcome),
    }?;
    left.page
        .iter()
        .try_for_each(|place| page.place("page", place))
}

struct Page<'o> {
    out: &'o mut dyn Write,
    layout: Layout,
}

impl Page<'_> {
    fn proved(&mut self, outcome: &Outcome, published: &Published, left: &Left) -> io::Result<()> {
        let manifest = &published.manifest;
        let what = match outcome.subject {
            Subject::Live => "one request was planned, worked and reviewed",
            Subject::Standin => "one request to the stand-in was planned, worked and reviewed",
        };
        self.headline(GOOD, "proved", what)?;
        // The run makes every check itself, whether its own test was run or not.
        let checks = Reason::preflight().len();
        self.row("checks", &format!("{checks} passed"))?;
        self.row("source head", manifest.source.short_head())?;
        for (name, digest) in manifest.runtime.deployed() {
            self.row(name, &digest.short())?;
        }
        self.durations(manifest)?;
        self.row("ingress", &format!("+{}", manifest.ingress.delta))?;
        let workspace = &manifest.workspace;
        let [before, after] = [workspace.before_digest, workspace.after_digest].map(Digest::short);
        self.row("workspace", &format!("changed, {before} to {after}"))?;
        self.place("manifest", &left.manifest)?;
        self.row("digest", &published.digest.short())
    }

    /// The stages and the whole request, each with its share of the longest of them as a bar.
    fn durations(&mut self, manifest: &Manifest) -> io::Result<()> {
        let stages = manifest.stages.iter();
        let mut rows: Vec<_> = stages
            .map(|stage| (&*stage.stage, stage.duration_ms))
            .collect();
        rows.push(("total", manifest.terminal.duration_ms));
        let longest = rows.iter().map(|row| row.1).max().unwrap_or(0).max(1);
        let columns = self.layout.columns.unwrap_or(80);
        let room = columns.saturating_sub(INDENT + DURATION).min(60);
        for (name, ms) in rows {
            // Never more than the room, which is small.
            let cells = (ms as u128 * room as u128 / u128::from(longest)) as usize;
            let bar: String = std::iter::repeat_n(self.layout.block, cells).collect();
            let bar = format!("{BAR}{bar}{BAR:#}");
            let took = duration(ms);
            self.row(name, &format!("{took:<width$}{bar}", width = DURATION))?;
        }
        Ok(())
    }

    fn unseen(&mut self, left: &Left) -> io::Result<()> {
        self.headline(BAD, "passed", "but what it published cannot be read")?;
        self.place("manifest", &left.manifest)
    }

    fn checks(&mut self, outcome: &Outcome) -> io::Result<()> {
        let counts = outcome.counts();
        let of = Reason::preflight().len();
        let what = format!("{} of {of} checks; no request was sent", counts.passed);
        self.headline(GOOD, "passed", &what)
    }

    fn refused(&mut self, outcome: &Outcome) -> io::Result<()> {
        for (subtest, failure) in outcome.failures() {
            self.failure(outcome.subject, subtest, failure)?;
        }
        let counts = outcome.counts();
        let left = match counts.not_reached {
            0 => String::new(),
            left => format!(", {left} not run"),
        };
        self.row("tests", &format!("{} passed{left}", counts.passed))?;
        self.row("manifest", "none: nothing was published")
    }

    fn failure(&mut self, subject: Subject, subtest: Subtest, failure: &Failure) -> io::Result<()> {
        match failure.cause {
            Cause::Refused(code) => {
                self.headline(BAD, "refused", &code.to_string())?;
                self.met(code)?;
                self.finding(failure.finding.as_deref().unwrap_or_default())?;
                self.words("what to do", code.reason.hint())?;
            }
            cause => {
                self.headline(BAD, "failed", subtest.id())?;
                self.words("found", unexplained(cause))?;
            }
        }
        let again = self.again(subject, subtest, failure.cause);
        self.row("run again", &again)
    }

    /// The class and reason of a failed run, in words.
    fn met(&mut self, code: Code) -> io::Result<()> {
        let Some(reason) = code.claude else {
            return Ok(());
        };
        let class = reason.class();
        self.words("class", &format!("{class}: {}", class.meaning()))?;
        self.words("reason", &format!("{reason}: {}", reason.meaning()))
    }

    /// What was expected and found, a row each.
    fn finding(&mut self, finding: &str) -> io::Result<()> {
        let (expected, found) = match finding.strip_prefix("expected ") {
            Some(rest) => rest.split_once("; found ").unwrap_or((rest, "")),
            None => ("", finding.strip_prefix("found ").unwrap_or(finding)),
        };
        for (name, value) in [("expected", expected), ("found", found)] {
            if !value.is_empty() {
                self.words(name, value)?;
            }
        }
        Ok(())
    }

    /// The command that runs what failed once more, and nothing else.
    fn again(&self, subject: Subject, subtest: Subtest, cause: Cause) -> String {
        // The run makes every check itself: the check's own test shows whether it still refuses.
        let check = match (subtest, cause) {
            (Subtest::Check(reason), _) => Some(reason),
            (Subtest::Run, Cause::Refused(code)) => {
                Some(code.reason).filter(|reason| Reason::preflight().contains(reason))
            }
            (Subtest::Run, _) => None,
        };
        let target = match (subject, check) {
            (Subject::Standin, _) => "smoke",
            (Subject::Live, Some(_)) => "preflight",
            (Subject::Live, None) => "smoke-live",
        };
        let test = check.map_or(Subtest::Run, Subtest::Check).test_name();
        // The file's path is the user's: it is not printed.
        let file = match (subject, self.layout.with_file) {
            (Subject::Live, true) => " ENV=…",
            _ => "",
        };
        format!("make {target} TEST={test}{file}")
    }

    fn place(&mut self, name: &str, place: &Place) -> io::Result<()> {
        match &place.wrong {
            None => self.row(name, &place.words),
            Some(code) => self.row(name, &format!("{}: {code}", place.words)),
        }
    }

    fn headline(&mut self, style: Style, verdict: &str, what: &str) -> io::Result<()> {
        writeln!(self.out, "{style}{verdict}{style:#}: {what}")
    }

    /// A row whose value is longer than a line may be: words, which are wrapped.
    fn words(&mut self, name: &str, value: &str) -> io::Result<()> {
        let columns = self.layout.columns.unwrap_or(usize::MAX);
        let room = columns.saturating_sub(INDENT).max(LEAST);
        let options = textwrap::Options::new(room).break_words(false);
        let mut name = name;
        for line in textwrap::wrap(value, options) {
            self.row(name, &line)?;
            name = "";
        }
        Ok(())
    }

    fn row(&mut self, name: &str, value: &str) -> io::Result<()> {
        writeln!(self.out, "  {NAME}{name:<12}{NAME:#} {value}")
    }
}

/// In words, what failed a test that the suite did not refuse.
const fn unexplained(cause: Cause) -> &'static str {
    match cause {
        Cause::TimedOut => "it took too long, and nextest ended it",
        Cause::Signalled => "a signal ended it",
        Cause::Leaked => "it left a process that held its output open",
        Cause::NotStarted => "it could not be started",
        Cause::Refused(_) | Cause::Unexplained => "no refusal: what it printed is above",
    }
}
