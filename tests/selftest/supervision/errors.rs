//! A command that cannot be started says why, in fixed words.

use std::fs;
use std::process;

use harness::interrupt::Interrupt;
use harness::process::{Command, NotStarted, ProcessError, Status, Supervisor};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use super::descriptors::parent;
use super::scene::{LONG, Scene, run, run_while};

#[track_caller]
fn assert_not_started(command: &Command, expected: NotStarted) {
    let error = run(command).err();
    let matches = matches!(error, Some(ProcessError::NotStarted { why, .. }) if why == expected);
    assert!(matches, "{expected:?} expected: {error:?}");
}

/// Makes an executable file `program` with this line.
///
/// In a process of its own: a file that this process writes could be inherited, open, by a process
/// that another test is starting, and cannot be executed until that has got rid of it.
fn script(scene: &Scene, line: &str) {
    let write = r#"echo "$1" > "$0" && chmod 700 "$0""#;
    let mut shell = process::Command::new("/bin/sh");
    shell
        .args(["-c", write])
        .arg(scene.path("program"))
        .arg(line);
    assert!(shell.status().unwrap().success());
}

#[test]
fn a_program_that_does_not_exist() {
    let scene = Scene::new();
    let command = Command::new(scene.path("absent")).private(scene.private());
    assert_not_started(&command, NotStarted::NotFound);
    assert!(!scene.private().exists());
}

#[test]
fn a_program_without_an_execute_bit() {
    let scene = Scene::new();
    fs::write(scene.path("program"), "#!/bin/sh\n").unwrap();
    assert_not_started(&Command::new(scene.path("program")), NotStarted::Permission);
}

#[test]
fn a_program_whose_interpreter_does_not_exist() {
    let scene = Scene::new();
    script(&scene, "#!/absent/interpreter");
    assert_not_started(&Command::new(scene.path("program")), NotStarted::NotFound);
}

#[test]
fn a_program_of_no_known_format() {
    let scene = Scene::new();
    script(&scene, "no format");
    assert_not_started(&Command::new(scene.path("program")), NotStarted::Other);
}

#[test]
fn a_name_is_looked_for_in_the_commands_own_path() {
    let scene = Scene::new();
    let (absent, present) = (scene.path("absent"), scene.path("present"));
    fs::create_dir(&present).unwrap();
    std::os::unix::fs::symlink("/bin/sh", present.join("a-shell-of-that-name")).unwrap();
    let command = Command::new("a-shell-of-that-name").args(["-c", "exit 5"]);
    let path = std::env::join_paths([&absent, &present]).unwrap();
    let ended = run(&command.env("PATH", path)).unwrap();
    assert_eq!(ended.status, Status::Code(5));

    assert_not_started(&Command::new("sh"), NotStarted::NotFound);
    assert_not_started(
        &Command::new("sh").env("PATH", &present),
        NotStarted::NotFound,
    );
}

#[test]
fn a_working_directory_that_does_not_exist() {
    let scene = Scene::new();
    let command = scene.command("exit 0").directory(scene.path("absent"));
    assert_not_started(&command, NotStarted::Directory);
    assert!(!scene.private().exists());
}

#[test]
fn a_private_directory_that_exists_is_left_alone() {
    let scene = Scene::new();
    fs::create_dir(scene.private()).unwrap();
    fs::write(scene.private().join("file"), "kept").unwrap();
    assert_not_started(&scene.command("exit 0"), NotStarted::Private);
    assert_eq!(
        fs::read_to_string(scene.private().join("file")).unwrap(),
        "kept"
    );
}

#[test]
fn a_private_directory_without_an_absolute_path() {
    let scene = Scene::new();
    assert_not_started(
        &scene.command("exit 0").private("private"),
        NotStarted::Order,
    );
}

#[test]
fn a_supervisor_that_does_not_exist() {
    let scene = Scene::new();
    let interrupt = Interrupt::install(LONG).unwrap();
    let outcome = Supervisor::at(scene.path("absent")).run(&scene.command("exit 0"), &interrupt);
    let why = NotStarted::Supervisor;
    let words = "it does not exist";
    assert_eq!(outcome.err(), Some(ProcessError::NotStarted { why, words }));
}

#[test]
fn a_supervisor_that_is_something_else() {
    let scene = Scene::new();
    let interrupt = Interrupt::install(LONG).unwrap();
    let outcome = Supervisor::at("/bin/true").run(&scene.command("exit 0"), &interrupt);
    assert_eq!(outcome.err(), Some(ProcessError::SupervisorDied));
}

#[test]
fn a_supervisor_that_says_something_else() {
    let scene = Scene::new();
    // Its standard input is the connection; it ends when it is asked to.
    script(&scene, "#!/bin/sh\necho made up >&0\nread asked");
    let interrupt = Interrupt::install(LONG).unwrap();
    let supervisor = Supervisor::at(scene.path("program"));
    let outcome = supervisor.run(&scene.command("exit 0"), &interrupt);
    let expected = ProcessError::Watch("an input/output error");
    assert_eq!(outcome.err(), Some(expected));
}

#[test]
fn a_supervisor_that_is_killed_takes_the_group_and_the_private_directory_along() {
    let mut scene = Scene::new();
    let command = scene.command("connect leader start [ connect child wait ] wait");
    let outcome = std::thread::scope(|scope| {
        let running = scope.spawn(|| run(&command));
        let mut child = scene.witness.expect("child");
        let mut leader = scene.witness.expect("leader");
        kill(Pid::from_raw(parent(leader.pid())), Signal::SIGKILL).unwrap();
        child.gone();
        leader.gone();
        running.join().unwrap()
    });
    assert_eq!(outcome.err(), Some(ProcessError::SupervisorDied));
    assert!(!scene.private().exists());
}

#[test]
fn a_supervisor_that_is_asked_to_end_ends_the_command() {
    let mut scene = Scene::new();
    let command = scene.command("connect leader start [ session connect child wait ] wait");
    let ended = run_while(&command, || {
        let mut child = scene.witness.expect("child");
        let mut leader = scene.witness.expect("leader");
        kill(Pid::from_raw(parent(leader.pid())), Signal::SIGTERM).unwrap();
        child.gone();
        leader.gone();
    });
    let status = Status::Signal(Signal::SIGTERM as i32);
    assert_eq!((ended.status, ended.left), (status, 0));
    assert!(!scene.private().exists());
}
