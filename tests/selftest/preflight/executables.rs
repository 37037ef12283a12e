//! Executables that are not what their variable promises.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};

use crate::preflight::row::rows;
use crate::trial::Trial;

rows! {
    claude_absent: ClaudeExecutable => "claude-executable absent", |t| remove(t, "claude");
    claude_directory: ClaudeExecutable => "claude-executable not-regular", |t| directory(t, "claude");
    claude_link: ClaudeExecutable => "claude-executable link", |t| link(t, "claude");
    claude_not_executable: ClaudeExecutable => "claude-executable not-executable", |t| plain(t, "claude");
    edge_absent: EdgeExecutable => "edge-executable absent", |t| remove(t, "edge");
    edge_directory: EdgeExecutable => "edge-executable not-regular", |t| directory(t, "edge");
    edge_link: EdgeExecutable => "edge-executable link", |t| link(t, "edge");
    edge_not_executable: EdgeExecutable => "edge-executable not-executable", |t| plain(t, "edge");
    node_absent: NodeExecutable => "node-executable absent", |t| remove(t, "node");
    node_directory: NodeExecutable => "node-executable not-regular", |t| directory(t, "node");
    node_link: NodeExecutable => "node-executable link", |t| link(t, "node");
    node_not_executable: NodeExecutable => "node-executable not-executable", |t| plain(t, "node");
}

fn remove(trial: &mut Trial, name: &str) {
    fs::remove_file(trial.path("bin").join(name)).expect("it is there");
}

fn directory(trial: &mut Trial, name: &str) {
    remove(trial, name);
    fs::create_dir(trial.path("bin").join(name)).expect("it can be made");
}

fn link(trial: &mut Trial, name: &str) {
    let path = trial.path("bin").join(name);
    let aside = trial.path("bin").join("aside");
    fs::rename(&path, &aside).expect("it can be moved");
    symlink(aside, path).expect("a link can be made");
}

fn plain(trial: &mut Trial, name: &str) {
    let path = trial.path("bin").join(name);
    fs::set_permissions(path, fs::Permissions::from_mode(0o644)).expect("it can be changed");
}
