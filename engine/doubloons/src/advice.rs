//! What a program that plays should know: which actions are worth a look, what is done without much thought,
//! and who stands better.
//!
//! Nothing here makes an action legal or illegal. Only sealed bids are secret in this game, and nothing here
//! looks at one.

mod estimate;
mod reflex;
mod roads;

pub(super) use estimate::{features, weights};
pub(super) use reflex::{bid_at_first_sight, reflex};
pub(super) use roads::Roads;

use super::action::{
    Action, Attack, Bid, DeclareTargets, Disband, Move, Player, Recruit, SpyTarget, Target,
    UseFavor,
};
use super::ch14_battle;
use super::ch18_ends;
use super::menu::Range;
use super::setup::Setup;
use super::setup::map::At;
use super::state::{State, Unit};
use super::tables::{FavorUse, Kind, Mission};
use umpire_core::game::PRIOR;

/// Ending a phase.
const END: u32 = PRIOR;
/// What wins a city.
const CITY: u32 = 16 * PRIOR;

/// How readily a sensible player takes a legal action.
pub(super) fn prior(setup: &Setup, state: &State, action: &Action) -> u32 {
    match action {
        Action::Resign(_) => 0,
        Action::AgreeEnd(it) => {
            if ch18_ends::stops_ahead(setup, state, it.player) {
                PRIOR
            } else {
                0
            }
        }
        Action::Bid(it) => bid(state, it),
        Action::ProposeDeal(_) | Action::CancelTreaty(_) => 1,
        Action::RespondDeal(it) => {
            if it.accept {
                PRIOR / 4
            } else {
                PRIOR
            }
        }
        Action::UseFavor(it) => favour(setup, state, it),
        Action::Disband(it) => {
            1 + 64 * PRIOR / (1 + it.units.iter().map(|&id| worth(state, id)).sum::<u32>())
        }
        Action::Recruit(it) => Muster::of(setup, state, it.player).recruit(setup, state, it),
        Action::Spy(it) => {
            if it.gold == 1 {
                PRIOR / 4
            } else {
                PRIOR / 8
            }
        }
        Action::SpyTarget(it) => mission(state, it),
        Action::FavorNegate(it) => {
            if it.r#use {
                PRIOR
            } else {
                PRIOR / 2
            }
        }
        Action::Move(it) => moved(setup, state, it),
        Action::Embark(_) => PRIOR / 8,
        Action::Disembark(_) => PRIOR / 4,
        Action::Attack(it) => attacked(setup, state, it),
        Action::DeclareTargets(it) => aimed(setup, state, it),
        Action::Advance(it) => PRIOR + PRIOR * it.units.len() as u32,
        Action::EstablishRoute(_) | Action::Diplomacy(_) => CITY,
        Action::EndPhase(it) => {
            if it.through.is_none() {
                END
            } else {
                END / 16
            }
        }
    }
}

/// What a bid is worth: most rounds nobody pays much, and nobody stays for the trading session.
fn bid(state: &State, bid: &Bid) -> u32 {
    let gold = u64::from(state.gold(bid.player));
    let weight = match bid.amount {
        0..=2 => PRIOR,
        3 => PRIOR / 2,
        amount if amount * 4 <= gold => PRIOR / 4,
        amount if amount * 2 <= gold => PRIOR / 8,
        _ => 1,
    };
    if bid.skip_trading { weight } else { (weight / PRIOR).max(1) }
}

fn favour(setup: &Setup, state: &State, favour: &UseFavor) -> u32 {
    let own =
        |city: Option<u8>| city.is_some_and(|it| state.city(it).control == Some(favour.player));
    match favour.r#use {
        FavorUse::MakeNeutral => CITY / 4,
        FavorUse::ProtectCity if own(favour.city) => {
            let threatened =
                favour.city.is_some_and(|it| is_threatened(setup, state, favour.player, it));
            if threatened { 4 * PRIOR } else { 1 }
        }
        FavorUse::HoldStack if favour.owner != Some(favour.player) => PRIOR / 8,
        FavorUse::First | FavorUse::BidBonus => PRIOR / 8,
        _ => 1,
    }
}

/// Whether another player's troops stand beside a city.
fn is_threatened(setup: &Setup, state: &State, player: Player, city: u8) -> bool {
    let at = setup.map.site(city).at;
    let hostile =
        |unit: &Unit| unit.owner.is_some_and(|owner| owner != player) && unit.is_military();
    state.units.iter().any(|unit| hostile(unit) && setup.map.adjacent(unit.at, at))
}

/// What a unit is worth to its owner.
fn worth(state: &State, id: u32) -> u32 {
    let worth = |unit: &Unit| match unit.kind {
        Kind::Militia => 2,
        Kind::Governor => 6,
        kind if kind.is_merchant() && unit.origin == 0 => 1,
        kind => kind.cost(),
    };
    state.unit(id).map_or(1, worth)
}

fn mission(state: &State, it: &SpyTarget) -> u32 {
    let roll = state.spying.map_or(0, |spying| spying.roll);
    let mission = Mission::of_throw(it.mission.map_or(u32::from(roll), u32::from));
    match (it.target, mission) {
        (None, _) => 1,
        (Some(_), Mission::Revolt | Mission::Bribery) => 4 * PRIOR,
        (Some(Target::Unit(unit)), _) => {
            let owned = state.unit(unit.unit).is_some_and(|unit| unit.owner.is_some());
            if owned { PRIOR } else { PRIOR / 4 }
        }
        (Some(Target::City(city)), _) => {
            if state.city(city.city).control.is_some() {
                PRIOR
            } else {
                1
            }
        }
        (Some(_), Mission::Thievery) => 2 * PRIOR,
        (Some(_), _) => PRIOR / 2,
    }
}

/// What an order to move is worth: by who goes and where it ends.
fn moved(setup: &Setup, state: &State, it: &Move) -> u32 {
    let Some(to) = it.path.last().and_then(|&hex| setup.map.find(hex)) else { return 1 };
    let units = || it.units.iter().filter_map(|&id| state.unit(id));
    let (city, control) = match setup.map.place(to).city {
        0 => (0, None),
        city => (city, state.city(city).control),
    };
    let neutral = city > 0 && control.is_none();
    let foreign = city > 0 && control != Some(it.player);
    let from = units().next().map_or(to, |unit| unit.at);
    let leaves_neutral = match setup.map.place(from).city {
        0 => false,
        here => state.city(here).control.is_none(),
    };
    let any = |kind: Kind| units().any(|unit| unit.kind == kind);
    let troops = units().filter(|unit| unit.is_military()).count() as u32;
    if troops > 0 {
        let beside = || setup.map.around(to).any(|at| is_foreign(setup, state, it.player, at));
        return match () {
            () if foreign => CITY,
            () if beside() => PRIOR * troops.min(6),
            () => 2,
        };
    }
    match () {
        () if any(Kind::Diplomat) && leaves_neutral => 1,
        () if any(Kind::Diplomat) && neutral => CITY / 2,
        () if any(Kind::Diplomat) => PRIOR / 2,
        () if units().any(|unit| unit.kind.is_merchant() && unit.origin > 0) && neutral => CITY / 2,
        () if any(Kind::Governor) && !foreign && city > 0 => PRIOR / 2,
        () => 1,
    }
}

/// Whether a hex is a city that a player does not control.
fn is_foreign(setup: &Setup, state: &State, player: Player, at: At) -> bool {
    let city = setup.map.place(at).city;
    city > 0 && state.city(city).control != Some(player)
}

/// What an attack is worth: by how many throw on each side.
fn attacked(setup: &Setup, state: &State, it: &Attack) -> u32 {
    let own = it.units.iter().filter_map(|&id| state.unit(id));
    let own = own.filter(|unit| unit.is_military()).count();
    let Some(at) = setup.map.find(it.target) else { return 1 };
    odds(own, others(state, it.player, at))
}

/// How many of others throw in defence of a hex.
fn others(state: &State, player: Player, at: At) -> usize {
    state.units_at(at).filter(|unit| unit.owner != Some(player) && unit.is_military()).count()
}

/// What an attack of so many on so many is worth.
fn odds(own: usize, others: usize) -> u32 {
    match () {
        () if others == 0 => 2 * PRIOR,
        () if 2 * own >= 3 * others => 8 * PRIOR,
        () if own >= others => PRIOR,
        () => 1,
    }
}

/// What targets are worth: dear ones, and those that are hit more easily.
fn aimed(setup: &Setup, state: &State, it: &DeclareTargets) -> u32 {
    let sum = it.targets.iter().filter_map(|&(unit, target)| {
        let (unit, target) = (state.unit(unit)?, state.unit(target)?);
        Some(aim(setup, unit, target))
    });
    1 + sum.sum::<u32>()
}

/// What one target is worth to a unit that throws.
fn aim(setup: &Setup, unit: &Unit, target: &Unit) -> u32 {
    let chance = (3 + i32::from(ch14_battle::modifier(setup, unit, target, false))).max(0) as u32;
    let military = if target.is_military() { 2 } else { 1 };
    chance * military * target.kind.cost()
}

/// What a player has, counted once for many questions.
struct Muster {
    player: Player,
    gold: u32,
    cities: u32,
    kinds: [u32; Kind::ALL.len()],
    /// Land units that can attack.
    troops: u32,
    neutral: bool,
}

impl Muster {
    fn of(_: &Setup, state: &State, player: Player) -> Muster {
        let mut kinds = [0; Kind::ALL.len()];
        for unit in state.units_of(Some(player)) {
            kinds[unit.kind as usize] += 1;
        }
        let troops = [Kind::Musketeers, Kind::Pikemen, Kind::Dragoons, Kind::Lancers, Kind::Cannon];
        let troops = troops.iter().map(|&kind| kinds[kind as usize]).sum();
        let (gold, cities) = (state.gold(player), state.cities_of(player));
        let neutral = state.cities.iter().any(|city| city.control.is_none());
        Muster { player, gold, cities, kinds, troops, neutral }
    }

    fn has(&self, kind: Kind) -> u32 {
        self.kinds[kind as usize]
    }

    /// What a recruit is worth.
    fn recruit(&self, setup: &Setup, state: &State, it: &Recruit) -> u32 {
        let weight = self.kind(it.unit_type, || {
            let at = setup.map.site(it.city).at;
            let own = |unit: &Unit| unit.owner == Some(self.player) && unit.kind == Kind::Governor;
            state.units_at(at).any(own)
        });
        if it.favor { (weight / 4).max(1) } else { weight }
    }

    /// What a unit of a type is worth in a city, governed or not.
    fn kind(&self, kind: Kind, governed: impl Fn() -> bool) -> u32 {
        let weight = match kind {
            Kind::Governor => {
                if governed() {
                    1
                } else {
                    3 * PRIOR
                }
            }
            Kind::Diplomat => match self.has(kind) {
                _ if !self.neutral => 1,
                0 => 8 * PRIOR,
                few if few <= self.cities / 2 => 2 * PRIOR,
                _ => PRIOR / 8,
            },
            Kind::Caravan => {
                if self.has(kind) < self.cities.div_ceil(2) {
                    PRIOR
                } else {
                    1
                }
            }
            Kind::Officer => match self.has(kind) {
                0 if self.troops >= 2 => 6 * PRIOR,
                0 => PRIOR,
                officers if officers * 6 < self.troops => PRIOR,
                _ => 1,
            },
            Kind::Musketeers | Kind::Cannon => PRIOR,
            Kind::Pikemen | Kind::Dragoons => PRIOR / 2,
            Kind::Lancers => PRIOR / 4,
            Kind::Militia | Kind::Galleon | Kind::Frigate | Kind::Caravel => PRIOR / 8,
            Kind::Agent => 1,
        };
        // Who negotiates needs a piece of gold for every attempt.
        let spare = self.gold.saturating_sub(kind.cost());
        if spare >= self.has(Kind::Diplomat) { weight } else { weight.div_ceil(4) }
    }
}

/// A few sensible actions of a range.
pub(super) fn proposals(setup: &Setup, state: &State, range: &Range) -> Vec<Action> {
    match range {
        &Range::Bid { player, most } => {
            let amounts =
                [1, 2, 3, 4, 5, 6, 8, 10, 13, 16, 20].into_iter().filter(|&amount| amount <= most);
            let bid = |amount| Bid { player, amount: u64::from(amount), skip_trading: true };
            amounts.map(|amount| Action::Bid(bid(amount))).collect()
        }
        Range::Disband { player, count, units } => {
            let mut units = units.clone();
            units.sort_by_key(|&id| worth(state, id));
            units.truncate(*count as usize);
            units.sort_unstable();
            vec![Action::Disband(Disband { player: *player, units })]
        }
        Range::DeclareTargets { player, .. } => {
            vec![Action::DeclareTargets(reflex::targets(setup, state, *player))]
        }
        // What is worth a thought is listed.
        _ => Vec::new(),
    }
}
