//! Several manifests, compared in the order given.

use report::comparison::of_manifests;

use super::document::{Element, elements};
use super::sample::ten;

/// The cells of the table of durations, row by row.
fn figures(page: &str) -> Vec<Vec<String>> {
    let mut rows: Vec<Vec<String>> = Vec::new();
    for element in elements(page) {
        match &*element.name {
            "tr" => rows.push(Vec::new()),
            "th" | "td" => rows.last_mut().expect("a row").push(element.text),
            _ => {}
        }
    }
    rows
}

fn columns(elements: &[Element]) -> impl Iterator<Item = (&str, &str)> {
    let bars = elements.iter().filter(|e| e.name == "rect");
    bars.filter_map(|e| Some((e.attribute("x")?, e.attribute("height")?)))
}

#[test]
fn ten_runs() {
    let page = of_manifests(&ten());
    let rows = figures(&page);
    assert_eq!(rows.len(), 1 + 10 + 3);
    assert_eq!(rows[0], ["run", "request", "plan", "work", "review"]);
    assert_eq!(rows[1], ["1", "44.40", "8.00", "30.00", "6.00"]);
    assert_eq!(rows[10], ["10", "60.57", "8.63", "45.90", "5.64"]);
    assert_eq!(rows[11], ["median", "46.72", "8.31", "32.25", "5.82"]);
    assert_eq!(rows[12], ["least", "44.40", "8.00", "30.00", "5.64"]);
    assert_eq!(rows[13], ["most", "62.31", "8.63", "47.70", "6.00"]);
    let elements = elements(&page);
    assert_eq!(columns(&elements).count(), 4 * 10);
    assert!(
        columns(&elements).any(|column| column == ("72.000%", "64.00")),
        "the longest"
    );
    let titles = elements.iter().filter(|e| e.name == "h3");
    let titles: Vec<_> = titles.map(|e| e.text.clone()).collect();
    assert_eq!(titles[0], "request median 46.72 s, from 44.40 s to 62.31 s");
    assert_eq!(
        titles[4],
        "What changed a mark stands below the first run that is different"
    );
    let ends: Vec<_> = titles[5..]
        .iter()
        .filter_map(|title| title.rsplit(", ").next())
        .collect();
    let same = "nothing changed";
    assert_eq!(
        ends,
        [
            "the first",
            same,
            same,
            "1 value changed",
            same,
            same,
            "2 values changed",
            same,
            same,
            same
        ]
    );
}

#[test]
fn what_changed_is_marked_where_it_did() {
    let page = of_manifests(&ten());
    let elements = elements(&page);
    let marks = elements.iter().filter(|e| e.name == "circle");
    let marks: Vec<_> = marks.filter_map(|e| e.attribute("cx")).collect();
    assert_eq!(
        marks,
        ["65.000%", "35.000%", "65.000%"],
        "head, Claude Code, Edge"
    );
    let changes = elements.iter().filter(|e| e.name == "dd");
    let changes: Vec<_> = changes.map(|e| e.text.clone()).collect();
    assert_eq!(changes.len(), 3);
    assert!(
        changes.contains(&"0123456789ab → 89abcdef0123".to_owned()),
        "{changes:?}"
    );
}

#[test]
fn the_order_is_that_in_which_they_are_given() {
    let mut runs = ten();
    runs.reverse();
    let rows = figures(&of_manifests(&runs));
    assert_eq!(rows[1][1..], ["60.57", "8.63", "45.90", "5.64"]);
    assert_eq!(rows[10][1..], ["44.40", "8.00", "30.00", "6.00"]);
}

#[test]
fn runs_that_are_the_same() {
    let run = ten().remove(0);
    let page = of_manifests(&[run.clone(), run]);
    assert!(page.contains("nothing that the manifests hold"));
    assert_eq!(
        elements(&page)
            .iter()
            .filter(|e| e.name == "circle")
            .count(),
        0
    );
}

#[test]
fn a_hundred_runs_are_numbered_here_and_there() {
    let runs: Vec<_> = (0..10).flat_map(|_| ten()).collect();
    let elements = elements(&of_manifests(&runs));
    let first = elements
        .iter()
        .position(|e| e.name == "svg")
        .expect("a drawing");
    let numbers = elements[first..]
        .iter()
        .filter(|e| e.has_class("small") && e.name == "text");
    let numbers: Vec<_> = numbers.take(12).map(|e| e.text.clone()).collect();
    assert_eq!(numbers[..3], ["1", "10", "19"]);
    assert_eq!(numbers[11], "100");
}
