//! Output is read into bounded memory, and nobody who holds a pipe holds up its reader.

use harness::process::{Cause, Output, Status};
use nix::sys::signal::Signal;

use super::scene::{Scene, run, run_while};

const MIB: usize = 1 << 20;
const TERM: Status = Status::Signal(Signal::SIGTERM as i32);

#[test]
fn each_stream_is_read_on_its_own() {
    let scene = Scene::new();
    let ended = run(&scene.command("say out complain err exit 0")).unwrap();
    assert_eq!(
        (&ended.stdout[..], &ended.stderr[..]),
        (&b"out"[..], &b"err"[..])
    );
}

#[test]
fn merged_streams_keep_the_order_in_which_they_were_written() {
    let scene = Scene::new();
    let steps = "say 1 complain 2 say 3 complain 4 exit 0";
    let ended = run(&scene.command(steps).output(Output::Merged(MIB))).unwrap();
    assert_eq!(
        (&ended.stdout[..], &ended.stderr[..]),
        (&b"1234"[..], &b""[..])
    );
}

#[test]
fn a_line_of_five_mebibytes_is_read_whole() {
    let scene = Scene::new();
    let ended = run(&scene.command(&format!("print stdout {} exit 0", 5 * MIB))).unwrap();
    assert_eq!(
        (ended.cause, ended.status),
        (Cause::Exited, Status::Code(0))
    );
    assert_eq!(ended.stdout.len(), 5 * MIB);
}

#[test]
fn exactly_the_bound_on_both_streams_is_allowed() {
    let scene = Scene::new();
    let ended = run(&scene.command(&format!("print both {} exit 0", 8 * MIB))).unwrap();
    assert_eq!(
        (ended.cause, ended.status),
        (Cause::Exited, Status::Code(0))
    );
    assert_eq!((ended.stdout.len(), ended.stderr.len()), (8 * MIB, 8 * MIB));
}

#[rstest::rstest]
#[case::stdout("stdout", Cause::StdoutOverflow, (8 * MIB, 0))]
#[case::stderr("stderr", Cause::StderrOverflow, (0, 8 * MIB))]
fn nine_mebibytes_end_the_run_at_once(
    #[case] stream: &str,
    #[case] cause: Cause,
    #[case] lengths: (usize, usize),
) {
    let scene = Scene::new();
    let ended = run(&scene.command(&format!("print {stream} {} wait", 9 * MIB))).unwrap();
    assert_eq!((ended.cause, ended.status, ended.left), (cause, TERM, 0));
    assert_eq!((ended.stdout.len(), ended.stderr.len()), lengths);
}

#[test]
fn nine_mebibytes_on_both_streams_end_the_run_at_once() {
    let scene = Scene::new();
    let ended = run(&scene.command(&format!("print both {} wait", 9 * MIB))).unwrap();
    assert!(matches!(
        ended.cause,
        Cause::StdoutOverflow | Cause::StderrOverflow
    ));
    assert_eq!((ended.status, ended.left), (TERM, 0));
    assert!(ended.stdout.len() <= 8 * MIB && ended.stderr.len() <= 8 * MIB);
}

#[test]
fn a_bound_that_is_passed_in_the_last_write_counts() {
    let scene = Scene::new();
    let ended = run(&scene
        .command("print both 101 exit 0")
        .output(Output::Merged(200)))
    .unwrap();
    assert_eq!(ended.cause, Cause::StdoutOverflow);
    assert_eq!(ended.stdout.len(), 200);
}

#[test]
fn a_leader_that_closes_its_output_goes_on() {
    let mut scene = Scene::new();
    let command = scene.command("say before close-output connect leader go exit 3");
    let ended = run_while(&command, || {
        let mut leader = scene.witness.expect("leader");
        leader.go();
        leader.gone();
    });
    assert_eq!(
        (ended.cause, ended.status),
        (Cause::Exited, Status::Code(3))
    );
    assert_eq!(ended.stdout, b"before");
}

#[test]
fn a_grandchild_that_keeps_the_pipes_holds_nobody_up() {
    let mut scene = Scene::new();
    let steps = "say leader connect leader start [ session connect child wait ] go exit 0";
    let ended = run_while(&scene.command(steps), || {
        let mut child = scene.witness.expect("child");
        scene.witness.expect("leader").go();
        child.gone();
    });
    assert_eq!(
        (ended.cause, ended.status, ended.terminated),
        (Cause::Exited, Status::Code(0), 1)
    );
    assert_eq!(ended.stdout, b"leader");
}

#[test]
fn what_a_child_prints_while_it_ends_is_read() {
    let mut scene = Scene::new();
    let steps = "connect leader start [ hold connect child asked say late exit 0 ] go exit 0";
    let ended = run_while(&scene.command(steps), || {
        let mut child = scene.witness.expect("child");
        scene.witness.expect("leader").go();
        child.gone();
    });
    assert_eq!(
        (ended.cause, &ended.stdout[..]),
        (Cause::Exited, &b"late"[..])
    );
}
