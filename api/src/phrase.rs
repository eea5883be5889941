//! Values of the wire in plain words.
//!
//! This module must not know a game, and must not decide anything.

use serde_json::{Map, Value};

/// A name of the wire in words.
pub fn spaced(name: &str) -> String {
    name.replace('_', " ")
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

/// Something that happened, in one short line: `Hand dealt: 4 cards, side dwarves`.
pub fn event(text: &str) -> String {
    let Ok(Value::Object(mut fields)) = serde_json::from_str(text) else { return text.to_owned() };
    let kind = match fields.shift_remove("type") {
        Some(Value::String(kind)) => spaced(&kind),
        _ => "something happened".to_owned(),
    };
    let mut letters = kind.chars();
    let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
    let kind = format!("{first}{}", letters.as_str());
    let shown = fields.iter().map(|(name, value)| match value.as_object() {
        // Of what is hidden only the number is known.
        Some(hidden) if hidden.len() == 1 && hidden.contains_key("count") => {
            format!("{} {}", short(&hidden["count"]), spaced(name))
        }
        _ => format!("{} {}", spaced(name), short(value)),
    });
    let shown = shown.collect::<Vec<_>>().join(", ");
    if shown.is_empty() { kind } else { format!("{kind}: {shown}") }
}

/// The fields of an object in words.
pub fn object(fields: &Map<String, Value>) -> String {
    let shown = fields.iter().map(|(name, value)| format!("{} {}", spaced(name), short(value)));
    shown.collect::<Vec<_>>().join(", ")
}

/// A value in words.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_seen_in_part_is_told_in_words() {
        let dealt = r#"{"type":"hand_dealt","side":"dwarves","cards":{"count":4}}"#;
        assert_eq!(event(dealt), "Hand dealt: side dwarves, 4 cards");
        assert_eq!(event(r#"{"type":"turn_ended"}"#), "Turn ended");
    }
}
