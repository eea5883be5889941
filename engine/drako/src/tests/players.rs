//! Two scripted players with a plan: strike when next to the enemy, close in or run otherwise,
//! block the worst, keep good cards. They see only what their seat sees, and make the whole
//! games of `fixtures/drako/games`.

use std::path::Path;

use serde_json::json;

use crate::action::{Action, CardUse, Dwarf, DwarfMove, Kind, Side, Track, Use};
use crate::state::{Stage, State};
use crate::tables::board::{Direction, Directions, Spot};
use crate::{Drako, Setup};
use umpire_core::chance::seeded::{Stream, key};
use umpire_core::game::{Game, Table};
use umpire_testing::players::{Played, check_stored, play, play_version};

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
        for action in table.actions(side.seat()) {
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
                let near = |track: Track, count: u32| {
                    i64::from(u32::from(state.free(setup, track)) == count)
                };
                10 * near(Track::Movement, it.movement)
                    + 8 * near(Track::Fire, it.fire)
                    + 5 * near(Track::Flight, it.flight)
            }
            Action::EscapeNet(_) => 4 + 4 * i64::from(state.beside_dragon().len() > 1),
            Action::DeclareFury(_) => {
                let ready = state.beside_dragon().len() as i64 * strikes(setup, state, side);
                if state.free(setup, Track::Fury) > 2 { 3 * ready - 8 } else { -20 }
            }
            Action::Pass(_) => 0,
            Action::Play(it) => match side {
                Side::Dragon => self.dragon_play(setup, state, it.card, &it.used_for),
                Side::Dwarves => self.dwarf_play(setup, state, it.card, &it.used_for),
            },
        }
    }

    fn defence(&self, setup: &Setup, state: &State, side: Side, blocks: i64) -> i64 {
        let Some(attack) = state.attack else { return 0 };
        let danger = match side {
            Side::Dragon => {
                let free = free_on_dragon(setup, state);
                if free <= 4 { 12 } else { 4 }
            }
            Side::Dwarves => {
                let weakest = attack
                    .strands
                    .iter()
                    .map(|dwarf| state.free(setup, dwarf.into()))
                    .min()
                    .unwrap_or(9);
                if weakest <= attack.value { 14 } else { 5 }
            }
        };
        let last_cards = side == Side::Dwarves && state.holding(side).in_deck() == 0;
        blocks * (danger * i64::from(attack.value) - if last_cards { 15 } else { 6 })
    }

    fn dragon_play(&self, setup: &Setup, state: &State, card: Kind, used_for: &CardUse) -> i64 {
        let value = value_of(setup, card, used_for);
        let hurt = |dwarf: Dwarf| {
            let free = i64::from(state.free(setup, dwarf.into()));
            if free <= value { 30 } else { 8 * value - free }
        };
        match used_for {
            CardUse::Attack { target: Some(target) } => 4 + hurt(*target) - worth(card) / 2,
            CardUse::Attack { target: None } => -worth(card),
            CardUse::Fire { direction } => {
                let direction = Direction::at(usize::from(*direction));
                let ray = state.dragon().ray(direction);
                let hit: i64 = state.within(ray).iter().map(hurt).sum();
                if hit == 0 { -30 } else { 5 + hit - worth(card) / 2 }
            }
            CardUse::Move { to } | CardUse::Flight { to } => {
                let (Some(to), from) = (Spot::find(*to), state.dragon()) else { return -50 };
                let here = self.standing(setup, state, from);
                let there = self.standing(setup, state, to);
                there - here - worth(card) / 2 - 2
            }
            CardUse::None {} => -40,
            _ => -60,
        }
    }

    /// How well the dragon stands on a hex: near to prey, far from a crowd.
    fn standing(&self, setup: &Setup, state: &State, spot: Spot) -> i64 {
        let beside = state.within(spot.neighbours());
        let aim: usize =
            Directions::ALL.iter().map(|it| state.within(spot.ray(it)).len().pow(2)).sum();
        let weak = beside
            .iter()
            .map(|dwarf| 8 - i64::from(state.free(setup, dwarf.into())))
            .max()
            .unwrap_or(0);
        let crowd = match beside.len() {
            0 => 0,
            1 => 3 + 2 * self.dragon_boldness,
            2 => -4 + 4 * self.dragon_boldness,
            _ => -14 + 4 * self.dragon_boldness,
        };
        let shot = state.dwarf(Dwarf::Archery).is_some_and(|it| it.between(spot).is_some());
        crowd + weak + aim as i64 * i64::from(!state.is_lost(setup, Track::Fire))
            - 3 * i64::from(shot)
    }

    fn dwarf_play(&self, setup: &Setup, state: &State, card: Kind, used_for: &CardUse) -> i64 {
        let value = value_of(setup, card, used_for);
        let free = i64::from(free_on_dragon(setup, state));
        let hurt = |damage: i64| if free <= damage { 60 } else { 9 * damage };
        match used_for {
            CardUse::OneAttack { .. } | CardUse::Crossbow {} => 4 + hurt(value) - worth(card) / 3,
            CardUse::TwoAttack { attackers } => 4 + hurt(value * attackers.count() as i64),
            CardUse::Net {} => {
                let around = state.beside_dragon().len() as i64;
                6 + 5 * around - worth(card) / 3
            }
            CardUse::OneMove { moves } | CardUse::TwoMove { moves } => {
                let gain: i64 =
                    moves.as_slice().iter().map(|it| self.closing(setup, state, it)).sum();
                if moves.is_empty() { -12 } else { gain - worth(card) / 3 }
            }
            CardUse::None {} => -40,
            _ => -60,
        }
    }

    fn closing(&self, setup: &Setup, state: &State, step: &DwarfMove) -> i64 {
        let dwarf = step.figure;
        let (Some(from), Some(to)) = (state.dwarf(dwarf), Spot::find(step.to)) else { return -50 };
        let dragon = state.dragon();
        let spaces = i64::from(state.free(setup, dwarf.into()));
        let wanted = |spot: Spot| {
            let near = spot.distance(dragon);
            let line = i64::from(spot.between(dragon).is_some());
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

/// The dragon's free wound spaces.
fn free_on_dragon(setup: &Setup, state: &State) -> u8 {
    Track::DRAGON.into_iter().map(|track| state.free(setup, track)).sum()
}

/// The printed value of an option of a card, 0 for none.
fn value_of(setup: &Setup, card: Kind, used_for: &CardUse) -> i64 {
    let deck = setup.deck(card.side());
    let row = deck.row(card);
    row.and_then(|row| deck.value(row, used_for.option())).map_or(0, i64::from)
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
            deck.options(row).iter().any(|(option, _)| {
                matches!(option, Use::OneAttack | Use::TwoAttack | Use::Attack | Use::Fire)
            })
        })
        .map(|row| i64::from(state.holding(side).hand[row]))
        .sum()
}

/// A whole game between the players under the default readings.
fn played(version: u32, name: &str) -> Played<Drako> {
    let options = json!({ "placement": "fixed", "advanced_mulligan": false });
    let mut players = Players::new(name);
    play_version::<Drako>(version, name, &options, 400, |table| players.choose(table))
}

fn fixture(version: u32, game: &Played<Drako>, at_a_table: bool) -> serde_json::Value {
    let how = if at_a_table { ", recorded at a table" } else { "" };
    let title = format!("A whole game that ends by {}{how}.", game.reason().replace('_', " "));
    let extra = json!({
        "ruleset": Drako::META.ruleset_of(version),
        "players": { "dragon": "Ines", "dwarves": "Ole" },
        "claims": { "outcome": game.ended(), "fingerprint": game.fingerprint() },
        "meta": { "event": "scripted players", "game": game.seed },
    });
    game.fixture(&title, at_a_table, extra)
}

/// The stored whole games are those that the players play: two for each way to end, and one of
/// them as a table's tape.
#[test]
fn whole_games_are_those_of_the_players() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/drako/games");
    for (at, ending) in Drako::META.endings.iter().enumerate() {
        let games = (1..4000).map(|number| played(1, &format!("drako-{number}")));
        let wanted = games.filter(|game| game.reason() == *ending && game.actions.len() >= 60);
        let found: Vec<Played<Drako>> = wanted.take(2).collect();
        assert_eq!(found.len(), 2, "{ending}");
        for (game, number) in found.iter().zip(1..) {
            let name = format!("{}-{number}", ending.replace('_', "-"));
            check_stored(&folder, &name, &fixture(1, game, false));
            if (at, number) == (0, 1) {
                check_stored(&folder, &format!("{name}-at-a-table"), &fixture(1, game, true));
            }
        }
    }
    let kept = |game: &Played<Drako>| game.actions.iter().any(|it| matches!(it, Action::Pass(_)));
    let mut games = (1..4000).map(|number| played(2, &format!("drako-{number}")));
    let game = games.find(kept).expect("somebody keeps a card by passing");
    check_stored(&folder, "under-drako-2", &fixture(2, &game, false));
}

/// The players reach every stage of the game, so that their games show real play.
#[test]
fn players_meet_every_decision_of_a_plain_game() {
    let mut met = Vec::new();
    for number in 1..20 {
        let name = format!("drako-{number}");
        let mut players = Players::new(&name);
        play::<Drako>(&name, &serde_json::Value::Null, 400, |table| {
            met.push(table.state().stage);
            players.choose(table)
        });
    }
    for stage in [Stage::Action, Stage::Discard, Stage::Defend, Stage::AssignWounds] {
        assert!(met.contains(&stage), "{stage}");
    }
}
