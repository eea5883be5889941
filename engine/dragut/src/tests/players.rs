//! Two scripted players with a plan: the pirates land, hunt and send; the townspeople run for the
//! hills, strike with those who can, and free captives. They look only at what their seat sees,
//! and make the whole games of `fixtures/dragut/games`.

use std::sync::Arc;

use super::{names, setup, setup_of};
use crate::Dragut;
use crate::action::{Action, Reward, Side};
use crate::setup::{PIRATE_UNITS, Setup, UnitKind};
use crate::state::{Area, Areas, Place, Stage, State, Unit};
use umpire_core::chance::seeded::{Seeded, Stream, key};
use umpire_core::game::{ActionRange, Game, Keep, Listing, Observer, Table};
use umpire_core::wire::Name;

/// How the two sides play; drawn from the name of a game.
pub(super) struct Players {
    words: Stream,
    laziness: i64,
    boldness: i64,
    mercy: i64,
}

impl Players {
    pub(super) fn new(name: &str) -> Self {
        let mut words = Stream::new(key(name), "players");
        let laziness = i64::from(words.uniform(4));
        let boldness = i64::from(words.uniform(4));
        let mercy = i64::from(words.uniform(3));
        Players { words, laziness, boldness, mercy }
    }

    /// The action with the highest score; near ties fall by the game's name.
    pub(super) fn choose(&mut self, table: &Table<Dragut>) -> Option<Action> {
        let (setup, state) = (table.setup(), table.state());
        let seat = table.decision().seats.iter().next()?;
        let mut list = Listing { actions: Vec::new(), ranges: Vec::new(), most: usize::MAX };
        let _ = table.legal(seat, &mut list);
        if let Some(range) = list.ranges.first() {
            let seed = self.words.word().to_string();
            let mut chance = Seeded::new(&seed, Dragut::META.streams);
            return range.sample(setup, state, &mut chance).ok();
        }
        let mut best = None;
        for action in list.actions {
            let score = self.score(setup, state, Side::of_seat(seat), &action) * 16
                + i64::from(self.words.uniform(160));
            if best.as_ref().is_none_or(|(high, _)| score > *high) {
                best = Some((score, action));
            }
        }
        best.map(|(_, action)| action)
    }

    fn score(&self, setup: &Setup, state: &State, side: Side, action: &Action) -> i64 {
        let unit = |name: &Name| setup.unit(name);
        let area = |name: &Name| setup.area(name);
        match action {
            Action::ChooseCard(it) => i64::from(it.card.is_some()) * 6,
            Action::Send(_) => 100 - 20 * self.mercy + i64::from(state.turn),
            Action::Land(it) => match area(&it.to) {
                Some(to) => 30 + self.hunt(setup, state, unit(&it.unit), to),
                None => 0,
            },
            Action::Move(it) => match (unit(&it.unit), area(&it.to)) {
                (Some(unit), Some(to)) if side == Side::Pirates => {
                    20 + self.hunt(setup, state, Some(unit), to)
                }
                (Some(unit), Some(to)) => self.flight(setup, state, unit, to),
                _ => 0,
            },
            Action::RaiseAlarm(_) => 24 - 3 * i64::from(state.case),
            // Everybody gets serious in the end, so that no game lasts for ever.
            Action::EndPhase(_) if side == Side::Pirates => {
                12 + 20 * (self.laziness - i64::from(state.turn / 5)).max(0)
            }
            Action::EndPhase(_) => 4,
            Action::ArquebusChoice(it) => i64::from(it.choice == Reward::Alarm) * 5,
            Action::DrawOffer(it) => i64::from(it.accept) * 20,
            Action::Relocate(it) => match area(&it.to) {
                Some(to) => 30 - 6 * distance(setup, to, setup.hills),
                None => 0,
            },
            Action::Deploy(_) | Action::ChooseDefender(_) | Action::PlaceReserve(_) => 0,
        }
    }

    /// A pirate goes where townspeople are, and stays near captives.
    fn hunt(&self, setup: &Setup, state: &State, unit: Option<Unit>, to: Area) -> i64 {
        let townspeople = state.on_map().minus(PIRATE_UNITS);
        let free = state.areas_of(townspeople.minus(state.captive));
        let strong = unit.is_some_and(|unit| setup.values[unit.index()] > 2);
        let prey = if free.contains(to) { if strong { 40 } else { 15 } } else { 0 };
        let captives = state.areas_of(state.captive);
        let guard = if captives.contains(to) { 10 } else { 0 };
        prey + guard - 4 * distance(setup, to, free.or(captives))
    }

    /// A townsman goes for the hills, away from pirates unless he can fight.
    fn flight(&self, setup: &Setup, state: &State, unit: Unit, to: Area) -> i64 {
        // The boldest plan: Bartolomeo keeps his 5 by Giulia's staying, and waits to be attacked.
        let kind = setup.kinds[unit.index()];
        let stays = matches!(kind, UnitKind::Bartolomeo | UnitKind::Giulia);
        if stays && self.boldness == 3 && state.turn < 30 {
            return -20;
        }
        if setup.hills.contains(to) {
            return 90;
        }
        let pirates = state.areas_of(state.on_map().and(PIRATE_UNITS));
        let fighter =
            matches!(kind, UnitKind::Bartolomeo | UnitKind::Soldier | UnitKind::Arquebusier);
        let mut score = 40 - 6 * distance(setup, to, setup.hills);
        if let Some(from) = state.place[unit.index()].area() {
            score += 6 * distance(setup, from, setup.hills) - 12;
        }
        if pirates.contains(to) {
            score += if fighter { 30 * self.boldness - 30 } else { -90 };
        } else if !state.captives_in(to).is_empty() {
            score += 30;
        }
        if fighter && self.boldness > 1 && state.turn < 12 {
            score += 20 - 8 * distance(setup, to, pirates);
        }
        score
    }
}

/// Links from an area to the nearest of some; 9 if there is none.
fn distance(setup: &Setup, from: Area, to: Areas) -> i64 {
    let rings = setup.rings[from.index()].iter().take(9);
    rings.take_while(|ring| ring.and(to).is_empty()).count() as i64
}

/// A whole game between the players, as a fixture.
struct Played {
    name: String,
    options: serde_json::Value,
    table: Table<Dragut>,
    actions: Vec<Action>,
}

fn play(version: u32, name: &str, options: &serde_json::Value) -> Played {
    let setup: Arc<Setup> = setup_of(version, options);
    let mut chance = Seeded::new(name, Dragut::META.streams);
    let mut table = Table::<Dragut>::open(setup, &mut chance, Keep::Log).expect("a seed deals");
    let mut players = Players::new(name);
    let mut actions = Vec::new();
    while let Some(action) = players.choose(&table) {
        table.play(&action, &mut chance).expect("a listed action is accepted");
        actions.push(action);
        if actions.len() > 600 {
            break;
        }
    }
    Played { name: name.to_owned(), options: options.clone(), table, actions }
}

impl Played {
    fn fixture(&self, with_tape: bool) -> serde_json::Value {
        let outcome = self.table.outcome().expect("the game is over");
        let winner = outcome.winner.map(|seat| Dragut::META.seat_name(seat));
        let view = self.table.view(Observer::Referee);
        let print = umpire_core::digest::fingerprint(&view).to_string();
        let log = self.table.log().expect("the log is kept");
        let entries: Vec<_> = log.tape.iter().map(|drawn| &drawn.entry).collect();
        let chance = if with_tape {
            serde_json::json!({ "tape": entries })
        } else {
            serde_json::json!({ "seed": self.name })
        };
        let edition = if self.options["edition"] == "it" { "Italian" } else { "English" };
        let how = if with_tape { ", recorded at a table" } else { "" };
        let ruleset = self.table.ruleset();
        let by = if ruleset == "dragut@1" { String::new() } else { format!(", by {ruleset}") };
        let ended = serde_json::json!({ "winner": winner, "reason": outcome.reason });
        let reason = outcome.reason.replace('_', " ");
        serde_json::json!({
            "title": format!("A whole game in the {edition} edition that ends by {reason}{how}{by}."),
            "shows": [],
            "record": {
                "format": "umpire/1",
                "game": "dragut",
                "ruleset": ruleset,
                "options": self.options,
                "players": { "pirates": "Anna", "rapalline": "Bruno" },
                "chance": chance,
                "actions": self.actions,
                "claims": { "outcome": ended, "fingerprint": print },
                "meta": { "event": "scripted players", "game": self.name },
            },
            "expect": {
                "status": "complete",
                "plies": self.actions.len(),
                "outcome": ended,
                "fingerprint": print,
            },
        })
    }
}

/// The stored whole games are those that the players play: two for each way to end in each
/// edition (a standstill in the Italian one alone), and one of them as a table's tape. With `UMPIRE_WRITE_GAMES` set they are written
/// anew.
#[test]
#[allow(clippy::disallowed_methods, reason = "a test may be asked to write its files")]
fn whole_games_are_those_of_the_players() {
    let folder =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/dragut/games");
    let write = std::env::var("UMPIRE_WRITE_GAMES").is_ok();
    let mut found: Vec<(String, serde_json::Value)> = Vec::new();
    for edition in ["en", "it"] {
        for ending in Dragut::META.endings {
            let options = match *ending {
                "unreachable" => {
                    serde_json::json!({ "edition": edition, "rulings": { "DRG-R33": "yes" } })
                }
                "standstill" => {
                    serde_json::json!({ "edition": edition, "rulings": { "DRG-R52": "both" } })
                }
                _ => serde_json::json!({ "edition": edition }),
            };
            // Hardly a game stands still.
            let numbers = match (*ending, edition) {
                ("standstill", "it") => vec![2166, 4313],
                ("standstill", _) => Vec::new(),
                _ => (1..2000).collect(),
            };
            let games =
                numbers.iter().map(|number| play(1, &format!("rapallo-{number}"), &options));
            let wanted = games.filter(|game| {
                let outcome = game.table.outcome();
                outcome.is_some_and(|it| it.reason == *ending) && game.actions.len() >= 40
            });
            for (at, game) in wanted.take(2).enumerate() {
                let name = format!("{}-{edition}-{}", ending.replace('_', "-"), at + 1);
                found.push((name.clone(), game.fixture(false)));
                if at == 0 && *ending == "serraglio" {
                    found.push((format!("{name}-at-a-table"), game.fixture(true)));
                }
            }
        }
    }
    let italian = serde_json::json!({ "edition": "it" });
    // By dragut@2 pirates land at Le Saline, too.
    let lands = |game: &Played| {
        let there = |it: &Action| matches!(it, Action::Land(it) if it.to.as_str() == "saline");
        game.actions.iter().any(there) && game.table.outcome().is_some()
    };
    let mut games = (1..2000).map(|number| play(2, &format!("rapallo-{number}"), &italian));
    let game = games.find(lands).expect("pirates land at Le Saline");
    found.push(("under-dragut-2".to_owned(), game.fixture(false)));
    assert_eq!(found.len(), 21, "{:?}", names(&found));
    for (name, fixture) in found {
        let path = folder.join(format!("{name}.json"));
        if write {
            std::fs::write(&path, format!("{fixture:#}\n")).expect("the folder is there");
        }
        let text = std::fs::read_to_string(&path).expect("the stored game is there");
        let stored: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
        assert_eq!(stored["record"]["actions"], fixture["record"]["actions"], "{name}");
        assert_eq!(stored["expect"], fixture["expect"], "{name}");
    }
}

/// The players reach every decision of the game, so that their games show real play.
#[test]
fn players_meet_every_decision() {
    let mut met = Vec::new();
    for number in 1..40 {
        let setup = setup(&serde_json::json!({}));
        let name = format!("rapallo-{number}");
        let mut chance = Seeded::new(&name, Dragut::META.streams);
        let mut table = Table::<Dragut>::open(setup, &mut chance, Keep::Nothing).expect("a deal");
        let mut players = Players::new(&name);
        while let Some(action) = players.choose(&table) {
            assert!(table.ply() < 600, "{name} does not end");
            met.push(table.state().stage);
            table.play(&action, &mut chance).expect("a listed action is accepted");
        }
        met.push(table.state().stage);
        assert!(table.state().at(Place::ASIDE).len() <= 2);
    }
    let missing: Vec<_> = Stage::ALL.iter().filter(|stage| !met.contains(stage)).collect();
    assert!(missing.is_empty(), "never met: {missing:?}");
}
