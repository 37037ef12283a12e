//! The whole job as a user starts it, with all that is printed and written.

use std::path::PathBuf;

use super::hermetic;
use super::scene::{MARKER, Scene, holding};
use crate::nextest::invocation::{Invocation, exit};

/// The run alone: every check is part of it.
const RUN: [&str; 2] = ["-E", "test(=run::single_request)"];

#[test]
#[ignore = "needs the real CLI: make client"]
fn it_passes_whatever_its_caller_has_set() {
    let mut scene = Scene::new();
    let trap = scene.other_gateway();
    hermetic::home(&mut scene);
    hermetic::set_hostile_variables(&mut scene, &trap);
    // The runner's own tools need what belongs to the machine.
    let job = Invocation::new("smoke-live").against(&scene.trial);
    let ended = job.args(&RUN).run();
    assert_eq!(ended.code, Some(exit::OK), "{}", ended.printed);
    ended.assert_silent(&scene.trial);
    assert_eq!(scene.posts(), 1);
    hermetic::assert_silent(&scene);
}

#[test]
#[ignore = "needs the real CLI: make client"]
fn nothing_that_the_edge_says_is_printed_or_kept() {
    let scene = Scene::new();
    scene.refuse(400, "invalid_request_error", "it is made up");
    let job = Invocation::new("smoke-live").against(&scene.trial);
    let ended = job.args(&RUN).run();
    ended.assert_failed_with("Error: claude-failed api-rejected http-400");
    ended.assert_silent(&scene.trial);
    assert!(!ended.printed.contains(MARKER), "printed");
    let kept = holding(ended.store(), MARKER.as_bytes());
    assert_eq!(kept, Vec::<PathBuf>::new());
    scene.assert_no_marker_on_disk();
}
