//! Executables that are not what their variable promises.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};

use crate::preflight::row::{accepted, rows};
use crate::trial::Trial;

rows! {
    claude_absent: ClaudeExecutable => "claude-executable absent", |t| remove(t, "claude");
    claude_directory: ClaudeExecutable => "claude-executable not-regular", |t| directory(t, "claude");
    claude_link: ClaudeExecutable => "claude-executable link", |t| link(t, "claude");
    claude_dangling_link: ClaudeExecutable => "claude-executable link", |t| dangling(t, "claude");
    claude_not_executable: ClaudeExecutable => "claude-executable not-executable", |t| mode(t, "claude", 0o644);
    claude_unreadable: ClaudeExecutable => "claude-executable unreadable", |t| unreadable(t, "claude");
    edge_absent: EdgeExecutable => "edge-executable absent", |t| remove(t, "edge");
    edge_directory: EdgeExecutable => "edge-executable not-regular", |t| directory(t, "edge");
    edge_link: EdgeExecutable => "edge-executable link", |t| link(t, "edge");
    edge_dangling_link: EdgeExecutable => "edge-executable link", |t| dangling(t, "edge");
    edge_not_executable: EdgeExecutable => "edge-executable not-executable", |t| mode(t, "edge", 0o644);
    edge_unreadable: EdgeExecutable => "edge-executable unreadable", |t| unreadable(t, "edge");
    node_absent: NodeExecutable => "node-executable absent", |t| remove(t, "node");
    node_directory: NodeExecutable => "node-executable not-regular", |t| directory(t, "node");
    node_link: NodeExecutable => "node-executable link", |t| link(t, "node");
    node_dangling_link: NodeExecutable => "node-executable link", |t| dangling(t, "node");
    node_not_executable: NodeExecutable => "node-executable not-executable", |t| mode(t, "node", 0o644);
    node_unreadable: NodeExecutable => "node-executable unreadable", |t| unreadable(t, "node");
    config_absent: EdgeConfig => "edge-config absent", |t| remove(t, "../edge.yaml");
    config_directory: EdgeConfig => "edge-config not-regular", |t| directory(t, "../edge.yaml");
    config_link: EdgeConfig => "edge-config link", |t| link(t, "../edge.yaml");
    config_fifo: EdgeConfig => "edge-config not-regular", |t| fifo(t, "../edge.yaml");
    config_unreadable: EdgeConfig => "edge-config unreadable", |t| unreadable(t, "../edge.yaml");
    claude_below_a_file: ClaudeExecutable => "claude-executable io", |t| t.standin.set("IOP_SMOKE_CLAUDE", t.path("bin/claude/claude"));
    claude_of_too_long_a_name: ClaudeExecutable => "claude-executable io", |t| {
        t.standin.set("IOP_SMOKE_CLAUDE", t.path("bin").join("c".repeat(256)));
    };
    // A FIFO that nobody writes to is not waited for.
    edge_fifo: EdgeExecutable => "edge-executable not-regular", |t| fifo(t, "edge");
}

accepted! {
    executable_for_its_group_alone: EdgeExecutable, |t| mode(t, "edge", 0o410);
}

fn remove(trial: &mut Trial, name: &str) {
    fs::remove_file(trial.path("bin").join(name)).expect("it is there");
}

fn directory(trial: &mut Trial, name: &str) {
    remove(trial, name);
    fs::create_dir(trial.path("bin").join(name)).expect("it can be made");
}

fn fifo(trial: &mut Trial, name: &str) {
    remove(trial, name);
    let mode = nix::sys::stat::Mode::from_bits_truncate(0o755);
    nix::unistd::mkfifo(&trial.path("bin").join(name), mode).expect("it can be made");
}

fn link(trial: &mut Trial, name: &str) {
    let path = trial.path("bin").join(name);
    let aside = trial.path("bin/aside");
    fs::rename(&path, &aside).expect("it can be moved");
    symlink(aside, path).expect("a link can be made");
}

fn dangling(trial: &mut Trial, name: &str) {
    remove(trial, name);
    symlink("nothing", trial.path("bin").join(name)).expect("a link can be made");
}

fn mode(trial: &mut Trial, name: &str, mode: u32) {
    let path = trial.path("bin").join(name);
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("it can be changed");
}

fn unreadable(trial: &mut Trial, name: &str) {
    mode(trial, name, 0o100);
    trial.unprivileged = true;
}
