//! Private values are found in every form, and nothing else is.

mod encodings;
mod layers;
mod limits;

use harness::constants::EXPECTED_LINE;
use harness::redaction::{Forbidden, Kind};

/// A value of each kind, with characters that encoders treat specially.
const VALUES: [(Kind, &str); 6] = [
    (Kind::Secret, "canary-key/+\"4711\"\\~end"),
    (Kind::BaseUrl, "https://edge.example:8443"),
    (Kind::Model, "smoke/one_request"),
    (Kind::WorkspacePath, "/srv/wörk space/𝄞"),
    (Kind::OutputPath, "/srv/out/manifest.json"),
    (Kind::ExpectedLine, EXPECTED_LINE),
];

fn value_of(kind: Kind) -> &'static str {
    VALUES
        .iter()
        .find(|(known, _)| *known == kind)
        .map(|(_, value)| *value)
        .expect("every kind has a value")
}

fn forbidden() -> Forbidden {
    VALUES
        .iter()
        .fold(Forbidden::new(), |forbidden, (kind, value)| {
            forbidden.value(*kind, value)
        })
}

/// The bytes as a string in something like a manifest.
fn embed(bytes: &[u8]) -> Vec<u8> {
    let before = br#"{"schema_version":"1","digest":"sha256:9f86d081884c7d65","note":"#;
    [before.as_slice(), b"\"", bytes, b"\",\"delta\":1}\n"].concat()
}
