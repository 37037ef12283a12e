//! The presenter around the suite's own nextest, as `make` starts it.

use std::fmt::Write as _;
use std::fs;
use std::time::Duration;

use harness::executables;
use serial_test::serial;
use standin::pace::each_stage_takes;

use super::world::World;
use crate::trial::Trial;

#[test]
#[serial(nextest)]
fn on_a_terminal_the_stages_are_shown_and_then_what_was_proven() {
    let trial = Trial::new();
    let log = trial.path("edge.log");
    each_stage_takes(&trial.standin.edge, log, Duration::from_millis(350));
    let world = World::real(&trial);
    let filter = ["smoke-live", "-E", "test(=run::single_request)"];
    let running = world.on_terminal(80, &filter);
    let (code, seen) = running.ended();
    assert_eq!(code, Some(0), "{seen}");
    let stages = ["plan 0.0 s", "work 0.0 s (plan ", "review 0.0 s (plan "];
    let at = stages.map(|stage| seen.find(stage));
    assert!(at.iter().all(Option::is_some) && at.is_sorted(), "{seen}");
    assert!(
        seen.contains(": one request was planned, worked and reviewed"),
        "{seen}"
    );
    assert!(seen.contains("at IOP_SMOKE_OUTPUT"), "{seen}");
    let page = fs::read(trial.path("out/manifest.html")).expect("the page");
    for text in [seen.as_bytes(), &page] {
        let hits = trial.private_values().hits(text);
        assert!(hits.is_empty(), "printed: {hits:?}");
    }
    for published in ["out/manifest.json", "out/manifest.html"] {
        fs::remove_file(trial.path(published)).expect("it is published");
    }
    trial.assert_nothing_left();
}

#[test]
#[serial(nextest)]
fn the_command_that_a_failure_names_runs_that_check_alone() {
    let trial = Trial::new();
    let configuration = fs::read(trial.path("edge.yaml")).expect("the configuration");
    fs::write(trial.path("edge.yaml"), "stages: []\n").expect("the configuration");
    let mut world = World::real(&trial);
    let supervisor = executables::supervisor().expect("it is built");
    let target = supervisor.ancestors().nth(2).expect("the target folder");
    world.set("CARGO_TARGET_DIR", target);
    // The variables come from a file.
    let mut file = String::new();
    for (name, value) in trial.standin.environment().iter() {
        let name = name.to_string_lossy();
        if name != "PATH" && name != "TMPDIR" {
            world.unset(&name);
            let _ = writeln!(file, "{name}={}", value.to_string_lossy());
        }
    }
    fs::write(world.path("given.env"), file).expect("a file");

    let (status, printed) = world.shell("make smoke-live ENV=given.env");
    assert_eq!(status.code(), Some(2), "{printed}");
    assert!(printed.contains("\nrefused: config-digest\n"), "{printed}");
    let silent = |printed: &str| {
        let hits = trial.private_values().hits(printed.as_bytes());
        assert!(
            hits.is_empty() && !printed.contains("given.env"),
            "printed: {hits:?}"
        );
    };
    silent(&printed);
    let again = printed
        .lines()
        .find_map(|line| line.strip_prefix("  run again    "));
    let again = again.expect("a command");
    assert_eq!(again, "make preflight TEST=preflight::config_digest ENV=…");
    let again = again.replace('…', "given.env");

    let (status, printed) = world.shell(&again);
    assert_eq!(status.code(), Some(2), "{printed}");
    assert!(printed.contains("\nrefused: config-digest\n"), "{printed}");
    assert!(
        printed.contains("1 test run: 0 passed, 1 failed"),
        "{printed}"
    );
    fs::write(trial.path("edge.yaml"), configuration).expect("the configuration");
    let (status, printed) = world.shell(&again);
    assert_eq!(status.code(), Some(0), "{printed}");
    let passed = "\npassed: 1 of 56 checks; no request was sent\n";
    assert!(printed.contains(passed), "{printed}");
    silent(&printed);
    trial.assert_nothing_left();
}
