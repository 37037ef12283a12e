//! Ctrl-C and a timeout of nextest itself, during the run.

use serial_test::serial;

use super::invocation::{Invocation, Running};
use crate::ending_early::scene::Scene;
use crate::supervision::witness::Connection;

#[test]
#[serial(nextest)]
fn ctrl_c_ends_the_cli_and_publishes_nothing() {
    let mut scene = Scene::new();
    scene.claude("connect leader start [ session connect tool wait ] wait");
    let run = Run::start(&mut scene, invocation());
    run.running.interrupt();
    run.fails("FAIL [", &scene);
}

#[test]
#[serial(nextest)]
fn a_second_ctrl_c_kills_the_test_and_leaves_no_more() {
    let mut scene = Scene::new();
    scene.claude("connect leader start [ session hold connect tool asked wait ] wait");
    let mut run = Run::start(&mut scene, invocation());
    run.running.interrupt();
    // It sits out its grace: the second one arrives in the middle of the clean-up.
    run.tool.says("asked");
    run.running.interrupt();
    run.fails("SIGKILL", &scene);
}

#[test]
#[serial(nextest)]
fn a_timeout_of_the_runner_leaves_nothing() {
    let mut scene = Scene::new();
    scene.claude("connect leader start [ session connect tool wait ] wait");
    let invocation = invocation().with_profiles(r#"period = "3720s""#, r#"period = "5s""#);
    let run = Run::start(&mut scene, invocation);
    run.fails("TIMEOUT", &scene);
}

/// The live run alone.
fn invocation() -> Invocation {
    Invocation::new("smoke-live").args(&["-E", "test(=run::single_request)"])
}

/// A live run whose CLI has a tool at work.
struct Run {
    running: Running,
    leader: Connection,
    tool: Connection,
}

impl Run {
    #[track_caller]
    fn start(scene: &mut Scene, invocation: Invocation) -> Self {
        let running = invocation.against(&scene.trial).started();
        Self {
            running,
            tool: scene.witness.expect("tool"),
            leader: scene.witness.expect("leader"),
        }
    }

    /// Waits for the end of everything; the test has failed in this way, as nextest calls it.
    #[track_caller]
    fn fails(mut self, how: &str, scene: &Scene) {
        let ended = self.running.ended();
        ended.assert_failed_with(how);
        self.tool.gone();
        self.leader.gone();
        scene.trial.assert_nothing_left_soon();
        ended.assert_silent(&scene.trial);
    }
}
