//! One test for each check that must pass before Claude may be started.

use harness::measure::Measurements;
use harness::preflight;
use harness::reason::Reason;
use harness::refusal::Verdict;

use crate::subject::Subject;

/// Declares the test of each check: its id with underscores, and the check.
macro_rules! checks {
    ( $( $name:ident => $reason:ident; )* ) => {
        $(
            #[test]
            fn $name() -> Verdict {
                let subject = Subject::new("smoke-live")?;
                preflight::check(Reason::$reason, &Measurements::new(&subject.deployment))
            }
        )*

        /// The checks that have a test, with the tests' names.
        const TESTED: &[(&str, Reason)] = &[ $( (stringify!($name), Reason::$reason), )* ];
    };
}

checks! {
    inputs => Inputs;
    claude_executable => ClaudeExecutable;
    edge_executable => EdgeExecutable;
    node_executable => NodeExecutable;
    runtime_file => RuntimeFile;
    edge_config => EdgeConfig;
    observation_log => ObservationLog;
    observation_plain => ObservationPlain;
    workspace => Workspace;
    workspace_settings => WorkspaceSettings;
    managed_settings => ManagedSettings;
    result_existing => ResultExisting;
    output_existing => OutputExisting;
    output_target => OutputTarget;
    base_url => BaseUrl;
    metrics_url => MetricsUrl;
    model => Model;
    secret_name => SecretName;
    secret_value => SecretValue;
    schema_contract => SchemaContract;
    source_head => SourceHead;
    source_branch => SourceBranch;
    source_worktree => SourceWorktree;
    runner_os => RunnerOs;
    runner_arch => RunnerArch;
    workspace_owner_os => WorkspaceOwnerOs;
    workspace_root => WorkspaceRoot;
    workspace_owner => WorkspaceOwner;
    claude_digest => ClaudeDigest;
    edge_digest => EdgeDigest;
    node_digest => NodeDigest;
    config_digest => ConfigDigest;
    schema_digest => SchemaDigest;
    base_digest => BaseDigest;
    model_digest => ModelDigest;
    claude_version => ClaudeVersion;
    claude_help => ClaudeHelp;
    edge_version => EdgeVersion;
    node_version => NodeVersion;
    config_check => ConfigCheck;
    claude_flags => ClaudeFlags;
    claude_version_digest => ClaudeVersionDigest;
    claude_help_digest => ClaudeHelpDigest;
    edge_version_digest => EdgeVersionDigest;
    node_version_digest => NodeVersionDigest;
    config_check_digest => ConfigCheckDigest;
    stage_engines => StageEngines;
    stage_binding => StageBinding;
    health_listener => HealthListener;
    messages_listener => MessagesListener;
    metrics_listener => MetricsListener;
    metrics_counter => MetricsCounter;
    catalog_auth => CatalogAuth;
    catalog_body => CatalogBody;
    catalog_model => CatalogModel;
    catalog_ingress => CatalogIngress;
}

/// Holds at compile time: every check has a test of its own, named after its id.
const _: () = {
    // The first member that is no check.
    let checks = Reason::LiveRepeat as usize;
    assert!(TESTED.len() == checks, "a check has no test here");
    let mut index = 0;
    while index < TESTED.len() {
        let (name, reason) = TESTED[index];
        assert!(
            reason as usize == index,
            "the tests stand in the order of the checks"
        );
        assert!(
            is_name_of(name.as_bytes(), reason.id().as_bytes()),
            "a test is named after its check"
        );
        index += 1;
    }
};

/// Whether a test's name is an id with underscores.
const fn is_name_of(name: &[u8], id: &[u8]) -> bool {
    let mut index = 0;
    while index < name.len() && index < id.len() {
        let expected = if id[index] == b'-' { b'_' } else { id[index] };
        if name[index] != expected {
            return false;
        }
        index += 1;
    }
    name.len() == id.len()
}
