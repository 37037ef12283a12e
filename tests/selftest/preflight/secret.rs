//! Keys, and names of their variable, that are malformed.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt as _;

use standin::deployment::SECRET_VARIABLE;

use crate::preflight::row::{accepted, rows};
use crate::trial::Trial;

rows! {
    name_absent: SecretName => "secret-name not-set", |t| t.standin.unset("IOP_SMOKE_SECRET_ENV");
    name_empty: SecretName => "secret-name not-set", |t| named(t, "");
    name_with_a_digit_first: SecretName => "secret-name variable-name", |t| named(t, "1KEY");
    name_with_a_dash: SecretName => "secret-name variable-name", |t| named(t, "STANDIN-KEY");
    name_with_a_blank: SecretName => "secret-name variable-name", |t| named(t, "STANDIN_API_KEY ");
    name_with_a_dollar: SecretName => "secret-name variable-name", |t| named(t, "$STANDIN_API_KEY");
    name_with_another_letter: SecretName => "secret-name variable-name", |t| named(t, "SCHLÜSSEL");
    // The key itself in place of its variable's name.
    name_that_is_a_key: SecretName => "secret-name variable-name", |t| named(t, standin::deployment::SECRET);
    name_not_utf8: SecretName => "secret-name not-utf8", |t| named(t, OsString::from_vec(b"KEY\xff".to_vec()));

    absent: SecretValue => "secret-value not-set", |t| t.standin.unset(SECRET_VARIABLE);
    empty: SecretValue => "secret-value not-set", |t| is(t, "");
    of_another_variable: SecretValue => "secret-value not-set", |t| named(t, "STANDIN_OTHER_KEY");
    without_its_name: SecretValue => "secret-value nameless", |t| named(t, "1KEY");
    of_7_bytes: SecretValue => "secret-value too-short", |t| is(t, "1234567");
    with_a_carriage_return: SecretValue => "secret-value control-character", |t| is(t, "standin-made-up\r");
    with_a_line_feed: SecretValue => "secret-value control-character", |t| is(t, "standin-made-up\n");
    with_a_line_feed_within: SecretValue => "secret-value control-character", |t| is(t, "standin\nx-other: header");
    with_a_tab: SecretValue => "secret-value control-character", |t| is(t, "standin\tmade-up");
    with_a_delete: SecretValue => "secret-value control-character", |t| is(t, "standin-made-up\u{7f}");
    short_and_with_a_line_feed: SecretValue => "secret-value control-character", |t| is(t, "1234\n");
    not_utf8: SecretValue => "secret-value not-utf8", |t| is(t, OsString::from_vec(b"standin-made-up\xff".to_vec()));
}

accepted! {
    of_8_bytes: SecretValue, |t| is(t, "12345678");
    with_blanks: SecretValue, |t| is(t, "standin made up");
    in_a_variable_of_lower_case: SecretValue, |t| {
        t.standin.set("_key1", "standin-made-up");
        named(t, "_key1");
    };
}

fn named(trial: &mut Trial, name: impl Into<OsString>) {
    trial.standin.set("IOP_SMOKE_SECRET_ENV", name);
}

fn is(trial: &mut Trial, value: impl Into<OsString>) {
    trial.standin.set(SECRET_VARIABLE, value);
}
