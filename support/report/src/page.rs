//! The page of one run.

use maud::{Markup, html};

use crate::document::{copied, document, kicker, pair};
use crate::outcome::code::{Cause, Failure};
use crate::outcome::{Conclusion, Outcome, Published, Subject, Subtest};
use crate::quantity::duration;

mod checks;
pub(crate) mod digests;
mod timeline;

/// The page of a run, made of its JUnit file and, if it left one, its manifest.
pub fn of_run(outcome: &Outcome) -> String {
    let told = Told::of(outcome);
    let body = html! {
        header {
            (kicker())
            h1 class=(told.class) { (told.mark) " " (told.title) }
            (told.lead)
            dl.pairs {
                @if let Some(published) = &outcome.manifest {
                    (copied("Source head", &published.manifest.source.head))
                }
                (copied("Run", outcome.run.as_str()))
                (pair("Subject", &html! { (subject(outcome.subject)) }))
                (pair("Began", &began(outcome)))
                (pair("Took", &html! { (duration(outcome.elapsed_ms)) ", checks included" }))
            }
        }
        @if let Some(published) = &outcome.manifest {
            (timeline::section(&published.manifest))
        }
        (checks::section(outcome))
        @if let Some(published) = &outcome.manifest {
            (digests::section(published))
        }
        (footer(Basis::of(outcome)))
    };
    document(&format!("{} – iop-smoke", told.title), &body)
}

/// The page of a manifest alone, of which no test result is known.
pub fn of_manifest(published: &Published) -> String {
    let manifest = &published.manifest;
    let body = html! {
        header {
            (kicker())
            h1.good { "✓ Valid manifest" }
            p.lead {
                "The manifest keeps every rule of its format. It says that one request was \
                 planned, worked and reviewed, and changed the workspace."
            }
            dl.pairs { (copied("Source head", &manifest.source.head)) }
        }
        (timeline::section(manifest))
        section {
            h2 { "Checks" }
            p.note {
                "A run publishes its manifest only if every check has passed. Which checks \
                 those were stands in the run's JUnit file, which this page was not given."
            }
        }
        (digests::section(published))
        (footer(Basis::Manifest))
    };
    document("Valid manifest – iop-smoke", &body)
}

/// What the head of a page tells.
struct Told {
    class: &'static str,
    mark: &'static str,
    title: &'static str,
    lead: Markup,
}

impl Told {
    fn of(outcome: &Outcome) -> Self {
        let (class, mark, title) = match outcome.conclusion() {
            Conclusion::Proved => ("good", "✓", "Proved"),
            Conclusion::PassedUnseen => ("good", "✓", "Passed"),
            Conclusion::ChecksOnly => ("good", "✓", "Checks passed"),
            Conclusion::Refused => ("bad", "✕", "Refused"),
        };
        let lead = match outcome.conclusion() {
            Conclusion::Proved => html! {
                p.lead {
                    "One request "
                    @if outcome.subject == Subject::Standin { "to the stand-in " }
                    "was planned, worked and reviewed, and changed the workspace."
                }
            },
            Conclusion::PassedUnseen => html! {
                p.lead { "The run passed. Its manifest, which says the rest, was not given." }
            },
            Conclusion::ChecksOnly => html! {
                p.lead {
                    "Every check that was selected passed. The run is not among the tests: \
                     nothing is proved of a request."
                }
            },
            Conclusion::Refused => html! {
                @for (subtest, failure) in outcome.failures() { (refusal(subtest, failure)) }
            },
        };
        Self {
            class,
            mark,
            title,
            lead,
        }
    }
}

/// What a failed test says, in the suite's own words.
fn refusal(subtest: Subtest, failure: &Failure) -> Markup {
    let Cause::Refused(code) = failure.cause else {
        return html! { p.lead { samp.bad { (subtest) } " " (unrefused(failure.cause)) } };
    };
    html! {
        p.lead {
            samp.bad { (code) }
            @if code.reason.id() != subtest.id() { ", met by " samp { (subtest) } }
        }
        @if let Some(claude) = code.claude {
            p.lead { "What happened: " (claude.class().meaning()) "; " (claude.meaning()) "." }
        }
        p.lead { "What to do: " (code.reason.hint()) "." }
    }
}

/// How a test ended that gave no refusal.
const fn unrefused(cause: Cause) -> &'static str {
    match cause {
        Cause::TimedOut => "took longer than nextest allows, and was ended.",
        Cause::Signalled => "was ended by a signal.",
        Cause::Leaked => "left a process that held its output open.",
        Cause::NotStarted => "could not be started.",
        Cause::Refused(_) | Cause::Unexplained => {
            "failed without a refusal. What nextest printed shows why."
        }
    }
}

const fn subject(subject: Subject) -> &'static str {
    match subject {
        Subject::Live => "a live deployment",
        Subject::Standin => "the embedded stand-in, no deployment",
    }
}

fn began(outcome: &Outcome) -> Markup {
    let started = &outcome.started;
    html! { (started.date) " " (started.time) " (UTC" (started.offset) ")" }
}

/// What a page is made of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Basis {
    /// The manifest of a live run, or one of which that is not known.
    Manifest,
    /// Several manifests.
    Manifests,
    /// The manifest of a run against the stand-in.
    Standin,
    /// No manifest.
    TestsAlone,
}

impl Basis {
    fn of(outcome: &Outcome) -> Self {
        match (&outcome.manifest, outcome.subject) {
            (None, _) => Self::TestsAlone,
            (Some(_), Subject::Standin) => Self::Standin,
            (Some(_), Subject::Live) => Self::Manifest,
        }
    }
}

/// How to verify what a page says, and what that proves.
pub(crate) fn footer(basis: Basis) -> Markup {
    html! {
        footer.prose {
            h2 { "How to verify" }
            p {
                @match basis {
                    Basis::Manifest | Basis::Standin => {
                        "Judge the manifest by every rule of its format: "
                        kbd { "make validate MANIFEST=file" }
                        ". Its bytes have the digest above: " kbd { "sha256sum file" } "."
                    }
                    Basis::Manifests => {
                        "Judge each manifest by every rule of its format: "
                        kbd { "make validate MANIFEST=file" }
                        ". Its bytes have a digest that begins as above: " kbd { "sha256sum file" } "."
                    }
                    Basis::TestsAlone => {
                        "There is no manifest to judge. " kbd { "make preflight" }
                        " runs the checks again, and sends no request."
                    }
                }
            }
            h2 { "What it proves" }
            p {
                @match basis {
                    Basis::Manifest => {
                        "One request of the Claude Code CLI went through a gateway and Node with \
                         these digests, was planned, worked and reviewed, and wrote the file that \
                         it was asked for. Manifest and page are not signed: they say nothing of \
                         who made them, nor of any other request."
                    }
                    Basis::Manifests => {
                        "In each run one request of the Claude Code CLI went through a gateway and \
                         Node, was planned, worked and reviewed, and wrote the file that it was \
                         asked for. Manifests and page are not signed: they say nothing of who made \
                         them, nor of any other request."
                    }
                    Basis::Standin => {
                        "The suite works on this machine: the request went to an embedded stand-in \
                         of IOP. It proves nothing of a deployment."
                    }
                    Basis::TestsAlone => {
                        "This page says what the suite judged, and is no evidence of a request. A \
                         manifest is written only when everything has passed."
                    }
                }
            }
        }
    }
}
