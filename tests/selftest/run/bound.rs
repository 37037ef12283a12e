//! Something that the evidence binds changes during the run.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::Arc;

use standin::checkout::git;
use standin::script::{Printed, Script};

use crate::run::row::rows;
use crate::trial::Trial;

rows! {
    evidence_changed => "evidence-changed contents", |t| during(t, |root| append(&root.join("evidence.json"), "\n"));
    evidence_no_longer_json => "evidence-changed", |t| during(t, |root| append(&root.join("evidence.json"), "x"));
    evidence_replaced_by_equal_bytes => "evidence-changed replaced", |t| during(t, |root| {
        replaced(&root.join("evidence.json"), "");
    });
    evidence_removed => "evidence-changed", |t| during(t, |root| {
        fs::remove_file(root.join("evidence.json")).expect("the evidence");
    });
    evidence_linked => "evidence-changed", |t| during(t, |root| {
        fs::rename(root.join("evidence.json"), root.join("aside.json")).expect("the evidence");
        symlink(root.join("aside.json"), root.join("evidence.json")).expect("a link");
    });
    config_changed => "config-digest", |t| during(t, |root| append(&root.join("edge.yaml"), "# changed\n"));
    config_removed => "edge-config absent", |t| during(t, |root| {
        fs::remove_file(root.join("edge.yaml")).expect("the configuration");
    });
    schema_changed => "schema-digest", |t| during(t, |root| append(&root.join("schema.json"), "\n"));
    claude_changed => "claude-digest", |t| during(t, |root| replaced(&root.join("bin/claude"), "x"));
    edge_changed => "edge-digest", |t| during(t, |root| replaced(&root.join("bin/edge"), "x"));
    node_changed => "node-digest", |t| during(t, |root| replaced(&root.join("bin/node"), "x"));
    node_removed => "node-executable absent", |t| during(t, |root| {
        fs::remove_file(root.join("bin/node")).expect("the node");
    });
    claude_of_another_version => "claude-version-digest", |t| during(t, |root| {
        answers(&root.join("bin/claude"), "--version", "0.0.1 (Stand-in Claude)\n");
    });
    edge_of_another_version => "edge-version-digest", |t| during(t, |root| {
        answers(&root.join("bin/edge"), "version", "edge 0.0.1 (stand-in)\n");
    });
    config_no_longer_accepted => "config-check silent", |t| during(t, |root| {
        answers(&root.join("bin/edge"), "config check", "");
    });
    head_changed => "source-head differs", |t| during(t, |root| {
        in_checkout(root, &["commit", "--quiet", "--allow-empty", "--message", "changed"]);
    });
    branch_changed => "source-branch", |t| during(t, |root| in_checkout(root, &["checkout", "--quiet", "-b", "other"]));
    source_changed => "source-worktree", |t| during(t, |root| append(&root.join("checkout/Makefile"), "\n"));
    source_removed => "source-worktree input-absent", |t| during(t, |root| {
        fs::remove_dir_all(root.join("checkout/packages/go/config")).expect("the sources");
    });
}

/// Has something happen in the deployment's folder while the request is served.
fn during(trial: &mut Trial, happens: impl Fn(&Path) + Send + Sync + 'static) {
    let root = trial.standin.root().to_path_buf();
    trial
        .standin
        .edge
        .behave(|behaviour| behaviour.during = Some(Arc::new(move || happens(&root))));
}

fn append(path: &Path, text: &str) {
    let mut file = OpenOptions::new()
        .append(true)
        .open(path)
        .expect("the file");
    file.write_all(text.as_bytes())
        .expect("it can be written to");
}

/// Puts another file in place of this one: its bytes and a text. One that runs cannot be written to.
fn replaced(path: &Path, text: &str) {
    let copy = path.with_extension("copy");
    fs::copy(path, &copy).expect("a copy");
    append(&copy, text);
    fs::rename(copy, path).expect("the file");
}

/// Has an executable answer something else from now on.
fn answers(executable: &Path, question: &str, answer: &str) {
    let mut script = Script::default();
    let answer = Printed::text(answer);
    script.answers.insert(question.to_owned(), answer);
    script.write(executable).expect("the script");
}

fn in_checkout(root: &Path, arguments: &[&str]) {
    git(&root.join("checkout"), arguments).expect("git");
}

#[test]
fn evidence_written_anew_with_the_same_bytes_is_no_matter() {
    let mut trial = Trial::new();
    during(&mut trial, |root| {
        let path = root.join("evidence.json");
        fs::write(&path, fs::read(&path).expect("the evidence")).expect("it can be written to");
    });
    trial.run().expect("it is accepted");
}
