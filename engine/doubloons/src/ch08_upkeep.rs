//! DBD-8 Main turn: its phases, upkeep, and units that go because it is not paid.
//!
//! Must not begin a phase: `sequence.rs` does.

use super::action::{Disband, EndPhase, Player};
use super::notice::{Cause, Happening};
use super::rulebook::{Rule, Rulings, Unpaid, UpkeepRounding};
use super::setup::Setup;
use super::state::{Stage, State};
use super::tables::{Kind, UPKEEP_UNITS};
use super::{Checked, Ctx, Refusal, Verdict, ch06_trading, ch19_validity};
use umpire_core::rules::Cites;
use umpire_core::rules::{Rule as _, RulingSet as _};

/// DBD-8.1 Whether a player may end the phase.
pub(super) fn check_end_phase(state: &State, it: &EndPhase) -> Checked {
    if state.stage == Stage::Trading {
        ch19_validity::check_is_asked(state, it.player, Stage::Trading)?;
        if it.through.is_some() {
            let message = "through does not fit the trading session".to_owned();
            return Err(ch19_validity::misplaced(state, message).at("/through"));
        }
        return Ok(());
    }
    let here = Stage::OWN_PHASES.iter().position(|&stage| stage == state.stage);
    let (Some(here), true) = (here, state.active == Some(it.player)) else {
        let message = format!("{} has no phase to end", it.player);
        return Err(ch19_validity::misplaced(state, message));
    };
    if let Some(through) = it.through
        && (through as usize) < here
    {
        let message = format!("{through} lies before {}", state.stage);
        return Err(ch19_validity::misplaced(state, message).also(Rule::C8_1).at("/through"));
    }
    Ok(())
}

/// DBD-8.1 The phase ends, or all up to the one that is named: `sequence.rs` leads on. DBD-6.1 A
/// player leaves the trading session.
pub(super) fn end_phase(ctx: &mut Ctx<'_>, it: &EndPhase) -> Verdict {
    check_end_phase(ctx.state(), it)?;
    if ctx.state().stage == Stage::Trading {
        ch06_trading::leave_session(ctx, it.player);
    }
    Ok(())
}

/// DBD-8.2 One gold for every five units, of every kind and place.
fn upkeep_due(rulings: &Rulings, units: u32) -> u32 {
    match rulings.upkeep {
        UpkeepRounding::Down => units / UPKEEP_UNITS,
        UpkeepRounding::Up => units.div_ceil(UPKEEP_UNITS),
    }
}

/// DBD-8.3 He pays as much as his gold allows.
pub(super) fn pay_upkeep(ctx: &mut Ctx<'_>) {
    let Some(player) = ctx.state().active else { return };
    let units = ctx.state().units_of(Some(player)).count() as u32;
    let rulings = &ctx.setup().rulings;
    let due = upkeep_due(rulings, units);
    let paid = due.min(ctx.state().gold(player));
    let owed = units_owed(rulings, units, paid);
    let event = Happening::UpkeepPaid { player, due, paid, owed };
    ctx.happen(event.into(), [Rule::C8_2, Rule::C8_3]);
}

/// DBD-8.4 Five units for each gold left unpaid, or all there are.
fn units_owed(rulings: &Rulings, units: u32, paid: u32) -> u32 {
    let owed = match rulings.unpaid {
        Unpaid::FivePerGold => {
            upkeep_due(rulings, units).saturating_sub(paid).saturating_mul(UPKEEP_UNITS)
        }
        Unpaid::Minimum => {
            (0..=units).find(|&gone| upkeep_due(rulings, units - gone) <= paid).unwrap_or(units)
        }
    };
    owed.min(units)
}

/// DBD-8.4 The rulings by another reading of which another number of units had to go. In a position whose
/// number no upkeep comes to, none.
fn shaping_rulings(setup: &Setup, state: &State) -> impl Iterator<Item = Rule> {
    let now = setup.rulings;
    let units = state.units_of(state.active).count() as u32;
    let owed = state.owed;
    let paid =
        (0..upkeep_due(&now, units)).find(move |&paid| units_owed(&now, units, paid) == owed);
    let differs =
        move |other: Rulings| paid.is_some_and(|paid| units_owed(&other, units, paid) != owed);
    [Rule::R32, Rule::R34].into_iter().filter(move |rule| now.others(rule.id()).any(differs))
}

/// DBD-8.4 Whether the units to go are all the player has.
pub(super) fn takes_all(state: &State) -> bool {
    state.units_of(state.active).count() as u32 <= state.owed
}

/// DBD-19.6 All his units go, without a question.
pub(super) fn disband_all(ctx: &mut Ctx<'_>) {
    let Some(player) = ctx.state().active else { return };
    let units = ctx.state().units_of(Some(player)).map(|unit| unit.id).collect();
    remove_units(ctx, player, units, [Rule::C19_6, Rule::C8_4]);
}

/// DBD-8.4 Exactly as many units as are owed.
pub(super) fn check_disband(setup: &Setup, state: &State, it: &Disband) -> Checked {
    ch19_validity::check_units_exist(state, &it.units)?;
    ch19_validity::check_is_asked(state, it.player, Stage::Disband)?;
    ch19_validity::check_own_units(state, it.player, &it.units)?;
    if it.units.len() as u64 == u64::from(state.owed) {
        return Ok(());
    }
    let message = format!("{} units are named, {} must go", it.units.len(), state.owed);
    let refusal = Refusal::new(Rule::C8_4, "wrong_number_disbanded", message).at("/units");
    let refusal = shaping_rulings(setup, state).fold(refusal, Refusal::also);
    Err(refusal.fact("units that must go", state.owed))
}

/// DBD-8.4 The chosen units go.
pub(super) fn disband_chosen(ctx: &mut Ctx<'_>, it: &Disband) -> Verdict {
    check_disband(ctx.setup(), ctx.state(), it)?;
    remove_units(ctx, it.player, it.units.clone(), Rule::C8_4);
    Ok(())
}

/// DBD-8.5 Cargo of a ship disbanded at sea is lost as well.
fn remove_units(ctx: &mut Ctx<'_>, player: Player, units: Vec<u32>, rules: impl Into<Cites<Rule>>) {
    let state = ctx.state();
    let ships = units.iter().filter_map(|&id| state.unit(id));
    let sunk = ships
        .filter(|ship| ship.kind == Kind::Galleon && State::ground(ctx.setup(), ship).is_sea());
    let cargo = sunk.flat_map(|ship| state.cargo(ship.id));
    let drowned: Vec<(u32, Kind)> =
        cargo.filter(|it| !units.contains(&it.id)).map(|it| (it.id, it.kind)).collect();
    ctx.happen(Happening::UnitsDisbanded { player, units }.into(), rules);
    for (unit, unit_type) in drowned {
        let event = Happening::UnitDestroyed { unit, unit_type, cause: Cause::Drowned, die: None };
        ctx.happen(event.into(), [Rule::C8_5, Rule::C13_17]);
    }
}
