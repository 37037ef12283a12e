//! The page of a run shows what the run came to, and nothing of its files' free text.

use harness::reason::Reason;
use report::outcome::{Outcome, Published, Subtest};
use report::page::{of_manifest, of_run};
use serde_json::{Value, json};

use super::document::{Element, elements};
use super::sample::{Sample, failure, published};
use crate::manifest::sample::{LAX, STRICT, bytes_of, manifest, nodes, with};

/// The rows of the checks: what became of each, with its id.
fn checks(page: &str) -> Vec<(String, String)> {
    let elements = elements(page);
    let rows = elements.windows(5).filter_map(|row| match row {
        [tr, mark, .., th] if tr.name == "tr" && mark.has_class("mark") => {
            Some((mark.text[3..].to_owned(), th.text.clone()))
        }
        _ => None,
    });
    rows.collect()
}

/// The title, and the sentences below it.
fn told(page: &str) -> Vec<String> {
    let is_told = |e: &&Element| e.name == "h1" || e.has_class("lead");
    let elements = elements(page);
    elements
        .iter()
        .filter(is_told)
        .map(|e| e.text.clone())
        .collect()
}

#[test]
fn every_check_of_a_passing_run_passed_once() {
    let page = of_run(&Sample::passing().outcome());
    let expected: Vec<_> = Subtest::all()
        .map(|subtest| ("passed".to_owned(), subtest.id().to_owned()))
        .collect();
    assert_eq!(checks(&page), expected);
    assert_eq!(expected.len(), 57);
    assert_eq!(
        told(&page),
        [
            "✓ Proved",
            "One request was planned, worked and reviewed, and changed the workspace."
        ]
    );
}

#[test]
fn every_check_of_a_failing_run_is_what_it_was() {
    let sample = Sample::failing("preflight::config_digest", "Error: config-digest differs");
    let page = of_run(&sample.outcome());
    let failed = Reason::ConfigDigest as usize;
    let expected: Vec<_> = Subtest::all()
        .enumerate()
        .map(|(index, subtest)| {
            let state = match index.cmp(&failed) {
                std::cmp::Ordering::Less => "passed",
                std::cmp::Ordering::Equal => "failed",
                std::cmp::Ordering::Greater => "not reached",
            };
            (state.to_owned(), subtest.id().to_owned())
        })
        .collect();
    assert_eq!(checks(&page), expected);
    let hint = format!("What to do: {}.", Reason::ConfigDigest.hint());
    assert_eq!(told(&page), ["✕ Refused", "config-digest differs", &hint]);
}

#[test]
fn what_a_failing_run_says() {
    for (message, kind, expected) in [
        (
            "Error: claude-failed api-rejected http-404: found 1 as exit status: status 404",
            "",
            [
                "claude-failed api-rejected http-404, met by single-request",
                "What happened: the gateway refused or broke the request; status 404.",
            ],
        ),
        (
            "",
            "test timeout",
            [
                "single-request took longer than nextest allows, and was ended.",
                "",
            ],
        ),
        (
            "",
            "test abort",
            ["single-request was ended by a signal.", ""],
        ),
        (
            "",
            "leaked handles",
            [
                "single-request left a process that held its output open.",
                "",
            ],
        ),
        (
            "",
            "execution failure",
            ["single-request could not be started.", ""],
        ),
        (
            "CANARY",
            "CANARY",
            [
                "single-request failed without a refusal. What nextest printed shows why.",
                "",
            ],
        ),
    ] {
        let mut sample = Sample::passing();
        sample.cases[56].1 = failure(message, kind);
        let told = told(&of_run(&sample.outcome()));
        assert_eq!(told[0], "✕ Refused");
        assert_eq!(told[1], expected[0]);
        assert_eq!(told.get(2).map_or("", |text| text), expected[1]);
    }
}

#[test]
fn a_run_without_proof_does_not_claim_one() {
    let mut checks_alone = Sample::passing();
    checks_alone.cases.pop();
    let page = of_run(&checks_alone.outcome());
    assert_eq!(told(&page)[0], "✓ Checks passed");
    let unseen = Outcome::of(Sample::passing().text().as_bytes(), None).expect("it is read");
    assert_eq!(told(&of_run(&unseen))[0], "✓ Passed");
    assert_eq!(told(&of_manifest(&published()))[0], "✓ Valid manifest");
    let standin = Sample::passing().text().replace(" live", " stand-in");
    let standin = Outcome::of(standin.as_bytes(), Some(published())).expect("it is read");
    let page = of_run(&standin);
    assert!(told(&page)[1].starts_with("One request to the stand-in was planned"));
    assert!(page.contains("It proves nothing of a deployment."));
}

#[test]
fn every_digest_of_the_manifest_can_be_copied() {
    let page = of_run(&Sample::passing().outcome());
    let elements = elements(&page);
    let shown: Vec<_> = elements
        .iter()
        .filter(|e| e.name == "samp")
        .map(|e| &*e.text)
        .collect();
    let manifest = manifest();
    let mut digests = 0;
    for pointer in nodes(&manifest) {
        let Some(text) = manifest.pointer(&pointer).and_then(Value::as_str) else {
            continue;
        };
        if text.starts_with("sha256:") {
            assert!(shown.contains(&text), "{pointer}");
            digests += 1;
        }
    }
    assert_eq!(digests, 24);
    let buttons = elements.iter().filter(|e| e.has_class("copy")).count();
    // Head, run and manifest, and every digest but those that the stages repeat.
    assert_eq!(buttons, 3 + digests - 3);
}

/// Texts of a drawing, and the bars by where they begin and how wide they are.
fn timeline(stage_ms: [u64; 3], terminal_ms: u64) -> (Vec<String>, Vec<(String, String)>) {
    let mut manifest = manifest();
    for (index, ms) in stage_ms.into_iter().enumerate() {
        manifest["stages"][index]["duration_ms"] = ms.into();
    }
    manifest["terminal"]["duration_ms"] = terminal_ms.into();
    let published = Published::of(&bytes_of(&manifest), &STRICT).expect("it is valid");
    let elements = elements(&of_manifest(&published));
    let texts = elements.iter().filter(|e| e.name == "text");
    let bars = elements
        .iter()
        .filter(|e| e.name == "rect" && !e.has_class("track"));
    let place = |e: &Element| {
        let [x, width] =
            ["x", "width"].map(|name| e.attribute(name).unwrap_or_default().to_owned());
        (x, width)
    };
    (
        texts.map(|e| e.text.clone()).collect(),
        bars.map(place).collect(),
    )
}

#[test]
fn the_stages_are_drawn_to_scale() {
    let (texts, bars) = timeline([100, 300, 50], 500);
    let expected = [
        ["plan on gemini", "100 ms"],
        ["work on ornith-fast", "300 ms"],
        ["review on gemini", "50 ms"],
        ["outside the stages", "50 ms"],
        ["the whole request", "500 ms"],
    ];
    assert_eq!(texts, expected.concat());
    let expected = [
        ["0.000%", "20.000%"],
        ["20.000%", "60.000%"],
        ["80.000%", "10.000%"],
        ["90.000%", "10.000%"],
        ["0.000%", "100.000%"],
    ];
    assert_eq!(bars, expected.map(|[x, width]| (x.into(), width.into())));
}

#[test]
fn durations_of_every_size_are_drawn() {
    for (stages, terminal, expected) in [
        ([0, 0, 0], 0, ["0 ms", "0 ms", "0 ms", "0 ms"]),
        (
            [999, 1000, 99_999],
            101_998,
            ["999 ms", "1.00 s", "99.99 s", "1 min 41 s"],
        ),
        (
            [100_000, 5_999_999, 6_000_000],
            12_099_999,
            ["1 min 40 s", "99 min 59 s", "1 h 40 min", "3 h 21 min"],
        ),
        (
            [u64::MAX, u64::MAX, 1],
            2,
            [
                "5124095576030 h 25 min",
                "5124095576030 h 25 min",
                "1 ms",
                "2 ms",
            ],
        ),
    ] {
        let (texts, _) = timeline(stages, terminal);
        let shown: Vec<_> = texts
            .iter()
            .skip(1)
            .step_by(2)
            .map(String::as_str)
            .collect();
        assert_eq!(shown, expected);
    }
}

/// What would be markup if it were not escaped.
const HOSTILE: [&str; 5] = [
    "<script>CANARY</script>",
    "\"><img src=x onerror=CANARY>",
    "</style></svg>CANARY",
    "&lt;b&gt;CANARY",
    "'--><!--CANARY]]>",
];

#[test]
fn a_manifest_with_markup_in_any_string_or_key_is_refused() {
    let control = manifest();
    for pointer in nodes(&control) {
        let node = control.pointer(&pointer).expect("a node");
        for hostile in HOSTILE {
            let changed = match node {
                Value::String(_) => with(&control, &pointer, hostile.into()),
                Value::Object(_) => {
                    let mut changed = control.clone();
                    changed.pointer_mut(&pointer).expect("a node")[hostile] = json!(0);
                    changed
                }
                _ => continue,
            };
            for schema in [&*STRICT, &*LAX] {
                let refusal = Published::of(&bytes_of(&changed), schema);
                let refusal = refusal.expect_err("it is refused");
                assert_eq!(refusal.reason(), Reason::ManifestInvalid, "{pointer}");
                assert!(!format!("{refusal:?}").contains("CANARY"), "{pointer}");
            }
        }
    }
}

#[test]
fn markup_in_a_failure_is_not_in_the_page() {
    for hostile in HOSTILE {
        for message in [
            hostile.to_owned(),
            format!("Error: config-digest: expected {hostile}; found {hostile}"),
            format!("Error: config-digest {hostile}"),
            format!("Error: {hostile}"),
        ] {
            let mut sample = Sample::passing();
            sample.cases[56].1 = failure(&message, hostile);
            let page = of_run(&sample.outcome());
            assert!(!page.contains("CANARY"), "{message}");
            assert_eq!(told(&page)[0], "✕ Refused");
        }
    }
}
