//! Checkouts that are not the sealed one, are none, or try to mislead git.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::PathBuf;

use harness::digest::Digest;
use harness::reason::Reason;
use script::{Printed, Script};
use standin::checkout::{self, BRANCH, answer, git};
use standin::deployment::Extent;
use standin::executables::install;

use crate::preflight::row::{accepted, rows};
use crate::preflight::sealed::sealed;
use crate::trial::{BRIEF, Trial, parts};

rows! {
    another_commit: SourceHead => "source-head differs", |t| {
        git(&t.path("checkout"), &["commit", "--quiet", "--allow-empty", "--message", "more"]).expect("git commits");
    };
    unborn_head: SourceHead => "source-head unborn-head", |t| head(t, "ref: refs/heads/nothing\n");
    repository_without_a_commit: SourceHead => "source-head unborn-head", |t| {
        fs::create_dir(t.path("fresh")).expect("it can be made");
        git(&t.path("fresh"), &["init", "--quiet"]).expect("git makes it");
        repository(t, "fresh");
    };
    sha256_repository: SourceHead => "source-head sha256-repository", |t| {
        fs::create_dir(t.path("sha256")).expect("it can be made");
        checkout::commit(&t.path("sha256"), "sha256").expect("git makes it");
        repository(t, "sha256");
    };
    no_such_folder: SourceHead => "source-head not-a-repository", |t| repository(t, "nothing");
    folder_without_a_repository: SourceHead => "source-head not-a-repository", |t| repository(t, "workspace");
    repository_removed: SourceHead => "source-head not-a-repository", |t| {
        fs::remove_dir_all(t.path("checkout/.git")).expect("it is there");
    };
    repository_empty: SourceHead => "source-head not-a-repository", |t| {
        fs::remove_dir_all(t.path("checkout/.git")).expect("it is there");
        fs::create_dir(t.path("checkout/.git")).expect("it can be made");
    };
    repository_file_that_leads_nowhere: SourceHead => "source-head not-a-repository", |t| {
        fs::remove_dir_all(t.path("checkout/.git")).expect("it is there");
        fs::write(t.path("checkout/.git"), "gitdir: /nonexistent\n").expect("it can be written");
    };
    // Git would look further up and find the checkout.
    folder_in_a_repository: SourceHead => "source-head not-a-repository", |t| repository(t, "checkout/apps");
    broken_repository_in_a_repository: SourceHead => "source-head not-a-repository", |t| {
        fs::create_dir(t.path("checkout/apps/.git")).expect("it can be made");
        repository(t, "checkout/apps");
    };
    configuration_that_git_refuses: SourceHead => "source-head not-a-repository", |t| {
        fs::write(t.path("checkout/.git/config"), "[core\n").expect("it can be written");
    };
    git_absent: SourceHead => "source-head git", |t| t.standin.set("PATH", "/nonexistent");
    git_stuck: SourceHead => "source-head git", |t| {
        git_answers(t, Printed { hang: true, ..Printed::default() });
        t.limits.command = BRIEF;
    };
    git_of_another_kind: SourceHead => "source-head git", |t| git_answers(t, Printed::text("hash\n"));
    git_without_end: SourceHead => "source-head git", |t| git_answers(t, Printed { stdout_flood: 1 << 20, ..Printed::default() });

    another_branch: SourceBranch => "source-branch", |t| {
        git(&t.path("checkout"), &["branch", "--quiet", "--move", "another"]).expect("git renames it");
    };
    detached: SourceBranch => "source-branch", detach;
    branch_of_an_unborn_head: SourceBranch => "source-head unborn-head", |t| head(t, "ref: refs/heads/nothing\n");

    file_edited: SourceWorktree => "source-worktree", |t| write(t, "Makefile", "all:\n");
    file_added: SourceWorktree => "source-worktree", |t| write(t, "packages/go/config/more.go", "package more\n");
    hidden_file_added: SourceWorktree => "source-worktree", |t| write(t, "packages/go/config/.more", "");
    file_removed: SourceWorktree => "source-worktree", |t| {
        write(t, "packages/go/config/more.go", "package more\n");
        sealed(t, |_| {});
        t.assert_passes(Reason::SourceWorktree);
        fs::remove_file(t.path("checkout/packages/go/config/more.go")).expect("it is there");
    };
    file_renamed: SourceWorktree => "source-worktree", |t| {
        let folder = t.path("checkout/packages/go/config");
        fs::rename(folder.join("source.go"), folder.join("sources.go")).expect("it can be moved");
    };
    fewer_inputs: SourceWorktree => "source-worktree", |t| t.standin.set("IOP_SMOKE_WORKTREE_INPUTS", "Makefile");
    input_missing: SourceWorktree => "source-worktree input-absent", |t| {
        fs::remove_dir_all(t.path("checkout/packages/go/config")).expect("it is there");
    };
    file_input_missing: SourceWorktree => "source-worktree input-absent", |t| {
        fs::remove_file(t.path("checkout/Makefile")).expect("it is there");
    };
    input_listed_and_missing: SourceWorktree => "source-worktree input-absent", |t| {
        t.standin.set("IOP_SMOKE_WORKTREE_INPUTS", "Makefile:no/such/input");
    };
    input_below_a_file: SourceWorktree => "source-worktree input-absent", |t| {
        t.standin.set("IOP_SMOKE_WORKTREE_INPUTS", "Makefile/more");
    };
    input_that_is_a_link: SourceWorktree => "source-worktree input-link", |t| {
        let path = t.path("checkout/Makefile");
        fs::rename(&path, t.path("checkout/makefile.real")).expect("it can be moved");
        symlink("makefile.real", path).expect("a link can be made");
    };
    input_behind_a_link: SourceWorktree => "source-worktree input-link", |t| {
        fs::rename(t.path("checkout/packages"), t.path("checkout/real")).expect("it can be moved");
        symlink("real", t.path("checkout/packages")).expect("a link can be made");
    };
    input_that_is_a_fifo: SourceWorktree => "source-worktree input-special", |t| {
        fs::remove_file(t.path("checkout/Makefile")).expect("it is there");
        fifo(t, "Makefile");
    };
    input_unreadable: SourceWorktree => "source-worktree input-unreadable", |t| {
        mode(t, "Makefile", 0);
        t.unprivileged = true;
    };
    file_unreadable: SourceWorktree => "source-worktree unreadable", |t| {
        mode(t, "packages/go/config/source.go", 0);
        t.unprivileged = true;
    };
    inputs_without_files: SourceWorktree => "source-worktree empty", |t| {
        fs::create_dir(t.path("checkout/empty")).expect("it can be made");
        t.standin.set("IOP_SMOKE_WORKTREE_INPUTS", "empty");
    };
    input_outside: SourceWorktree => "source-worktree outside", |t| t.standin.set("IOP_SMOKE_WORKTREE_INPUTS", "../checkout/Makefile");
    input_from_the_root: SourceWorktree => "source-worktree outside", |t| t.standin.set("IOP_SMOKE_WORKTREE_INPUTS", "Makefile:/etc");
    input_empty: SourceWorktree => "source-worktree outside", |t| t.standin.set("IOP_SMOKE_WORKTREE_INPUTS", "Makefile::packages");
    checkout_missing: SourceWorktree => "source-worktree checkout", |t| repository(t, "nothing");
}

accepted! {
    change_outside_the_inputs: SourceWorktree, |t| write(t, "README.md", "text\n");
    links_and_fifos_among_the_sources: SourceWorktree, |t| {
        symlink("/dev/zero", t.path("checkout/packages/go/config/link")).expect("a link can be made");
        symlink("..", t.path("checkout/packages/go/config/loop")).expect("a link can be made");
        fifo(t, "packages/go/config/fifo");
        fs::create_dir(t.path("checkout/packages/go/config/empty")).expect("it can be made");
    };
    input_listed_twice: SourceWorktree, |t| {
        let all = harness::constants::WORKTREE_INPUTS.join(":");
        t.standin.set("IOP_SMOKE_WORKTREE_INPUTS", format!("{all}:Makefile:packages"));
    };
}

#[test]
fn a_repository_that_git_made_itself() {
    let mut trial = trial();
    let root = committed(&trial);
    let head = answer(&root, &["rev-parse", "HEAD"]).expect("git answers");
    sealed(&trial, |evidence| evidence.source.head = head);
    repository(&mut trial, "real");
    assert_source_passes(&trial);
}

#[test]
fn a_detached_head_that_was_sealed_so() {
    let mut trial = trial();
    detach(&mut trial);
    sealed(&trial, |evidence| {
        evidence.source.branch_digest = Digest::of("HEAD");
    });
    assert_source_passes(&trial);
}

#[test]
fn a_linked_worktree() {
    let mut trial = trial();
    let root = committed(&trial);
    let add = ["worktree", "add", "--quiet", "-b", "linked", "../linked"];
    git(&root, &add).expect("git links one");
    let head = answer(&root, &["rev-parse", "HEAD"]).expect("git answers");
    sealed(&trial, |evidence| {
        evidence.source.head = head;
        evidence.source.branch_digest = Digest::of("linked");
    });
    repository(&mut trial, "linked");
    assert_source_passes(&trial);
}

#[test]
fn a_packed_reference() {
    let trial = trial();
    git(&trial.path("checkout"), &["pack-refs", "--all"]).expect("git packs them");
    assert!(!trial.path("checkout/.git/refs/heads").join(BRANCH).exists());
    assert_source_passes(&trial);
}

#[test]
fn variables_of_git_that_lead_elsewhere() {
    let mut trial = trial();
    let other = trial.path("other");
    fs::create_dir(&other).expect("it can be made");
    checkout::commit(&other, "sha256").expect("git makes it");
    for (name, value) in [
        ("GIT_DIR", ".git"),
        ("GIT_COMMON_DIR", ".git"),
        ("GIT_INDEX_FILE", ".git/index"),
        ("GIT_WORK_TREE", ""),
        ("GIT_OBJECT_DIRECTORY", ".git/objects"),
        ("GIT_CONFIG_GLOBAL", ".git/config"),
    ] {
        trial.standin.set(name, other.join(value));
    }
    trial.standin.set("GIT_NAMESPACE", "elsewhere");
    assert_source_passes(&trial);
}

#[test]
fn a_configuration_that_would_run_something_or_lead_elsewhere() {
    let trial = trial();
    let trap = trial.path("sprung");
    let root = trial.path("checkout");
    let hooks = trial.path("hooks");
    fs::create_dir(&hooks).expect("it can be made");
    let touch = format!("touch '{}'", trap.display());
    for hook in ["post-index-change", "reference-transaction", "fsmonitor"] {
        let path = hooks.join(hook);
        fs::write(&path, format!("#!/bin/sh\n{touch}\n")).expect("it can be written");
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("it can be changed");
    }
    let hooks = hooks.display();
    let config = format!(
        "[core]\n\tfsmonitor = {hooks}/fsmonitor\n\thooksPath = {hooks}\n\tworktree = /nonexistent\n\
         \tbare = true\n\tpager = {touch}\n\teditor = {touch}\n\
         [alias]\n\trev-parse = !{touch}\n[include]\n\tpath = {hooks}/nothing\n"
    );
    fs::write(root.join(".git/config"), config).expect("it can be written");
    assert_source_passes(&trial);
    assert!(!trap.exists(), "something of the repository was run");
}

#[test]
fn the_stand_ins_commit_is_what_git_would_make() {
    let trial = trial();
    let root = trial.path("checkout");
    let empty = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
    let made = answer(&root, &["commit-tree", empty, "-m", "stand-in sources"]);
    let head = checkout::head(&root).expect("it has a head");
    assert_eq!(made.expect("git makes a commit"), head);
    let read = answer(&root, &["log", "--format=%T %s", BRANCH]);
    let expected = format!("{empty} stand-in sources");
    assert_eq!(read.expect("git reads the commit"), expected);
}

/// The control, of which no more is made than the checkout.
fn trial() -> Trial {
    Trial::in_part(Extent {
        checkout: true,
        ..Extent::FILES
    })
}

#[track_caller]
fn assert_source_passes(trial: &Trial) {
    for id in [
        Reason::SourceHead,
        Reason::SourceBranch,
        Reason::SourceWorktree,
    ] {
        trial.assert_passes(id);
    }
}

/// A checkout with the same sources, made by git itself.
fn committed(trial: &Trial) -> PathBuf {
    let root = trial.path("real");
    fs::create_dir(&root).expect("it can be made");
    checkout::commit(&root, "sha1").expect("git makes it");
    root
}

fn repository(trial: &mut Trial, name: &str) {
    let path = trial.path(name);
    trial.standin.set("IOP_SMOKE_REPO", path);
}

fn head(trial: &mut Trial, content: &str) {
    fs::write(trial.path("checkout/.git/HEAD"), content).expect("it can be written");
}

fn detach(trial: &mut Trial) {
    let commit = checkout::head(&trial.path("checkout")).expect("git answers");
    head(trial, &format!("{commit}\n"));
}

/// Puts another executable in the place of git.
fn git_answers(trial: &mut Trial, printed: Printed) {
    let parts = parts();
    let folder = trial.path("instead-of-git");
    fs::create_dir(&folder).expect("it can be made");
    install(&[(&parts.executables.node, "git")], &folder).expect("it can be installed");
    let mut script = Script::default();
    script.answers.insert(String::new(), printed);
    script
        .write(&folder.join("git"))
        .expect("the script can be written");
    trial.standin.set("PATH", folder);
}

fn write(trial: &mut Trial, name: &str, text: &str) {
    fs::write(trial.path("checkout").join(name), text).expect("it can be written");
}

fn mode(trial: &mut Trial, name: &str, mode: u32) {
    let path = trial.path("checkout").join(name);
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("it can be changed");
}

fn fifo(trial: &mut Trial, name: &str) {
    let path = trial.path("checkout").join(name);
    nix::unistd::mkfifo(&path, nix::sys::stat::Mode::S_IRUSR).expect("it can be made");
}
