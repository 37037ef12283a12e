//! Metrics listeners that do not answer, and expositions without one usable counter.

use harness::constants::{BODY_BOUND, INGRESS_COUNTER};
use harness::probe::metrics::{CounterFault, counter};
use standin::edge::Reply;

use crate::preflight::listeners::{cut_off, not_http};
use crate::preflight::row::{accepted, rows};
use crate::trial::{BRIEF, PATIENT, Trial};

rows! {
    dead: MetricsListener => "metrics-listener unreachable", |t| t.standin.edge.stop().expect("it stops");
    status_503: MetricsListener => "metrics-listener status", |t| replies(t, Reply::new(503, ""));
    status_404: MetricsListener => "metrics-listener status", |t| replies(t, Reply::new(404, ""));
    status_401: MetricsListener => "metrics-listener status", |t| replies(t, Reply::new(401, ""));
    redirected: MetricsListener => "metrics-listener status", |t| {
        replies(t, Reply { location: Some("/healthz".into()), ..Reply::new(302, "") });
    };
    slow: MetricsListener => "metrics-listener timeout", |t| {
        replies(t, Reply::new(200, "x 1\n").after(PATIENT));
        t.limits.probe = BRIEF;
    };
    over_long: MetricsListener => "metrics-listener too-long", |t| {
        replies(t, Reply::new(200, padded(BODY_BOUND + 1)));
    };
    speaking_no_http: MetricsListener => "metrics-listener broken", |t| {
        t.standin.set("IOP_SMOKE_METRICS_URL", not_http());
    };
    broken_off: MetricsListener => "metrics-listener broken", |t| {
        t.standin.set("IOP_SMOKE_METRICS_URL", cut_off());
    };
    counter_of_a_dead_listener: MetricsCounter => "metrics-listener unreachable", |t| t.standin.edge.stop().expect("it stops");

    empty: MetricsCounter => "metrics-counter no-sample", |t| exposes(t, "");
    other_metrics: MetricsCounter => "metrics-counter no-sample", |t| exposes(t, "process_open_fds 12\n");
    type_without_sample: MetricsCounter => "metrics-counter no-sample", |t| exposes(t, "# TYPE NAME counter\n");
    comment_without_sample: MetricsCounter => "metrics-counter no-sample", |t| exposes(t, "# NAME 4\n#NAME 4\n");
    creation_time_alone: MetricsCounter => "metrics-counter no-sample", |t| exposes(t, "NAME_created 1.7e9\n");
    name_within_another: MetricsCounter => "metrics-counter no-sample", |t| exposes(t, "edge_NAME 4\n");
    labelled_alone: MetricsCounter => "metrics-counter labelled", |t| exposes(t, "NAME{engine=\"gemini\"} 4\n");
    labelled_beside: MetricsCounter => "metrics-counter labelled", |t| exposes(t, "NAME 4\nNAME{engine=\"gemini\"} 4\n");
    labelled_before: MetricsCounter => "metrics-counter labelled", |t| exposes(t, "NAME{engine=\"gemini\"} 4\nNAME 4\n");
    labelled_with_nothing: MetricsCounter => "metrics-counter labelled", |t| exposes(t, "NAME{ } 4\n");
    two_samples: MetricsCounter => "metrics-counter several-samples", |t| exposes(t, "NAME 4\nNAME 5\n");
    the_same_sample_twice: MetricsCounter => "metrics-counter several-samples", |t| exposes(t, "NAME 4\nx 1\nNAME 4\n");
    not_a_number: MetricsCounter => "metrics-counter not-finite", |t| exposes(t, "NAME NaN\n");
    infinite: MetricsCounter => "metrics-counter not-finite", |t| exposes(t, "NAME +Inf\n");
    infinite_below: MetricsCounter => "metrics-counter not-finite", |t| exposes(t, "NAME -Inf\n");
    beyond_numbers: MetricsCounter => "metrics-counter not-finite", |t| exposes(t, "NAME 1e999\n");
    negative: MetricsCounter => "metrics-counter negative", |t| exposes(t, "NAME -1\n");
    with_a_fraction: MetricsCounter => "metrics-counter not-whole", |t| exposes(t, "NAME 4.5\n");
    beyond_exact_numbers: MetricsCounter => "metrics-counter not-whole", |t| exposes(t, "NAME 9007199254740992\n");
    without_value: MetricsCounter => "metrics-counter malformed", |t| exposes(t, "NAME\n");
    with_blanks_for_a_value: MetricsCounter => "metrics-counter malformed", |t| exposes(t, "NAME  \n");
    word_for_a_value: MetricsCounter => "metrics-counter malformed", |t| exposes(t, "NAME four\n");
    hexadecimal: MetricsCounter => "metrics-counter malformed", |t| exposes(t, "NAME 0x10\n");
    word_for_a_timestamp: MetricsCounter => "metrics-counter malformed", |t| exposes(t, "NAME 4 now\n");
    words_behind_the_timestamp: MetricsCounter => "metrics-counter malformed", |t| exposes(t, "NAME 4 1700000000000 5\n");
    not_utf8: MetricsCounter => "metrics-counter malformed", |t| {
        replies(t, Reply::new(200, [INGRESS_COUNTER.as_bytes(), b" \xff\n"].concat()));
    };
    cut_off_within_the_sample: MetricsCounter => "metrics-counter cut-off", |t| exposes(t, "x 1\nNAME 4");
    cut_off_behind_the_sample: MetricsCounter => "metrics-counter cut-off", |t| exposes(t, "NAME 4\nprocess_open_f");
}

accepted! {
    as_long_as_may_be: MetricsCounter, |t| replies(t, Reply::new(200, padded(BODY_BOUND)));
    status_203: MetricsCounter, |t| replies(t, Reply::new(203, format!("{INGRESS_COUNTER} 4\n")));
}

#[test]
fn values_are_exact() {
    for (exposition, value) in [
        ("NAME 0\n", 0),
        ("NAME 4\nNAME_created 1.7e9\n", 4),
        ("NAME_created 1.7e9\nNAME 4\n", 4),
        ("NAME 0 1700000000000\n", 0),
        ("NAME 7 -1\n", 7),
        ("NAME 1e+06\n", 1_000_000),
        ("NAME 1.25e2\n", 125),
        ("NAME 4.0\n", 4),
        ("NAME +4\n", 4),
        ("NAME\t4\n", 4),
        ("NAME \t 4 \t 1700000000000 \t\n", 4),
        ("  NAME 4\n", 4),
        ("x 1\r\nNAME 4\r\ny 2\r\n", 4),
        (
            "# HELP NAME a text\n# TYPE NAME counter\n\nNAME 4\n# EOF\n",
            4,
        ),
        ("NAMES 1\nNAME_total 2\nNAME 4\n", 4),
        ("x{note=\"NAME 9\"} 1\nNAME 4\n", 4),
        ("NAME 9007199254740991\n", 9_007_199_254_740_991),
    ] {
        let found = counter(
            exposition.replace("NAME", INGRESS_COUNTER).as_bytes(),
            INGRESS_COUNTER,
        );
        assert_eq!(found, Ok(value), "{exposition:?}");
    }
}

#[test]
fn each_fault_has_its_name() {
    for (exposition, fault) in [
        ("NAME 4", CounterFault::CutOff),
        ("# TYPE NAME counter\n", CounterFault::NoSample),
        ("NAME{} 4\n", CounterFault::Labelled),
        ("NAME 4\nNAME 4\n", CounterFault::SeveralSamples),
        ("NAME 4 4 4\n", CounterFault::Malformed),
        ("NAME NaN\n", CounterFault::NotFinite),
        ("NAME -1\n", CounterFault::Negative),
        ("NAME 0.5\n", CounterFault::NotWhole),
    ] {
        assert_eq!(
            counter(exposition.as_bytes(), "NAME"),
            Err(fault),
            "{exposition:?}"
        );
    }
}

fn replies(trial: &mut Trial, reply: Reply) {
    trial.standin.edge.behave(|edge| edge.metrics = Some(reply));
}

/// `NAME` stands for the name of the counter.
fn exposes(trial: &mut Trial, exposition: &str) {
    let body = exposition.replace("NAME", INGRESS_COUNTER);
    replies(trial, Reply::new(200, body));
}

/// An exposition of so many bytes that holds the counter.
fn padded(bytes: usize) -> String {
    let sample = format!("{INGRESS_COUNTER} 4\n");
    let blanks = "\n".repeat(bytes - sample.len());
    blanks + &sample
}
