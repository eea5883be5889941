//! Values that a view holds, edits of it, and how they are said.
//!
//! This module must not judge a position.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::dispute::explain::{is_pair, is_scalar};
use crate::dispute::patch::{self, Edit, Op, short};
use crate::wire::escaped;

/// Applies one edit in place and gives the edit that undoes it; nothing happens where it does not
/// fit.
pub(super) fn put(value: &mut Value, edit: &Edit) -> Option<Edit> {
    match (edit.op, &edit.value) {
        (Op::Replace, Some(new)) => {
            let place = value.pointer_mut(&edit.path)?;
            Some(Edit::replace(edit.path.clone(), std::mem::replace(place, new.clone())))
        }
        (Op::Add, Some(new)) => {
            patch::put(value, &edit.path, new.clone())?;
            Some(Edit::remove(edit.path.clone()))
        }
        (Op::Remove, _) => {
            let old = patch::take(value, &edit.path)?;
            Some(Edit::add(edit.path.clone(), old))
        }
        _ => None,
    }
}

/// Values of the same kind can stand in each other's place.
pub(super) fn kind(value: &Value) -> u8 {
    match value {
        Value::Null => 0,
        Value::Bool(_) => 1,
        Value::Number(_) => 2,
        Value::String(_) => 3,
        Value::Array(_) if is_pair(value) => 4,
        Value::Array(_) => 5,
        Value::Object(_) => 6,
    }
}

/// The words in lists: the list, the place, the word.
pub(super) fn list_items(
    list: &str,
    at: &str,
    value: &Value,
    to: &mut Vec<(String, String, String)>,
) {
    match value {
        Value::Object(fields) => {
            let mut sorted: Vec<_> = fields.iter().collect();
            sorted.sort_by_key(|(key, _)| *key);
            for (key, value) in sorted {
                list_items("", &format!("{at}/{}", escaped(key)), value, to);
            }
        }
        Value::Array(items) => {
            for (index, value) in items.iter().enumerate() {
                list_items(at, &format!("{at}/{index}"), value, to);
            }
        }
        Value::String(word) if !list.is_empty() => {
            to.push((list.to_owned(), at.to_owned(), word.clone()));
        }
        _ => {}
    }
}

/// Values that occur in a view, by the field they stand in.
#[derive(Default)]
pub(super) struct Pool {
    pub(super) by_field: std::collections::BTreeMap<String, Vec<Value>>,
    pub(super) pairs: Vec<Value>,
    pub(super) keys: BTreeSet<String>,
}

impl Pool {
    pub(super) fn note(&mut self, key: &str, value: &Value) {
        const MOST: usize = 16;
        if is_scalar(value) {
            let seen = self.by_field.entry(key.to_owned()).or_default();
            if seen.len() < MOST && !value.is_null() && !seen.contains(value) {
                seen.push(value.clone());
            }
            if is_pair(value) && self.pairs.len() < MOST && !self.pairs.contains(value) {
                self.pairs.push(value.clone());
            }
            return;
        }
        match value {
            Value::Object(fields) => {
                let mut sorted: Vec<_> = fields.iter().collect();
                sorted.sort_by_key(|(key, _)| *key);
                for (field, value) in sorted {
                    self.keys.insert(field.clone());
                    self.note(field, value);
                }
            }
            Value::Array(items) => items.iter().for_each(|item| self.note(key, item)),
            _ => {}
        }
    }

    pub(super) fn under(&self, key: &str) -> &[Value] {
        self.by_field.get(key).map(Vec::as_slice).unwrap_or_default()
    }
}

/// An edit in plain words.
pub(super) fn words(view: &Value, edit: &Edit) -> String {
    let name = patch::place(view, &edit.path);
    match (edit.op, &edit.value, view.pointer(&edit.path)) {
        (Op::Replace, Some(new), Some(old)) => {
            format!("{name} would have to be {}; it is {}", short(new), short(old))
        }
        (Op::Add, Some(new), _) => {
            let list = edit.path.rsplit_once('/').map_or("", |(list, _)| list);
            format!("{} would have to hold {} as well", patch::place(view, list), short(new))
        }
        (_, _, Some(old)) => format!("{name} would have to go; it is {}", short(old)),
        _ => format!("{name} would have to change"),
    }
}
