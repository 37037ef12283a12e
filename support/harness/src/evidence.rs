//! Sealed runtime evidence: what a deployment was when it was measured.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::closed_set::closed_set;
use crate::constants::SCHEMA_VERSION;
use crate::digest::{Digest, SHORT};
use crate::json;
use crate::reason::Reason;
use crate::refusal::{Refusal, Verdict};

pub mod capture;
pub mod derive;
pub mod drift;
pub mod fields;

closed_set! {
    /// What is wrong with the form of an evidence file.
    pub enum EvidenceFault(meaning) {
        Shape => "shape", "a key that is missing or unknown, or a value of another form";
        SchemaVersion => "schema-version", "another schema version than 1";
        Head => "head", "a head that is not 40 lowercase hex digits";
        WorkspaceArch => "workspace-arch", "an architecture's name of another form";
    }
}

/// The evidence file, schema version 1.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Evidence {
    /// Always `1`.
    pub schema_version: String,
    /// The IOP sources.
    pub source: Source,
    /// The deployment made from them.
    pub runtime: Runtime,
}

/// The IOP sources, as in manifest and evidence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// Commit: 40 lowercase hex digits.
    pub head: String,
    /// Digest of the branch's name.
    pub branch_digest: Digest,
    /// Digest of the files under the listed inputs.
    pub worktree_digest: Digest,
}

/// The deployment, as in manifest and evidence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Runtime {
    /// `linux` or `darwin`.
    pub runner_os: String,
    /// `uname -m` in lower case.
    pub runner_arch: String,
    /// System of the Node that owns the workspace.
    pub workspace_os: String,
    /// Architecture of the Node that owns the workspace.
    pub workspace_arch: String,
    /// Digest of the workspace's canonical path.
    pub workspace_root_digest: Digest,
    /// Derived: see [`derive::workspace_owner`].
    pub workspace_owner_digest: Digest,
    /// Digest of the Claude Code executable.
    pub claude_digest: Digest,
    /// Digest of what `claude --version` printed.
    pub claude_version_digest: Digest,
    /// Digest of what `claude --help` printed.
    pub claude_help_digest: Digest,
    /// Digest of the Edge executable.
    pub edge_digest: Digest,
    /// Digest of what `edge version` printed.
    pub edge_version_digest: Digest,
    /// Digest of the Node executable.
    pub node_digest: Digest,
    /// Digest of what `node version` printed.
    pub node_version_digest: Digest,
    /// Digest of the Edge's configuration file.
    pub config_digest: Digest,
    /// Digest of what `edge config check` printed.
    pub config_check_digest: Digest,
    /// Digest of the manifest schema.
    pub schema_digest: Digest,
    /// Digest of the base URL.
    pub base_url_digest: Digest,
    /// Digest of the public model id.
    pub public_model_digest: Digest,
    /// Engine families of plan, work and review.
    pub stage_engines: Vec<String>,
    /// Derived: see [`derive::stage_binding`].
    pub stage_binding_digest: Digest,
}

impl Source {
    /// The first digits of the commit.
    pub fn short_head(&self) -> &str {
        self.head.get(..SHORT).unwrap_or(&self.head)
    }
}

impl Runtime {
    /// What people look for first: the deployed files, by what they are called, with their digests.
    pub fn deployed(&self) -> [(&'static str, Digest); 4] {
        [
            ("claude", self.claude_digest),
            ("edge", self.edge_digest),
            ("node", self.node_digest),
            ("config", self.config_digest),
        ]
    }
}

impl Evidence {
    /// Evidence that says nothing yet, to put measured values into.
    fn unmeasured() -> Self {
        let nothing = Digest::of("");
        Self {
            schema_version: SCHEMA_VERSION.to_owned(),
            source: Source {
                head: String::new(),
                branch_digest: nothing,
                worktree_digest: nothing,
            },
            runtime: Runtime {
                runner_os: String::new(),
                runner_arch: String::new(),
                workspace_os: String::new(),
                workspace_arch: String::new(),
                workspace_root_digest: nothing,
                workspace_owner_digest: nothing,
                claude_digest: nothing,
                claude_version_digest: nothing,
                claude_help_digest: nothing,
                edge_digest: nothing,
                edge_version_digest: nothing,
                node_digest: nothing,
                node_version_digest: nothing,
                config_digest: nothing,
                config_check_digest: nothing,
                schema_digest: nothing,
                base_url_digest: nothing,
                public_model_digest: nothing,
                stage_engines: Vec::new(),
                stage_binding_digest: nothing,
            },
        }
    }

    /// Reads the file's bytes: exactly the keys above, none twice, nothing behind.
    ///
    /// Whether the values agree with the deployment and with each other is
    /// judged by the preflight checks that are named after them.
    ///
    /// # Errors
    /// `runtime-file`, with the kind of fault.
    pub fn parse(bytes: &[u8]) -> Verdict<Self> {
        let value: Value = json::parse(bytes).map_err(|fault| {
            Refusal::new(Reason::RuntimeFile)
                .detail(fault.circumstance())
                .expected("a JSON document")
                .caused_by(fault)
        })?;
        let refuse = |fault: EvidenceFault| {
            Refusal::new(Reason::RuntimeFile)
                .detail(fault)
                .expected("sealed evidence")
                .found(fault.meaning())
        };
        // The library's own error would quote the input.
        let evidence: Self =
            serde_json::from_value(value).map_err(|_| refuse(EvidenceFault::Shape))?;
        if evidence.schema_version != SCHEMA_VERSION {
            return Err(refuse(EvidenceFault::SchemaVersion));
        }
        if !is_head(&evidence.source.head) {
            return Err(refuse(EvidenceFault::Head));
        }
        let runtime = &evidence.runtime;
        if !is_arch(&runtime.workspace_arch) {
            return Err(refuse(EvidenceFault::WorkspaceArch));
        }
        if runtime.stage_engines.len() != crate::constants::STAGES.len() {
            return Err(refuse(EvidenceFault::Shape));
        }
        Ok(evidence)
    }
}

/// Whether a text is a commit id of 40 lowercase hex digits.
pub fn is_head(text: &str) -> bool {
    text.len() == 40
        && text
            .bytes()
            .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// Whether a text is an architecture's name: `[a-z0-9_+-]{1,32}`.
pub fn is_arch(text: &str) -> bool {
    (1..=32).contains(&text.len())
        && text
            .bytes()
            .all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_' | b'+' | b'-'))
}

/// Whether a text is the name of a system the smoke runs on.
pub fn is_os(text: &str) -> bool {
    matches!(text, "linux" | "darwin")
}
