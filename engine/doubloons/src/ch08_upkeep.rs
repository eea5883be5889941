//! DBD-8 Main turn: its phases, upkeep, and units that go because it is not paid.
//!
//! Must not begin a phase: `sequence.rs` does.

use super::action::{Disband, EndPhase, PayUpkeep, Player, prince};
use super::notice::{Cause, Happening};
use super::rulebook::{KeptUnits, Paying, Rule, Rulings, Unpaid, UpkeepRounding};
use super::setup::Setup;
use super::state::{Stage, State, Unit};
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
        let now = match state.active.filter(|&active| active != it.player) {
            Some(active) => format!(": it is the main turn of {}", prince(active)),
            None => String::new(),
        };
        let message = format!("{} has no phase to end{now}", prince(it.player));
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

/// DBD-8.2 The units of a player that cost upkeep and can be disbanded: all, with DBD-R33 read as `troops` military ones alone.
pub(super) fn kept_units<'a>(
    setup: &Setup,
    state: &'a State,
    player: Option<Player>,
) -> impl Iterator<Item = &'a Unit> {
    let all = setup.rulings.kept_units == KeptUnits::All;
    state.units_of(player).filter(move |unit| all || unit.is_military())
}

/// DBD-8.2 How many units of the active player cost upkeep.
fn count_kept(setup: &Setup, state: &State) -> u32 {
    kept_units(setup, state, state.active).count() as u32
}

/// DBD-8.3 The most that the active player can pay of what is due.
pub(super) fn most_upkeep(setup: &Setup, state: &State) -> u32 {
    let due = upkeep_due(&setup.rulings, count_kept(setup, state));
    state.active.map_or(0, |player| due.min(state.gold(player)))
}

/// DBD-8.3 He pays as much as his gold allows.
pub(super) fn pay_all_upkeep(ctx: &mut Ctx<'_>) {
    let most = most_upkeep(ctx.setup(), ctx.state());
    pay_upkeep(ctx, most);
}

/// DBD-8.3 With DBD-R90 read as `may_decline`, whether the player is asked how much he pays.
pub(super) fn may_decline(setup: &Setup, state: &State) -> bool {
    setup.rulings.paying == Paying::MayDecline && most_upkeep(setup, state) > 0
}

/// DBD-8.3 So much is paid of what is due.
fn pay_upkeep(ctx: &mut Ctx<'_>, paid: u32) {
    let Some(player) = ctx.state().active else { return };
    let units = count_kept(ctx.setup(), ctx.state());
    let rulings = &ctx.setup().rulings;
    let due = upkeep_due(rulings, units);
    let owed = units_owed(rulings, units, paid);
    let event = Happening::UpkeepPaid { player, due, paid, owed };
    let rules = Cites::from([Rule::C8_2, Rule::C8_3]);
    // Another reading would let him pay less.
    let rules = if paid > 0 { rules.and(Rule::R90) } else { rules };
    ctx.happen(event.into(), rules);
}

/// DBD-8.3 Nothing up to what his gold allows of what is due.
pub(super) fn check_payment(setup: &Setup, state: &State, it: &PayUpkeep) -> Checked {
    ch19_validity::check_is_asked(state, it.player, Stage::PayUpkeep)?;
    let most = most_upkeep(setup, state);
    if it.amount <= u64::from(most) {
        return Ok(());
    }
    let message = format!("{} pays {} of upkeep and can pay {most}", prince(it.player), it.amount);
    let refusal = Refusal::new(Rule::C8_3, "too_much_upkeep", message).at("/amount");
    Err(refusal.fact(format!("gold of {}", prince(it.player)), state.gold(it.player)))
}

/// DBD-8.3 The player chooses what he pays.
pub(super) fn pay_chosen(ctx: &mut Ctx<'_>, it: &PayUpkeep) -> Verdict {
    check_payment(ctx.setup(), ctx.state(), it)?;
    pay_upkeep(ctx, it.amount as u32);
    Ok(())
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
    let units = count_kept(setup, state);
    let owed = state.owed;
    let paid =
        (0..upkeep_due(&now, units)).find(move |&paid| units_owed(&now, units, paid) == owed);
    let differs =
        move |other: Rulings| paid.is_some_and(|paid| units_owed(&other, units, paid) != owed);
    [Rule::R32, Rule::R34].into_iter().filter(move |rule| now.others(rule.id()).any(differs))
}

/// DBD-8.4 Whether the units to go are all that can go.
pub(super) fn takes_all(setup: &Setup, state: &State) -> bool {
    count_kept(setup, state) <= state.owed
}

/// DBD-19.6 All his units go, without a question.
pub(super) fn disband_all(ctx: &mut Ctx<'_>) {
    let Some(player) = ctx.state().active else { return };
    let units = kept_units(ctx.setup(), ctx.state(), Some(player)).map(|unit| unit.id).collect();
    remove_units(ctx, player, units, [Rule::C19_6, Rule::C8_4]);
}

/// DBD-8.4 Exactly as many units as are owed.
pub(super) fn check_disband(setup: &Setup, state: &State, it: &Disband) -> Checked {
    ch19_validity::check_units_exist(state, &it.units)?;
    // DBD-19.9 Nobody dismisses units that are paid for.
    ch19_validity::check_is_asked(state, it.player, Stage::Disband)
        .map_err(|refusal| ch19_validity::decided_by(refusal, &[Rule::C8_3, Rule::R90]))?;
    ch19_validity::check_own_units(state, it.player, &it.units)?;
    let kept = |id: u32| kept_units(setup, state, Some(it.player)).any(|unit| unit.id == id);
    if let Some(&free) = it.units.iter().find(|&&id| !kept(id)) {
        let message = format!("{} costs no upkeep and is not disbanded", state.unit_title(free));
        let refusal = Refusal::new(Rule::C8_4, "costs_no_upkeep", message).also(Rule::R33);
        return Err(refusal.at("/units"));
    }
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
