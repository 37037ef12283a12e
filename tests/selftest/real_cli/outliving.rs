//! The real CLI's tools run in sessions of their own, and none of them outlives the run.

use std::fs;
use std::time::Duration;

use standin::deployment::MODEL;
use standin::edge::Reply;
use standin::served;

use super::trial;
use crate::ending_early::scene::{Ending, INTERRUPT, Scene, Smoke, TERMINATE_THEN_INTERRUPT};
use crate::supervision::witness::Connection;

#[test]
#[ignore = "needs the real CLI: make client"]
fn terminated_while_a_tool_runs() {
    ended_while_a_tool_runs(TERMINATE_THEN_INTERRUPT);
}

#[test]
#[ignore = "needs the real CLI: make client"]
fn interrupted_while_a_tool_runs() {
    ended_while_a_tool_runs(INTERRUPT);
}

#[test]
#[ignore = "needs the real CLI: make client"]
fn killed_while_a_tool_runs() {
    ended_while_a_tool_runs(Ending::Killed);
}

#[test]
#[ignore = "needs the real CLI: make client"]
fn the_deadline_passes_while_a_tool_runs() {
    let mut scene = Scene::of(trial());
    scene.trial.standin.set("IOP_SMOKE_RUN_TIMEOUT", "10");
    ask_for_tool(&mut scene);
    let trial = &scene.trial;
    let witness = &mut scene.witness;
    let verdict = std::thread::scope(|scope| {
        let run = scope.spawn(|| trial.run());
        witness.expect("tool").gone();
        witness.expect("escaped").gone();
        run.join().expect("the run ends")
    });
    let refusal = verdict.expect_err("the deadline has passed");
    assert_eq!(refusal.code(), "claude-failed bounds deadline");
    trial.assert_nothing_left();
}

#[test]
#[ignore = "needs the real CLI: make client"]
fn a_server_that_says_nothing_is_told_by_the_cli_before_the_deadline() {
    let mut trial = trial();
    trial.standin.set("IOP_SMOKE_RUN_TIMEOUT", "12");
    trial.standin.edge.behave(|behaviour| {
        behaviour.messages = Some(Reply::new(200, "").after(Duration::from_secs(600)));
    });
    let refusal = trial.run().expect_err("there is no answer");
    assert_eq!(
        refusal.code(),
        "claude-failed transport-failure network-timeout"
    );
    trial.assert_nothing_left();
}

#[track_caller]
fn ended_while_a_tool_runs(ending: Ending) {
    let mut scene = Scene::of(trial());
    ask_for_tool(&mut scene);
    let smoke = scene.start();
    let [mut tool, mut escaped] = at_work(&mut scene, &smoke);
    scene.end(smoke, ending);
    tool.gone();
    escaped.gone();
}

/// Has the Edge ask for a tool that does not end, with a child in a session of its own.
///
/// The CLI runs a long `sleep` without asking anybody; which program that is, the deployment's
/// search path says.
fn ask_for_tool(scene: &mut Scene) {
    scene.program(
        "sleep",
        "connect tool start [ session connect escaped wait ] wait",
    );
    let body = served::tool_use(MODEL, "sleep 313");
    scene.trial.standin.edge.behave(|behaviour| {
        behaviour.messages = Some(Reply {
            kind: "text/event-stream",
            ..Reply::new(200, body)
        });
    });
}

/// The tool, which is known to run in another session than the CLI.
#[track_caller]
fn at_work(scene: &mut Scene, smoke: &Smoke) -> [Connection; 2] {
    let tool = scene.witness.expect("tool");
    let escaped = scene.witness.expect("escaped");
    assert_ne!(session(tool.pid()), session(smoke.pid().as_raw()));
    [tool, escaped]
}

fn session(pid: i32) -> String {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).expect("the process is there");
    let (_, fields) = stat.rsplit_once(") ").expect("its name");
    fields.split(' ').nth(3).expect("its session").to_owned()
}
