//! However a command ends and whatever it leaves, nothing of it is left afterwards.

use std::time::Duration;

use harness::process::{Cause, Ended, Status};
use nix::sys::signal::Signal;

use super::scene::{LONG, SHORT, Scene, run, run_while};

const TERM: Status = Status::Signal(Signal::SIGTERM as i32);
const KILL: Status = Status::Signal(Signal::SIGKILL as i32);

#[track_caller]
fn assert_ended(scene: &Scene, ended: &Ended, cause: Cause, status: Status, terminated: u32) {
    assert_eq!((ended.cause, ended.status), (cause, status));
    assert_eq!((ended.terminated, ended.left), (terminated, 0));
    assert!(!scene.private().exists(), "the private directory is there");
}

#[test]
fn a_command_that_leaves_nothing_ends_at_once() {
    let scene = Scene::new();
    let ended = run(&scene.command("exit 7")).unwrap();
    assert_ended(&scene, &ended, Cause::Exited, Status::Code(7), 0);
}

#[test]
fn a_leader_that_exits_takes_its_working_child_along() {
    let mut scene = Scene::new();
    let command = scene.command("connect leader start [ connect child wait ] go exit 0");
    let ended = run_while(&command, || {
        let mut child = scene.witness.expect("child");
        scene.witness.expect("leader").go();
        child.gone();
    });
    assert_ended(&scene, &ended, Cause::Exited, Status::Code(0), 1);
}

#[test]
fn a_child_in_a_session_of_its_own_is_ended() {
    let mut scene = Scene::new();
    let command = scene.command("connect leader start [ session connect child wait ] go exit 0");
    let ended = run_while(&command, || {
        let mut child = scene.witness.expect("child");
        scene.witness.expect("leader").go();
        child.gone();
    });
    assert_ended(&scene, &ended, Cause::Exited, Status::Code(0), 1);
}

#[test]
fn a_daemon_without_streams_is_ended() {
    let mut scene = Scene::new();
    let steps = "connect leader orphan [ session connect daemon wait ] go exit 0";
    let command = scene.command(steps);
    let ended = run_while(&command, || {
        let mut daemon = scene.witness.expect("daemon");
        scene.witness.expect("leader").go();
        daemon.gone();
    });
    assert_ended(&scene, &ended, Cause::Exited, Status::Code(0), 1);
}

#[test]
fn a_child_that_does_not_end_is_killed_after_its_grace() {
    let mut scene = Scene::new();
    let steps = "connect leader start [ session hold connect child asked wait ] go exit 0";
    let ended = run_while(&scene.command(steps).grace(SHORT), || {
        let mut child = scene.witness.expect("child");
        scene.witness.expect("leader").go();
        child.says("asked");
        child.gone();
    });
    assert_ended(&scene, &ended, Cause::Exited, Status::Code(0), 1);
}

#[test]
fn a_child_gets_its_grace_to_end_by_itself() {
    let mut scene = Scene::new();
    let steps = "connect leader start [ hold connect child asked go exit 0 ] go exit 0";
    let ended = run_while(&scene.command(steps), || {
        let mut child = scene.witness.expect("child");
        scene.witness.expect("leader").go();
        child.says("asked");
        child.go();
        child.gone();
    });
    assert_ended(&scene, &ended, Cause::Exited, Status::Code(0), 1);
}

#[test]
fn the_deadline_ends_the_leader_and_its_children() {
    let mut scene = Scene::new();
    let steps = "connect leader start [ session connect child wait ] wait";
    let ended = run_while(
        &scene.command(steps).deadline(Duration::from_millis(500)),
        || {
            scene.witness.expect("child").gone();
            scene.witness.expect("leader").gone();
        },
    );
    assert_ended(&scene, &ended, Cause::Deadline, TERM, 1);
}

#[test]
fn a_leader_that_ignores_the_deadline_is_killed() {
    let mut scene = Scene::new();
    let command = scene.command("hold connect leader asked wait").grace(SHORT);
    let ended = run_while(&command.deadline(SHORT), || {
        let mut leader = scene.witness.expect("leader");
        leader.says("asked");
        leader.gone();
    });
    assert_ended(&scene, &ended, Cause::Deadline, KILL, 0);
}

#[test]
fn a_leader_that_stopped_itself_is_ended() {
    let mut scene = Scene::new();
    let command = scene
        .command("connect leader stop wait")
        .deadline(Duration::from_millis(500));
    let ended = run_while(&command, || scene.witness.expect("leader").gone());
    assert_ended(&scene, &ended, Cause::Deadline, TERM, 0);
}

#[test]
fn a_stopped_child_is_ended() {
    let mut scene = Scene::new();
    let steps = "connect leader start [ session connect child stop wait ] go exit 0";
    let ended = run_while(&scene.command(steps), || {
        let mut child = scene.witness.expect("child");
        scene.witness.expect("leader").go();
        child.gone();
    });
    assert_ended(&scene, &ended, Cause::Exited, Status::Code(0), 1);
}

#[test]
fn a_storm_of_processes_started_while_being_ended_is_ended() {
    let mut scene = Scene::new();
    let storm = "storm 60 [ session hold storm 3 [ session hold wait ] wait ]";
    let command = scene.command(&format!("hold connect leader asked {storm} wait"));
    let ended = run_while(&command.grace(SHORT).deadline(SHORT), || {
        let mut leader = scene.witness.expect("leader");
        leader.says("asked");
        leader.gone();
    });
    assert_eq!(
        (ended.cause, ended.status, ended.left),
        (Cause::Deadline, KILL, 0)
    );
    assert!(!scene.private().exists(), "the private directory is there");
}

#[test]
fn a_process_that_moves_on_all_the_time_is_ended() {
    let mut scene = Scene::new();
    let command = scene.command("hold connect leader start [ hop 1000000 ] go exit 0");
    let ended = run_while(&command.grace(SHORT), || {
        let mut leader = scene.witness.expect("leader");
        leader.go();
        leader.gone();
    });
    assert_eq!(
        (ended.cause, ended.status, ended.left),
        (Cause::Exited, Status::Code(0), 0)
    );
}

#[test]
fn a_signal_is_told_from_a_status() {
    let mut scene = Scene::new();
    let command = scene.command("connect leader wait");
    let ended = run_while(&command, || {
        let mut leader = scene.witness.expect("leader");
        let pid = nix::unistd::Pid::from_raw(leader.pid());
        nix::sys::signal::kill(pid, Signal::SIGUSR1).unwrap();
        leader.gone();
    });
    let status = Status::Signal(Signal::SIGUSR1 as i32);
    assert_ended(&scene, &ended, Cause::Exited, status, 0);
}

#[test]
fn whatever_the_command_leaves_in_its_private_directory_goes() {
    let scene = Scene::new();
    let command = scene
        .command("litter exit 0")
        .directory(scene.private().join("tmp"));
    let ended = run(&command).unwrap();
    assert_ended(&scene, &ended, Cause::Exited, Status::Code(0), 0);
}

#[test]
fn several_commands_run_side_by_side() {
    std::thread::scope(|scope| {
        let rounds: Vec<_> = (0..8)
            .map(|round| {
                scope.spawn(move || {
                    let scene = Scene::new();
                    let ended = run(&scene.command(&format!("exit {round}")).grace(LONG)).unwrap();
                    assert_ended(&scene, &ended, Cause::Exited, Status::Code(round), 0);
                })
            })
            .collect();
        for round in rounds {
            round.join().unwrap();
        }
    });
}
