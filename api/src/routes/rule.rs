//! The clauses and rulings of a game, by id.
//!
//! This module must not contain rule texts: it shows the game's rulebook.

use actix_web::HttpResponse;
use actix_web::web::{Bytes, Path};
use umpire_conformance::compliance::Compliance;
use umpire_engine::any_game::AnyGame;
use umpire_referee::json;
use umpire_referee::language::Language;
use umpire_referee::parameters::{LanguageParameters, RulesParameters};
use umpire_referee::query::NoParameters;
use umpire_referee::questions::rules::{RuleList, game as game_named, rule};

use crate::http::body::{self, JSON};
use crate::http::error::ApiError;
use crate::http::fixed::{Fixed, PerGame};
use crate::http::query::Query;

/// The rulebook of a registered game in English as JSON, made once.
fn english(game: &'static dyn AnyGame) -> Bytes {
    static TEXTS: PerGame =
        PerGame::new(|game| json::text(&RuleList::of(&Language::ENGLISH.of(game))));
    TEXTS.of(game)
}

/// Lists the clauses and rulings of a game.
///
/// In the order of the rules document; gists are in our own words, sections are those of each
/// printed edition. `text` lists only those that contain some words.
#[cfg_attr(feature = "openapi", utoipa::path(
    get, path = "/v1/games/{game}/rules", tag = "games", operation_id = "list_rules",
    params(("game" = umpire_referee::schemas::GameName, Path, description = "The id of a game."), RulesParameters),
    responses((status = 200, description = "The rulebook.", body = RuleList))
))]
pub async fn list_rules(
    game: Path<String>,
    parameters: Query<RulesParameters>,
    fixed: Fixed,
) -> Result<HttpResponse, ApiError> {
    let game = game_named(&game)?;
    let voice = parameters.lang.of(game);
    let answer = match &parameters.text {
        Some(words) => fixed.json(&RuleList::about(&voice, words)),
        None if voice.is_english() => fixed.text(JSON, english(game)),
        None => fixed.json(&RuleList::of(&voice)),
    };
    Ok(body::spoken(answer, &voice))
}

/// Shows a clause or ruling.
///
/// By the id that verdicts, events and draws cite.
#[cfg_attr(feature = "openapi", utoipa::path(
    get, path = "/v1/games/{game}/rules/{id}", tag = "games", operation_id = "get_rule",
    params(
        ("game" = umpire_referee::schemas::GameName, Path, description = "The id of a game."),
        ("id" = umpire_referee::schemas::RuleId, Path, description = "The id of a clause or ruling."),
        LanguageParameters,
    ),
    responses((status = 200, description = "The rule.", body = umpire_referee::questions::rules::RuleInfo))
))]
pub async fn get_rule(
    path: Path<(String, String)>,
    parameters: Query<LanguageParameters>,
    fixed: Fixed,
) -> Result<HttpResponse, ApiError> {
    let (game, id) = path.into_inner();
    let game = game_named(&game)?;
    let voice = parameters.lang.of(game);
    let rule = rule(&voice, &id)?;
    Ok(body::spoken(fixed.json(&rule), &voice))
}

/// Lists the readings of each ruling that this engine supports.
///
/// For each ruling its readings: which can be chosen, which is the default and why, and the cases
/// that demonstrate each. Every case is run in every build of the referee.
#[cfg_attr(feature = "openapi", utoipa::path(
    get, path = "/v1/games/{game}/compliance", tag = "games", operation_id = "get_compliance",
    params(("game" = umpire_referee::schemas::GameName, Path, description = "The id of a game.")),
    responses((status = 200, description = "The table.", body = Compliance))
))]
pub async fn get_compliance(
    game: Path<String>,
    _: Query<NoParameters>,
    fixed: Fixed,
) -> Result<HttpResponse, ApiError> {
    static TEXTS: PerGame = PerGame::new(|game| json::text(&Compliance::of(game)));
    Ok(fixed.text(JSON, TEXTS.of(game_named(&game)?)))
}
