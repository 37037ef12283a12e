//! The Claude Code of a deployment: the stand-in, or a real one.

use std::ffi::OsStr;
use std::io::Read as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, io};

use harness::digest::{Digest, Hasher};
use script::defaults;
use serde::{Deserialize, Serialize};

use crate::scratch;

/// A client and what is sealed of it.
#[derive(Clone, Debug)]
pub struct Client {
    /// The executable.
    pub executable: PathBuf,
    /// What is sealed of it.
    pub facts: ClientFacts,
    /// Whether it is a real one, which has no script.
    pub is_real: bool,
}

/// What is sealed of a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClientFacts {
    /// Digest of the executable.
    pub executable: Digest,
    /// Digest of what `--version` prints.
    pub version: Digest,
    /// Digest of what `--help` prints.
    pub help: Digest,
}

/// A real client that deployments may have.
#[derive(Clone, Debug)]
pub struct RealClient {
    /// The executable.
    pub executable: PathBuf,
    /// Where its facts are kept: they take a second to measure, and each test
    /// has a deployment of its own.
    pub facts: PathBuf,
}

impl Client {
    /// The stand-in, at a path.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn standin(executable: PathBuf) -> io::Result<Self> {
        let facts = ClientFacts {
            executable: digest(&executable)?,
            version: Digest::of(defaults::CLAUDE_VERSION),
            help: Digest::of(defaults::CLAUDE_HELP),
        };
        Ok(Self {
            executable,
            facts,
            is_real: false,
        })
    }

    /// A client that is not there.
    pub fn absent(executable: PathBuf) -> Self {
        let nothing = Digest::of("");
        Self {
            executable,
            facts: ClientFacts {
                executable: nothing,
                version: nothing,
                help: nothing,
            },
            is_real: false,
        }
    }

    /// A real client.
    ///
    /// # Errors
    /// It cannot be read or started.
    pub fn real(client: &RealClient, path: &OsStr) -> io::Result<Self> {
        let executable = client.executable.canonicalize()?;
        let kept = kept(&executable)?;
        let facts = match fs::read(&client.facts).map(|bytes| serde_json::from_slice(&bytes)) {
            Ok(Ok(Kept { identity, facts })) if identity == kept => facts,
            _ => {
                let facts = measure(&executable, path)?;
                let bytes = serde_json::to_vec(&Kept {
                    identity: kept,
                    facts,
                })?;
                // Another test may be reading it.
                let aside = client.facts.with_extension(std::process::id().to_string());
                fs::write(&aside, bytes)?;
                fs::rename(aside, &client.facts)?;
                facts
            }
        };
        Ok(Self {
            executable,
            facts,
            is_real: true,
        })
    }
}

/// Facts with the identity of the file that they are about.
#[derive(Serialize, Deserialize)]
struct Kept {
    identity: (String, u64, u64, i64, i64),
    facts: ClientFacts,
}

fn kept(executable: &Path) -> io::Result<(String, u64, u64, i64, i64)> {
    let file = fs::metadata(executable)?;
    let path = executable.to_string_lossy().into_owned();
    Ok((
        path,
        file.ino(),
        file.size(),
        file.mtime(),
        file.mtime_nsec(),
    ))
}

fn measure(executable: &Path, path: &OsStr) -> io::Result<ClientFacts> {
    let home = scratch::folder()?;
    let ask = |question: &str| -> io::Result<Digest> {
        let output = Command::new(executable)
            .arg(question)
            .env_clear()
            .env("PATH", path)
            .env("HOME", home.path())
            .env("CLAUDE_CONFIG_DIR", home.path())
            .output()?;
        Ok(Digest::of([output.stdout, output.stderr].concat()))
    };
    Ok(ClientFacts {
        executable: digest(executable)?,
        version: ask("--version")?,
        help: ask("--help")?,
    })
}

/// The digest of a file, of which no more than a part is in memory.
///
/// # Errors
/// Those of reading.
pub fn digest(path: &Path) -> io::Result<Digest> {
    let mut file = fs::File::open(path)?;
    let mut buffer = vec![0; 64 << 10];
    let mut hasher = Hasher::new();
    while let count @ 1.. = file.read(&mut buffer)? {
        hasher.update(&buffer[..count]);
    }
    Ok(hasher.finish())
}
