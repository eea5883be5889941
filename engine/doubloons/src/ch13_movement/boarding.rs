//! DBD-13.12 to DBD-13.17 Embarking, landing, and what becomes of cargo.
//!
//! Must not know how a ship is lost.

use super::entry::{Walker, check_hex};
use super::{can_board, check_can_go, check_not_held, check_officer, enter_hex, never_moves};
use crate::action::{Disembark, Embark};
use crate::ch01_terms::is_closed;
use crate::notice::Happening;
use crate::rulebook::{Landing, Places, Rule};
use crate::setup::Setup;
use crate::setup::map::At;
use crate::state::{Stage, State, Unit};
use crate::tables::{CARGO, Kind};
use crate::{Checked, Ctx, Refusal, Verdict, ch11_production, ch19_validity};

/// DBD-13.12, DBD-13.13 Whether units embark from a hex on a ship, or land there: at sea next to the
/// ship, in port where it lies.
pub(crate) fn is_in_reach(setup: &Setup, ship: &Unit, at: At) -> bool {
    match setup.map.place(ship.at).terrain.is_sea() {
        true => setup.rulings.landing != Landing::PortsOnly && setup.map.adjacent(at, ship.at),
        false => at == ship.at,
    }
}

/// DBD-13.12, DBD-13.13 A hex is out of reach of a ship; with DBD-R56 read as `ports_only` it may lie beside it.
fn out_of_reach(setup: &Setup, ship: &Unit, at: At, refusal: Refusal) -> Refusal {
    match setup.map.adjacent(at, ship.at) {
        true => refusal.also(Rule::R56),
        false => refusal,
    }
}

/// DBD-13.12 Land units of one hex, not aboard, and an own galleon at sea beside it or in port
/// there.
fn check_boarding(setup: &Setup, state: &State, ship: u32, units: &[u32]) -> Checked {
    let Some(ship) = state.unit(ship) else { return Ok(()) };
    if ship.kind != Kind::Galleon {
        let message = format!("{} is not a galleon", ship.title());
        let refusal = Refusal::new(Rule::C13_12, "no_galleon", message);
        return Err(refusal.also(Rule::C13_14).at("/ship"));
    }
    let mut from = None;
    for unit in units.iter().filter_map(|&id| state.unit(id)) {
        if unit.kind.is_ship() {
            let message = format!("{} is a ship", unit.title());
            return Err(Refusal::new(Rule::C13_12, "ship_embarks", message).at("/units"));
        }
        if unit.aboard != 0 {
            let message = format!("{} is aboard already", unit.title());
            return Err(Refusal::new(Rule::C13_12, "unit_aboard", message).at("/units"));
        }
        if *from.get_or_insert(unit.at) != unit.at {
            let message = "the units stand in different hexes";
            return Err(Refusal::new(Rule::C13_12, "units_apart", message).at("/units"));
        }
    }
    let Some(from) = from else { return Ok(()) };
    if !is_in_reach(setup, ship, from) {
        let message = format!("{} lies in {}", ship.title(), setup.map.place(ship.at).hex);
        let refusal = Refusal::new(Rule::C13_12, "ship_out_of_reach", message).at("/ship");
        return Err(out_of_reach(setup, ship, from, refusal));
    }
    Ok(())
}

/// DBD-13.14 How many places units take aboard: each one, but with DBD-R57 read as `leaders_free` leaders take none.
pub(crate) fn places_of<'a>(setup: &Setup, units: impl Iterator<Item = &'a Unit>) -> usize {
    let free = setup.rulings.places == Places::LeadersFree;
    units.filter(|unit| !(free && unit.kind.is_leader())).count()
}

/// DBD-13.14 How many more places a galleon has of its four.
pub(crate) fn room(taken: usize) -> usize {
    CARGO.saturating_sub(taken)
}

/// DBD-13.14 The galleon has room for the units.
fn check_room(setup: &Setup, state: &State, ship: u32, units: &[u32], taken: usize) -> Checked {
    let needed = places_of(setup, units.iter().filter_map(|&id| state.unit(id)));
    if needed <= room(taken) {
        return Ok(());
    }
    let title = state.unit_title(ship);
    let message = format!("{title} carries {taken} of {CARGO} and cannot take {needed}");
    let refusal = Refusal::new(Rule::C13_14, "galleon_full", message).also(Rule::R57).at("/units");
    Err(refusal.fact(format!("units aboard {title}"), taken))
}

/// DBD-13.12 Whether units may embark on a ship with so many places taken.
pub(crate) fn check_embark(setup: &Setup, state: &State, it: &Embark, taken: usize) -> Checked {
    ch19_validity::check_unit_exists(state, it.ship, "/ship")?;
    ch19_validity::check_units_exist(state, &it.units)?;
    ch19_validity::check_is_asked(state, it.player, Stage::Movement)?;
    ch19_validity::check_own_unit(state, it.player, it.ship, "/ship")?;
    ch19_validity::check_own_units(state, it.player, &it.units)?;
    ch11_production::check_not_fresh(setup, state, it.units.iter().copied())?;
    check_can_go(setup, state, &it.units, can_board)?;
    check_not_held(setup, state, &it.units, false)?;
    check_boarding(setup, state, it.ship, &it.units)?;
    check_officer(setup, state, &it.units)?;
    check_room(setup, state, it.ship, &it.units, taken)?;
    for unit in it.units.iter().filter_map(|&id| state.unit(id)) {
        // Militia have no points and need none (DBD-R55).
        if unit.points == 0 && !never_moves(unit) {
            let message = format!("{} has no point left to embark", unit.title());
            return Err(Refusal::new(Rule::C13_3, "too_few_points", message).at("/units"));
        }
    }
    Ok(())
}

/// DBD-13.12 Each unit pays one point. DBD-13.11 A cannon counts as moved.
pub(crate) fn embark_units(ctx: &mut Ctx<'_>, it: &Embark) -> Verdict {
    let taken = places_of(ctx.setup(), ctx.state().cargo(it.ship));
    check_embark(ctx.setup(), ctx.state(), it, taken)?;
    let event = Happening::Embarked { player: it.player, ship: it.ship, units: it.units.clone() };
    ctx.happen(event.into(), [Rule::C13_12, Rule::C13_14, Rule::C13_11]);
    Ok(())
}

/// DBD-13.13 Units aboard that ship, from sea to a neighbouring land hex, in port to the port.
fn check_landing(setup: &Setup, state: &State, it: &Disembark, to: At) -> Checked {
    for unit in it.units.iter().filter_map(|&id| state.unit(id)) {
        if unit.aboard != it.ship {
            let message = format!("{} is not aboard {}", unit.title(), state.unit_title(it.ship));
            return Err(Refusal::new(Rule::C13_13, "not_aboard", message).at("/units"));
        }
        if setup.rulings.landing == Landing::NextTurn && unit.embarked {
            let message = format!("{} has embarked this turn", unit.title());
            let refusal = Refusal::new(Rule::C13_13, "embarked_this_turn", message);
            return Err(refusal.also(Rule::R56).at("/units"));
        }
    }
    let Some(ship) = state.unit(it.ship) else { return Ok(()) };
    let there = setup.map.place(to);
    if there.terrain.is_sea() {
        let message = format!("{} is {}", there.hex, there.terrain);
        return Err(Refusal::new(Rule::C13_13, "landing_in_water", message).at("/to"));
    }
    if !is_in_reach(setup, ship, to) {
        let message = format!("{} is out of reach of {}", there.hex, ship.title());
        let refusal = Refusal::new(Rule::C13_13, "landing_out_of_reach", message).at("/to");
        return Err(out_of_reach(setup, ship, to, refusal));
    }
    Ok(())
}

/// DBD-13.8 With DBD-R55 read as `by_ship`, militia land in cities only.
fn check_militia_lands(setup: &Setup, state: &State, units: &[u32], to: At) -> Checked {
    let mut militia = units.iter().filter_map(|&id| state.unit(id)).filter(|it| never_moves(it));
    match militia.next() {
        Some(unit) if setup.map.place(to).city == 0 => {
            let message = format!("{} lands in a city only", unit.title());
            let refusal = Refusal::new(Rule::C13_8, "militia_stays", message);
            Err(refusal.also(Rule::R55).at("/to"))
        }
        _ => Ok(()),
    }
}

/// DBD-13.13 Whether cargo may land. Which hexes are closed to military units and to others
/// (DBD-1.7), `closed` says.
pub(crate) fn check_disembark(
    setup: &Setup,
    state: &State,
    it: &Disembark,
    closed: &dyn Fn(bool, At) -> bool,
) -> Checked {
    ch19_validity::check_unit_exists(state, it.ship, "/ship")?;
    ch19_validity::check_units_exist(state, &it.units)?;
    let to = ch19_validity::check_hex_exists(setup, it.to, "/to")?;
    ch19_validity::check_is_asked(state, it.player, Stage::Movement)?;
    ch19_validity::check_own_unit(state, it.player, it.ship, "/ship")?;
    ch19_validity::check_own_units(state, it.player, &it.units)?;
    ch11_production::check_not_fresh(setup, state, it.units.iter().copied())?;
    check_militia_lands(setup, state, &it.units, to)?;
    check_not_held(setup, state, &it.units, false)?;
    check_landing(setup, state, it, to)?;
    check_officer(setup, state, &it.units)?;
    let from = state.unit(it.ship).map_or(to, |ship| ship.at);
    let walkers: Vec<Walker> =
        it.units.iter().filter_map(|&id| state.unit(id)).map(Walker::new).collect();
    check_hex(setup, state, it.player, &walkers, from, to, closed)
        .map_err(|refusal| refusal.at("/to"))
}

/// DBD-13.13 Each unit pays the cost of the hex; capture and occupation as in DBD-13.10.
pub(crate) fn disembark_units(ctx: &mut Ctx<'_>, it: &Disembark) -> Verdict {
    let (setup, state) = (ctx.setup(), ctx.state());
    let closed = |military, at| is_closed(setup, state, it.player, military, at);
    check_disembark(setup, state, it, &closed)?;
    let Disembark { player, ship, units, to } = it.clone();
    let warlike = units.iter().any(|&id| ctx.state().unit(id).is_some_and(Unit::is_military));
    ctx.happen(
        Happening::Disembarked { player, ship, units, to }.into(),
        [Rule::C13_13, Rule::C13_3, Rule::C13_11],
    );
    if let (true, Some(at)) = (warlike, ctx.setup().map.find(to)) {
        enter_hex(ctx, player, &it.units, at, false);
    }
    Ok(())
}

/// DBD-13.17 The cargo that a ship takes with it: none in a city hex.
pub(crate) fn cargo_lost(setup: &Setup, state: &State, ship: u32) -> Vec<(u32, Kind)> {
    let at_sea = state.unit(ship).is_some_and(|ship| State::ground(setup, ship).is_sea());
    let cargo = state.cargo(ship).filter(|_| at_sea);
    cargo.map(|unit| (unit.id, unit.kind)).collect()
}
