//! A private value with the forms it is searched for in.

use std::borrow::Cow;

use secrecy::{ExposeSecret as _, SecretSlice};
use zeroize::Zeroize as _;

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
        match String::from_utf8_lossy(core) {
            // What is not UTF-8 is often printed with replacement characters.
            Cow::Owned(mut lossy) => {
                forms.extend(wide(&lossy));
                forms.push(Form::new(None, lossy.as_bytes().to_vec()));
                lossy.zeroize();
            }
            // In wide ASCII every other byte is zero, which one of the readings takes out.
            Cow::Borrowed(text) if !text.is_ascii() => forms.extend(wide(text)),
            Cow::Borrowed(_) => {}
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
    fn new(encoding: Option<Encoding>, bytes: Vec<u8>) -> Self {
        Self {
            encoding,
            // Not a `Vec`: its spare capacity would be given back unwiped.
            bytes: bytes.into_boxed_slice().into(),
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
    // The capacity is never exceeded, so that no copy is left behind unwiped.
    let mut orders = [(); 2].map(|()| Vec::with_capacity(2 * text.len()));
    for unit in text.encode_utf16() {
        orders[0].extend(unit.to_le_bytes());
        orders[1].extend(unit.to_be_bytes());
    }
    orders.map(|bytes| Form::new(Some(Encoding::Utf16), bytes))
}
