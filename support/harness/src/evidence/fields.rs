//! The fields of the evidence: how each is measured, and what it tells.

use super::{Evidence, Runtime, derive};
use crate::constants::STAGES;
use crate::digest::Digest;
use crate::measure::command::Question;
use crate::measure::file::Role;
use crate::measure::{Measurements, given};
use crate::reason::Reason;
use crate::refusal::Verdict;
use crate::{preflight, runner};

/// A field of `source` or `runtime`.
pub struct Field {
    /// Its key in the file.
    pub key: &'static str,
    /// What it is about.
    pub subject: &'static str,
    /// Where its value comes from.
    pub origin: Origin,
}

/// Where the value of a field comes from.
pub enum Origin {
    /// The deployment.
    Measured {
        /// Takes the value and puts it into the evidence.
        take: fn(&Measurements<'_>, &mut Evidence) -> Verdict,
        /// What it says of the subject that the value is another one.
        difference: &'static str,
    },
    /// Other fields of `runtime`.
    Derived {
        /// Their keys.
        from: &'static [&'static str],
        /// The value that follows from them.
        derive: fn(&Runtime) -> Digest,
    },
}

/// Every field, in the order of the file's description.
pub const FIELDS: &[Field] = &[
    Field {
        key: "head",
        subject: "the commit of the IOP checkout",
        origin: Origin::Measured {
            difference: "is another one",
            take: |m, e| put(&mut e.source.head, m.checkout()?.head.clone()),
        },
    },
    Field {
        key: "branch_digest",
        subject: "the branch of the IOP checkout",
        origin: Origin::Measured {
            difference: "is another one, or none is checked out",
            take: |m, e| put(&mut e.source.branch_digest, m.checkout()?.branch),
        },
    },
    Field {
        key: "worktree_digest",
        subject: "the sources that IOP_SMOKE_WORKTREE_INPUTS lists",
        origin: Origin::Measured {
            difference: "were edited, or others are listed",
            take: |m, e| put(&mut e.source.worktree_digest, m.worktree()?),
        },
    },
    Field {
        key: "runner_os",
        subject: "the system of this host",
        origin: Origin::Measured {
            difference: "is another one",
            take: |_, e| put(&mut e.runtime.runner_os, runner::os()?),
        },
    },
    Field {
        key: "runner_arch",
        subject: "the architecture of this host",
        origin: Origin::Measured {
            difference: "is another one",
            take: |_, e| put(&mut e.runtime.runner_arch, runner::arch()?),
        },
    },
    // The Node that owns the workspace runs on this host.
    Field {
        key: "workspace_os",
        subject: "the system of the workspace's Node",
        origin: Origin::Measured {
            difference: "is not that of this host",
            take: |_, e| put(&mut e.runtime.workspace_os, runner::os()?),
        },
    },
    Field {
        key: "workspace_arch",
        subject: "the architecture of the workspace's Node",
        origin: Origin::Measured {
            difference: "is not that of this host",
            take: |_, e| put(&mut e.runtime.workspace_arch, runner::arch()?),
        },
    },
    Field {
        key: "workspace_root_digest",
        subject: "the path of the workspace",
        origin: Origin::Measured {
            difference: "is another one",
            take: |m, e| {
                preflight::check(Reason::Workspace, m)?;
                let path = given(&m.deployment().inputs.workspace)?;
                let digest = Digest::of(path.as_os_str().as_encoded_bytes());
                put(&mut e.runtime.workspace_root_digest, digest)
            },
        },
    },
    Field {
        key: "workspace_owner_digest",
        subject: "the owner of the workspace",
        origin: Origin::Derived {
            from: derive::WORKSPACE_OWNER,
            derive: derive::workspace_owner,
        },
    },
    Field {
        key: "claude_digest",
        subject: "the Claude Code executable",
        origin: Origin::Measured {
            difference: "was replaced",
            take: |m, e| put(&mut e.runtime.claude_digest, m.file(Role::Claude)?.digest),
        },
    },
    Field {
        key: "claude_version_digest",
        subject: "what `claude --version` prints",
        origin: Origin::Measured {
            difference: "is something else",
            take: |m, e| {
                let digest = m.answer(Question::ClaudeVersion)?;
                put(&mut e.runtime.claude_version_digest, digest)
            },
        },
    },
    Field {
        key: "claude_help_digest",
        subject: "what `claude --help` prints",
        origin: Origin::Measured {
            difference: "is something else",
            take: |m, e| {
                let digest = m.answer(Question::ClaudeHelp)?;
                put(&mut e.runtime.claude_help_digest, digest)
            },
        },
    },
    Field {
        key: "edge_digest",
        subject: "the Edge executable",
        origin: Origin::Measured {
            difference: "was replaced",
            take: |m, e| put(&mut e.runtime.edge_digest, m.file(Role::Edge)?.digest),
        },
    },
    Field {
        key: "edge_version_digest",
        subject: "what `edge version` prints",
        origin: Origin::Measured {
            difference: "is something else",
            take: |m, e| {
                let digest = m.answer(Question::EdgeVersion)?;
                put(&mut e.runtime.edge_version_digest, digest)
            },
        },
    },
    Field {
        key: "node_digest",
        subject: "the Node executable",
        origin: Origin::Measured {
            difference: "was replaced",
            take: |m, e| put(&mut e.runtime.node_digest, m.file(Role::Node)?.digest),
        },
    },
    Field {
        key: "node_version_digest",
        subject: "what `node version` prints",
        origin: Origin::Measured {
            difference: "is something else",
            take: |m, e| {
                let digest = m.answer(Question::NodeVersion)?;
                put(&mut e.runtime.node_version_digest, digest)
            },
        },
    },
    Field {
        key: "config_digest",
        subject: "the Edge's configuration file",
        origin: Origin::Measured {
            difference: "was edited",
            take: |m, e| put(&mut e.runtime.config_digest, m.file(Role::Config)?.digest),
        },
    },
    Field {
        key: "config_check_digest",
        subject: "what `edge config check` prints",
        origin: Origin::Measured {
            difference: "is something else",
            take: |m, e| {
                let digest = m.answer(Question::ConfigCheck)?;
                put(&mut e.runtime.config_check_digest, digest)
            },
        },
    },
    Field {
        key: "schema_digest",
        subject: "the manifest schema",
        origin: Origin::Measured {
            difference: "was edited, or is that of another version of the suite",
            take: |m, e| put(&mut e.runtime.schema_digest, m.schema()?.0.digest),
        },
    },
    Field {
        key: "base_url_digest",
        subject: "the base URL",
        origin: Origin::Measured {
            difference: "is another one, or written in another way",
            take: |m, e| {
                let url = given(&m.deployment().inputs.base_url)?;
                put(&mut e.runtime.base_url_digest, Digest::of(url.text()))
            },
        },
    },
    Field {
        key: "public_model_digest",
        subject: "the model",
        origin: Origin::Measured {
            difference: "is another one",
            take: |m, e| {
                let model = given(&m.deployment().inputs.model)?;
                put(&mut e.runtime.public_model_digest, Digest::of(model.text()))
            },
        },
    },
    Field {
        key: "stage_engines",
        subject: "the engine families of plan, work and review",
        origin: Origin::Measured {
            difference: "are others",
            take: |_, e| {
                let engines = STAGES.iter().map(|(_, engine)| (*engine).to_owned());
                put(&mut e.runtime.stage_engines, engines.collect())
            },
        },
    },
    Field {
        key: "stage_binding_digest",
        subject: "what binds the stages to the deployment",
        origin: Origin::Derived {
            from: derive::STAGE_BINDING,
            derive: derive::stage_binding,
        },
    },
];

fn put<T>(place: &mut T, value: T) -> Verdict {
    *place = value;
    Ok(())
}
