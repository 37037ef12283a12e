//! Counters that do not show exactly one request.

use standin::edge::Reply;

use crate::run::row::rows;
use crate::trial::Trial;

/// What the stand-in's counter stands at before the run.
const BEFORE: u64 = 4;

rows! {
    unmoved => "claude-failed gateway-bypassed no-ingress", |t| counts(t, BEFORE);
    two_requests => "ingress-delta several", |t| counts(t, BEFORE + 2);
    restarted_at_0 => "ingress-delta restart", |t| counts(t, 0);
    restarted_and_one_less => "ingress-delta restart", |t| counts(t, BEFORE - 1);
    metrics_no_longer_there => "metrics-listener status", |t| afterwards(t, Reply::new(503, ""));
    metrics_without_the_counter => "metrics-counter no-sample", |t| afterwards(t, Reply::new(200, "up 1\n"));
    metrics_cut_off => "metrics-counter cut-off", |t| {
        afterwards(t, Reply::new(200, "iop_anthropic_single_request_ingress_total {}"));
    };
}

/// Has the served request set the counter to this.
fn counts(trial: &mut Trial, counter: u64) {
    assert_eq!(trial.standin.edge.counter(), BEFORE);
    trial
        .standin
        .edge
        .behave(|behaviour| behaviour.ingress = Some(counter));
}

/// Has the metrics listener answer this once the request is served.
fn afterwards(trial: &mut Trial, reply: Reply) {
    trial
        .standin
        .edge
        .behave(|behaviour| behaviour.metrics_afterwards = Some(reply));
}
