//! A private value with the forms it is searched for in.

use secrecy::{ExposeSecret as _, SecretSlice};
use zeroize::Zeroizing;

use super::{Encoding, Forbidden, Kind};

/// A private value; it is wiped on drop and has no way to be printed.
pub(super) struct Needle {
    kind: Kind,
    forms: Vec<Form>,
}

impl Needle {
    /// The value, cut down to what its variants have in common.
    pub(super) fn new(kind: Kind, value: &[u8]) -> Self {
        let core = core(kind, value);
        let mut forms = vec![Form::new(None, core.to_vec())];
        match str::from_utf8(core) {
            // In wide ASCII every other byte is zero, which one of the readings takes out.
            Ok(text) if text.is_ascii() => {}
            Ok(text) => forms.extend(wide(text)),
            // What is not UTF-8 is often printed with replacement characters.
            Err(_) => {
                let lossy = lossy(core);
                forms.extend(wide(&lossy));
                forms.push(Form::new(None, lossy.as_bytes().to_vec()));
            }
        }
        Self { kind, forms }
    }

    pub(super) fn kind(&self) -> Kind {
        self.kind
    }

    pub(super) fn forms(&self) -> &[Form] {
        &self.forms
    }
}

/// Bytes to search for.
pub(super) struct Form {
    encoding: Option<Encoding>,
    bytes: SecretSlice<u8>,
}

impl Form {
    /// The bytes must fill their capacity, or they are moved and a copy is left behind unwiped.
    fn new(encoding: Option<Encoding>, bytes: Vec<u8>) -> Self {
        Self {
            encoding,
            bytes: bytes.into(),
        }
    }

    /// The encoding that the bytes themselves are in, if any.
    pub(super) fn encoding(&self) -> Option<Encoding> {
        self.encoding
    }

    pub(super) fn bytes(&self) -> &[u8] {
        self.bytes.expose_secret()
    }
}

/// The part of the value that is there in all its variants.
fn core(kind: Kind, value: &[u8]) -> &[u8] {
    let ending: &[u8] = match kind {
        Kind::BaseUrl | Kind::WorkspacePath | Kind::OutputPath => b"/",
        Kind::ExpectedLine => b"\r\n",
        Kind::Model | Kind::Secret => b"",
    };
    let end = value
        .iter()
        .rposition(|byte| !ending.contains(byte))
        .map_or(0, |last| last + 1);
    if end < Forbidden::LEAST {
        value
    } else {
        &value[..end]
    }
}

/// The text in two bytes a character, in both byte orders.
fn wide(text: &str) -> [Form; 2] {
    let size = 2 * text.encode_utf16().count();
    let mut orders = [(); 2].map(|()| Vec::with_capacity(size));
    for unit in text.encode_utf16() {
        orders[0].extend(unit.to_le_bytes());
        orders[1].extend(unit.to_be_bytes());
    }
    orders.map(|bytes| Form::new(Some(Encoding::Utf16), bytes))
}

/// The text with a replacement character for each stretch that is no UTF-8.
fn lossy(bytes: &[u8]) -> Zeroizing<String> {
    // A replacement character has three bytes and stands for one at least: this never grows.
    let mut text = Zeroizing::new(String::with_capacity(3 * bytes.len()));
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        if !chunk.invalid().is_empty() {
            text.push(char::REPLACEMENT_CHARACTER);
        }
    }
    text
}
