//! Compares what a deployment is now with what its evidence sealed, field by field.
//!
//! Nothing is written, no listener is asked and the key is not needed.

use serde_json::Value;

use super::fields::{FIELDS, Field, Origin};
use super::{Evidence, is_head};
use crate::digest::{Digest, SHORT};
use crate::inputs::Purpose;
use crate::measure::Measurements;
use crate::reason::Reason;
use crate::refusal::{Circumstance, Fact, Refusal, Verdict};

/// Values that are shown as they are.
const KNOWN: [&str; 5] = ["linux", "darwin", "x86_64", "aarch64", "arm64"];

/// How a deployment and its evidence compare.
pub struct Drift {
    /// A row for each field, in the order of [`FIELDS`].
    pub rows: Vec<Row>,
}

/// How a field compares. The texts hold nothing but fixed words and digits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The field's key.
    pub key: &'static str,
    /// The outcome.
    pub outcome: Outcome,
    /// What is sealed, shortened.
    pub sealed: String,
    /// What is there now, shortened; none if it could not be measured.
    pub now: Option<String>,
    /// What that means.
    pub meaning: String,
}

/// How a field compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The deployment has the sealed value.
    Same,
    /// It has another one.
    Differs,
    /// Its value could not be measured.
    NotMeasured,
}

/// What a deployment is now, as far as it can be measured.
pub struct Present {
    evidence: Evidence,
    refused: Vec<(&'static str, Refusal)>,
}

/// Compares the deployment with the evidence that its inputs name.
///
/// # Errors
/// `inputs`, `runtime-file` or `interrupted`. That fields differ is none: see [`Drift::verdict`].
pub fn drift(measurements: &Measurements<'_>) -> Verdict<Drift> {
    let inputs = &measurements.deployment().inputs;
    inputs.complete(Purpose::Capture)?;
    let sealed = &measurements.evidence()?.evidence;
    Present::measure(measurements)?.against(sealed)
}

impl Drift {
    /// Whether deployment and evidence agree.
    ///
    /// # Errors
    /// `evidence-drift`, naming every field that differs or could not be measured.
    pub fn verdict(&self) -> Verdict {
        let count = |outcome| {
            let rows = self.rows.iter().filter(|row| row.outcome == outcome);
            rows.count() as u64
        };
        let [same, differ, not_measured] =
            [Outcome::Same, Outcome::Differs, Outcome::NotMeasured].map(count);
        let detail = match (differ, not_measured) {
            (0, 0) => return Ok(()),
            (0, _) => Circumstance::NotMeasured,
            _ => Circumstance::Differs,
        };
        let refusal = Refusal::new(Reason::EvidenceDrift)
            .detail(detail)
            .expected(Fact::Count(self.rows.len() as u64, "fields that agree"))
            .found(Fact::List(vec![
                Fact::Count(same, "that agree"),
                Fact::Count(differ, "that differ"),
                Fact::Count(not_measured, "that could not be measured"),
            ]));
        let amiss = self.rows.iter().filter(|row| row.outcome != Outcome::Same);
        Err(amiss.fold(refusal, |refusal, row| {
            refusal.line(&[row.outcome.words(), ": ", row.key])
        }))
    }
}

impl Outcome {
    /// The outcome in words.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::Differs => "differs",
            Self::NotMeasured => "not measured",
        }
    }
}

impl Present {
    /// Measures every field; what refuses is kept with its refusal.
    ///
    /// # Errors
    /// `interrupted`.
    pub fn measure(measurements: &Measurements<'_>) -> Verdict<Self> {
        let mut present = Self {
            evidence: Evidence::unmeasured(),
            refused: Vec::new(),
        };
        for field in FIELDS {
            measurements.deployment().interrupt.check()?;
            let Origin::Measured { take, .. } = field.origin else {
                continue;
            };
            // Of one that was interrupted, the next look at the signal tells.
            if let Err(refusal) = take(measurements, &mut present.evidence) {
                present.refused.push((field.key, refusal));
            }
        }
        measurements.deployment().interrupt.check()?;
        Ok(present)
    }

    /// Compares it with evidence.
    ///
    /// # Errors
    /// `internal`, if evidence is no JSON.
    pub fn against(&self, sealed: &Evidence) -> Verdict<Drift> {
        let (then, now) = (values(sealed)?, values(&self.evidence)?);
        let row = |field: &'static Field| {
            let before = &then[field.key];
            let after = self.value(field, &now);
            let outcome = match &after {
                Ok(after) if after == before => Outcome::Same,
                Ok(_) => Outcome::Differs,
                Err(_) => Outcome::NotMeasured,
            };
            let subject = field.subject;
            let meaning = match (&after, &field.origin) {
                (Err(refusal), _) => format!("{subject}: {}", refusal.code()),
                _ if outcome == Outcome::Same => subject.to_owned(),
                (_, Origin::Measured { difference, .. }) => format!("{subject} {difference}"),
                (_, Origin::Derived { derive, .. })
                    if *before != *derive(&sealed.runtime).to_string() =>
                {
                    format!("{subject}: the evidence does not derive it, it was edited")
                }
                (_, Origin::Derived { from, .. }) => {
                    let causes: Vec<_> = from
                        .iter()
                        .filter(|key| then[**key] != now[**key])
                        .copied()
                        .collect();
                    format!("{subject}: follows from {}", causes.join(", "))
                }
            };
            Row {
                key: field.key,
                outcome,
                sealed: short(before),
                now: after.ok().as_ref().map(short),
                meaning,
            }
        };
        Ok(Drift {
            rows: FIELDS.iter().map(row).collect(),
        })
    }

    /// The present value of a field, among those measured or derived from them.
    fn value(&self, field: &Field, measured: &Value) -> Result<Value, &Refusal> {
        let refused = match field.origin {
            Origin::Measured { .. } => self.refusal(field.key),
            Origin::Derived { from, .. } => from.iter().find_map(|key| self.refusal(key)),
        };
        match (refused, &field.origin) {
            (Some(refusal), _) => Err(refusal),
            (None, Origin::Measured { .. }) => Ok(measured[field.key].clone()),
            (None, Origin::Derived { derive, .. }) => {
                Ok(derive(&self.evidence.runtime).to_string().into())
            }
        }
    }

    fn refusal(&self, key: &str) -> Option<&Refusal> {
        let refused = self.refused.iter().find(|(refused, _)| *refused == key);
        refused.map(|(_, refusal)| refusal)
    }
}

/// The values of both parts by their keys.
fn values(evidence: &Evidence) -> Verdict<Value> {
    let parts = (
        serde_json::to_value(&evidence.source),
        serde_json::to_value(&evidence.runtime),
    );
    let (Ok(Value::Object(mut source)), Ok(Value::Object(mut runtime))) = parts else {
        return Err(Refusal::new(Reason::Internal).found("evidence that is no JSON"));
    };
    source.append(&mut runtime);
    Ok(Value::Object(source))
}

/// A value shortened: known words, the first digits of a commit or digest, and
/// of everything else those of its digest, whatever an edited file may hold.
fn short(value: &Value) -> String {
    let text = match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    if KNOWN.contains(&text.as_str()) {
        return text;
    }
    if is_head(&text) {
        return text[..SHORT].to_owned();
    }
    Digest::parse(&text)
        .unwrap_or_else(|| Digest::of(&text))
        .short()
}
