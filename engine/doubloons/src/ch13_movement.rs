//! DBD-13 Movement: orders by land and sea.
//!
//! Must not know what is fought: DBD-13.16 is `State::is_stowed`, which chapter 14 asks. DBD-13.1
//! (full points) is `Happening::PhaseStarted` in `event/apply.rs`.

pub(super) mod boarding;
mod entry;

pub(super) use entry::{Walker, may_enter};

use super::action::{Move, Player};
use super::ch01_terms::{capture_units, is_closed};
use super::ch06_trading::end_treaty;
use super::notice::Happening;
use super::rulebook::{Fleets, Officers, Rule};
use super::setup::Setup;
use super::setup::map::At;
use super::state::{Stage, State, Unit};
use super::tables::Kind;
use super::{Checked, Ctx, Refusal, Verdict, ch11_production, ch17_control, ch19_validity};
use entry::check_hex;
use umpire_core::board::hex::Hex;

/// DBD-13.2 Units of one hex, all ships or all land units not aboard, along neighbouring hexes.
fn check_order(setup: &Setup, state: &State, units: &[u32], path: &[Hex]) -> Checked<At> {
    let mut all = units.iter().filter_map(|&id| state.unit(id));
    let Some(first) = all.next() else {
        return Err(Refusal::new(Rule::C13_2, "nobody_moves", "no unit is named").at("/units"));
    };
    for unit in all {
        if unit.at != first.at {
            let message =
                format!("{} and {} stand in different hexes", first.title(), unit.title());
            return Err(Refusal::new(Rule::C13_2, "units_apart", message).at("/units"));
        }
        if unit.kind.is_ship() != first.kind.is_ship() {
            let message =
                format!("{} and {}: ships and land units apart", first.title(), unit.title());
            return Err(Refusal::new(Rule::C13_2, "ships_and_land_units", message).at("/units"));
        }
    }
    if let Some(unit) = units.iter().filter_map(|&id| state.unit(id)).find(|it| it.aboard != 0) {
        let message = format!("{} is aboard {}", unit.title(), state.unit_title(unit.aboard));
        return Err(Refusal::new(Rule::C13_2, "unit_aboard", message).at("/units"));
    }
    if path.is_empty() {
        return Err(
            Refusal::new(Rule::C13_2, "empty_path", "a way has at least one hex").at("/path")
        );
    }
    let mut here = setup.map.place(first.at).hex;
    for (at, &hex) in path.iter().enumerate() {
        if here.distance(hex) != 1 {
            let message = format!("{hex} is no neighbour of {here}");
            return Err(Refusal::new(Rule::C13_2, "path_broken", message).at(format!("/path/{at}")));
        }
        here = hex;
    }
    Ok(first.at)
}

/// DBD-13.7 Land military units go with an officer; with DBD-R49 read as `required`, fleets too.
fn check_officer(setup: &Setup, state: &State, units: &[u32]) -> Checked {
    let all = || units.iter().filter_map(|&id| state.unit(id));
    let least = smallest_group(setup);
    let troops = all().filter(|unit| unit.is_military() && !unit.kind.is_ship()).count();
    let led = all().any(|unit| unit.kind == Kind::Officer);
    if troops >= least && !led {
        let message = "land military units need an officer on the same way".to_owned();
        let refusal = Refusal::new(Rule::C13_7, "no_officer", message).also(Rule::R48);
        return Err(refusal.at("/units").fact("land military units named", troops));
    }
    let fleet =
        || all().filter(|unit| unit.kind.is_warship() && State::ground(setup, unit).is_sea());
    if setup.rulings.fleets == Fleets::Required && fleet().count() >= least {
        let led = fleet().any(|ship| officer_aboard(state, ship.id));
        if !led {
            let message = "warships at sea need an officer aboard a galleon of theirs".to_owned();
            let refusal = Refusal::new(Rule::C13_7, "no_officer_aboard", message).also(Rule::R49);
            return Err(refusal.at("/units"));
        }
    }
    Ok(())
}

/// DBD-13.7 How many units need an officer: one, or with DBD-R48 read as `groups_only` two.
pub(super) fn smallest_group(setup: &Setup) -> usize {
    match setup.rulings.officers {
        Officers::EveryUnit => 1,
        Officers::GroupsOnly => 2,
    }
}

/// DBD-13.7 Whether an officer who is not held is aboard.
pub(super) fn officer_aboard(state: &State, ship: u32) -> bool {
    state.cargo(ship).any(|unit| unit.kind == Kind::Officer && !state.is_held(unit))
}

/// DBD-13.8 Militia never move.
pub(super) fn never_moves(unit: &Unit) -> bool {
    unit.kind == Kind::Militia
}

/// DBD-13.8 None of the units is militia.
fn check_no_militia(state: &State, units: &[u32]) -> Checked {
    for &id in units {
        if state.unit(id).is_some_and(never_moves) {
            let message = format!("{} never moves", state.unit_title(id));
            return Err(Refusal::new(Rule::C13_8, "militia_stays", message).at("/units"));
        }
    }
    Ok(())
}

/// DBD-13.9 Whether a unit takes no part, being held or with a held unit aboard.
pub(super) fn is_kept<'a>(
    state: &State,
    unit: &Unit,
    mut cargo: impl Iterator<Item = &'a Unit>,
) -> bool {
    state.is_held(unit) || cargo.any(|unit| state.is_held(unit))
}

/// DBD-13.9 Held units take no part, and a ship with a held unit aboard stays.
fn check_not_held(state: &State, units: &[u32], with_cargo: bool) -> Checked {
    for unit in units.iter().filter_map(|&id| state.unit(id)) {
        let carries = with_cargo && unit.kind == Kind::Galleon;
        let cargo = carries.then(|| state.cargo(unit.id)).into_iter().flatten();
        if is_kept(state, unit, cargo) {
            let message = if state.is_held(unit) {
                format!("{} is held", unit.title())
            } else {
                format!("{} carries a unit that is held", unit.title())
            };
            let refusal = Refusal::new(Rule::C13_9, "held", message).also(Rule::C1_9);
            return Err(refusal.at("/units"));
        }
    }
    Ok(())
}

/// DBD-13.2 to DBD-13.9 Whether units may move so.
pub(super) fn check_move(setup: &Setup, state: &State, it: &Move) -> Checked {
    ch19_validity::check_units_exist(state, &it.units)?;
    for (at, &hex) in it.path.iter().enumerate() {
        if setup.map.find(hex).is_none() {
            ch19_validity::check_hex_exists(setup, hex, &format!("/path/{at}"))?;
        }
    }
    ch19_validity::check_is_asked(state, it.player, Stage::Movement)?;
    ch19_validity::check_own_units(state, it.player, &it.units)?;
    ch11_production::check_not_fresh(setup, state, it.units.iter().copied())?;
    check_no_militia(state, &it.units)?;
    check_not_held(state, &it.units, true)?;
    let mut from = check_order(setup, state, &it.units, &it.path)?;
    check_officer(setup, state, &it.units)?;
    let closed = |military, at| is_closed(setup, state, it.player, military, at);
    let mut walkers: Vec<Walker> =
        it.units.iter().filter_map(|&id| state.unit(id)).map(Walker::new).collect();
    for (at, &hex) in it.path.iter().enumerate() {
        let Some(to) = setup.map.find(hex) else { continue };
        if !may_enter(setup, &walkers, from, to, closed) {
            check_hex(setup, state, it.player, &walkers, from, to, &closed)
                .map_err(|refusal| refusal.at(format!("/path/{at}")))?;
        }
        walkers.iter_mut().for_each(|walker| walker.pay(setup, to));
        from = to;
    }
    Ok(())
}

/// DBD-13.10 Entering takes effect hex by hex: capture, then occupation; the units may go on.
pub(super) fn move_units(ctx: &mut Ctx<'_>, it: &Move) -> Verdict {
    check_move(ctx.setup(), ctx.state(), it)?;
    let warlike = it.units.iter().any(|&id| ctx.state().unit(id).is_some_and(Unit::is_military));
    let mut begun = 0;
    for (at, &hex) in it.path.iter().enumerate() {
        let Some(to) = ctx.setup().map.find(hex) else { continue };
        let effect = warlike && is_taken(ctx.setup(), ctx.state(), it.player, to);
        if effect || at + 1 == it.path.len() {
            let path = it.path[begun..=at].to_vec();
            let event = Happening::Moved { player: it.player, units: it.units.clone(), path };
            ctx.happen(event.into(), [Rule::C13_2, Rule::C13_3, Rule::C13_7]);
            begun = at + 1;
        }
        if effect {
            enter_hex(ctx, it.player, to);
        }
    }
    Ok(())
}

/// DBD-13.10 Whether anything happens when a military unit enters a hex.
fn is_taken(setup: &Setup, state: &State, player: Player, at: At) -> bool {
    let city = setup.map.place(at).city;
    let occupies = city > 0 && state.city(city).control != Some(player);
    occupies || state.units_at(at).any(|unit| unit.owner != Some(player))
}

/// DBD-13.10 A military unit has entered: capture (DBD-1.8), then occupation (DBD-17.2); a
/// treaty with the former prince breaks (DBD-6.9).
pub(super) fn enter_hex(ctx: &mut Ctx<'_>, player: Player, at: At) {
    capture_units(ctx, [Rule::C1_8, Rule::C13_10]);
    let city = ctx.setup().map.place(at).city;
    if city == 0 || ctx.state().city(city).control == Some(player) {
        return;
    }
    let victim = ctx.state().city(city).control;
    ch17_control::occupy_city(ctx, player, city);
    if let Some(victim) = victim {
        end_treaty(ctx, player, victim);
    }
}
