//! Each kind of value in each single encoding.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE, URL_SAFE_NO_PAD};
use harness::redaction::{Encoding, Hit, Kind};
use rstest::rstest;

use super::{embed, forbidden, value_of};

#[derive(Clone, Copy, Debug)]
enum Form {
    Raw,
    JsonLower,
    JsonUpper,
    JsonTwice,
    PercentLower,
    PercentUpper,
    PercentTwice,
    Base64,
    Base64SecondByte,
    Base64ThirdByte,
    Base64Bare,
    Base64UrlSafe,
    Base64UrlSafeBare,
    HexLower,
    HexUpper,
    HexMixed,
    HexOddStart,
    Utf16Le,
    Utf16Be,
}

impl Form {
    fn encode(self, value: &str) -> Vec<u8> {
        let bytes = value.as_bytes();
        match self {
            Self::Raw => bytes.to_vec(),
            Self::JsonLower => json(value).into_bytes(),
            Self::JsonUpper => json(value)
                .to_uppercase()
                .replace("\\U", "\\u")
                .into_bytes(),
            Self::JsonTwice => json(value).replace('\\', "\\\\").into_bytes(),
            Self::PercentLower => percent(bytes).into_bytes(),
            Self::PercentUpper => percent(bytes).to_uppercase().into_bytes(),
            Self::PercentTwice => percent(percent(bytes).as_bytes()).into_bytes(),
            Self::Base64 => STANDARD.encode(bytes).into_bytes(),
            Self::Base64SecondByte => STANDARD.encode(format!(":{value}\n")).into_bytes(),
            Self::Base64ThirdByte => STANDARD.encode(format!("u:{value}\n")).into_bytes(),
            Self::Base64Bare => STANDARD_NO_PAD.encode(bytes).into_bytes(),
            Self::Base64UrlSafe => URL_SAFE.encode(bytes).into_bytes(),
            Self::Base64UrlSafeBare => URL_SAFE_NO_PAD.encode(format!("?{value}")).into_bytes(),
            Self::HexLower => hex(bytes).into_bytes(),
            Self::HexUpper => hex(bytes).to_uppercase().into_bytes(),
            Self::HexMixed => hex(bytes).replace('a', "A").replace('e', "E").into_bytes(),
            Self::HexOddStart => format!("f{}", hex(bytes)).into_bytes(),
            Self::Utf16Le => value.encode_utf16().flat_map(u16::to_le_bytes).collect(),
            Self::Utf16Be => value.encode_utf16().flat_map(u16::to_be_bytes).collect(),
        }
    }

    fn encoding(self) -> Encoding {
        match self {
            Self::Raw => Encoding::Raw,
            Self::JsonLower | Self::JsonUpper | Self::JsonTwice => Encoding::JsonEscaped,
            Self::PercentLower | Self::PercentUpper | Self::PercentTwice => {
                Encoding::PercentEncoded
            }
            Self::Base64
            | Self::Base64SecondByte
            | Self::Base64ThirdByte
            | Self::Base64Bare
            | Self::Base64UrlSafe
            | Self::Base64UrlSafeBare => Encoding::Base64,
            Self::HexLower | Self::HexUpper | Self::HexMixed | Self::HexOddStart => Encoding::Hex,
            Self::Utf16Le | Self::Utf16Be => Encoding::Utf16,
        }
    }
}

#[rstest]
fn a_value_of_each_kind_is_found(
    #[values(
        Form::Raw,
        Form::JsonLower,
        Form::JsonUpper,
        Form::JsonTwice,
        Form::PercentLower,
        Form::PercentUpper,
        Form::PercentTwice,
        Form::Base64,
        Form::Base64SecondByte,
        Form::Base64ThirdByte,
        Form::Base64Bare,
        Form::Base64UrlSafe,
        Form::Base64UrlSafeBare,
        Form::HexLower,
        Form::HexUpper,
        Form::HexMixed,
        Form::HexOddStart,
        Form::Utf16Le,
        Form::Utf16Be
    )]
    form: Form,
) {
    for kind in Kind::ALL.iter().copied() {
        let haystack = embed(&form.encode(value_of(kind)));
        let hit = Hit {
            kind,
            encoding: form.encoding(),
        };
        assert_eq!(forbidden().scan(&haystack), Some(hit), "{kind}");
        assert_eq!(forbidden().hits(&haystack), [hit], "{kind}");
    }
}

/// Escapes every character.
fn json(value: &str) -> String {
    value
        .encode_utf16()
        .map(|unit| format!("\\u{unit:04x}"))
        .collect()
}

/// Encodes every byte.
fn percent(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("%{byte:02x}")).collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
