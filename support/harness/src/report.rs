//! The one place that prints: fixed words, digests, counts and durations.

use std::io::{self, Write};

use crate::digest::Digest;
use crate::evidence::drift::Drift;
use crate::evidence::{Evidence, Runtime, Source};
use crate::manifest::Manifest;
use crate::run::Proof;

/// Prints what a run proved.
///
/// # Errors
/// Those of standard output.
pub fn proof(proof: &Proof) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "proved: one request was planned, worked and reviewed")?;
    manifest_rows(&mut out, &proof.manifest)?;
    row(&mut out, "manifest", &proof.digest.to_string())
}

/// Prints what a valid manifest says.
///
/// # Errors
/// Those of standard output.
pub fn valid(manifest: &Manifest) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "valid: the manifest keeps every rule of its format")?;
    manifest_rows(&mut out, manifest)
}

/// Prints what was sealed.
///
/// # Errors
/// Those of standard output.
pub fn sealed(evidence: &Evidence) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "sealed: the deployment as it is now")?;
    deployed_rows(&mut out, &evidence.source, &evidence.runtime)
}

/// Prints how a deployment and its evidence compare.
///
/// # Errors
/// Those of standard output.
pub fn drift(drift: &Drift) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(
        out,
        "compared: the deployment as it is now with what was sealed"
    )?;
    let mut line = |cells: [&str; 5]| {
        let [outcome, key, sealed, now, meaning] = cells;
        writeln!(
            out,
            "  {outcome:<12} {key:<22} {sealed:<12} {now:<12} {meaning}"
        )
    };
    line(["outcome", "field", "sealed", "now", "meaning"])?;
    for row in &drift.rows {
        let now = row.now.as_deref().unwrap_or("-");
        line([row.outcome.words(), row.key, &row.sealed, now, &row.meaning])?;
    }
    Ok(())
}

fn manifest_rows(out: &mut impl Write, manifest: &Manifest) -> io::Result<()> {
    deployed_rows(out, &manifest.source, &manifest.runtime)?;
    for stage in &manifest.stages {
        row(
            out,
            &stage.stage,
            &format!("{} ms on {}", stage.duration_ms, stage.engine_family),
        )?;
    }
    row(
        out,
        "request",
        &format!("{} ms", manifest.terminal.duration_ms),
    )?;
    row(out, "ingress", &format!("+{}", manifest.ingress.delta))?;
    let [before, after] = [
        manifest.workspace.before_digest,
        manifest.workspace.after_digest,
    ]
    .map(Digest::short);
    row(out, "workspace", &format!("changed, {before} to {after}"))
}

fn deployed_rows(out: &mut impl Write, source: &Source, runtime: &Runtime) -> io::Result<()> {
    row(out, "source head", source.short_head())?;
    for (name, digest) in runtime.deployed() {
        row(out, name, &digest.short())?;
    }
    Ok(())
}

fn row(out: &mut impl Write, name: &str, value: &str) -> io::Result<()> {
    writeln!(out, "  {name:<12} {value}")
}
