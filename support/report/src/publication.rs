//! A page is scanned as a manifest is, and put in place as a manifest is.

use std::path::{Path, PathBuf, absolute};

use harness::constants::EXPECTED_LINE;
use harness::digest::Digest;
use harness::environment::Environment;
use harness::environment::runner::Runner;
use harness::inputs::Inputs;
use harness::inputs::variable::Variable;
use harness::manifest::validate::holds_forbidden_part;
use harness::measure::{file, given};
use harness::publish::{PublishError, confirmed, publish};
use harness::reason::Reason;
use harness::redaction::{Forbidden, Kind};
use harness::refusal::{Circumstance, Refusal, Verdict};
use harness::schema::ManifestSchema;

use crate::outcome::{Outcome, Published};
use crate::{comparison, page};

/// What manifests are judged by, and whose values may not be published.
pub struct Settings {
    /// The manifest schema.
    pub schema: ManifestSchema,
    environment: Environment,
}

impl Settings {
    /// Takes the schema and the private values from where a run takes them.
    ///
    /// Of the variables, only those of the schema and of the private values are
    /// looked at, and none is required.
    ///
    /// # Errors
    /// `schema-contract`.
    pub fn read(environment: Environment, runner: &Runner) -> Verdict<Self> {
        let inputs = Inputs::read(&environment, runner);
        let (_, bytes) = file::read(Reason::SchemaContract, given(&inputs.schema)?)?;
        Ok(Self {
            schema: ManifestSchema::parse(&bytes)?,
            environment,
        })
    }

    /// The values that no page may hold, besides the paths that these files have.
    fn private<'p>(&self, files: impl IntoIterator<Item = &'p Path>) -> Forbidden {
        let value = |variable: Variable| {
            let value = self.environment.get(variable.name());
            value.unwrap_or_default().as_encoded_bytes()
        };
        let secret = self.environment.get(Variable::SecretEnv.name());
        let secret = secret.and_then(|name| self.environment.get(name));
        let forbidden = Forbidden::new()
            .value(Kind::Secret, secret.unwrap_or_default().as_encoded_bytes())
            .value(Kind::BaseUrl, value(Variable::BaseUrl))
            .value(Kind::Model, value(Variable::Model))
            .value(Kind::WorkspacePath, value(Variable::Workspace))
            .value(Kind::OutputPath, value(Variable::Output))
            .value(Kind::ExpectedLine, EXPECTED_LINE);
        files.into_iter().fold(forbidden, |forbidden, file| {
            let path = absolute(file).unwrap_or_else(|_| file.to_path_buf());
            forbidden.value(Kind::OutputPath, path.as_os_str().as_encoded_bytes())
        })
    }
}

/// A page that was put in place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// Where it is.
    pub path: PathBuf,
    /// Digest of its bytes, as read back.
    pub digest: Digest,
}

/// Where the page of a run goes unless told otherwise: next to its manifest, or
/// without one next to its JUnit file, named after the run.
pub fn place_of_run(junit: &Path, manifest: Option<&Path>, outcome: &Outcome) -> PathBuf {
    match manifest {
        Some(manifest) => manifest.with_extension("html"),
        None => junit.with_file_name(format!("report-{}.html", outcome.run)),
    }
}

/// Writes the page of a run.
///
/// # Errors
/// `redaction` if the page would hold a private value, `report-existing` if
/// something is at the path, which is left as it is, and `publication-failed`.
pub fn write_run(outcome: &Outcome, path: &Path, settings: &Settings) -> Verdict<Written> {
    put(page::of_run(outcome), path, settings.private([path]))
}

/// Writes the page of one manifest, or the page that compares several in the
/// order given; without a path of its own next to the first, with the manifest's
/// name and the extension `html` or as `comparison.html`.
///
/// # Errors
/// `report-usage` without a manifest, `manifest-file` and `manifest-invalid` with
/// the number of the manifest, and those of [`write_run`].
pub fn write_manifests(
    manifests: &[PathBuf],
    path: Option<&Path>,
    settings: &Settings,
) -> Verdict<Written> {
    let read = |(index, path): (usize, &PathBuf)| {
        let published = Published::read(path, &settings.schema);
        published.map_err(|refusal| refusal.at("manifest", index + 1, manifests.len()))
    };
    let runs: Vec<_> = manifests
        .iter()
        .enumerate()
        .map(read)
        .collect::<Verdict<_>>()?;
    let (page, default) = match (&runs[..], manifests) {
        ([run], [manifest]) => (page::of_manifest(run), manifest.with_extension("html")),
        ([_, ..], [first, ..]) => (
            comparison::of_manifests(&runs),
            first.with_file_name("comparison.html"),
        ),
        _ => {
            return Err(Refusal::new(Reason::ReportUsage)
                .expected("a manifest or a JUnit file")
                .found("neither"));
        }
    };
    let path = path.unwrap_or(&default);
    let files = manifests.iter().map(PathBuf::as_path).chain([path]);
    put(page, path, settings.private(files))
}

/// Scans a page and puts it in place.
fn put(page: String, path: &Path, private: Forbidden) -> Verdict<Written> {
    scan(&page, &private)?;
    let published = publish(path, page.as_bytes()).map_err(refusal)?;
    let digest = published.digest;
    if let Err(refusal) = confirmed(published.read_back()?, digest) {
        // What is taken back is told, not whether that worked: the path is no longer ours.
        let _ = published.withdraw();
        return Err(refusal);
    }
    Ok(Written {
        path: path.to_path_buf(),
        digest,
    })
}

/// Refuses a page that holds a private value or what no manifest may hold.
///
/// # Errors
/// `redaction`, with the kind of value, or `pattern`.
pub fn scan(page: &str, private: &Forbidden) -> Verdict {
    // A value with markup in it stands there escaped.
    let plain = quick_xml::escape::unescape(page);
    let plain = plain.as_deref().unwrap_or(page);
    for text in [page, plain] {
        if let Some(hit) = private.scan(text.as_bytes()) {
            return Err(Refusal::from(hit).detail(hit.kind));
        }
        if holds_forbidden_part(text) {
            return Err(Refusal::new(Reason::Redaction)
                .detail(Circumstance::Pattern)
                .expected("nothing that no manifest may hold"));
        }
    }
    Ok(())
}

fn refusal(error: PublishError) -> Refusal {
    match error {
        PublishError::Appeared => Refusal::new(Reason::ReportExisting)
            .expected("nothing")
            .found("something"),
        error => error.into(),
    }
}
