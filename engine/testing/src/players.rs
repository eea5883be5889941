//! Whole games by scripted players: played from a seed, written down as a fixture, and compared
//! with the one that is stored.
//!
//! Must not choose an action: that is the work of a game's own players.

use std::path::Path;
use std::sync::Arc;

use serde_json::{Value, json};
use umpire_core::chance::seeded::Seeded;
use umpire_core::digest::fingerprint;
use umpire_core::game::{Game, Keep, Observer, Table, TableSetup};

/// The environment variable that makes [`check_stored`] write the games anew.
pub const WRITE: &str = "UMPIRE_WRITE_GAMES";

/// A game that scripted players played to its end, or as far as they would.
pub struct Played<G: Game> {
    /// The seed.
    pub seed: String,
    /// The options, as a record gives them; `null` for none.
    pub options: Value,
    /// The decisions.
    pub actions: Vec<G::Action>,
    /// The last table, with its log.
    pub table: Table<G>,
}

/// The setup under options as a record gives them; `null` for none. `seed` makes a generated map.
///
/// # Panics
/// Where the options cannot be read, or the rules refuse them.
pub fn setup<G: Game>(options: &Value, seed: &str) -> Arc<G::Setup> {
    opened_setup::<G>(G::META.version, options, &mut Seeded::new(seed, G::META.streams))
}

fn opened_setup<G: Game>(version: u32, options: &Value, chance: &mut Seeded) -> Arc<G::Setup> {
    let mut options = match options {
        Value::Null => G::Options::default(),
        given => {
            serde_json::from_value(given.clone()).unwrap_or_else(|error| panic!("{given}: {error}"))
        }
    };
    G::Setup::set_version(&mut options, version);
    match G::Setup::from_options(options, chance) {
        Ok(setup) => Arc::new(setup),
        Err(stop) => panic!("the options are refused: {stop:?}"),
    }
}

/// Plays a game from a seed. `choose` names the next action, or nothing where the players stop.
///
/// # Panics
/// Where an action is refused, or after `most` actions without an end.
pub fn play<G: Game>(
    seed: &str,
    options: &Value,
    most: usize,
    choose: impl FnMut(&Table<G>) -> Option<G::Action>,
) -> Played<G> {
    play_version(G::META.version, seed, options, most, choose)
}

/// The same by a version of the ruleset.
pub fn play_version<G: Game>(
    version: u32,
    seed: &str,
    options: &Value,
    most: usize,
    mut choose: impl FnMut(&Table<G>) -> Option<G::Action>,
) -> Played<G> {
    let mut chance = Seeded::new(seed, G::META.streams);
    let setup = opened_setup::<G>(version, options, &mut chance);
    let mut table = match Table::<G>::open(setup, &mut chance, Keep::Log) {
        Ok(table) => table,
        Err(stop) => panic!("{seed}: the game cannot be opened: {stop:?}"),
    };
    let mut actions = Vec::new();
    while let Some(action) = choose(&table) {
        if let Err(stop) = table.play(&action, &mut chance) {
            panic!("{seed}: {action:?}: {stop:?}");
        }
        actions.push(action);
        assert!(actions.len() <= most, "{seed}: no end after {most} actions");
    }
    Played { seed: seed.to_owned(), options: options.clone(), actions, table }
}

impl<G: Game> Played<G> {
    /// How the game ended, by name; empty where it did not.
    pub fn reason(&self) -> &'static str {
        self.table.outcome().map_or("", |outcome| outcome.reason)
    }

    /// The game as a fixture. `at_a_table`: with the tape of what was drawn instead of the seed.
    /// The fields of `extra` (names, claims, meta) are put into the record beside these.
    pub fn fixture(&self, title: &str, at_a_table: bool, extra: Value) -> Value {
        let log = self.table.log().map(|log| log.tape.iter());
        let entries: Vec<_> = log.into_iter().flatten().map(|drawn| &drawn.entry).collect();
        let chance = match at_a_table {
            true => json!({ "tape": entries }),
            false => json!({ "seed": self.seed }),
        };
        let mut record = json!({ "format": "umpire/1", "game": G::META.id });
        if !self.options.is_null() {
            record["options"] = self.options.clone();
        }
        record["chance"] = chance;
        record["actions"] = json!(self.actions);
        for (name, value) in extra.as_object().into_iter().flatten() {
            record[name] = value.clone();
        }
        json!({ "title": title, "shows": [], "record": record, "expect": self.expected() })
    }

    /// The end of the game as fixtures expect it and records claim it.
    pub fn ended(&self) -> Value {
        let outcome = self.table.outcome();
        let winner = outcome.and_then(|it| it.winner).map(|seat| G::META.seat_name(seat));
        json!({ "winner": winner, "reason": self.reason() })
    }

    /// The fingerprint of the last state.
    pub fn fingerprint(&self) -> String {
        fingerprint(&self.table.view(Observer::Referee)).to_string()
    }

    fn expected(&self) -> Value {
        json!({
            "status": "complete",
            "plies": self.actions.len(),
            "outcome": self.ended(),
            "fingerprint": self.fingerprint(),
        })
    }
}

/// Compares a fixture with the one that is stored in a folder under a name; with [`WRITE`] set, it
/// is written there first (put it into canonical form afterwards).
///
/// # Panics
/// Where the stored game is not the one that was played.
#[allow(clippy::disallowed_methods, reason = "a test may be asked to write its files")]
pub fn check_stored(folder: &Path, name: &str, fixture: &Value) {
    let path = folder.join(format!("{name}.json"));
    if std::env::var_os(WRITE).is_some() {
        std::fs::write(&path, format!("{fixture:#}\n")).expect("the folder is there");
    }
    let text = std::fs::read_to_string(&path).expect("the stored game is there");
    let stored: Value = serde_json::from_str(&text).expect("a stored game is JSON");
    assert_eq!(stored["record"], fixture["record"], "{name} is not what is played: {WRITE}=1");
    assert_eq!(stored["expect"], fixture["expect"], "{name}");
}
