//! Variables that are missing or malformed: listed together, and each refused by its own check.

use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use harness::environment::Environment;
use harness::environment::runner::Runner;
use harness::inputs::fault::Fault;
use harness::inputs::variable::Variable;
use harness::inputs::{Inputs, Problem};
use standin::scratch;

use crate::preflight::row::{accepted, rows};
use crate::trial::Trial;

rows! {
    claude: Inputs => "inputs", |t| t.standin.unset("IOP_SMOKE_CLAUDE");
    edge: Inputs => "inputs", |t| t.standin.unset("IOP_SMOKE_EDGE_BIN");
    node: Inputs => "inputs", |t| t.standin.unset("IOP_SMOKE_NODE_BIN");
    config: Inputs => "inputs", |t| t.standin.unset("IOP_SMOKE_EDGE_CONFIG");
    evidence: Inputs => "inputs", |t| t.standin.unset("IOP_SMOKE_RUNTIME_EVIDENCE");
    base_url: Inputs => "inputs", |t| t.standin.unset("IOP_SMOKE_BASE_URL");
    metrics_url: Inputs => "inputs", |t| t.standin.unset("IOP_SMOKE_METRICS_URL");
    model: Inputs => "inputs", |t| t.standin.unset("IOP_SMOKE_MODEL");
    observation_file: Inputs => "inputs", |t| t.standin.unset("IOP_SMOKE_OBSERVATION_FILE");
    workspace: Inputs => "inputs", |t| t.standin.unset("IOP_SMOKE_WORKSPACE");
    secret_name: Inputs => "inputs", |t| t.standin.unset("IOP_SMOKE_SECRET_ENV");
    secret: Inputs => "inputs", |t| t.standin.unset("STANDIN_API_KEY");
    // An empty value is none.
    empty_model: Inputs => "inputs", |t| t.standin.set("IOP_SMOKE_MODEL", "");
    malformed_base_url: Inputs => "inputs", |t| t.standin.set("IOP_SMOKE_BASE_URL", "ftp://edge.invalid");
    relative_output: Inputs => "inputs", |t| t.standin.set("IOP_SMOKE_OUTPUT", "manifest.json");
    worktree_inputs_outside: Inputs => "inputs", |t| t.standin.set("IOP_SMOKE_WORKTREE_INPUTS", "../etc");

    claude_of_its_own: ClaudeExecutable => "claude-executable not-set", |t| t.standin.unset("IOP_SMOKE_CLAUDE");
    edge_of_its_own: EdgeExecutable => "edge-executable not-set", |t| t.standin.unset("IOP_SMOKE_EDGE_BIN");
    node_of_its_own: NodeExecutable => "node-executable not-set", |t| t.standin.unset("IOP_SMOKE_NODE_BIN");
    config_of_its_own: EdgeConfig => "edge-config not-set", |t| t.standin.unset("IOP_SMOKE_EDGE_CONFIG");
    evidence_of_its_own: RuntimeFile => "runtime-file not-set", |t| t.standin.unset("IOP_SMOKE_RUNTIME_EVIDENCE");
    base_url_of_its_own: BaseUrl => "base-url not-set", |t| t.standin.unset("IOP_SMOKE_BASE_URL");
    metrics_url_of_its_own: MetricsUrl => "metrics-url not-set", |t| t.standin.unset("IOP_SMOKE_METRICS_URL");
    observation_file_of_its_own: ObservationLog => "observation-log not-set", |t| t.standin.unset("IOP_SMOKE_OBSERVATION_FILE");
    workspace_of_its_own: Workspace => "workspace not-set", |t| t.standin.unset("IOP_SMOKE_WORKSPACE");

    timeout_of_nothing: Inputs => "inputs", |t| t.standin.set("IOP_SMOKE_RUN_TIMEOUT", "0");
    timeout_over_an_hour: Inputs => "inputs", |t| t.standin.set("IOP_SMOKE_RUN_TIMEOUT", "3601");
    timeout_negative: Inputs => "inputs", |t| t.standin.set("IOP_SMOKE_RUN_TIMEOUT", "-1");
    timeout_with_a_fraction: Inputs => "inputs", |t| t.standin.set("IOP_SMOKE_RUN_TIMEOUT", "1.5");
    timeout_with_a_unit: Inputs => "inputs", |t| t.standin.set("IOP_SMOKE_RUN_TIMEOUT", "600s");
    timeout_beyond_numbers: Inputs => "inputs", |t| t.standin.set("IOP_SMOKE_RUN_TIMEOUT", "99999999999999999999999");

    passing_a_base_url: Inputs => "inputs", |t| t.standin.set("IOP_SMOKE_PASS_ENV", "ANTHROPIC_BASE_URL");
    passing_a_key: Inputs => "inputs", |t| t.standin.set("IOP_SMOKE_PASS_ENV", "TZ,ANTHROPIC_API_KEY");
    passing_a_setting_of_claude: Inputs => "inputs", |t| t.standin.set("IOP_SMOKE_PASS_ENV", "CLAUDE_CONFIG_DIR");
    passing_the_bare_prefix: Inputs => "inputs", |t| t.standin.set("IOP_SMOKE_PASS_ENV", "CLAUDECODE");
    passing_behind_a_blank: Inputs => "inputs", |t| t.standin.set("IOP_SMOKE_PASS_ENV", "TZ, CLAUDE_X");
    passing_no_name: Inputs => "inputs", |t| t.standin.set("IOP_SMOKE_PASS_ENV", "TZ,,LANG");
    passing_an_assignment: Inputs => "inputs", |t| t.standin.set("IOP_SMOKE_PASS_ENV", "HTTPS_PROXY=http://127.0.0.1:9");
    passing_a_name_with_a_digit_first: Inputs => "inputs", |t| t.standin.set("IOP_SMOKE_PASS_ENV", "1ST");
    // The client of the probes hands through what the CLI gets.
    probing_with_a_reserved_variable: HealthListener => "inputs reserved", |t| t.standin.set("IOP_SMOKE_PASS_ENV", "CLAUDE_X");
}

accepted! {
    shortest_timeout: Inputs, |t| t.standin.set("IOP_SMOKE_RUN_TIMEOUT", "1");
    longest_timeout: Inputs, |t| t.standin.set("IOP_SMOKE_RUN_TIMEOUT", "3600");
    timeout_left_empty: Inputs, |t| t.standin.set("IOP_SMOKE_RUN_TIMEOUT", "");
    passing_a_proxy_and_anchors: Inputs, |t| t.standin.set("IOP_SMOKE_PASS_ENV", "HTTPS_PROXY, NODE_EXTRA_CA_CERTS,_x");
    passing_a_name_that_only_contains_the_prefix: Inputs, |t| t.standin.set("IOP_SMOKE_PASS_ENV", "MY_CLAUDE,NOT_ANTHROPIC_X");
    one_worktree_input: Inputs, |t| t.standin.set("IOP_SMOKE_WORKTREE_INPUTS", "Makefile");
}

#[test]
fn all_problems_are_listed_together() {
    let mut trial = Trial::new();
    let missing = [
        "IOP_SMOKE_CLAUDE",
        "IOP_SMOKE_EDGE_BIN",
        "IOP_SMOKE_NODE_BIN",
        "IOP_SMOKE_EDGE_CONFIG",
        "IOP_SMOKE_RUNTIME_EVIDENCE",
        "IOP_SMOKE_METRICS_URL",
        "IOP_SMOKE_OBSERVATION_FILE",
        "IOP_SMOKE_WORKSPACE",
    ];
    for name in missing {
        trial.standin.unset(name);
    }
    let malformed = [
        ("IOP_SMOKE_BASE_URL", "[base-url] has a query"),
        ("IOP_SMOKE_MODEL", "[model] holds a line break"),
        ("IOP_SMOKE_OUTPUT", "[output-target] is not an absolute"),
        ("IOP_SMOKE_WORKTREE_INPUTS", "[source-worktree] holds an"),
        ("IOP_SMOKE_RUN_TIMEOUT", "[inputs] is not a whole number"),
        ("IOP_SMOKE_PASS_ENV", "[inputs] names a variable"),
    ];
    trial.standin.set("IOP_SMOKE_BASE_URL", "http://h/?q");
    trial.standin.set("IOP_SMOKE_MODEL", "a\nb");
    trial.standin.set("IOP_SMOKE_OUTPUT", "m.json");
    trial.standin.set("IOP_SMOKE_WORKTREE_INPUTS", "/etc");
    trial.standin.set("IOP_SMOKE_RUN_TIMEOUT", "soon");
    trial.standin.set("IOP_SMOKE_PASS_ENV", "ANTHROPIC_X");
    trial.standin.unset("STANDIN_API_KEY");

    let verdict = trial.check(harness::reason::Reason::Inputs);
    let report = format!("{:?}", verdict.as_ref().expect_err("it is refused"));
    trial.assert_refused(verdict, "inputs", 0);
    assert!(report.contains("found 15 missing or malformed"), "{report}");
    for name in missing {
        let line = report
            .lines()
            .find(|line| line.trim_start().starts_with(name));
        let line = line.unwrap_or_else(|| panic!("{name} is not listed: {report}"));
        assert!(line.contains("] is not set"), "{line}");
    }
    for (name, fault) in malformed {
        let listed = format!("{name} {fault}");
        assert!(report.contains(&listed), "{listed}: {report}");
    }
    let secret = "the variable named by IOP_SMOKE_SECRET_ENV [secret-value] is not set";
    assert!(report.contains(secret), "{report}");
}

#[test]
fn nothing_is_said_of_the_value_of_a_variable_without_a_name() {
    let mut trial = Trial::new();
    trial.standin.unset("IOP_SMOKE_SECRET_ENV");
    let refusal = trial
        .check(harness::reason::Reason::Inputs)
        .expect_err("it is refused");
    let report = format!("{refusal:?}");
    assert!(report.contains("found 1 missing"), "{report}");
    assert!(!report.contains("secret-value"), "{report}");
}

#[test]
fn defaults_come_from_the_run_and_the_suite() {
    let suite = scratch::folder().expect("a folder");
    let root = suite.path().join("tests/smoke");
    fs::create_dir_all(suite.path().join(".git")).expect("it can be made");
    let runner = Runner::of(&Environment::from_iter([
        ("NEXTEST", OsString::from("1")),
        ("NEXTEST_PROFILE", "smoke-live".into()),
        ("NEXTEST_RUN_ID", "7e57".into()),
        ("NEXTEST_WORKSPACE_ROOT", root.clone().into()),
    ]));
    let inputs = Inputs::read(&Environment::default(), &runner);
    let output = runner.default_output().expect("its folder can be made");
    let folder = root.join("target/nextest/smoke-live");
    let folder = folder.canonicalize().expect("the folder is made");
    assert_eq!(output, Some(folder.join("manifest-7e57.json")));
    assert_eq!(inputs.repo, Ok(suite.path().to_owned()));
    let schema = "schemas/single-request-claude-smoke-manifest.schema.json";
    assert_eq!(inputs.schema, Ok(root.join(schema)));
    assert_eq!(inputs.run_timeout, Ok(Duration::from_secs(600)));
    assert_eq!(inputs.pass, Ok(Vec::new()));
    let covered = [
        "apps/edge/internal/openai",
        "apps/edge/internal/service",
        "apps/node/internal/bootstrap",
        "apps/node/internal/workspace",
        "packages/go/config",
        "Makefile",
    ];
    assert_eq!(
        inputs.worktree_inputs,
        Ok(covered.map(PathBuf::from).into())
    );
}

#[test]
fn without_a_run_or_a_suite_there_are_no_defaults() {
    let inputs = Inputs::read(&Environment::default(), &Runner::default());
    let problem = |variable, fault| Problem { variable, fault };
    assert_eq!(inputs.output, Err(problem(Variable::Output, Fault::NoRun)));
    assert_eq!(inputs.repo, Err(problem(Variable::Repo, Fault::NoRoot)));
    assert_eq!(inputs.schema, Err(problem(Variable::Schema, Fault::NoRoot)));

    let root = ("CARGO_MANIFEST_DIR", "/nonexistent");
    let runner = Runner::of(&Environment::from_iter([root]));
    let inputs = Inputs::read(&Environment::default(), &runner);
    let none = problem(Variable::Repo, Fault::NoRepository);
    assert_eq!(inputs.repo, Err(none));
    assert_eq!(inputs.output, Err(problem(Variable::Output, Fault::NoRun)));
}

#[test]
fn variables_that_are_not_set_are_not_handed_through() {
    let environment = Environment::from_iter([
        ("IOP_SMOKE_PASS_ENV", "SET, NOT_SET,EMPTY"),
        ("SET", "a value"),
        ("EMPTY", ""),
        ("OTHER", "another"),
    ]);
    let inputs = Inputs::read(&environment, &Runner::default());
    assert_eq!(inputs.pass, Ok(vec![("SET".into(), "a value".into())]));
}
