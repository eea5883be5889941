//! DBD-13 Movement: orders by land and sea.
//!
//! Must not know what is fought: DBD-13.16 is `State::is_stowed`, which chapter 14 asks. DBD-13.1
//! (full points) is `Happening::PhaseStarted` in `event/apply.rs`.

pub(super) mod boarding;
mod entry;

pub(super) use entry::{Walker, may_enter};

use super::action::{Move, Player};
use super::ch01_terms::{are_allies, capture_on_entry, is_closed, stopped_by};
use super::ch06_trading::break_treaty;
use super::notice::Happening;
use super::rulebook::{Escort, Fleets, Guns, MilitiaMoves, Officers, Pace, Rule, Sabotage};
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
            let message = format!("{hex} is not a neighbour of {here}");
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
    let on_land = || all().filter(|unit| !unit.kind.is_ship());
    let troops = on_land().filter(|unit| unit.is_military()).count();
    let led = all().any(|unit| unit.kind == Kind::Officer);
    if troops >= least && !led {
        let message = "land military units need an officer on the same way".to_owned();
        let refusal = Refusal::new(Rule::C13_7, "no_officer", message).also(Rule::R48);
        return Err(refusal.at("/units").fact("land military units named", troops));
    }
    let stack = setup.rulings.escort == Escort::EveryStack && on_land().count() > 1;
    if stack && !led {
        let message = "land units that move together need an officer on the same way".to_owned();
        let refusal = Refusal::new(Rule::C13_7, "no_officer", message).also(Rule::R97);
        return Err(refusal.at("/units").fact("land units named", on_land().count()));
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

/// DBD-13.7 Whether an officer who is neither held nor pinned is aboard.
pub(super) fn officer_aboard(state: &State, ship: u32) -> bool {
    state.cargo(ship).any(|unit| unit.kind == Kind::Officer && !state.is_stopped(unit))
}

/// DBD-13.8 Militia never move.
pub(super) fn never_moves(unit: &Unit) -> bool {
    unit.kind == Kind::Militia
}

/// DBD-13.8 Whether a unit can go along a way by itself: militia cannot, and cannon not with DBD-R52 read as `carried_only`.
pub(super) fn can_march(setup: &Setup, unit: &Unit) -> bool {
    let carried = unit.kind == Kind::Cannon && setup.rulings.guns == Guns::CarriedOnly;
    !never_moves(unit) && !carried
}

/// DBD-13.8 Whether a unit can go aboard: militia only with DBD-R55 read as `by_ship`.
pub(super) fn can_board(setup: &Setup, unit: &Unit) -> bool {
    !never_moves(unit) || setup.rulings.militia == MilitiaMoves::ByShip
}

/// DBD-13.8 All of the units can go along a way, or aboard.
fn check_can_go(
    setup: &Setup,
    state: &State,
    units: &[u32],
    can_go: fn(&Setup, &Unit) -> bool,
) -> Checked {
    let all = units.iter().filter_map(|&id| state.unit(id));
    let Some(unit) = all.into_iter().find(|unit| !can_go(setup, unit)) else { return Ok(()) };
    let (code, message, ruling) = match unit.kind {
        Kind::Cannon => {
            ("cannon_is_carried", format!("{} moves only by ship", unit.title()), Rule::R52)
        }
        _ => ("militia_stays", format!("{} never moves", unit.title()), Rule::R55),
    };
    Err(Refusal::new(Rule::C13_8, code, message).also(ruling).at("/units"))
}

/// DBD-13.9 Whether a unit takes no part: it is held or pinned, or carries one that is (unless DBD-R43 is read as `cargo_rides`).
pub(super) fn is_kept<'a>(
    setup: &Setup,
    state: &State,
    unit: &Unit,
    mut cargo: impl Iterator<Item = &'a Unit>,
) -> bool {
    let rides = setup.rulings.sabotage == Sabotage::CargoRides;
    state.is_stopped(unit) || (!rides && cargo.any(|unit| state.is_stopped(unit)))
}

/// DBD-13.9 Held and pinned units take no part, and a ship with one aboard stays.
fn check_not_held(setup: &Setup, state: &State, units: &[u32], with_cargo: bool) -> Checked {
    for unit in units.iter().filter_map(|&id| state.unit(id)) {
        let carries = with_cargo && unit.kind == Kind::Galleon;
        let cargo = || carries.then(|| state.cargo(unit.id)).into_iter().flatten();
        if !is_kept(setup, state, unit, cargo()) {
            continue;
        }
        let stopped = if state.is_stopped(unit) {
            Some(unit)
        } else {
            cargo().find(|it| state.is_stopped(it))
        };
        let Some(stopped) = stopped else { continue };
        let (why, rules) = stopped_by(setup, state, stopped);
        let message = match stopped.id == unit.id {
            true => why,
            false => format!("{} carries a unit that may not move: {why}", unit.title()),
        };
        let refusal = Refusal::new(Rule::C13_9, "held", message).at("/units");
        return Err(rules.iter().copied().fold(refusal, Refusal::also));
    }
    Ok(())
}

/// DBD-13.3 Units that set out on a way, with their points. With DBD-R50 read as `slowest` all have the fewest that any of them has,
/// and none if one of them has moved.
pub(super) fn walkers(setup: &Setup, state: &State, units: &[u32]) -> Vec<Walker> {
    let all = units.iter().filter_map(|&id| state.unit(id));
    let mut walkers: Vec<Walker> = all.map(Walker::new).collect();
    if setup.rulings.pace == Pace::Slowest {
        let marched = units.iter().any(|id| state.marched.contains(id));
        let slowest = walkers.iter().map(|it| it.points).min().filter(|_| !marched);
        walkers.iter_mut().for_each(|it| it.points = slowest.unwrap_or(0));
    }
    walkers
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
    check_can_go(setup, state, &it.units, can_march)?;
    check_not_held(setup, state, &it.units, true)?;
    let mut from = check_order(setup, state, &it.units, &it.path)?;
    check_officer(setup, state, &it.units)?;
    let closed = |military, at| is_closed(setup, state, it.player, military, at);
    let mut walkers = walkers(setup, state, &it.units);
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
            enter_hex(ctx, it.player, &it.units, to, at + 1 < it.path.len());
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

/// DBD-13.10 A military unit has entered, on its way or for good: capture (DBD-1.8), then occupation (DBD-17.2); a
/// treaty with the former prince breaks (DBD-6.9).
pub(super) fn enter_hex(ctx: &mut Ctx<'_>, player: Player, units: &[u32], at: At, passes: bool) {
    capture_on_entry(ctx, at, passes, [Rule::C1_8, Rule::C13_10]);
    let (setup, state) = (ctx.setup(), ctx.state());
    let city = setup.map.place(at).city;
    if city == 0 || state.city(city).control == Some(player) {
        return;
    }
    let victim = state.city(city).control;
    let ally = victim.is_some_and(|it| are_allies(setup, state, player, it));
    let mut entering = units.iter().filter_map(|&id| state.unit(id));
    if ally || !entering.any(|unit| ch17_control::occupies(setup, unit)) {
        return;
    }
    ch17_control::occupy_city(ctx, player, city);
    if let Some(victim) = victim {
        break_treaty(ctx, player, victim);
    }
}
