//! The schemas themselves.

use harness::schema::{MANIFEST_SCHEMA_FILE, REQUIRED};

use crate::manifest::sample::{manifest, nodes, schema_of};

#[test]
fn the_manifest_schema_is_a_schema_and_names_every_field() {
    let schema = schema_of(MANIFEST_SCHEMA_FILE);
    assert!(jsonschema::draft202012::meta::is_valid(&schema));
    let objects = nodes(&manifest())
        .into_iter()
        .filter(|pointer| {
            manifest()
                .pointer(pointer)
                .is_some_and(serde_json::Value::is_object)
        })
        .count();
    // The three stages are one object of the format.
    assert_eq!(objects - 2, REQUIRED.len());
    for (path, required) in REQUIRED {
        let pointer: String = path
            .iter()
            .map(|part| format!("/{}", if *part == "*" { "0" } else { part }))
            .collect();
        let fields = manifest();
        let fields = fields
            .pointer(&pointer)
            .and_then(serde_json::Value::as_object);
        let mut fields: Vec<_> = fields.expect("an object").keys().cloned().collect();
        let mut required = required.to_vec();
        fields.sort_unstable();
        required.sort_unstable();
        assert_eq!(fields, required, "{pointer}");
    }
}
