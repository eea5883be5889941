//! The registered games, and the clauses and rulings of each.
//!
//! This module must not contain rule texts, nor name a game: it shows the registry and the rulebooks.

use serde::Serialize;
use serde_json::Value;
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

/// What a version of a ruleset has otherwise than the newest: defaults and data, nothing else.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct RulesetVersion {
    /// The ruleset, as a record names it.
    pub ruleset: String,
    /// The rulings that it reads otherwise by default.
    pub rulings: Vec<OtherDefault>,
    /// The data of `components` that it has otherwise.
    pub data: Vec<OtherDatum>,
}

/// A ruling with another default.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct OtherDefault {
    /// The ruling.
    pub id: &'static str,
    /// The edition in which it has this default; `null` if it has it in every one.
    pub edition: Option<&'static str>,
    /// The reading by default.
    pub value: &'static str,
    /// That of the newest version; for what an edition sets, that of the first edition.
    pub instead_of: &'static str,
}

/// A datum that differs.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct OtherDatum {
    /// Where it is among the `components`, as a JSON pointer.
    pub pointer: String,
    /// The id of the entry that it belongs to; `null` if there is none.
    pub entry: Option<String>,
    /// The datum.
    pub value: Value,
    /// That of the newest version.
    pub instead_of: Value,
}

/// What an edition of the printed book sets in the newest version of the ruleset.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct EditionDefaults {
    /// The edition, as in `options.edition`.
    pub edition: &'static str,
    /// The rulings that it reads otherwise than the first edition.
    pub rulings: Vec<OtherDefault>,
}

/// Every version of a game's ruleset, the oldest first.
pub fn versions(game: &dyn AnyGame) -> Vec<RulesetVersion> {
    let meta = game.meta();
    let newest: Value = components(game, meta.version);
    let of = |version: u32| {
        let mut data = Vec::new();
        part(&components(game, version), &newest, "", None, &mut data);
        let ruleset = meta.ruleset_of(version);
        RulesetVersion { ruleset, rulings: other_defaults(game, version), data }
    };
    (1..=meta.version).map(of).collect()
}

/// What each edition of a game's book sets; empty for a book of one edition.
pub fn editions(game: &dyn AnyGame) -> Vec<EditionDefaults> {
    let editions = umpire_engine::rules::editions(game.rules());
    let first = game.defaults(game.meta().version, None);
    let of = |edition: &'static str| {
        let own = game.defaults(game.meta().version, Some(edition));
        EditionDefaults { edition, rulings: otherwise(game, &own, &first, Some(edition)) }
    };
    editions.into_iter().map(of).collect()
}

fn components(game: &dyn AnyGame, version: u32) -> Value {
    serde_json::from_str(game.components(version).get()).unwrap_or_default()
}

fn otherwise(
    game: &dyn AnyGame,
    own: &[&'static str],
    others: &[&'static str],
    edition: Option<&'static str>,
) -> Vec<OtherDefault> {
    let pairs = game.rulings().iter().zip(own.iter().zip(others));
    let differing = pairs.filter(|(_, (own, other))| own != other);
    let named = differing.map(|(def, (&value, &instead_of))| OtherDefault {
        id: def.id,
        edition,
        value,
        instead_of,
    });
    named.collect()
}

/// The defaults of a version that differ from the newest: in every edition, or in some.
fn other_defaults(game: &dyn AnyGame, version: u32) -> Vec<OtherDefault> {
    let newest = game.meta().version;
    let of = |edition: Option<&'static str>| {
        let [own, others] = [version, newest].map(|it| game.defaults(it, edition));
        otherwise(game, &own, &others, edition)
    };
    let mut found = of(None);
    let editions = umpire_engine::rules::editions(game.rules());
    let per_edition: Vec<Vec<OtherDefault>> = editions.iter().map(|it| of(Some(it))).collect();
    // What the first edition has and another lacks is that edition's own.
    found.retain(|it| per_edition.iter().all(|all| all.iter().any(|other| other.id == it.id)));
    let everywhere: Vec<&str> = found.iter().map(|it| it.id).collect();
    let own = per_edition.into_iter().flatten().filter(|it| !everywhere.contains(&it.id));
    found.extend(own);
    found
}

/// Collects what differs between two documents of components.
fn part(one: &Value, other: &Value, at: &str, entry: Option<&str>, to: &mut Vec<OtherDatum>) {
    match (one, other) {
        (Value::Object(own), Value::Object(others)) => {
            let entry = own.get("id").and_then(Value::as_str).or(entry);
            let keys: std::collections::BTreeSet<&String> =
                own.keys().chain(others.keys()).collect();
            for key in keys {
                let [own, other] = [own, others].map(|it| it.get(key).unwrap_or(&Value::Null));
                part(own, other, &format!("{at}/{key}"), entry, to);
            }
        }
        (Value::Array(own), Value::Array(others)) if own.len() == others.len() => {
            for (number, (own, other)) in own.iter().zip(others).enumerate() {
                part(own, other, &format!("{at}/{number}"), entry, to);
            }
        }
        _ if one != other => to.push(OtherDatum {
            pointer: at.to_owned(),
            entry: entry.map(str::to_owned),
            value: one.clone(),
            instead_of: other.clone(),
        }),
        _ => {}
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
    /// What else has it as the default: an older version of the ruleset (`drako@1`), an edition of the
    /// newest (`dragut@2 it`) or of an older one.
    pub default_of: Vec<String>,
}

/// The default readings of a game: those of one version of the ruleset, and where others differ from them.
pub struct Defaults {
    game: &'static dyn AnyGame,
    of: Vec<&'static str>,
    others: Vec<(String, Vec<&'static str>)>,
}

impl Defaults {
    /// The defaults of a version of a game's ruleset.
    pub fn of(game: &'static dyn AnyGame, version: u32) -> Self {
        let meta = game.meta();
        let editions = umpire_engine::rules::editions(game.rules());
        let mut others = Vec::new();
        for other in 1..=meta.version {
            let ruleset = meta.ruleset_of(other);
            let whole = game.defaults(other, None);
            others.push((ruleset.clone(), whole.clone()));
            for edition in editions.iter().skip(1) {
                let own = game.defaults(other, Some(edition)).into_iter().zip(&whole);
                // What the whole version has, its name says already.
                let own = own.map(|(own, whole)| if own == *whole { "" } else { own });
                others.push((format!("{ruleset} {edition}"), own.collect()));
            }
        }
        Defaults { game, of: game.defaults(version, None), others }
    }

    /// The game.
    pub fn game(&self) -> &'static dyn AnyGame {
        self.game
    }

    /// Whether the reading of a ruling at a place in its list is the default (if none can be selected, the one in
    /// force), and of what else it is one.
    pub fn mark(&self, entry: &RuleEntry, at: usize) -> (bool, Vec<String>) {
        let Some(ruling) = self.game.rulings().iter().position(|def| def.id == entry.id) else {
            return (at == 0, Vec::new());
        };
        let value = entry.readings[at].value;
        let usual = self.of.get(ruling).copied();
        let differs = |all: &[&'static str]| all.get(ruling).is_some_and(|it| Some(*it) != usual);
        let has = |all: &[&'static str]| all.get(ruling).is_some_and(|it| *it == value);
        let others = self.others.iter().filter(|(_, all)| differs(all) && has(all));
        (usual == Some(value), others.map(|(name, _)| name.clone()).collect())
    }
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
    /// The readings of a ruling, the default of the newest version first.
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
    pub fn of(voice: &Voice, entry: &RuleEntry, defaults: &Defaults) -> Self {
        let game = voice.game();
        let reading = |(at, &ReadingEntry { value, gist }): (usize, &ReadingEntry)| {
            let (default, default_of) = defaults.mark(entry, at);
            RuleReading { value, gist: voice.fixed(gist), default, default_of }
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
        let game = voice.game();
        let entry = game.rules().iter().find(|entry| entry.id == id)?;
        Some(RuleInfo::of(voice, entry, &Defaults::of(game, game.meta().version)))
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

/// The clauses and rulings of a game in whose texts all words occur, whole or as a part of a word, in any of its
/// languages, in the order of the document.
pub fn about(game: &'static dyn AnyGame, words: &str) -> Vec<&'static RuleEntry> {
    let words: Vec<String> = words.split_whitespace().map(str::to_lowercase).collect();
    let says = |entry: &&RuleEntry| {
        let readings = entry.readings.iter().map(|reading| reading.gist);
        let texts: Vec<&'static str> =
            [entry.gist, entry.because].into_iter().chain(readings).collect();
        let in_language = |say: &dyn Fn(&'static str) -> &'static str| {
            let all: String = texts.iter().map(|text| say(text).to_lowercase() + "\n").collect();
            words.iter().all(|word| all.contains(word.as_str()))
        };
        let others = game.languages().iter();
        in_language(&|text| text)
            || others.into_iter().any(|language| {
                in_language(&|text| game.translate_fixed(language, text).unwrap_or(text))
            })
    };
    match words.is_empty() {
        true => Vec::new(),
        false => game.rules().iter().filter(says).collect(),
    }
}

impl RuleList {
    /// The part of the rulebook that is about some words.
    pub fn about(voice: &Voice, words: &str) -> Self {
        RuleList::listing(voice, voice.game().meta().version, about(voice.game(), words))
    }

    /// The rulebook of a game, with the defaults of the newest version of its ruleset.
    pub fn of(voice: &Voice) -> Self {
        RuleList::under(voice, voice.game().meta().version)
    }

    /// The same with the defaults of any version.
    pub fn under(voice: &Voice, version: u32) -> Self {
        RuleList::listing(voice, version, voice.game().rules())
    }

    fn listing<'a>(
        voice: &Voice,
        version: u32,
        entries: impl IntoIterator<Item = &'a RuleEntry>,
    ) -> Self {
        let meta = voice.game().meta();
        let defaults = Defaults::of(voice.game(), version);
        let rules = entries.into_iter().map(|entry| RuleInfo::of(voice, entry, &defaults));
        RuleList { game: meta.id, ruleset: meta.ruleset_of(version), rules: rules.collect() }
    }
}
