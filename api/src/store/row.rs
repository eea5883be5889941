//! The stored form of a record: compressed, with its list entry and the fields to search.
//!
//! It is made without a database, and is the same for all of them. This module must not parse a
//! record, and must not contain SQL.

use std::borrow::Cow;
use std::collections::BTreeSet;

use serde::Serialize;
use serde_json::Value;

use super::name::folded;
use super::{NewRecord, RecordId, Status, StoreError, Summary, body};

/// A record, ready to be written.
pub(super) struct NewRow {
    pub(super) id: RecordId,
    pub(super) game: String,
    pub(super) ruleset: String,
    pub(super) status: Status,
    pub(super) plies: u32,
    pub(super) winner: Option<String>,
    pub(super) reason: Option<String>,
    pub(super) players: String,
    pub(super) meta: String,
    pub(super) verdict: String,
    pub(super) length: usize,
    pub(super) packed: Vec<u8>,
    /// The distinct names of the players, normalised for search.
    pub(super) names: BTreeSet<String>,
    /// The text for full-text search.
    pub(super) words: String,
}

impl NewRow {
    /// Does everything that needs no database, so that the single writer need not.
    pub(super) fn pack(new: NewRecord) -> Result<Self, StoreError> {
        let NewRecord { id, record, summary } = new;
        Ok(Self {
            id,
            players: json(&summary.players)?,
            meta: json(&summary.meta)?,
            length: record.len(),
            packed: body::pack(&record)?,
            names: names(&summary),
            words: searched(&summary),
            game: summary.game,
            ruleset: summary.ruleset,
            status: summary.status,
            plies: summary.plies,
            winner: summary.winner,
            reason: summary.reason,
            verdict: summary.verdict,
        })
    }

    /// The approximate size in bytes.
    pub(super) fn bytes(&self) -> usize {
        // The search fields are about as long as what they are made from.
        size_of::<Self>()
            + self.packed.len()
            + self.verdict.len()
            + 2 * (self.players.len() + self.meta.len())
    }
}

/// The distinct names by which a record's players are found, however many seats a person has.
pub(super) fn names(summary: &Summary) -> BTreeSet<String> {
    summary.players.iter().map(|(_, name)| folded(name)).collect()
}

/// Whether an index has the names of a record's players; as lower-case text, where it was written before names were composed.
pub(super) fn are_names(summary: &Summary, known: &BTreeSet<String>) -> bool {
    let before = || summary.players.iter().map(|(_, name)| name.to_lowercase()).collect();
    names(summary) == *known || *known == before()
}

/// The text for full-text search; if it is empty, the index has no row.
pub(super) fn searched(summary: &Summary) -> String {
    let mut scalars = Vec::new();
    summary.meta.iter().for_each(|(_, value)| add_scalars(value, &mut scalars));
    scalars.join("\n")
}

/// Appends the scalars in a value, as people write them.
fn add_scalars<'a>(value: &'a Value, to: &mut Vec<Cow<'a, str>>) {
    match value {
        Value::Null => {}
        Value::Bool(true) => to.push("true".into()),
        Value::Bool(false) => to.push("false".into()),
        Value::Number(number) => to.push(number.to_string().into()),
        Value::String(text) => to.push(text.into()),
        Value::Array(items) => items.iter().for_each(|item| add_scalars(item, to)),
        Value::Object(fields) => fields.values().for_each(|value| add_scalars(value, to)),
    }
}

/// A part of a list entry in its stored form.
fn json<T: Serialize>(pairs: &[(String, T)]) -> Result<String, StoreError> {
    serde_json::to_string(pairs).map_err(|error| StoreError::Rejected(error.to_string()))
}

/// The search terms in the filter's text: each is a prefix of a word, or of consecutive words, and
/// all must occur. Empty if the text does not filter.
pub(super) fn asked(text: &str) -> Vec<&str> {
    // A NUL would end an expression in some databases, so it separates words like a space.
    let mut words: Vec<&str> = text
        .split(|part: char| part.is_whitespace() || part.is_control())
        .filter(|word| !word.is_empty())
        .collect();
    // A lone dash is in no index: beside words it is ignored, by itself it finds nothing.
    if words.iter().any(|word| has_letters(word)) {
        words.retain(|word| has_letters(word));
    }
    words
}

/// Whether the full-text index contains anything of the word.
fn has_letters(word: &str) -> bool {
    word.contains(char::is_alphanumeric)
}
