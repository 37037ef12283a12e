//! Outputs that appear during the run, and directories that go.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::Arc;

use crate::run::row::rows;
use crate::trial::{Trial, names};

const FOREIGN: &str = "somebody else's\n";

rows! {
    file_appears => "output-race", |t| appears(t, |output| fs::write(output, FOREIGN).expect("a file")),
        then |t| assert_eq!(fs::read_to_string(output(t)).expect("it is left"), FOREIGN);
    empty_file_appears => "output-race", |t| appears(t, |output| fs::write(output, "").expect("a file")),
        then |t| assert_eq!(fs::read_to_string(output(t)).expect("it is left"), "");
    dangling_link_appears => "output-race", |t| appears(t, |output| symlink("nowhere", output).expect("a link")),
        then |t| {
            assert_eq!(fs::read_link(output(t)).expect("it is left"), Path::new("nowhere"));
            assert_eq!(names(&t.path("out")), ["manifest.json"]);
        };
    directory_appears => "output-race", |t| appears(t, |output| fs::create_dir(output).expect("a directory")),
        then |t| assert_eq!(names(&output(t)), Vec::<String>::new());
    directory_removed => "publication-failed", |t| happens(t, |folder| fs::remove_dir(folder).expect("the folder")),
        then |t| assert!(!t.path("out").exists());
    directory_replaced_by_a_link => "publication-failed", |t| happens(t, |folder| {
        fs::rename(folder, folder.with_extension("1")).expect("the folder");
        symlink(folder.with_extension("1"), folder).expect("a link");
    }), then |t| assert_eq!(names(&t.path("out.1")), Vec::<String>::new());
    directory_replaced_by_a_file => "publication-failed", |t| {
        t.foreign_output = true;
        happens(t, |folder| {
            fs::remove_dir(folder).expect("the folder");
            fs::write(folder, FOREIGN).expect("a file");
        });
    }, then |t| assert_eq!(fs::read_to_string(t.path("out")).expect("it is left"), FOREIGN);
}

fn output(trial: &Trial) -> std::path::PathBuf {
    trial.path("out/manifest.json")
}

/// Has something happen to the output's folder while the request is served.
fn happens(trial: &mut Trial, happens: impl Fn(&Path) + Send + Sync + 'static) {
    let folder = trial.path("out");
    trial
        .standin
        .edge
        .behave(|behaviour| behaviour.during = Some(Arc::new(move || happens(&folder))));
}

/// Has something appear at the output while the request is served.
fn appears(trial: &mut Trial, appears: impl Fn(&Path) + Send + Sync + 'static) {
    trial.foreign_output = true;
    happens(trial, move |folder| appears(&folder.join("manifest.json")));
}
