//! Scripted princes with a plan: raise an army with officers, march on the nearest city that is
//! not theirs, negotiate where a diplomat stands, trade where a merchant stands. They make the
//! whole games of `fixtures/doubloons/games`.

use serde_json::{Value, json};

use crate::action::Player;
use crate::action::{Action, Move, RespondDeal};
use crate::setup::Options;
use crate::setup::map::At;
use crate::state::{Stage, State};
use crate::tables::Kind;
use crate::{Doubloons, Setup};
use umpire_core::chance::seeded::Seeded;
use umpire_core::game::{Game, Keep, Listing, Seat, Table};

/// How the princes bring a long game to its end.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Stop {
    /// They fight on.
    Never,
    /// All agree to stop in that round.
    Agree(u32),
    /// From that round on whoever is behind resigns.
    Resign(u32),
}

/// A whole game: its name, title, options, seed and end.
pub(super) struct Script {
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    /// The version of the ruleset by which it is played.
    pub(super) version: u32,
    pub(super) options: String,
    pub(super) seed: &'static str,
    pub(super) stop: Stop,
    /// Whether the record holds the tape instead of the seed.
    pub(super) as_tape: bool,
}

/// Plays a script and returns its fixture.
pub(super) fn fixture(script: &Script) -> Value {
    let mut chance = Seeded::new(script.seed, Doubloons::META.streams);
    let mut options = serde_json::from_str::<Options>(&script.options).unwrap();
    options.rulings.set_version(script.version);
    let setup = std::sync::Arc::new(Setup::new(options, &mut chance).unwrap());
    let mut table = Table::<Doubloons>::open(setup, &mut chance, Keep::Log).unwrap();
    let mut actions = Vec::new();
    while table.outcome().is_none() {
        let action = choose(&table, script.stop);
        if let Err(stop) = table.play(&action, &mut chance) {
            panic!("{}: {action:?}: {stop:?}", script.name);
        }
        actions.push(action);
        assert!(actions.len() < 9000, "{}: no end in sight", script.name);
    }
    let outcome = table.outcome().unwrap();
    let chance = if script.as_tape {
        let draws = table.log().unwrap().tape.iter();
        json!({"tape": draws.map(|drawn| drawn.entry.clone()).collect::<Vec<_>>()})
    } else {
        json!({"seed": script.seed})
    };
    let options: Value = serde_json::from_str(&script.options).unwrap();
    json!({
        "title": script.title,
        "shows": [],
        "record": {
            "format": "umpire/1",
            "game": "doubloons",
            "ruleset": Doubloons::META.ruleset_of(script.version),
            "options": options,
            "chance": chance,
            "actions": actions,
        },
        "expect": {
            "status": "complete",
            "plies": actions.len(),
            "outcome": {
                "winner": outcome.winner.map(|seat| Doubloons::META.seat_name(seat)),
                "reason": outcome.reason,
            },
            "fingerprint": umpire_core::digest::fingerprint(&table.view(umpire_core::game::Observer::Referee)).to_string(),
        },
    })
}

/// What the first prince who is asked does.
pub(super) fn choose(table: &Table<Doubloons>, stop: Stop) -> Action {
    let (setup, state) = (table.setup(), table.state());
    let asked: Vec<Seat> = table.decision().seats.iter().collect();
    let waiting = state
        .deals
        .first()
        .and_then(|deal| deal.parties.iter().find(|&party| !deal.agreed.contains(party)));
    let seat = waiting.map_or(asked[0], Player::seat);
    let player = Player::of(seat).unwrap();
    if let Some(action) = last_word(state, stop, state.stage == Stage::Production) {
        return action;
    }
    let mut listing = Listing { actions: Vec::new(), ranges: Vec::new(), most: usize::MAX };
    let _ = table.legal(seat, &mut listing);
    let prince = Prince { setup, state, player, listed: &listing.actions };
    prince.decide().unwrap_or_else(|| prince.pass())
}

/// Stopping a long game.
fn last_word(state: &State, stop: Stop, now: bool) -> Option<Action> {
    let worth = |player: Player| (state.cities_of(player), state.gold(player), player);
    match stop {
        Stop::Agree(round) if now && round <= state.round => {
            let next = state.playing.iter().find(|&it| !state.agreed.contains(it))?;
            Some(Action::AgreeEnd(crate::action::AgreeEnd { player: next }))
        }
        Stop::Resign(round) if now && round <= state.round => {
            let player = state.playing.iter().min_by_key(|&it| worth(it))?;
            Some(Action::Resign(crate::action::Resign { player }))
        }
        _ => None,
    }
}

struct Prince<'a> {
    setup: &'a Setup,
    state: &'a State,
    player: Player,
    listed: &'a [Action],
}

impl Prince<'_> {
    fn pass(&self) -> Action {
        let ends = |it: &&Action| matches!(it, Action::EndPhase(it) if it.through.is_none());
        let end = self.listed.iter().find(ends).or(self.listed.first());
        end.expect("somebody who is asked can do something").clone()
    }

    fn first(&self, fits: impl Fn(&Action) -> bool) -> Option<Action> {
        self.listed.iter().find(|action| fits(action)).cloned()
    }

    fn decide(&self) -> Option<Action> {
        let Prince { state, player, .. } = *self;
        let gold = state.gold(player);
        match state.stage {
            Stage::Bid => {
                let amount = u64::from(gold.min((state.round * 5 + player as u32 * 3) % 4));
                let skip_trading = state.round % 3 != 0;
                Some(Action::Bid(crate::action::Bid { player, amount, skip_trading }))
            }
            Stage::Trading => self.trade(),
            Stage::Production => {
                self.first(|it| matches!(it, Action::UseFavor(_))).or_else(|| self.recruit())
            }
            Stage::Spy if gold >= 14 => Some(Action::Spy(crate::action::Spy { player, gold: 3 })),
            Stage::SpyTarget => {
                self.first(|it| matches!(it, Action::SpyTarget(it) if it.target.is_some()))
            }
            Stage::FavorNegate => self.listed.last().cloned(),
            Stage::Movement => self.march(),
            Stage::Battle => self.attack(),
            Stage::Routes => self.first(|it| matches!(it, Action::EstablishRoute(_))),
            Stage::Diplomacy => self.first(|it| matches!(it, Action::Diplomacy(_))),
            Stage::DeclareTargets | Stage::Disband => self.listed.first().cloned(),
            _ => None,
        }
    }

    /// Accepts what is offered, and offers a treaty for a gold every third round.
    fn trade(&self) -> Option<Action> {
        let Prince { state, player, .. } = *self;
        let answer = |accept: bool| {
            self.first(|it| matches!(it, Action::RespondDeal(RespondDeal { accept: a, .. }) if *a == accept))
        };
        let offered = state.deals.iter().any(|deal| deal.proposer != player);
        if offered {
            return answer(true).or_else(|| answer(false));
        }
        let here = || state.playing.iter().filter(|&it| it != player && !state.away.contains(it));
        let friend = here().find(|&it| !state.are_friends(player, it));
        let fresh = state.next_deal <= 2 && state.deals.is_empty();
        match friend {
            Some(other) if fresh && state.gold(player) > 0 => {
                let deal = json!({"type": "propose_deal", "player": player, "items": [
                    {"kind": "treaty", "between": [player, other]},
                    {"kind": "gold", "from": player, "to": other, "amount": 1},
                    {"kind": "promise", "from": other, "to": player, "text": "no war this year"},
                ]});
                serde_json::from_value(deal).ok()
            }
            _ => None,
        }
    }

    fn count(&self, kind: Kind) -> usize {
        self.state.units_of(Some(self.player)).filter(|unit| unit.kind == kind).count()
    }

    /// An army with officers first, a diplomat and a caravan, governors when rich.
    fn recruit(&self) -> Option<Action> {
        let gold = self.state.gold(self.player);
        let troops =
            self.count(Kind::Lancers) + self.count(Kind::Dragoons) + self.count(Kind::Musketeers);
        let wanted = if self.count(Kind::Officer) * 5 <= troops {
            Kind::Officer
        } else if self.count(Kind::Diplomat) < 2 {
            Kind::Diplomat
        } else if self.count(Kind::Caravan) < 2 && troops > 2 {
            Kind::Caravan
        } else if troops.is_multiple_of(3) && gold >= 6 {
            Kind::Lancers
        } else if troops % 3 == 1 {
            Kind::Dragoons
        } else {
            Kind::Musketeers
        };
        if troops > 24 || gold < 5 {
            return None;
        }
        // Recruits gather in the city nearest to the next prize.
        let fits =
            |it: &&Action| matches!(it, Action::Recruit(it) if it.unit_type == wanted && !it.favor);
        let near = |it: &&Action| match it {
            Action::Recruit(it) => self.distance(self.setup.map.site(it.city).at),
            _ => u32::MAX,
        };
        self.listed.iter().filter(fits).min_by_key(near).cloned()
    }

    fn distance(&self, at: At) -> u32 {
        self.to_nearest(at, |city| self.state.city(city).control != Some(self.player))
    }

    fn to_nearest(&self, at: At, wanted: impl Fn(u8) -> bool) -> u32 {
        let map = &self.setup.map;
        let hex = map.place(at).hex;
        let cities = (1..=map.cities()).filter(|&city| wanted(city));
        cities.map(|city| map.place(map.site(city).at).hex.distance(hex)).min().unwrap_or(0)
    }

    /// The move that brings most units nearest.
    fn march(&self) -> Option<Action> {
        let mut best = None;
        for action in self.listed {
            let Action::Move(it) = action else { continue };
            let gain = self.gain(it);
            if gain > 0 && best.as_ref().is_none_or(|(high, _)| gain > *high) {
                best = Some((gain, action.clone()));
            }
        }
        best.map(|it| it.1)
    }

    fn gain(&self, it: &Move) -> i64 {
        let Prince { setup, state, .. } = *self;
        let units: Vec<_> = it.units.iter().filter_map(|&id| state.unit(id)).collect();
        let (Some(first), Some(&last)) = (units.first(), it.path.last()) else { return 0 };
        let to = setup.map.find(last).unwrap_or(first.at);
        let neutral = |city: u8| state.city(city).control.is_none();
        let free = |at: At, wanted: &dyn Fn(u8) -> bool| i64::from(self.to_nearest(at, wanted));
        let other = |city: u8| state.city(city).control != Some(self.player);
        let near = match first.kind {
            _ if units.iter().any(|unit| unit.is_military()) => {
                free(first.at, &other) - free(to, &other)
            }
            Kind::Diplomat | Kind::Caravan => free(first.at, &neutral) - free(to, &neutral),
            _ => 0,
        };
        near * 100 * units.len() as i64 - it.path.len() as i64
    }

    /// The attack with most units, where they are not outnumbered too much.
    fn attack(&self) -> Option<Action> {
        let Prince { setup, state, player, .. } = *self;
        let attacks = self.listed.iter().filter(|it| match it {
            Action::Attack(it) => {
                let at = setup.map.find(it.target).unwrap_or(0);
                let there = state.units_at(at).filter(|unit| unit.owner != Some(player));
                let owners: Vec<_> = there.map(|unit| (unit.owner, unit.is_military())).collect();
                let friends =
                    owners.iter().any(|it| it.0.is_some_and(|o| state.are_friends(player, o)));
                !friends && owners.iter().filter(|it| it.1).count() <= it.units.len() + 1
            }
            _ => false,
        });
        attacks
            .max_by_key(|it| match it {
                Action::Attack(it) => it.units.len(),
                _ => 0,
            })
            .cloned()
    }
}
