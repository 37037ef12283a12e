//! Manifest schemas that do not keep the contract.

use std::fs;
use std::os::unix::fs::symlink;

use serde_json::{Value, json};

use crate::preflight::row::{accepted, rows};
use crate::trial::Trial;

rows! {
    absent: SchemaContract => "schema-contract absent", remove;
    directory: SchemaContract => "schema-contract not-regular", |t| {
        remove(t);
        fs::create_dir(t.path("schema.json")).expect("it can be made");
    };
    link: SchemaContract => "schema-contract link", |t| {
        fs::rename(t.path("schema.json"), t.path("aside.json")).expect("it can be moved");
        symlink("aside.json", t.path("schema.json")).expect("a link can be made");
    };
    over_a_mebibyte: SchemaContract => "schema-contract too-large", |t| reworded(t, |text| text + &" ".repeat(1 << 20));
    not_json: SchemaContract => "schema-contract not-json", |t| reworded(t, |text| text.replacen('{', "{,", 1));
    empty: SchemaContract => "schema-contract not-json", |t| reworded(t, |_| String::new());
    not_utf8: SchemaContract => "schema-contract not-utf8", |t| {
        fs::write(t.path("schema.json"), b"\"\xff\"").expect("it can be written");
    };
    trailing_bytes: SchemaContract => "schema-contract trailing-bytes", |t| reworded(t, |text| text + "{}");
    duplicate_key: SchemaContract => "schema-contract duplicate-key", |t| reworded(t, |text| text.replacen('{', r#"{"type":"object","#, 1));
    draft_7: SchemaContract => "schema-contract draft", |t| edited(t, |s| s["$schema"] = json!("http://json-schema.org/draft-07/schema#"));
    draft_missing: SchemaContract => "schema-contract draft", |t| edited(t, |s| drop_key(s, "", "$schema"));
    not_an_object: SchemaContract => "schema-contract draft", |t| edited(t, |s| *s = json!(true));
    type_that_does_not_exist: SchemaContract => "schema-contract invalid-schema", |t| edited(t, |s| s["$defs"]["terminal"]["type"] = json!("thing"));
    required_that_is_no_list: SchemaContract => "schema-contract invalid-schema", |t| edited(t, |s| s["required"] = json!("source"));
    pattern_that_is_no_expression: SchemaContract => "schema-contract invalid-schema", |t| edited(t, |s| s["$defs"]["digest"]["pattern"] = json!("["));

    open_manifest: SchemaContract => "schema-contract open-object", |t| opened(t, "");
    open_source: SchemaContract => "schema-contract open-object", |t| opened(t, "/$defs/source");
    open_runtime: SchemaContract => "schema-contract open-object", |t| opened(t, "/$defs/runtime");
    open_ingress: SchemaContract => "schema-contract open-object", |t| opened(t, "/$defs/ingress");
    open_stage: SchemaContract => "schema-contract open-object", |t| opened(t, "/$defs/stage");
    open_terminal: SchemaContract => "schema-contract open-object", |t| opened(t, "/$defs/terminal");
    open_workspace: SchemaContract => "schema-contract open-object", |t| opened(t, "/$defs/workspace");
    open_verification: SchemaContract => "schema-contract open-object", |t| opened(t, "/$defs/verification");
    open_redaction: SchemaContract => "schema-contract open-object", |t| opened(t, "/$defs/redaction");
    silent_about_other_keys: SchemaContract => "schema-contract open-object", |t| {
        edited(t, |s| drop_key(s, "/$defs/source", "additionalProperties"));
    };
    other_keys_of_a_kind: SchemaContract => "schema-contract open-object", |t| {
        edited(t, |s| s["$defs"]["source"]["additionalProperties"] = json!({"type": "string"}));
    };
    other_keys_by_a_pattern: SchemaContract => "schema-contract open-object", |t| {
        edited(t, |s| s["$defs"]["source"]["patternProperties"] = json!({"^x": true}));
    };
    open_object_that_nothing_refers_to: SchemaContract => "schema-contract open-object", |t| {
        edited(t, |s| s["$defs"]["spare"] = json!({"type": "object"}));
    };
    open_object_among_alternatives: SchemaContract => "schema-contract open-object", |t| {
        edited(t, |s| s["$defs"]["terminal"]["anyOf"] = json!([{"properties": {"count": true}}]));
    };
    open_object_of_several_types: SchemaContract => "schema-contract open-object", |t| {
        edited(t, |s| s["properties"]["note"] = json!({"type": ["null", "object"]}));
    };

    manifest_requires_less: SchemaContract => "schema-contract required-list", |t| requires_less(t, "");
    source_requires_less: SchemaContract => "schema-contract required-list", |t| requires_less(t, "/$defs/source");
    runtime_requires_less: SchemaContract => "schema-contract required-list", |t| requires_less(t, "/$defs/runtime");
    ingress_requires_less: SchemaContract => "schema-contract required-list", |t| requires_less(t, "/$defs/ingress");
    stage_requires_less: SchemaContract => "schema-contract required-list", |t| requires_less(t, "/$defs/stage");
    terminal_requires_less: SchemaContract => "schema-contract required-list", |t| requires_less(t, "/$defs/terminal");
    workspace_requires_less: SchemaContract => "schema-contract required-list", |t| requires_less(t, "/$defs/workspace");
    verification_requires_less: SchemaContract => "schema-contract required-list", |t| requires_less(t, "/$defs/verification");
    redaction_requires_less: SchemaContract => "schema-contract required-list", |t| requires_less(t, "/$defs/redaction");
    required_in_another_order: SchemaContract => "schema-contract required-list", |t| {
        edited(t, |s| required(s, "/$defs/runtime").swap(3, 4));
    };
    more_required: SchemaContract => "schema-contract required-list", |t| {
        edited(t, |s| required(s, "/$defs/source").push(json!("note")));
    };
    another_required: SchemaContract => "schema-contract required-list", |t| {
        edited(t, |s| required(s, "/$defs/workspace")[2] = json!("altered"));
    };
    nothing_required: SchemaContract => "schema-contract required-list", |t| edited(t, |s| drop_key(s, "/$defs/stage", "required"));
    section_missing: SchemaContract => "schema-contract required-list", |t| edited(t, |s| drop_key(s, "/properties", "ingress"));
    section_that_is_no_object: SchemaContract => "schema-contract required-list", |t| {
        edited(t, |s| s["properties"]["terminal"] = json!({"type": "string"}));
    };
    section_that_refers_to_itself: SchemaContract => "schema-contract required-list", |t| {
        edited(t, |s| s["$defs"]["terminal"] = json!({"$ref": "#/$defs/terminal"}));
    };
}

accepted! {
    other_words: SchemaContract, |t| edited(t, |s| s["title"] = json!("another title"));
    other_white_space: SchemaContract, |t| edited(t, |_| {});
    definitions_in_place: SchemaContract, |t| edited(t, |s| {
        let terminal = s["$defs"]["terminal"].take();
        s["properties"]["terminal"] = terminal;
        drop_key(s, "/$defs", "terminal");
    });
}

fn remove(trial: &mut Trial) {
    fs::remove_file(trial.path("schema.json")).expect("it is there");
}

fn reworded(trial: &mut Trial, change: impl FnOnce(String) -> String) {
    let path = trial.path("schema.json");
    let text = fs::read_to_string(&path).expect("the schema is there");
    fs::write(path, change(text)).expect("it can be written");
}

fn edited(trial: &mut Trial, change: impl FnOnce(&mut Value)) {
    reworded(trial, |text| {
        let mut schema = serde_json::from_str(&text).expect("the schema is JSON");
        change(&mut schema);
        schema.to_string()
    });
}

fn opened(trial: &mut Trial, object: &str) {
    edited(trial, |schema| {
        let object = schema.pointer_mut(object).expect("it is there");
        assert_eq!(object["additionalProperties"], false);
        object["additionalProperties"] = json!(true);
    });
}

fn requires_less(trial: &mut Trial, object: &str) {
    edited(trial, |schema| {
        required(schema, object)
            .pop()
            .expect("something is required");
    });
}

fn required<'s>(schema: &'s mut Value, object: &str) -> &'s mut Vec<Value> {
    let object = schema.pointer_mut(object).expect("it is there");
    object["required"].as_array_mut().expect("a list")
}

fn drop_key(schema: &mut Value, object: &str, key: &str) {
    let object = schema.pointer_mut(object).and_then(Value::as_object_mut);
    let removed = object.and_then(|object| object.remove(key));
    assert!(removed.is_some(), "it has {key}");
}
