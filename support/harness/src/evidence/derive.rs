//! The two digests of the evidence that follow from its other fields.

use super::Runtime;
use crate::digest::Digest;

/// Keys of the fields that `workspace_owner_digest` follows from.
pub const WORKSPACE_OWNER: &[&str] = &[
    "workspace_os",
    "workspace_arch",
    "workspace_root_digest",
    "config_digest",
    "node_digest",
    "node_version_digest",
];

/// Keys of the fields that `stage_binding_digest` follows from.
pub const STAGE_BINDING: &[&str] = &[
    "config_digest",
    "config_check_digest",
    "base_url_digest",
    "public_model_digest",
    "stage_engines",
];

/// What `workspace_owner_digest` must be: system, architecture, workspace,
/// configuration and Node, joined by `|`.
pub fn workspace_owner(runtime: &Runtime) -> Digest {
    joined(&[
        runtime.workspace_os.clone(),
        runtime.workspace_arch.clone(),
        runtime.workspace_root_digest.to_string(),
        runtime.config_digest.to_string(),
        runtime.node_digest.to_string(),
        runtime.node_version_digest.to_string(),
    ])
}

/// What `stage_binding_digest` must be: configuration, its check, base URL,
/// model and the engine families in stage order, joined by `|`.
pub fn stage_binding(runtime: &Runtime) -> Digest {
    let mut parts = vec![
        runtime.config_digest.to_string(),
        runtime.config_check_digest.to_string(),
        runtime.base_url_digest.to_string(),
        runtime.public_model_digest.to_string(),
    ];
    parts.extend(runtime.stage_engines.iter().cloned());
    joined(&parts)
}

fn joined(parts: &[String]) -> Digest {
    Digest::of(parts.join("|"))
}
