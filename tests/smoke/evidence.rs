//! Measures a deployment into its sealed evidence, or compares it with that.

use harness::evidence::capture::capture as measure_and_write;
use harness::evidence::drift::drift;
use harness::measure::Measurements;
use harness::refusal::Verdict;
use harness::report;

use crate::subject::Subject;

#[test]
fn capture() -> Verdict {
    let mut sealed = None;
    let subject = Subject::prepared("evidence", |standin| {
        // What the stand-in sealed itself is what must be measured.
        sealed = Some(standin.evidence()?);
        std::fs::remove_file(standin.path("evidence.json"))?;
        Ok(())
    })?;
    let evidence = measure_and_write(&Measurements::new(&subject.deployment))?;
    if let Some(sealed) = sealed {
        assert_eq!(evidence, sealed);
    }
    report::sealed(&evidence).expect("standard output can be written to");
    Ok(())
}

#[test]
fn diff() -> Verdict {
    let subject = Subject::new("evidence-diff")?;
    let drift = drift(&Measurements::new(&subject.deployment))?;
    report::drift(&drift).expect("standard output can be written to");
    drift.verdict()
}
