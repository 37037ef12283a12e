//! Evidence files that do not have the form of sealed evidence.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};

use harness::evidence::Evidence;
use serde_json::{Value, json};
use standin::deployment::Extent;

use crate::preflight::row::{accepted, rows};
use crate::preflight::sealed::{edited, reworded};
use crate::trial::Trial;

rows! {
    absent: RuntimeFile => "runtime-file absent", remove;
    directory: RuntimeFile => "runtime-file not-regular", |t| {
        remove(t);
        fs::create_dir(t.path("evidence.json")).expect("it can be made");
    };
    link: RuntimeFile => "runtime-file link", |t| {
        fs::rename(t.path("evidence.json"), t.path("aside.json")).expect("it can be moved");
        symlink("aside.json", t.path("evidence.json")).expect("a link can be made");
    };
    fifo: RuntimeFile => "runtime-file not-regular", |t| {
        remove(t);
        nix::unistd::mkfifo(&t.path("evidence.json"), nix::sys::stat::Mode::S_IRUSR).expect("it can be made");
    };
    unreadable: RuntimeFile => "runtime-file unreadable", |t| {
        fs::set_permissions(t.path("evidence.json"), fs::Permissions::from_mode(0o0)).expect("it can be changed");
        t.unprivileged = true;
    };
    over_a_mebibyte: RuntimeFile => "runtime-file too-large", |t| reworded(t, |text| text + &" ".repeat(1 << 20));

    empty: RuntimeFile => "runtime-file not-json", |t| reworded(t, |_| String::new());
    cut_off: RuntimeFile => "runtime-file not-json", |t| reworded(t, |text| text[..text.len() / 2].to_owned());
    byte_order_mark: RuntimeFile => "runtime-file not-json", |t| reworded(t, |text| format!("\u{feff}{text}"));
    comment: RuntimeFile => "runtime-file not-json", |t| reworded(t, |text| format!("// sealed\n{text}"));
    not_utf8: RuntimeFile => "runtime-file not-utf8", |t| {
        fs::write(t.path("evidence.json"), b"{\"\xff\":1}").expect("it can be written");
    };
    trailing_bytes: RuntimeFile => "runtime-file trailing-bytes", |t| reworded(t, |text| text + "x");
    trailing_value: RuntimeFile => "runtime-file trailing-bytes", |t| reworded(t, |text| format!("{text}{text}"));
    trailing_nul: RuntimeFile => "runtime-file trailing-bytes", |t| reworded(t, |text| text + "\0");
    duplicate_key: RuntimeFile => "runtime-file duplicate-key", |t| {
        reworded(t, |text| text.replacen('{', r#"{"schema_version":"1","#, 1));
    };
    duplicate_key_in_source: RuntimeFile => "runtime-file duplicate-key", |t| {
        reworded(t, |text| text.replace(r#""head":"#, r#""head":"x","head":"#));
    };
    duplicate_key_in_runtime: RuntimeFile => "runtime-file duplicate-key", |t| {
        reworded(t, |text| text.replace(r#""runner_os":"#, r#""runner_os":"linux","runner_os":"#));
    };

    not_an_object: RuntimeFile => "runtime-file shape", |t| edited(t, |e| *e = json!([e.clone()]));
    unknown_key: RuntimeFile => "runtime-file shape", |t| edited(t, |e| e["note"] = json!("x"));
    unknown_key_in_source: RuntimeFile => "runtime-file shape", |t| edited(t, |e| e["source"]["note"] = json!("x"));
    unknown_key_in_runtime: RuntimeFile => "runtime-file shape", |t| edited(t, |e| e["runtime"]["note"] = json!("x"));
    missing_schema_version: RuntimeFile => "runtime-file shape", |t| edited(t, |e| drop_key(e, "", "schema_version"));
    missing_source: RuntimeFile => "runtime-file shape", |t| edited(t, |e| drop_key(e, "", "source"));
    missing_branch: RuntimeFile => "runtime-file shape", |t| edited(t, |e| drop_key(e, "/source", "branch_digest"));
    missing_engines: RuntimeFile => "runtime-file shape", |t| edited(t, |e| drop_key(e, "/runtime", "stage_engines"));

    schema_version_2: RuntimeFile => "runtime-file schema-version", |t| edited(t, |e| e["schema_version"] = json!("2"));
    schema_version_as_number: RuntimeFile => "runtime-file shape", |t| edited(t, |e| e["schema_version"] = json!(1));
    head_of_39_digits: RuntimeFile => "runtime-file head", |t| head(t, &"a".repeat(39));
    head_of_41_digits: RuntimeFile => "runtime-file head", |t| head(t, &"a".repeat(41));
    head_of_64_digits: RuntimeFile => "runtime-file head", |t| head(t, &"a".repeat(64));
    head_in_upper_case: RuntimeFile => "runtime-file head", |t| head(t, &"A".repeat(40));
    head_with_another_letter: RuntimeFile => "runtime-file head", |t| head(t, &"g".repeat(40));
    head_that_is_no_text: RuntimeFile => "runtime-file shape", |t| edited(t, |e| e["source"]["head"] = json!(null));
    digest_in_upper_case: RuntimeFile => "runtime-file shape", |t| digest(t, &format!("sha256:{}", "A".repeat(64)));
    digest_of_63_digits: RuntimeFile => "runtime-file shape", |t| digest(t, &format!("sha256:{}", "a".repeat(63)));
    digest_of_65_digits: RuntimeFile => "runtime-file shape", |t| digest(t, &format!("sha256:{}", "a".repeat(65)));
    digest_without_its_algorithm: RuntimeFile => "runtime-file shape", |t| digest(t, &"a".repeat(64));
    digest_of_another_algorithm: RuntimeFile => "runtime-file shape", |t| digest(t, &format!("sha512:{}", "a".repeat(64)));
    digest_as_number: RuntimeFile => "runtime-file shape", |t| edited(t, |e| e["runtime"]["edge_digest"] = json!(7));
    system_as_number: RuntimeFile => "runtime-file shape", |t| edited(t, |e| e["runtime"]["runner_os"] = json!(1));
    workspace_architecture_empty: RuntimeFile => "runtime-file workspace-arch", |t| workspace_arch(t, "");
    workspace_architecture_too_long: RuntimeFile => "runtime-file workspace-arch", |t| workspace_arch(t, &"a".repeat(33));
    workspace_architecture_in_upper_case: RuntimeFile => "runtime-file workspace-arch", |t| workspace_arch(t, "ARM64");
    workspace_architecture_with_a_slash: RuntimeFile => "runtime-file workspace-arch", |t| workspace_arch(t, "arm/64");
    two_engines: RuntimeFile => "runtime-file shape", |t| engines(t, json!(["gemini", "ornith-fast"]));
    four_engines: RuntimeFile => "runtime-file shape", |t| engines(t, json!(["gemini", "ornith-fast", "gemini", "gemini"]));
    engines_as_text: RuntimeFile => "runtime-file shape", |t| engines(t, json!("gemini"));
}

accepted! {
    white_space_around_it: RuntimeFile, |t| reworded(t, |text| format!("\n\t {text}\r\n\n"));
    keys_in_another_order: RuntimeFile, |t| reworded(t, |text| {
        let value: Value = serde_json::from_str(&text).expect("evidence is JSON");
        format!("{{\"source\":{},\"schema_version\":\"1\",\"runtime\":{}}}", value["source"], value["runtime"])
    });
    longest_workspace_architecture: RuntimeFile, |t| workspace_arch(t, &"a".repeat(32));
}

#[test]
fn every_key_is_required_and_of_its_type() {
    let trial = Trial::in_part(Extent::FILES);
    let bytes = fs::read(trial.path("evidence.json")).expect("evidence is there");
    let evidence: Value = serde_json::from_slice(&bytes).expect("evidence is JSON");
    let refused = |evidence: Value, what: &str| {
        let refusal = Evidence::parse(evidence.to_string().as_bytes()).expect_err(what);
        assert_eq!(refusal.code(), "runtime-file shape", "{what}");
    };
    let mut keys = 0;
    for object in ["", "/source", "/runtime"] {
        let map = evidence.pointer(object).and_then(Value::as_object);
        for key in map.expect("an object").keys() {
            keys += 1;
            let mut without = evidence.clone();
            drop_key(&mut without, object, key);
            refused(without, key);
            for other in [json!(1), json!(true), json!(null), json!({"a": 1})] {
                let mut of_another_type = evidence.clone();
                of_another_type.pointer_mut(object).expect("an object")[key] = other;
                refused(of_another_type, key);
            }
        }
    }
    assert_eq!(keys, 3 + 3 + 20);
}

fn remove(trial: &mut Trial) {
    fs::remove_file(trial.path("evidence.json")).expect("it is there");
}

fn drop_key(evidence: &mut Value, object: &str, key: &str) {
    let object = evidence.pointer_mut(object).and_then(Value::as_object_mut);
    let removed = object.and_then(|object| object.remove(key));
    assert!(removed.is_some(), "it has {key}");
}

fn head(trial: &mut Trial, head: &str) {
    edited(trial, |evidence| evidence["source"]["head"] = json!(head));
}

fn digest(trial: &mut Trial, digest: &str) {
    edited(trial, |evidence| {
        evidence["runtime"]["node_digest"] = json!(digest);
    });
}

fn workspace_arch(trial: &mut Trial, arch: &str) {
    edited(trial, |evidence| {
        evidence["runtime"]["workspace_arch"] = json!(arch);
    });
}

fn engines(trial: &mut Trial, engines: Value) {
    edited(trial, |evidence| {
        evidence["runtime"]["stage_engines"] = engines;
    });
}
