//! The run: one request through the real client, and the proof that it did what it should.

use std::path::Path;
use std::thread;

use crate::claude::{classify, command};
use crate::constants::{EXPECTED_LINE, RESULT_FILE};
use crate::deployment::Deployment;
use crate::digest::Digest;
use crate::digest::file::FileDigest;
use crate::digest::tree;
use crate::evidence::Evidence;
use crate::interrupt::FileIdentity;
use crate::manifest::validate::validate;
use crate::manifest::{Manifest, Measured, canonical};
use crate::measure::{Measurements, file, given};
use crate::observation::follow;
use crate::observation::log::{self, Snapshot};
use crate::observation::verdict::{self, Observed};
use crate::preflight;
use crate::progress::Step;
use crate::publish::{confirmed, publish};
use crate::reason::{ClaudeReason, Reason};
use crate::redaction::{Forbidden, Kind};
use crate::refusal::{Circumstance, Fact, Refusal, Verdict};

/// What a passing run leaves.
#[derive(Debug)]
pub struct Proof {
    /// The published manifest.
    pub manifest: Manifest,
    /// Digest of its bytes, as read back.
    pub digest: Digest,
}

/// Proves one request end to end and publishes the manifest.
///
/// # Errors
/// The first refusal; then nothing is published and nothing is left behind.
pub fn single_request(deployment: &Deployment) -> Verdict<Proof> {
    let proof = prove(deployment);
    deployment.listener.tell(Step::End);
    proof
}

fn prove(deployment: &Deployment) -> Verdict<Proof> {
    let listener = &deployment.listener;
    listener.tell(Step::Checks);
    let before = Measurements::new(deployment);
    preflight::all(&before)?;
    let start = Start::take(&before)?;

    listener.tell(Step::Claude);
    let log = given(&deployment.inputs.observation)?;
    let ended = follow::during(|| command::run(deployment), log, &start.log, listener)?;
    listener.tell(Step::Proof);
    deployment.interrupt.check()?;
    classify::judge(&ended).map_err(|reason| failed(reason, &ended))?;
    let after = before.anew();
    if after.counter_now()? == start.counter {
        return Err(failed(ClaudeReason::NoIngress, &ended));
    }

    let observed = unchanged_and_observed(&start, &after)?;
    ingress(start.counter, after.counter_now()?)?;
    let (tree, result) = workspace(deployment, start.tree)?;
    let measured = Measured {
        stage_ms: observed.stage_ms,
        terminal_ms: observed.terminal_ms,
        before: start.tree,
        after: tree,
        result,
    };
    publish_manifest(&after, &start.evidence, &measured)
}

/// What is known before Claude starts.
struct Start {
    counter: u64,
    tree: Digest,
    log: Snapshot,
    evidence_file: FileDigest,
    evidence: Evidence,
}

impl Start {
    fn take(before: &Measurements<'_>) -> Verdict<Self> {
        let inputs = &before.deployment().inputs;
        let sealed = before.evidence()?;
        let (workspace, log) = (given(&inputs.workspace)?, given(&inputs.observation)?);
        thread::scope(|scope| {
            let log = scope.spawn(|| Snapshot::take(log));
            let counter = before.counter_now()?;
            let tree = tree_digest(workspace)?;
            Ok(Self {
                counter,
                tree,
                log: log
                    .join()
                    .map_err(|_| internal("a snapshot that panicked"))??,
                evidence_file: sealed.file,
                evidence: sealed.evidence.clone(),
            })
        })
    }
}

/// Step 4 and 5: nothing bound has changed, and the log shows the request.
///
/// The log needs time to settle, which the identity checks make use of.
fn unchanged_and_observed(start: &Start, after: &Measurements<'_>) -> Verdict<Observed> {
    let Deployment {
        inputs,
        limits,
        interrupt,
        ..
    } = after.deployment();
    let log = given(&inputs.observation)?;
    thread::scope(|scope| {
        let unchanged = scope.spawn(|| unchanged(start, after));
        let fresh = start.log.fresh(log, limits.settle, limits.quiet, interrupt);
        unchanged
            .join()
            .map_err(|_| internal("a check that panicked"))??;
        verdict::judge(&fresh?).map_err(log::mismatch)
    })
}

fn unchanged(start: &Start, after: &Measurements<'_>) -> Verdict {
    let refuse = || Refusal::new(Reason::EvidenceChanged);
    let now = match after.evidence() {
        Ok(sealed) => sealed.file,
        Err(_) => return Err(refuse().found("a file that can no longer be read")),
    };
    if now.digest != start.evidence_file.digest {
        return Err(refuse()
            .detail(Circumstance::Contents)
            .expected(start.evidence_file.digest)
            .found(now.digest));
    }
    if now != start.evidence_file {
        return Err(refuse()
            .detail(Circumstance::Replaced)
            .expected("the same file")
            .found("another one"));
    }
    preflight::identity(after)
}

/// Step 6: the counter moved by one.
fn ingress(before: u64, after: u64) -> Verdict {
    if after == before + 1 {
        return Ok(());
    }
    let sub = if after <= before {
        Circumstance::Restart
    } else {
        Circumstance::Several
    };
    Err(Refusal::new(Reason::IngressDelta)
        .detail(sub)
        .expected(Fact::Count(before + 1, ""))
        .found(Fact::Count(after, "")))
}

/// Step 7: the workspace changed, and holds the result. Gives both digests.
fn workspace(deployment: &Deployment, before: Digest) -> Verdict<(Digest, Digest)> {
    let workspace = given(&deployment.inputs.workspace)?;
    let tree = tree_digest(workspace)?;
    if tree == before {
        return Err(Refusal::new(Reason::WorkspaceUnchanged)
            .expected("another digest than before")
            .found(tree));
    }
    Ok((tree, result(&workspace.join(RESULT_FILE))?))
}

fn tree_digest(workspace: &Path) -> Verdict<Digest> {
    tree::digest(workspace).map_err(|error| Refusal::new(Reason::WorkspaceTree).caused_by(error))
}

fn result(path: &Path) -> Verdict<Digest> {
    let file = file::open(Reason::ResultMissing, path)?;
    let expected = Digest::of(EXPECTED_LINE);
    let size = file.size();
    // A file of another length cannot hold the line, whatever its size.
    if size != EXPECTED_LINE.len() as u64 {
        return Err(Refusal::new(Reason::ResultContent)
            .expected(Fact::Count(EXPECTED_LINE.len() as u64, "bytes"))
            .found(Fact::Count(size, "bytes")));
    }
    let found = file
        .digest()
        .map_err(|error| {
            Refusal::new(Reason::ResultMissing)
                .detail(error.circumstance())
                .caused_by(error)
        })?
        .digest;
    if found != expected {
        return Err(Refusal::new(Reason::ResultContent)
            .expected(expected)
            .found(found));
    }
    Ok(found)
}

/// Step 9: build, validate, scan, publish, read back.
fn publish_manifest(
    after: &Measurements<'_>,
    evidence: &Evidence,
    measured: &Measured,
) -> Verdict<Proof> {
    let deployment = after.deployment();
    let output = given(&deployment.inputs.output)?;
    let bytes = canonical(&Manifest::of(evidence, measured))
        .map_err(|_| internal("a manifest that is no JSON"))?;
    let manifest = validate(&bytes, &after.schema()?.1)?;
    redacted(deployment, &bytes)?;
    let expected = Digest::of(&bytes);
    let mut found = None;
    let withdrawal = deployment
        .interrupt
        .publishing(output, || -> Verdict<FileIdentity> {
            let published = publish(output, &bytes)?;
            found = Some(published.read_back());
            Ok(FileIdentity {
                device: published.device,
                inode: published.inode,
            })
        })?;
    // Whatever is refused from here on takes the file back.
    let found = found.ok_or_else(|| internal("a publication that did not happen"))?;
    confirmed(found?, expected)?;
    withdrawal.keep()?;
    Ok(Proof {
        manifest,
        digest: expected,
    })
}

/// Refuses bytes that hold a private value in any encoding.
fn redacted(deployment: &Deployment, bytes: &[u8]) -> Verdict {
    match forbidden(deployment)?.scan(bytes) {
        None => Ok(()),
        Some(hit) => Err(Refusal::from(hit).detail(hit.kind)),
    }
}

/// The values that may be published in no encoding.
fn forbidden(deployment: &Deployment) -> Verdict<Forbidden> {
    let inputs = &deployment.inputs;
    Ok(Forbidden::new()
        .value(Kind::Secret, given(&inputs.secret)?.expose())
        .value(Kind::BaseUrl, given(&inputs.base_url)?.text())
        .value(Kind::Model, given(&inputs.model)?.text())
        .value(
            Kind::WorkspacePath,
            given(&inputs.workspace)?.as_os_str().as_encoded_bytes(),
        )
        .value(
            Kind::OutputPath,
            given(&inputs.output)?.as_os_str().as_encoded_bytes(),
        )
        .value(Kind::ExpectedLine, EXPECTED_LINE))
}

fn failed(reason: ClaudeReason, ended: &crate::process::Ended) -> Refusal {
    use crate::process::Status;
    let status = match ended.status {
        Status::Code(code) => Fact::Count(u64::from(code.unsigned_abs()), "as exit status"),
        Status::Signal(_) => Fact::State("an end by a signal"),
    };
    Refusal::claude(reason).found(status)
}

fn internal(what: &'static str) -> Refusal {
    Refusal::new(Reason::Internal).found(what)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_counter_must_move_by_one() {
        assert!(ingress(4, 5).is_ok());
        for (after, told) in [
            (4, "ingress-delta restart: expected 5; found 4"),
            (6, "ingress-delta several: expected 5; found 6"),
            (3, "ingress-delta restart: expected 5; found 3"),
        ] {
            assert_eq!(ingress(4, after).unwrap_err().to_string(), told);
        }
    }
}
