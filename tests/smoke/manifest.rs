//! Judges a manifest by the same rules as the run that wrote it.

use std::path::PathBuf;

use harness::inputs::Purpose;
use harness::manifest::validate::validate as judge;
use harness::measure::{Measurements, file, given};
use harness::reason::Reason;
use harness::refusal::Verdict;
use harness::{report, run};

use crate::subject::Subject;

#[test]
fn validate() -> Verdict {
    let subject = Subject::new("validate")?;
    let inputs = &subject.deployment.inputs;
    let path: PathBuf = if subject.standin.is_some() {
        run::single_request(&subject.deployment)?;
        given(&inputs.output)?.clone()
    } else {
        inputs.complete(Purpose::Validate)?;
        given(&inputs.manifest)?.clone()
    };
    let (_, bytes) = file::read(Reason::ManifestFile, &path)?;
    let manifest = judge(&bytes, &Measurements::new(&subject.deployment).schema()?.1)?;
    report::valid(&manifest).expect("standard output can be written to");
    Ok(())
}
