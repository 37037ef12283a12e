//! Measures a deployment into sealed evidence.

use super::fields::{FIELDS, Origin};
use super::{Evidence, derive};
use crate::inputs::Purpose;
use crate::measure::{Measurements, given};
use crate::publish::{PublishError, publish};
use crate::reason::Reason;
use crate::refusal::{Refusal, Verdict};
use crate::{manifest, preflight};

/// Measures the deployment and writes the evidence file that its inputs name, never over another.
///
/// # Errors
/// The reason of what cannot be measured, `evidence-existing` or `evidence-target`.
pub fn capture(measurements: &Measurements<'_>) -> Verdict<Evidence> {
    let inputs = &measurements.deployment().inputs;
    inputs.complete(Purpose::Capture)?;
    let path = given(&inputs.evidence)?;
    preflight::absent(Reason::EvidenceExisting, path)?;
    preflight::target(Reason::EvidenceTarget, path)?;
    preflight::check(Reason::ClaudeFlags, measurements)?;
    let evidence = measure(measurements)?;
    let bytes = manifest::canonical(&evidence)
        .map_err(|_| Refusal::new(Reason::Internal).found("evidence that is no JSON"))?;
    measurements.deployment().interrupt.check()?;
    match publish(path, &bytes) {
        Ok(_) => Ok(evidence),
        Err(error @ PublishError::Appeared) => {
            Err(Refusal::new(Reason::EvidenceExisting).caused_by(error))
        }
        Err(error) => Err(Refusal::new(Reason::EvidenceTarget).caused_by(error)),
    }
}

/// The evidence of the deployment as it is now.
///
/// # Errors
/// The reason of what cannot be measured.
pub fn measure(measurements: &Measurements<'_>) -> Verdict<Evidence> {
    let mut evidence = Evidence::unmeasured();
    for field in FIELDS {
        if let Origin::Measured { take, .. } = field.origin {
            take(measurements, &mut evidence)?;
        }
    }
    let runtime = &mut evidence.runtime;
    runtime.workspace_owner_digest = derive::workspace_owner(runtime);
    runtime.stage_binding_digest = derive::stage_binding(runtime);
    Ok(evidence)
}
