//! What is answered to *why not*, and how much that may cost.
//!
//! This module must not work anything out.

use serde::Serialize;
use serde_json::value::RawValue;

use crate::dispute::explain::ViewChange;
use crate::dispute::patch::Edit;
use crate::people::{Sentences, sentences};
use crate::replay::answer::{Cited, PendingDecision, Violation};
use crate::replay::completion::{Attempts, Proof, Witness};
#[cfg(feature = "schema")]
use crate::schema::{GameAction, GameId};

/// How much an answer may cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// The most positions that are tried with one change.
    pub loads: u32,
    /// The most positions that are tried with two or three changes, where one does not do.
    pub pairs: u32,
    /// How many states that a viewer could be in are asked.
    pub worlds: u32,
}

impl Default for Bounds {
    fn default() -> Self {
        Bounds { loads: 3000, pairs: 3000, worlds: 24 }
    }
}

/// Whether the action is allowed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// It is allowed; in a record with unknowns, whatever was not written down.
    Legal,
    /// It is forbidden; in a record with unknowns, whatever was not written down.
    Illegal,
    /// In a record with unknowns: it is allowed in some way in which everything may have been.
    Possible,
    /// The viewer cannot know: it may depend on what is hidden from him. In a record with unknowns: it was not found out
    /// within the bounds.
    Undecidable,
}

/// A change of facts that would allow the action.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Allowing {
    /// What to change in the referee's view of the state; the result is a position in which the
    /// action is accepted.
    pub edits: Vec<Edit>,
    /// The same in plain words, to be read after "it would be allowed if".
    pub words: String,
}

/// Why a proposed action is or is not allowed.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = GAME::WhyNot))]
pub struct WhyNot {
    /// The version of the engine.
    pub engine: &'static str,
    /// The game.
    #[cfg_attr(feature = "schema", schema(value_type = GameId))]
    pub game: &'static str,
    /// The rules that were applied.
    pub ruleset: String,
    /// Who asks: `referee`, `spectator`, or a seat.
    pub viewer: &'static str,
    /// The ply at which the action is proposed.
    pub ply: u32,
    /// What is to be decided there.
    pub decision: PendingDecision,
    /// The action as it was proposed.
    #[cfg_attr(feature = "schema", schema(value_type = crate::schema::SentAction))]
    pub action: Box<RawValue>,
    /// Whether it is allowed.
    pub answer: Answer,
    /// The answer in plain words.
    pub message: String,
    /// What forbids it: first what the engine says, then what stands in the way once that is
    /// mended, where two changes were found that together allow the action. For a viewer, what
    /// forbids it whatever is hidden from him. Their `nearest` is empty; it stands here.
    pub violations: Vec<Violation>,
    /// Facts in the asking viewer's view about what the action names.
    pub facts: Vec<ViewChange>,
    /// At most three changes of facts that would allow the action, the smallest first; for the referee only, because
    /// they speak of the whole state.
    #[cfg_attr(feature = "schema", schema(max_items = 3))]
    pub changes: Vec<Allowing>,
    /// At most five legal actions of the same seat, the most alike first; for the referee, those of
    /// the seats that decide where that seat may not act; for a viewer only where the action is his
    /// own or the decision is open to everybody.
    #[cfg_attr(feature = "schema", schema(value_type = Vec<GameAction>, max_items = 5))]
    pub nearest: Vec<Box<RawValue>>,
    /// The clauses that forbid the action, or may do so where that cannot be decided; of a legal one
    /// those by which it does what it does, the deciding one first.
    pub clauses: Vec<Cited>,
    /// In a record with unknowns: one way in which everything may have been, the action at its end where it is allowed
    /// there. What this answer says of the position is said of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(required = false, nullable = false))]
    pub witness: Option<Box<Witness>>,
    /// In a record with unknowns: why the action is allowed in no way.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(required = false, nullable = false))]
    pub proof: Option<Box<Proof>>,
    /// In a record with unknowns: what was tried.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(required = false, nullable = false))]
    pub tried: Option<Attempts>,
}

sentences! {
    Allowing: words;
    WhyNot: message, violations, facts, changes, witness, proof;
}
