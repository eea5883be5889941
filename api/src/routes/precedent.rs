//! Precedents: settled disputes of a game, each with its outcome under every reading.
//!
//! They are fixtures that are re-run in every build, so they are always true. This module must not
//! decide anything.

use actix_web::HttpResponse;
use actix_web::web::Path;
use serde::Serialize;
use umpire_conformance::precedent::{self, Precedent};
use umpire_engine::any_game::AnyGame;
use umpire_referee::questions::rules::game as game_named;

use crate::http::error::{ApiError, Problem, shorten};
use crate::http::fixed::Fixed;
use crate::http::query::Query;
use umpire_referee::query::{NoParameters, Pairs, Parameters};

/// The precedents of a game.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PrecedentList {
    /// The game.
    pub game: &'static str,
    /// The precedents, in order of their names.
    pub precedents: Vec<Precedent>,
}

impl PrecedentList {
    /// The precedents of a game that depend on a clause or ruling, or all of them.
    pub fn of(game: &dyn AnyGame, clause: Option<&str>) -> Self {
        let turns = |it: &&Precedent| clause.is_none_or(|id| it.turns_on(id));
        let precedents =
            precedent::embedded(game.meta().id).iter().filter(turns).cloned().collect();
        PrecedentList { game: game.meta().id, precedents }
    }
}

/// Which precedents to list.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
pub struct PrecedentParameters {
    /// List only precedents that depend on this clause or ruling.
    #[cfg_attr(feature = "openapi", param(value_type = Option<umpire_referee::schemas::RuleId>, inline))]
    pub clause: Option<String>,
}

impl Parameters for PrecedentParameters {
    fn read(pairs: &mut Pairs) -> Result<Self, Problem> {
        Ok(PrecedentParameters { clause: pairs.take("clause")? })
    }
}

/// Lists the precedents of a game.
///
/// Settled disputes about unclear points of the rulebook: the position or record, the question, the
/// outcome with its clause, the outcome under other readings, and why. `clause` selects those that
/// depend on a clause or ruling. Each is re-run in every build of the referee.
#[cfg_attr(feature = "openapi", utoipa::path(
    get, path = "/v1/games/{game}/precedents", tag = "disputes", operation_id = "list_precedents",
    params(("game" = umpire_referee::schemas::GameName, Path, description = "The id of a game."), PrecedentParameters),
    responses((status = 200, description = "The precedents.", body = PrecedentList))
))]
pub async fn list_precedents(
    game: Path<String>,
    parameters: Query<PrecedentParameters>,
    fixed: Fixed,
) -> Result<HttpResponse, ApiError> {
    let game = game_named(&game)?;
    let clause = parameters.clause.as_deref();
    if let Some(id) =
        clause.filter(|id| game.rules().iter().all(|entry| !entry.id.eq_ignore_ascii_case(id)))
    {
        let (game, id) = (game.meta().id, shorten(id));
        return Err(ApiError::not_found(format!("{game} has no clause or ruling {id:?}")));
    }
    Ok(fixed.json(&PrecedentList::of(game, clause)))
}

/// Shows a precedent.
///
/// A settled dispute, by its name.
#[cfg_attr(feature = "openapi", utoipa::path(
    get, path = "/v1/games/{game}/precedents/{name}", tag = "disputes", operation_id = "get_precedent",
    params(
        ("game" = umpire_referee::schemas::GameName, Path, description = "The id of a game."),
        ("name" = umpire_referee::schemas::PrecedentName, Path, description = "The name of a precedent."),
    ),
    responses((status = 200, description = "The precedent.", body = Precedent))
))]
pub async fn get_precedent(
    path: Path<(String, String)>,
    _: Query<NoParameters>,
    fixed: Fixed,
) -> Result<HttpResponse, ApiError> {
    let (game, name) = path.into_inner();
    let game = game_named(&game)?;
    let found = PrecedentList::of(game, None).precedents.into_iter().find(|it| it.name == name);
    let found = found.ok_or_else(|| {
        ApiError::not_found(format!("{} has no precedent {:?}", game.meta().id, shorten(&name)))
    })?;
    Ok(fixed.json(&found))
}
