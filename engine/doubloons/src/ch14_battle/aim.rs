//! DBD-14.7 to DBD-14.10, DBD-14.13 What a unit counts as, whom it may aim at, who throws in a
//! step, and what is added to a die.
//!
//! Must not throw a die.

use crate::Refusal;
use crate::rulebook::{CoastFire, Cover, PortShips, Rule, Rulings, Stacks};
use crate::setup::Setup;
use crate::state::{Fight, State, Unit};
use crate::tables::{Arm, Kind, Terrain};
use umpire_core::rules::{Rule as _, RulingSet as _};

/// DBD-14.7 The effective type: in a city everything but cannon is a garrison.
pub(super) fn arm_of(setup: &Setup, unit: &Unit) -> Arm {
    arm_under(&setup.rulings, setup, unit)
}

/// DBD-14.7 The effective type under given readings.
fn arm_under(rulings: &Rulings, setup: &Setup, unit: &Unit) -> Arm {
    let stays = unit.kind.is_ship() && rulings.port_ships == PortShips::StayShips;
    if State::ground(setup, unit) == Terrain::City && unit.kind != Kind::Cannon && !stays {
        return Arm::Garrison;
    }
    unit.kind.field_arm()
}

/// DBD-14.8 Those who may be aimed at in the attacked hex: not the attacker's, no cargo at sea.
pub(crate) fn defenders<'a>(
    setup: &'a Setup,
    state: &'a State,
    fight: &Fight,
) -> impl Iterator<Item = &'a Unit> {
    let attacker = state.active;
    let there = state.units_at(fight.target).filter(move |unit| unit.owner != attacker);
    there.filter(|unit| !State::is_stowed(setup, unit))
}

/// DBD-14.8 Those of the attacker who may be aimed at: the named units alone.
pub(super) fn attackers<'a>(state: &'a State, fight: &'a Fight) -> impl Iterator<Item = &'a Unit> {
    let named = fight.units.iter().chain(&fight.bystanders);
    named.filter_map(|&id| state.unit(id))
}

/// DBD-14.8 Whether a unit stands with named ones and takes no part, and DBD-R60 alone says so.
fn is_left_out(setup: &Setup, state: &State, fight: &Fight, unit: &Unit) -> bool {
    setup.rulings.stacks == Stacks::Chosen
        && unit.owner == state.active
        && !State::is_stowed(setup, unit)
        && !fight.units.contains(&unit.id)
        && fight.units.iter().filter_map(|&id| state.unit(id)).any(|named| named.at == unit.at)
}

/// DBD-14.9 Whether a unit is a ship that counts as at sea.
fn is_afloat(rulings: &Rulings, setup: &Setup, unit: &Unit) -> bool {
    unit.kind.is_ship()
        && (State::ground(setup, unit).is_sea() || rulings.port_ships == PortShips::StayShips)
}

/// DBD-14.9 Anybody may be aimed at, but ships at sea only by cannon, missiles and warships.
pub(super) fn may_aim(setup: &Setup, unit: &Unit, target: &Unit) -> bool {
    may_aim_under(&setup.rulings, setup, unit, target)
}

/// DBD-14.9 Whether a unit may aim at another under given readings.
fn may_aim_under(rulings: &Rulings, setup: &Setup, unit: &Unit, target: &Unit) -> bool {
    if !is_afloat(rulings, setup, target) {
        return true;
    }
    match arm_under(rulings, setup, unit) {
        Arm::Cannon | Arm::Musketeers | Arm::Dragoons | Arm::Galleon | Arm::Frigate => true,
        Arm::Garrison => rulings.coast_fire == CoastFire::MissileInside && has_missiles(unit),
        _ => false,
    }
}

/// DBD-14.9 The rulings by another reading of which a unit could aim at another.
pub(super) fn shaping_rulings(
    setup: &Setup,
    unit: &Unit,
    target: &Unit,
) -> impl Iterator<Item = Rule> {
    let now = setup.rulings;
    let could = move |other: Rulings| may_aim_under(&other, setup, unit, target);
    [Rule::R58, Rule::R59].into_iter().filter(move |rule| now.others(rule.id()).any(could))
}

/// DBD-14.9 None of these units may aim at that one.
pub(super) fn illegal_target(setup: &Setup, state: &State, units: &[u32], target: u32) -> Refusal {
    let title = |id: u32| state.unit_title(id);
    let message = match units {
        [unit] => format!("{} may not aim at {}", title(*unit), title(target)),
        _ => format!("nobody may aim at {}", title(target)),
    };
    let refusal = Refusal::new(Rule::C14_9, "illegal_target", message).at("/targets");
    let (Some(fight), Some(target)) = (state.fight.as_deref(), state.unit(target)) else {
        return refusal;
    };
    let mut units = units.iter().filter_map(|&id| state.unit(id));
    let defends = fight.declared.is_some();
    if defends && is_left_out(setup, state, fight, target) {
        // Under the other reading of DBD-R60 all of that stack are targets.
        let refusal = refusal.also(Rule::C14_8);
        let aims = units.any(|unit| may_aim(setup, unit, target));
        return if aims { refusal.also(Rule::R60) } else { refusal };
    }
    let side: Vec<u32> = if defends {
        attackers(state, fight).map(|unit| unit.id).collect()
    } else {
        defenders(setup, state, fight).map(|unit| unit.id).collect()
    };
    if !side.contains(&target.id) {
        return refusal.also(Rule::C14_8);
    }
    units.flat_map(|unit| shaping_rulings(setup, unit, target)).fold(refusal, Refusal::also)
}

/// DBD-14.10 One side of a step: its throwing units, by rising id, each with its legal targets.
pub(crate) type Throws = Vec<(u32, Vec<u32>)>;

/// DBD-14.10 The attacker's units that throw in a step.
pub(crate) fn attacking(setup: &Setup, state: &State, fight: &Fight, step: u8) -> Throws {
    let side = fight.units.iter().filter_map(|&id| state.unit(id));
    let targets: Vec<&Unit> = defenders(setup, state, fight).collect();
    list_throws(setup, side, &targets, step)
}

/// DBD-14.10 The defender's units that throw in a step.
pub(crate) fn defending(setup: &Setup, state: &State, fight: &Fight, step: u8) -> Throws {
    let mut targets: Vec<&Unit> = attackers(state, fight).collect();
    targets.sort_unstable_by_key(|unit| unit.id);
    list_throws(setup, defenders(setup, state, fight), &targets, step)
}

/// DBD-14.10 Those of a side that throw in a step, with their legal targets.
fn list_throws<'a>(
    setup: &Setup,
    side: impl Iterator<Item = &'a Unit>,
    targets: &[&Unit],
    step: u8,
) -> Throws {
    let in_step = side.filter(|unit| unit.is_military() && arm_of(setup, unit).step() == step);
    let aims = in_step.map(|unit| {
        let legal = targets.iter().filter(|target| may_aim(setup, unit, target));
        (unit.id, legal.map(|target| target.id).collect::<Vec<_>>())
    });
    aims.filter(|(_, legal)| !legal.is_empty()).collect()
}

/// DBD-14.13 The types that fire at ships from afar.
fn has_missiles(unit: &Unit) -> bool {
    matches!(unit.kind, Kind::Musketeers | Kind::Dragoons)
}

/// DBD-14.13 What is added to the die.
pub(crate) fn modifier(setup: &Setup, unit: &Unit, target: &Unit, at_attacker: bool) -> i8 {
    let bonus = i8::from(arm_of(setup, unit).beats(arm_of(setup, target)));
    let covered = !(at_attacker && setup.rulings.cover == Cover::DefenderOnly);
    let cover = if covered { State::ground(setup, target).defence() } else { 0 };
    let afloat = is_afloat(&setup.rulings, setup, target);
    let range = if has_missiles(unit) && afloat { 2 } else { 0 };
    bonus - cover - range
}

/// A unit and its target.
pub(super) type Pair = (u32, u32);
