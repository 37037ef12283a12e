//! A whole deployment in one folder, offered through the variables that a user sets.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use std::{env, fs};

use harness::constants::{EXPECTED_LINE, RESULT_FILE, SCHEMA_VERSION, STAGES, WORKTREE_INPUTS};
use harness::digest::{Digest, Hasher};
use harness::environment::Environment;
use harness::environment::runner::Runner;
use harness::evidence::{Evidence, Runtime, Source, derive};
use harness::executables;
use harness::manifest::canonical;
use harness::schema::MANIFEST_SCHEMA_FILE;
use script::{Script, defaults};
use tempfile::TempDir;

use crate::client::{Client, RealClient, digest};
use crate::edge::{Edge, Site};
use crate::executables::{Executables, install, install_alone};
use crate::scratch;
use crate::{checkout, observations};

/// Name of the variable that holds the made-up key.
pub const SECRET_VARIABLE: &str = "STANDIN_API_KEY";
/// Made-up key.
pub const SECRET: &str = "standin-made-up-key-0123456789";
/// Public model of the stand-in.
pub const MODEL: &str = "standin-single-request";

/// What a stand-in deployment is made from.
#[derive(Clone, Debug)]
pub struct Parts {
    /// The built stand-in executables.
    pub executables: Executables,
    /// A real Claude Code in place of the stand-in.
    pub real_claude: Option<RealClient>,
    /// Manifest schema.
    pub schema: PathBuf,
    /// Search path handed to everything that is started.
    pub path: OsString,
    /// Whether this process starts nothing else while a deployment is laid out, as where each
    /// test has a process of its own.
    pub alone: bool,
}

impl Parts {
    /// The parts that this run of the tests was built with.
    ///
    /// # Errors
    /// An executable or the suite's root cannot be found.
    pub fn built(caller: &Environment, runner: &Runner) -> io::Result<Self> {
        let root = runner
            .root()
            .ok_or_else(|| io::Error::other("no suite root"))?;
        let mode = caller.get("NEXTEST_EXECUTION_MODE");
        let parts = Self::under(root, caller.get("PATH").unwrap_or_default())?;
        Ok(Self {
            alone: mode.is_some_and(|mode| mode == "process-per-test"),
            ..parts
        })
    }

    /// The same with this root of the suite and this search path, for executables of the build.
    ///
    /// # Errors
    /// An executable cannot be found.
    pub fn under(root: &Path, path: &OsStr) -> io::Result<Self> {
        let built = |name| executables::find(name).map_err(io::Error::other);
        Ok(Self {
            executables: Executables {
                claude: built("standin-claude")?,
                edge: built("standin-edge")?,
                node: built("standin-node")?,
            },
            real_claude: None,
            schema: root.join("schemas").join(MANIFEST_SCHEMA_FILE),
            path: path.to_owned(),
            alone: false,
        })
    }
}

/// Which of the costly parts of a deployment are made.
///
/// What is not made is missing as in a deployment that is half there: no file,
/// no listener, and digests of nothing in the evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// The git checkout.
    pub checkout: bool,
    /// The executables, by their names in `bin`.
    pub executables: &'static [&'static str],
    /// The listening Edge.
    pub edge: bool,
}

impl Extent {
    /// Everything.
    pub const WHOLE: Self = Self {
        checkout: true,
        executables: &["claude", "edge", "node"],
        edge: true,
    };
    /// None of them: files and folders alone.
    pub const FILES: Self = Self {
        checkout: false,
        executables: &[],
        edge: false,
    };
}

/// A stand-in deployment; dropping it closes its listener and removes its folder.
pub struct Standin {
    /// Its Edge.
    pub edge: Edge,
    client: Client,
    extent: Extent,
    folder: Folder,
    environment: Environment,
}

struct Folder {
    root: PathBuf,
    // Removes the folder when it is dropped; none if the folder stays.
    _temporary: Option<TempDir>,
}

impl Standin {
    /// A deployment in a temporary folder, with sealed evidence.
    ///
    /// # Errors
    /// A file could not be written, git failed or the listener did not start.
    pub fn start(parts: &Parts) -> io::Result<Self> {
        Self::start_in_part(parts, Extent::WHOLE)
    }

    /// The same, of which only some parts are made.
    ///
    /// # Errors
    /// As for [`Standin::start`].
    pub fn start_in_part(parts: &Parts, extent: Extent) -> io::Result<Self> {
        let folder = scratch::folder_named("iop-smoke-standin-")?;
        let root = folder.path().canonicalize()?;
        let standin = Self::lay_out(
            parts,
            extent,
            Folder {
                root,
                _temporary: Some(folder),
            },
        )?;
        standin.seal()?;
        Ok(standin)
    }

    /// A deployment in an empty folder that stays, without evidence.
    ///
    /// # Errors
    /// As for [`Standin::start`]; also if something is in the folder.
    pub fn keep(parts: &Parts, folder: &Path) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        if fs::read_dir(folder)?.next().is_some() {
            return Err(io::Error::other("the folder is not empty"));
        }
        Self::lay_out(
            parts,
            Extent::WHOLE,
            Folder {
                root: folder.canonicalize()?,
                _temporary: None,
            },
        )
    }

    fn lay_out(parts: &Parts, extent: Extent, folder: Folder) -> io::Result<Self> {
        let root = folder.root.clone();
        for name in ["bin", "checkout", "managed", "out", "tmp", "workspace"] {
            fs::create_dir(root.join(name))?;
        }
        if extent.checkout {
            checkout::make(&root.join("checkout"))?;
        }
        fs::write(root.join("workspace/README.md"), "a workspace\n")?;
        fs::write(
            root.join("edge.yaml"),
            "listen: loopback\nstages: [plan, work, review]\n",
        )?;
        fs::write(root.join("edge.log"), observations::startup())?;
        fs::copy(&parts.schema, root.join("schema.json"))?;
        let client = client(parts, extent, &root.join("bin"))?;
        let site = Site {
            secret: SECRET.to_owned(),
            model: MODEL.to_owned(),
            log: root.join("edge.log"),
            result: root.join("workspace").join(RESULT_FILE),
            content: EXPECTED_LINE.into(),
        };
        let edge = if extent.edge {
            Edge::start(site)?
        } else {
            Edge::absent(site)
        };
        let mut environment = variables(&root, &edge.origin(), &parts.path);
        environment.set("IOP_SMOKE_CLAUDE", &client.executable);
        let standin = Self {
            edge,
            client,
            extent,
            folder,
            environment,
        };
        if extent.executables.contains(&"claude") && !standin.client.is_real {
            standin.script_claude(|_| {})?;
        }
        Ok(standin)
    }

    /// The folder that holds everything.
    pub fn root(&self) -> &Path {
        &self.folder.root
    }

    /// A path in that folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.root().join(name)
    }

    /// The folder in place of the host's administrator settings.
    pub fn managed_settings(&self) -> PathBuf {
        self.path("managed")
    }

    /// The variables of a user who runs the smoke against this deployment.
    pub fn environment(&self) -> &Environment {
        &self.environment
    }

    /// Sets one of those variables.
    pub fn set(&mut self, name: &str, value: impl Into<OsString>) {
        self.environment.set(name, value);
    }

    /// Has the deployment be reached at this origin, and seals that.
    ///
    /// # Errors
    /// A file could not be read or written.
    pub fn set_origin(&mut self, origin: &str) -> io::Result<()> {
        self.set("IOP_SMOKE_BASE_URL", origin);
        self.set("IOP_SMOKE_METRICS_URL", format!("{origin}/metrics"));
        self.seal().map(drop)
    }

    /// Removes one of those variables.
    pub fn unset(&mut self, name: &str) {
        self.environment.remove(name);
    }

    /// Changes what the stand-in Claude does, which notes its runs in any case.
    ///
    /// # Errors
    /// The script could not be written.
    pub fn script_claude(&self, change: impl FnOnce(&mut Script)) -> io::Result<()> {
        let mut script = Script {
            run_log: Some(self.path("claude-runs")),
            ..Script::default()
        };
        change(&mut script);
        script.write(&self.path("bin/claude"))
    }

    /// Changes what the stand-in Edge or Node prints, by the executable's name in `bin`.
    ///
    /// # Errors
    /// The script could not be written.
    pub fn script(&self, name: &str, script: &Script) -> io::Result<()> {
        script.write(&self.path("bin").join(name))
    }

    /// The client.
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// How often the stand-in Claude was started for a run.
    pub fn claude_runs(&self) -> usize {
        fs::read_to_string(self.path("claude-runs")).map_or(0, |log| log.lines().count())
    }

    /// Writes evidence that agrees with the deployment, and gives it.
    ///
    /// It is put together from what the stand-in is made of, not measured with
    /// the code that a run measures with: the two have to agree.
    ///
    /// # Errors
    /// A file could not be read or written.
    pub fn seal(&self) -> io::Result<Evidence> {
        let evidence = self.evidence()?;
        self.write_evidence(&evidence)?;
        Ok(evidence)
    }

    /// Writes evidence as given.
    ///
    /// # Errors
    /// It could not be written.
    pub fn write_evidence(&self, evidence: &Evidence) -> io::Result<()> {
        fs::write(self.path("evidence.json"), canonical(evidence)?)
    }

    /// Evidence that agrees with the deployment.
    ///
    /// # Errors
    /// A file could not be read, or a real Claude Code did not answer.
    pub fn evidence(&self) -> io::Result<Evidence> {
        let nothing = Digest::of("");
        let file = |name: &str| digest(&self.path(name));
        let executable = |name: &str| match self.extent.executables.contains(&name) {
            true => digest(&self.path("bin").join(name)),
            false => Ok(nothing),
        };
        let text = |name: &str| {
            self.environment
                .get(name)
                .map(|value| value.as_encoded_bytes())
        };
        let mut runtime = Runtime {
            runner_os: if cfg!(target_os = "macos") {
                "darwin"
            } else {
                "linux"
            }
            .to_owned(),
            runner_arch: architecture().to_owned(),
            workspace_os: if cfg!(target_os = "macos") {
                "darwin"
            } else {
                "linux"
            }
            .to_owned(),
            workspace_arch: architecture().to_owned(),
            workspace_root_digest: Digest::of(
                self.path("workspace").as_os_str().as_encoded_bytes(),
            ),
            workspace_owner_digest: nothing,
            claude_digest: self.client.facts.executable,
            claude_version_digest: self.client.facts.version,
            claude_help_digest: self.client.facts.help,
            edge_digest: executable("edge")?,
            edge_version_digest: Digest::of(defaults::EDGE_VERSION),
            node_digest: executable("node")?,
            node_version_digest: Digest::of(defaults::NODE_VERSION),
            config_digest: file("edge.yaml")?,
            config_check_digest: Digest::of(defaults::CONFIG_CHECK),
            schema_digest: file("schema.json")?,
            base_url_digest: Digest::of(text("IOP_SMOKE_BASE_URL").unwrap_or_default()),
            public_model_digest: Digest::of(text("IOP_SMOKE_MODEL").unwrap_or_default()),
            stage_engines: STAGES
                .iter()
                .map(|(_, engine)| (*engine).to_owned())
                .collect(),
            stage_binding_digest: nothing,
        };
        runtime.workspace_owner_digest = derive::workspace_owner(&runtime);
        runtime.stage_binding_digest = derive::stage_binding(&runtime);
        Ok(Evidence {
            schema_version: SCHEMA_VERSION.to_owned(),
            source: self.source()?,
            runtime,
        })
    }

    fn source(&self) -> io::Result<Source> {
        let checkout = self.path("checkout");
        let (head, worktree_digest) = if self.extent.checkout {
            (checkout::head(&checkout)?, worktree(&checkout)?)
        } else {
            ("0".repeat(40), Digest::of(""))
        };
        Ok(Source {
            head,
            branch_digest: Digest::of(checkout::BRANCH),
            worktree_digest,
        })
    }
}

/// Puts the executables into a folder, and tells which client is among them.
fn client(parts: &Parts, extent: Extent, folder: &Path) -> io::Result<Client> {
    let Executables { claude, edge, node } = &parts.executables;
    let own = folder.join("claude");
    let mut installed = vec![(&**edge, "edge"), (&**node, "node")];
    // A real one is too large to be copied for every test, and never changed by one.
    if parts.real_claude.is_none() {
        installed.push((&**claude, "claude"));
    }
    installed.retain(|(_, name)| extent.executables.contains(name));
    if parts.alone {
        install_alone(&installed, folder)?;
    } else if !installed.is_empty() {
        install(&installed, folder)?;
    }
    match &parts.real_claude {
        _ if !extent.executables.contains(&"claude") => Ok(Client::absent(own)),
        Some(real) => Client::real(real, &parts.path),
        None => Client::standin(own),
    }
}

/// The variables that lead to a deployment in `root`.
fn variables(root: &Path, origin: &str, path: &OsString) -> Environment {
    let mut environment = Environment::default();
    environment.set("PATH", path);
    environment.set("LANG", "C.UTF-8");
    environment.set("TMPDIR", root.join("tmp"));
    for (name, file) in [
        ("IOP_SMOKE_EDGE_BIN", "bin/edge"),
        ("IOP_SMOKE_NODE_BIN", "bin/node"),
        ("IOP_SMOKE_EDGE_CONFIG", "edge.yaml"),
        ("IOP_SMOKE_RUNTIME_EVIDENCE", "evidence.json"),
        ("IOP_SMOKE_OBSERVATION_FILE", "edge.log"),
        ("IOP_SMOKE_WORKSPACE", "workspace"),
        ("IOP_SMOKE_OUTPUT", "out/manifest.json"),
        ("IOP_SMOKE_REPO", "checkout"),
        ("IOP_SMOKE_SCHEMA", "schema.json"),
    ] {
        environment.set(name, root.join(file));
    }
    environment.set("IOP_SMOKE_BASE_URL", origin);
    environment.set("IOP_SMOKE_METRICS_URL", format!("{origin}/metrics"));
    environment.set("IOP_SMOKE_MODEL", MODEL);
    environment.set("IOP_SMOKE_SECRET_ENV", SECRET_VARIABLE);
    environment.set(SECRET_VARIABLE, SECRET);
    environment
}

fn architecture() -> &'static str {
    // uname(1) and Rust name this one differently on macOS.
    if cfg!(all(target_os = "macos", target_arch = "aarch64")) {
        "arm64"
    } else {
        env::consts::ARCH
    }
}

/// The worktree digest of a checkout that holds nothing but small files.
fn worktree(checkout: &Path) -> io::Result<Digest> {
    let mut files = Vec::new();
    for input in WORKTREE_INPUTS {
        let path = checkout.join(input);
        if path.is_dir() {
            for entry in fs::read_dir(path)? {
                files.push(Path::new(input).join(entry?.file_name()));
            }
        } else {
            files.push(PathBuf::from(input));
        }
    }
    files.sort();
    let mut hasher = Hasher::new();
    for file in files {
        hasher.update(file.as_os_str().as_encoded_bytes());
        hasher.update(b"\0");
        hasher.update(Digest::of(fs::read(checkout.join(&file))?).hex().as_bytes());
        hasher.update(b"\0");
    }
    Ok(hasher.finish())
}
