//! Workspaces that do not hold what was asked for.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::Arc;

use harness::constants::{EXPECTED_LINE, RESULT_FILE};

use crate::run::row::rows;
use crate::trial::Trial;

rows! {
    no_change => "workspace-unchanged", |t| written(t, None);
    another_file_alone => "result-missing absent", |t| happens(t, |workspace| {
        fs::write(workspace.join("other.txt"), EXPECTED_LINE).expect("a file");
    });
    wrong_bytes => "result-content", |t| written(t, Some(EXPECTED_LINE.replace("smoke", "smoky")));
    missing_newline => "result-content", |t| written(t, Some(EXPECTED_LINE.trim_end().to_owned()));
    extra_newline => "result-content", |t| written(t, Some(format!("{EXPECTED_LINE}\n")));
    carriage_return => "result-content", |t| written(t, Some(EXPECTED_LINE.replace('\n', "\r\n")));
    empty_result => "result-content", |t| written(t, Some(String::new()));
    link_to_the_right_bytes => "result-missing link", |t| happens(t, |workspace| {
        fs::write(workspace.join("other.txt"), EXPECTED_LINE).expect("a file");
        symlink("other.txt", workspace.join(RESULT_FILE)).expect("a link");
    });
    dangling_link => "result-missing link", |t| happens(t, |workspace| {
        symlink("nowhere", workspace.join(RESULT_FILE)).expect("a link");
    });
    directory => "result-missing not-regular", |t| happens(t, |workspace| {
        fs::create_dir(workspace.join(RESULT_FILE)).expect("a directory");
    });
    fifo => "result-missing not-regular", |t| happens(t, |workspace| {
        let mode = nix::sys::stat::Mode::S_IRUSR;
        nix::unistd::mkfifo(&workspace.join(RESULT_FILE), mode).expect("a fifo");
    });
    workspace_moved_away => "workspace-tree", |t| happens(t, |workspace| {
        fs::rename(workspace, workspace.with_extension("1")).expect("the workspace");
    });
}

/// Has the work stage write this, or nothing.
fn written(trial: &mut Trial, content: Option<String>) {
    trial
        .standin
        .edge
        .behave(|behaviour| behaviour.content = Some(content.map(String::into_bytes)));
}

/// Has this happen to the workspace in place of what the work stage writes.
fn happens(trial: &mut Trial, happens: impl Fn(&Path) + Send + Sync + 'static) {
    written(trial, None);
    let workspace = trial.path("workspace");
    trial
        .standin
        .edge
        .behave(|behaviour| behaviour.during = Some(Arc::new(move || happens(&workspace))));
}
