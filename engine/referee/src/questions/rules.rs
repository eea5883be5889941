//! The registered games, and the clauses and rulings of each.
//!
//! This module must not contain rule texts, nor name a game: it shows the registry and the rulebooks.

use serde::Serialize;
use umpire_conformance::embedded;
use umpire_engine::any_game::AnyGame;
use umpire_engine::games::{self, GAMES};
use umpire_engine::rules::{ReadingEntry, RuleEntry, RuleKind, Section};

use crate::language::{self, Voice};
use crate::problem::{Problem, shorten};

/// The game with that id.
///
/// # Errors
/// There is none.
pub fn game(id: &str) -> Result<&'static dyn AnyGame, Problem> {
    games::find(id).ok_or_else(|| {
        let known: Vec<_> = GAMES.iter().map(|game| game.meta().id).collect();
        Problem::not_found(format!(
            "unknown game {:?}; expected one of {}",
            shorten(id),
            known.join(", ")
        ))
    })
}

/// The minimum and maximum number of players.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PlayerRange {
    /// The minimum.
    pub least: u8,
    /// The maximum.
    pub most: u8,
}

/// A summary of a game.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct GameSummary {
    /// The id in records and paths.
    pub id: &'static str,
    /// The title for people.
    pub title: &'static str,
    /// The current ruleset, as a record names it.
    pub ruleset: String,
    /// The names of all seats, in seat order.
    pub seats: &'static [&'static str],
    /// How many can play.
    pub players: PlayerRange,
    /// The languages of the game, English first, as ISO 639 codes: values of `lang`.
    pub languages: Vec<&'static str>,
}

impl GameSummary {
    /// The summary of a game.
    pub fn of(game: &dyn AnyGame) -> Self {
        let meta = game.meta();
        let (least, most) = meta.players;
        GameSummary {
            id: meta.id,
            title: meta.title,
            ruleset: meta.ruleset(),
            seats: meta.seats,
            players: PlayerRange { least, most },
            languages: language::of(game),
        }
    }
}

/// The games.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct GameList {
    /// The games, in the order in which they were registered.
    pub games: Vec<GameSummary>,
}

impl GameList {
    /// Every registered game.
    pub fn all() -> Self {
        GameList { games: GAMES.iter().map(|&game| GameSummary::of(game)).collect() }
    }
}

/// One reading of a ruling.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
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
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
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

/// The clause or ruling with that id.
///
/// # Errors
/// The game has none.
pub fn rule(voice: &Voice, id: &str) -> Result<RuleInfo, Problem> {
    RuleInfo::find(voice, id).ok_or_else(|| {
        let game = voice.game().meta().id;
        Problem::not_found(format!("{game} has no clause or ruling {:?}", shorten(id)))
    })
}

/// The rulebook of a game.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct RuleList {
    /// The game.
    pub game: &'static str,
    /// The ruleset that these rules belong to.
    pub ruleset: String,
    /// Clauses and rulings, in the order of the rules document.
    pub rules: Vec<RuleInfo>,
}

impl RuleList {
    /// The rulebook of a game.
    pub fn of(voice: &Voice) -> Self {
        let game = voice.game();
        let rules = game.rules().iter().map(|entry| RuleInfo::of(voice, entry));
        RuleList { game: game.meta().id, ruleset: game.meta().ruleset(), rules: rules.collect() }
    }
}
