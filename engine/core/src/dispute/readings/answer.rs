//! What is asked about a record and its readings, and what is answered.
//!
//! This module must not work anything out.

use serde::Serialize;
use serde_json::value::RawValue;

use super::carried::Carried;
use crate::digest::Fingerprint;
use crate::dispute::patch::Edit;
use crate::dispute::voice::CitedRuling;
use crate::people::{Sentences, sentences};
use crate::replay::answer::{Cited, Ending, Status, Violation};
use crate::replay::completion::{Attempts, Proof, Witness};
use crate::replay::reading::ReadingChoice;
use crate::rules::EndOfGame;
#[cfg(feature = "schema")]
use crate::schema::{GameId, GameOptions};

/// What is disputed about a record.
#[derive(Clone, Copy, Debug, Default)]
pub struct Dispute<'a> {
    /// The readings to compare with the record's own; every other reading of every selectable
    /// ruling, one at a time, and every other edition where it is left out.
    pub readings: Option<&'a [ReadingChoice]>,
    /// The ply that is asked about.
    pub ply: Option<u32>,
    /// An action proposed at that ply (after the last action without one); it stands in the
    /// place of what the record has there and after.
    pub action: Option<&'a RawValue>,
    /// A seed that answers draws which never happened.
    pub seed: Option<&'a str>,
    /// Whether the record, carried over, is wanted with each reading that needs another form.
    pub records: bool,
    /// Whether only the readings are wanted, without the clauses and rulings behind the record's own
    /// course: for many records at once.
    pub brief: bool,
}

/// What a reading makes of a record, by meaning.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = ReadingClass))]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// The same course, by the same clauses.
    Identical,
    /// The same course, by other clauses.
    OtherClause,
    /// The decisions, carried over, give the same course.
    FormOnly,
    /// The rule changes the course.
    Parts,
    /// A decision cannot be carried over.
    Illegal,
    /// Something is needed that never happened.
    MissingChance,
    /// This reading cannot be run.
    NotRun,
}

/// The answer about one action.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Answered {
    /// It is accepted.
    Legal,
    /// It is refused.
    Illegal,
    /// The record stops before it.
    NotReached,
    /// It needs a draw that never happened.
    NoDraw,
}

/// How the draws of a reading relate to those that really happened.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Draws {
    /// The same draws, all of them used.
    Same,
    /// The same draws, some of them not needed.
    LeftOver,
    /// It stops at a draw that never happened, or at one that happened for something else.
    Missing,
    /// From `hypothetical_from` on the draws come from a seed.
    Hypothetical,
}

/// What becomes of the record under one reading.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = GAME::Course))]
pub struct Course {
    /// How the record stands.
    pub status: Status,
    /// Number of accepted actions.
    pub plies: u32,
    /// The first fault, if there is one.
    pub violation: Option<Violation>,
    /// How the game ended, if it is over.
    pub outcome: Option<Ending>,
    /// Whether its draws are those that happened.
    pub draws: Draws,
    /// The ply of the first draw that comes from a seed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub hypothetical_from: Option<u32>,
    /// The answer about the action in question, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub answer: Option<Answered>,
    /// The fingerprint of the last good state.
    #[cfg_attr(feature = "schema", schema(value_type = String, pattern = "^[0-9a-f]{64}$"))]
    pub fingerprint: Fingerprint,
}

/// How two readings part.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = PartingKind))]
#[serde(rename_all = "snake_case")]
pub enum PartingKind {
    /// Already the state before the first action differs.
    Opening,
    /// Both accept the action, and the states after it differ.
    State,
    /// The action is refused under this reading only.
    Refused,
    /// The action is refused as recorded and accepted under this reading.
    Allowed,
    /// Both refuse the action, for different reasons.
    OtherClause,
    /// The action needs a draw that never happened.
    Chance,
}

/// Where two readings part, and why.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Parting {
    /// The ply of the action at which they part.
    pub ply: u32,
    /// How.
    pub how: PartingKind,
    /// The ruling, and the clauses cited there under one reading only.
    pub rules: Vec<Cited>,
    /// What happened there as recorded and not under this reading, in plain words.
    pub recorded: Vec<String>,
    /// What happened there under this reading only, in plain words.
    pub instead: Vec<String>,
    /// What differs then, in plain words; the first twenty differences.
    pub words: Vec<String>,
    /// What makes this reading's state (the referee's view) of the recorded one, together with
    /// `bookkeeping`.
    pub difference: Vec<Edit>,
    /// What else differs there that only keeps books and is no difference to anybody at the table.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schema(required = false))]
    pub bookkeeping: Vec<Edit>,
    /// The fingerprints of the two states: as recorded, and under this reading.
    #[cfg_attr(feature = "schema", schema(value_type = Vec<String>, min_items = 2, max_items = 2))]
    pub fingerprints: [Fingerprint; 2],
}

/// What a reading changes; nothing of it is known where draws are `missing`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Changes {
    /// Who wins. A record that stops at a fault has no winner, but no other one either.
    pub winner: bool,
    /// Whether and how the game ends.
    pub result: bool,
    /// Whether the record is legal.
    pub legality: bool,
    /// Whether the action in question is legal.
    pub answer: bool,
    /// Where or why the record is refused, if it is refused either way.
    pub fault: bool,
}

/// A reading that makes a difference to the record.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = GAME::Compared))]
pub struct Compared {
    /// The reading.
    pub reading: ReadingChoice,
    /// What it says, in plain words.
    pub gist: String,
    /// What it makes of the record.
    pub class: Class,
    /// What it changes once the decisions are carried over.
    pub changes: Changes,
    /// What becomes of the record once the decisions are carried over. The place of a violation is
    /// that in the record as it stands.
    pub course: Course,
    /// What was carried over in another form, line by line; empty where the record can stand as it is.
    pub carried: Vec<Carried>,
    /// The record, carried over, where it was asked for and has another form. Its chance is a tape of
    /// what was drawn.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(value_type = crate::schema::RecordOfGame, required = false))]
    pub record: Option<Box<RawValue>>,
    /// Where the record as it stands parts from its own reading.
    pub parting: Parting,
}

/// A reading that changes nothing, or that the record's options or position rule out.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Aside {
    /// The reading.
    pub reading: ReadingChoice,
    /// `identical` or `other_clause`; `not_run` where it cannot be.
    pub class: Class,
    /// What it says, or why it cannot be, in plain words.
    pub gist: String,
    /// What differs in the last state that only keeps books.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schema(required = false))]
    pub bookkeeping: Vec<Edit>,
    /// How the game is over under it before anything is played, where that is why it cannot be.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(value_type = EndOfGame, required = false))]
    pub outcome: Option<EndOfGame>,
}

/// The action in question.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = GAME::Question))]
pub struct Question {
    /// Number of actions before it.
    pub ply: u32,
    /// The action as it was asked or recorded; it need not be an action of the game.
    #[cfg_attr(feature = "schema", schema(value_type = crate::schema::SentAction))]
    pub action: Box<RawValue>,
    /// The answer under the record's own readings.
    pub answer: Answered,
    /// The clauses it follows from: those by which the action does what it does, or those that forbid
    /// it; empty where it is not reached.
    pub clauses: Vec<Cited>,
}

/// How a record with unknowns stands under one reading.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = GAME::Supposed))]
pub struct Supposed {
    /// The reading; the record's own where it is left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(required = false, nullable = false))]
    pub reading: Option<ReadingChoice>,
    /// How it stands: `complete` or `in_progress` whatever was not written down, `possible`, `impossible`, `undecided`, or
    /// `bad_chance` where it needs a draw that never happened.
    pub status: Status,
    /// Number of actions of the record that some completion accepts.
    pub plies: u32,
    /// What no completion accepts.
    pub violation: Option<Violation>,
    /// How the game ends in every completion, where that could be shown.
    pub outcome: Option<Ending>,
    /// How it ends in the completion that was found.
    pub found: Option<Ending>,
    /// Why nothing fits.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(required = false, nullable = false))]
    pub proof: Option<Box<Proof>>,
    /// What was tried.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(required = false, nullable = false))]
    pub tried: Option<Attempts>,
    /// The same in a sentence.
    pub text: String,
}

/// What becomes of a record with unknowns under its own readings and others, whatever was not written down.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = GAME::Completions))]
pub struct Completions {
    /// The completion that everything else in the answer is said of: its plies are those of its record.
    pub witness: Box<Witness>,
    /// Under the readings of the record.
    pub recorded: Supposed,
    /// Under each other reading, without what the record claims and states, which was seen under its own.
    pub readings: Vec<Supposed>,
}

/// A dispute, settled.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = GAME::Adjudication))]
pub struct Adjudication {
    /// The version of the engine.
    pub engine: &'static str,
    /// The game.
    #[cfg_attr(feature = "schema", schema(value_type = GameId))]
    pub game: &'static str,
    /// The rules that were applied.
    pub ruleset: String,
    /// The options of the record, defaults included.
    #[cfg_attr(feature = "schema", schema(value_type = GameOptions))]
    pub options: Box<RawValue>,
    /// What a club secretary reads aloud, sentence by sentence.
    pub summary: Vec<String>,
    /// The action in question, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub question: Option<Question>,
    /// What becomes of the record under its own readings.
    pub recorded: Course,
    /// The rulings behind that course: those at the ply in question first. Also those whose other
    /// readings cannot be run.
    pub cited: Vec<CitedRuling>,
    /// The readings that make a difference, the gravest first.
    pub readings: Vec<Compared>,
    /// The readings that make no difference to this game.
    pub same: Vec<Aside>,
    /// The readings under which the record's options or position cannot be.
    pub impossible: Vec<Aside>,
    /// Of a record with unknowns: how it stands, whatever was not written down.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(required = false, nullable = false))]
    pub completions: Option<Box<Completions>>,
}

sentences! {
    Adjudication: summary, recorded, readings, completions;
    Compared: course, parting;
    Completions: witness, recorded, readings;
    Course: violation;
    Parting: recorded, instead, words;
    Supposed: violation, proof, text;
}
