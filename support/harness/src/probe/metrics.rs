//! The ingress counter in a Prometheus exposition, text format 0.0.4.
//!
//! The format's page: one sample a line, `name{labels} value [timestamp]`,
//! separated by blanks or tabs; the last line must end with a line feed.

use crate::closed_set::closed_set;

closed_set! {
    /// Why the counter has no usable value.
    pub enum CounterFault(meaning) {
        CutOff => "cut-off", "the exposition does not end with a line feed";
        NoSample => "no-sample", "no sample of the counter";
        Labelled => "labelled", "a sample of the counter carries labels";
        SeveralSamples => "several-samples", "more than one sample of the counter";
        Malformed => "malformed", "a sample of the counter is no number";
        NotFinite => "not-finite", "the counter is not a finite number";
        Negative => "negative", "the counter is negative";
        NotWhole => "not-whole", "the counter is no whole number that can be counted exactly";
    }
}

/// Largest value up to which every whole number has a floating-point value of its own.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// The value of the one unlabelled sample of `name`.
///
/// # Errors
/// [`CounterFault`].
pub fn counter(exposition: &[u8], name: &str) -> Result<u64, CounterFault> {
    if exposition.last().is_some_and(|last| *last != b'\n') {
        return Err(CounterFault::CutOff);
    }
    let mut found = None;
    for line in exposition.split(|byte| *byte == b'\n') {
        let Some(rest) = line.trim_ascii().strip_prefix(name.as_bytes()) else {
            continue;
        };
        match rest.first() {
            Some(b' ' | b'\t') => {}
            Some(b'{') => return Err(CounterFault::Labelled),
            None => return Err(CounterFault::Malformed),
            // Another metric whose name begins with this one.
            Some(_) => continue,
        }
        if found.is_some() {
            return Err(CounterFault::SeveralSamples);
        }
        found = Some(sample(rest)?);
    }
    found.ok_or(CounterFault::NoSample)
}

/// Value of what follows the name: a number and perhaps a timestamp.
fn sample(rest: &[u8]) -> Result<u64, CounterFault> {
    let text = std::str::from_utf8(rest).map_err(|_| CounterFault::Malformed)?;
    let mut words = text.split_ascii_whitespace();
    let value = words.next().ok_or(CounterFault::Malformed)?;
    if words
        .next()
        .is_some_and(|timestamp| timestamp.parse::<i64>().is_err())
        || words.next().is_some()
    {
        return Err(CounterFault::Malformed);
    }
    let value: f64 = value.parse().map_err(|_| CounterFault::Malformed)?;
    if !value.is_finite() {
        return Err(CounterFault::NotFinite);
    }
    if value < 0.0 {
        return Err(CounterFault::Negative);
    }
    if value.fract() != 0.0 || value >= EXACT {
        return Err(CounterFault::NotWhole);
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "just checked to be whole, positive and exact"
    )]
    Ok(value as u64)
}
