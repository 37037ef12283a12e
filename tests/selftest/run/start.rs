//! The CLI cannot be started, or what it needs is gone right after the preflight.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::sync::Arc;

use crate::run::row::rows;
use crate::trial::Trial;

rows! {
    temporary_folder_missing (0 starts) => "private-home", |t| {
        let missing = t.path("nowhere");
        t.standin.set("TMPDIR", missing);
    };
    temporary_folder_is_the_workspace (0 starts) => "private-home", |t| {
        let workspace = t.path("workspace");
        t.standin.set("TMPDIR", workspace);
    };
    temporary_folder_inside_the_workspace (0 starts) => "private-home", |t| {
        let inside = t.path("workspace/tmp");
        fs::create_dir(&inside).expect("a folder");
        t.standin.set("TMPDIR", inside);
    };
    temporary_folder_leads_into_the_workspace (0 starts) => "private-home", |t| {
        let link = t.path("link");
        std::os::unix::fs::symlink(t.path("workspace"), &link).expect("a link");
        t.standin.set("TMPDIR", link);
    };
    temporary_folder_that_goes (0 starts) => "private-home", |t| before(t, |root| {
        fs::remove_dir(root.join("tmp")).expect("the folder");
    });
    temporary_folder_that_becomes_a_file (0 starts) => "private-home", |t| {
        let other = t.path("other");
        fs::create_dir(&other).expect("a folder");
        t.standin.set("TMPDIR", other);
        before(t, |root| {
            fs::remove_dir(root.join("other")).expect("the folder");
            fs::write(root.join("other"), "").expect("a file");
        });
    };
    claude_of_no_known_format (0 starts) => "claude-start", |t| before(t, |root| {
        executable(&root.join("bin/claude"), "made up, and neither a program nor a script\n");
    });
    claude_for_an_interpreter_that_is_missing (0 starts) => "claude-start", |t| before(t, |root| {
        executable(&root.join("bin/claude"), "#!/nowhere/made-up\n");
    });
    claude_that_goes (0 starts) => "claude-start", |t| before(t, |root| {
        fs::remove_file(root.join("bin/claude")).expect("the executable");
    });
    log_that_goes (0 starts) => "observation-log absent", |t| before(t, |root| {
        fs::remove_file(root.join("edge.log")).expect("the log");
    });
    workspace_that_goes (0 starts) => "workspace-tree", |t| before(t, |root| {
        fs::remove_dir_all(root.join("workspace")).expect("the workspace");
    });
}

/// Has something happen in the deployment's folder when all of the preflight has passed.
fn before(trial: &mut Trial, happens: impl Fn(&Path) + Send + Sync + 'static) {
    let root = trial.standin.root().to_path_buf();
    trial
        .standin
        .edge
        .behave(|behaviour| behaviour.at_catalog = Some(Arc::new(move || happens(&root))));
}

/// Puts another executable in place of this one.
fn executable(path: &Path, text: &str) {
    fs::remove_file(path).expect("the executable");
    fs::write(path, text).expect("an executable");
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("its mode");
}
