//! What is not found, what is reported, and what is never shown.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD};
use harness::reason::Reason;
use harness::redaction::{Encoding, Forbidden, Hit, Kind};
use harness::refusal::Refusal;
use rstest::rstest;

use super::{VALUES, embed, forbidden, value_of};

#[test]
fn the_control_holds_nothing() {
    let manifest = embed(b"edge, model, /srv and a verified line");
    assert_eq!(forbidden().scan(&manifest), None);
    assert_eq!(forbidden().hits(&manifest), []);
}

#[test]
fn the_canary_is_found_in_the_control() {
    let canary = value_of(Kind::Secret);
    let hit = Hit {
        kind: Kind::Secret,
        encoding: Encoding::Raw,
    };
    assert_eq!(forbidden().scan(&embed(canary.as_bytes())), Some(hit));
}

#[rstest]
#[case::nothing(String::new())]
#[case::last_character_missing("canary-4711-valu".into())]
#[case::first_character_missing("anary-4711-value".into())]
#[case::one_character_changed("canary-4712-value".into())]
#[case::other_case("Canary-4711-Value".into())]
#[case::reversed("eulav-1174-yranac".into())]
#[case::broken_up("canary-4711 -value".into())]
#[case::escape_cut_off(r"canary-4711\u002".into())]
#[case::other_escape(r"canary\u002e4711-value".into())]
#[case::escaped_backslash(r"canary\\u002d4711-value".replace("002d", "002e"))]
#[case::percent_cut_off("canary-4711%2".into())]
#[case::percent_of_another("canary%2e4711-value".into())]
#[case::base64_of_another(STANDARD.encode("canary-4712-value"))]
#[case::base64_cut_off(STANDARD.encode("canary-4711-value")[..22].into())]
#[case::base64_of_the_tail(STANDARD.encode("anary-4711-value"))]
#[case::hex_cut_off("63616e6172792d343731312d76616c75".into())]
#[case::hex_digit_changed("63616e6172792d343731312d76616c66".into())]
#[case::hex_with_a_letter_between("63616e6172792d34g3731312d76616c7565".into())]
#[case::wide_cut_off("c\0a\0n\0a\0r\0y\0-\x004\x007\x001\x001\0-\0v\0a\0l\0u\0".into())]
fn a_near_miss_is_not_found(#[case] haystack: String) {
    let forbidden = Forbidden::new().value(Kind::Secret, "canary-4711-value");
    assert_eq!(forbidden.hits(&embed(haystack.as_bytes())), []);
}

#[rstest]
#[case::empty("")]
#[case::one("x")]
#[case::two("ab")]
#[case::three("abc")]
fn a_short_value_is_not_searched_for(#[case] value: &str) {
    let forbidden = Forbidden::new().value(Kind::Model, value);
    assert_eq!(forbidden.hits(&embed(b"x ab abc xyz")), []);
}

/// A value's variable ending is left off, unless less than four bytes would remain.
#[rstest]
#[case::path_of_four(Kind::WorkspacePath, "/abc/", "=/abc=", true)]
#[case::path_of_three(Kind::WorkspacePath, "/ab///", "=/ab=", false)]
#[case::path_of_three_whole(Kind::WorkspacePath, "/ab///", "=/ab///=", true)]
#[case::url(Kind::BaseUrl, "http://edge/", "http://edge:", true)]
#[case::line(Kind::ExpectedLine, "a line\r\n", "a line.", true)]
#[case::model(Kind::Model, "model/", "=model=", false)]
#[case::secret(Kind::Secret, "secret/\n", "secret/", false)]
#[case::nothing_else(Kind::OutputPath, "/////", "x////x", false)]
fn an_ending_that_varies_is_left_off(
    #[case] kind: Kind,
    #[case] value: &str,
    #[case] haystack: &str,
    #[case] found: bool,
) {
    let forbidden = Forbidden::new().value(kind, value);
    let hit = forbidden.scan(&embed(haystack.as_bytes()));
    assert_eq!(hit.map(|hit| hit.kind), found.then_some(kind));
}

/// Base64 leaves as few as three characters of four bytes to themselves.
#[rstest]
fn four_bytes_are_found_in_base64(
    #[values("", "x", "xy", "xyz")] before: &str,
    #[values("", "/", "ab", "abc")] prefix: &str,
) {
    let forbidden = Forbidden::new().value(Kind::Model, "gpt4");
    let hit = Hit {
        kind: Kind::Model,
        encoding: Encoding::Base64,
    };
    for after in ["", "z", "zy", "zyx"] {
        let encoded = STANDARD_NO_PAD.encode(format!("{before}gpt4{after}"));
        let haystack = embed(format!("{prefix}{encoded}").as_bytes());
        assert_eq!(forbidden.hits(&haystack), [hit]);
    }
}

#[rstest]
#[case::hex("67707434", Encoding::Hex)]
#[case::hex_in_upper_case("x67707434X", Encoding::Hex)]
#[case::wide("g\0p\0t\x004\0", Encoding::Utf16)]
#[case::wide_the_other_way("\0g\0p\0t\x004", Encoding::Utf16)]
#[case::json("\\u0067pt4", Encoding::JsonEscaped)]
#[case::percent("gp%744", Encoding::PercentEncoded)]
fn four_bytes_are_found(#[case] haystack: &str, #[case] encoding: Encoding) {
    let kind = Kind::Model;
    let forbidden = Forbidden::new().value(kind, "gpt4");
    assert_eq!(
        forbidden.hits(&embed(haystack.as_bytes())),
        [Hit { kind, encoding }]
    );
}

#[rstest]
#[case::json(r"%41 \/srv\/out\/manifest.json", "output-path, json-escaped")]
#[case::json_in_json(r"\\/srv\\/out\\/manifest.json", "output-path, json-escaped")]
#[case::percent(r"\t %2Fsrv%2Fout%2Fmanifest.json", "output-path, percent-encoded")]
#[case::raw(r"\t%41 /srv/out/manifest.json", "output-path, raw")]
fn escapes_elsewhere_add_no_form(#[case] haystack: &str, #[case] expected: &str) {
    let hits = forbidden().hits(haystack.as_bytes());
    let hits: Vec<_> = hits.iter().map(ToString::to_string).collect();
    assert_eq!(hits, [expected]);
}

#[test]
fn every_kind_and_encoding_is_listed_once() {
    let path = value_of(Kind::OutputPath);
    let haystack = [
        path.to_owned(),
        path.replace('/', "\\/"),
        path.replace('/', "%2F"),
        STANDARD.encode(path),
        path.to_owned(),
        value_of(Kind::Model).to_owned(),
    ]
    .join(" | ");
    let found: Vec<_> = forbidden()
        .hits(haystack.as_bytes())
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(
        found,
        [
            "model, raw",
            "output-path, raw",
            "output-path, json-escaped",
            "output-path, percent-encoded",
            "output-path, base64",
        ]
    );
}

#[test]
fn no_value_is_shown() {
    let shown = format!("{:?}", forbidden());
    assert_eq!(
        shown,
        "[Secret, BaseUrl, Model, WorkspacePath, OutputPath, ExpectedLine]"
    );
    let hit = forbidden().scan(value_of(Kind::Secret).as_bytes());
    let refusal = Refusal::from(hit.expect("the canary is found"));
    assert_eq!(refusal.reason(), Reason::Redaction);
    assert_eq!(
        refusal.to_string(),
        "redaction: expected no private value; found secret, raw"
    );
    for (_, value) in VALUES {
        assert!(!format!("{refusal:?}").contains(value));
    }
}

/// Deeply escaped and encoded input must not take time out of proportion.
#[rstest]
#[case::backslashes("\\")]
#[case::percent_signs("%25")]
#[case::zero_bytes("\0")]
#[case::letters("a")]
#[case::digits("0")]
#[case::spaces(" ")]
#[case::few_digits("abc       \"")]
fn a_large_haystack_is_scanned(#[case] piece: &str) {
    let haystack = piece.repeat((1 << 20) / piece.len());
    assert_eq!(forbidden().hits(haystack.as_bytes()), []);
}
