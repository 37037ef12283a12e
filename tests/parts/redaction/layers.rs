//! Encodings that are partial, mixed, or lie above each other.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use harness::redaction::{Encoding, Forbidden, Hit, Kind};
use rstest::rstest;

const PATH: &[u8] = b"/srv/work/space";
const LINE: &[u8] = b"one line, two words\n";
/// Decodes to the path between bytes that make `+` and `/` appear in base64.
const PADDED: &[u8] = b"\xfb\xef\xbe\xff\xff\xff/srv/work/space\xff\xff\xff\xfb\xef\xbe";

#[rstest]
#[case::slashes_escaped(PATH, br"\/srv\/work\/space", Encoding::JsonEscaped)]
#[case::one_escape_in_upper_case(PATH, br"/srv\u002Fwork/space", Encoding::JsonEscaped)]
#[case::nested_json(
    PATH,
    br#"{\"a\":\"\\\/srv\\\/work\\\/space\"}"#,
    Encoding::JsonEscaped
)]
#[case::json_in_json_in_json(PATH, br"\\\\\\\/srv\\\\\\\/work\\\\\\\/space", Encoding::JsonEscaped)]
#[case::braced_escape(PATH, br"/srv\u{2f}work/space", Encoding::JsonEscaped)]
#[case::byte_escape(PATH, br"/srv\x2fwork/space", Encoding::JsonEscaped)]
#[case::slashes_in_percent(PATH, b"%2Fsrv%2fwork/space", Encoding::PercentEncoded)]
#[case::percent_three_times(PATH, b"/srv%25252Fwork/space", Encoding::PercentEncoded)]
#[case::json_and_percent(PATH, br"\/srv%2Fwork\u002fspace", Encoding::PercentEncoded)]
#[case::percent_over_json(PATH, b"%5C/srv%5C/work%5C/space", Encoding::PercentEncoded)]
#[case::json_over_percent(PATH, br"/srv\u00252Fwork/space", Encoding::PercentEncoded)]
#[case::json_and_percent_in_turn(
    PATH,
    br"\u00255Cu00255C/srv\u00255Cu00255C/work/space",
    Encoding::PercentEncoded
)]
#[case::form(LINE, b"x=one+line%2C+two+words&y", Encoding::PercentEncoded)]
#[case::form_in_json(LINE, br"x=one+line\u002c+two+words", Encoding::PercentEncoded)]
#[case::hex_with_colons(PATH, b"2f:73:72:76:2f:77:6f:72:6b:2f:73:70:61:63:65", Encoding::Hex)]
#[case::hex_dump(PATH, b"2f73 7276 2f77 6f72\n6b2f 7370 6163 65", Encoding::Hex)]
#[case::base64_in_lines(
    PATH,
    b"L3Ny\r\n  di93\r\n  b3Jr\r\n  L3Nw\r\n  YWNl",
    Encoding::Base64
)]
#[case::base64_in_lines_in_json(PATH, br"L3Nydi\n93b3JrL3\n  NwYWNl", Encoding::Base64)]
fn a_written_form_is_found(
    #[case] value: &[u8],
    #[case] haystack: &[u8],
    #[case] encoding: Encoding,
) {
    let kind = Kind::WorkspacePath;
    let forbidden = Forbidden::new()
        .value(Kind::ExpectedLine, LINE)
        .value(kind, PATH);
    let kind = if value == LINE {
        Kind::ExpectedLine
    } else {
        kind
    };
    assert_eq!(forbidden.scan(haystack), Some(Hit { kind, encoding }));
}

#[rstest]
#[case::base64_with_escaped_slashes(STANDARD.encode(PADDED).replace('/', "\\/"), Encoding::Base64)]
#[case::base64_in_percent(
    STANDARD.encode(PADDED).replace('/', "%2F").replace('+', "%2B"),
    Encoding::Base64
)]
#[case::base64_twice(STANDARD.encode(STANDARD.encode(PADDED)), Encoding::Base64)]
#[case::base64_over_hex(STANDARD.encode(b"2f7372762f776f726b2f7370616365"), Encoding::Base64)]
#[case::base64_over_json(
    STANDARD.encode(br#"{"path":"\/srv\/work\u002Fspace"}"#),
    Encoding::Base64
)]
#[case::base64_over_json_over_base64(
    STANDARD.encode(r"L3Nydi93\nb3JrL3NwYWNl"),
    Encoding::Base64
)]
#[case::base64_over_json_and_percent(STANDARD.encode(br"\/srv%2Fwork%2Fspace"), Encoding::Base64)]
#[case::base64_over_utf16(STANDARD.encode(wide("cd /srv/work/space")), Encoding::Base64)]
#[case::base64_url_over_base64(URL_SAFE_NO_PAD.encode(STANDARD.encode(PADDED)), Encoding::Base64)]
#[case::base64_in_a_path(format!("/cache/{}", URL_SAFE_NO_PAD.encode(PATH)), Encoding::Base64)]
#[case::base64_in_a_word(format!("x{}", STANDARD.encode(PATH)), Encoding::Base64)]
#[case::base64_after_two(format!("xy{}yx", STANDARD.encode(PATH)), Encoding::Base64)]
#[case::base64_after_three(format!("xyz{}z", STANDARD.encode(PATH)), Encoding::Base64)]
#[case::utf16_over_json(
    String::from_utf8(wide(r"\/srv\/work\/space")).expect("zero bytes are text"),
    Encoding::Utf16
)]
#[case::json_over_utf16(
    String::from_utf8(wide("/srv/work/space")).expect("it is text").replace('\0', "\\u0000"),
    Encoding::Utf16
)]
fn layers_are_seen_through(#[case] haystack: String, #[case] encoding: Encoding) {
    let kind = Kind::WorkspacePath;
    let forbidden = Forbidden::new().value(kind, PATH);
    assert_eq!(
        forbidden.scan(haystack.as_bytes()),
        Some(Hit { kind, encoding })
    );
}

/// Two layers are seen through, whatever escapes lie between; a third is not looked for.
#[rstest]
#[case::base64(|text: &str| STANDARD.encode(text))]
#[case::base64_in_json(|text: &str| STANDARD.encode(format!("{}\\n{}", &text[..8], &text[8..])))]
fn a_third_layer_is_not_looked_for(#[case] encode: fn(&str) -> String) {
    let forbidden = Forbidden::new().value(Kind::WorkspacePath, PATH);
    let one = STANDARD.encode(PATH);
    let two = encode(&one);
    assert!(forbidden.scan(two.as_bytes()).is_some());
    let three = encode(&two);
    assert_eq!(forbidden.scan(three.as_bytes()), None);
}

/// What looks like an escape belongs to the value.
#[rstest]
#[case::raw("/srv/100%25/x".into(), Encoding::Raw)]
#[case::json(r"\/srv\/100%25\/x".into(), Encoding::JsonEscaped)]
#[case::percent("%2Fsrv%2F100%2525%2Fx".into(), Encoding::PercentEncoded)]
#[case::base64(STANDARD.encode("/srv/100%25/x"), Encoding::Base64)]
#[case::base64_over_json(STANDARD.encode(r"\/srv\/100%25\/x"), Encoding::Base64)]
fn a_value_with_a_percent_sign_is_found(#[case] haystack: String, #[case] encoding: Encoding) {
    let kind = Kind::WorkspacePath;
    let forbidden = Forbidden::new().value(kind, "/srv/100%25/x");
    assert_eq!(
        forbidden.scan(haystack.as_bytes()),
        Some(Hit { kind, encoding })
    );
}

#[rstest]
#[case::raw(b"/srv/\xff\xfework", Encoding::Raw)]
#[case::replaced("/srv/\u{fffd}\u{fffd}work".as_bytes(), Encoding::Raw)]
#[case::replaced_in_json(br"/srv/\ufffd\ufffdwork", Encoding::JsonEscaped)]
#[case::as_python_writes_it(br"/srv/\udcff\udcfework", Encoding::JsonEscaped)]
#[case::percent(b"/srv/%FF%FEwork", Encoding::PercentEncoded)]
#[case::hex(b"2f7372762ffffe776f726b", Encoding::Hex)]
fn a_path_that_is_no_text_is_found(#[case] haystack: &[u8], #[case] encoding: Encoding) {
    let kind = Kind::WorkspacePath;
    let forbidden = Forbidden::new().value(kind, b"/srv/\xff\xfework/");
    assert_eq!(forbidden.scan(haystack), Some(Hit { kind, encoding }));
}

#[rstest]
#[case::url_with_slash(Kind::BaseUrl, "https://edge:1/", "https://edge:1/v1")]
#[case::url_without_slash(Kind::BaseUrl, "https://edge:1/", "https://edge:1\"")]
#[case::url_given_without_slash(Kind::BaseUrl, "https://edge:1", "https://edge:1/")]
#[case::path_without_slash(Kind::WorkspacePath, "/srv/space/", "/srv/space")]
#[case::output_below(Kind::OutputPath, "/srv/out", "/srv/out/more")]
#[case::line_with_newline(Kind::ExpectedLine, "one line\n", "one line\n")]
#[case::line_without_newline(Kind::ExpectedLine, "one line\n", "\"one line\"")]
fn a_variant_is_found(#[case] kind: Kind, #[case] value: &str, #[case] haystack: &str) {
    let forbidden = Forbidden::new().value(kind, value);
    let encoding = Encoding::Raw;
    assert_eq!(
        forbidden.scan(haystack.as_bytes()),
        Some(Hit { kind, encoding })
    );
}

fn wide(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}
