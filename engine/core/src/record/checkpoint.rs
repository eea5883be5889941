//! What a record states of moments of its game: some facts of a view, or a fingerprint.
//!
//! Read strictly and held to bounds here; whether they are so, a replay shows. Must not know what a
//! fact means.

use std::borrow::Cow;

use serde::Deserialize;
use serde::de::Error;
use serde_json::Value;
use serde_json::value::RawValue;

use super::fault::{Fault, FaultCode};
use super::reading::{nested, read};

/// The most checkpoints of a record.
const MOST: usize = 1_000;

/// How deep lists and objects may stand in one another in the facts.
const DEEPEST: usize = 16;

/// The most values that the facts of a checkpoint may hold.
const MOST_VALUES: usize = 2_000;

/// One thing that a record says of a moment.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct Checkpoint<'a> {
    /// The moment: number of actions accepted before it.
    pub ply: u32,
    /// Part of what `viewer` sees there: an object of the view's fields.
    #[serde(default, deserialize_with = "facts")]
    pub facts: Option<Value>,
    /// Whose view the facts are of; the referee's where it is left out.
    #[serde(borrow, default, deserialize_with = "crate::wire::present")]
    pub viewer: Option<Cow<'a, str>>,
    /// The fingerprint of the state there.
    #[serde(borrow, default, deserialize_with = "crate::wire::present")]
    pub fingerprint: Option<Cow<'a, str>>,
}

/// The checkpoints of a record, in the order in which they stand there.
#[derive(Debug, Default)]
pub struct Checkpoints<'a> {
    /// Each of them.
    pub list: Vec<Checkpoint<'a>>,
    /// All of them as they were sent.
    pub text: &'a str,
}

impl<'de: 'a, 'a> Deserialize<'de> for Checkpoints<'a> {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = <&'a RawValue>::deserialize(from)?.get();
        let list = list(text).map_err(|fault| D::Error::custom(fault.detail))?;
        Ok(Checkpoints { list, text })
    }
}

/// Reads the checkpoints.
///
/// # Errors
/// What is wrong with them, and where.
pub(super) fn list(text: &str) -> Result<Vec<Checkpoint<'_>>, Fault> {
    let bad = |pointer: String, detail: String| Fault::new(FaultCode::BadRecord, pointer, detail);
    // The list stands in the field, the facts in a checkpoint of it.
    if nested(text) > DEEPEST + 2 {
        let detail = format!("the facts are nested more than {DEEPEST} levels deep");
        return Err(bad("/checkpoints".to_owned(), detail));
    }
    let list: Vec<Checkpoint<'_>> = read(text, FaultCode::BadRecord, "/checkpoints")?;
    if list.len() > MOST {
        let detail = format!("there are {} checkpoints; at most {MOST} are read", list.len());
        return Err(bad("/checkpoints".to_owned(), detail));
    }
    for (at, one) in list.iter().enumerate() {
        let here = |field: &str| format!("/checkpoints/{at}{field}");
        match (&one.facts, &one.fingerprint) {
            (None, None) => {
                let detail = "facts or a fingerprint are expected".to_owned();
                return Err(bad(here(""), detail));
            }
            (None, Some(_)) if one.viewer.is_some() => {
                let detail = "a fingerprint is that of the referee's view alone".to_owned();
                return Err(bad(here("/viewer"), detail));
            }
            (Some(facts), _) if values(facts) > MOST_VALUES => {
                let detail = format!("the facts are more than {MOST_VALUES} values");
                return Err(bad(here("/facts"), detail));
            }
            _ => {}
        }
    }
    Ok(list)
}

fn facts<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Option<Value>, D::Error> {
    serde_json::Map::deserialize(from).map(|fields| Some(Value::Object(fields)))
}

/// How many values a value holds.
fn values(value: &Value) -> usize {
    match value {
        Value::Object(fields) => fields.values().map(values).sum::<usize>() + 1,
        Value::Array(items) => items.iter().map(values).sum::<usize>() + 1,
        _ => 1,
    }
}
