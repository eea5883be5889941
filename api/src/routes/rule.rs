//! The clauses and rulings of a game, by id.
//!
//! This module must not contain rule texts: it shows the game's rulebook.

use actix_web::HttpResponse;
use actix_web::web::{Bytes, Path};
use serde::Serialize;
use umpire_conformance::compliance::Compliance;
use umpire_conformance::embedded;
use umpire_engine::any_game::AnyGame;
use umpire_engine::rules::{ReadingEntry, RuleEntry, RuleKind, Section};

use super::parameters::{LanguageParameters, game_at};
use crate::body::JSON;
use crate::error::{ApiError, shorten};
use crate::fixed::{Fixed, PerGame};
use crate::json;
use crate::language::{Language, Voice};
use crate::query::{NoParameters, Query};

/// One reading of a ruling.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RuleReading {
    /// The value that selects it; empty if it cannot be selected.
    pub value: &'static str,
    /// Its meaning, in our words.
    pub gist: &'static str,
    /// Whether it is the default; for a ruling that is not selectable, whether it is the reading in
    /// force.
    pub default: bool,
}

/// A clause or a ruling.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RuleInfo {
    /// The id, which verdicts cite and which never changes.
    pub id: &'static str,
    /// Clause or ruling.
    pub kind: RuleKind,
    /// The rule, or the question that a ruling answers, in our words.
    pub gist: &'static str,
    /// The sections of the printed rulebooks.
    pub sections: &'static [Section],
    /// The clauses that this ruling settles.
    pub settles: &'static [&'static str],
    /// The rulings that settle this clause.
    pub settled_by: Vec<&'static str>,
    /// The readings of a ruling, the default first.
    pub readings: Vec<RuleReading>,
    /// Whether a record may choose the reading.
    pub selectable: bool,
    /// Why this reading is the default.
    pub because: &'static str,
    /// The fixtures that demonstrate it, by name: files in `fixtures/<game>`.
    pub fixtures: Vec<String>,
}

impl RuleInfo {
    /// The entry of a rule of a game.
    pub fn of(voice: &Voice, entry: &RuleEntry) -> Self {
        let game = voice.game();
        let reading = |(at, &ReadingEntry { value, gist }): (usize, &ReadingEntry)| {
            // The table has the default first.
            RuleReading { value, gist: voice.fixed(gist), default: at == 0 }
        };
        let rulings = game.rules().iter().filter(|other| other.settles.contains(&entry.id));
        RuleInfo {
            id: entry.id,
            kind: entry.kind,
            gist: voice.fixed(entry.gist),
            sections: entry.sections,
            settles: entry.settles,
            settled_by: rulings.map(|ruling| ruling.id).collect(),
            readings: entry.readings.iter().enumerate().map(reading).collect(),
            selectable: entry.selectable(),
            because: voice.fixed(entry.because),
            fixtures: embedded::shown_by(game.meta().id, entry.id),
        }
    }

    /// The rule with that id.
    pub fn find(voice: &Voice, id: &str) -> Option<Self> {
        let entry = voice.game().rules().iter().find(|entry| entry.id == id)?;
        Some(RuleInfo::of(voice, entry))
    }
}

/// The rulebook of a game.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RuleList {
    /// The game.
    game: &'static str,
    /// The ruleset that these rules belong to.
    ruleset: String,
    /// Clauses and rulings, in the order of the rules document.
    rules: Vec<RuleInfo>,
}

impl RuleList {
    /// The rulebook of a game.
    pub fn of(voice: &Voice) -> Self {
        let game = voice.game();
        let rules = game.rules().iter().map(|entry| RuleInfo::of(voice, entry));
        RuleList { game: game.meta().id, ruleset: game.meta().ruleset(), rules: rules.collect() }
    }

    /// The rulebook of a registered game in English as JSON, made once.
    fn text(game: &'static dyn AnyGame) -> Bytes {
        static TEXTS: PerGame =
            PerGame::new(|game| json::text(&RuleList::of(&Language::ENGLISH.of(game))));
        TEXTS.of(game)
    }
}

/// Lists the clauses and rulings of a game.
///
/// In the order of the rules document; gists are in our own words, sections are those of each
/// printed edition.
#[cfg_attr(feature = "openapi", utoipa::path(
    get, path = "/v1/games/{game}/rules", tag = "games", operation_id = "list_rules",
    params(("game" = crate::schemas::GameName, Path, description = "The id of a game."), LanguageParameters),
    responses((status = 200, description = "The rulebook.", body = RuleList))
))]
pub async fn list_rules(
    game: Path<String>,
    parameters: Query<LanguageParameters>,
    fixed: Fixed,
) -> Result<HttpResponse, ApiError> {
    let game = game_at(&game)?;
    let voice = parameters.lang.of(game);
    let answer = match voice.is_english() {
        true => fixed.text(JSON, RuleList::text(game)),
        false => fixed.json(&RuleList::of(&voice)),
    };
    Ok(voice.mark(answer))
}

/// Shows a clause or ruling.
///
/// By the id that verdicts, events and draws cite.
#[cfg_attr(feature = "openapi", utoipa::path(
    get, path = "/v1/games/{game}/rules/{id}", tag = "games", operation_id = "get_rule",
    params(
        ("game" = crate::schemas::GameName, Path, description = "The id of a game."),
        ("id" = crate::schemas::RuleId, Path, description = "The id of a clause or ruling."),
        LanguageParameters,
    ),
    responses((status = 200, description = "The rule.", body = RuleInfo))
))]
pub async fn get_rule(
    path: Path<(String, String)>,
    parameters: Query<LanguageParameters>,
    fixed: Fixed,
) -> Result<HttpResponse, ApiError> {
    let (game, id) = path.into_inner();
    let game = game_at(&game)?;
    let voice = parameters.lang.of(game);
    let rule = RuleInfo::find(&voice, &id).ok_or_else(|| {
        ApiError::NotFound(format!("{} has no clause or ruling {:?}", game.meta().id, shorten(&id)))
    })?;
    Ok(voice.mark(fixed.json(&rule)))
}

/// Lists the readings of each ruling that this engine supports.
///
/// For each ruling its readings: which can be chosen, which is the default and why, and the cases
/// that demonstrate each. Every case is run in every build of the referee.
#[cfg_attr(feature = "openapi", utoipa::path(
    get, path = "/v1/games/{game}/compliance", tag = "games", operation_id = "get_compliance",
    params(("game" = crate::schemas::GameName, Path, description = "The id of a game.")),
    responses((status = 200, description = "The table.", body = Compliance))
))]
pub async fn get_compliance(
    game: Path<String>,
    _: Query<NoParameters>,
    fixed: Fixed,
) -> Result<HttpResponse, ApiError> {
    static TEXTS: PerGame = PerGame::new(|game| json::text(&Compliance::of(game)));
    Ok(fixed.text(JSON, TEXTS.of(game_at(&game)?)))
}
