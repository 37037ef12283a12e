//! The environment of the CLI and of the commands that are asked: these variables, and no others.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;

use harness::claude::environment;
use standin::deployment::{Extent, MODEL, SECRET};

use crate::trial::Trial;

/// Where the private folders would be.
const PRIVATE: &str = "/private-home";

/// A stand-in whose caller has what people have set, and what would redirect the CLI.
fn trial() -> Trial {
    let mut trial = Trial::in_part(Extent::FILES);
    for (name, value) in [
        ("PATH", "/bin"),
        ("LANG", "C.UTF-8"),
        ("LC_TIME", "C"),
        ("LC_ALL", ""),
        ("TZ", "UTC"),
        ("TERM", "xterm"),
        ("HOME", "/root"),
        ("XLC_ALL", "C"),
        ("EXTRA", "handed through"),
        ("OTHER", "kept back"),
        ("ANTHROPIC_BASE_URL", "http://127.0.0.1:9"),
        ("ANTHROPIC_AUTH_TOKEN", "made-up"),
        ("CLAUDE_CONFIG_DIR", "/elsewhere"),
        ("CLAUDE_CODE_USE_BEDROCK", "1"),
        ("NODE_OPTIONS", "--inspect"),
    ] {
        trial.standin.set(name, value);
    }
    trial.standin.set("IOP_SMOKE_PASS_ENV", "EXTRA,LC_ALL");
    trial
}

/// What every process gets.
const INHERITED: [(&str, &str); 8] = [
    ("CLAUDE_CONFIG_DIR", "/private-home/config"),
    ("HOME", "/private-home/home"),
    ("LANG", "C.UTF-8"),
    ("LC_TIME", "C"),
    ("PATH", "/bin"),
    ("TERM", "dumb"),
    ("TMPDIR", "/private-home/tmp"),
    ("TZ", "UTC"),
];

/// Variables by name; one that stands twice fails.
fn by_name(variables: Vec<(OsString, OsString)>) -> BTreeMap<String, String> {
    let count = variables.len();
    let text = |text: OsString| text.into_string().expect("text");
    let named: BTreeMap<_, _> = variables
        .into_iter()
        .map(|(name, value)| (text(name), text(value)))
        .collect();
    assert_eq!(named.len(), count, "a variable stands twice");
    named
}

fn expected(own: &[(&str, &str)]) -> BTreeMap<String, String> {
    let pairs = INHERITED.iter().chain(own);
    pairs
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect()
}

fn of_run(trial: &Trial) -> BTreeMap<String, String> {
    let variables = environment::of_run(&trial.deployment(), Path::new(PRIVATE));
    by_name(variables.expect("the inputs are there"))
}

#[test]
fn of_the_run() {
    let trial = trial();
    let base_url = trial.standin.edge.origin();
    let expected = expected(&[
        ("ANTHROPIC_API_KEY", SECRET),
        ("ANTHROPIC_BASE_URL", &base_url),
        ("ANTHROPIC_MODEL", MODEL),
        ("API_TIMEOUT_MS", "595000"),
        ("CLAUDE_CODE_DISABLE_EXPERIMENTAL_BETAS", "1"),
        ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
        ("CLAUDE_CODE_DISABLE_NONSTREAMING_FALLBACK", "1"),
        ("CLAUDE_CODE_DISABLE_TERMINAL_TITLE", "1"),
        ("CLAUDE_CODE_MAX_RETRIES", "0"),
        ("DISABLE_AUTOUPDATER", "1"),
        ("EXTRA", "handed through"),
    ]);
    assert_eq!(of_run(&trial), expected);
}

#[test]
fn of_a_command_that_is_asked() {
    let variables = environment::of_question(&trial().deployment(), Path::new(PRIVATE));
    let expected = expected(&[
        ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
        ("DISABLE_AUTOUPDATER", "1"),
    ]);
    assert_eq!(by_name(variables), expected);
}

/// The CLI gives up five seconds before the run does, but not before half of the run's time.
#[rstest::rstest]
#[case::long("600", "595000")]
#[case::ten_seconds("10", "5000")]
#[case::short("4", "2000")]
#[case::shortest("1", "500")]
fn the_clis_own_timeout(#[case] bound: &str, #[case] expected: &str) {
    let mut trial = trial();
    trial.standin.set("IOP_SMOKE_RUN_TIMEOUT", bound);
    assert_eq!(of_run(&trial)["API_TIMEOUT_MS"], expected);
}
