//! Keys and strings that may appear nowhere.

use serde_json::{Value, json};

use crate::manifest::sample::{
    LAX, STRICT, assert_refused, bytes_of, code_of, manifest, nodes, with, with_field,
};
use crate::rows::rows;

/// Parts that no key may contain.
const KEY_PARTS: [&str; 14] = [
    "prompt",
    "output",
    "token",
    "key",
    "auth",
    "credential",
    "secret",
    "password",
    "api_key",
    "apikey",
    "endpoint",
    "bearer",
    "cookie",
    "session",
];

/// Parts that no string may contain.
const STRING_PARTS: [&str; 6] = [
    "SECRET_SENTINEL",
    "RAW_",
    "http://",
    "https://",
    "Bearer ",
    "sk-ant-",
];

#[track_caller]
fn refused(code: &str, change: impl FnOnce(&mut Value)) {
    let mut changed = manifest();
    change(&mut changed);
    assert_refused(code, &STRICT, &changed);
    assert_refused(code, &LAX, &changed);
}

rows! {
    by refused;
    key_with_prompt => "manifest-invalid forbidden-key", |m| m["prompt"] = "x".into();
    key_with_output => "manifest-invalid forbidden-key", |m| m["raw_output_digest"] = "x".into();
    key_with_token => "manifest-invalid forbidden-key", |m| m["terminal"]["tokens"] = 12.into();
    key_with_key => "manifest-invalid forbidden-key", |m| m["monkey"] = "x".into();
    key_with_auth => "manifest-invalid forbidden-key", |m| m["source"]["author"] = "x".into();
    key_with_credential => "manifest-invalid forbidden-key", |m| m["credentials"] = json!([]);
    key_with_secret => "manifest-invalid forbidden-key", |m| m["runtime"]["secret_digest"] = "x".into();
    key_with_password => "manifest-invalid forbidden-key", |m| m["password"] = Value::Null;
    key_with_api_key => "manifest-invalid forbidden-key", |m| m["API_KEY"] = "x".into();
    key_with_apikey => "manifest-invalid forbidden-key", |m| m["apiKey"] = "x".into();
    key_with_endpoint => "manifest-invalid forbidden-key", |m| m["ingress"]["endpoint"] = "x".into();
    key_with_bearer => "manifest-invalid forbidden-key", |m| m["Bearer"] = "x".into();
    key_with_cookie => "manifest-invalid forbidden-key", |m| m["cookies"] = json!({});
    key_with_session => "manifest-invalid forbidden-key", |m| m["stages"][1]["session_id"] = "x".into();
    key_with_a_kelvin_sign => "manifest-invalid forbidden-key", |m| m["to\u{212a}en"] = "x".into();
    key_below_a_key_that_is_unknown => "manifest-invalid forbidden-key", |m| m["x"] = json!([[{"y": {"token": 1}}]]);
    key_count_under_a_longer_name => "manifest-invalid forbidden-key", |m| m["redaction"]["forbidden_key_counts"] = 0.into();
    key_count_in_capitals => "manifest-invalid forbidden-key", |m| m["redaction"]["FORBIDDEN_KEY_COUNT"] = 0.into();
    string_with_a_sentinel => "manifest-invalid forbidden-string", |m| m["source"]["head"] = "SECRET_SENTINEL".into();
    string_with_raw => "manifest-invalid forbidden-string", |m| m["terminal"]["stop_reason"] = "RAW_end_turn".into();
    string_with_http => "manifest-invalid forbidden-string", |m| m["runtime"]["runner_arch"] = "http://x".into();
    string_with_https => "manifest-invalid forbidden-string", |m| m["runtime"]["stage_engines"][1] = "HTTPS://x".into();
    string_with_a_bearer => "manifest-invalid forbidden-string", |m| m["stages"][0]["stage"] = "bearer x".into();
    string_with_a_key => "manifest-invalid forbidden-string", |m| m["runtime"]["claude_digest"] = "sk-ant-x".into();
    string_as_a_key => "manifest-invalid forbidden-string", |m| m["https://x"] = 1.into();
    string_in_a_list_that_is_unknown => "manifest-invalid forbidden-string", |m| m["x"] = json!([{"y": ["Raw_x"]}]);
}

/// The text in lower, upper and mixed case.
fn cases(text: &str) -> [String; 3] {
    let mixed = text.chars().enumerate().map(|(index, char)| {
        if index % 2 == 0 {
            char.to_ascii_uppercase()
        } else {
            char.to_ascii_lowercase()
        }
    });
    [text.to_lowercase(), text.to_uppercase(), mixed.collect()]
}

/// Asserts that a manifest is refused with this code under either schema.
#[track_caller]
fn assert_code(changed: &Value, code: &str, name: &str) {
    let bytes = bytes_of(changed);
    for schema in [&*STRICT, &*LAX] {
        assert_eq!(code_of(&bytes, schema).as_deref(), Some(code), "{name}");
    }
}

#[test]
fn every_part_is_found_in_a_key_of_every_object() {
    let control = manifest();
    for pointer in nodes(&control) {
        if !control.pointer(&pointer).is_some_and(Value::is_object) {
            continue;
        }
        for part in KEY_PARTS.iter().flat_map(|part| cases(part)) {
            for key in [part.clone(), format!("x{part}"), format!("{part}_x")] {
                let changed = with_field(&control, &pointer, &key, json!(0));
                let name = format!("{key} in {pointer}");
                assert_code(&changed, "manifest-invalid forbidden-key", &name);
            }
        }
    }
}

#[test]
fn every_part_is_found_in_every_string() {
    let control = manifest();
    for pointer in nodes(&control) {
        let Some(text) = control.pointer(&pointer).and_then(Value::as_str) else {
            continue;
        };
        for part in STRING_PARTS.iter().flat_map(|part| cases(part)) {
            let changed = with(&control, &pointer, format!("{text}{part}").into());
            let name = format!("{part} in {pointer}");
            assert_code(&changed, "manifest-invalid forbidden-string", &name);
        }
    }
}

#[test]
fn what_is_not_quite_forbidden_is_for_the_schema_to_refuse() {
    for text in ["secret-sentinel", "raw", "http:/x", "bearer", "sk-ant"] {
        let changed = with(
            &manifest(),
            "/runtime/runner_arch",
            format!("{text} ").into(),
        );
        let code = if text == "bearer" {
            "manifest-invalid forbidden-string"
        } else {
            "manifest-invalid schema"
        };
        assert_eq!(
            code_of(&bytes_of(&changed), &STRICT).as_deref(),
            Some(code),
            "{text}"
        );
    }
    let changed = with_field(&manifest(), "/source", "forbidden_key_count", json!(0));
    assert_code(
        &changed,
        "manifest-invalid schema",
        "the allowed key elsewhere",
    );
}
