//! The fields of an action as JSON: where two differ, and how much.
//!
//! This module must not know what a field means.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::dispute::patch::Edit;
use crate::wire::escaped;

/// The values of a value, each with its pointer and key: scalars, and lists of numbers as one.
pub(super) fn leaves(
    pointer: String,
    key: &str,
    value: &Value,
    to: &mut Vec<(String, String, Value)>,
) {
    match value {
        _ if is_leaf(value) => to.push((pointer, key.to_owned(), value.clone())),
        Value::Object(fields) => {
            let fields: BTreeMap<&String, &Value> = fields.iter().collect();
            for (key, value) in fields {
                leaves(format!("{pointer}/{}", escaped(key)), key, value, to);
            }
        }
        Value::Array(items) => {
            for (at, value) in items.iter().enumerate() {
                leaves(format!("{pointer}/{at}"), key, value, to);
            }
        }
        _ => {}
    }
}

fn is_leaf(value: &Value) -> bool {
    match value {
        Value::Object(_) => false,
        Value::Array(items) => items.iter().all(Value::is_number),
        _ => true,
    }
}

/// The one edit of one field that makes `new` of `old`, if one is enough.
pub(super) fn one_field(old: &Value, new: &Value) -> Option<Edit> {
    let mut found = None;
    let one = fields_between(String::new(), old, new, &mut found);
    found.filter(|_| one)
}

/// Looks for differences; answers no as soon as there are two.
fn fields_between(at: String, old: &Value, new: &Value, found: &mut Option<Edit>) -> bool {
    let mut note = |edit: Edit| found.replace(edit).is_none();
    match (old, new) {
        _ if old == new => true,
        (Value::Object(a), Value::Object(b)) => {
            let keys = a.keys().chain(b.keys().filter(|key| !a.contains_key(*key)));
            for key in keys {
                let path = format!("{at}/{}", escaped(key));
                let good = match (a.get(key), b.get(key)) {
                    (Some(a), Some(b)) => fields_between(path, a, b, found),
                    (Some(_), None) => found.replace(Edit::remove(path)).is_none(),
                    (None, Some(b)) => found.replace(Edit::add(path, b.clone())).is_none(),
                    (None, None) => true,
                };
                if !good {
                    return false;
                }
            }
            true
        }
        _ if is_leaf(old) && is_leaf(new) => note(Edit::replace(at, new.clone())),
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => a
            .iter()
            .zip(b)
            .enumerate()
            .all(|(index, (a, b))| fields_between(format!("{at}/{index}"), a, b, found)),
        (Value::Array(a), Value::Array(b)) if a.len().abs_diff(b.len()) == 1 => {
            let front = a.iter().zip(b).take_while(|(a, b)| a == b).count();
            let path = format!("{at}/{front}");
            if a.len() > b.len() {
                a[front + 1..] == b[front..] && note(Edit::remove(path))
            } else {
                a[front..] == b[front + 1..] && note(Edit::add(path, b[front].clone()))
            }
        }
        _ => false,
    }
}

/// How edit_cost two values of a field are; a slip of the pen is little.
pub(super) fn edit_cost(old: &Value, new: &Value) -> u32 {
    match (old, new) {
        (Value::String(a), Value::String(b)) => slips(a, b),
        (Value::Number(a), Value::Number(b)) => match (a.as_i64(), b.as_i64()) {
            (Some(a), Some(b)) => number_cost(a, b),
            _ => 50,
        },
        (Value::Array(a), Value::Array(b)) => {
            let pairs: u32 = a.iter().zip(b).map(|(a, b)| edit_cost(a, b)).sum();
            pairs + 10 * a.len().abs_diff(b.len()) as u32
        }
        (Value::Bool(_), Value::Bool(_)) => 1,
        _ => 50,
    }
}

/// How much two numbers differ: by their size, at least by as many digits as were written otherwise; a digit
/// that got lost, or was written twice, is one slip.
fn number_cost(a: i64, b: i64) -> u32 {
    let size = u32::try_from(a.abs_diff(b)).unwrap_or(u32::MAX);
    let (a, b) = (a.to_string(), b.to_string());
    match slips(&a, &b) {
        1 if a.len() != b.len() => 1,
        digits => size.max(digits).min(50),
    }
}

/// The edit distance of two texts (Levenshtein), cut off for long ones.
fn slips(a: &str, b: &str) -> u32 {
    let (a, b): (Vec<char>, Vec<char>) =
        (a.chars().take(64).collect(), b.chars().take(64).collect());
    let mut row: Vec<u32> = (0..=b.len() as u32).collect();
    for (i, x) in a.iter().enumerate() {
        let mut corner = row[0];
        row[0] = i as u32 + 1;
        for (j, y) in b.iter().enumerate() {
            let change = corner + u32::from(x != y);
            corner = row[j + 1];
            row[j + 1] = change.min(corner + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn one_field_is_told_from_two() {
        let old = json!({"type": "move", "unit": "a", "to": [1, 2], "by": [{"x": 1}, {"x": 2}]});
        let with = |pointer: &str, value: Value| {
            let mut new = old.clone();
            *new.pointer_mut(pointer).unwrap() = value;
            new
        };
        let one = |new: &Value| one_field(&old, new);
        let edit = Edit::replace("/unit", json!("b"));
        assert_eq!(one(&with("/unit", json!("b"))), Some(edit));
        let edit = Edit::replace("/to", json!([3, 4]));
        assert_eq!(one(&with("/to", json!([3, 4]))), Some(edit));
        let edit = Edit::replace("/by/1/x", json!(3));
        assert_eq!(one(&with("/by/1/x", json!(3))), Some(edit));
        assert_eq!(one(&with("/by", json!([{"x": 2}]))), Some(Edit::remove("/by/0")));
        let longer = json!([{"x": 1}, {"x": 3}, {"x": 2}]);
        assert_eq!(one(&with("/by", longer)), Some(Edit::add("/by/1", json!({"x": 3}))));
        let mut more = old.clone();
        more["how"] = json!(true);
        assert_eq!(one(&more), Some(Edit::add("/how", json!(true))));
        assert_eq!(one_field(&more, &old), Some(Edit::remove("/how")));
        more["unit"] = json!("b");
        assert_eq!(one(&more), None);
        assert_eq!(one(&with("/by", json!([{"x": 2}, {"x": 1}]))), None);
        assert_eq!(one(&with("/by", json!([]))), None);
        assert_eq!(one(&old), None);
    }

    #[test]
    fn slips_of_the_pen_are_little() {
        assert_eq!(slips("orti", "orti"), 0);
        assert_eq!(slips("orti", "otri"), 2);
        assert_eq!(slips("orti", "rti"), 1);
        assert_eq!(slips("", "campo"), 5);
        assert!(edit_cost(&json!(20), &json!(2)) < edit_cost(&json!(20), &json!(19)));
        assert!(edit_cost(&json!(3), &json!(4)) < edit_cost(&json!(3), &json!(9)));
        assert!(edit_cost(&json!([1, 2]), &json!([1, 3])) < edit_cost(&json!([1, 2]), &json!([4])));
    }

    #[test]
    fn leaves_are_named_by_their_keys() {
        let mut all = Vec::new();
        leaves(String::new(), "", &json!({"b": ["x", {"c": [1, 2]}], "a": null}), &mut all);
        let found: Vec<(&str, &str)> =
            all.iter().map(|(pointer, key, _)| (pointer.as_str(), key.as_str())).collect();
        assert_eq!(found, [("/a", "a"), ("/b/0", "b"), ("/b/1/c", "c")]);
    }
}
