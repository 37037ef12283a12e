//! The whole run.

use harness::claude::command;

use crate::trial::names;

use super::scene::{MARKER, Scene};
use super::version::Version;

#[test]
#[ignore = "needs the real CLI: make client"]
fn one_request_reaches_the_edge_and_proves_it() {
    let scene = Scene::new();
    // 2.1.113 and 2.1.220 greet the Edge before: `HEAD /` and `HEAD /api/hello`, without the key,
    // although CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC is set.
    let greetings = match scene.version() {
        Version::V113 | Version::V220 => 1,
        Version::Newest => 0,
    };
    let trial = &scene.trial;
    trial.run().expect("the run passes");
    let seen = trial.standin.edge.seen();
    assert_eq!(
        (seen.messages, seen.misplaced_key, seen.unmatched),
        (1, 0, greetings)
    );
    assert_eq!(names(&trial.path("out")), ["manifest.json"]);
    assert_eq!(names(&trial.path("tmp")), Vec::<String>::new());
}

/// Proves the marker: it is in what the CLI prints, and could get further.
#[test]
#[ignore = "needs the real CLI: make client"]
fn the_cli_prints_what_the_edge_says() {
    let scene = Scene::new();
    scene.refuse(400, "invalid_request_error", "it is made up");
    let ended = command::run(&scene.trial.deployment()).expect("the CLI runs");
    let printed = memchr::memmem::find(&ended.stdout, MARKER.as_bytes());
    assert!(printed.is_some(), "no marker to look for");
}
