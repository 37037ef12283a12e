//! The steps that a log shows as it grows.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::os::unix::net::UnixDatagram;

use harness::environment::Environment;
use harness::observation::follow::{Stages, during};
use harness::observation::log::Snapshot;
use harness::progress::{Listener, Step};
use serde_json::json;
use standin::observations::{lines, record, served, startup};
use standin::scratch;
use tempfile::TempDir;

use crate::trial::PATIENT;

const ALL: [Step; 4] = [Step::Plan, Step::Work, Step::Review, Step::Answer];

/// The steps that begin with these parts of a log, one after the other.
fn steps<'p>(parts: impl IntoIterator<Item = &'p [u8]>) -> Vec<Step> {
    let mut stages = Stages::new(true);
    parts
        .into_iter()
        .flat_map(|part| stages.read(part))
        .collect()
}

#[test]
fn each_record_begins_a_step() {
    let mut stages = Stages::new(true);
    for (record, step) in served().iter().zip(ALL) {
        assert_eq!(stages.read(&lines(std::slice::from_ref(record))), [step]);
    }
    assert_eq!(stages.read(&lines(&served()[4..])), []);
}

#[test]
fn it_does_not_matter_how_the_log_is_cut() {
    let log = [startup().into_bytes(), lines(&served())].concat();
    assert_eq!(steps([&*log]), ALL);
    assert_eq!(steps(log.chunks(1)), ALL);
    assert_eq!(steps(log.chunks(97)), ALL);
}

#[test]
fn a_line_that_was_begun_before_is_passed_over() {
    let mut stages = Stages::new(false);
    assert_eq!(stages.read(&lines(&served()[..2])), [Step::Work]);
}

#[test]
fn a_line_without_an_end_is_none() {
    let log = lines(&served()[..1]);
    assert_eq!(steps([&log[..log.len() - 1]]), []);
}

#[test]
fn no_step_comes_twice_or_after_a_later_one() {
    let mut records = served();
    records.reverse();
    assert_eq!(steps([&*lines(&records)]), [Step::Answer]);
    let twice = [served(), served()].concat();
    assert_eq!(steps([&*lines(&twice)]), ALL);
}

#[test]
fn a_stage_that_is_left_out_is_left_out() {
    let mut records = served();
    records.remove(1);
    let steps = steps([&*lines(&records)]);
    assert_eq!(steps, [Step::Plan, Step::Review, Step::Answer]);
}

#[test]
fn what_is_no_observation_says_nothing() {
    let mut other = record("stage", Some("plan"), "plan", 1);
    other["msg"] = "node ready".into();
    let unknown = record("stage", Some("rest"), "rest", 1);
    let class = record("retry", Some("plan"), "plan", 1);
    let mut typed = record("stage", None, "plan", 1);
    typed["stage"] = json!(["plan"]);
    let records = lines(&[other, unknown, class, typed]);
    let garbage = [b"\xff\xfe{\n\n{}\n[[[[\n{\"msg\":\n", &*records].concat();
    assert_eq!(steps([&*garbage]), []);
}

#[test]
fn the_longest_line_is_read_and_no_longer_one() {
    let mut request = record("request", None, "total", 0);
    request["caller"] = "".into();
    let room = (16 << 10) - lines(std::slice::from_ref(&request)).len();
    request["caller"] = "x".repeat(room).into();
    assert_eq!(
        steps([&*lines(std::slice::from_ref(&request))]),
        [Step::Plan]
    );
    request["caller"] = "x".repeat(room + 1).into();
    assert_eq!(steps([&*lines(std::slice::from_ref(&request))]), []);
}

#[test]
fn a_line_of_any_length_costs_no_memory_and_hides_no_other() {
    let mut stages = Stages::new(true);
    let mut long = record("request", None, "total", 0);
    long["caller"] = "x".repeat(16 << 10).into();
    assert_eq!(stages.read(&lines(&[long])), []);
    for _ in 0..1_000 {
        assert_eq!(stages.read(&[b'{'; 4096]), []);
    }
    assert_eq!(stages.read(b"\n"), []);
    assert_eq!(stages.read(&lines(&served())), ALL);
}

/// A log that is followed while something goes on, and the listener that is told.
struct Followed {
    folder: TempDir,
    told: UnixDatagram,
    before: Snapshot,
}

impl Followed {
    /// The log holds this before.
    fn new(text: &[u8]) -> Self {
        let folder = scratch::folder().expect("a folder");
        fs::write(folder.path().join("log"), text).expect("a log");
        let told = UnixDatagram::bind(folder.path().join("socket")).expect("a socket");
        told.set_read_timeout(Some(PATIENT)).expect("a bound");
        let before = Snapshot::take(&folder.path().join("log")).expect("the log");
        Self {
            folder,
            told,
            before,
        }
    }

    /// Follows the log while this goes on, and gives what was told and not yet taken.
    fn during(&self, run: impl FnOnce()) -> Vec<String> {
        let socket = self.folder.path().join("socket");
        let listener = Listener::of(&Environment::from_iter([("IOP_SMOKE_PROGRESS", socket)]));
        during(
            run,
            &self.folder.path().join("log"),
            &self.before,
            &listener,
        );
        self.told.set_nonblocking(true).expect("it can be set");
        std::iter::from_fn(|| self.take()).collect()
    }

    fn append(&self, bytes: &[u8]) {
        let log = OpenOptions::new()
            .append(true)
            .open(self.folder.path().join("log"));
        log.and_then(|mut log| log.write_all(bytes))
            .expect("it is written");
    }

    /// The next step that is told.
    fn take(&self) -> Option<String> {
        let mut step = [0; 64];
        let length = self.told.recv(&mut step).ok()?;
        Some(String::from_utf8_lossy(&step[..length]).into_owned())
    }
}

#[test]
fn what_the_log_held_before_is_not_told() {
    let followed = Followed::new(&[startup().into_bytes(), lines(&served())].concat());
    let told = followed.during(|| followed.append(&lines(&served()[..1])));
    assert_eq!(told, ["plan"]);
}

#[test]
fn a_line_that_was_under_way_before_is_not_told() {
    let followed = Followed::new(b"{\"level\":");
    let told = followed.during(|| followed.append(&lines(&served()[..2])));
    assert_eq!(told, ["work"]);
}

#[test]
fn a_log_that_was_replaced_is_not_followed() {
    let followed = Followed::new(startup().as_bytes());
    let log = followed.folder.path().join("log");
    fs::rename(&log, followed.folder.path().join("log.1")).expect("it is moved");
    let served = [startup().into_bytes(), lines(&served())].concat();
    fs::write(&log, served).expect("a log");
    assert_eq!(followed.during(|| ()), Vec::<String>::new());
}

#[test]
fn a_log_is_followed_however_much_is_written_to_it() {
    let followed = Followed::new(b"");
    let told = followed.during(|| {
        followed.append(&b"{\"msg\":\"node ready\"}\n".repeat(20_000));
        followed.append(&lines(&served()[..1]));
        assert_eq!(followed.take().as_deref(), Some("plan"));
        followed.append(&lines(&served()[1..2]));
    });
    assert_eq!(told, ["work"]);
}
