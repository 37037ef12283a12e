//! Whether fresh log lines show exactly one request, planned, worked and reviewed.

use serde_json::Value;

use super::record::Fields;
use crate::closed_set::closed_set;
use crate::constants::STAGES;

closed_set! {
    /// What is wrong with the observations of a run.
    pub enum ObservationFault(meaning) {
        TooLarge => "too-large", "more than 16 MiB were appended during the run";
        NoRecord => "no-record", "no observation was appended";
        DuplicateKey => "duplicate-key", "an observation holds a key twice";
        UnknownKey => "unknown-key", "an observation holds a key it should not have";
        CorrelationForm => "correlation-form", "a correlation is missing or malformed";
        ForeignCorrelation => "foreign-correlation", "the observations belong to more than one request";
        EventClass => "event-class", "an event class is not request, stage or terminal";
        Outcome => "outcome", "an outcome is not success";
        ErrorClass => "error-class", "an error class is set";
        Duration => "duration", "a duration is not a whole number of milliseconds";
        RequestCount => "request-count", "there is not exactly one request record";
        RequestOperation => "request-operation", "the request's operation is not total";
        RequestDuration => "request-duration", "the request's duration is not 0";
        StageCount => "stage-count", "there are not exactly three stage records";
        StageOrder => "stage-order", "the stages are not plan, work and review, in that order";
        StageOperation => "stage-operation", "a stage's operation is not its name";
        TerminalCount => "terminal-count", "there is not exactly one terminal record";
        TerminalOperation => "terminal-operation", "the terminal record's operation is not terminal";
        TerminalResult => "terminal-result", "the terminal record has no result";
        AfterTerminal => "after-terminal", "a record follows the terminal one";
    }
}

/// What the observations of a passing run say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Observed {
    /// Milliseconds of plan, work and review.
    pub stage_ms: [u64; STAGES.len()],
    /// Milliseconds of the whole request.
    pub terminal_ms: u64,
    /// Complete lines that are no observation.
    pub passed_over: usize,
}

const KEYS: [&str; 16] = [
    "level",
    "ts",
    "time",
    "caller",
    "logger",
    "msg",
    "message",
    "correlation",
    "event_class",
    "stage",
    "operation",
    "outcome",
    "error_class",
    "duration_ms",
    "tool_count",
    "has_result",
];

/// Longest correlation behind its `sr-`.
const CORRELATION_BOUND: usize = 64;

/// Judges the complete lines that were appended during a run.
///
/// # Errors
/// [`ObservationFault`]: the first that applies, in the order of the set.
pub fn judge(fresh: &[u8]) -> Result<Observed, ObservationFault> {
    let mut passed_over = 0;
    let mut records = Vec::new();
    for line in complete_lines(fresh) {
        match Fields::observation(line) {
            Some(fields) => records.push(fields),
            None => passed_over += 1,
        }
    }
    judge_form(&records)?;
    let records = records
        .iter()
        .map(Record::read)
        .collect::<Result<Vec<_>, _>>()?;
    judge_request(&records)?;
    let stage_ms = judge_stages(&records)?;
    let terminal_ms = judge_terminal(&records)?;
    Ok(Observed {
        stage_ms,
        terminal_ms,
        passed_over,
    })
}

/// Whether the fresh lines hold a terminal record yet.
pub fn has_terminal(fresh: &[u8]) -> bool {
    complete_lines(fresh)
        .filter_map(Fields::observation)
        .any(|fields| fields.text("event_class") == Some("terminal"))
}

/// The lines that are terminated.
fn complete_lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let end = bytes.iter().rposition(|byte| *byte == b'\n').unwrap_or(0);
    bytes[..end].split(|byte| *byte == b'\n')
}

/// Judges what concerns keys and correlation.
fn judge_form(records: &[Fields]) -> Result<(), ObservationFault> {
    let first = records.first().ok_or(ObservationFault::NoRecord)?;
    if records.iter().any(Fields::has_duplicate) {
        return Err(ObservationFault::DuplicateKey);
    }
    if records
        .iter()
        .flat_map(Fields::keys)
        .any(|key| !KEYS.contains(&key))
    {
        return Err(ObservationFault::UnknownKey);
    }
    if !records
        .iter()
        .all(|record| record.text("correlation").is_some_and(is_correlation))
    {
        return Err(ObservationFault::CorrelationForm);
    }
    let correlation = first.text("correlation");
    if records
        .iter()
        .any(|record| record.text("correlation") != correlation)
    {
        return Err(ObservationFault::ForeignCorrelation);
    }
    Ok(())
}

fn is_correlation(text: &str) -> bool {
    text.strip_prefix("sr-").is_some_and(|id| {
        (1..=CORRELATION_BOUND).contains(&id.len())
            && id
                .bytes()
                .all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-'))
    })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Request,
    Stage,
    Terminal,
}

/// What is judged of one observation.
struct Record<'f> {
    class: Class,
    stage: Option<&'f str>,
    operation: Option<&'f str>,
    duration_ms: u64,
    has_result: bool,
}

impl<'f> Record<'f> {
    fn read(fields: &'f Fields) -> Result<Self, ObservationFault> {
        let class = match fields.text("event_class") {
            Some("request") => Class::Request,
            Some("stage") => Class::Stage,
            Some("terminal") => Class::Terminal,
            _ => return Err(ObservationFault::EventClass),
        };
        if fields.text("outcome") != Some("success") {
            return Err(ObservationFault::Outcome);
        }
        let error_class = fields.get("error_class");
        if !error_class.is_none_or(|class| *class == *"" || *class == *"none") {
            return Err(ObservationFault::ErrorClass);
        }
        Ok(Self {
            class,
            stage: fields.text("stage"),
            operation: fields.text("operation"),
            duration_ms: fields
                .get("duration_ms")
                .and_then(Value::as_u64)
                .ok_or(ObservationFault::Duration)?,
            has_result: fields.get("has_result") == Some(&Value::Bool(true)),
        })
    }
}

/// The records of one class.
fn of_class<'r>(records: &'r [Record<'r>], class: Class) -> Vec<&'r Record<'r>> {
    records
        .iter()
        .filter(|record| record.class == class)
        .collect()
}

fn judge_request(records: &[Record<'_>]) -> Result<(), ObservationFault> {
    let [request] = of_class(records, Class::Request)[..] else {
        return Err(ObservationFault::RequestCount);
    };
    if request.operation != Some("total") {
        return Err(ObservationFault::RequestOperation);
    }
    if request.duration_ms != 0 {
        return Err(ObservationFault::RequestDuration);
    }
    Ok(())
}

fn judge_stages(records: &[Record<'_>]) -> Result<[u64; STAGES.len()], ObservationFault> {
    let stages: [&Record<'_>; STAGES.len()] = of_class(records, Class::Stage)
        .try_into()
        .map_err(|_| ObservationFault::StageCount)?;
    if !stages
        .iter()
        .zip(STAGES)
        .all(|(record, (stage, _))| record.stage == Some(stage))
    {
        return Err(ObservationFault::StageOrder);
    }
    if stages.iter().any(|record| record.operation != record.stage) {
        return Err(ObservationFault::StageOperation);
    }
    Ok(stages.map(|record| record.duration_ms))
}

fn judge_terminal(records: &[Record<'_>]) -> Result<u64, ObservationFault> {
    let [terminal] = of_class(records, Class::Terminal)[..] else {
        return Err(ObservationFault::TerminalCount);
    };
    if terminal.operation != Some("terminal") {
        return Err(ObservationFault::TerminalOperation);
    }
    if !terminal.has_result {
        return Err(ObservationFault::TerminalResult);
    }
    if records
        .last()
        .is_some_and(|last| last.class != Class::Terminal)
    {
        return Err(ObservationFault::AfterTerminal);
    }
    Ok(terminal.duration_ms)
}
