//! What the user gives: every variable, read once into one typed value.
//!
//! Each field is either the parsed value or the [`Problem`] with it, so that
//! all problems are reported together and a single check needs only its own
//! inputs.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::constants::{MODEL_BOUND, RUN_BOUND, WORKTREE_INPUTS};
use crate::environment::Environment;
use crate::environment::runner::Runner;
use crate::reason::Reason;
use crate::refusal::{Fact, Refusal, Verdict};

pub mod fault;
pub mod location;
pub mod secret;
pub mod variable;

use fault::Fault;
use location::{BaseUrl, MetricsUrl};
use secret::Secret;
use variable::Variable;

/// A parsed input, or what is wrong with it.
pub type Input<T> = Result<T, Problem>;

/// What is wrong with one variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The variable.
    pub variable: Variable,
    /// What is wrong.
    pub fault: Fault,
}

impl Problem {
    /// The refusal of the check that judges this variable.
    pub fn refusal(self) -> Refusal {
        Refusal::new(self.variable.reason())
            .detail(self.fault)
            .found(self.fault.words())
            .line(&[self.variable.name(), " is ", self.variable.meaning()])
    }
}

/// What the inputs are wanted for: it decides which of them are required.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Preflight and run.
    Run,
    /// Measuring a deployment into a sealed evidence file, or comparing it with one.
    Capture,
    /// Judging a manifest.
    Validate,
}

/// A model name that the Edge publishes.
#[derive(Clone)]
pub struct Model(String);

impl Model {
    /// Takes 1 to 256 bytes without control characters.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse(text: &str) -> Result<Self, Fault> {
        if text.is_empty() {
            return Err(Fault::NotSet);
        }
        if text.len() > MODEL_BOUND {
            return Err(Fault::TooLong);
        }
        if text.chars().any(char::is_control) {
            return Err(Fault::Control);
        }
        Ok(Self(text.to_owned()))
    }

    /// The name itself.
    pub fn text(&self) -> &str {
        &self.0
    }
}

/// All inputs.
pub struct Inputs {
    /// Claude Code executable.
    pub claude: Input<PathBuf>,
    /// Edge executable.
    pub edge: Input<PathBuf>,
    /// Node executable.
    pub node: Input<PathBuf>,
    /// Edge configuration file.
    pub config: Input<PathBuf>,
    /// Sealed runtime evidence.
    pub evidence: Input<PathBuf>,
    /// Edge origin.
    pub base_url: Input<BaseUrl>,
    /// Prometheus exposition.
    pub metrics_url: Input<MetricsUrl>,
    /// Public model id.
    pub model: Input<Model>,
    /// The Edge's JSON-lines log.
    pub observation: Input<PathBuf>,
    /// Where Claude's request does its work.
    pub workspace: Input<PathBuf>,
    /// Where the manifest goes.
    pub output: Input<PathBuf>,
    /// Name of the variable that holds the key.
    pub secret_name: Input<String>,
    /// The key.
    pub secret: Input<Secret>,
    /// The IOP checkout.
    pub repo: Input<PathBuf>,
    /// Paths in the checkout that the worktree digest covers.
    pub worktree_inputs: Input<Vec<PathBuf>>,
    /// Manifest schema.
    pub schema: Input<PathBuf>,
    /// Bound on the CLI run.
    pub run_timeout: Input<Duration>,
    /// Extra variables for the CLI, with their values.
    pub pass: Input<Vec<(OsString, OsString)>>,
    /// A manifest to judge.
    pub manifest: Input<PathBuf>,
}

impl Inputs {
    /// Reads all variables.
    pub fn read(environment: &Environment, runner: &Runner) -> Self {
        let reader = Reader {
            environment,
            runner,
        };
        let secret_name = reader.text(Variable::SecretEnv, |name| {
            variable_name(name)
                .then(|| name.to_owned())
                .ok_or(Fault::VariableName)
        });
        let secret = reader.secret(secret_name.as_deref().ok());
        Self {
            claude: reader.absolute_path(Variable::Claude),
            edge: reader.absolute_path(Variable::EdgeBin),
            node: reader.absolute_path(Variable::NodeBin),
            config: reader.absolute_path(Variable::EdgeConfig),
            evidence: reader.path(Variable::RuntimeEvidence),
            base_url: reader.text(Variable::BaseUrl, BaseUrl::parse),
            metrics_url: reader.text(Variable::MetricsUrl, MetricsUrl::parse),
            model: reader.text(Variable::Model, Model::parse),
            observation: reader.path(Variable::ObservationFile),
            workspace: reader.path(Variable::Workspace),
            output: reader.output(),
            secret_name,
            secret,
            repo: reader.repo(),
            worktree_inputs: reader.worktree_inputs(),
            schema: reader.schema(),
            run_timeout: reader.run_timeout(),
            pass: reader.pass(),
            manifest: reader.path(Variable::Manifest),
        }
    }

    /// Every problem with the inputs that this purpose needs, in the order of the README's table.
    pub fn problems(&self, purpose: Purpose) -> Vec<Problem> {
        let mut problems = Vec::new();
        match purpose {
            Purpose::Validate => {
                note(&mut problems, &self.manifest);
                note(&mut problems, &self.schema);
            }
            Purpose::Run | Purpose::Capture => {
                for path in [
                    &self.claude,
                    &self.edge,
                    &self.node,
                    &self.config,
                    &self.evidence,
                ] {
                    note(&mut problems, path);
                }
                note(&mut problems, &self.base_url);
                if purpose == Purpose::Run {
                    note(&mut problems, &self.metrics_url);
                }
                note(&mut problems, &self.model);
                if purpose == Purpose::Run {
                    note(&mut problems, &self.observation);
                }
                note(&mut problems, &self.workspace);
                if purpose == Purpose::Run {
                    note(&mut problems, &self.output);
                    note(&mut problems, &self.secret_name);
                    // Without a name there is no value to complain about.
                    if self.secret_name.is_ok() {
                        note(&mut problems, &self.secret);
                    }
                }
                note(&mut problems, &self.repo);
                note(&mut problems, &self.worktree_inputs);
                note(&mut problems, &self.schema);
                note(&mut problems, &self.run_timeout);
                note(&mut problems, &self.pass);
            }
        }
        problems
    }

    /// Refuses with a list of every problem.
    pub fn complete(&self, purpose: Purpose) -> Verdict {
        let problems = self.problems(purpose);
        if problems.is_empty() {
            return Ok(());
        }
        let mut found = vec![Fact::Count(problems.len() as u64, "missing or malformed")];
        found.extend(
            problems
                .iter()
                .map(|problem| Fact::State(problem.variable.name())),
        );
        let mut refusal = Refusal::new(Reason::Inputs)
            .expected("every required variable, well-formed")
            .found(Fact::List(found));
        for problem in problems {
            refusal = refusal.line(&[
                problem.variable.name(),
                " [",
                problem.variable.reason().id(),
                "] ",
                problem.fault.words(),
                " – ",
                problem.variable.meaning(),
            ]);
        }
        Err(refusal)
    }
}

fn note<T>(problems: &mut Vec<Problem>, input: &Input<T>) {
    problems.extend(input.as_ref().err());
}

/// Reads single variables.
struct Reader<'e> {
    environment: &'e Environment,
    runner: &'e Runner,
}

impl Reader<'_> {
    fn value(&self, variable: Variable) -> Option<&OsStr> {
        self.environment.get(variable.name())
    }

    fn path(&self, variable: Variable) -> Input<PathBuf> {
        let value = self.value(variable).ok_or(Problem {
            variable,
            fault: Fault::NotSet,
        })?;
        Ok(PathBuf::from(value))
    }

    /// A path that also holds in another working directory than this one.
    fn absolute_path(&self, variable: Variable) -> Input<PathBuf> {
        let path = self.path(variable)?;
        // Without a working directory there is nothing to be relative to, and
        // opening the path says so.
        Ok(std::path::absolute(&path).unwrap_or(path))
    }

    fn text<T>(&self, variable: Variable, parse: impl Fn(&str) -> Result<T, Fault>) -> Input<T> {
        let value = self.value(variable).ok_or(Problem {
            variable,
            fault: Fault::NotSet,
        })?;
        value
            .to_str()
            .ok_or(Fault::NotUtf8)
            .and_then(parse)
            .map_err(|fault| Problem { variable, fault })
    }

    fn secret(&self, name: Option<&str>) -> Input<Secret> {
        let problem = |fault| Problem {
            variable: Variable::Secret,
            fault,
        };
        let name = name.ok_or(problem(Fault::Nameless))?;
        let value = self.environment.get(name).ok_or(problem(Fault::NotSet))?;
        value
            .to_str()
            .ok_or(Fault::NotUtf8)
            .and_then(Secret::parse)
            .map_err(problem)
    }

    fn output(&self) -> Input<PathBuf> {
        let problem = |fault| Problem {
            variable: Variable::Output,
            fault,
        };
        match self.value(Variable::Output) {
            Some(value) if Path::new(value).is_absolute() => Ok(PathBuf::from(value)),
            Some(_) => Err(problem(Fault::Relative)),
            None => Err(problem(Fault::NoRun)),
        }
    }

    fn repo(&self) -> Input<PathBuf> {
        let problem = |fault| Problem {
            variable: Variable::Repo,
            fault,
        };
        if let Some(value) = self.value(Variable::Repo) {
            return Ok(PathBuf::from(value));
        }
        let root = self.runner.root().ok_or(problem(Fault::NoRoot))?;
        root.ancestors()
            .find(|folder| folder.join(".git").exists())
            .map(Path::to_path_buf)
            .ok_or(problem(Fault::NoRepository))
    }

    fn worktree_inputs(&self) -> Input<Vec<PathBuf>> {
        let variable = Variable::WorktreeInputs;
        let Some(value) = self.value(variable) else {
            return Ok(WORKTREE_INPUTS.iter().map(PathBuf::from).collect());
        };
        let paths: Vec<PathBuf> = std::env::split_paths(value).collect();
        let inside = |path: &PathBuf| {
            !path.as_os_str().is_empty()
                && path
                    .components()
                    .all(|part| matches!(part, std::path::Component::Normal(_)))
        };
        if paths.iter().all(inside) {
            Ok(paths)
        } else {
            Err(Problem {
                variable,
                fault: Fault::Outside,
            })
        }
    }

    fn schema(&self) -> Input<PathBuf> {
        if let Some(value) = self.value(Variable::Schema) {
            return Ok(PathBuf::from(value));
        }
        let root = self.runner.root().ok_or(Problem {
            variable: Variable::Schema,
            fault: Fault::NoRoot,
        })?;
        Ok(root
            .join("schemas")
            .join(crate::schema::MANIFEST_SCHEMA_FILE))
    }

    fn run_timeout(&self) -> Input<Duration> {
        if self.value(Variable::RunTimeout).is_none() {
            return Ok(RUN_BOUND);
        }
        self.text(Variable::RunTimeout, |text| match text.parse() {
            Ok(seconds @ 1..=3600) => Ok(Duration::from_secs(seconds)),
            _ => Err(Fault::Seconds),
        })
    }

    fn pass(&self) -> Input<Vec<(OsString, OsString)>> {
        let variable = Variable::PassEnv;
        if self.value(variable).is_none() {
            return Ok(Vec::new());
        }
        let names = self.text(variable, |text| {
            text.split(',')
                .map(|name| passable(name.trim()))
                .collect::<Result<Vec<_>, _>>()
        })?;
        let value = |name: OsString| {
            self.environment
                .get(&name)
                .map(|value| (name.clone(), value.into()))
        };
        Ok(names.into_iter().filter_map(value).collect())
    }
}

/// Variables of the CLI that the run sets itself: to hand them through would undo it.
const RESERVED: [&str; 5] = [
    "API_TIMEOUT_MS",
    "DISABLE_AUTOUPDATER",
    "HOME",
    "TERM",
    "TMPDIR",
];

fn passable(name: &str) -> Result<OsString, Fault> {
    if !variable_name(name) {
        return Err(Fault::VariableName);
    }
    if name.starts_with("ANTHROPIC_") || name.starts_with("CLAUDE") {
        return Err(Fault::Reserved);
    }
    if RESERVED.contains(&name) {
        return Err(Fault::Reserved);
    }
    Ok(name.into())
}

/// Whether a text is `[A-Za-z_][A-Za-z0-9_]*`.
fn variable_name(text: &str) -> bool {
    text.bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && text
            .bytes()
            .next()
            .is_some_and(|first| !first.is_ascii_digit())
}
