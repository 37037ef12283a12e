//! The manifest schema as a contract: closed at every level, with the required lists of the format.

use jsonschema::Validator;
use serde_json::Value;

use crate::closed_set::closed_set;
use crate::json;
use crate::reason::Reason;
use crate::refusal::{Refusal, Verdict};

/// File name of the manifest schema in `schemas/`.
pub const MANIFEST_SCHEMA_FILE: &str = "single-request-claude-smoke-manifest.schema.json";

/// The required keys of each object of the manifest, by the path that leads to it.
///
/// An element of an array is reached by `*`.
pub const REQUIRED: [(&[&str], &[&str]); 9] = [
    (
        &[],
        &[
            "schema_version",
            "source",
            "runtime",
            "ingress",
            "stages",
            "terminal",
            "workspace",
            "verification",
            "redaction",
        ],
    ),
    (&["source"], &["head", "branch_digest", "worktree_digest"]),
    (
        &["runtime"],
        &[
            "runner_os",
            "runner_arch",
            "workspace_os",
            "workspace_arch",
            "workspace_root_digest",
            "workspace_owner_digest",
            "claude_digest",
            "claude_version_digest",
            "claude_help_digest",
            "edge_digest",
            "edge_version_digest",
            "node_digest",
            "node_version_digest",
            "config_digest",
            "config_check_digest",
            "schema_digest",
            "base_url_digest",
            "public_model_digest",
            "stage_engines",
            "stage_binding_digest",
        ],
    ),
    (&["ingress"], &["delta"]),
    (
        &["stages", "*"],
        &["stage", "engine_family", "duration_ms", "binding_digest"],
    ),
    (&["terminal"], &["count", "stop_reason", "duration_ms"]),
    (
        &["workspace"],
        &["before_digest", "after_digest", "changed"],
    ),
    (
        &["verification"],
        &["command_digest", "result_file_digest", "exit_code"],
    ),
    (
        &["redaction"],
        &["forbidden_match_count", "forbidden_key_count"],
    ),
];

closed_set! {
    /// Why a schema is not one of the manifest.
    pub enum SchemaFault(meaning) {
        Draft => "draft", "a schema of another draft than 2020-12";
        Invalid => "invalid-schema", "no valid schema";
        Open => "open-object", "an object that allows other keys than its own";
        Required => "required-list", "a list of required keys that is not the format's";
    }
}

/// A manifest schema that keeps the contract.
pub struct ManifestSchema(Validator);

impl ManifestSchema {
    /// Reads a schema file's bytes.
    ///
    /// # Errors
    /// `schema-contract`: it is no JSON, no valid schema of draft 2020-12, an
    /// object in it is open, or a required list differs from [`REQUIRED`].
    pub fn parse(bytes: &[u8]) -> Verdict<Self> {
        let schema = json::parse(bytes).map_err(|fault| {
            Refusal::new(Reason::SchemaContract)
                .detail(fault.circumstance())
                .expected("a JSON document")
                .caused_by(fault)
        })?;
        let refuse = |fault: SchemaFault| {
            Refusal::new(Reason::SchemaContract)
                .detail(fault)
                .expected("the closed schema of the manifest")
                .found(fault.meaning())
        };
        if schema.get("$schema").and_then(Value::as_str)
            != Some("https://json-schema.org/draft/2020-12/schema")
        {
            return Err(refuse(SchemaFault::Draft));
        }
        if !jsonschema::draft202012::meta::is_valid(&schema) {
            return Err(refuse(SchemaFault::Invalid));
        }
        if !closed(&schema) {
            return Err(refuse(SchemaFault::Open));
        }
        for (path, required) in REQUIRED {
            let lists = required_at(&schema, path).is_some_and(|found| {
                found
                    .iter()
                    .map(Value::as_str)
                    .eq(required.iter().copied().map(Some))
            });
            if !lists {
                return Err(refuse(SchemaFault::Required));
            }
        }
        let validator =
            jsonschema::draft202012::new(&schema).map_err(|_| refuse(SchemaFault::Invalid))?;
        Ok(Self(validator))
    }

    /// The first rule of the schema that an instance breaks, if any: the keyword
    /// and the path, of which only the format's own keys are kept.
    pub fn violation(&self, instance: &Value) -> Option<(String, String)> {
        let error = self.0.iter_errors(instance).next()?;
        let path = error.instance_path().to_string();
        let path = path
            .split('/')
            .filter(|part| !part.is_empty())
            .map(known)
            .collect::<Vec<_>>();
        Some((
            error.kind().keyword().to_owned(),
            format!("/{}", path.join("/")),
        ))
    }
}

/// Whether every object schema, at every depth, forbids other keys than its own.
fn closed(schema: &Value) -> bool {
    match schema {
        Value::Object(map) => {
            let object = map.contains_key("properties")
                || map.get("type").is_some_and(|kind| match kind {
                    Value::Array(kinds) => kinds.iter().any(|kind| kind == "object"),
                    kind => kind == "object",
                });
            (!object || map.get("additionalProperties") == Some(&Value::Bool(false)))
                && !map.contains_key("patternProperties")
                && map.iter().all(|(key, inner)| {
                    // The keys of `properties` and `$defs` are names, not keywords.
                    if key == "properties" || key == "$defs" {
                        inner
                            .as_object()
                            .is_some_and(|named| named.values().all(closed))
                    } else {
                        closed(inner)
                    }
                })
        }
        Value::Array(items) => items.iter().all(closed),
        _ => true,
    }
}

/// The `required` list of the object schema that a path of the instance leads to.
fn required_at<'s>(root: &'s Value, path: &[&str]) -> Option<&'s Vec<Value>> {
    let mut schema = resolved(root, root)?;
    for part in path {
        let next = match *part {
            "*" => schema
                .get("items")
                .or_else(|| schema.get("prefixItems")?.get(0))?,
            key => schema.get("properties")?.get(key)?,
        };
        schema = resolved(root, next)?;
    }
    schema.get("required")?.as_array()
}

/// Follows `$ref` within the document.
fn resolved<'s>(root: &'s Value, schema: &'s Value) -> Option<&'s Value> {
    let mut schema = schema;
    // Longer chains are loops.
    for _ in 0..8 {
        match schema.get("$ref").and_then(Value::as_str) {
            None => return Some(schema),
            Some(reference) => schema = root.pointer(reference.strip_prefix('#')?)?,
        }
    }
    None
}

/// A part of a path if it is one of the format's own keys or an index.
fn known(part: &str) -> &str {
    let key = REQUIRED.iter().any(|(_, keys)| keys.contains(&part));
    if key || part.bytes().all(|byte| byte.is_ascii_digit()) {
        part
    } else {
        "?"
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_object_is_closed_at_every_depth_or_it_is_open() {
        let leaf = json!({ "type": "object", "additionalProperties": false });
        for schema in [
            json!(true),
            json!({ "type": "string" }),
            json!({ "type": ["string", "null"] }),
            leaf.clone(),
            json!({ "type": ["object", "null"], "additionalProperties": false }),
            // Names that are keywords elsewhere.
            json!({ "additionalProperties": false, "properties": {
                "properties": { "type": "string" },
                "patternProperties": leaf,
                "$defs": true,
            } }),
            json!({ "$defs": { "properties": leaf, "patternProperties": leaf } }),
        ] {
            assert!(closed(&schema), "{schema}");
        }
        for schema in [
            json!({ "type": "object" }),
            json!({ "type": "object", "additionalProperties": true }),
            json!({ "type": ["object", "null"] }),
            json!({ "type": ["null", "object"] }),
            json!({ "properties": {} }),
            json!({ "additionalProperties": false, "properties": { "a": { "type": "object" } } }),
            json!({ "additionalProperties": false, "properties": [] }),
            json!({ "$defs": { "a": { "type": "object" } } }),
            json!({ "allOf": [leaf, { "type": "object" }] }),
            json!({ "additionalProperties": false, "patternProperties": { "a": true } }),
        ] {
            assert!(!closed(&schema), "{schema}");
        }
    }

    #[test]
    fn references_are_followed_but_not_for_ever() {
        let root = json!({
            "$defs": {
                "a": { "$ref": "#/$defs/b" },
                "b": { "required": ["x"] },
                "loop": { "$ref": "#/$defs/loop" },
                "away": { "$ref": "elsewhere.json" },
            },
            "properties": {
                "list": { "items": { "$ref": "#/$defs/a" } },
                "tuple": { "prefixItems": [{ "$ref": "#/$defs/b" }] },
                "loop": { "$ref": "#/$defs/loop" },
                "away": { "$ref": "#/$defs/away" },
            },
        });
        let found = |path: &[&str]| required_at(&root, path).cloned();
        assert_eq!(found(&["list", "*"]), Some(vec![json!("x")]));
        assert_eq!(found(&["tuple", "*"]), Some(vec![json!("x")]));
        for path in [&["loop"][..], &["away"], &["absent"], &["list"], &[]] {
            assert_eq!(found(path), None, "{path:?}");
        }
    }

    #[test]
    fn only_the_formats_own_keys_and_indices_are_told() {
        for (part, told) in [
            ("runtime", "runtime"),
            ("duration_ms", "duration_ms"),
            ("0", "0"),
            ("12", "12"),
            ("1a", "?"),
            ("made-up", "?"),
        ] {
            assert_eq!(known(part), told);
        }
    }

    #[test]
    fn a_violation_is_told_by_its_keyword_and_place() {
        let schema = json!({ "properties": { "stages": { "items": { "properties": {
            "stage": { "type": "string" },
            "made-up": { "const": 1 },
        } } } } });
        let schema = ManifestSchema(jsonschema::draft202012::new(&schema).unwrap());
        let told = |instance| schema.violation(&instance);
        let place = |keyword: &str, path: &str| Some((keyword.to_owned(), path.to_owned()));
        assert_eq!(told(json!({ "stages": [{}, { "stage": "plan" }] })), None);
        assert_eq!(
            told(json!({ "stages": [{}, { "stage": 1 }] })),
            place("type", "/stages/1/stage")
        );
        assert_eq!(
            told(json!({ "stages": [{ "made-up": 2 }] })),
            place("const", "/stages/0/?")
        );
    }
}
