//! The schema of constant data, inferred from the data.
//!
//! The components of a game are tables that are the same for every caller, so their schema follows
//! from them. This module must not know what the data are about.

use serde_json::{Map, Value, json};

/// An object with this many keys of one kind is a table, not a set of fields.
const TABLE: usize = 5;

/// The schema of a value.
pub(super) fn schema(value: &Value) -> Value {
    match value {
        Value::Null => json!({"type": "null"}),
        Value::Bool(_) => json!({"type": "boolean"}),
        Value::Number(number) if number.is_f64() => json!({"type": "number"}),
        Value::Number(_) => json!({"type": "integer"}),
        Value::String(_) => json!({"type": "string"}),
        Value::Array(items) => {
            let mut array = json!({"type": "array"});
            if let Some(items) = items.iter().map(schema).reduce(|all, item| both(&all, &item)) {
                array["items"] = items;
            }
            array
        }
        Value::Object(fields) => {
            object(fields.iter().map(|(key, it)| (key.clone(), schema(it))).collect())
        }
    }
}

/// An object with these fields, or a table if there are many of one kind.
fn object(fields: Map<String, Value>) -> Value {
    let kinds = fields.values().filter(|it| it["type"] == "object" || it["type"] == "array");
    let kind = kinds.cloned().reduce(|all, it| both(&all, &it));
    if let Some(kind) = kind
        && fields.len() >= TABLE
        && fields.values().all(|it| it["type"] == kind["type"] && one_row(it, &kind))
    {
        return json!({"type": "object", "additionalProperties": kind});
    }
    let required: Vec<&String> = fields.keys().collect();
    json!({"type": "object", "required": required, "properties": fields})
}

/// Whether a schema has all required fields of another; then both are rows of one table.
fn one_row(one: &Value, all: &Value) -> bool {
    one["required"] == all["required"] && one["items"]["required"] == all["items"]["required"]
}

/// The schema of values that match either of two.
fn both(one: &Value, other: &Value) -> Value {
    if one == other {
        return one.clone();
    }
    match (one["type"].as_str(), other["type"].as_str()) {
        (Some("object"), Some("object")) => objects(one, other),
        (Some("array"), Some("array")) => match (one.get("items"), other.get("items")) {
            (Some(item), Some(others)) => json!({"type": "array", "items": both(item, others)}),
            (Some(_), None) => one.clone(),
            _ => other.clone(),
        },
        (Some("integer"), Some("number")) | (Some("number"), Some("integer")) => {
            json!({"type": "number"})
        }
        _ => {
            let mut any: Vec<Value> = Vec::new();
            for part in [one, other] {
                match part["anyOf"].as_array() {
                    Some(parts) => any.extend(
                        parts.iter().filter(|it| !any.contains(it)).cloned().collect::<Vec<_>>(),
                    ),
                    None if any.contains(part) => {}
                    None => any.push(part.clone()),
                }
            }
            json!({"anyOf": any})
        }
    }
}

fn objects(one: &Value, other: &Value) -> Value {
    if let (Some(rows), Some(others)) =
        (one.get("additionalProperties"), other.get("additionalProperties"))
    {
        return json!({"type": "object", "additionalProperties": both(rows, others)});
    }
    let fields = |it: &Value| it["properties"].as_object().cloned().unwrap_or_default();
    let (mut all, others) = (fields(one), fields(other));
    for (name, schema) in others {
        let schema = all.get(&name).map_or(schema.clone(), |had| both(had, &schema));
        all.insert(name, schema);
    }
    let requires = |it: &Value, name: &String| {
        it["required"].as_array().is_some_and(|all| all.iter().any(|it| it.as_str() == Some(name)))
    };
    let required: Vec<&String> =
        all.keys().filter(|name| requires(one, name) && requires(other, name)).collect();
    json!({"type": "object", "required": required, "properties": all})
}
