//! Every field of the manifest removed, added, of another type and out of range.

use std::fmt::Write as _;

use harness::manifest::canonical;
use harness::schema::MANIFEST_SCHEMA_FILE;
use serde_json::{Value, json};

use crate::manifest::sample::{
    LAX, STRICT, assert_refused, bytes_of, code_of, manifest, nodes, schema_of, with, with_field,
    without,
};
use crate::rows::rows;

#[track_caller]
fn refused(code: &str, change: impl FnOnce(&mut Value)) {
    let mut changed = manifest();
    change(&mut changed);
    assert_refused(code, &STRICT, &changed);
}

rows! {
    by refused;
    schema_version_2 => "manifest-invalid schema", |m| m["schema_version"] = "2".into();
    schema_version_as_a_number => "manifest-invalid schema", |m| m["schema_version"] = 1.into();
    head_of_39_digits => "manifest-invalid schema", |m| m["source"]["head"] = "a".repeat(39).into();
    head_of_41_digits => "manifest-invalid schema", |m| m["source"]["head"] = "a".repeat(41).into();
    head_of_64_digits => "manifest-invalid schema", |m| m["source"]["head"] = "a".repeat(64).into();
    head_in_capitals => "manifest-invalid schema", |m| m["source"]["head"] = "A".repeat(40).into();
    head_of_other_letters => "manifest-invalid schema", |m| m["source"]["head"] = "g".repeat(40).into();
    head_with_a_line_feed => "manifest-invalid schema", |m| m["source"]["head"] = format!("{}\n", "a".repeat(40)).into();
    runner_os_unknown => "manifest-invalid schema", |m| m["runtime"]["runner_os"] = "freebsd".into();
    runner_arch_empty => "manifest-invalid schema", |m| m["runtime"]["runner_arch"] = "".into();
    runner_arch_of_33_letters => "manifest-invalid schema", |m| m["runtime"]["runner_arch"] = "x".repeat(33).into();
    workspace_arch_in_capitals => "manifest-invalid schema", |m| m["runtime"]["workspace_arch"] = "X86_64".into();
    delta_of_0 => "manifest-invalid schema", |m| m["ingress"]["delta"] = 0.into();
    delta_of_2 => "manifest-invalid schema", |m| m["ingress"]["delta"] = 2.into();
    delta_negative => "manifest-invalid schema", |m| m["ingress"]["delta"] = (-1).into();
    delta_as_a_float => "manifest-invalid shape", |m| m["ingress"]["delta"] = 1.0.into();
    delta_true => "manifest-invalid schema", |m| m["ingress"]["delta"] = true.into();
    delta_as_a_string => "manifest-invalid schema", |m| m["ingress"]["delta"] = "1".into();
    count_as_a_float => "manifest-invalid shape", |m| m["terminal"]["count"] = 1.0.into();
    count_true => "manifest-invalid schema", |m| m["terminal"]["count"] = true.into();
    count_of_2 => "manifest-invalid schema", |m| m["terminal"]["count"] = 2.into();
    exit_code_of_1 => "manifest-invalid schema", |m| m["verification"]["exit_code"] = 1.into();
    exit_code_false => "manifest-invalid schema", |m| m["verification"]["exit_code"] = false.into();
    exit_code_as_a_float => "manifest-invalid shape", |m| m["verification"]["exit_code"] = 0.0.into();
    changed_false => "manifest-invalid schema", |m| m["workspace"]["changed"] = false.into();
    changed_as_a_number => "manifest-invalid schema", |m| m["workspace"]["changed"] = 1.into();
    duration_negative => "manifest-invalid schema", |m| m["stages"][0]["duration_ms"] = (-1).into();
    duration_as_a_fraction => "manifest-invalid schema", |m| m["stages"][1]["duration_ms"] = 1.5.into();
    duration_as_a_float => "manifest-invalid shape", |m| m["stages"][2]["duration_ms"] = 80.0.into();
    duration_beyond_64_bits => "manifest-invalid shape", |m| m["terminal"]["duration_ms"] = 2e19.into();
    two_stages => "manifest-invalid schema", |m| stages(m).truncate(2);
    four_stages => "manifest-invalid schema", |m| { let last = m["stages"][2].clone(); stages(m).push(last); };
    no_stages => "manifest-invalid schema", |m| stages(m).clear();
    stage_unknown => "manifest-invalid schema", |m| m["stages"][0]["stage"] = "think".into();
    engine_unknown => "manifest-invalid schema", |m| m["stages"][0]["engine_family"] = "other".into();
    engines_permuted => "manifest-invalid schema", |m| m["runtime"]["stage_engines"] = json!(["ornith-fast", "gemini", "gemini"]);
    stop_reason_unknown => "manifest-invalid schema", |m| m["terminal"]["stop_reason"] = "max_tokens".into();
    match_count_of_1 => "manifest-invalid schema", |m| m["redaction"]["forbidden_match_count"] = 1.into();
    key_count_of_1 => "manifest-invalid schema", |m| m["redaction"]["forbidden_key_count"] = 1.into();
}

fn stages(manifest: &mut Value) -> &mut Vec<Value> {
    manifest["stages"].as_array_mut().expect("stages")
}

/// A generated case: its name, the document, and the codes under the project's schema and under
/// one that says nothing of values.
struct Case {
    name: String,
    changed: Value,
    strict: &'static str,
    lax: &'static str,
}

const BY_SCHEMA: &str = "manifest-invalid schema";
const BY_SHAPE: &str = "manifest-invalid shape";

fn case(name: String, changed: Value, strict: &'static str, lax: &'static str) -> Case {
    Case {
        name,
        changed,
        strict,
        lax,
    }
}

/// Every field removed.
fn removed(control: &Value) -> Vec<Case> {
    fields(control)
        .iter()
        .map(|pointer| {
            let changed = without(control, pointer);
            case(format!("{pointer} removed"), changed, BY_SCHEMA, BY_SCHEMA)
        })
        .collect()
}

/// A field more in every object.
fn added(control: &Value) -> Vec<Case> {
    let mut cases = Vec::new();
    for pointer in nodes(control) {
        if !control.pointer(&pointer).is_some_and(Value::is_object) {
            continue;
        }
        for (key, value) in [
            ("extra", json!("x")),
            ("", Value::Null),
            ("delta ", json!(1)),
        ] {
            let changed = with_field(control, &pointer, key, value);
            let name = format!("{pointer} with {key:?} added");
            cases.push(case(name, changed, BY_SCHEMA, BY_SCHEMA));
        }
    }
    cases
}

/// Every node of another type.
fn of_another_type(control: &Value) -> Vec<Case> {
    let mut cases = Vec::new();
    for pointer in nodes(control) {
        let value = control.pointer(&pointer).expect("a node");
        let same_as_float = value.as_u64().map(|number| json!(number_as_float(number)));
        for other in others(value) {
            let lax = if value.is_object() {
                BY_SCHEMA
            } else {
                BY_SHAPE
            };
            let strict = if Some(&other) == same_as_float.as_ref() {
                BY_SHAPE
            } else {
                BY_SCHEMA
            };
            let name = format!("{pointer} as {other}");
            cases.push(case(name, with(control, &pointer, other), strict, lax));
        }
    }
    cases
}

/// Values of other types than this one, and numbers that are no whole ones.
fn others(value: &Value) -> Vec<Value> {
    let candidates = [
        Value::Null,
        json!(true),
        json!(false),
        json!("1"),
        json!([]),
        json!({}),
        json!(1),
    ];
    let kind = std::mem::discriminant(value);
    let mut others: Vec<_> = candidates
        .into_iter()
        .filter(|candidate| std::mem::discriminant(candidate) != kind)
        .collect();
    if let Some(number) = value.as_u64() {
        let number = number_as_float(number);
        others.extend([json!(number), json!(number + 0.5), json!(-1)]);
    }
    others
}

#[expect(
    clippy::cast_precision_loss,
    reason = "the control's numbers are small"
)]
fn number_as_float(number: u64) -> f64 {
    number as f64
}

/// Every digest written in another way.
fn digests(control: &Value) -> Vec<Case> {
    let mut cases = Vec::new();
    for pointer in nodes(control) {
        let Some(digest) = control.pointer(&pointer).and_then(Value::as_str) else {
            continue;
        };
        let Some(digits) = digest.strip_prefix("sha256:") else {
            continue;
        };
        for other in [
            digest.to_uppercase(),
            format!("sha256:{}", digits.to_uppercase()),
            digits.to_owned(),
            format!("sha512:{digits}"),
            digest[..digest.len() - 1].to_owned(),
            format!("{digest}0"),
            format!("{digest}\n"),
            format!(" {digest}"),
            format!("sha256:{}", "g".repeat(64)),
            String::new(),
        ] {
            let name = format!("{pointer} as {other:?}");
            let changed = with(control, &pointer, other.into());
            cases.push(case(name, changed, BY_SCHEMA, BY_SHAPE));
        }
    }
    cases
}

/// The pointers of all fields of objects.
fn fields(control: &Value) -> Vec<String> {
    let is_field = |pointer: &String| {
        let parent = pointer.rsplit_once('/').map(|(parent, _)| parent);
        parent.is_some_and(|parent| control.pointer(parent).is_some_and(Value::is_object))
    };
    nodes(control).into_iter().filter(is_field).collect()
}

/// Asserts each case's codes, and that the schema file by itself agrees with them.
#[track_caller]
fn assert_all(cases: Vec<Case>, least: usize) {
    let control = manifest();
    let schema = schema_of(MANIFEST_SCHEMA_FILE);
    let schema = jsonschema::draft202012::new(&schema).expect("a schema");
    assert!(schema.is_valid(&control));
    assert_eq!(code_of(&bytes_of(&control), &STRICT), None, "the control");
    assert_eq!(code_of(&bytes_of(&control), &LAX), None, "the control");
    assert!(cases.len() >= least, "{} cases", cases.len());
    let mut wrong = String::new();
    for case in cases {
        assert_ne!(case.changed, control, "{} changes nothing", case.name);
        let bytes = canonical(&case.changed).expect("canonical bytes");
        let found = (
            schema.is_valid(&case.changed),
            code_of(&bytes, &STRICT),
            code_of(&bytes, &LAX),
        );
        let expected = (
            case.strict != BY_SCHEMA,
            Some(case.strict.to_owned()),
            Some(case.lax.to_owned()),
        );
        if found != expected {
            writeln!(wrong, "{}: {found:?}, not {expected:?}", case.name).expect("memory");
        }
    }
    assert!(wrong.is_empty(), "schema valid, strict, lax\n{wrong}");
}

#[test]
fn every_field_removed_is_refused() {
    assert_all(removed(&manifest()), 56);
}

#[test]
fn a_field_more_is_refused_in_every_object() {
    assert_all(added(&manifest()), 30);
}

#[test]
fn every_field_of_another_type_is_refused() {
    assert_all(of_another_type(&manifest()), 400);
}

#[test]
fn every_digest_in_another_form_is_refused() {
    assert_all(digests(&manifest()), 200);
}

/// Numbers that equal the right one but are not written as whole ones.
#[test]
fn whole_numbers_are_written_as_such() {
    let control = String::from_utf8(bytes_of(&manifest())).expect("text");
    for (field, other) in [
        ("\"delta\":1", "\"delta\":1e0"),
        ("\"delta\":1", "\"delta\":1.0"),
        ("\"delta\":1", "\"delta\":10e-1"),
        ("\"count\":1", "\"count\":1E0"),
        ("\"exit_code\":0", "\"exit_code\":-0"),
        ("\"exit_code\":0", "\"exit_code\":0e5"),
        ("\"forbidden_key_count\":0", "\"forbidden_key_count\":0.0"),
        (
            "\"forbidden_match_count\":0",
            "\"forbidden_match_count\":-0.0",
        ),
        ("\"duration_ms\":340", "\"duration_ms\":34e1"),
    ] {
        assert!(control.contains(field), "{field}");
        let changed = control.replacen(field, other, 1);
        for schema in [&*STRICT, &*LAX] {
            assert_eq!(
                code_of(changed.as_bytes(), schema).as_deref(),
                Some(BY_SHAPE),
                "{other}"
            );
        }
    }
}

#[test]
fn durations_may_be_0_and_as_long_as_64_bits_can_say() {
    for duration in [0, u64::MAX] {
        let changed = with(&manifest(), "/terminal/duration_ms", duration.into());
        assert_eq!(code_of(&bytes_of(&changed), &STRICT), None);
    }
}
