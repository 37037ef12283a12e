//! Nextest's JUnit file, read strictly.
//!
//! The form is that of the quick-junit crate, with which nextest writes it: one
//! `testsuites` of `testsuite`s of `testcase`s. A test that did not simply pass
//! has a child that says so. Document types are refused, so no entity but XML's
//! own five can be meant.

use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

use super::fault::JunitFault;
use super::run_id::RunId;
use super::{Started, Subject};

/// Name of the only binary whose tests may be in the file.
const BINARY: &str = "iop-smoke::smoke";

/// Elements by how deep they are.
const LEVELS: [&str; 3] = ["testsuites", "testsuite", "testcase"];

/// What a JUnit file holds.
pub(super) struct Junit {
    /// The run.
    pub(super) run: RunId,
    /// What it was about.
    pub(super) subject: Subject,
    /// When it began.
    pub(super) started: Started,
    /// How long it took, in milliseconds.
    pub(super) elapsed_ms: u64,
    /// The tests in the file's order.
    pub(super) cases: Vec<Case>,
}

/// One test.
pub(super) struct Case {
    /// Its name as written; free text.
    pub(super) name: String,
    /// How long it took, in milliseconds.
    pub(super) elapsed_ms: u64,
    /// How it ended.
    pub(super) ending: Ending,
}

/// How a test ended.
pub(super) enum Ending {
    /// It passed.
    Passed,
    /// It was not run.
    Skipped,
    /// It failed, or passed only when it was repeated.
    Failed {
        /// Nextest's words for how; free text.
        kind: String,
        /// The first line of what the test printed; free text.
        message: String,
    },
}

/// Reads a JUnit file's bytes.
pub(super) fn parse(bytes: &[u8]) -> Result<Junit, JunitFault> {
    let text = std::str::from_utf8(bytes).map_err(|_| JunitFault::NotUtf8)?;
    let mut reader = Reader::from_str(text);
    let mut state = Parser::default();
    loop {
        // The library's own error would quote the input.
        match reader.read_event().map_err(|_| JunitFault::NotXml)? {
            Event::Start(element) => {
                state.open(&element)?;
                state.depth += 1;
            }
            Event::Empty(element) => state.open(&element)?,
            Event::End(_) => state.depth = state.depth.saturating_sub(1),
            Event::DocType(_) => return Err(JunitFault::Doctype),
            Event::Eof => break,
            // Text, which is not read at all.
            Event::Text(text) if state.depth < LEVELS.len() && !text.trim().is_empty() => {
                return Err(JunitFault::Structure);
            }
            Event::Text(_)
            | Event::CData(_)
            | Event::Comment(_)
            | Event::Decl(_)
            | Event::PI(_)
            | Event::GeneralRef(_) => {}
        }
    }
    if state.depth > 0 {
        return Err(JunitFault::NotXml);
    }
    state.finish()
}

/// What was read so far.
#[derive(Default)]
struct Parser {
    depth: usize,
    root: Option<(Root, Totals)>,
    cases: Vec<Case>,
}

/// What the root element says.
struct Root {
    run: RunId,
    subject: Subject,
    started: Started,
    elapsed_ms: u64,
}

/// What the root element counts.
#[derive(PartialEq, Eq)]
struct Totals {
    tests: usize,
    skipped: usize,
    failed: usize,
}

impl Parser {
    /// Takes an element at the present depth.
    fn open(&mut self, element: &BytesStart<'_>) -> Result<(), JunitFault> {
        let name = element.name();
        if LEVELS
            .get(self.depth)
            .is_some_and(|level| *level != name.as_ref())
        {
            return Err(JunitFault::Structure);
        }
        match self.depth {
            0 if self.root.is_some() => Err(JunitFault::NotXml),
            0 => {
                self.root = Some(root(element)?);
                Ok(())
            }
            1 if attribute(element, "name")? != BINARY => Err(JunitFault::OtherBinary),
            1 => Ok(()),
            2 => {
                self.cases.push(Case {
                    name: attribute(element, "name")?,
                    elapsed_ms: milliseconds(&attribute(element, "time")?)?,
                    ending: Ending::Passed,
                });
                Ok(())
            }
            3 => self.ending(name.as_ref(), element),
            _ => Err(JunitFault::Structure),
        }
    }

    /// Takes a child of the last test.
    fn ending(&mut self, name: &str, element: &BytesStart<'_>) -> Result<(), JunitFault> {
        let ending = match name {
            "failure" | "error" | "flakyFailure" | "flakyError" => Ending::Failed {
                kind: optional(element, "type")?.unwrap_or_default(),
                message: optional(element, "message")?.unwrap_or_default(),
            },
            "skipped" => Ending::Skipped,
            // Later attempts at what has failed already, and what is stored of the output.
            "rerunFailure" | "rerunError" | "system-out" | "system-err" | "properties" => {
                return Ok(());
            }
            _ => return Err(JunitFault::Structure),
        };
        let case = self.cases.last_mut().ok_or(JunitFault::Structure)?;
        if matches!(case.ending, Ending::Passed) {
            case.ending = ending;
        }
        Ok(())
    }

    fn finish(self) -> Result<Junit, JunitFault> {
        let (root, totals) = self.root.ok_or(JunitFault::NotXml)?;
        if self.cases.is_empty() {
            return Err(JunitFault::NoTest);
        }
        let count = |is: fn(&Ending) -> bool| {
            let endings = self.cases.iter().map(|case| &case.ending);
            endings.filter(|ending| is(ending)).count()
        };
        let counted = Totals {
            tests: self.cases.len(),
            skipped: count(|ending| matches!(ending, Ending::Skipped)),
            failed: count(|ending| matches!(ending, Ending::Failed { .. })),
        };
        if counted != totals {
            return Err(JunitFault::Totals);
        }
        Ok(Junit {
            run: root.run,
            subject: root.subject,
            started: root.started,
            elapsed_ms: root.elapsed_ms,
            cases: self.cases,
        })
    }
}

fn root(element: &BytesStart<'_>) -> Result<(Root, Totals), JunitFault> {
    let name = attribute(element, "name")?;
    let mut subjects = Subject::ALL.into_iter();
    let subject = subjects.find(|subject| subject.report_name() == name);
    let count = |name| -> Result<usize, JunitFault> {
        let text = attribute(element, name)?;
        text.parse().map_err(|_| JunitFault::Totals)
    };
    Ok((
        Root {
            run: RunId::parse(&attribute(element, "uuid")?).ok_or(JunitFault::RunId)?,
            subject: subject.ok_or(JunitFault::ReportName)?,
            started: started(&attribute(element, "timestamp")?).ok_or(JunitFault::Time)?,
            elapsed_ms: milliseconds(&attribute(element, "time")?)?,
        },
        Totals {
            tests: count("tests")?,
            skipped: count("skipped")?,
            failed: count("failures")?.saturating_add(count("errors")?),
        },
    ))
}

fn attribute(element: &BytesStart<'_>, name: &str) -> Result<String, JunitFault> {
    optional(element, name)?.ok_or(JunitFault::Structure)
}

fn optional(element: &BytesStart<'_>, name: &str) -> Result<Option<String>, JunitFault> {
    let mut found = None;
    // The iterator refuses an attribute that stands twice.
    for attribute in element.attributes() {
        let attribute = attribute.map_err(|_| JunitFault::NotXml)?;
        let value = attribute.normalized_value(XmlVersion::Implicit1_0);
        let value = value.map_err(|_| JunitFault::NotXml)?;
        if attribute.key.as_ref() == name {
            found = Some(value.into_owned());
        }
    }
    Ok(found)
}

/// Milliseconds of seconds with three decimals.
fn milliseconds(text: &str) -> Result<u64, JunitFault> {
    let parse = || {
        let (seconds, decimals) = text.split_once('.')?;
        let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        // Twelve digits are more than thirty thousand years.
        if !(1..=12).contains(&seconds.len()) || decimals.len() != 3 {
            return None;
        }
        if !digits(seconds) || !digits(decimals) {
            return None;
        }
        let seconds: u64 = seconds.parse().ok()?;
        Some(seconds * 1000 + decimals.parse::<u64>().ok()?)
    };
    parse().ok_or(JunitFault::Time)
}

/// A point in time in the form `2026-11-30T14:13:12.134+00:00`.
fn started(text: &str) -> Option<Started> {
    const FORM: &[u8] = b"dddd-dd-ddTdd:dd:dd.ddd*dd:dd";
    let is = |byte: u8, form: u8| match form {
        b'd' => byte.is_ascii_digit(),
        b'*' => matches!(byte, b'+' | b'-'),
        form => byte == form,
    };
    let mut pairs = text.bytes().zip(FORM.iter().copied());
    let holds = text.len() == FORM.len() && pairs.all(|(byte, form)| is(byte, form));
    holds.then(|| Started {
        date: text[..10].to_owned(),
        time: text[11..19].to_owned(),
        offset: text[23..].to_owned(),
    })
}
