//! The committed and embedded OpenAPI document, and the schemas of games in it.
//!
//! The document is generated and compared by tests (see [`crate::openapi`], feature `openapi`); the
//! service only serves it. This module must not know any route.

use std::sync::LazyLock;

use serde_json::{Map, Value};
use umpire_engine::any_game::AnyGame;

use umpire_referee::schemas::JsonSchema;

/// The document, as JSON text.
pub const TEXT: &str = include_str!("../../../openapi/openapi.json");

/// The prefix of references to schemas.
pub const PREFIX: &str = "#/components/schemas/";

/// The component schemas of the document.
pub fn components() -> &'static Map<String, Value> {
    static COMPONENTS: LazyLock<Map<String, Value>> = LazyLock::new(|| {
        // The embedded text is JSON; a test parses it.
        let mut document: Value = serde_json::from_str(TEXT).unwrap_or_default();
        match document["components"]["schemas"].take() {
            Value::Object(schemas) => schemas,
            _ => Map::new(),
        }
    });
    &COMPONENTS
}

/// The component that a reference points to.
pub fn target(reference: &str) -> Option<&str> {
    reference.strip_prefix(PREFIX)
}

/// Replaces references in a schema by the schemas that they point to. A recursive schema accepts
/// anything inside itself.
fn inline(schema: &mut Value, known: &Map<String, Value>, within: &mut Vec<String>) {
    match schema {
        Value::Object(map) => {
            map.remove("discriminator");
            let name = map.get("$ref").and_then(Value::as_str).and_then(target).map(str::to_owned);
            let Some(name) = name else {
                map.values_mut().for_each(|value| inline(value, known, within));
                return;
            };
            map.remove("$ref");
            if within.contains(&name) {
                return;
            }
            for (field, value) in known.get(&name).and_then(Value::as_object).into_iter().flatten()
            {
                map.entry(field).or_insert_with(|| value.clone());
            }
            within.push(name);
            inline(schema, known, within);
            within.pop();
        }
        Value::Array(items) => items.iter_mut().for_each(|item| inline(item, known, within)),
        _ => {}
    }
}

/// The self-contained schema of a component of a game (`Options`, `Action`).
pub fn standalone(components: &Map<String, Value>, game: &dyn AnyGame, name: &str) -> JsonSchema {
    let target = format!("{PREFIX}{}.{name}", game.meta().id);
    alone(components, serde_json::json!({ "$ref": target }))
}

/// The action types of a game, each with its schema.
pub fn action_types(
    components: &Map<String, Value>,
    game: &dyn AnyGame,
) -> Vec<(String, JsonSchema)> {
    let Some(action) = components.get(&format!("{}.Action", game.meta().id)) else {
        return Vec::new();
    };
    let mut types = Vec::new();
    collect_types(components, action, &mut types);
    types.into_iter().map(|(name, schema)| (name, alone(components, schema))).collect()
}

/// Appends the action types in a schema. A type whose actions have several shapes is one type.
fn collect_types(components: &Map<String, Value>, schema: &Value, to: &mut Vec<(String, Value)>) {
    let schema = resolved(components, schema);
    match (type_names(components, schema).as_slice(), schema["oneOf"].as_array()) {
        ([name], _) => to.push((name.clone(), schema.clone())),
        (_, Some(alternatives)) => {
            alternatives.iter().for_each(|one| collect_types(components, one, to));
        }
        (names, None) => {
            if names.is_empty() {
                tracing::error!(%schema, "an action has no type");
            }
            to.extend(names.iter().map(|name| (name.clone(), schema.clone())));
        }
    }
}

/// Every distinct value of `type` in the objects of a schema.
fn type_names(components: &Map<String, Value>, schema: &Value) -> Vec<String> {
    let schema = resolved(components, schema);
    let tag = &schema["properties"]["type"];
    let own = tag["enum"].as_array().into_iter().flatten().chain(tag.get("const"));
    let mut names: Vec<String> = own.filter_map(Value::as_str).map(str::to_owned).collect();
    for parts in ["oneOf", "anyOf", "allOf"] {
        let parts = schema[parts].as_array().into_iter().flatten();
        names.extend(parts.flat_map(|part| type_names(components, part)));
    }
    names.sort();
    names.dedup();
    names
}

/// The component that a schema refers to, or the schema itself.
fn resolved<'a>(components: &'a Map<String, Value>, schema: &'a Value) -> &'a Value {
    let named = schema["$ref"].as_str().and_then(target).and_then(|name| components.get(name));
    named.map_or(schema, |schema| resolved(components, schema))
}

/// A self-contained schema.
fn alone(components: &Map<String, Value>, mut schema: Value) -> JsonSchema {
    inline(&mut schema, components, &mut Vec::new());
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema".into();
    JsonSchema(schema)
}
