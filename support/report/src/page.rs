//! The page of one run.

use maud::{Markup, html};

use crate::document::{copied, document, pair};
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
            p.kicker { "iop-smoke, one request through the gateway" }
            h1 class=(told.class) { (told.mark) " " (told.title) }
            @for sentence in &told.sentences {
                p.lead { (sentence) }
            }
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
        (footer(outcome.manifest.as_ref(), Some(outcome.subject)))
    };
    document(&format!("{} – iop-smoke", told.title), &body)
}

/// The page of a manifest alone, of which no test result is known.
pub fn of_manifest(published: &Published) -> String {
    let manifest = &published.manifest;
    let body = html! {
        header {
            p.kicker { "iop-smoke, one request through the gateway" }
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
        (footer(Some(published), None))
    };
    document("Valid manifest – iop-smoke", &body)
}

/// What the head of a page tells.
struct Told {
    class: &'static str,
    mark: &'static str,
    title: &'static str,
    sentences: Vec<Markup>,
}

impl Told {
    fn of(outcome: &Outcome) -> Self {
        let (class, mark, title) = match outcome.conclusion() {
            Conclusion::Proved => ("good", "✓", "Proved"),
            Conclusion::PassedUnseen => ("good", "✓", "Passed"),
            Conclusion::ChecksOnly => ("good", "✓", "Checks passed"),
            Conclusion::Refused => ("bad", "✕", "Refused"),
        };
        let sentences = match outcome.conclusion() {
            Conclusion::Proved => vec![html! {
                "One request was planned, worked and reviewed, and changed the workspace."
            }],
            Conclusion::PassedUnseen => vec![html! {
                "The run passed. This page was not given its manifest, which says the rest."
            }],
            Conclusion::ChecksOnly => vec![html! {
                "Every check that was selected passed. The run is not among the tests: \
                 nothing is proved of a request."
            }],
            Conclusion::Refused => outcome
                .failures()
                .map(|(subtest, failure)| refusal(subtest, failure))
                .collect(),
        };
        Self {
            class,
            mark,
            title,
            sentences,
        }
    }
}

/// What a failed test says, in the suite's own words.
fn refusal(subtest: Subtest, failure: &Failure) -> Markup {
    html! {
        samp { (subtest) }
        " "
        @match failure.cause {
            Cause::Refused(code) => {
                "refused: " samp.bad { (code) } "."
                @if let Some(claude) = code.claude {
                    " What happened: " (claude.class().meaning()) "; " (claude.meaning()) "."
                }
                " What to do: " (code.reason.hint()) "."
            }
            Cause::TimedOut => "took longer than nextest allows, and was ended.",
            Cause::Signalled => "was ended by a signal.",
            Cause::Leaked => "left a process that held its output open.",
            Cause::NotStarted => "could not be started.",
            Cause::Unexplained => "failed without a refusal. What nextest printed shows why.",
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

/// How to verify what a page says, and what that proves.
pub(crate) fn footer(published: Option<&Published>, subject: Option<Subject>) -> Markup {
    html! {
        footer.prose {
            h2 { "How to verify" }
            @if published.is_some() {
                p {
                    "Judge the manifest by every rule of its format: "
                    kbd { "make validate MANIFEST=file" }
                    ". Its bytes have the digest given above for the manifest itself: "
                    kbd { "sha256sum file" } "."
                }
            } @else {
                p {
                    "Nothing was published. Correct what was refused, and look at the checks alone: "
                    kbd { "make preflight" } ". They send no request."
                }
            }
            h2 { "What it proves" }
            @match (published, subject) {
                (None, _) => {
                    p {
                        "This page says what the suite judged, and is no evidence of a request. \
                         A manifest is written only when everything has passed."
                    }
                }
                (Some(_), Some(Subject::Standin)) => {
                    p {
                        "The suite works on this machine: the client's request went to an embedded \
                         stand-in of IOP. It proves nothing of a deployment."
                    }
                }
                (Some(_), _) => {
                    p {
                        "One request of the Claude Code CLI went through a gateway and Node with \
                         these digests, was planned, worked and reviewed, and wrote the file that it \
                         was asked for. Manifest and page are not signed, so they say nothing of who \
                         made them, and nothing of any other request."
                    }
                }
            }
        }
    }
}
