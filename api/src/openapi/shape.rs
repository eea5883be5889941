//! Corrects derived schemas so that they match what the types really accept.
//!
//! Serde reads the tag and the fields of a tagged enum as one object. A derived schema says "all of
//! the object of the fields and the object of the tag", which nothing can satisfy if the fields'
//! object allows no other field. Here such parts are merged into one object. This module must not
//! know what a schema is about.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::documents::description::{PREFIX, target};

type Components = BTreeMap<String, Value>;

/// The components that some path refers to.
pub(super) fn reachable(paths: &Value, components: &Map<String, Value>) -> Value {
    let names = |value: &Value| {
        let mut names = vec!["Problem".to_owned()];
        walk(&mut value.clone(), &mut |map| {
            let found = map.get("$ref").and_then(Value::as_str).and_then(target);
            names.extend(found.map(str::to_owned));
        });
        names
    };
    let mut open = names(paths);
    let mut needed = BTreeMap::new();
    while let Some(name) = open.pop() {
        if let (false, Some(schema)) = (needed.contains_key(&name), components.get(&name)) {
            open.extend(names(schema));
            needed.insert(name, schema.clone());
        }
    }
    needed.into_iter().collect()
}

/// Calls `each` on every object in a value, parents first.
fn walk(value: &mut Value, each: &mut impl FnMut(&mut Map<String, Value>)) {
    match value {
        Value::Object(map) => {
            each(map);
            map.values_mut().for_each(|value| walk(value, each));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| walk(item, each)),
        _ => {}
    }
}

/// Redirects references to some components.
pub(super) fn redirect(schema: &mut Value, to: &impl Fn(&str) -> Option<String>) {
    walk(schema, &mut |map| {
        let found = map.get("$ref").and_then(Value::as_str).and_then(target).and_then(to);
        if let Some(name) = found {
            map.insert("$ref".to_owned(), format!("{PREFIX}{name}").into());
        }
    });
}

/// Applies all corrections to the components.
pub(super) fn tidy(components: &mut Components) {
    hoist_tags(components);
    merge_all_of(components);
    for schema in components.values_mut() {
        walk(schema, &mut described_in_place);
        walk(schema, &mut bound_integers);
        walk(schema, &mut bare_reference);
        walk(schema, &mut no_null_default);
        walk(schema, &mut nothing_at_all);
        walk(schema, &mut tuple);
        walk(schema, &mut or_null);
    }
    discriminate(components);
}

/// Makes all objects in some components reject other fields, because requests are read strictly,
/// whether or not a type's derived schema says so.
pub(super) fn close(components: &mut Components, roots: Vec<String>) {
    let mut open = roots;
    let mut seen = Vec::new();
    while let Some(name) = open.pop() {
        if seen.contains(&name) {
            continue;
        }
        if let Some(schema) = components.get_mut(&name) {
            walk(schema, &mut |map| {
                if map.get("properties").is_some_and(Value::is_object) {
                    map.entry("additionalProperties").or_insert(json!(false));
                }
                let found = map.get("$ref").and_then(Value::as_str).and_then(target);
                open.extend(found.map(str::to_owned));
            });
        }
        seen.push(name);
    }
}

/// Makes fields of responses that may be `null` required: a field of a response that is sometimes
/// left out is never `null`, and says so.
pub(super) fn require(components: &mut Components) {
    let ends = ["Request", ".GameRecord", ".StoredRecord", "PartialRecord"];
    let sent = |name: &&String| ends.iter().any(|end| name.ends_with(end));
    let mut open: Vec<String> = components.keys().filter(sent).cloned().collect();
    let mut taken = std::collections::BTreeSet::new();
    while let Some(name) = open.pop() {
        if let (true, Some(schema)) = (taken.insert(name.clone()), components.get_mut(&name)) {
            walk(schema, &mut |map| {
                let found = map.get("$ref").and_then(Value::as_str).and_then(target);
                open.extend(found.map(str::to_owned));
            });
        }
    }
    for (_, schema) in components.iter_mut().filter(|(name, _)| !taken.contains(*name)) {
        walk(schema, &mut always_there);
    }
}

/// The phrase in the description of a field that is left out of some responses, and `null` in
/// others.
const SOMETIMES: &str = "left out where";

/// Adds the optional note to each action in a component.
pub(super) fn add_notes(components: &mut Components, action: &str) {
    let note = json!({
        "type": "string",
        "maxLength": 4000,
        "description": "Free text, stored, shown to the referee, and never judged.",
    });
    let mut noted = |map: &mut Map<String, Value>| {
        let Some(fields) = map.get_mut("properties").and_then(Value::as_object_mut) else { return };
        if fields.contains_key("type") && fields.contains_key("player") {
            fields.insert("note".to_owned(), note.clone());
        }
    };
    let parts = components.get_mut(action).map(|it| {
        noted(it.as_object_mut().unwrap_or(&mut Map::new()));
        it["oneOf"].as_array().cloned().unwrap_or_default()
    });
    for (at, part) in parts.into_iter().flatten().enumerate() {
        match part["$ref"].as_str().and_then(target) {
            Some(name) => {
                components.get_mut(name).into_iter().for_each(|it| walk(it, &mut noted));
            }
            None => {
                let own = components.get_mut(action).and_then(|it| it["oneOf"].get_mut(at));
                own.into_iter().for_each(|it| walk(it, &mut noted));
            }
        }
    }
}

/// Makes nullable fields of an object required.
fn always_there(map: &mut Map<String, Value>) {
    let Some(properties) = map.get("properties").and_then(Value::as_object) else { return };
    let null = |schema: &Value| schema["type"] == "null";
    let nullable = |schema: &Value| {
        let types = schema["type"].as_array().into_iter().flatten().any(|it| it == "null");
        let parts = ["anyOf", "oneOf"].into_iter().filter_map(|it| schema[it].as_array());
        types || parts.flatten().any(null)
    };
    let mut required: Vec<Value> =
        map.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
    let left = |schema: &Value| schema.to_string().contains(SOMETIMES);
    for (name, schema) in properties.iter().filter(|(_, schema)| nullable(schema)) {
        if !left(schema) && !required.iter().any(|it| it == name) {
            required.push(name.clone().into());
        }
    }
    if !required.is_empty() {
        map.insert("required".to_owned(), required.into());
    }
}

/// If a tagged enum's variant is the only user of its fields' component, moves the tag into that
/// component, so that the variant has a name.
fn hoist_tags(components: &mut Components) {
    let mut uses: BTreeMap<String, usize> = BTreeMap::new();
    for schema in components.values_mut() {
        walk(schema, &mut |map| {
            if let Some(name) = map.get("$ref").and_then(Value::as_str).and_then(target) {
                *uses.entry(name.to_owned()).or_default() += 1;
            }
        });
    }
    let mut tags: Vec<(String, Value)> = Vec::new();
    for schema in components.values_mut() {
        let Some(alternatives) = schema.get_mut("oneOf").and_then(Value::as_array_mut) else {
            continue;
        };
        for alternative in alternatives {
            let Some([fields, tag]) = alternative["allOf"].as_array().map(Vec::as_slice) else {
                continue;
            };
            let Some(name) = fields["$ref"].as_str().and_then(target) else { continue };
            if uses.get(name) == Some(&1) && is_tag(tag) {
                let (name, mut tag) = (name.to_owned(), tag.clone());
                if let Some(text) = alternative.get("description") {
                    tag["description"] = text.clone();
                }
                *alternative = json!({"$ref": format!("{PREFIX}{name}")});
                tags.push((name, tag));
            }
        }
    }
    let known = components.clone();
    for (name, tag) in tags {
        let (Some(component), Some(found)) = (components.get_mut(&name), known.get(&name)) else {
            continue;
        };
        // The fields may themselves be one of several objects.
        let Some(parts) = alternatives(found, &known) else { continue };
        *component = any_of(parts.iter().map(|part| merged(&tag, part)).collect());
        if let Some(text) = found.get("description") {
            component["description"] = text.clone();
        }
    }
}

/// Moves the description of a field into its schema if that is not a reference: beside it, it would
/// read as "a list, and also an object with this description", which nothing is.
fn described_in_place(map: &mut Map<String, Value>) {
    let Some([own, beside]) = map.get("allOf").and_then(Value::as_array).map(Vec::as_slice) else {
        return;
    };
    let Some(said) = beside.as_object() else { return };
    let only_said = said.keys().all(|key| key == "type" || key == "description");
    if own.get("$ref").is_none() && said.get("type").is_some_and(|it| it == "object") && only_said {
        let mut own = own.as_object().cloned().unwrap_or_default();
        own.extend(said.get("description").map(|it| ("description".to_owned(), it.clone())));
        map.remove("allOf");
        map.extend(own);
    }
}

/// Whether a schema is an object with a single constant field.
fn is_tag(schema: &Value) -> bool {
    let Some(properties) = schema["properties"].as_object() else { return false };
    properties.len() == 1
        && properties.values().all(|one| one["enum"].as_array().is_some_and(|all| all.len() == 1))
}

/// A single object with the fields of both.
fn merged(first: &Value, second: &Value) -> Value {
    let mut all = first.as_object().cloned().unwrap_or_default();
    for (name, value) in second.as_object().into_iter().flatten() {
        match name.as_str() {
            "properties" => {
                let known = all.entry(name.as_str()).or_insert_with(|| json!({}));
                for (field, schema) in value.as_object().into_iter().flatten() {
                    known[field] = schema.clone();
                }
            }
            "required" => {
                let known = all.entry(name.as_str()).or_insert_with(|| json!([]));
                let more = value.as_array().into_iter().flatten().cloned();
                if let Some(known) = known.as_array_mut() {
                    known.extend(more);
                }
            }
            _ => drop(all.insert(name.clone(), value.clone())),
        }
    }
    Value::Object(all)
}

/// Replaces every `allOf` of objects by a single object, or by one of several.
fn merge_all_of(components: &mut Components) {
    let known = components.clone();
    for schema in components.values_mut() {
        walk(schema, &mut |map| {
            if !map.contains_key("allOf") {
                return;
            }
            let whole = Value::Object(map.clone());
            let Some(alternatives) = alternatives(&whole, &known) else { return };
            let description = map.get("description").cloned();
            let mut new = any_of(alternatives);
            if let Some(description) = description {
                new["description"] = description;
            }
            if let Value::Object(new) = new {
                *map = new;
            }
        });
    }
}

/// The schema of one of several objects.
fn any_of(mut alternatives: Vec<Value>) -> Value {
    match alternatives.len() {
        1 => alternatives.remove(0),
        _ => json!({"oneOf": alternatives}),
    }
}

/// The objects that a schema stands for, if it stands only for objects.
fn alternatives(schema: &Value, known: &Components) -> Option<Vec<Value>> {
    if let Some(name) = schema["$ref"].as_str().and_then(target) {
        return alternatives(known.get(name)?, known);
    }
    if let Some(parts) = schema["allOf"].as_array() {
        let mut all = vec![json!({})];
        for part in parts {
            let part = alternatives(part, known)?;
            all = all.iter().flat_map(|one| part.iter().map(|other| merged(one, other))).collect();
        }
        return Some(all);
    }
    if let Some(parts) = schema["oneOf"].as_array() {
        let mut all = Vec::new();
        for part in parts {
            all.extend(alternatives(part, known)?);
        }
        return Some(all);
    }
    (schema["type"] == "object").then(|| vec![schema.clone()])
}

/// Bounds integers by the range of their types.
fn bound_integers(map: &mut Map<String, Value>) {
    let (least, most) = match map.get("format").and_then(Value::as_str) {
        Some("uint8" | "u-int8") => (0, i64::from(u8::MAX)),
        Some("uint16" | "u-int16") => (0, i64::from(u16::MAX)),
        Some("uint32" | "u-int32") => (0, i64::from(u32::MAX)),
        // Only responses have numbers of this size, which are counts.
        Some("uint64" | "u-int64") => (0, i64::MAX),
        Some("int8") => (i64::from(i8::MIN), i64::from(i8::MAX)),
        Some("int16") => (i64::from(i16::MIN), i64::from(i16::MAX)),
        Some("int32") => (i64::from(i32::MIN), i64::from(i32::MAX)),
        _ => return,
    };
    map.remove("format");
    map.entry("minimum").or_insert(json!(least));
    map.entry("maximum").or_insert(json!(most));
}

/// `{"oneOf": [{"$ref": …}]}` is the same as the reference.
fn bare_reference(map: &mut Map<String, Value>) {
    let Some([one]) = map.get("oneOf").and_then(Value::as_array).map(Vec::as_slice) else { return };
    if let (Value::Object(one), false) = (one.clone(), map.contains_key("discriminator")) {
        map.remove("oneOf");
        for (name, value) in one {
            map.entry(name).or_insert(value);
        }
    }
}

/// A field that may be left out but not be null has no default.
fn no_null_default(map: &mut Map<String, Value>) {
    if map.get("default").is_some_and(Value::is_null) {
        map.remove("default");
    }
}

/// A type without a value.
fn nothing_at_all(map: &mut Map<String, Value>) {
    if map.get("enum").and_then(Value::as_array).is_some_and(Vec::is_empty) {
        map.remove("enum");
        map.remove("type");
        map.insert("not".to_owned(), json!({}));
    }
}

/// A tuple is a list of a fixed length. If all its parts have the same type, that is the type of
/// its items: tools without support for `prefixItems` understand that, too.
fn tuple(map: &mut Map<String, Value>) {
    let Some(parts) = map.get("prefixItems").and_then(Value::as_array).cloned() else { return };
    map.insert("minItems".to_owned(), parts.len().into());
    map.insert("maxItems".to_owned(), parts.len().into());
    let Some((first, rest)) = parts.split_first() else { return };
    if rest.iter().all(|part| part == first) {
        map.remove("prefixItems");
        map.insert("items".to_owned(), first.clone());
    } else {
        map.insert("items".to_owned(), json!({"anyOf": parts}));
    }
}

/// A value or `null`, as `anyOf`: validators that look at a discriminator first match `null` with
/// the other alternative as well, and then find more than exactly one.
fn or_null(map: &mut Map<String, Value>) {
    let null = json!({"type": "null"});
    let pair = map.get("oneOf").and_then(Value::as_array);
    if pair.is_some_and(|pair| pair.len() == 2 && pair.contains(&null))
        && let Some(pair) = map.remove("oneOf")
    {
        map.insert("anyOf".to_owned(), pair);
    }
}

/// Says which field tells the alternatives of a tagged enum apart.
fn discriminate(components: &mut Components) {
    let known = components.clone();
    for schema in components.values_mut() {
        walk(schema, &mut |map| {
            if map.contains_key("discriminator") {
                return;
            }
            let Some(alternatives) = map.get("oneOf").and_then(Value::as_array) else { return };
            let named: Option<Vec<(&str, &Value)>> = alternatives
                .iter()
                .map(|one| {
                    let name = one["$ref"].as_str().and_then(target)?;
                    Some((name, known.get(name)?))
                })
                .collect();
            let Some(named) = named.filter(|named| named.len() > 1) else { return };
            for tag in ["type", "kind"] {
                let mapping: Option<Map<String, Value>> = named
                    .iter()
                    .map(|(name, schema)| {
                        let values = schema["properties"][tag]["enum"].as_array()?;
                        let [Value::String(value)] = values.as_slice() else { return None };
                        Some((value.clone(), Value::from(format!("{PREFIX}{name}"))))
                    })
                    .collect();
                if let Some(mapping) = mapping.filter(|mapping| mapping.len() == named.len()) {
                    let discriminator = json!({"propertyName": tag, "mapping": mapping});
                    map.insert("discriminator".to_owned(), discriminator);
                    return;
                }
            }
        });
    }
}
