//! The names of the input variables, with what each is for and which check judges it.

use crate::reason::Reason;

macro_rules! variables {
    ( $( $variant:ident => $name:literal, $reason:ident, $meaning:literal; )* ) => {
        /// An input variable.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Variable {
            $( #[doc = $meaning] $variant, )*
        }

        impl Variable {
            /// Every variable, in the order of the README's table.
            pub const ALL: &[Self] = &[$( Self::$variant, )*];

            /// The variable's name.
            pub const fn name(self) -> &'static str {
                match self { $( Self::$variant => $name, )* }
            }

            /// The check that judges its value.
            pub const fn reason(self) -> Reason {
                match self { $( Self::$variant => Reason::$reason, )* }
            }

            /// What it is for.
            pub const fn meaning(self) -> &'static str {
                match self { $( Self::$variant => $meaning, )* }
            }
        }
    };
}

variables! {
    Claude => "IOP_SMOKE_CLAUDE", ClaudeExecutable, "the Claude Code executable";
    EdgeBin => "IOP_SMOKE_EDGE_BIN", EdgeExecutable, "the Edge executable";
    NodeBin => "IOP_SMOKE_NODE_BIN", NodeExecutable, "the Node executable";
    EdgeConfig => "IOP_SMOKE_EDGE_CONFIG", EdgeConfig, "the Edge's configuration file";
    RuntimeEvidence => "IOP_SMOKE_RUNTIME_EVIDENCE", RuntimeFile, "the sealed runtime evidence of the deployment";
    BaseUrl => "IOP_SMOKE_BASE_URL", BaseUrl, "the Edge's origin, such as `https://edge.example:8443`";
    MetricsUrl => "IOP_SMOKE_METRICS_URL", MetricsUrl, "the URL of the Edge's Prometheus exposition";
    Model => "IOP_SMOKE_MODEL", Model, "the public id of a single-request model";
    ObservationFile => "IOP_SMOKE_OBSERVATION_FILE", ObservationLog, "the Edge's log in JSON lines";
    Workspace => "IOP_SMOKE_WORKSPACE", Workspace, "the canonical path of the workspace that the Node owns";
    Output => "IOP_SMOKE_OUTPUT", OutputTarget, "where the manifest goes";
    SecretEnv => "IOP_SMOKE_SECRET_ENV", SecretName, "the name of the variable that holds the API key";
    Secret => "the variable named by IOP_SMOKE_SECRET_ENV", SecretValue, "the API key";
    Repo => "IOP_SMOKE_REPO", SourceHead, "the IOP checkout that was deployed";
    WorktreeInputs => "IOP_SMOKE_WORKTREE_INPUTS", SourceWorktree, "the paths in that checkout that the worktree digest covers, separated by `:`";
    Schema => "IOP_SMOKE_SCHEMA", SchemaContract, "the manifest schema";
    RunTimeout => "IOP_SMOKE_RUN_TIMEOUT", Inputs, "the bound on the CLI run in seconds";
    PassEnv => "IOP_SMOKE_PASS_ENV", Inputs, "extra variables for the CLI, separated by `,`";
    Progress => "IOP_SMOKE_PROGRESS", Inputs, "a socket that is told what a run is doing";
    Manifest => "IOP_SMOKE_MANIFEST", ManifestFile, "the manifest to validate";
}
