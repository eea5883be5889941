//! Whether what the service answers is what its description says.
//!
//! Every answer of every test passes through here. This module must not know what an operation is for.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex};

use jsonschema::Validator;
use serde_json::{Value, json};

static DOCUMENT: LazyLock<Value> = LazyLock::new(|| {
    let text = include_str!("../../../openapi/openapi.json");
    serde_json::from_str(text).expect("the description is JSON")
});

/// The place of an operation among the paths: that with the fewest parameters of those that fit.
fn operation(method: &str, path: &str) -> Option<&'static Value> {
    let given: Vec<&str> = path.split('/').collect();
    let fits = |template: &str| {
        let parts: Vec<&str> = template.split('/').collect();
        let same = |(part, given): (&&str, &&str)| part.starts_with('{') || part == given;
        parts.len() == given.len() && parts.iter().zip(&given).all(same)
    };
    let paths = DOCUMENT["paths"].as_object()?;
    let found = paths.iter().filter(|(template, _)| fits(template));
    let (_, operations) = found.min_by_key(|(template, _)| template.matches('{').count())?;
    operations.get(method.to_ascii_lowercase())
}

fn resolved(value: &'static Value) -> &'static Value {
    match value["$ref"].as_str() {
        Some(place) => DOCUMENT.pointer(&place[1..]).expect("a reference leads somewhere"),
        None => value,
    }
}

/// What checks a schema of the description; made once.
fn validator(schema: &'static Value) -> Arc<Validator> {
    static MADE: LazyLock<Mutex<HashMap<String, Arc<Validator>>>> = LazyLock::new(Mutex::default);
    let mut made = MADE.lock().expect("nothing panics with the lock");
    let make = || {
        let whole = json!({"allOf": [schema], "components": DOCUMENT["components"]});
        Arc::new(jsonschema::draft202012::new(&whole).expect("a schema of the description"))
    };
    made.entry(schema.to_string()).or_insert_with(make).clone()
}

/// What is wrong with an answer, if anything is.
pub(crate) fn faults(
    method: &str,
    path: &str,
    status: u16,
    kind: &str,
    body: &[u8],
) -> Vec<String> {
    let method = if method == "HEAD" { "GET" } else { method };
    let Some(operation) = operation(method, path) else { return Vec::new() };
    let Some(answer) = operation["responses"].get(status.to_string()) else {
        // What every path may answer (another method, no such host) is told in the head of the document.
        let said = status >= 400 || status == 304;
        return (!said)
            .then(|| format!("{method} {path}: {status} is not described"))
            .into_iter()
            .collect();
    };
    let kind = kind.split(';').next().unwrap_or_default();
    let Some(schema) = resolved(answer)["content"].get(kind).and_then(|it| it.get("schema")) else {
        return Vec::new();
    };
    let place = format!("{method} {path}: {status}");
    let lines = kind.ends_with("x-ndjson");
    let schema = if lines { &resolved(schema)["contentSchema"] } else { schema };
    let parts: Vec<&[u8]> = match (lines, kind.ends_with("json")) {
        (true, _) => body.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).collect(),
        (_, true) if !body.is_empty() => vec![body],
        _ => return Vec::new(),
    };
    let of_part = |part| match serde_json::from_slice::<Value>(part) {
        Ok(value) => {
            compared(schema, &value).into_iter().map(|it| format!("{place}: {it}")).collect()
        }
        Err(error) => vec![format!("{place}: {error}")],
    };
    parts.into_iter().flat_map(of_part).take(5).collect()
}

/// What does not fit a schema; of one that is a choice by a field, what does not fit the one that is chosen.
fn compared(schema: &'static Value, value: &Value) -> Vec<String> {
    let whole = resolved(schema);
    let mapping = &whole["discriminator"]["mapping"];
    let tag = whole["discriminator"]["propertyName"].as_str().and_then(|name| value[name].as_str());
    if let Some(chosen) = tag.and_then(|tag| mapping[tag].as_str()) {
        return compared(
            DOCUMENT.pointer(&chosen[1..]).expect("a reference leads somewhere"),
            value,
        );
    }
    let validator = validator(schema);
    let errors = validator.iter_errors(value).take(3);
    errors.map(|error| format!("{}: {error:.300}", error.instance_path())).collect()
}

#[test]
fn an_answer_that_is_not_described_is_found() {
    let good = br#"{"games": []}"#;
    assert_eq!(faults("GET", "/v1/games", 200, "application/json", good), Vec::<String>::new());
    for (path, status, body) in [
        ("/v1/games", 200, "[]"),
        ("/v1/games", 200, r#"{"games": [{"id": 1}]}"#),
        ("/v1/games", 201, r#"{"games": []}"#),
        ("/v1/games/drako", 200, "{}"),
    ] {
        let found = faults("GET", path, status, "application/json", body.as_bytes());
        assert!(!found.is_empty(), "{path} {status} {body}");
    }
}
