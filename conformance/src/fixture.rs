//! Fixtures as they are written: a record with what is expected of it.
//!
//! Reading is strict: a misspelt expectation is an error, not a passed test. This module must not
//! run anything.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use umpire_engine::any_game::AnyGame;

/// A fixture as it is written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fixture {
    /// One sentence: what it shows.
    pub title: String,
    /// The clauses and rulings that it shows.
    pub shows: Vec<String>,
    /// The record, `umpire/1`.
    pub record: Box<RawValue>,
    /// What is expected.
    pub expect: Expect,
}

/// What is expected of a record. What is left out is not looked at.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Expect {
    /// How the record stands.
    pub status: Option<String>,
    /// Number of accepted actions.
    pub plies: Option<u32>,
    /// The first fault.
    pub violation: Option<Violation>,
    /// How the game ended.
    pub outcome: Option<Outcome>,
    /// The fingerprint of the last good state.
    pub fingerprint: Option<String>,
    /// Everything that the record claims or states of itself, by its JSON pointer, and whether it is so. Where
    /// this is given, all of it is.
    pub claims: BTreeMap<String, bool>,
    /// Looks at plies in between.
    pub checks: Vec<Check>,
    /// Actions tried instead of the record's next one.
    pub tries: Vec<Try>,
    /// The record cannot be replayed at all.
    pub fault: Option<ExpectedFault>,
}

/// The first fault of a record, as expected.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Violation {
    /// Number of actions accepted before it.
    pub ply: Option<u32>,
    /// The kind of fault.
    pub code: Option<String>,
    /// The clause cited first.
    pub rule: Option<String>,
    /// Further clauses that must be cited too.
    #[serde(default)]
    pub rules: Vec<String>,
    /// The place in the record.
    pub pointer: Option<String>,
}

/// The end of a game, as expected.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outcome {
    /// The winner's seat, `null` for nobody.
    pub winner: Option<String>,
    /// One of the game's endings.
    pub reason: String,
}

/// A look at one ply.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Check {
    /// Number of accepted actions.
    pub ply: u32,
    /// A part of the referee's view.
    pub state: Option<Value>,
    /// What is to be decided.
    pub decision: Option<Decision>,
    /// Types of events, in order, among those that led to this ply (ply 0: the opening).
    pub events: Option<Vec<String>>,
    /// Number of legal actions, ranges not counted.
    pub legal_count: Option<u64>,
    /// By viewer (a seat or `spectator`): a part of what that viewer knows.
    #[serde(default)]
    pub views: BTreeMap<String, Value>,
    /// By viewer: places, as JSON pointers, that must not be in what that viewer knows.
    #[serde(default)]
    pub hidden: BTreeMap<String, Vec<String>>,
    /// By viewer: number of legal actions that this viewer is told.
    #[serde(default)]
    pub listed: BTreeMap<String, u64>,
}

/// What is to be decided, as expected.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Decision {
    /// The seats.
    pub players: Option<Vec<String>>,
    /// The pending state.
    pub state: Option<String>,
}

/// An action tried at a ply.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Try {
    /// Number of the record's actions played before it.
    pub ply: u32,
    /// The action.
    pub action: Box<RawValue>,
    /// Readings changed for this try.
    #[serde(default)]
    pub rulings: Map<String, Value>,
    /// It is refused.
    pub refused: Option<Refused>,
    /// It is accepted; only `true` can be written.
    #[serde(default)]
    pub accepted: bool,
    /// A part of the referee's view after it.
    pub state: Option<Value>,
}

/// A refusal, as expected.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Refused {
    /// The clause cited first.
    pub rule: String,
    /// The kind of fault.
    pub code: String,
}

/// A record that cannot be replayed, as expected.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExpectedFault {
    /// The kind of fault.
    pub code: String,
    /// The invariant of the rules document that the position breaks.
    pub invariant: Option<String>,
    /// The clause.
    pub rule: Option<String>,
}

/// The two kinds of fixtures.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// The smallest case of a clause.
    Rule,
    /// A whole game.
    Game,
}

/// A fixture with the place where it lies.
pub struct Case {
    /// The game by whose folder it was found.
    pub game: &'static dyn AnyGame,
    /// Rule or whole game.
    pub kind: Kind,
    /// The file name without `.json`.
    pub name: String,
    /// The file.
    pub path: PathBuf,
    /// The file's text.
    pub text: String,
    /// What it says, or why it cannot be read.
    pub fixture: Result<Fixture, String>,
}

impl Case {
    /// Reads a fixture.
    pub fn read(game: &'static dyn AnyGame, kind: Kind, path: PathBuf, text: String) -> Case {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let fixture = serde_json::from_str(&text).map_err(|error| error.to_string());
        Case { game, kind, name, path, text, fixture }
    }

    /// The file as messages name it.
    pub fn place(&self) -> String {
        let folder = match self.kind {
            Kind::Rule => "rules",
            Kind::Game => "games",
        };
        format!("fixtures/{}/{folder}/{}.json", self.game.meta().id, self.name)
    }

    /// The fixture, if it could be read; what could not be read fails elsewhere.
    pub fn good(&self) -> Option<&Fixture> {
        self.fixture.as_ref().ok()
    }
}

/// The record of a fixture, taken apart so that parts can be exchanged.
pub struct Parts {
    fields: Vec<(String, Box<RawValue>)>,
    /// The actions.
    pub actions: Vec<Box<RawValue>>,
}

impl Parts {
    /// Takes the text of a record apart. Nothing is checked; the engine does that.
    pub fn of(record: &RawValue) -> Option<Parts> {
        let fields: BTreeMap<String, Box<RawValue>> = serde_json::from_str(record.get()).ok()?;
        let actions = serde_json::from_str(fields.get("actions")?.get()).ok()?;
        let fields = fields
            .into_iter()
            .filter(|(key, _)| !["actions", "claims", "checkpoints"].contains(&key.as_str()));
        Some(Parts { fields: fields.collect(), actions })
    }

    /// The record with its first actions and one more, under changed readings. Claims are left
    /// out, since they are about the whole.
    pub fn text(
        &self,
        plies: usize,
        then: Option<&RawValue>,
        rulings: &Map<String, Value>,
    ) -> String {
        let mut options = Map::new();
        if !rulings.is_empty() {
            options.insert("rulings".to_owned(), rulings.clone().into());
        }
        self.under(plies, then, &options)
    }

    /// The same with any options changed: fields as they are given, rulings one by one.
    pub fn under(
        &self,
        plies: usize,
        then: Option<&RawValue>,
        changed: &Map<String, Value>,
    ) -> String {
        let mut fields: Vec<(String, String)> =
            self.fields.iter().map(|(key, it)| (key.clone(), it.get().to_owned())).collect();
        if !changed.is_empty() {
            let at = fields.iter().position(|(key, _)| key == "options");
            let mut options: Value =
                at.and_then(|at| serde_json::from_str(&fields[at].1).ok()).unwrap_or_default();
            for (field, value) in changed {
                match value {
                    Value::Object(parts) => {
                        for (id, value) in parts {
                            options[field][id] = value.clone();
                        }
                    }
                    value => options[field] = value.clone(),
                }
            }
            match at {
                Some(at) => fields[at].1 = options.to_string(),
                None => fields.push(("options".to_owned(), options.to_string())),
            }
        }
        let played =
            self.actions.iter().take(plies).map(|it| it.get()).chain(then.map(|it| it.get()));
        fields.push(("actions".to_owned(), format!("[{}]", played.collect::<Vec<_>>().join(","))));
        let fields: Vec<String> =
            fields.iter().map(|(key, it)| format!("{}:{it}", Value::from(key.as_str()))).collect();
        format!("{{{}}}", fields.join(","))
    }

    /// The record of a try.
    pub fn attempt(&self, attempt: &Try) -> String {
        self.text(attempt.ply as usize, Some(&attempt.action), &attempt.rulings)
    }
}
