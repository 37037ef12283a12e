//! What the tests themselves see of processes that were left: a look at all of them is spared where
//! none descends from the test.

use std::process::Command;

use standin::processes;

use super::scene::{Scene, standin};

#[test]
fn an_orphan_in_a_session_of_its_own_is_seen_until_it_ends() {
    let mut scene = Scene::new();
    let status = Command::new(standin("standin-process"))
        .arg(scene.witness.path())
        .args("orphan [ session connect orphan go ]".split_whitespace())
        .status();
    assert!(status.unwrap().success());
    let mut orphan = scene.witness.expect("orphan");
    assert!(processes::any_descend());
    assert!(scene.processes());
    orphan.go();
    orphan.gone();
    scene.nothing_left();
}
