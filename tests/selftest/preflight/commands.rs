//! Commands that do not answer, and a CLI that lacks flags.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use harness::constants::COMMAND_OUTPUT_BOUND;
use script::{Printed, Script, defaults};

use crate::preflight::row::{accepted, rows};
use crate::trial::{BRIEF, Trial};

rows! {
    claude_version_failing: ClaudeVersion => "claude-version failed", |t| answers(t, CLAUDE_VERSION, failing());
    claude_version_silent: ClaudeVersion => "claude-version silent", |t| answers(t, CLAUDE_VERSION, silent());
    claude_version_over_long: ClaudeVersion => "claude-version overflow", |t| answers(t, CLAUDE_VERSION, over_long());
    claude_version_hanging: ClaudeVersion => "claude-version deadline", |t| hangs(t, CLAUDE_VERSION);
    claude_help_failing: ClaudeHelp => "claude-help failed", |t| answers(t, CLAUDE_HELP, failing());
    claude_help_silent: ClaudeHelp => "claude-help silent", |t| answers(t, CLAUDE_HELP, silent());
    claude_help_over_long: ClaudeHelp => "claude-help overflow", |t| answers(t, CLAUDE_HELP, over_long());
    claude_help_hanging: ClaudeHelp => "claude-help deadline", |t| hangs(t, CLAUDE_HELP);
    edge_version_failing: EdgeVersion => "edge-version failed", |t| answers(t, EDGE_VERSION, failing());
    edge_version_silent: EdgeVersion => "edge-version silent", |t| answers(t, EDGE_VERSION, silent());
    edge_version_over_long: EdgeVersion => "edge-version overflow", |t| answers(t, EDGE_VERSION, over_long());
    edge_version_hanging: EdgeVersion => "edge-version deadline", |t| hangs(t, EDGE_VERSION);
    node_version_failing: NodeVersion => "node-version failed", |t| answers(t, NODE_VERSION, failing());
    node_version_silent: NodeVersion => "node-version silent", |t| answers(t, NODE_VERSION, silent());
    node_version_over_long: NodeVersion => "node-version overflow", |t| answers(t, NODE_VERSION, over_long());
    node_version_hanging: NodeVersion => "node-version deadline", |t| hangs(t, NODE_VERSION);
    config_check_failing: ConfigCheck => "config-check failed", |t| answers(t, CONFIG_CHECK, failing());
    config_check_silent: ConfigCheck => "config-check silent", |t| answers(t, CONFIG_CHECK, silent());
    config_check_over_long: ConfigCheck => "config-check overflow", |t| answers(t, CONFIG_CHECK, over_long());
    config_check_hanging: ConfigCheck => "config-check deadline", |t| hangs(t, CONFIG_CHECK);

    config_that_the_edge_refuses: ConfigCheck => "config-check failed", |t| {
        fs::write(t.path("edge.yaml"), "listen: loopback\n").expect("it can be written");
    };
    both_streams_count_for_the_bound: EdgeVersion => "edge-version overflow", |t| {
        let half = COMMAND_OUTPUT_BOUND / 2;
        answers(t, EDGE_VERSION, Printed { stdout_flood: half, stderr_flood: half + 1, ..Printed::default() });
    };
    // It has said enough, and still has to end.
    output_and_then_no_end: EdgeVersion => "edge-version deadline", |t| {
        answers(t, EDGE_VERSION, Printed { hang: true, ..Printed::text(defaults::EDGE_VERSION) });
        t.limits.command = BRIEF;
    };
    script_without_its_interpreter: NodeVersion => "node-version not-started", |t| replace(t, "node", b"#!/nonexistent/interpreter\n");
    // What keeps the executable from being run is told by its own check.
    version_of_an_absent_executable: EdgeVersion => "edge-executable absent", |t| {
        fs::remove_file(t.path("bin/edge")).expect("it is there");
    };

    private_home_without_a_folder_to_be_in: EdgeVersion => "private-home", |t| {
        let nowhere = t.path("nothing");
        t.standin.set("TMPDIR", nowhere);
    };
    private_home_within_the_workspace: EdgeVersion => "private-home", |t| {
        let within = t.path("workspace/tmp");
        fs::create_dir(&within).expect("it can be made");
        t.standin.set("TMPDIR", within);
    };
    private_home_that_cannot_be_made: EdgeVersion => "private-home", |t| t.standin.set("TMPDIR", "/proc");

    help_without_print: ClaudeFlags => "claude-flags --print", |t| lacks(t, "--print");
    help_without_output_format: ClaudeFlags => "claude-flags --output-format", |t| lacks(t, "--output-format");
    help_without_verbose: ClaudeFlags => "claude-flags --verbose", |t| lacks(t, "--verbose");
    help_without_no_session_persistence: ClaudeFlags => "claude-flags --no-session-persistence", |t| lacks(t, "--no-session-persistence");
    help_without_bare: ClaudeFlags => "claude-flags --bare", |t| lacks(t, "--bare");
    help_without_setting_sources: ClaudeFlags => "claude-flags --setting-sources", |t| lacks(t, "--setting-sources");
    help_with_a_longer_flag_only: ClaudeFlags => "claude-flags --bare", |t| {
        answers(t, CLAUDE_HELP, Printed::text(defaults::CLAUDE_HELP.replace("--bare", "--bare-metal")));
    };
    flags_of_a_cli_without_help: ClaudeFlags => "claude-help failed", |t| answers(t, CLAUDE_HELP, failing());

    claude_version_of_another: ClaudeVersionDigest => "claude-version-digest", |t| answers(t, CLAUDE_VERSION, other());
    claude_help_of_another: ClaudeHelpDigest => "claude-help-digest", |t| answers(t, CLAUDE_HELP, other());
    edge_version_of_another: EdgeVersionDigest => "edge-version-digest", |t| answers(t, EDGE_VERSION, other());
    node_version_of_another: NodeVersionDigest => "node-version-digest", |t| answers(t, NODE_VERSION, other());
    config_check_of_another: ConfigCheckDigest => "config-check-digest", |t| answers(t, CONFIG_CHECK, other());
    // A warning on the other stream is part of what was printed.
    more_on_the_other_stream: NodeVersionDigest => "node-version-digest", |t| {
        answers(t, NODE_VERSION, Printed { stderr: "a warning\n".into(), ..Printed::text(defaults::NODE_VERSION) });
    };
}

accepted! {
    as_much_as_may_be_printed: NodeVersion, |t| {
        answers(t, NODE_VERSION, Printed { stdout_flood: COMMAND_OUTPUT_BOUND, ..Printed::default() });
    };
    nothing_but_a_warning: NodeVersion, |t| {
        answers(t, NODE_VERSION, Printed { stderr: "node 0\n".into(), ..Printed::default() });
    };
    the_same_on_the_other_stream: NodeVersionDigest, |t| {
        answers(t, NODE_VERSION, Printed { stderr: defaults::NODE_VERSION.into(), ..Printed::default() });
    };
    help_that_lists_more: ClaudeFlags, |t| {
        answers(t, CLAUDE_HELP, Printed::text(format!("{}  --more\n", defaults::CLAUDE_HELP)));
    };
}

/// An executable and its arguments.
type Line = (&'static str, &'static str);

const CLAUDE_VERSION: Line = ("claude", "--version");
const CLAUDE_HELP: Line = ("claude", "--help");
const EDGE_VERSION: Line = ("edge", "version");
const NODE_VERSION: Line = ("node", "version");
const CONFIG_CHECK: Line = ("edge", "config check --config");

fn answers(trial: &mut Trial, (executable, arguments): Line, printed: Printed) {
    let mut script = Script::default();
    script.answers.insert(arguments.to_owned(), printed);
    trial
        .standin
        .script(executable, &script)
        .expect("the script can be written");
}

fn hangs(trial: &mut Trial, line: Line) {
    let hang = Printed {
        hang: true,
        ..Printed::default()
    };
    answers(trial, line, hang);
    trial.limits.command = BRIEF;
}

fn lacks(trial: &mut Trial, flag: &str) {
    let kept = defaults::CLAUDE_HELP
        .split_inclusive('\n')
        .filter(|line| !line.contains(&format!("{flag} ")));
    answers(trial, CLAUDE_HELP, Printed::text(kept.collect::<String>()));
}

fn replace(trial: &mut Trial, name: &str, bytes: &[u8]) {
    let path = trial.path("bin").join(name);
    fs::remove_file(&path).expect("it is there");
    fs::write(&path, bytes).expect("it can be written");
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("it can be changed");
}

fn failing() -> Printed {
    Printed { exit: 3, ..other() }
}

fn silent() -> Printed {
    Printed::default()
}

fn over_long() -> Printed {
    Printed {
        stdout_flood: COMMAND_OUTPUT_BOUND + 1,
        ..Printed::default()
    }
}

fn other() -> Printed {
    Printed::text("something else\n")
}
