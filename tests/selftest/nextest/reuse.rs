//! Spares an invocation of nextest the question what is built: the run that it is nested in has
//! just built everything.

use std::env;
use std::ffi::OsString;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use harness::executables;
use serde_json::{Value, json};

use super::invocation::{cargo, root};

/// What nextest calls the two files.
const FILES: [&str; 2] = ["cargo-metadata", "binaries-metadata"];

/// The arguments that have an invocation reuse the build.
///
/// Cargo is asked once per build, by whichever test comes first.
pub(crate) fn arguments() -> Vec<OsString> {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    let folder = FOLDER.get_or_init(prepared);
    let options = FILES.map(|name| [format!("--{name}").into(), file(folder, name).into()]);
    options.into_iter().flatten().collect()
}

/// The folder with both files, which hold what cargo says of this build: which targets there are,
/// and where their executables lie.
fn prepared() -> PathBuf {
    // Beside the executables that the files are about.
    let built = executables::supervisor().expect("it is built");
    let folder = built.with_file_name("nested-nextest");
    fs::create_dir_all(&folder).expect("a folder");
    let lock = File::create(folder.join("lock")).expect("a file");
    lock.lock().expect("the other tests are done with it");
    let mark = folder.join("build");
    let build = build(&folder);
    if fs::read_to_string(&mark).is_ok_and(|known| known == build) {
        return folder;
    }
    // Should it fail half-way, the files are nobody's.
    fs::write(&mark, "").expect("a file");
    let metadata = ["metadata", "--format-version", "1", "--all-features"];
    let list = ["nextest", "list", "--list-type", "binaries-only"];
    let list = [&list[..], &["--message-format", "json"]].concat();
    let answers = [of_the_workspace(answer(&metadata)), answer(&list)];
    for (name, answer) in FILES.iter().zip(answers) {
        // An invocation may be reading the one before.
        let aside = file(&folder, &format!("new-{name}"));
        fs::write(&aside, answer.to_string()).expect("a file");
        fs::rename(aside, file(&folder, name)).expect("a file");
    }
    fs::write(mark, build).expect("a file");
    folder
}

/// What cargo answers.
fn answer(question: &[&str]) -> Value {
    let output = cargo(question).output().expect("cargo can be started");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    serde_json::from_slice(&output.stdout).expect("it answers in JSON")
}

/// The same metadata without the packages that others publish: they are a hundred times as much
/// to read, and none of their targets is run.
fn of_the_workspace(mut metadata: Value) -> Value {
    let members = metadata["workspace_members"].take();
    let is_member = |entry: &Value| members.as_array().expect("a list").contains(&entry["id"]);
    for (list, dependencies) in [
        ("/packages", &["dependencies"][..]),
        ("/resolve/nodes", &["dependencies", "deps"]),
    ] {
        let list = metadata.pointer_mut(list).and_then(Value::as_array_mut);
        let list = list.expect("a list");
        list.retain(is_member);
        for entry in list {
            for name in dependencies {
                entry[name] = json!([]);
            }
        }
    }
    metadata["workspace_members"] = members;
    metadata
}

/// Tells this build from others: the targets are those of `Cargo.toml`, and whatever else moves
/// an executable to another path, such as the compiler or its settings, moves this one too. The
/// folder is said as cargo says it, which may be by way of a link.
fn build(folder: &Path) -> String {
    let own = env::current_exe().expect("this executable");
    let written = [own.clone(), root().join("Cargo.toml")].map(|path| {
        let metadata = fs::metadata(path).expect("it is there");
        metadata.modified().expect("a time")
    });
    format!("{} {} {written:?}", folder.display(), own.display())
}

fn file(folder: &Path, name: &str) -> PathBuf {
    folder.join(name).with_extension("json")
}
