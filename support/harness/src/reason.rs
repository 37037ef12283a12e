//! Why the suite refuses: one closed set of stable ids, each with what to do.

use crate::closed_set::closed_set;

closed_set! {
    /// Every way in which the suite refuses.
    ///
    /// The first members are the preflight checks, in the order in which they run.
    pub enum Reason(hint) {
        Inputs => "inputs", "set or correct the listed variables; the README has a table of all";
        ClaudeExecutable => "claude-executable", "point IOP_SMOKE_CLAUDE at the executable file itself, not at a link to it";
        EdgeExecutable => "edge-executable", "point IOP_SMOKE_EDGE_BIN at the executable file itself, not at a link to it";
        NodeExecutable => "node-executable", "point IOP_SMOKE_NODE_BIN at the executable file itself, not at a link to it";
        RuntimeFile => "runtime-file", "capture the evidence anew with `make evidence`; never edit it";
        EdgeConfig => "edge-config", "point IOP_SMOKE_EDGE_CONFIG at the Edge's configuration file itself";
        ObservationLog => "observation-log", "point IOP_SMOKE_OBSERVATION_FILE at the Edge's log file itself";
        ObservationPlain => "observation-plain", "this is no Edge log in JSON lines: set the Edge's log encoding to json, or name the right file";
        Workspace => "workspace", "name the workspace by its canonical path (`realpath`), and make it a directory you may write to";
        WorkspaceSettings => "workspace-settings", "remove the project settings folder `.claude` from the workspace: it can redirect the CLI and its key";
        ManagedSettings => "managed-settings", "administrator settings of Claude Code on this host override every flag: remove their variables and helper, or run on another host";
        ResultExisting => "result-existing", "remove smoke-result.txt from the workspace: a stale one would prove nothing";
        OutputExisting => "output-existing", "choose an output path that does not exist; nothing is ever replaced";
        OutputTarget => "output-target", "give an absolute output path in a canonical, existing directory you may write to";
        BaseUrl => "base-url", "give the Edge's origin alone: http or https, host and port, no path";
        MetricsUrl => "metrics-url", "give an http or https URL without user information, query or fragment";
        Model => "model", "give the public model id: 1 to 256 bytes, no control characters";
        SecretName => "secret-name", "set IOP_SMOKE_SECRET_ENV to the name of the variable that holds the key, not to the key";
        SecretValue => "secret-value", "export the key in the named variable: at least 8 bytes, one line, no control characters";
        SchemaContract => "schema-contract", "use the manifest schema that comes with the suite, unchanged";
        SourceHead => "source-head", "check out the commit that the evidence names, or capture the evidence anew";
        SourceBranch => "source-branch", "check out the branch that the evidence was captured on, or capture it anew";
        SourceWorktree => "source-worktree", "restore the sources the evidence was captured with, or capture it anew";
        RunnerOs => "runner-os", "run on the operating system that the evidence names: linux or darwin";
        RunnerArch => "runner-arch", "run on the architecture that the evidence names";
        WorkspaceOwnerOs => "workspace-owner-os", "the Node that owns the workspace must run the same system as the runner";
        WorkspaceRoot => "workspace-root", "use the workspace that the evidence was captured with, or capture it anew";
        WorkspaceOwner => "workspace-owner", "the evidence does not derive its own owner digest: capture it anew, never edit it";
        ClaudeDigest => "claude-digest", "the Claude executable is not the sealed one: restore it or capture the evidence anew";
        EdgeDigest => "edge-digest", "the Edge executable is not the sealed one: restore it or capture the evidence anew";
        NodeDigest => "node-digest", "the Node executable is not the sealed one: restore it or capture the evidence anew";
        ConfigDigest => "config-digest", "the Edge configuration is not the sealed one: restore it or capture the evidence anew";
        SchemaDigest => "schema-digest", "the manifest schema is not the sealed one: restore it or capture the evidence anew";
        BaseDigest => "base-digest", "the base URL is not the sealed one: correct it or capture the evidence anew";
        ModelDigest => "model-digest", "the model is not the sealed one: correct it or capture the evidence anew";
        ClaudeVersion => "claude-version", "run `claude --version` by hand: it must print something, within 8 s and 64 KiB";
        ClaudeHelp => "claude-help", "run `claude --help` by hand: it must print something, within 8 s and 64 KiB";
        EdgeVersion => "edge-version", "run `edge version` by hand: it must print something, within 8 s and 64 KiB";
        NodeVersion => "node-version", "run `node version` by hand: it must print something, within 8 s and 64 KiB";
        ConfigCheck => "config-check", "run `edge config check --config FILE` by hand: it must accept the file, within 8 s and 64 KiB";
        ClaudeFlags => "claude-flags", "this Claude Code is too old: install a version whose help lists every flag the smoke uses";
        ClaudeVersionDigest => "claude-version-digest", "`claude --version` prints something else than when the evidence was captured";
        ClaudeHelpDigest => "claude-help-digest", "`claude --help` prints something else than when the evidence was captured";
        EdgeVersionDigest => "edge-version-digest", "`edge version` prints something else than when the evidence was captured";
        NodeVersionDigest => "node-version-digest", "`node version` prints something else than when the evidence was captured";
        ConfigCheckDigest => "config-check-digest", "`edge config check` prints something else than when the evidence was captured";
        StageEngines => "stage-engines", "the evidence must name the engine families of plan, work and review, in that order";
        StageBinding => "stage-binding", "the evidence does not derive its own stage binding: capture it anew, never edit it";
        HealthListener => "health-listener", "start the Edge, or correct IOP_SMOKE_BASE_URL: GET /healthz must answer 2xx";
        MessagesListener => "messages-listener", "OPTIONS /v1/messages must answer 401 or 405; a 404 means that the Anthropic route is not enabled";
        MetricsListener => "metrics-listener", "start the metrics listener, or correct IOP_SMOKE_METRICS_URL: it must answer 2xx";
        MetricsCounter => "metrics-counter", "the exposition must hold exactly one unlabelled, whole sample of the ingress counter";
        CatalogAuth => "catalog-auth", "the model catalog must answer 2xx to this key: check the key and its rights";
        CatalogBody => "catalog-body", "the model catalog must be one complete Anthropic model list, and nothing else";
        CatalogModel => "catalog-model", "the model must be listed exactly once: check IOP_SMOKE_MODEL and the Edge's routes";
        CatalogIngress => "catalog-ingress", "the ingress counter moved while the catalog was probed: keep other clients away during the smoke";

        LiveRepeat => "live-repeat", "a live request is sent once: run without stress repetition and without retries";
        LiveProfile => "live-profile", "this test is live under another profile: run the one that the README names for it";
        SupervisorMissing => "supervisor-missing", "run the suite through cargo or cargo-nextest, which hand the supervisor's path to it";
        PrivateHome => "private-home", "the CLI's private home could not be made: check the temporary directory and that it is not inside the workspace";
        ClaudeStart => "claude-start", "the CLI could not be started: check that this host can execute it";
        ClaudeFailed => "claude-failed", "the class and reason say what the CLI met; look at the Edge's log for the request";
        EvidenceChanged => "evidence-changed", "the evidence file changed while the smoke ran: nothing may touch the deployment during a run";
        WorkspaceTree => "workspace-tree", "the workspace could not be read completely: every file must be readable and at rest";
        ObservationRotated => "observation-rotated", "the log was rotated, truncated or rewritten during the run: pause rotation and run again";
        ObservationMismatch => "observation-mismatch", "the log does not show exactly one request, planned, worked and reviewed: the sub-reason says what is off";
        IngressDelta => "ingress-delta", "the ingress counter must rise by exactly one: keep other clients away and do not restart the Edge";
        WorkspaceUnchanged => "workspace-unchanged", "the request was served but the workspace is as before: check the Node's workspace binding";
        ResultMissing => "result-missing", "smoke-result.txt is missing or no regular file: the work stage did not write it";
        ResultContent => "result-content", "smoke-result.txt does not hold exactly the expected line";
        ManifestFile => "manifest-file", "name a readable regular file, not a link, of at most 1 MiB";
        ManifestInvalid => "manifest-invalid", "the manifest breaks the format's rule that is named; a run has to be repeated, never repaired";
        Redaction => "redaction", "a value that must stay private would have been published: choose a model or path that is no part of the own words of manifest and page";
        OutputRace => "output-race", "a file appeared at the output path during the run; it was left untouched";
        PublicationFailed => "publication-failed", "the manifest could not be written: check space, limits and rights of the output directory";
        EvidenceExisting => "evidence-existing", "evidence is never written over an existing file: move it away first";
        EvidenceTarget => "evidence-target", "the evidence file needs an absolute path in an existing directory you may write to";
        EvidenceDrift => "evidence-drift", "the deployment is not what the evidence sealed: restore what the table names, or capture the evidence anew";
        JunitFile => "junit-file", "name the readable regular file that nextest wrote, not a link, of at most 1 MiB";
        JunitInvalid => "junit-invalid", "give the JUnit file of a `smoke-live` or `smoke-standin` run as nextest wrote it";
        ReportUsage => "report-usage", "name one manifest or several, or the JUnit file of a run: `make report MANIFEST='a.json b.json'`";
        ReportExisting => "report-existing", "a page is never written over an existing file: move it away, or name another with OUTPUT";
        Interrupted => "interrupted", "the run was interrupted by a signal; nothing was published";
        Internal => "internal", "this is a fault of the suite itself: please report it with this text";
    }
}

impl Reason {
    /// The preflight checks, in the order in which they run.
    pub fn preflight() -> &'static [Self] {
        let end = Self::ALL
            .iter()
            .position(|reason| *reason == Self::LiveRepeat);
        &Self::ALL[..end.unwrap_or_default()]
    }
}

closed_set! {
    /// Class of a failed Claude run.
    pub enum ClaudeClass(meaning) {
        CliValidation => "cli-validation", "the CLI refused its arguments";
        AuthenticationRejected => "authentication-rejected", "the gateway refused the key";
        TransportFailure => "transport-failure", "the CLI could not talk to the gateway";
        ApiRejected => "api-rejected", "the gateway refused or broke the request";
        Bounds => "bounds", "a bound on the run was passed";
        Protocol => "protocol", "the event stream does not show one complete turn";
        GatewayBypassed => "gateway-bypassed", "the CLI succeeded without the gateway";
        Unknown => "unknown", "nothing known explains the failure";
    }
}

closed_set! {
    /// Why a Claude run failed; members of a class are ordered from specific to general.
    pub enum ClaudeReason(meaning) {
        CliUsage => "cli-usage", "an option or argument was refused";
        Http401 => "http-401", "the key was refused with status 401";
        Authentication => "authentication", "the CLI has no usable key";
        ConnectionRefused => "connection-refused", "nothing listens at the base URL";
        ConnectionReset => "connection-reset", "the connection was closed on the CLI";
        NetworkTimeout => "network-timeout", "no answer arrived in time";
        DnsFailure => "dns-failure", "the host name does not resolve";
        TlsCertificate => "tls-certificate", "the server's certificate is not trusted";
        FetchFailed => "fetch-failed", "the request could not be sent";
        ConnectionError => "connection-error", "the connection failed";
        UnsupportedBeta => "unsupported-beta", "a beta header was refused";
        UnknownField => "unknown-field", "a field of the request was refused";
        InvalidThinking => "invalid-thinking", "the thinking settings were refused";
        InvalidOutputConfig => "invalid-output-config", "the output settings were refused";
        Http400 => "http-400", "status 400";
        Http402 => "http-402", "status 402";
        Http403 => "http-403", "status 403";
        Http404 => "http-404", "status 404";
        Http413 => "http-413", "status 413";
        Http429 => "http-429", "status 429";
        Http5xx => "http-5xx", "a status from 500 to 599";
        MalformedResponse => "malformed-response", "the answer was empty or not of the API's form";
        ApiError => "api-error", "the API refused for another reason";
        Deadline => "deadline", "the run passed its time";
        StdoutOverflow => "stdout-overflow", "the CLI printed more than 8 MiB on stdout";
        StderrOverflow => "stderr-overflow", "the CLI printed more than 8 MiB on stderr";
        LeftProcesses => "left-processes", "processes of the run could not be ended";
        NoResultEvent => "no-result-event", "the stream holds no result event";
        SeveralResultEvents => "several-result-events", "the stream holds more than one result event";
        ErrorResult => "error-result", "the result event reports an error";
        StopReason => "stop-reason", "the turn ended for another reason than end_turn";
        Retried => "retried", "the CLI repeated a request";
        NoTurns => "no-turns", "the result event counts no turn";
        NoIngress => "no-ingress", "the ingress counter did not move";
        Unclassified => "unclassified", "no known sign in the output";
    }
}

impl ClaudeReason {
    /// The class that this reason belongs to.
    pub const fn class(self) -> ClaudeClass {
        match self {
            Self::CliUsage => ClaudeClass::CliValidation,
            Self::Http401 | Self::Authentication => ClaudeClass::AuthenticationRejected,
            Self::ConnectionRefused
            | Self::ConnectionReset
            | Self::NetworkTimeout
            | Self::DnsFailure
            | Self::TlsCertificate
            | Self::FetchFailed
            | Self::ConnectionError => ClaudeClass::TransportFailure,
            Self::UnsupportedBeta
            | Self::UnknownField
            | Self::InvalidThinking
            | Self::InvalidOutputConfig
            | Self::Http400
            | Self::Http402
            | Self::Http403
            | Self::Http404
            | Self::Http413
            | Self::Http429
            | Self::Http5xx
            | Self::MalformedResponse
            | Self::ApiError => ClaudeClass::ApiRejected,
            Self::Deadline | Self::StdoutOverflow | Self::StderrOverflow | Self::LeftProcesses => {
                ClaudeClass::Bounds
            }
            Self::NoResultEvent
            | Self::SeveralResultEvents
            | Self::ErrorResult
            | Self::StopReason
            | Self::Retried
            | Self::NoTurns => ClaudeClass::Protocol,
            Self::NoIngress => ClaudeClass::GatewayBypassed,
            Self::Unclassified => ClaudeClass::Unknown,
        }
    }
}
