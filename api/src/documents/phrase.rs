//! JSON values as plain text.
//!
//! This module must not know a game, and must not decide anything.

use serde_json::{Map, Value};

/// An identifier as words.
pub fn spaced(name: &str) -> String {
    name.replace('_', " ")
}

/// Who wins a game: `the dwarves win`, `Anna (the dwarves) wins`.
pub fn wins(game: &str, seat: &str, name: Option<&str>) -> String {
    match umpire_engine::games::find(game) {
        Some(game) => game.meta().wins(seat, name),
        None => format!("{} wins", spaced(seat)),
    }
}

/// An action in one short line: `pirates: move, unit pirate 4a, to orti`.
pub fn action(text: &str) -> String {
    let Ok(Value::Object(mut fields)) = serde_json::from_str(text) else { return text.to_owned() };
    let mut take = |name: &str| match fields.remove(name) {
        Some(Value::String(value)) => spaced(&value),
        _ => "?".to_owned(),
    };
    let (player, kind) = (take("player"), take("type"));
    let rest = object(&fields);
    match rest.is_empty() {
        true => format!("{player}: {kind}"),
        false => format!("{player}: {kind}, {rest}"),
    }
}

/// The fields of an object as text.
pub fn object(fields: &Map<String, Value>) -> String {
    let shown = fields.iter().map(|(name, value)| format!("{} {}", spaced(name), short(value)));
    shown.collect::<Vec<_>>().join(", ")
}

/// A value as text.
pub fn short(value: &Value) -> String {
    match value {
        Value::String(text) => spaced(text),
        Value::Array(items) => {
            let items: Vec<_> = items.iter().map(short).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Object(fields) => format!("({})", object(fields)),
        other => other.to_string(),
    }
}
