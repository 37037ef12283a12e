//! Every page is well-formed, holds only what it may, and asks for nothing else.

use std::collections::BTreeSet;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use harness::manifest::validate::holds_forbidden_part;
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use report::outcome::Outcome;
use report::{comparison, page};
use sha2::{Digest as _, Sha256};

use super::sample::{Sample, published, ten};

/// An element of a page.
#[derive(Debug)]
pub(super) struct Element {
    /// Its name.
    pub(super) name: String,
    /// Its attributes by name.
    pub(super) attributes: Vec<(String, String)>,
    /// The text in it, that of inner elements included.
    pub(super) text: String,
}

impl Element {
    /// The value of an attribute.
    pub(super) fn attribute(&self, name: &str) -> Option<&str> {
        let mut attributes = self.attributes.iter();
        let found = attributes.find(|(found, _)| found == name);
        found.map(|(_, value)| value.as_str())
    }

    /// Whether it is of a class.
    pub(super) fn has_class(&self, class: &str) -> bool {
        let classes = self.attribute("class").unwrap_or_default();
        classes.split(' ').any(|found| found == class)
    }
}

/// The elements of a page in the order in which they begin, read as XML.
#[track_caller]
pub(super) fn elements(page: &str) -> Vec<Element> {
    let body = page
        .strip_prefix("<!DOCTYPE html>")
        .expect("a document type");
    assert!(
        !body.contains("/>"),
        "HTML would not see such an element ended"
    );
    let mut reader = Reader::from_str(body);
    // The names of ends are compared below, where `meta` has none.
    reader.config_mut().check_end_names = false;
    let mut elements: Vec<Element> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    loop {
        let text = match reader.read_event().expect("it is well-formed") {
            Event::Start(start) => {
                elements.push(element(&start));
                if start.name().as_ref() != "meta" {
                    open.push(elements.len() - 1);
                }
                continue;
            }
            Event::End(end) => {
                let ended = open.pop().expect("a start");
                assert_eq!(elements[ended].name, end.name().as_ref(), "an end");
                continue;
            }
            Event::Text(text) => text.into_inner().into_owned(),
            Event::GeneralRef(reference) => {
                let entity = format!("&{};", &*reference);
                quick_xml::escape::unescape(&entity)
                    .expect("an entity")
                    .into_owned()
            }
            Event::Eof => break,
            other => panic!("not in a page: {other:?}"),
        };
        for index in &open {
            elements[*index].text.push_str(&text);
        }
    }
    assert!(open.is_empty(), "not ended: {open:?}");
    elements
}

fn element(start: &BytesStart<'_>) -> Element {
    let attributes = start.attributes().map(|attribute| {
        let attribute = attribute.expect("an attribute, and not twice");
        let value = attribute.normalized_value(quick_xml::XmlVersion::Implicit1_0);
        (
            attribute.key.as_ref().to_owned(),
            value.expect("a value").into_owned(),
        )
    });
    Element {
        name: start.name().as_ref().to_owned(),
        attributes: attributes.collect(),
        text: String::new(),
    }
}

/// One page of each kind.
pub(super) fn pages() -> Vec<(&'static str, String)> {
    let failing = Sample::failing("preflight::config_digest", "Error: config-digest: CANARY");
    let mut checks = Sample::passing();
    checks.cases.pop();
    let unseen = Outcome::of(Sample::passing().text().as_bytes(), None).expect("it is read");
    vec![
        ("passing", page::of_run(&Sample::passing().outcome())),
        ("failing", page::of_run(&failing.outcome())),
        ("checks", page::of_run(&checks.outcome())),
        ("unseen", page::of_run(&unseen)),
        ("manifest", page::of_manifest(&published())),
        ("ten", comparison::of_manifests(&ten())),
    ]
}

/// Elements that a page may be made of.
const ELEMENTS: [&str; 38] = [
    "body", "button", "caption", "circle", "dd", "desc", "div", "dl", "dt", "footer", "g", "h1",
    "h2", "h3", "head", "header", "html", "kbd", "li", "line", "meta", "ol", "p", "rect", "samp",
    "script", "section", "span", "style", "svg", "table", "tbody", "td", "text", "th", "thead",
    "title", "tr",
];

#[test]
fn only_known_elements_without_any_resource() {
    for (name, page) in pages() {
        let elements = elements(&page);
        for element in &elements {
            assert!(ELEMENTS.contains(&&*element.name), "{name}: {element:?}");
            for (attribute, value) in &element.attributes {
                let known = [
                    "aria-hidden",
                    "aria-label",
                    "aria-labelledby",
                    "charset",
                    "class",
                    "content",
                    "cx",
                    "cy",
                    "height",
                    "hidden",
                    "http-equiv",
                    "id",
                    "lang",
                    "name",
                    "r",
                    "role",
                    "scope",
                    "text-anchor",
                    "type",
                    "width",
                    "x",
                    "x1",
                    "x2",
                    "y",
                    "y1",
                    "y2",
                ];
                assert!(known.contains(&&**attribute), "{name}: {element:?}");
                assert!(
                    !value.contains("NaN") && !value.contains("inf"),
                    "{name}: {element:?}"
                );
            }
        }
        for part in ["url(", "@import", "//", "xmlns", "CANARY", "data:"] {
            let page = page.replace("// Without this script", "");
            assert!(!page.contains(part), "{name}: {part}");
        }
        assert!(!holds_forbidden_part(&page), "{name}");
    }
}

#[test]
fn ids_are_unique_and_labels_lead_to_them() {
    for (name, page) in pages() {
        let elements = elements(&page);
        let ids: Vec<_> = elements.iter().filter_map(|e| e.attribute("id")).collect();
        let unique: BTreeSet<_> = ids.iter().collect();
        assert_eq!(unique.len(), ids.len(), "{name}: {ids:?}");
        let drawings: Vec<_> = elements.iter().filter(|e| e.name == "svg").collect();
        for drawing in &drawings {
            assert_eq!(drawing.attribute("role"), Some("img"), "{name}");
            let labels = drawing.attribute("aria-labelledby").expect("labels");
            assert!(
                labels.split(' ').all(|label| ids.contains(&label)),
                "{name}: {labels}"
            );
        }
        assert_eq!(
            drawings.is_empty(),
            !["passing", "manifest", "ten"].contains(&name)
        );
    }
}

#[test]
fn the_policy_allows_this_style_and_script_and_nothing_else() {
    for (name, page) in pages() {
        let elements = elements(&page);
        let of = |name: &str| {
            let found: Vec<_> = elements.iter().filter(|e| e.name == name).collect();
            assert_eq!(found.len(), 1, "{name}");
            STANDARD.encode(Sha256::digest(&found[0].text))
        };
        let policy = elements
            .iter()
            .find(|e| e.attribute("http-equiv") == Some("Content-Security-Policy"))
            .and_then(|e| e.attribute("content"));
        let expected = format!(
            "default-src 'none'; style-src 'sha256-{}'; script-src 'sha256-{}'; \
             base-uri 'none'; form-action 'none'",
            of("style"),
            of("script")
        );
        assert_eq!(policy, Some(&*expected), "{name}");
        let before = elements.iter().take_while(|e| e.name != "style");
        assert!(
            before.filter(|e| e.name == "meta").count() == 4,
            "{name}: it comes first"
        );
    }
}

#[test]
fn without_the_script_no_button_is_shown_and_every_value_is_there() {
    for (name, page) in pages() {
        for button in elements(&page).iter().filter(|e| e.name == "button") {
            assert_eq!(button.attribute("hidden"), Some(""), "{name}");
        }
    }
}
