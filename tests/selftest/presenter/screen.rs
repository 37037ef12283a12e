//! The steps as they are shown: one line that moves on a terminal, a line for each elsewhere.

use std::io::Write as _;
use std::os::unix::net::UnixDatagram;

use harness::progress::Step;

use super::world::World;

/// What begins a style; the moving line has none.
const STYLE: [&str; 2] = ["\u{1b}[3", "\u{1b}[1m"];

#[test]
fn in_a_pipe_each_step_is_a_line() {
    let world = World::obedient();
    let running = world.piped(&["evidence"]);
    for step in Step::ALL {
        running.tell(*step);
    }
    running.order("exit 0");
    let (_, seen) = running.ended();
    let expected: String = Step::ALL[..7]
        .iter()
        .map(|step| format!("       STAGE {step}: {}", step.meaning()))
        .collect::<Vec<_>>()
        .join("\n");
    // Times are this machine's.
    let untimed: Vec<_> = seen
        .lines()
        .map(|line| line.split_once(" (").map_or(line, |(line, _)| line))
        .collect();
    assert_eq!(untimed.join("\n"), expected);
    assert!(seen.contains("STAGE answer: "), "{seen}");
    assert!(
        seen.contains(" (plan 0.") && !seen.contains('\u{1b}') && !seen.contains('\r'),
        "{seen}"
    );
}

#[test]
fn on_a_terminal_one_line_moves_and_goes() {
    for no_color in [false, true] {
        let mut world = World::obedient();
        if no_color {
            world.set("NO_COLOR", "1");
        }
        let running = world.on_terminal(80, &["smoke-live"]);
        running.tell(Step::Plan);
        running.moves("plan ");
        running.tell(Step::Work);
        running.moves("work ");
        running.tell(Step::End);
        running.order("exit 0");
        let (code, seen) = running.ended();
        assert_eq!(code, Some(0));
        let mut rest = seen.split("work ").last().expect("it is shown").to_owned();
        rest.truncate(rest.find("no result").expect("the summary comes last"));
        assert!(rest.contains("\u{1b}[2K"), "it is taken away: {seen:?}");
        assert!(!STYLE.iter().any(|style| seen.contains(style)), "{seen:?}");
    }
}

#[test]
fn a_terminal_that_is_too_narrow_has_the_line_cut() {
    let world = World::obedient();
    let running = world.on_terminal(20, &["smoke-live"]);
    for step in [Step::Plan, Step::Work, Step::Review] {
        running.tell(step);
    }
    running.moves("review ");
    running.order("exit 0");
    let (_, seen) = running.ended();
    assert!(!seen.contains("(plan 0.0 s, work"), "{seen:?}");
}

#[test]
fn a_dumb_terminal_has_a_line_for_each_step() {
    let mut world = World::obedient();
    world.set("TERM", "dumb");
    let running = world.on_terminal(80, &["smoke-live"]);
    running.tell(Step::Plan);
    running.shows("       STAGE plan: the request is planned\r\n");
    running.order("exit 0");
    let (_, seen) = running.ended();
    assert!(!seen.contains('\u{1b}'), "{seen:?}");
}

#[test]
fn without_unicode_it_is_plain_text() {
    let mut world = World::obedient();
    world.set("LC_ALL", "C");
    world.unset("LANG");
    let running = world.on_terminal(80, &["smoke-live"]);
    running.tell(Step::Plan);
    running.moves("plan ");
    running.order("exit 0");
    assert!(running.ended().1.is_ascii());
}

#[test]
fn ctrl_c_is_left_to_nextest_and_the_terminal_is_as_before() {
    let world = World::obedient();
    let mut running = world.on_terminal(80, &["smoke-live"]);
    running.tell(Step::Work);
    running.shows("work ");
    // Once the `cargo` waits for an order, it reads keys as nextest does.
    running.order("stty -icanon -echo; trap 'echo interrupted; exit 100' INT; echo ready; while :; do sleep 0.01; done");
    running.shows("ready");
    let keys = running.keys.as_mut().expect("a terminal");
    keys.write_all(b"\x03").expect("a key");
    let keys = keys.try_clone().expect("a descriptor");
    let (code, seen) = running.ended();
    assert_eq!(code, Some(100), "{seen:?}");
    assert!(seen.contains("interrupted"), "{seen:?}");
    let settings = nix::sys::termios::tcgetattr(&keys).expect("a terminal");
    let flags = nix::sys::termios::LocalFlags::ICANON | nix::sys::termios::LocalFlags::ECHO;
    assert!(settings.local_flags.contains(flags));
}

#[test]
fn noise_at_the_socket_is_passed_over() {
    let world = World::obedient();
    let running = world.piped(&["evidence"]);
    let noise = UnixDatagram::unbound().expect("a socket");
    let long = "plan".repeat(1_000);
    for text in [
        "",
        "PLAN",
        "plan\n",
        "plan work",
        "\u{1b}[31mred",
        "\u{0}",
        &*long,
    ] {
        noise
            .send_to(text.as_bytes(), running.socket())
            .expect("it is sent");
    }
    running.tell(Step::Work);
    running.order("exit 0");
    let expected = "       STAGE work: the plan is carried out\n";
    assert_eq!(running.ended(), (Some(0), expected.to_owned()));
}
