//! Where the key is while the CLI runs: in its environment, and nowhere else.

use std::collections::BTreeSet;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use harness::constants::PROMPT;
use standin::deployment::SECRET;
use standin::scratch;

use super::scene::{Scene, holding};

/// Between two looks.
const PERIOD: Duration = Duration::from_millis(10);

/// What was seen of a run.
#[derive(Clone, Debug, Default)]
struct Seen {
    /// Looks at which the CLI was running.
    looks: u32,
    /// Names of the variables of the CLI.
    variables: BTreeSet<String>,
    /// Files in its private home.
    files: BTreeSet<PathBuf>,
    /// Files there that held the key.
    files_with_key: BTreeSet<PathBuf>,
    /// Processes with the key in their command line.
    commands_with_key: BTreeSet<String>,
}

impl Seen {
    /// Looks at every process of this machine and at the files below a folder.
    fn look(&mut self, folder: &Path) {
        for process in fs::read_dir("/proc").into_iter().flatten().flatten() {
            let read = |name: &str| fs::read(process.path().join(name)).unwrap_or_default();
            let command = read("cmdline");
            if contains(&command, SECRET) {
                let name = String::from_utf8_lossy(&read("comm")).into_owned();
                self.commands_with_key.insert(name);
            }
            let environment = read("environ");
            let is_ours = contains(&environment, &folder.to_string_lossy());
            if is_ours && contains(&command, PROMPT) && contains(&environment, "ANTHROPIC_") {
                self.looks += 1;
                let variables = environment.split(|&byte| byte == 0);
                let names = variables.filter_map(|variable| {
                    let name = variable.split(|&byte| byte == b'=').next()?;
                    (!name.is_empty()).then(|| String::from_utf8_lossy(name).into_owned())
                });
                self.variables.extend(names);
            }
        }
        self.files.extend(holding(folder, b""));
        self.files_with_key
            .extend(holding(folder, SECRET.as_bytes()));
    }
}

#[test]
#[ignore = "needs the real CLI: make client"]
fn it_is_in_no_command_line_and_in_no_file() {
    let scene = Scene::new();
    let tmp = scene.trial.path("tmp");
    let seen = Arc::new(Mutex::new(Seen::default()));
    let look = {
        let (seen, tmp) = (Arc::clone(&seen), tmp.clone());
        move || {
            let mut seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
            seen.look(&tmp);
        }
    };
    // At least one look is while the request is under way.
    let during = Arc::new(look.clone());
    scene
        .trial
        .standin
        .edge
        .behave(|behaviour| behaviour.during = Some(during));
    let (ended, end) = mpsc::channel::<()>();
    let watch = thread::spawn(move || {
        while end.recv_timeout(PERIOD) == Err(RecvTimeoutError::Timeout) {
            look();
        }
    });
    let verdict = scene.trial.run();
    drop(ended);
    watch.join().expect("the watch ends");
    verdict.expect("the run passes");

    let seen = seen.lock().unwrap_or_else(PoisonError::into_inner).clone();
    assert!(seen.looks > 0 && !seen.files.is_empty(), "nothing was seen");
    assert_eq!(seen.files_with_key, BTreeSet::new());
    assert_eq!(seen.commands_with_key, BTreeSet::new());
    assert_eq!(
        holding(scene.trial.standin.root(), SECRET.as_bytes()),
        Vec::<PathBuf>::new()
    );
    assert_eq!(fs::read_dir(&tmp).expect("the folder").count(), 0, "left");
    assert_eq!(seen.variables, allowed());
}

/// The variables that the CLI gets; these deployments set no locale but `LANG`, and no time zone.
fn allowed() -> BTreeSet<String> {
    let names = [
        "ANTHROPIC_API_KEY",
        "ANTHROPIC_BASE_URL",
        "ANTHROPIC_MODEL",
        "API_TIMEOUT_MS",
        "CLAUDE_CODE_DISABLE_EXPERIMENTAL_BETAS",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC",
        "CLAUDE_CODE_DISABLE_NONSTREAMING_FALLBACK",
        "CLAUDE_CODE_DISABLE_TERMINAL_TITLE",
        "CLAUDE_CODE_MAX_RETRIES",
        "CLAUDE_CONFIG_DIR",
        "DISABLE_AUTOUPDATER",
        "HOME",
        "LANG",
        "PATH",
        "TERM",
        "TMPDIR",
    ];
    names.map(str::to_owned).into()
}

fn contains(bytes: &[u8], text: &str) -> bool {
    memchr::memmem::find(bytes, text.as_bytes()).is_some()
}

/// Proves the look: a key in a command line or a file is seen.
#[test]
fn a_key_that_is_shown_is_seen() {
    let folder = scratch::folder().expect("a folder");
    let file = folder.path().join("file");
    fs::write(&file, SECRET).expect("a file");
    // It reads until its input is closed, and waits.
    let mut process = std::process::Command::new("sh")
        .args(["-c", "echo; read -r line; exit 0", "sh", SECRET])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("a process");
    // It has no command line to look at before it has begun to run.
    let mut stdout = process.stdout.take().expect("its output");
    stdout.read_exact(&mut [0]).expect("it runs");
    let mut seen = Seen::default();
    seen.look(folder.path());
    drop(process.stdin.take());
    process.wait().expect("it ends");
    assert_eq!(seen.files_with_key, BTreeSet::from([file]));
    assert_eq!(seen.commands_with_key.len(), 1, "{seen:?}");
}
