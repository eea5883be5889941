//! Precedents: decided disputes of a game, each with its answer under every reading.
//!
//! They are fixtures, re-run in every build, so what is shown here holds. This module must not
//! decide anything.

use std::collections::BTreeMap;

use actix_web::HttpResponse;
use actix_web::web::Path;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use umpire_engine::erased::AnyGame;
use utoipa::{IntoParams, ToSchema};

use crate::error::{ApiError, shorten};
use crate::openapi;
use crate::pack;
use crate::query::{NoParameters, Pairs, Parameters, Query};

/// A decided dispute.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
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
    #[schema(value_type = openapi::Record)]
    pub record: Box<RawValue>,
    /// The action that somebody wants to make behind the record's last one; left out where the
    /// question is about the record itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<openapi::AnyObject>, nullable = false)]
    pub ask: Option<Box<RawValue>>,
    /// The answer under the readings of the record.
    pub answer: PrecedentAnswer,
    /// The answers under other readings.
    #[serde(default)]
    pub readings: Vec<PrecedentReading>,
    /// Why, in one or two sentences.
    pub reasoning: String,
}

/// The answer under another reading.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct PrecedentReading {
    /// The edition of the printed book.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub edition: Option<String>,
    /// Values of selectable rulings by id.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[schema(required = false)]
    pub rulings: BTreeMap<String, String>,
    /// The answer.
    pub answer: PrecedentAnswer,
}

/// What a dispute comes to. What it does not turn on is left out.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct PrecedentAnswer {
    /// Whether the asked action (or, without one, the record) is legal.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub legal: Option<bool>,
    /// The clause that forbids it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub rule: Option<String>,
    /// The kind of fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub code: Option<String>,
    /// Clauses and rulings that are cited too.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub rules: Vec<String>,
    /// How the record then stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub status: Option<String>,
    /// Number of accepted actions.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub plies: Option<u32>,
    /// How the game ended; `null` where it goes on.
    #[serde(deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<PrecedentOutcome>, required = false)]
    pub outcome: Option<Option<PrecedentOutcome>>,
    /// Values in the referee's view behind it, by JSON pointer.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[schema(value_type = BTreeMap<String, openapi::AnyValue>, required = false)]
    pub state: BTreeMap<String, serde_json::Value>,
}

/// How the game of a precedent ended.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct PrecedentOutcome {
    /// The winner's seat, where there is one.
    pub winner: Option<String>,
    /// Why the game is over.
    pub reason: String,
}

fn given<'de, D: serde::Deserializer<'de>>(
    from: D,
) -> Result<Option<Option<PrecedentOutcome>>, D::Error> {
    Deserialize::deserialize(from).map(Some)
}

/// The precedents of a game.
#[derive(Debug, Serialize, ToSchema)]
pub struct PrecedentList {
    /// The game.
    pub game: &'static str,
    /// The precedents, in order of their names.
    pub precedents: Vec<Precedent>,
}

impl PrecedentList {
    /// The precedents of a game that turn on a clause or ruling; all of them without one.
    pub fn of(game: &dyn AnyGame, clause: Option<&str>) -> Self {
        let turns = |it: &Precedent| match clause {
            None => true,
            Some(id) => it.clauses.iter().chain(&it.ruling).any(|of| of.eq_ignore_ascii_case(id)),
        };
        let read = |(name, text): (&str, &str)| {
            let precedent: Precedent = serde_json::from_str(text).ok()?;
            Some(Precedent { name: name.to_owned(), ..precedent })
        };
        let all = pack::texts(game.meta().id, "precedents").filter_map(read);
        PrecedentList { game: game.meta().id, precedents: all.filter(turns).collect() }
    }
}

/// Which precedents are wanted.
#[derive(Clone, PartialEq, Eq, Debug, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PrecedentParameters {
    /// A clause or ruling that they turn on.
    #[param(value_type = Option<openapi::RuleId>, inline)]
    pub clause: Option<String>,
}

impl Parameters for PrecedentParameters {
    fn read(pairs: &mut Pairs) -> Result<Self, ApiError> {
        Ok(PrecedentParameters { clause: pairs.take("clause")? })
    }
}

/// Lists the precedents of a game.
///
/// Decided disputes on what is unclear in the rulebook: the position or record, the question, the
/// answer with its clause, the answer under other readings, and why. `clause` leaves only those
/// that turn on a clause or ruling. Each is run again in every build of the referee.
#[utoipa::path(
    get, path = "/v1/games/{game}/precedents", tag = "disputes", operation_id = "list_precedents",
    params(("game" = openapi::GameName, Path, description = "The id of a game."), PrecedentParameters),
    responses((status = 200, description = "The precedents.", body = PrecedentList))
)]
pub async fn list_precedents(
    game: Path<String>,
    parameters: Query<PrecedentParameters>,
) -> Result<HttpResponse, ApiError> {
    let game = super::game_at(&game)?;
    let clause = parameters.clause.as_deref();
    if let Some(id) =
        clause.filter(|id| game.rules().iter().all(|entry| !entry.id.eq_ignore_ascii_case(id)))
    {
        let (game, id) = (game.meta().id, shorten(id));
        return Err(ApiError::NotFound(format!("{game} has no clause or ruling {id:?}")));
    }
    Ok(super::json_answer(&PrecedentList::of(game, clause)))
}

/// Shows a precedent.
///
/// One decided dispute, by its name.
#[utoipa::path(
    get, path = "/v1/games/{game}/precedents/{name}", tag = "disputes", operation_id = "get_precedent",
    params(
        ("game" = openapi::GameName, Path, description = "The id of a game."),
        ("name" = openapi::PrecedentName, Path, description = "The name of a precedent."),
    ),
    responses((status = 200, description = "The precedent.", body = Precedent))
)]
pub async fn get_precedent(
    path: Path<(String, String)>,
    _: Query<NoParameters>,
) -> Result<HttpResponse, ApiError> {
    let (game, name) = path.into_inner();
    let game = super::game_at(&game)?;
    let found = PrecedentList::of(game, None).precedents.into_iter().find(|it| it.name == name);
    let found = found.ok_or_else(|| {
        ApiError::NotFound(format!("{} has no precedent {:?}", game.meta().id, shorten(&name)))
    })?;
    Ok(super::json_answer(&found))
}
