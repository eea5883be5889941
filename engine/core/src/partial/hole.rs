//! Unknowns in JSON: `"?"` for a value that nobody wrote down, `{"one_of": […]}` for one of a few.
//!
//! Must not know what a value means, and must not fill anything in.

use serde_json::{Map, Value};

use crate::wire::{NOTE, escaped};

/// How an unknown value is written.
pub const UNKNOWN: &str = "?";

/// The field of an unknown of which some values are possible.
pub const ONE_OF: &str = "one_of";

/// The longest lists that are compared in any order.
const SHUFFLED: usize = 12;

/// A value of a record: known, one of a few, or unknown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Known<T> {
    /// It is written down.
    Is(T),
    /// It is one of these.
    OneOf(Vec<T>),
    /// It is not written down.
    Unknown,
}

impl<T: PartialEq> Known<T> {
    /// Whether a value is possible here.
    pub(super) fn admits(&self, value: &T) -> bool {
        match self {
            Known::Is(known) => known == value,
            Known::OneOf(values) => values.contains(value),
            Known::Unknown => true,
        }
    }

    /// The value, where it is written down.
    pub(super) fn known(&self) -> Option<&T> {
        match self {
            Known::Is(known) => Some(known),
            Known::OneOf(_) | Known::Unknown => None,
        }
    }
}

/// The values of `{"one_of": […]}`.
pub(super) fn one_of(value: &Value) -> Option<&Vec<Value>> {
    let fields = value.as_object().filter(|fields| fields.len() == 1)?;
    fields.get(ONE_OF)?.as_array().filter(|values| !values.is_empty())
}

/// Whether a value is an unknown.
pub(super) fn is_unknown(value: &Value) -> bool {
    value.as_str() == Some(UNKNOWN) || one_of(value).is_some()
}

/// Whether an unknown stands anywhere in a value.
pub(super) fn has_unknown(value: &Value) -> bool {
    is_unknown(value)
        || match value {
            Value::Array(items) => items.iter().any(has_unknown),
            Value::Object(fields) => fields.values().any(has_unknown),
            _ => false,
        }
}

/// The places of the unknowns in a value, as JSON pointers, in order.
pub(super) fn places(value: &Value) -> Vec<String> {
    fn walk(value: &Value, at: &str, to: &mut Vec<String>) {
        match value {
            _ if is_unknown(value) => to.push(at.to_owned()),
            Value::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    walk(item, &format!("{at}/{index}"), to);
                }
            }
            Value::Object(fields) => {
                for (key, field) in sorted(fields) {
                    walk(field, &format!("{at}/{}", escaped(key)), to);
                }
            }
            _ => {}
        }
    }
    let mut found = Vec::new();
    walk(value, "", &mut found);
    found
}

fn sorted(fields: &Map<String, Value>) -> Vec<(&String, &Value)> {
    let mut sorted: Vec<_> = fields.iter().collect();
    sorted.sort_by_key(|(key, _)| *key);
    sorted
}

/// Every value that a value may be whose unknowns are all one of a few, where these are not many and none lies in a
/// list; `None` for any other.
pub(super) fn each(written: &Value, most: usize) -> Option<Vec<Value>> {
    if let Some(values) = one_of(written) {
        let plain = values.len() <= most && !values.iter().any(has_unknown);
        return plain.then(|| values.clone());
    }
    match written {
        Value::Object(fields) => {
            let mut all = vec![Map::new()];
            for (key, field) in fields.iter().filter(|(key, _)| *key != NOTE) {
                let values = each(field, most)?;
                if all.len() * values.len() > most {
                    return None;
                }
                let with = |had: &Map<String, Value>| {
                    let had = had.clone();
                    let key = key.clone();
                    values.clone().into_iter().map(move |value| {
                        let mut more = had.clone();
                        more.insert(key.clone(), value);
                        more
                    })
                };
                all = all.iter().flat_map(with).collect();
            }
            Some(all.into_iter().map(Value::Object).collect())
        }
        known => (!has_unknown(known)).then(|| vec![known.clone()]),
    }
}

/// Whether a value is what was written, as far as that is known. Lists with unknowns in them may stand in any
/// order; a note does not count.
pub(super) fn fits(written: &Value, value: &Value) -> bool {
    if written.as_str() == Some(UNKNOWN) {
        return true;
    }
    if let Some(values) = one_of(written) {
        return values.iter().any(|written| fits(written, value));
    }
    match (written, value) {
        (Value::Object(written), Value::Object(value)) => {
            let known = written.iter().filter(|(key, _)| *key != NOTE);
            let mut count = 0;
            let all = known
                .inspect(|_| count += 1)
                .all(|(key, written)| value.get(key).is_some_and(|value| fits(written, value)));
            all && count == value.len()
        }
        (Value::Array(written), Value::Array(value)) => {
            written.len() == value.len()
                && (written.iter().zip(value).all(|(written, value)| fits(written, value))
                    || written.len() <= SHUFFLED
                        && written.iter().any(has_unknown)
                        && fits_shuffled(written, value, 0))
        }
        _ => written == value,
    }
}

/// Whether each thing written can be matched with a value of its own; `taken` are the values that are.
fn fits_shuffled(written: &[Value], values: &[Value], taken: u32) -> bool {
    let Some((first, others)) = written.split_first() else { return true };
    values.iter().enumerate().any(|(at, value)| {
        let bit = 1_u32 << at;
        taken & bit == 0 && fits(first, value) && fits_shuffled(others, values, taken | bit)
    })
}

/// Calls with every text in a value, keys left out.
pub(super) fn each_text<'v>(value: &'v Value, to: &mut dyn FnMut(&'v str)) {
    match value {
        Value::String(text) => to(text),
        Value::Array(items) => items.iter().for_each(|item| each_text(item, to)),
        Value::Object(fields) => {
            for (key, field) in sorted(fields) {
                if key != NOTE {
                    each_text(field, to);
                }
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_unknown_fits_anything_and_one_of_a_few_only_those() {
        assert!(fits(&json!("?"), &json!({"any": [1]})));
        assert!(fits(&json!({"one_of": ["a", 2]}), &json!(2)));
        assert!(!fits(&json!({"one_of": ["a", 2]}), &json!(3)));
        // A list of nothing is no unknown, and neither is an object with more.
        assert!(!is_unknown(&json!({"one_of": []})));
        assert!(!is_unknown(&json!({"one_of": [1], "more": 2})));
    }

    #[test]
    fn all_fields_but_the_note_must_be_there() {
        let written = json!({"type": "play", "card": "?", "note": "quickly"});
        assert!(fits(&written, &json!({"type": "play", "card": "a"})));
        assert!(!fits(&written, &json!({"type": "play"})));
        assert!(!fits(&written, &json!({"type": "play", "card": "a", "to": 1})));
    }

    #[test]
    fn a_list_with_unknowns_may_stand_in_any_order() {
        assert!(fits(&json!(["?", "a"]), &json!(["a", "b"])));
        assert!(fits(&json!(["b", "?", "a"]), &json!(["a", "b", "b"])));
        assert!(!fits(&json!(["?", "a"]), &json!(["b", "c"])));
        assert!(!fits(&json!(["b", "a"]), &json!(["a", "b"])), "known lists keep their order");
        assert!(!fits(&json!(["?"]), &json!(["a", "b"])));
    }

    #[test]
    fn what_is_one_of_a_few_is_each_of_them() {
        let written =
            json!({"a": {"one_of": [1, 2]}, "b": {"c": {"one_of": ["x", "y"]}}, "note": "?"});
        let all = each(&written, 4).unwrap();
        assert_eq!(all.len(), 4);
        assert!(all.contains(&json!({"a": 2, "b": {"c": "x"}})), "{all:?}");
        assert_eq!(each(&written, 3), None, "too many");
        assert_eq!(each(&json!({"a": "?"}), 9), None);
        assert_eq!(each(&json!({"a": [{"one_of": [1, 2]}]}), 9), None, "lists stand in any order");
    }

    #[test]
    fn places_are_pointers() {
        let written = json!({"b": ["?", 1, {"x~/y": {"one_of": [1]}}], "a": "?"});
        assert_eq!(places(&written), ["/a", "/b/0", "/b/2/x~0~1y"]);
    }
}
