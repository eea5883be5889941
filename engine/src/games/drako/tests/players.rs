//! Two scripted players with a plan: strike when next to the enemy, close in or run otherwise,
//! block the worst, keep good cards. They see only what their seat sees, and make the whole
//! games of `fixtures/drako/games`.

use super::super::action::{Action, Dwarf, How, Kind, Side, Use, dwarves};
use super::super::board::Place;
use super::super::state::{Stage, State};
use super::super::tables::{ARMOUR, TRACKS};
use super::super::{Drako, Setup};
use super::{count, seat_of, setup};
use crate::chance::seeded::{Seeded, Stream, key};
use crate::game::{Game, Keep, Observer, Table};

/// How boldly the two sides play; drawn from the name of a game.
pub(super) struct Players {
    words: Stream,
    dragon_boldness: i64,
    dwarf_boldness: i64,
    dwarf_patience: i64,
}

impl Players {
    pub(super) fn new(name: &str) -> Self {
        let mut words = Stream::new(key(name), "players");
        let dragon_boldness = i64::from(words.uniform(3));
        let dwarf_boldness = i64::from(words.uniform(3));
        let dwarf_patience = i64::from(words.uniform(3));
        Players { words, dragon_boldness, dwarf_boldness, dwarf_patience }
    }

    /// The action with the highest score; ties and near ties fall by the game's name.
    pub(super) fn choose(&mut self, table: &Table<Drako>) -> Option<Action> {
        let (setup, state) = (table.setup(), table.state());
        let side = state.decider()?;
        let mut best = None;
        for action in table.actions(seat_of(side)) {
            let score =
                self.score(setup, state, side, &action) * 8 + i64::from(self.words.uniform(8));
            if best.is_none_or(|(high, _)| score > high) {
                best = Some((score, action));
            }
        }
        best.map(|(_, action)| action)
    }

    fn score(&self, setup: &Setup, state: &State, side: Side, action: &Action) -> i64 {
        let held = state.holding(side).in_hand() as i64;
        match action {
            Action::Mulligan(it) => {
                let strikes = strikes(setup, state, side);
                if it.exchange { 2 - strikes } else { 0 }
            }
            Action::Place(_) => 0,
            Action::Draw(_) => match side {
                Side::Dragon => 14 - 3 * held,
                Side::Dwarves => 12 - 4 * held - 3 * self.dwarf_patience,
            },
            Action::Discard(it) => {
                -it.cards.as_slice().iter().map(|&card| worth(card)).sum::<i64>()
            }
            Action::Defend(it) => self.defence(setup, state, side, it.blocks.count() as i64),
            Action::AssignWounds(it) => {
                let near = |track: usize, count: u32| {
                    i64::from(u32::from(state.free(setup, track)) == count)
                };
                10 * near(ARMOUR + 2, it.movement)
                    + 8 * near(ARMOUR + 3, it.fire)
                    + 5 * near(ARMOUR + 1, it.flight)
            }
            Action::EscapeNet(_) => 4 + 4 * i64::from(count(state.beside_dragon(setup)) > 1),
            Action::DeclareFury(_) => {
                let ready = count(state.beside_dragon(setup)) as i64 * strikes(setup, state, side);
                if state.free(setup, 0) > 2 { 3 * ready - 8 } else { -20 }
            }
            Action::Play(it) => match side {
                Side::Dragon => self.dragon_play(setup, state, it.card, &it.how),
                Side::Dwarves => self.dwarf_play(setup, state, it.card, &it.how),
            },
        }
    }

    fn defence(&self, setup: &Setup, state: &State, side: Side, blocks: i64) -> i64 {
        let Some(attack) = state.attack else { return 0 };
        let danger = match side {
            Side::Dragon => {
                let free: u8 = (ARMOUR..TRACKS).map(|track| state.free(setup, track)).sum();
                if free <= 4 { 12 } else { 4 }
            }
            Side::Dwarves => {
                let weakest = dwarves(attack.strands)
                    .map(|dwarf| state.free(setup, dwarf.index()))
                    .min()
                    .unwrap_or(9);
                if weakest <= attack.value { 14 } else { 5 }
            }
        };
        let last_cards = side == Side::Dwarves && state.holding(side).in_deck() == 0;
        blocks * (danger * i64::from(attack.value) - if last_cards { 15 } else { 6 })
    }

    fn dragon_play(&self, setup: &Setup, state: &State, card: Kind, how: &How) -> i64 {
        let value = value_of(setup, card, how);
        let hurt = |dwarf: Dwarf| {
            let free = i64::from(state.free(setup, dwarf.index()));
            if free <= value { 30 } else { 8 * value - free }
        };
        match how {
            How::Attack { target } => 4 + hurt(*target) - worth(card) / 2,
            How::Fire { direction } => {
                let ray = state.dragon(setup).ray(usize::from(*direction));
                let hit: i64 = dwarves(state.within(ray)).map(hurt).sum();
                if hit == 0 { -30 } else { 5 + hit - worth(card) / 2 }
            }
            How::Move { to } | How::Flight { to } => {
                let (Some(to), from) = (Place::find(*to), state.dragon(setup)) else { return -50 };
                let here = self.standing(setup, state, from);
                let there = self.standing(setup, state, to);
                there - here - worth(card) / 2 - 2
            }
            How::None {} => -40,
            _ => -60,
        }
    }

    /// How well the dragon stands on a place: near to prey, far from a crowd.
    fn standing(&self, setup: &Setup, state: &State, place: Place) -> i64 {
        let beside = count(state.within(place.neighbours())) as i64;
        let aim: u32 = (0..6).map(|it| count(state.within(place.ray(it))).pow(2)).sum();
        let weak = dwarves(state.within(place.neighbours()))
            .map(|dwarf| 8 - i64::from(state.free(setup, dwarf.index())))
            .max()
            .unwrap_or(0);
        let crowd = match beside {
            0 => 0,
            1 => 3 + 2 * self.dragon_boldness,
            2 => -4 + 4 * self.dragon_boldness,
            _ => -14 + 4 * self.dragon_boldness,
        };
        let shot = state.dwarf(Dwarf::Archery).is_some_and(|it| it.between(place).is_some());
        crowd + weak + i64::from(aim) * i64::from(!state.lost(setup, ARMOUR + 3))
            - 3 * i64::from(shot)
    }

    fn dwarf_play(&self, setup: &Setup, state: &State, card: Kind, how: &How) -> i64 {
        let value = value_of(setup, card, how);
        let free: i64 = (ARMOUR..TRACKS).map(|track| i64::from(state.free(setup, track))).sum();
        let hurt = |damage: i64| if free <= damage { 60 } else { 9 * damage };
        match how {
            How::OneAttack { .. } | How::Crossbow {} => 4 + hurt(value) - worth(card) / 3,
            How::TwoAttack { attackers } => 4 + hurt(value * attackers.count() as i64),
            How::Net {} => {
                let around = count(state.beside_dragon(setup)) as i64;
                6 + 5 * around - worth(card) / 3
            }
            How::OneMove { moves } | How::TwoMove { moves } => {
                let gain: i64 =
                    moves.as_slice().iter().map(|it| self.closing(setup, state, it)).sum();
                if moves.is_empty() { -12 } else { gain - worth(card) / 3 }
            }
            How::None {} => -40,
            _ => -60,
        }
    }

    fn closing(&self, setup: &Setup, state: &State, step: &super::super::action::DwarfMove) -> i64 {
        let dwarf = step.figure;
        let (Some(from), Some(to)) = (state.dwarf(dwarf), Place::find(step.to)) else { return -50 };
        let dragon = state.dragon(setup);
        let spaces = i64::from(state.free(setup, dwarf.index()));
        let wanted = |place: Place| {
            let near = place.distance(dragon);
            let line = i64::from(place.between(dragon).is_some());
            match (dwarf, near) {
                (Dwarf::Archery, 1) => spaces - 3,
                (Dwarf::Archery, _) => 6 * line + 2,
                (_, 1) if spaces + 2 * self.dwarf_boldness > 3 => 12,
                (_, 1) => spaces - 4,
                (_, _) => 3 - line * 2,
            }
        };
        let gain = wanted(to) - wanted(from);
        if from == to { -6 } else { gain }
    }
}

/// The printed value of an option of a card, 0 for none.
fn value_of(setup: &Setup, card: Kind, how: &How) -> i64 {
    let deck = setup.deck(card.side());
    let row = deck.row(card.side(), card);
    row.and_then(|row| deck.value(row, how.option())).map_or(0, i64::from)
}

/// How much a card is worth keeping.
fn worth(card: Kind) -> i64 {
    match (card.side(), card.number()) {
        (Side::Dragon, 12) => 8,
        (Side::Dragon, 3 | 5 | 8 | 11) => 6,
        (Side::Dragon, 6 | 10) => 5,
        (Side::Dragon, _) => 3,
        (Side::Dwarves, 4 | 5 | 12) => 7,
        (Side::Dwarves, 2 | 6 | 11) => 5,
        (Side::Dwarves, _) => 3,
    }
}

/// How many attacks a hand holds.
fn strikes(setup: &Setup, state: &State, side: Side) -> i64 {
    let deck = setup.deck(side);
    (0..deck.len())
        .filter(|&row| {
            deck.shown(row).iter().any(|(option, _)| {
                matches!(option, Use::OneAttack | Use::TwoAttack | Use::Attack | Use::Fire)
            })
        })
        .map(|row| i64::from(state.holding(side).hand[row]))
        .sum()
}

/// A whole game between the players, as a fixture.
struct Played {
    name: String,
    table: Table<Drako>,
    actions: Vec<Action>,
}

fn play(name: &str) -> Played {
    let setup = setup(0);
    let mut chance = Seeded::new(name, Drako::META.streams);
    let mut table = Table::<Drako>::open(setup, &mut chance, Keep::Log).expect("a seed deals");
    let mut players = Players::new(name);
    let mut actions = Vec::new();
    while let Some(action) = players.choose(&table) {
        table.play(&action, &mut chance).expect("a listed action is accepted");
        actions.push(action);
    }
    Played { name: name.to_owned(), table, actions }
}

impl Played {
    fn fixture(&self, with_tape: bool) -> serde_json::Value {
        let outcome = self.table.outcome().expect("the game is over");
        let winner = outcome.winner.map(|seat| Drako::META.seat_name(seat));
        let view = self.table.view(Observer::Referee);
        let print = crate::digest::fingerprint(&view).to_string();
        let log = self.table.log().expect("the log is kept");
        let entries: Vec<_> = log.tape.iter().map(|drawn| &drawn.entry).collect();
        let chance = if with_tape {
            serde_json::json!({ "tape": entries })
        } else {
            serde_json::json!({ "seed": self.name })
        };
        let how = if with_tape { ", recorded at a table" } else { "" };
        let ended = serde_json::json!({ "winner": winner, "reason": outcome.reason });
        serde_json::json!({
            "title": format!(
                "A whole game that ends by {}{how}.",
                outcome.reason.replace('_', " ")
            ),
            "shows": [],
            "record": {
                "format": "umpire/1",
                "game": "drako",
                "ruleset": "drako@1",
                "options": { "placement": "fixed", "advanced_mulligan": false },
                "players": { "dragon": "Ines", "dwarves": "Ole" },
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

/// The stored whole games are those that the players play, two for each way to end and one of
/// them as a table's tape. With `UMPIRE_WRITE_GAMES` set they are written anew.
#[test]
#[allow(clippy::disallowed_methods, reason = "a test may be asked to write its files")]
fn whole_games_are_those_of_the_players() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/drako/games");
    let write = std::env::var("UMPIRE_WRITE_GAMES").is_ok();
    let mut found: Vec<(String, serde_json::Value)> = Vec::new();
    for ending in Drako::META.endings {
        let games = (1..4000).map(|number| play(&format!("drako-{number}")));
        let wanted = games.filter(|game| {
            let outcome = game.table.outcome();
            outcome.is_some_and(|it| it.reason == *ending) && game.actions.len() >= 60
        });
        for (at, game) in wanted.take(2).enumerate() {
            let name = format!("{}-{}", ending.replace('_', "-"), at + 1);
            found.push((name.clone(), game.fixture(false)));
            if found.len() == 1 {
                found.push((format!("{name}-at-a-table"), game.fixture(true)));
            }
        }
    }
    assert_eq!(found.len(), 2 * Drako::META.endings.len() + 1);
    for (name, fixture) in found {
        let path = folder.join(format!("{name}.json"));
        if write {
            std::fs::write(&path, format!("{fixture:#}\n")).expect("the folder is there");
        }
        let text = std::fs::read_to_string(&path).expect("the stored game is there");
        let stored: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
        let same = ["record", "expect"].iter().all(|part| stored[part] == fixture[part]);
        assert!(same, "{name} is not what the players play; write the games anew");
    }
}

/// The players reach every stage of the game, so that their games show real play.
#[test]
fn players_meet_every_decision_of_a_plain_game() {
    let mut met = [false; 4];
    for number in 1..20 {
        let setup = setup(0);
        let name = format!("drako-{number}");
        let mut chance = Seeded::new(&name, Drako::META.streams);
        let mut table =
            Table::<Drako>::open(setup, &mut chance, Keep::Nothing).expect("a seed deals");
        let mut players = Players::new(&name);
        while let Some(action) = players.choose(&table) {
            match table.state().stage {
                Stage::Action => met[0] = true,
                Stage::Discard => met[1] = true,
                Stage::Defend => met[2] = true,
                Stage::AssignWounds => met[3] = true,
                _ => {}
            }
            table.play(&action, &mut chance).expect("a listed action is accepted");
        }
    }
    assert_eq!(met, [true; 4]);
}
