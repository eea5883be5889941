//! What is kept of a table: what it was made as, and the steps since, in order.
//!
//! The form is that of the store for ever: a step that was written is read by every later version. This module must
//! not know what a step does.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;
use umpire_engine::chance::{Entry, EntryOf};

/// The version of this form.
pub const FORM: u32 = 1;

/// What a table was made as.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Head {
    /// The version of the form.
    pub form: u32,
    /// When it was made, in milliseconds since 1970.
    pub at: i64,
    /// The game.
    pub game: String,
    /// The rules, pinned when the table was made.
    pub ruleset: String,
    /// The options as they were sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub options: Option<Box<RawValue>>,
    /// Names by seat.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub players: BTreeMap<String, String>,
    /// Where chance comes from.
    pub chance: Draws,
    /// The position that the game begins with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<Box<RawValue>>,
    /// Free text.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub meta: BTreeMap<String, String>,
    /// The hash of the host's token.
    pub host: String,
    /// The hash of each seat's token; a seat that a program plays has none.
    pub seats: BTreeMap<String, String>,
    /// The seats that a program plays, with its number of simulations.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub programs: BTreeMap<String, u32>,
    /// Whether no seat is given hints.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub no_hints: bool,
}

/// Where the chance of a table comes from.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Draws {
    /// A seed that the server drew, and tells nobody before the table is sealed.
    Server(String),
    /// A seed that was given.
    Seed(String),
    /// What falls is entered by hand; so much had fallen when the table was made.
    Tape(#[serde(deserialize_with = "entries")] Vec<Entry>),
    /// A fair draw: the server's part of it.
    Fair(String),
}

/// Something that happened at a table.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Step {
    /// An action was taken.
    Action(Taken),
    /// A seat agrees to take back what followed that many actions.
    Agree(Agreed),
    /// A seat does not want to take anything back any more.
    Withdraw(String),
    /// What followed that many actions is taken back.
    Undo(u32),
    /// A seat committed itself to its part of a fair draw.
    Commit(Part),
    /// A seat opened its part of a fair draw.
    Reveal(Part),
    /// The host goes on without a seat's part of the fair draw.
    Without(String),
    /// It became a stored record.
    Seal(String),
}

/// An action that was taken.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Taken {
    /// The action, as it was sent.
    pub action: Box<RawValue>,
    /// When it was taken, in milliseconds since 1970.
    pub at: i64,
    /// What fell for it, where that is entered by hand.
    #[serde(default, deserialize_with = "entries", skip_serializing_if = "Vec::is_empty")]
    pub tape: Vec<Entry>,
    /// The name that its sender gave the request, with whom it came from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
}

/// A seat that agrees.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Agreed {
    /// Up to which ply.
    pub to: u32,
    /// Who.
    pub seat: String,
}

/// A seat's part of a fair draw: first its commitment, later the secret behind it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// Whose.
    pub seat: String,
    /// 64 lower-case hexadecimal digits.
    pub value: String,
}

/// Entries of a tape with text of their own.
fn entries<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Entry>, D::Error> {
    let entries: Vec<EntryOf<'de>> = Vec::deserialize(from)?;
    Ok(entries.into_iter().map(EntryOf::owned).collect())
}
