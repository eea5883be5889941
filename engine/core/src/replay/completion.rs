//! What is answered about a record with unknowns, as it goes over the wire, and how much that may cost.
//!
//! Must not work anything out.

use serde::Serialize;
use serde_json::value::RawValue;

use super::status::{Ending, Status};
use crate::people::{Sentences, sentences};
#[cfg(feature = "schema")]
use crate::schema::{AnyValue, RecordOfGame};

/// How far the search for what may have been goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// The most actions that are played, over all attempts.
    pub work: u64,
    /// The most ways in which everything may have been that are followed side by side.
    pub worlds: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        Bounds { work: 1_000_000, worlds: 2048 }
    }
}

/// One way in which everything unknown may have been: it replays.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = GAME::Witness))]
pub struct Witness {
    /// The record with everything filled in and put back: it is legal as any other record is.
    #[cfg_attr(feature = "schema", schema(value_type = RecordOfGame))]
    pub record: Box<RawValue>,
    /// How it stands.
    pub status: Status,
    /// How the game ended in it, if it did.
    pub outcome: Option<Ending>,
    /// What it assumes, in the order of the game.
    pub assumes: Vec<Assumption>,
    /// Of each action of the record, how many actions there are before it in the whole one, where others were put back.
    #[serde(skip)]
    pub places: Vec<u32>,
    /// How many actions the whole one has.
    #[serde(skip)]
    pub plies: u32,
}

/// Something that is assumed.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Assumption {
    /// The action of the record during which it happened, as its place there; `null` for what happened before the first.
    pub at: Option<u32>,
    /// The unknown in the record, a JSON pointer; `null` where nothing at all is written.
    pub pointer: Option<String>,
    /// What was assumed: an entry of a tape, an action, or a value of the position.
    #[cfg_attr(feature = "schema", schema(value_type = AnyValue))]
    pub is: Box<RawValue>,
    /// The action of the record that asks for it, as its place there: the one that names the card. Without it nothing in
    /// the record depends on this value by name.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(required = false, nullable = false))]
    pub needed_at: Option<u32>,
    /// The same in plain words.
    pub text: String,
}

/// How it is known that nothing fits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum ProofKind {
    /// Every way in which everything may have been was followed, and each ends there.
    Exhausted,
    /// Wherever the cards lie that nobody has shown, the action cannot be.
    Unseen,
    /// The actions of the record use up a card more often than there are copies, whatever else happened.
    Counted,
}

/// Why a record is impossible.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Proof {
    /// How it is known.
    pub kind: ProofKind,
    /// The action of the record that cannot be, as its place there; the number of actions where all can be, but not what
    /// the record says besides.
    pub at: u32,
    /// The steps of it in plain words.
    pub words: Vec<String>,
}

sentences! {
    Assumption: text;
    Proof: words;
    Witness: assumes;
}

/// What was tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Attempts {
    /// Actions that were played.
    pub actions: u64,
    /// How many actions of the record some way accepts.
    pub plies: u32,
    /// Whether the bounds ended it before everything was tried.
    pub exhausted: bool,
}
