//! Workspaces in which a run would prove nothing, or must not take place.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::PathBuf;

use crate::preflight::row::{accepted, rows};
use crate::trial::Trial;

rows! {
    absent: Workspace => "workspace absent", |t| names(t, "nothing");
    file: Workspace => "workspace not-a-directory", |t| names(t, "edge.yaml");
    below_a_file: Workspace => "workspace unreadable", |t| names(t, "edge.yaml/workspace");
    link: Workspace => "workspace link", |t| linked(t, "workspace", "");
    dangling_link: Workspace => "workspace link", |t| linked(t, "nothing", "");
    parent_is_a_link: Workspace => "workspace not-canonical", |t| linked(t, ".", "/workspace");
    trailing_slash: Workspace => "workspace not-canonical", |t| names(t, "workspace/");
    dot_within: Workspace => "workspace not-canonical", |t| names(t, "./workspace");
    dots_within: Workspace => "workspace not-canonical", |t| names(t, "out/../workspace");
    doubled_slash: Workspace => "workspace not-canonical", |t| {
        let path = t.path("workspace").into_os_string().into_encoded_bytes();
        let path = [b"/".as_slice(), &path].concat();
        t.standin.set("IOP_SMOKE_WORKSPACE", String::from_utf8(path).expect("a path in UTF-8"));
    };
    relative: Workspace => "workspace not-canonical", |t| t.standin.set("IOP_SMOKE_WORKSPACE", ".");
    // An empty one: its owner can remove it afterwards.
    read_only: Workspace => "workspace read-only", |t| unwritable(t, 0o555);
    not_to_be_entered: Workspace => "workspace read-only", |t| unwritable(t, 0o666);

    project_settings: WorkspaceSettings => "workspace-settings", |t| {
        fs::create_dir(t.path("workspace/.claude")).expect("it can be made");
    };
    project_settings_as_a_file: WorkspaceSettings => "workspace-settings", |t| write(t, ".claude");
    project_settings_as_a_dangling_link: WorkspaceSettings => "workspace-settings link", |t| dangle(t, ".claude");
    settings_that_cannot_be_looked_for: WorkspaceSettings => "workspace-settings unreadable", |t| unwritable(t, 0o666);

    result: ResultExisting => "result-existing", |t| write(t, "smoke-result.txt");
    result_directory: ResultExisting => "result-existing", |t| {
        fs::create_dir(t.path("workspace/smoke-result.txt")).expect("it can be made");
    };
    result_dangling_link: ResultExisting => "result-existing link", |t| dangle(t, "smoke-result.txt");
    result_that_cannot_be_looked_for: ResultExisting => "result-existing unreadable", |t| unwritable(t, 0o666);
}

accepted! {
    other_files: Workspace, |t| write(t, "main.go");
    instructions_of_the_project: WorkspaceSettings, |t| write(t, "CLAUDE.md");
    settings_of_others: WorkspaceSettings, |t| write(t, ".claude.json");
    result_of_another_name: ResultExisting, |t| write(t, "smoke-result.txt.old");
    result_further_down: ResultExisting, |t| {
        fs::create_dir(t.path("workspace/below")).expect("it can be made");
        write(t, "below/smoke-result.txt");
    };
    fifo_in_it: Workspace, |t| {
        let mode = nix::sys::stat::Mode::S_IRUSR;
        nix::unistd::mkfifo(&t.path("workspace/fifo"), mode).expect("it can be made");
    };
}

fn names(trial: &mut Trial, path: &str) {
    let mut named = trial.path("").into_os_string();
    named.push(path);
    trial.standin.set("IOP_SMOKE_WORKSPACE", named);
}

/// Names the workspace through a link.
fn linked(trial: &mut Trial, target: &str, below: &str) {
    symlink(target, trial.path("link")).expect("a link can be made");
    names(trial, &format!("link{below}"));
}

fn unwritable(trial: &mut Trial, mode: u32) {
    let path: PathBuf = trial.path("unwritable");
    fs::create_dir(&path).expect("it can be made");
    fs::set_permissions(&path, fs::Permissions::from_mode(mode)).expect("it can be changed");
    trial.standin.set("IOP_SMOKE_WORKSPACE", path);
    trial.unprivileged = true;
}

fn write(trial: &mut Trial, name: &str) {
    fs::write(trial.path("workspace").join(name), "{}").expect("it can be written");
}

fn dangle(trial: &mut Trial, name: &str) {
    symlink("nothing", trial.path("workspace").join(name)).expect("a link can be made");
}
