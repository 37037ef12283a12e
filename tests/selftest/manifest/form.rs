//! Bytes that are no JSON, or not in the published form.

use std::fs;

use harness::manifest::validate::validate;
use harness::measure::file;
use harness::reason::Reason;
use serde_json::Value;
use standin::scratch;

use crate::manifest::sample::{LAX, STRICT, bytes_of, code_of, manifest, nodes};
use crate::rows::rows;

#[track_caller]
fn refused(code: &str, change: impl FnOnce(&mut Vec<u8>)) {
    let control = bytes_of(&manifest());
    let mut changed = control.clone();
    change(&mut changed);
    assert_ne!(changed, control, "the row changes nothing");
    for schema in [&*STRICT, &*LAX] {
        assert_eq!(code_of(&control, schema), None, "the control");
        assert_eq!(code_of(&changed, schema).as_deref(), Some(code));
    }
}

rows! {
    by refused;
    empty => "manifest-invalid not-json", Vec::clear;
    blank => "manifest-invalid not-json", |b| *b = b" \n".to_vec();
    a_word => "manifest-invalid not-json", |b| *b = b"nothing\n".to_vec();
    cut_off_in_the_middle => "manifest-invalid not-json", |b| b.truncate(b.len() / 2);
    cut_off_by_two_bytes => "manifest-invalid not-json", |b| b.truncate(b.len() - 2);
    byte_order_mark => "manifest-invalid not-json", |b| drop(b.splice(..0, *b"\xEF\xBB\xBF"));
    comma_at_the_end => "manifest-invalid not-json", |b| replace(b, "}\n", ",}\n");
    number_with_a_leading_zero => "manifest-invalid not-json", |b| replace(b, "\"delta\":1", "\"delta\":01");
    number_that_is_none => "manifest-invalid not-json", |b| replace(b, "\"delta\":1", "\"delta\":NaN");
    number_beyond_all_bounds => "manifest-invalid not-json", |b| replace(b, "\"delta\":1", "\"delta\":1e999");
    single_quotes => "manifest-invalid not-json", |b| replace(b, "\"delta\"", "'delta'");
    nesting_without_end => "manifest-invalid not-json", |b| *b = b"[".repeat(100_000);
    invalid_utf_8 => "manifest-invalid not-utf8", |b| replace_bytes(b, b"end_turn", b"end_tur\xFF");
    utf_16 => "manifest-invalid not-utf8", |b| {
        *b = b"\xFF\xFE".iter().copied().chain(b.iter().flat_map(|byte| [*byte, 0])).collect();
    };
    latin_1 => "manifest-invalid not-utf8", |b| replace_bytes(b, b"end_turn", b"end_t\xFCrn");
    a_byte_behind => "manifest-invalid trailing-bytes", |b| b.push(b'x');
    a_nul_behind => "manifest-invalid trailing-bytes", |b| b.push(0);
    two_documents => "manifest-invalid trailing-bytes", |b| b.extend_from_within(..);
    brace_behind => "manifest-invalid trailing-bytes", |b| b.extend(b"}\n");
    key_twice => "manifest-invalid duplicate-key", |b| replace(b, "\"delta\":1", "\"delta\":1,\"delta\":1");
    key_twice_the_first_wrong => "manifest-invalid duplicate-key", |b| replace(b, "\"delta\":1", "\"delta\":2,\"delta\":1");
    key_twice_once_with_an_escape => "manifest-invalid duplicate-key", |b| replace(b, "\"delta\":1", "\"delta\":1,\"d\\u0065lta\":1");
    section_twice => "manifest-invalid duplicate-key", |b| replace(b, "{\"ingress\":{\"delta\":1}", "{\"ingress\":{\"delta\":1},\"ingress\":{\"delta\":1}");
    pretty => "manifest-invalid not-canonical", |b| {
        let value: Value = serde_json::from_slice(b).expect("json");
        *b = serde_json::to_vec_pretty(&value).expect("json");
        b.push(b'\n');
    };
    keys_not_sorted => "manifest-invalid not-canonical", |b| replace(
        b,
        "\"forbidden_key_count\":0,\"forbidden_match_count\":0",
        "\"forbidden_match_count\":0,\"forbidden_key_count\":0",
    );
    missing_newline => "manifest-invalid not-canonical", |b| b.truncate(b.len() - 1);
    second_newline => "manifest-invalid not-canonical", |b| b.push(b'\n');
    carriage_return => "manifest-invalid not-canonical", |b| replace(b, "}\n", "}\r\n");
    blank_in_front => "manifest-invalid not-canonical", |b| b.insert(0, b' ');
    blank_behind_a_colon => "manifest-invalid not-canonical", |b| replace(b, "\"delta\":1", "\"delta\": 1");
    blank_before_the_newline => "manifest-invalid not-canonical", |b| replace(b, "}\n", "} \n");
    escape_in_a_key => "manifest-invalid not-canonical", |b| replace(b, "\"delta\"", "\"d\\u0065lta\"");
    escape_in_a_string => "manifest-invalid not-canonical", |b| replace(b, "end_turn", "end\\u005fturn");
    a_list => "manifest-invalid schema", |b| *b = b"[]\n".to_vec();
    a_number => "manifest-invalid schema", |b| *b = b"1\n".to_vec();
    nothing_but_null => "manifest-invalid schema", |b| *b = b"null\n".to_vec();
    an_empty_object => "manifest-invalid schema", |b| *b = b"{}\n".to_vec();
    a_manifest_in_a_list => "manifest-invalid schema", |b| {
        b.pop();
        *b = [b"[", &**b, b"]\n"].concat();
    };
}

#[track_caller]
fn replace(bytes: &mut Vec<u8>, part: &str, by: &str) {
    replace_bytes(bytes, part.as_bytes(), by.as_bytes());
}

/// Puts something in place of the last such part.
#[track_caller]
fn replace_bytes(bytes: &mut Vec<u8>, part: &[u8], by: &[u8]) {
    let at = bytes
        .windows(part.len())
        .rposition(|window| window == part)
        .expect("such a part");
    bytes.splice(at..at + part.len(), by.iter().copied());
}

#[test]
fn a_manifest_that_is_cut_off_anywhere_is_refused() {
    let control = bytes_of(&manifest());
    for end in 0..control.len() {
        let code = code_of(&control[..end], &STRICT);
        let expected = if end == control.len() - 1 {
            "manifest-invalid not-canonical"
        } else {
            "manifest-invalid not-json"
        };
        assert_eq!(code.as_deref(), Some(expected), "cut at {end}");
    }
}

#[test]
fn a_key_twice_is_refused_in_every_object() {
    let control = manifest();
    let text = String::from_utf8(bytes_of(&control)).expect("text");
    let mut objects = 0;
    for pointer in nodes(&control) {
        let Some(fields) = control.pointer(&pointer).and_then(Value::as_object) else {
            continue;
        };
        let inner = serde_json::to_string(fields).expect("json");
        assert!(text.contains(&inner), "{pointer}");
        for (key, value) in fields {
            let field = format!("{}:{value}", Value::from(key.as_str()));
            let doubled = inner.replacen('{', &format!("{{{field},"), 1);
            let changed = text.replacen(&inner, &doubled, 1);
            let code = code_of(changed.as_bytes(), &STRICT);
            assert_eq!(
                code.as_deref(),
                Some("manifest-invalid duplicate-key"),
                "{pointer}/{key}"
            );
        }
        objects += 1;
    }
    assert!(objects > 8);
}

#[test]
fn nothing_of_a_manifest_is_printed() {
    let mut changed = manifest();
    changed["CANARY"] = "CANARY".into();
    changed["source"]["CANARY/~1"] = "CANARY".into();
    for bytes in [bytes_of(&changed), b"{\"CANARY\":CANARY".to_vec()] {
        let refusal = validate(&bytes, &STRICT).expect_err("it is refused");
        assert!(
            !format!("{refusal} {refusal:?}").contains("CANARY"),
            "{refusal:?}"
        );
    }
}

/// A file in place of a manifest.
#[track_caller]
fn file_refused(code: &str, make: impl FnOnce(&std::path::Path)) {
    let folder = scratch::folder().expect("a folder");
    let path = folder.path().join("manifest.json");
    make(&path);
    let refusal = file::read(Reason::ManifestFile, &path).expect_err("it is refused");
    assert_eq!(refusal.code(), code);
}

/// Files that cannot be judged.
pub(crate) mod files {
    use super::{file_refused, fs, rows};

    rows! {
        by file_refused;
        absent => "manifest-file absent", |_| ();
        link => "manifest-file link", |path| {
            fs::write(path.with_extension("1"), "{}\n").expect("a file");
            std::os::unix::fs::symlink(path.with_extension("1"), path).expect("a link");
        };
        dangling_link => "manifest-file link", |path| {
            std::os::unix::fs::symlink("nowhere", path).expect("a link");
        };
        directory => "manifest-file not-regular", |path| fs::create_dir(path).expect("a directory");
        fifo => "manifest-file not-regular", |path| {
            nix::unistd::mkfifo(path, nix::sys::stat::Mode::S_IRUSR).expect("a fifo");
        };
        one_byte_over_1_mib => "manifest-file too-large", |path| {
            fs::write(path, vec![b' '; (1 << 20) + 1]).expect("a file");
        };
    }
}

#[test]
fn a_file_of_1_mib_is_read() {
    let folder = scratch::folder().expect("a folder");
    let path = folder.path().join("manifest.json");
    fs::write(&path, vec![b' '; 1 << 20]).expect("a file");
    let (_, bytes) = file::read(Reason::ManifestFile, &path).expect("it is read");
    assert_eq!(bytes.len(), 1 << 20);
}
