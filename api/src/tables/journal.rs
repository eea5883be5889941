//! The journal of a table: what it was created as, and the steps since then, in order.
//!
//! The stored form is stable: every later version reads a step that was written. This module must not know what a step
//! does.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;
use umpire_engine::chance::{Entry, EntryOf};
use umpire_engine::digest::canonical_text;

/// The version of this form.
pub const FORM: u32 = 1;

/// What a table was created as.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Head {
    /// The version of the form.
    pub form: u32,
    /// When it was created, in milliseconds since 1970.
    pub at: i64,
    /// The game.
    pub game: String,
    /// The ruleset, pinned when the table was created.
    pub ruleset: String,
    /// The options.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub options: Option<Box<RawValue>>,
    /// Names by seat.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub players: BTreeMap<String, String>,
    /// The source of chance.
    pub chance: Draws,
    /// The position that the game starts from.
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
    /// Whether hints are turned off.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub no_hints: bool,
}

/// The source of a table's chance.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Draws {
    /// A seed that the server drew, secret until the table is sealed.
    Server(String),
    /// A seed that was given.
    Seed(String),
    /// Dice and cards are entered by hand; these had fallen when the table was created.
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
    /// A seat agrees to take back the actions after this many.
    Agree(Agreed),
    /// A seat withdraws its request to take actions back.
    Withdraw(String),
    /// The actions after this many are taken back.
    Undo(u32),
    /// A seat committed itself to its part of a fair draw.
    Commit(Part),
    /// A seat revealed its part of a fair draw.
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
    /// The action.
    pub action: Box<RawValue>,
    /// When it was taken, in milliseconds since 1970.
    pub at: i64,
    /// What fell for it, if that is entered by hand.
    #[serde(default, deserialize_with = "entries", skip_serializing_if = "Vec::is_empty")]
    pub tape: Vec<Entry>,
    /// Its sender and the idempotency key of the request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
}

/// A seat that agrees.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Agreed {
    /// The ply to go back to.
    pub to: u32,
    /// The seat.
    pub seat: String,
}

/// A seat's part of a fair draw: first its commitment, later the secret behind it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// The seat.
    pub seat: String,
    /// 64 lower-case hexadecimal digits.
    pub value: String,
}

/// A text as it is stored: in canonical form if it has one, so that blanks are not kept.
pub fn stored_text(sent: &RawValue) -> Box<RawValue> {
    let canonical = canonical_text(sent).and_then(|text| RawValue::from_string(text).ok());
    canonical.unwrap_or_else(|| sent.to_owned())
}

/// Tape entries that own their text.
fn entries<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Entry>, D::Error> {
    let entries: Vec<EntryOf<'de>> = Vec::deserialize(from)?;
    Ok(entries.into_iter().map(EntryOf::owned).collect())
}
