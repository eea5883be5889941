//! A record as stores keep it: packed, with what a list shows and what it is found by.
//!
//! Made without any database, and the same for each of them. This module must not read a record, and must not say
//! SQL.

use std::borrow::Cow;
use std::collections::BTreeSet;

use serde::Serialize;
use serde_json::Value;

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
    /// The players' names as they are looked for, each once.
    pub(super) names: BTreeSet<String>,
    /// The text to be searched.
    pub(super) words: String,
}

impl NewRow {
    /// Does all that can be done without the database, so that the one writer need not.
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

    /// About how many bytes it holds.
    pub(super) fn bytes(&self) -> usize {
        // What is looked for is about as long as what it was made from.
        size_of::<Self>()
            + self.packed.len()
            + self.verdict.len()
            + 2 * (self.players.len() + self.meta.len())
    }
}

/// The names by which a record's players are found: each once, however many seats one person has.
pub(super) fn names(summary: &Summary) -> BTreeSet<String> {
    summary.players.iter().map(|(_, name)| folded(name)).collect()
}

/// The text of a record that is searched; where it is empty, the full-text index has no row.
pub(super) fn searched(summary: &Summary) -> String {
    let mut scalars = Vec::new();
    summary.meta.iter().for_each(|(_, value)| add_scalars(value, &mut scalars));
    scalars.join("\n")
}

/// Adds the scalars of a value as people write them.
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

/// A part of a summary as the store keeps it.
fn json<T: Serialize>(pairs: &[(String, T)]) -> Result<String, StoreError> {
    serde_json::to_string(pairs).map_err(|error| StoreError::Rejected(error.to_string()))
}

/// A player's name as it is looked for.
pub(super) fn folded(name: &str) -> String {
    name.to_lowercase()
}

/// What the filter's text asks for, word by word: each is the beginning of a word, or of several that follow each
/// other, and all must occur. Nothing for text that does not filter.
pub(super) fn asked(text: &str) -> Vec<&str> {
    // A NUL would end an expression of some database, so it parts words as blanks do.
    let mut words: Vec<&str> = text
        .split(|part: char| part.is_whitespace() || part.is_control())
        .filter(|word| !word.is_empty())
        .collect();
    // A lone dash is in no index, so beside a word it must not count; by itself it finds nothing.
    if words.iter().any(|word| has_letters(word)) {
        words.retain(|word| has_letters(word));
    }
    words
}

/// Whether there is something in the word that the full-text search keeps.
fn has_letters(word: &str) -> bool {
    word.contains(char::is_alphanumeric)
}
