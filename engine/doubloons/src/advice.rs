//! What a program that plays should know: which actions are worth a look, what is done without much thought,
//! and who stands better.
//!
//! Nothing here makes an action legal or illegal. Only sealed bids are secret in this game, and nothing here
//! looks at one.

mod estimate;
pub(super) mod reflex;
mod worth;

use super::Doubloons;
use super::action::{
    Action, Bid, DeclareTargets, Disband, Move, Player, SpyTarget, Target, UseFavor,
};
use super::ch18_ends;
use super::menu::Range;
use super::position;
use super::setup::Setup;
use super::setup::map::At;
use super::state::{State, Unit};
use super::tables::{FavorUse, Kind, Mission};
use super::view::View;
use umpire_core::chance::{Chance, Halt};
use umpire_core::game::{Advice, Horizon, Observer, PRIOR, Seat};
use worth::{Muster, aim, attacked};

impl Advice for Doubloons {
    // Whether a city is won is seen in the next turn at the latest; what falls after it drowns what an action was worth.
    const HORIZON: Horizon = Horizon::Turns { after: 1, most: 80 };
    // Dice fall while no sealed bid lies there.
    const FALLS_ARE_OPEN: bool = true;

    type Memory = ();

    /// How readily a sensible player takes a legal action.
    fn prior(setup: &Setup, state: &State, action: &Action) -> u32 {
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
            Action::PayUpkeep(it) => 1 + PRIOR * it.amount.min(64) as u32,
            Action::FavorFirst(it) => {
                if it.r#use {
                    PRIOR
                } else {
                    PRIOR / 2
                }
            }
            Action::EndRoute(_) => 1,
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

    fn reflex(setup: &Setup, state: &State, seat: Seat, chance: &mut dyn Chance) -> Option<Action> {
        reflex::reflex(setup, state, seat, chance)
    }

    fn propose(setup: &Setup, state: &State, range: &Range, _: &mut dyn Chance) -> Vec<Action> {
        proposals(setup, state, range)
    }

    fn turn(_: &Setup, state: &State) -> u32 {
        state.turn()
    }

    fn features(setup: &Setup, state: &State, seat: Seat, features: &mut Vec<i32>) {
        estimate::features(setup, state, seat, features);
    }

    fn weights(seat: Seat) -> &'static [i32] {
        estimate::weights(seat)
    }

    fn determinize(setup: &Setup, view: &View, chance: &mut dyn Chance) -> Result<State, Halt> {
        position::determinize(setup, view, chance)
    }

    fn redeal(
        _: &Setup,
        view: &View,
        (): &(),
        dealt: &State,
        chance: &mut dyn Chance,
    ) -> Result<State, Halt> {
        position::redeal(view, dealt, chance)
    }

    fn reopen(_: &Setup, state: &State, observer: Observer) -> Option<State> {
        position::reopened(state, observer)
    }
}

/// Ending a phase.
const END: u32 = PRIOR;
/// What wins a city.
const CITY: u32 = 16 * PRIOR;

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

/// What targets are worth: dear ones, and those that are hit more easily.
fn aimed(setup: &Setup, state: &State, it: &DeclareTargets) -> u32 {
    let named = state.fight.as_deref().map_or(&[][..], |fight| &fight.units);
    let sum = it.targets.iter().filter_map(|&(unit, target)| {
        let (unit, target) = (state.unit(unit)?, state.unit(target)?);
        Some(aim(setup, named, unit, target))
    });
    1 + sum.sum::<u32>()
}

/// A few sensible actions of a range.
fn proposals(setup: &Setup, state: &State, range: &Range) -> Vec<Action> {
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
