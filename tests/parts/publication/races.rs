//! Several publishers at once, and one that is killed.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::sync::Barrier;
use std::thread;
use std::time::Duration;

use harness::publish::{PublishError, Way, publish_by};
use rstest::rstest;
use standin::scratch;

use super::names;
use crate::child::{self, Task};

const PUBLISHERS: usize = 8;

#[rstest]
#[case::unnamed(&[Way::UnnamedFile])]
#[case::renamed(&[Way::RenameNoReplace])]
#[case::linked(&[Way::LinkAndUnlink])]
#[case::every_way(&Way::ALL)]
fn one_of_several_publishers_wins(#[case] ways: &[Way]) {
    for _ in 0..3 {
        let folder = scratch::folder().expect("a folder");
        let path = folder.path().join("manifest.json");
        let start = Barrier::new(PUBLISHERS);
        let outcomes: Vec<_> = thread::scope(|scope| {
            let publishers: Vec<_> = (0..PUBLISHERS)
                .map(|number| {
                    let (start, path) = (&start, &path);
                    let way = ways[number % ways.len()];
                    scope.spawn(move || {
                        let bytes = number.to_string().repeat(4000);
                        start.wait();
                        publish_by(way, path, bytes.as_bytes()).map(|published| published.digest)
                    })
                })
                .collect();
            publishers
                .into_iter()
                .map(|publisher| publisher.join().expect("it ends"))
                .collect()
        });
        let (won, lost): (Vec<_>, Vec<_>) = outcomes.into_iter().partition(Result::is_ok);
        assert_eq!(won.len(), 1);
        assert!(
            lost.iter()
                .all(|outcome| *outcome == Err(PublishError::Appeared))
        );
        let there = harness::digest::file::digest(&path).expect("it is read");
        assert_eq!(won, [Ok(there.digest)]);
        assert_eq!(names(folder.path()), ["manifest.json"]);
    }
}

#[rstest]
#[case::unnamed(Way::UnnamedFile)]
#[case::renamed(Way::RenameNoReplace)]
#[case::linked(Way::LinkAndUnlink)]
fn a_killed_publisher_leaves_nothing_or_the_whole(#[case] way: Way) {
    const SIZE: usize = 2 << 20;
    let whole = child::contents(SIZE);
    let folder = scratch::folder().expect("a folder");
    for step in 0..6 {
        let path = folder.path().join(format!("manifest-{step}.json"));
        kill_while_publishing(way, SIZE, &path, Duration::from_micros(700 * step));
        if let Ok(bytes) = fs::read(&path) {
            assert!(bytes == whole, "a part is visible");
        }
    }
    if way == Way::UnnamedFile {
        let left = names(folder.path());
        assert!(
            left.iter().all(|name| name.starts_with("manifest-")),
            "{left:?}"
        );
    }
}

fn kill_while_publishing(way: Way, size: usize, path: &Path, after: Duration) {
    let mut child = child::start("exec \"$@\"", &Task::Publish(Some(way), size, path));
    let stdout = child.stdout.take().expect("it has an output");
    let ready = BufReader::new(stdout)
        .lines()
        .map_while(Result::ok)
        .any(|line| line == "ready");
    assert!(ready, "the child came to its task");
    thread::sleep(after);
    child.kill().expect("it is killed");
    child.wait().expect("it is waited for");
}
