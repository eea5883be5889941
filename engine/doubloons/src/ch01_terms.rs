//! Chapter 1: general terms: who bars whom, captures, what is checked after every step.

use super::Ctx;
use super::action::Player;
use super::notice::Happening;
use super::rulebook::{Protection, Rule};
use super::setup::Setup;
use super::setup::map::At;
use super::state::State;
use super::tables::Kind;
use umpire_core::rules::Cites;

/// 1.7 Whether a hex is closed to a unit, by what stands there or by the Church.
pub(super) fn is_closed(
    setup: &Setup,
    state: &State,
    player: Player,
    military: bool,
    at: At,
) -> bool {
    is_occupied(setup, state, player, military, at)
        || (military && is_shut_by_church(setup, state, player, at))
}

/// 1.7 A hex is closed to a unit by what stands there: another player's unit that is no leader,
/// and for military units a neutral one that is no leader.
pub(super) fn is_occupied(
    setup: &Setup,
    state: &State,
    player: Player,
    military: bool,
    at: At,
) -> bool {
    let city = setup.map.place(at).city;
    let neutral_city = city > 0 && state.city(city).control.is_none();
    state.units_at(at).any(|unit| {
        if unit.kind.is_leader() {
            return false;
        }
        match unit.owner {
            Some(owner) if owner == player => false,
            Some(_) => military || !neutral_city || !unit.kind.is_merchant(),
            None => military,
        }
    })
}

/// 1.7 With DBD-R23 read as `entry_too`, a protected city is shut to strangers' troops.
fn is_shut_by_church(setup: &Setup, state: &State, player: Player, at: At) -> bool {
    let city = setup.map.place(at).city;
    setup.rulings.protection == Protection::EntryToo
        && city > 0
        && state.in_force(state.city(city).protected_until)
        && state.city(city).control != Some(player)
}

/// 1.8 Leaders, and merchants overtaken without an entry, that share a hex with a player's
/// military units are lost.
pub(super) fn capture_units(ctx: &mut Ctx<'_>, rules: impl Into<Cites<Rule>>) {
    let rules = rules.into();
    let lost = overtaken(ctx.setup(), ctx.state());
    for (unit, unit_type, by) in lost {
        ctx.happen(Happening::UnitCaptured { unit, unit_type, by }.into(), rules);
    }
}

fn overtaken(setup: &Setup, state: &State) -> Vec<(u32, Kind, Player)> {
    let mut holders: Vec<Option<Player>> = vec![None; setup.map.places.len()];
    for unit in state.units.iter().filter(|unit| unit.is_military() && unit.owner.is_some()) {
        holders[usize::from(unit.at)] = unit.owner;
    }
    let mut lost = Vec::new();
    for unit in state.units.iter().filter(|unit| !unit.is_military()) {
        match holders[usize::from(unit.at)] {
            Some(holder) if unit.owner != Some(holder) => lost.push((unit.id, unit.kind, holder)),
            _ => {}
        }
    }
    lost
}

// DBD-1.11 is `sequence::settle`.
