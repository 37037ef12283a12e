//! The whole run.

use crate::trial::names;

use super::scene::Scene;

#[test]
#[ignore = "needs the real CLI: make client"]
fn one_request_reaches_the_edge_and_proves_it() {
    let trial = Scene::new().trial;
    trial.run().expect("the run passes");
    let seen = trial.standin.edge.seen();
    assert_eq!(
        (seen.messages, seen.misplaced_key, seen.unmatched),
        (1, 0, 0)
    );
    assert_eq!(names(&trial.path("out")), ["manifest.json"]);
    assert_eq!(names(&trial.path("tmp")), Vec::<String>::new());
}
