//! The run: one request through the real client, end to end.

use harness::refusal::Verdict;
use harness::{report, run};
use serial_test::serial;

use crate::subject::Subject;

#[test]
#[serial(single_request)]
fn single_request() -> Verdict {
    let subject = Subject::new("smoke-live")?;
    let proof = run::single_request(&subject.deployment)?;
    if let Some(standin) = &subject.standin {
        let seen = standin.edge.seen();
        assert_eq!(seen.messages, 1, "exactly one request reaches the Edge");
        assert_eq!(seen.misplaced_key, 0, "the key goes to no other route");
    }
    report::proof(&proof).expect("standard output can be written to");
    Ok(())
}
