//! Precedents: decided disputes, each with its answer under every reading, re-run in every build.
//!
//! `fixtures/<game>/precedents/*.json`. Adding one is adding a file; nothing here knows a game.
//! What a file says beyond this is passed over; a test sees to it that there is nothing.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use umpire_engine::any_game::AnyGame;
use umpire_engine::dispute::readings::{Adjudication, Dispute, ReadingChoice};
use umpire_engine::dispute::voice::PrecedentLink;
use umpire_engine::games::GAMES;
use umpire_engine::partial::Partial;
use umpire_engine::record::RawRecord;
use umpire_engine::replay::Limits;
use umpire_engine::replay::answer::Unanswered;
#[cfg(feature = "schema")]
use umpire_engine::schema::{AnyObject, AnyValue, SentRecord};

use crate::embedded;

/// A decided dispute. Where its record has unknowns, an answer is what holds of all completions: `legal` is
/// there where all are or none is, `status` is `possible` where some are, `rule` and `code` are those of what none accepts, and `outcome` is how every one ends.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Precedent {
    /// The name: a file of `fixtures/<game>/precedents`.
    #[serde(default)]
    pub name: String,
    /// The case in one sentence.
    pub title: String,
    /// What the players disagree about.
    pub question: String,
    /// The clauses it turns on, the deciding one first.
    pub clauses: Vec<String>,
    /// The ruling that decides it; `null` where the clauses alone do.
    pub ruling: Option<String>,
    /// The record.
    #[cfg_attr(feature = "schema", schema(value_type = SentRecord))]
    pub record: Box<RawValue>,
    /// The action that somebody wants to make after the record's last one; left out where the
    /// question is about the record itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<AnyObject>, nullable = false))]
    pub ask: Option<Box<RawValue>>,
    /// The answer under the readings of the record.
    pub answer: Answer,
    /// The answers under other readings.
    #[serde(default)]
    pub readings: Vec<OtherAnswer>,
    /// Why, in one or two sentences.
    pub reasoning: String,
}

/// The answer under another reading.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = PrecedentReading))]
pub struct OtherAnswer {
    /// The edition of the printed book.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub edition: Option<String>,
    /// Values of selectable rulings by id.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[cfg_attr(feature = "schema", schema(required = false))]
    pub rulings: BTreeMap<String, String>,
    /// The answer.
    pub answer: Answer,
}

/// What a dispute comes to. What it does not turn on is left out.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = PrecedentAnswer))]
#[serde(default)]
pub struct Answer {
    /// Whether the asked action (or, without one, the record) is legal.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub legal: Option<bool>,
    /// The clause that forbids it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub rule: Option<String>,
    /// The kind of fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub code: Option<String>,
    /// Clauses and rulings that are cited too.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schema(required = false))]
    pub rules: Vec<String>,
    /// How the record then stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub status: Option<String>,
    /// Number of accepted actions.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub plies: Option<u32>,
    /// How the game ended; `null` where it goes on, left out where nothing turns on it.
    #[serde(deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<Outcome>, required = false))]
    pub outcome: Option<Option<Outcome>>,
    /// Values in the referee's view after it, by JSON pointer.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[cfg_attr(feature = "schema", schema(value_type = BTreeMap<String, AnyValue>, required = false))]
    pub state: BTreeMap<String, Value>,
}

/// How the game of a precedent ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = PrecedentOutcome))]
pub struct Outcome {
    /// The winner's seat, where there is one.
    pub winner: Option<String>,
    /// Why the game is over.
    pub reason: String,
}

fn given<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Option<Option<Outcome>>, D::Error> {
    Deserialize::deserialize(from).map(Some)
}

impl OtherAnswer {
    /// The reading under which it is the answer.
    pub fn reading(&self) -> ReadingChoice {
        ReadingChoice {
            edition: self.edition.clone(),
            rulings: self.rulings.clone(),
            ..ReadingChoice::default()
        }
    }
}

impl Precedent {
    /// The dispute, settled by the engine under the readings that the precedent names.
    ///
    /// # Errors
    /// Why it cannot be.
    pub fn settle(
        &self,
        game: &dyn AnyGame,
        limits: Limits<'_>,
    ) -> Result<Adjudication, Unanswered> {
        let readings: Vec<ReadingChoice> = self.readings.iter().map(OtherAnswer::reading).collect();
        let dispute = Dispute {
            readings: Some(&readings),
            action: self.ask.as_deref(),
            ..Dispute::default()
        };
        let text = self.record.get().as_bytes();
        match Partial::read(text)?.filter(Partial::is_open) {
            Some(partial) => game.adjudicate_partial(&partial, &dispute, limits),
            None => game.adjudicate(&RawRecord::read(text)?, &dispute, limits),
        }
    }

    /// Whether it turns on a clause or ruling, by its id in upper or lower case.
    pub fn turns_on(&self, id: &str) -> bool {
        self.clauses.iter().chain(&self.ruling).any(|of| of.eq_ignore_ascii_case(id))
    }
}

/// The precedents of every game, read once: a dispute is settled in less time than reading them takes.
static EMBEDDED: LazyLock<BTreeMap<&'static str, Vec<Precedent>>> = LazyLock::new(|| {
    let of = |game: &&'static dyn AnyGame| {
        let texts = embedded::texts(game.meta().id, "precedents");
        let read = texts.filter_map(|(name, text)| {
            let precedent: Precedent = serde_json::from_str(text).ok()?;
            Some(Precedent { name: name.to_owned(), ..precedent })
        });
        (game.meta().id, read.collect())
    };
    GAMES.iter().map(of).collect()
});

/// The precedents of a game (by its id) that the binary carries, with their names, in order of these.
pub fn embedded(game: &str) -> &'static [Precedent] {
    EMBEDDED.get(game).map(Vec::as_slice).unwrap_or_default()
}

/// Names, with each ruling that a dispute rests on, the precedents that turn on it.
pub fn link(settled: &mut Adjudication) {
    for ruling in &mut settled.cited {
        let those = embedded(settled.game).iter().filter(|it| it.turns_on(ruling.id));
        let links =
            those.map(|it| PrecedentLink { name: it.name.clone(), title: it.title.clone() });
        ruling.precedents = links.collect();
    }
}
