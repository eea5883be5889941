//! What a sensible player does without listing everything that could be done.
//!
//! Everything here is legal: what is not sure to be is left to the list. Must not know a rule but by the chapters.

use super::worth::{Muster, aim, attacked, odds, others};
use crate::action::{
    Action, Attack, Bid, DeclareTargets, Diplomacy, EndPhase, EstablishRoute, Move, Player,
    Recruit, Spy, StackOwner, Through, UseFavor,
};
use crate::ch01_terms::is_closed;
use crate::ch13_movement::{can_march, is_kept, may_enter, never_moves, walkers};
use crate::ch14_battle::Strike;
use crate::rulebook::Rule;
use crate::setup::Setup;
use crate::setup::map::At;
use crate::state::{Stage, State, Unit};
use crate::tables::{FavorUse, Good, Kind};
use crate::{
    ch05_church, ch11_production, ch12_spies, ch14_battle, ch15_routes, ch16_diplomacy, sequence,
};
use umpire_core::chance::{Ask, Chance, What};
use umpire_core::game::{PRIOR, Seat};

/// What a player does at first sight.
pub(crate) fn reflex(
    setup: &Setup,
    state: &State,
    seat: Seat,
    chance: &mut dyn Chance,
) -> Option<Action> {
    let player = Player::of(seat)?;
    if !sequence::deciders(setup, state).contains(player) {
        return None;
    }
    let mut reflex = Reflex { setup, state, player, chance };
    match state.stage {
        Stage::Bid => Some(reflex.bid()),
        Stage::Trading if state.deals.is_empty() => Some(reflex.end(None)),
        Stage::Production => Some(reflex.recruit()),
        Stage::Spy => Some(reflex.spy()),
        Stage::Movement => Some(reflex.go()),
        Stage::Battle => Some(reflex.attack()),
        Stage::DeclareTargets => Some(Action::DeclareTargets(targets(setup, state, player))),
        Stage::Routes => Some(reflex.trade()),
        Stage::Diplomacy => Some(reflex.negotiate()),
        _ => None,
    }
}

/// What is bid at first sight, by a number below eight.
pub(crate) fn bid_at_first_sight(drawn: u32) -> u32 {
    match drawn {
        0..=2 => 0,
        3..=4 => 1,
        5..=6 => 2,
        _ => 3,
    }
}

/// For every unit that throws the target that is worth most.
pub(super) fn targets(setup: &Setup, state: &State, player: Player) -> DeclareTargets {
    let side = ch14_battle::asked_side(setup, state);
    let named = state.fight.as_deref().map_or(&[][..], |fight| &fight.units);
    let mut aimed: Vec<u32> = Vec::with_capacity(side.len());
    let mut pairs = Vec::with_capacity(side.len());
    for (id, legal) in side {
        let Some(unit) = state.unit(id) else { continue };
        let worth = |target: u32| {
            let often = aimed.iter().filter(|&&it| it == target).count() as u32;
            state.unit(target).map_or(0, |it| 4 * aim(setup, named, unit, it) / (1 + often))
        };
        if let Some(target) = legal.into_iter().rev().max_by_key(|&target| worth(target)) {
            aimed.push(target);
            pairs.push((id, target));
        }
    }
    DeclareTargets { player, targets: pairs, all: None }
}

/// One player's turn of mind.
struct Reflex<'a> {
    setup: &'a Setup,
    state: &'a State,
    player: Player,
    chance: &'a mut dyn Chance,
}

impl Reflex<'_> {
    fn below(&mut self, n: u32) -> u32 {
        self.chance.answer(&Ask { stream: 0, what: What::Hidden { n } }).unwrap_or_default()
    }

    fn end(&self, through: Option<Through>) -> Action {
        Action::EndPhase(EndPhase { player: self.player, through })
    }

    fn own(&self) -> impl Iterator<Item = &Unit> {
        self.state.units_of(Some(self.player))
    }

    fn bid(&mut self) -> Action {
        let gold = self.state.gold(self.player);
        let amount = bid_at_first_sight(self.below(8)).min(gold);
        Action::Bid(Bid { player: self.player, amount: amount.into(), skip_trading: true })
    }

    /// A recruit in one of the cities that may still have one, or the end of the phase.
    fn recruit(&mut self) -> Action {
        let (setup, state, player) = (self.setup, self.state, self.player);
        let muster = Muster::of(setup, state, player);
        let mut sum = PRIOR;
        let mut found = None;
        for city in state.controlled(Some(player)) {
            let here = state.city(city);
            if here.recruited || state.in_force(here.no_recruits) {
                continue;
            }
            let site = setup.map.site(city);
            let governor = |unit: &Unit| unit.kind == Kind::Governor && unit.owner == Some(player);
            let governed = || state.units_at(site.at).any(governor);
            for &kind in Kind::ALL {
                if kind.cost() > muster.gold || (kind.is_ship() && !site.port) {
                    continue;
                }
                let weight = muster.kind(kind, governed);
                sum += weight;
                if self.below(sum) < weight {
                    found = Some(Recruit { player, city, unit_type: kind, favor: false });
                }
            }
        }
        match found {
            Some(recruit) => Action::Recruit(recruit),
            None => self.end(Some(self.after(Through::Spy))),
        }
    }

    fn spy(&mut self) -> Action {
        let spy = Spy { player: self.player, gold: 1 };
        if ch12_spies::check_spies(self.state, &spy).is_ok() && self.below(16) == 0 {
            return Action::Spy(spy);
        }
        self.end(Some(self.after(Through::Spy)))
    }

    /// Up to which phase nothing is left to be done, beginning with one that is to end.
    fn after(&self, through: Through) -> Through {
        let (mut movers, mut armed, mut merchants, mut diplomats) = (false, false, false, false);
        for unit in self.own() {
            movers |= !never_moves(unit) && unit.points > 0;
            armed |= unit.is_military() && !never_moves(unit);
            merchants |= unit.kind.is_merchant() && unit.origin > 0;
            diplomats |= unit.kind == Kind::Diplomat;
        }
        let left = [
            (Through::Movement, movers),
            (Through::Battle, armed),
            (Through::Routes, merchants),
            (
                Through::Diplomacy,
                self.state.favor == Some(self.player)
                    || (diplomats && self.state.gold(self.player) > 0),
            ),
        ];
        let mut last = through;
        for (phase, busy) in left.into_iter().filter(|it| it.0 as usize > through as usize) {
            if busy {
                break;
            }
            last = phase;
        }
        last
    }

    /// Whether a unit can be sent somewhere and has not gone yet.
    fn is_fresh(&self, unit: &Unit) -> bool {
        unit.aboard == 0
            && unit.points > 0
            && unit.points == unit.kind.points()
            && can_march(self.setup, unit)
            && !ch11_production::must_wait(self.setup, unit)
            && !is_kept(self.setup, self.state, unit, std::iter::empty())
    }

    /// One order: a diplomat or a merchant to a neutral city, troops to one of others.
    fn go(&mut self) -> Action {
        let (setup, state, player) = (self.setup, self.state, self.player);
        let neutral = |at: At| {
            let city = setup.map.place(at).city;
            city > 0 && state.city(city).control.is_none()
        };
        let mut sum = PRIOR / 2;
        let mut found: Option<&Unit> = None;
        for unit in state.units_of(Some(player)) {
            let weight = match unit.kind {
                Kind::Diplomat if !neutral(unit.at) => 4 * PRIOR,
                Kind::Caravan if unit.origin > 0 && !neutral(unit.at) => 2 * PRIOR,
                Kind::Officer => 4 * PRIOR,
                _ => continue,
            };
            if !self.is_fresh(unit) {
                continue;
            }
            sum += weight;
            if self.below(sum) < weight {
                found = Some(unit);
            }
        }
        let order = found.and_then(|unit| self.order(unit));
        order.map_or_else(|| self.end(Some(self.after(Through::Movement))), Action::Move)
    }

    /// Where a unit goes, with the troops that it leads.
    fn order(&self, unit: &Unit) -> Option<Move> {
        let (setup, state, player) = (self.setup, self.state, self.player);
        let mut units = vec![unit.id];
        let warlike = unit.kind == Kind::Officer;
        if warlike {
            let troops = self.own().filter(|it| {
                it.at == unit.at && it.is_military() && !it.kind.is_ship() && self.is_fresh(it)
            });
            units.extend(troops.map(|it| it.id));
            if units.len() == 1 {
                return None;
            }
            units.sort_unstable();
        }
        let mut walkers = walkers(setup, state, &units);
        let cities = state.cities.iter().zip(1u8..);
        let goals = cities.filter(|(city, _)| match warlike {
            true => city.control != Some(player),
            false => city.control.is_none(),
        });
        let roads = setup.roads();
        let goal = roads.nearest(unit.at, goals.map(|it| it.1))?;
        let closed = |military, at| is_closed(setup, state, player, military, at);
        let mut here = unit.at;
        let mut path = Vec::new();
        while let Some(left) = roads.steps(goal, here).filter(|&left| left > 0) {
            let nearer = |&to: &At| roads.steps(goal, to).is_some_and(|steps| steps < left);
            let enters = |&to: &At| may_enter(setup, &walkers, here, to, closed);
            let Some(to) = setup.map.around(here).filter(nearer).find(enters) else { break };
            walkers.iter_mut().for_each(|it| it.pay(setup, to));
            path.push(setup.map.place(to).hex);
            here = to;
        }
        (!path.is_empty()).then_some(Move { player, units, path })
    }

    /// An attack with all that stand beside a hex of others, where that is no folly.
    fn attack(&mut self) -> Action {
        let (setup, state, player) = (self.setup, self.state, self.player);
        let mut tried: Vec<At> = Vec::new();
        for officer in state.units_of(Some(player)).filter(|it| it.kind == Kind::Officer) {
            if !ch14_battle::may_lead(setup, state, officer) || State::is_stowed(setup, officer) {
                continue;
            }
            for at in setup.map.around(officer.at) {
                let others = others(state, player, at);
                if others == 0 || tried.contains(&at) {
                    continue;
                }
                tried.push(at);
                let here = || state.units_at(officer.at).filter(|it| it.owner == Some(player));
                let strike = Strike { target: at, owner: None };
                let able = here().filter(|it| ch14_battle::is_able(setup, state, it, strike));
                let mut units: Vec<u32> = able.map(|it| it.id).collect();
                if odds(units.len(), others) < PRIOR || units.is_empty() {
                    continue;
                }
                units.push(officer.id);
                units.sort_unstable();
                let target = setup.map.place(at).hex;
                let mut attack = Attack { player, target, units, owner: None };
                let owner = ch14_battle::check_owner(setup, state, &attack).ok().flatten();
                attack.owner = owner.map(StackOwner::of);
                let bold = attacked(setup, state, &attack);
                if self.below(bold + PRIOR) < bold
                    && ch14_battle::check_attack(setup, state, &attack).is_ok()
                {
                    return Action::Attack(attack);
                }
            }
        }
        self.end(Some(self.after(Through::Battle)))
    }

    fn trade(&mut self) -> Action {
        let (setup, state, player) = (self.setup, self.state, self.player);
        for unit in self.own().filter(|it| it.kind.is_merchant() && it.origin > 0) {
            let here = setup.map.place(unit.at).city;
            if here == 0 || state.city(here).control.is_some() {
                continue;
            }
            for &good in Good::ALL {
                let merchant = Some(unit.id);
                let it = EstablishRoute { player, merchant, from: None, to: None, good };
                let wanted = state.city(here).demand[good as usize] > 0;
                if wanted && ch15_routes::check_route(setup, state, &it).is_ok() {
                    return Action::EstablishRoute(it);
                }
            }
        }
        self.end(Some(self.after(Through::Routes)))
    }

    fn negotiate(&mut self) -> Action {
        let (setup, state, player) = (self.setup, self.state, self.player);
        let favor = self.can_use(FavorUse::Negotiate);
        for unit in self.own().filter(|it| it.kind == Kind::Diplomat) {
            let city = setup.map.place(unit.at).city;
            let it = Diplomacy { player, city, favor };
            let open = city > 0 && state.city(city).control.is_none();
            if open && ch16_diplomacy::check_diplomacy(setup, state, &it).is_ok() {
                return Action::Diplomacy(it);
            }
        }
        if self.can_use(FavorUse::MakeNeutral)
            && let Some(city) = self.unguarded()
        {
            let r#use = FavorUse::MakeNeutral;
            let it = UseFavor { player, r#use, hex: None, owner: None, city: Some(city) };
            return Action::UseFavor(it);
        }
        self.end(None)
    }

    fn can_use(&self, r#use: FavorUse) -> bool {
        ch05_church::holds_favour(self.state, self.player, r#use)
    }

    /// A city of another player that the favour turns neutral, any of them.
    fn unguarded(&mut self) -> Option<u8> {
        let (setup, state, player) = (self.setup, self.state, self.player);
        let (mut met, mut found) = (0, None);
        for (city, number) in state.cities.iter().zip(1u8..) {
            let foreign = city.control.is_some_and(|owner| owner != player);
            let turns =
                || ch05_church::check_can_turn(setup, state, player, number, Rule::C5_13).is_ok();
            if foreign && turns() {
                met += 1;
                if self.below(met) == 0 {
                    found = Some(number);
                }
            }
        }
        found
    }
}
