//! The measured facts that the checks judge, each taken at most once.
//!
//! A fact is measured when it is first asked for, so that a single check costs
//! only what it needs. A failed measurement is kept as well: what timed out
//! once is not tried again.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use crate::claude::environment::refused;
use crate::constants::{CATALOG_ROUTE, INGRESS_COUNTER};
use crate::deployment::Deployment;
use crate::digest::Digest;
use crate::digest::file::FileDigest;
use crate::digest::worktree;
use crate::evidence::Evidence;
use crate::inputs::{Input, Problem};
use crate::probe::metrics;
use crate::probe::{Answer, ProbeError, Prober};
use crate::reason::Reason;
use crate::refusal::{Circumstance, Fact, Refusal, Verdict};
use crate::schema::ManifestSchema;
use crate::source::{Checkout, Git, SourceError};

pub mod command;
pub mod file;

use command::Question;
use file::Role;

/// The facts of one deployment at one time.
pub struct Measurements<'d> {
    deployment: &'d Deployment,
    files: [Cell<FileDigest>; Role::ALL.len()],
    answers: [Cell<Digest>; Question::ALL.len()],
    help: OnceLock<Vec<u8>>,
    evidence: Cell<SealedEvidence>,
    schema: Cell<(FileDigest, ManifestSchema)>,
    checkout: Cell<Checkout>,
    worktree: Cell<Digest>,
    prober: Arc<Cell<Prober>>,
    exposition: Cell<Answer>,
    catalog: Cell<Catalog>,
}

type Cell<T> = OnceLock<Verdict<T>>;

/// The evidence with the identity of its file.
#[derive(Clone, Debug)]
pub struct SealedEvidence {
    /// Identity and digest of the file.
    pub file: FileDigest,
    /// What it says.
    pub evidence: Evidence,
}

/// The catalog's answer with the counter around it.
pub struct Catalog {
    /// HTTP status.
    pub status: u16,
    /// The body; none if it passes its bound.
    pub body: Option<Vec<u8>>,
    /// Counter before the probe.
    pub before: u64,
    /// Counter after the probe.
    pub after: u64,
}

impl<'d> Measurements<'d> {
    /// No facts yet.
    pub fn new(deployment: &'d Deployment) -> Self {
        Self {
            deployment,
            files: Default::default(),
            answers: Default::default(),
            help: OnceLock::new(),
            evidence: OnceLock::new(),
            schema: OnceLock::new(),
            checkout: OnceLock::new(),
            worktree: OnceLock::new(),
            prober: Arc::default(),
            exposition: OnceLock::new(),
            catalog: OnceLock::new(),
        }
    }

    /// No facts yet of the same deployment, to be asked for through the same HTTP client.
    #[must_use]
    pub fn anew(&self) -> Self {
        Self {
            prober: Arc::clone(&self.prober),
            ..Self::new(self.deployment)
        }
    }

    /// The deployment.
    pub fn deployment(&self) -> &'d Deployment {
        self.deployment
    }

    /// Identity and digest of a file that an input names.
    ///
    /// # Errors
    /// The reason of that input's own check.
    pub fn file(&self, role: Role) -> Verdict<&FileDigest> {
        once(&self.files[role as usize], || {
            file::digest(role, self.path(role)?)
        })
    }

    /// The path of a file that an input names.
    ///
    /// # Errors
    /// The variable is missing.
    pub fn path(&self, role: Role) -> Verdict<&'d Path> {
        let inputs = &self.deployment.inputs;
        let input = match role {
            Role::Claude => &inputs.claude,
            Role::Edge => &inputs.edge,
            Role::Node => &inputs.node,
            Role::Config => &inputs.config,
        };
        given(input).map(PathBuf::as_path)
    }

    /// Digest of what a command printed.
    ///
    /// # Errors
    /// The reason of that command's own check.
    pub fn answer(&self, question: Question) -> Verdict<Digest> {
        once(&self.answers[question as usize], || {
            let printed = command::ask(self, question)?;
            let digest = Digest::of(&printed);
            if question == Question::ClaudeHelp {
                // It is asked for once: `once` runs this at most one time.
                let _ = self.help.set(printed);
            }
            Ok(digest)
        })
        .copied()
    }

    /// What `claude --help` printed.
    ///
    /// # Errors
    /// `claude-help`, or what keeps it from being run.
    pub fn claude_help(&self) -> Verdict<&[u8]> {
        self.answer(Question::ClaudeHelp)?;
        Ok(self.help.get().map(Vec::as_slice).unwrap_or_default())
    }

    /// The sealed evidence.
    ///
    /// # Errors
    /// `runtime-file`.
    pub fn evidence(&self) -> Verdict<&SealedEvidence> {
        once(&self.evidence, || {
            let path = given(&self.deployment.inputs.evidence)?;
            let (file, bytes) = file::read(Reason::RuntimeFile, path)?;
            Ok(SealedEvidence {
                file,
                evidence: Evidence::parse(&bytes)?,
            })
        })
    }

    /// The manifest schema with the identity of its file.
    ///
    /// # Errors
    /// `schema-contract`.
    pub fn schema(&self) -> Verdict<&(FileDigest, ManifestSchema)> {
        once(&self.schema, || {
            let path = given(&self.deployment.inputs.schema)?;
            let (file, bytes) = file::read(Reason::SchemaContract, path)?;
            Ok((file, ManifestSchema::parse(&bytes)?))
        })
    }

    /// Head and branch of the IOP checkout.
    ///
    /// # Errors
    /// `source-head`.
    pub fn checkout(&self) -> Verdict<&Checkout> {
        once(&self.checkout, || {
            let root = given(&self.deployment.inputs.repo)?;
            let Deployment {
                supervisor,
                interrupt,
                limits,
                environment,
                ..
            } = self.deployment;
            let git = Git {
                supervisor,
                interrupt,
                path: environment.get("PATH").unwrap_or_default().to_owned(),
                bound: limits.command,
                grace: limits.grace,
            };
            git.checkout(root).map_err(|error| {
                let circumstance = error.circumstance();
                let refusal = match error {
                    SourceError::Process(error) => refused(error, Reason::SourceHead),
                    error => Refusal::new(Reason::SourceHead).caused_by(error),
                };
                match refusal.reason() {
                    Reason::SourceHead => refusal.detail(circumstance),
                    // A missing supervisor or an interruption says nothing about the source.
                    _ => refusal,
                }
            })
        })
    }

    /// Digest of the files under the worktree inputs.
    ///
    /// # Errors
    /// `source-worktree`.
    pub fn worktree(&self) -> Verdict<Digest> {
        once(&self.worktree, || {
            let inputs = &self.deployment.inputs;
            let root = given(&inputs.repo)?;
            let paths = given(&inputs.worktree_inputs)?;
            worktree::digest(root, paths).map_err(|error| {
                Refusal::new(Reason::SourceWorktree)
                    .detail(error.circumstance())
                    .caused_by(error)
            })
        })
        .copied()
    }

    /// The HTTP client.
    ///
    /// # Errors
    /// `health-listener`: every probe needs it, and that one is the first.
    pub fn prober(&self) -> Verdict<&Prober> {
        once(&self.prober, || {
            let inputs = &self.deployment.inputs;
            let texts = [
                inputs.base_url.as_ref().map_or("", |url| url.text()),
                inputs.metrics_url.as_ref().map_or("", |url| url.text()),
            ];
            let tls = texts
                .iter()
                .any(|url| url.to_ascii_lowercase().starts_with("https:"));
            let passed = given(&inputs.pass)?;
            Prober::new(self.deployment.limits.probe, passed, tls).map_err(|error| {
                Refusal::new(Reason::HealthListener)
                    .detail(error.circumstance())
                    .expected("an http client")
                    .found("variables handed through that allow none")
                    .caused_by(error)
            })
        })
    }

    /// The metrics listener's answer.
    ///
    /// # Errors
    /// `metrics-listener`.
    pub fn exposition(&self) -> Verdict<&Answer> {
        once(&self.exposition, || self.probe_exposition())
    }

    /// The ingress counter, from the exposition that was taken.
    ///
    /// # Errors
    /// `metrics-listener` or `metrics-counter`.
    pub fn counter(&self) -> Verdict<u64> {
        read_counter(self.exposition()?)
    }

    /// The ingress counter as it is now.
    ///
    /// # Errors
    /// `metrics-listener` or `metrics-counter`.
    pub fn counter_now(&self) -> Verdict<u64> {
        read_counter(&self.probe_exposition()?)
    }

    /// The catalog's answer, asked for once the base URL is known to be the sealed one:
    /// the key goes nowhere else.
    ///
    /// # Errors
    /// `base-digest`, `catalog-auth` or those of the counter.
    pub fn catalog(&self) -> Verdict<&Catalog> {
        once(&self.catalog, || {
            crate::preflight::check(Reason::BaseDigest, self)?;
            let inputs = &self.deployment.inputs;
            let secret = given(&inputs.secret)?;
            let url = given(&inputs.base_url)?.route(CATALOG_ROUTE);
            let before = self.counter()?;
            let (status, body) = match self.prober()?.catalog(&url, secret) {
                Ok(answer) => (answer.status, Some(answer.body)),
                Err(ProbeError::TooLong { status }) => (status, None),
                Err(error) => return Err(unreachable(Reason::CatalogAuth, error)),
            };
            Ok(Catalog {
                status,
                body,
                before,
                after: self.counter_now()?,
            })
        })
    }

    fn probe_exposition(&self) -> Verdict<Answer> {
        let url = given(&self.deployment.inputs.metrics_url)?;
        let answer = self
            .prober()?
            .get(url.text())
            .map_err(|error| unreachable(Reason::MetricsListener, error))?;
        success(Reason::MetricsListener, answer.status)?;
        Ok(answer)
    }
}

/// Refuses a status other than those of success.
pub fn success(reason: Reason, status: u16) -> Verdict {
    if (200..300).contains(&status) {
        return Ok(());
    }
    Err(Refusal::new(reason)
        .detail(Circumstance::Status)
        .expected("a status from 200 to 299")
        .found(Fact::Status(status)))
}

/// The refusal of a listener that gave no usable answer.
pub fn unreachable(reason: Reason, error: ProbeError) -> Refusal {
    Refusal::new(reason)
        .detail(error.circumstance())
        .expected("an answer")
        .found("none that can be used")
        .caused_by(error)
}

/// An input, or the refusal of the check that judges it.
pub fn given<T>(input: &Input<T>) -> Verdict<&T> {
    input
        .as_ref()
        .map_err(|problem: &Problem| problem.refusal())
}

fn read_counter(answer: &Answer) -> Verdict<u64> {
    metrics::counter(&answer.body, INGRESS_COUNTER).map_err(|fault| {
        Refusal::new(Reason::MetricsCounter)
            .detail(fault)
            .expected("one unlabelled whole sample")
            .found(fault.meaning())
    })
}

fn once<T>(cell: &Cell<T>, measure: impl FnOnce() -> Verdict<T>) -> Verdict<&T> {
    cell.get_or_init(measure).as_ref().map_err(Refusal::clone)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::environment::Environment;
    use crate::environment::runner::Runner;
    use crate::interrupt::Interrupt;
    use crate::process::Supervisor;

    #[test]
    fn what_is_asked_anew_goes_through_the_same_http_client() {
        let environment = Environment::default();
        let runner = Runner::of(&environment);
        let interrupt = Interrupt::install(Duration::from_secs(1)).unwrap();
        let supervisor = Supervisor::at("/made-up");
        let deployment = Deployment::new(environment, &runner, supervisor, interrupt);
        let before = Measurements::new(&deployment);
        assert!(Arc::ptr_eq(&before.prober, &before.anew().prober));
    }
}
