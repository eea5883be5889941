//! The difference of two JSON values as a JSON Patch (RFC 6902), small enough to be read.
//!
//! The general diff of the `json-patch` crate goes through lists by index, so one unit that
//! leaves a list rewrites all behind it. Here lists are aligned by what they share at both ends,
//! and objects in lists by their `id`. This module must not know what the values mean.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::wire::escaped;

/// What an edit does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Op {
    /// Puts a value in: a new field, or before the element at that index.
    Add,
    /// Takes a value away.
    Remove,
    /// Puts a value in the place of another.
    Replace,
    /// Takes the value at `from` and puts it at `path`.
    Move,
}

/// One operation of a JSON Patch (RFC 6902).
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Edit {
    /// What it does.
    pub op: Op,
    /// The place, a JSON pointer.
    pub path: String,
    /// Where the value of a `move` comes from, a JSON pointer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub from: Option<String>,
    /// The value of an `add` or `replace`.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "given")]
    #[cfg_attr(feature = "schema", schema(value_type = serde_json::Value, required = false))]
    pub value: Option<Value>,
}

/// A `value` that is there, `null` included.
fn given<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(from).map(Some)
}

impl Edit {
    /// Puts a value in.
    pub fn add(path: impl Into<String>, value: Value) -> Edit {
        Edit { op: Op::Add, path: path.into(), from: None, value: Some(value) }
    }

    /// Takes a value away.
    pub fn remove(path: impl Into<String>) -> Edit {
        Edit { op: Op::Remove, path: path.into(), from: None, value: None }
    }

    /// Puts a value in the place of another.
    pub fn replace(path: impl Into<String>, value: Value) -> Edit {
        Edit { op: Op::Replace, path: path.into(), from: None, value: Some(value) }
    }

    /// Moves a value.
    pub fn shift(from: impl Into<String>, path: impl Into<String>) -> Edit {
        Edit { op: Op::Move, path: path.into(), from: Some(from.into()), value: None }
    }
}

/// The edits that make `after` of `before`, applied in order; none if they are equal.
pub fn difference(before: &Value, after: &Value) -> Vec<Edit> {
    let mut edits = Vec::new();
    differ(String::new(), before, after, &mut edits);
    edits
}

fn differ(at: String, before: &Value, after: &Value, edits: &mut Vec<Edit>) {
    match (before, after) {
        _ if before == after => {}
        (Value::Object(old), Value::Object(new)) => {
            // In the order of the keys, whatever order another crate's features give to objects.
            let keys: std::collections::BTreeSet<&String> = old.keys().chain(new.keys()).collect();
            for key in keys {
                let path = format!("{at}/{}", escaped(key));
                match (old.get(key), new.get(key)) {
                    (Some(old), Some(new)) => differ(path, old, new, edits),
                    (Some(_), None) => edits.push(Edit::remove(path)),
                    (None, Some(new)) => edits.push(Edit::add(path, new.clone())),
                    (None, None) => {}
                }
            }
        }
        (Value::Array(old), Value::Array(new)) => lists(&at, old, new, edits),
        _ => edits.push(Edit::replace(at, after.clone())),
    }
}

/// Whether two elements of lists are the same thing, changed or not.
fn same_thing(old: &Value, new: &Value) -> bool {
    match (old.get("id"), new.get("id")) {
        (Some(old), Some(new)) => old == new,
        _ => old == new,
    }
}

fn lists(at: &str, old: &[Value], new: &[Value], edits: &mut Vec<Edit>) {
    let front = old.iter().zip(new).take_while(|(old, new)| same_thing(old, new)).count();
    let (rest_old, rest_new) = (&old[front..], &new[front..]);
    let back = rest_old
        .iter()
        .rev()
        .zip(rest_new.iter().rev())
        .take_while(|(old, new)| same_thing(old, new))
        .count();
    for (index, (old, new)) in old.iter().zip(new).enumerate().take(front) {
        differ(format!("{at}/{index}"), old, new, edits);
    }
    let mid_old = &rest_old[..rest_old.len() - back];
    let mid_new = &rest_new[..rest_new.len() - back];
    // Elements that went without others in their place, or came so, stand in a subsequence.
    if let Some(gone) = without(mid_old, mid_new) {
        for (nth, index) in gone.iter().enumerate() {
            edits.push(Edit::remove(format!("{at}/{}", front + index - nth)));
        }
        let kept = (0..mid_old.len()).filter(|index| !gone.contains(index));
        for (index, (old, new)) in kept.map(|index| &mid_old[index]).zip(mid_new).enumerate() {
            differ(format!("{at}/{}", front + index), old, new, edits);
        }
    } else if let Some(come) = without(mid_new, mid_old) {
        for &index in &come {
            edits.push(Edit::add(format!("{at}/{}", front + index), mid_new[index].clone()));
        }
        let kept = (0..mid_new.len()).filter(|index| !come.contains(index));
        for (index, old) in kept.zip(mid_old) {
            differ(format!("{at}/{}", front + index), old, &mid_new[index], edits);
        }
    } else {
        let both = mid_old.len().min(mid_new.len());
        for (index, (old, new)) in mid_old.iter().zip(mid_new).enumerate() {
            differ(format!("{at}/{}", front + index), old, new, edits);
        }
        for _ in both..mid_old.len() {
            edits.push(Edit::remove(format!("{at}/{}", front + both)));
        }
        for (index, value) in mid_new.iter().enumerate().skip(both) {
            edits.push(Edit::add(format!("{at}/{}", front + index), value.clone()));
        }
    }
    let (from_old, from_new) = (old.len() - back, new.len() - back);
    for nth in 0..back {
        differ(
            format!("{at}/{}", from_new + nth),
            &old[from_old + nth],
            &new[from_new + nth],
            edits,
        );
    }
}

/// The indices of `all` that have to go so that the things of `some` are left, in their order;
/// `None` where that cannot be.
fn without(all: &[Value], some: &[Value]) -> Option<Vec<usize>> {
    if all.len() <= some.len() {
        return None;
    }
    let mut left = some.iter().peekable();
    let mut gone = Vec::new();
    for (index, thing) in all.iter().enumerate() {
        match left.peek() {
            Some(next) if same_thing(thing, next) => drop(left.next()),
            _ => gone.push(index),
        }
    }
    left.peek().is_none().then_some(gone)
}

/// The place of an edit in words: elements of lists go by their `id` where they have one.
pub fn place(value: &Value, path: &str) -> String {
    let mut words = Vec::new();
    let mut at = Some(value);
    for key in path.split('/').skip(1) {
        let key = key.replace("~1", "/").replace("~0", "~");
        let next = match at {
            Some(Value::Array(items)) => key.parse().ok().and_then(|at: usize| items.get(at)),
            Some(Value::Object(fields)) => fields.get(&key),
            _ => None,
        };
        let name = next.filter(|_| matches!(at, Some(Value::Array(_)))).and_then(|it| it.get("id"));
        words.push(match name {
            Some(Value::String(id)) => id.replace('_', " "),
            Some(id) => id.to_string(),
            None => key.replace('_', " "),
        });
        at = next;
    }
    if words.is_empty() { "everything".to_owned() } else { words.join(" ") }
}

/// A value in words, shortened where it is long.
pub fn short(value: &Value) -> String {
    let text = plain(value);
    match text.char_indices().nth(100) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text,
    }
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.replace('_', " "),
        Value::Null => "nothing".to_owned(),
        Value::Object(fields) => {
            let fields: std::collections::BTreeMap<_, _> = fields.iter().collect();
            let words =
                fields.iter().map(|(key, it)| format!("{} {}", key.replace('_', " "), plain(it)));
            format!("({})", words.collect::<Vec<_>>().join(", "))
        }
        Value::Array(items) => {
            format!("[{}]", items.iter().map(plain).collect::<Vec<_>>().join(", "))
        }
        other => other.to_string(),
    }
}

/// Edits in plain words, at most `most`: what is so on the one side, what on the other.
pub fn words(before: &Value, edits: &[Edit], one: &str, other: &str, most: usize) -> Vec<String> {
    let mut value = before.clone();
    let mut lines = Vec::new();
    for edit in edits.iter().take(most) {
        lines.push(line(&value, edit, one, other));
        let _ = apply_to(&mut value, std::slice::from_ref(edit));
    }
    if edits.len() > most {
        lines.push(format!("and {} more", edits.len() - most));
    }
    lines
}

/// One edit of a value in words: where, what stands there on the one side, and what on the other.
pub(super) fn line(value: &Value, edit: &Edit, one: &str, other: &str) -> String {
    let mut place = place(value, &edit.path);
    if let (Op::Add, Some(id)) = (edit.op, edit.value.as_ref().and_then(|it| it.get("id")))
        && let Some((list, _)) = place.rsplit_once(' ')
    {
        place = format!("{list} {}", short(id));
    }
    match (edit.op, value.pointer(&edit.path), &edit.value) {
        (Op::Remove, Some(old), _) => format!("{place}: {} {one} only", short(old)),
        (Op::Replace, Some(old), Some(new)) => {
            format!("{place}: {} {one}, {} {other}", short(old), short(new))
        }
        (_, _, Some(new)) => format!("{place}: {} {other} only", short(new)),
        _ => place,
    }
}

/// Applies edits in order; `None` where one does not fit.
pub fn apply(value: &Value, edits: &[Edit]) -> Option<Value> {
    let mut value = value.clone();
    apply_to(&mut value, edits)?;
    Some(value)
}

/// Applies edits in order to the value itself, up to the first that does not fit: then `None`.
pub(super) fn apply_to(value: &mut Value, edits: &[Edit]) -> Option<()> {
    for edit in edits {
        let new = match edit.op {
            Op::Move => take(value, edit.from.as_deref()?)?,
            Op::Remove => {
                take(value, &edit.path)?;
                continue;
            }
            Op::Replace => {
                *value.pointer_mut(&edit.path)? = edit.value.clone()?;
                continue;
            }
            Op::Add => edit.value.clone()?,
        };
        put(value, &edit.path, new)?;
    }
    Some(())
}

/// The parent of a place and the last part of its pointer.
fn parent<'v>(value: &'v mut Value, path: &str) -> Option<(&'v mut Value, String)> {
    let (parent, last) = path.rsplit_once('/')?;
    Some((value.pointer_mut(parent)?, last.replace("~1", "/").replace("~0", "~")))
}

/// Takes the value at a place away, if there is one.
pub(crate) fn take(value: &mut Value, path: &str) -> Option<Value> {
    let (parent, last) = parent(value, path)?;
    match parent {
        Value::Object(fields) => fields.remove(&last),
        Value::Array(items) => {
            let index: usize = last.parse().ok()?;
            (index < items.len()).then(|| items.remove(index))
        }
        _ => None,
    }
}

/// Puts a value in at a place, if it can stand there.
pub(crate) fn put(value: &mut Value, path: &str, new: Value) -> Option<()> {
    if path.is_empty() {
        *value = new;
        return Some(());
    }
    let (parent, last) = parent(value, path)?;
    match parent {
        Value::Object(fields) => {
            fields.insert(last, new);
            Some(())
        }
        Value::Array(items) => {
            let index = if last == "-" { items.len() } else { last.parse().ok()? };
            (index <= items.len()).then(|| items.insert(index, new))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn both_ways(before: &Value, after: &Value) -> Vec<Edit> {
        let there = difference(before, after);
        assert_eq!(apply(before, &there).as_ref(), Some(after), "{there:?}");
        let back = difference(after, before);
        assert_eq!(apply(after, &back).as_ref(), Some(before), "{back:?}");
        there
    }

    #[test]
    fn a_difference_leads_from_the_one_to_the_other() {
        let cases = [
            (json!({"a": 1, "b/c": {"d": [1, 2]}}), json!({"a": 2, "b/c": {"d": [2]}, "~": null})),
            (json!([1, 2, 3, 4]), json!([1, 3, 4])),
            (json!([1, 2, 3]), json!([3, 2, 1])),
            (json!([1, 2, 3, 4, 5]), json!([0, 2, 4, 6])),
            (json!([{"id": 1, "at": 2}, {"id": 2}]), json!([{"id": 2, "x": 1}])),
            (
                json!([{"id": 1, "at": 2}, {"id": 3}]),
                json!([{"id": 1, "at": 3}, {"id": 2}, {"id": 3, "k": 1}]),
            ),
            (json!(1), json!({"a": []})),
            (json!([]), json!([[1], [2]])),
        ];
        for (before, after) in cases {
            both_ways(&before, &after);
        }
    }

    #[test]
    fn one_thing_that_leaves_a_list_is_one_edit() {
        let before = json!({"units": [{"id": 1}, {"id": 2}, {"id": 3, "at": 1}, {"id": 4}]});
        let after = json!({"units": [{"id": 1}, {"id": 3, "at": 2}, {"id": 4}]});
        let edits = both_ways(&before, &after);
        assert_eq!(edits, [Edit::remove("/units/1"), Edit::replace("/units/1/at", json!(2))]);
    }

    #[test]
    fn random_lists_come_out_right() {
        let mut word = 1u64;
        let mut below = |n: u64| {
            word = word
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (word >> 33) % n
        };
        for _ in 0..2000 {
            let mut list = || -> Value {
                (0..below(6))
                    .map(|_| match below(3) {
                        0 => json!(below(3)),
                        1 => json!({"id": below(4), "at": below(3)}),
                        _ => json!([below(2), below(2)]),
                    })
                    .collect()
            };
            both_ways(&list(), &list());
        }
    }

    #[test]
    fn an_edit_that_does_not_fit_is_told() {
        let value = json!({"a": [1]});
        for edit in [
            Edit::remove("/b"),
            Edit::replace("/a/1", json!(1)),
            Edit::add("/a/2", json!(1)),
            Edit::shift("/a/1", "/a/0"),
            Edit::add("/x/y", json!(1)),
        ] {
            assert_eq!(apply(&value, &[edit]), None);
        }
        let edits = [Edit::add("/a/-", json!(2)), Edit::shift("/a/1", "/a/0")];
        assert_eq!(apply(&value, &edits), Some(json!({"a": [2, 1]})));
    }
}
