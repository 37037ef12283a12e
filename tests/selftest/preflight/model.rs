//! Model names that are malformed.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt as _;

use harness::inputs::Model;
use harness::inputs::fault::Fault;

use crate::preflight::row::{accepted, rows};
use crate::trial::Trial;

rows! {
    absent: Model => "model not-set", |t| t.standin.unset("IOP_SMOKE_MODEL");
    empty: Model => "model not-set", |t| is(t, "");
    of_257_bytes: Model => "model too-long", |t| is(t, "m".repeat(257));
    of_129_letters_and_258_bytes: Model => "model too-long", |t| is(t, "ä".repeat(129));
    with_a_line_feed: Model => "model control-character", |t| is(t, "standin-model\n");
    with_an_escape: Model => "model control-character", |t| is(t, "\u{1b}[31mmodel");
    with_a_delete: Model => "model control-character", |t| is(t, "model\u{7f}");
    not_utf8: Model => "model not-utf8", |t| is(t, OsString::from_vec(b"model\xff".to_vec()));
}

accepted! {
    of_1_byte: Model, |t| is(t, "m");
    of_256_bytes: Model, |t| is(t, "m".repeat(256));
    with_blanks_and_slashes: Model, |t| is(t, "a model/of:many@parts");
}

#[test]
fn an_empty_name_is_none() {
    assert!(matches!(Model::parse(""), Err(Fault::NotSet)));
}

fn is(trial: &mut Trial, model: impl Into<OsString>) {
    trial.standin.set("IOP_SMOKE_MODEL", model);
}
