//! What a manifest holds besides durations: digests, and the platform.

use harness::manifest::Manifest;
use maud::{Markup, html};

use crate::document::{copied, pair};
use crate::outcome::Published;

/// One value of a manifest that identifies something.
pub(crate) struct Entry {
    /// What it identifies.
    pub(crate) name: &'static str,
    /// The digest or platform itself, or the commit.
    pub(crate) value: String,
}

/// Every such value of a manifest but the source head, in groups.
///
/// The values that derive from others come last.
pub(crate) fn groups(manifest: &Manifest) -> [(&'static str, Vec<Entry>); 6] {
    let Manifest {
        source,
        runtime,
        workspace,
        verification,
        ..
    } = manifest;
    let text = |digest: harness::digest::Digest| digest.to_string();
    [
        (
            "Sources",
            entries([
                ("Name of the branch", text(source.branch_digest)),
                ("Files of the worktree", text(source.worktree_digest)),
            ]),
        ),
        (
            "Deployed files",
            entries([
                ("Claude Code", text(runtime.claude_digest)),
                ("Edge", text(runtime.edge_digest)),
                ("Node", text(runtime.node_digest)),
                ("Edge configuration", text(runtime.config_digest)),
                ("Manifest schema", text(runtime.schema_digest)),
            ]),
        ),
        (
            "What the executables say",
            entries([
                ("Claude Code: version", text(runtime.claude_version_digest)),
                ("Claude Code: help", text(runtime.claude_help_digest)),
                ("Edge: version", text(runtime.edge_version_digest)),
                (
                    "Edge: configuration check",
                    text(runtime.config_check_digest),
                ),
                ("Node: version", text(runtime.node_version_digest)),
            ]),
        ),
        (
            "Place",
            entries([
                (
                    "Runner",
                    format!("{} on {}", runtime.runner_os, runtime.runner_arch),
                ),
                (
                    "Workspace owner",
                    format!("{} on {}", runtime.workspace_os, runtime.workspace_arch),
                ),
                ("Base address", text(runtime.base_url_digest)),
                ("Public model", text(runtime.public_model_digest)),
                ("Path of the workspace", text(runtime.workspace_root_digest)),
            ]),
        ),
        (
            "Workspace and result",
            entries([
                ("Workspace before", text(workspace.before_digest)),
                ("Workspace after", text(workspace.after_digest)),
                ("Result file", text(verification.result_file_digest)),
                ("Verification", text(verification.command_digest)),
            ]),
        ),
        (
            "Derived from the above",
            entries([
                (
                    "Owner of the workspace",
                    text(runtime.workspace_owner_digest),
                ),
                ("Binding of the stages", text(runtime.stage_binding_digest)),
            ]),
        ),
    ]
}

fn entries<const N: usize>(entries: [(&'static str, String); N]) -> Vec<Entry> {
    entries.map(|(name, value)| Entry { name, value }).into()
}

/// The section with every digest.
pub(super) fn section(published: &Published) -> Markup {
    html! {
        section {
            h2 { "Digests" }
            p.note {
                "SHA-256, as the manifest holds them. The ingress counter rose by "
                (published.manifest.ingress.delta) "."
            }
            dl.pairs { (copied("Manifest itself", &published.digest.to_string())) }
            @for (name, entries) in groups(&published.manifest) {
                h3 { (name) }
                dl.pairs {
                    @for Entry { name, value } in entries {
                        @if value.starts_with("sha256:") {
                            (copied(name, &value))
                        } @else {
                            (pair(name, &html! { (value) }))
                        }
                    }
                }
            }
        }
    }
}
