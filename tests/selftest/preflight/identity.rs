//! Deployments that are not the sealed one, and evidence that does not agree with itself.

use std::fs;
use std::io::Write as _;

use harness::digest::Digest;
use harness::evidence::{Runtime, derive};
use standin::deployment::Extent;

use crate::preflight::row::{accepted, rows};
use crate::preflight::sealed::{forged, sealed};
use crate::trial::Trial;

rows! {
    // What is sealed is another value, and everything derived follows from it.
    head_sealed: SourceHead => "source-head differs", |t| sealed(t, |e| e.source.head = "0".repeat(40));
    branch_sealed: SourceBranch => "source-branch", |t| sealed(t, |e| e.source.branch_digest = other());
    worktree_sealed: SourceWorktree => "source-worktree", |t| sealed(t, |e| e.source.worktree_digest = other());
    runner_os_sealed: RunnerOs => "runner-os differs", |t| sealed(t, |e| e.runtime.runner_os = other_os(&e.runtime));
    runner_os_unsupported: RunnerOs => "runner-os unsupported", |t| sealed(t, |e| e.runtime.runner_os = "freebsd".into());
    runner_os_in_upper_case: RunnerOs => "runner-os unsupported", |t| sealed(t, |e| e.runtime.runner_os = "Linux".into());
    runner_arch_sealed: RunnerArch => "runner-arch", |t| sealed(t, |e| e.runtime.runner_arch = "riscv64".into());
    runner_arch_malformed: RunnerArch => "runner-arch", |t| sealed(t, |e| e.runtime.runner_arch = "X86 64".into());
    workspace_os_sealed: WorkspaceOwnerOs => "workspace-owner-os differs", |t| sealed(t, |e| e.runtime.workspace_os = other_os(&e.runtime));
    workspace_os_unsupported: WorkspaceOwnerOs => "workspace-owner-os unsupported", |t| sealed(t, |e| e.runtime.workspace_os = "windows".into());
    workspace_root_sealed: WorkspaceRoot => "workspace-root", |t| sealed(t, |e| e.runtime.workspace_root_digest = other());
    claude_sealed: ClaudeDigest => "claude-digest", |t| sealed(t, |e| e.runtime.claude_digest = other());
    claude_version_sealed: ClaudeVersionDigest => "claude-version-digest", |t| sealed(t, |e| e.runtime.claude_version_digest = other());
    claude_help_sealed: ClaudeHelpDigest => "claude-help-digest", |t| sealed(t, |e| e.runtime.claude_help_digest = other());
    edge_sealed: EdgeDigest => "edge-digest", |t| sealed(t, |e| e.runtime.edge_digest = other());
    edge_version_sealed: EdgeVersionDigest => "edge-version-digest", |t| sealed(t, |e| e.runtime.edge_version_digest = other());
    node_sealed: NodeDigest => "node-digest", |t| sealed(t, |e| e.runtime.node_digest = other());
    node_version_sealed: NodeVersionDigest => "node-version-digest", |t| sealed(t, |e| e.runtime.node_version_digest = other());
    config_sealed: ConfigDigest => "config-digest", |t| sealed(t, |e| e.runtime.config_digest = other());
    config_check_sealed: ConfigCheckDigest => "config-check-digest", |t| sealed(t, |e| e.runtime.config_check_digest = other());
    schema_sealed: SchemaDigest => "schema-digest", |t| sealed(t, |e| e.runtime.schema_digest = other());
    base_url_sealed: BaseDigest => "base-digest", |t| sealed(t, |e| e.runtime.base_url_digest = other());
    model_sealed: ModelDigest => "model-digest", |t| sealed(t, |e| e.runtime.public_model_digest = other());
    engines_permuted: StageEngines => "stage-engines", |t| sealed(t, |e| e.runtime.stage_engines.swap(0, 1));
    engine_of_another_family: StageEngines => "stage-engines", |t| sealed(t, |e| e.runtime.stage_engines[2] = "ornith-fast".into());
    engine_in_upper_case: StageEngines => "stage-engines", |t| sealed(t, |e| e.runtime.stage_engines[0] = "Gemini".into());

    // What is derived does not follow from the rest.
    workspace_owner_forged: WorkspaceOwner => "workspace-owner", |t| forged(t, |e| e.runtime.workspace_owner_digest = other());
    stage_binding_forged: StageBinding => "stage-binding", |t| forged(t, |e| e.runtime.stage_binding_digest = other());
    owner_without_its_os: WorkspaceOwner => "workspace-owner", |t| forged(t, |e| e.runtime.workspace_os = other_os(&e.runtime));
    owner_without_its_architecture: WorkspaceOwner => "workspace-owner", |t| forged(t, |e| e.runtime.workspace_arch = "riscv64".into());
    owner_without_its_root: WorkspaceOwner => "workspace-owner", |t| forged(t, |e| e.runtime.workspace_root_digest = other());
    owner_without_its_config: WorkspaceOwner => "workspace-owner", |t| forged(t, |e| e.runtime.config_digest = other());
    owner_without_its_node: WorkspaceOwner => "workspace-owner", |t| forged(t, |e| e.runtime.node_digest = other());
    owner_without_its_node_version: WorkspaceOwner => "workspace-owner", |t| forged(t, |e| e.runtime.node_version_digest = other());
    binding_without_its_config: StageBinding => "stage-binding", |t| forged(t, |e| e.runtime.config_digest = other());
    binding_without_its_config_check: StageBinding => "stage-binding", |t| forged(t, |e| e.runtime.config_check_digest = other());
    binding_without_its_base_url: StageBinding => "stage-binding", |t| forged(t, |e| e.runtime.base_url_digest = other());
    binding_without_its_model: StageBinding => "stage-binding", |t| forged(t, |e| e.runtime.public_model_digest = other());
    binding_without_its_engines: StageBinding => "stage-binding", |t| forged(t, |e| e.runtime.stage_engines.swap(1, 2));
    digests_swapped: StageBinding => "stage-binding", |t| forged(t, |e| {
        let runtime = &mut e.runtime;
        std::mem::swap(&mut runtime.stage_binding_digest, &mut runtime.workspace_owner_digest);
    });

    // The deployment is another one.
    claude_replaced: ClaudeDigest => "claude-digest", |t| append(t, "bin/claude");
    edge_replaced: EdgeDigest => "edge-digest", |t| append(t, "bin/edge");
    node_replaced: NodeDigest => "node-digest", |t| append(t, "bin/node");
    config_edited: ConfigDigest => "config-digest", |t| append(t, "edge.yaml");
    schema_edited: SchemaDigest => "schema-digest", |t| append(t, "schema.json");
    base_url_with_a_slash: BaseDigest => "base-digest", |t| {
        let origin = t.standin.edge.origin();
        t.standin.set("IOP_SMOKE_BASE_URL", origin + "/");
    };
    model_of_another_name: ModelDigest => "model-digest", |t| t.standin.set("IOP_SMOKE_MODEL", "standin-other-model");
    workspace_of_another_path: WorkspaceRoot => "workspace-root", |t| {
        let other = t.path("checkout");
        t.standin.set("IOP_SMOKE_WORKSPACE", other);
    };
}

accepted! {
    // The Node that owns the workspace may run on another machine of the same system.
    another_workspace_architecture: WorkspaceOwner, |t| sealed(t, |e| e.runtime.workspace_arch = "riscv64".into());
}

#[test]
fn derived_digests_are_those_of_the_contract() {
    let trial = Trial::in_part(Extent::FILES);
    let runtime = trial.standin.evidence().expect("evidence").runtime;
    let Runtime {
        workspace_os: os,
        workspace_arch: arch,
        workspace_root_digest: root,
        config_digest: config,
        config_check_digest: check,
        node_digest: node,
        node_version_digest: version,
        base_url_digest: url,
        public_model_digest: model,
        ..
    } = &runtime;
    assert_eq!(
        derive::workspace_owner(&runtime),
        Digest::of(format!("{os}|{arch}|{root}|{config}|{node}|{version}"))
    );
    assert_eq!(
        derive::stage_binding(&runtime),
        Digest::of(format!(
            "{config}|{check}|{url}|{model}|gemini|ornith-fast|gemini"
        ))
    );
}

fn other() -> Digest {
    Digest::of("something else")
}

fn other_os(runtime: &Runtime) -> String {
    if runtime.runner_os == "linux" {
        "darwin".into()
    } else {
        "linux".into()
    }
}

/// Adds a line feed to a file, after which it is as good as before but not the same.
fn append(trial: &mut Trial, name: &str) {
    let mut file = fs::OpenOptions::new()
        .append(true)
        .open(trial.path(name))
        .expect("it can be opened");
    file.write_all(b"\n").expect("it can be written");
}
