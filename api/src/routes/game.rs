//! The registered games, and the constant data of each.
//!
//! This module must not name a game: it lists the registry.

use actix_web::HttpResponse;
use actix_web::web::Path;
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use umpire_engine::any_game::AnyGame;
use umpire_engine::game::Sheet;
use umpire_engine::rules::ReadingEntry;

use crate::documents::description;
use crate::http::body::JSON;
use crate::http::error::ApiError;
use crate::http::fixed::{Fixed, PerGame};
use crate::http::query::Query;
use umpire_referee::json;
use umpire_referee::query::NoParameters;
use umpire_referee::questions::rules::{
    self, EditionDefaults, GameList, GameSummary, PlayerRange, RulesetVersion, game as game_named,
};
use umpire_referee::schemas::JsonSchema;

/// A ruling whose reading a record may choose.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RulingChoice {
    /// The id, as in `options.rulings`.
    id: &'static str,
    /// The question that the ruling answers.
    question: &'static str,
    /// The default reading.
    default: &'static str,
    /// The readings.
    readings: Vec<ReadingEntry>,
    /// The clauses that it settles.
    settles: &'static [&'static str],
    /// Why this reading is the default.
    because: &'static str,
}

/// One type of action.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ActionType {
    /// The value of its field `type`.
    #[serde(rename = "type")]
    name: String,
    /// Its self-contained JSON Schema.
    schema: JsonSchema,
}

/// A game with its options, rulings, actions and components.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = GAME::GameDetail))]
pub struct GameDetail {
    /// The id in records and paths.
    #[cfg_attr(feature = "openapi", schema(value_type = umpire_engine::schema::GameId))]
    id: &'static str,
    /// The title for people.
    title: &'static str,
    /// The current ruleset, as a record names it.
    ruleset: String,
    /// Every version of the ruleset, the oldest first, with what it has otherwise than the newest.
    versions: Vec<RulesetVersion>,
    /// What each edition of the printed book sets; empty for a book of one edition.
    editions: Vec<EditionDefaults>,
    /// The names of all seats, in seat order.
    seats: &'static [&'static str],
    /// How many can play.
    players: PlayerRange,
    /// The languages of the game, English first, as ISO 639 codes: values of `lang`.
    languages: Vec<&'static str>,
    /// The ways in which the game ends.
    endings: &'static [&'static str],
    /// The labels of the random number streams.
    streams: &'static [&'static str],
    /// The default options.
    #[cfg_attr(feature = "openapi", schema(value_type = umpire_engine::schema::GameOptions))]
    options: Box<RawValue>,
    /// The JSON Schema of the options, with their choices.
    options_schema: JsonSchema,
    /// The rulings whose reading a record may choose.
    rulings: Vec<RulingChoice>,
    /// The types of action.
    actions: Vec<ActionType>,
    /// The data behind the rules (board, decks, tables), with the source of each item.
    #[cfg_attr(feature = "openapi", schema(value_type = umpire_engine::schema::GameComponents))]
    components: Box<RawValue>,
    /// The tables of the rules document, and where each is in `components`.
    tables: Vec<TableAt>,
}

/// Where a table of the rules document is among the components.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct TableAt {
    /// Its number in the document, for example `A.3`.
    at: &'static str,
    /// Its title.
    title: &'static str,
    /// A JSON pointer to the data in `components`: an object, or a list of rows.
    of: &'static str,
    /// The columns that belong to the table; empty if all do.
    columns: &'static [&'static str],
}

impl TableAt {
    fn of(table: &Sheet) -> Self {
        TableAt { at: table.at, title: table.title, of: table.of, columns: table.columns }
    }
}

/// A table of the rules document with its contents.
#[derive(Clone, Debug, Serialize)]
pub struct TableInfo {
    /// Its number in the document, for example `A.3`.
    pub at: &'static str,
    /// Its title.
    pub title: &'static str,
    /// Its rows.
    pub rows: Value,
}

impl TableInfo {
    /// A table of a game, as played by default.
    pub fn of(game: &dyn AnyGame, table: &Sheet) -> Self {
        let components: Value =
            serde_json::from_str(game.components(game.meta().version).get()).unwrap_or(Value::Null);
        let mut rows = components.pointer(table.of).cloned().unwrap_or(Value::Null);
        if !table.columns.is_empty() {
            for row in rows.as_array_mut().into_iter().flatten().filter_map(Value::as_object_mut) {
                row.retain(|key, _| table.columns.contains(&key.as_str()));
            }
        }
        TableInfo { at: table.at, title: table.title, rows }
    }
}

impl GameDetail {
    /// The constant data of a game.
    pub fn of(game: &dyn AnyGame) -> Self {
        GameDetail::described(game, description::components())
    }

    /// The same, with the schemas of a document that is being generated.
    pub fn described(game: &dyn AnyGame, components: &Map<String, Value>) -> Self {
        let GameSummary { id, title, ruleset, seats, players, languages } = GameSummary::of(game);
        let meta = game.meta();
        let rulings = game.rulings().iter().filter_map(|def| {
            let entry = game.rules().iter().find(|entry| entry.id == def.id)?;
            let selectable = entry.readings.iter().filter(|reading| !reading.value.is_empty());
            Some(RulingChoice {
                id: def.id,
                question: entry.gist,
                default: def.values.first().copied().unwrap_or(""),
                readings: selectable.copied().collect(),
                settles: entry.settles,
                because: entry.because,
            })
        });
        let actions = description::action_types(components, game).into_iter();
        GameDetail {
            id,
            title,
            ruleset,
            versions: rules::versions(game),
            editions: rules::editions(game),
            seats,
            players,
            languages,
            endings: meta.endings,
            streams: meta.streams,
            options: game.options(),
            options_schema: description::standalone(components, game, "Options"),
            rulings: rulings.collect(),
            actions: actions.map(|(name, schema)| ActionType { name, schema }).collect(),
            components: game.components(game.meta().version),
            tables: meta.tables.iter().map(TableAt::of).collect(),
        }
    }
}

/// Lists the games.
///
/// Every game that this service supports.
#[cfg_attr(feature = "openapi", utoipa::path(
    get, path = "/v1/games", tag = "games", operation_id = "list_games",
    responses((status = 200, description = "The games.", body = GameList))
))]
pub async fn list_games(_: Query<NoParameters>, fixed: Fixed) -> HttpResponse {
    fixed.json(&GameList::all())
}

/// Describes a game.
///
/// Seats, options with defaults and choices, rulings with their readings, action types with their
/// schemas, and the components (board, decks, tables) with the source of each item.
#[cfg_attr(feature = "openapi", utoipa::path(
    get, path = "/v1/games/{game}", tag = "games", operation_id = "get_game",
    params(("game" = umpire_referee::schemas::GameName, Path, description = "The id of a game.")),
    responses((status = 200, description = "The game.", body = umpire_referee::schemas::GameDetail))
))]
pub async fn get_game(
    game: Path<String>,
    _: Query<NoParameters>,
    fixed: Fixed,
) -> Result<HttpResponse, ApiError> {
    static TEXTS: PerGame = PerGame::new(|game| json::text(&GameDetail::of(game)));
    Ok(fixed.text(JSON, TEXTS.of(game_named(&game)?)))
}
