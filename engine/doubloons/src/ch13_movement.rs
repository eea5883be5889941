//! DBD-13 Movement: orders by land and sea.
//!
//! Must not know what is fought: DBD-13.16 is `State::is_stowed`, which chapter 14 asks. DBD-13.1
//! (full points) is `Happening::PhaseStarted` in `event/apply.rs`.

mod boarding;

pub(super) use boarding::{
    cargo_lost, check_disembark, check_embark, disembark_units, embark_units, is_in_reach, room,
};

use super::action::{Move, Player};
use super::ch01_terms::{capture_units, is_closed, is_occupied};
use super::ch06_trading::end_treaty;
use super::notice::Happening;
use super::rulebook::{Cavalry, Fleets, Officers, Rule};
use super::setup::Setup;
use super::setup::map::At;
use super::state::{Stage, State, Unit};
use super::tables::{Kind, Terrain};
use super::{Checked, Ctx, Refusal, Verdict, ch11_production, ch17_control, ch19_validity};
use umpire_core::board::hex::Hex;

/// A unit on its way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Walker {
    /// Its type.
    pub kind: Kind,
    /// Its number.
    pub id: u32,
    /// Points left.
    pub points: u8,
}

impl Walker {
    /// A unit about to move.
    pub(super) fn new(unit: &Unit) -> Walker {
        Walker { kind: unit.kind, id: unit.id, points: unit.points }
    }

    /// Pays for a hex it may enter.
    pub(super) fn pay(&mut self, setup: &Setup, to: At) {
        let price = setup.entry_cost(self.kind, self.points, setup.map.place(to).terrain);
        self.points = self.points.saturating_sub(price.unwrap_or(0));
    }
}

/// DBD-13.4 to DBD-13.6 Why a unit cannot enter a hex, if it cannot; clauses in the order of
/// DBD-19.5.
pub(super) fn barring_clause(
    setup: &Setup,
    walker: &Walker,
    from: At,
    to: At,
    closed: &dyn Fn(bool, At) -> bool,
) -> Option<Rule> {
    if bars_terrain(setup, walker.kind, from, to) {
        return Some(Rule::C13_4);
    }
    if bars_cavalry(setup, walker, to) {
        return Some(Rule::C13_5);
    }
    if bars_points(setup, walker, to) {
        return Some(Rule::C13_3);
    }
    closed(walker.kind.is_military(), to).then_some(Rule::C13_6)
}

/// Whether a group may enter a hex. What is closed to leaders and merchants is closed to troops.
pub(super) fn may_enter(
    setup: &Setup,
    walkers: &[Walker],
    from: At,
    to: At,
    closed: impl Fn(bool, At) -> bool,
) -> bool {
    let warlike = walkers.iter().any(|it| it.kind.is_military());
    let able = walkers.iter().all(|it| {
        !bars_terrain(setup, it.kind, from, to)
            && !bars_cavalry(setup, it, to)
            && !bars_points(setup, it, to)
    });
    able && !closed(warlike, to)
}

/// DBD-13.4 Closed terrain; a ship's step has water or reefs on at least one side.
fn bars_terrain(setup: &Setup, kind: Kind, from: At, to: At) -> bool {
    let (here, there) = (setup.map.place(from), setup.map.place(to));
    if kind.is_ship() {
        !there.open_to_ships || !(here.terrain.is_sea() || there.terrain.is_sea())
    } else {
        there.terrain.land_cost().is_none()
    }
}

/// DBD-13.5 Cavalry enters difficult terrain only with all four points in hand.
fn bars_cavalry(setup: &Setup, walker: &Walker, to: At) -> bool {
    setup.rulings.cavalry == Cavalry::FullFour
        && walker.kind.is_cavalry()
        && setup.map.place(to).terrain == Terrain::Difficult
        && walker.points < 4
}

/// DBD-13.3 Each unit pays every hex in full from its own points.
fn bars_points(setup: &Setup, walker: &Walker, to: At) -> bool {
    let price = setup.entry_cost(walker.kind, walker.points, setup.map.place(to).terrain);
    price.is_none_or(|price| walker.points < price)
}

/// DBD-13.4, DBD-13.5, DBD-13.3, DBD-13.6 in that order: the first clause that any unit breaks at a
/// hex.
fn check_hex(
    setup: &Setup,
    state: &State,
    player: Player,
    walkers: &[Walker],
    from: At,
    to: At,
    at: &str,
    closed: &dyn Fn(bool, At) -> bool,
) -> Checked {
    let bars = || {
        walkers
            .iter()
            .filter_map(|it| barring_clause(setup, it, from, to, closed).map(|rule| (rule, it)))
    };
    const ORDER: [Rule; 4] = [Rule::C13_4, Rule::C13_5, Rule::C13_3, Rule::C13_6];
    let place = |rule: Rule| ORDER.iter().position(|&it| it == rule);
    let Some((rule, walker)) = bars().min_by_key(|it| place(it.0)) else { return Ok(()) };
    let hex = setup.map.place(to).hex;
    let terrain = setup.map.place(to).terrain;
    let mounted = walker.kind.is_cavalry() && terrain == Terrain::Difficult;
    let (code, also, message): (_, &[Rule], _) = match rule {
        Rule::C13_4 => ("terrain_closed", &[], format!("{terrain} is closed to u{}", walker.id)),
        Rule::C13_5 => {
            let message = format!(
                "u{} needs all 4 points for {terrain} and has {}",
                walker.id, walker.points
            );
            ("cavalry_needs_full_points", &[Rule::R51], message)
        }
        Rule::C13_3 => {
            let message =
                format!("u{} has {} points, too few for {terrain}", walker.id, walker.points);
            ("too_few_points", if mounted { &[Rule::R51] } else { &[] }, message)
        }
        _ if is_occupied(setup, state, player, walker.kind.is_military(), to) => {
            let message = format!("{hex} is closed to u{} by what stands there", walker.id);
            ("hex_closed", &[Rule::C1_7], message)
        }
        _ => {
            let city = &setup.map.site(setup.map.place(to).city).name;
            let message =
                format!("the Church protects {city}, and its gates are shut to u{}", walker.id);
            ("hex_closed", &[Rule::R23, Rule::C5_10], message)
        }
    };
    let refusal = Refusal::new(rule, code, format!("{message} ({hex})")).at(at);
    let refusal = also.iter().copied().fold(refusal, Refusal::also);
    let refusal = refusal.fact(format!("terrain of {hex}"), terrain);
    Err(refusal.fact(format!("points of u{}", walker.id), walker.points))
}

/// DBD-13.8 Militia never move.
pub(super) fn never_moves(unit: &Unit) -> bool {
    unit.kind == Kind::Militia
}

/// DBD-13.8 None of the units is militia.
fn check_no_militia(state: &State, units: &[u32]) -> Checked {
    for &id in units {
        if state.unit(id).is_some_and(never_moves) {
            let message = format!("u{id} is militia and never moves");
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
                format!("u{} is held", unit.id)
            } else {
                format!("u{} carries a unit that is held", unit.id)
            };
            let refusal = Refusal::new(Rule::C13_9, "held", message).also(Rule::C1_9);
            return Err(refusal.at("/units"));
        }
    }
    Ok(())
}

/// DBD-13.7 Land military units go with an officer; with DBD-R49 read as `required`, fleets too.
fn check_officer(setup: &Setup, state: &State, units: &[u32]) -> Checked {
    let all = || units.iter().filter_map(|&id| state.unit(id));
    let least = match setup.rulings.officers {
        Officers::EveryUnit => 1,
        Officers::GroupsOnly => 2,
    };
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

/// Whether an officer who is not held is aboard.
pub(super) fn officer_aboard(state: &State, ship: u32) -> bool {
    state.cargo(ship).any(|unit| unit.kind == Kind::Officer && !state.is_held(unit))
}

/// DBD-13.2 Units of one hex, all ships or all land units not aboard, along neighbouring hexes.
fn check_order(setup: &Setup, state: &State, units: &[u32], path: &[Hex]) -> Checked<At> {
    let mut all = units.iter().filter_map(|&id| state.unit(id));
    let Some(first) = all.next() else {
        return Err(Refusal::new(Rule::C13_2, "nobody_moves", "no unit is named").at("/units"));
    };
    for unit in all {
        if unit.at != first.at {
            let message = format!("u{} and u{} stand in different hexes", first.id, unit.id);
            return Err(Refusal::new(Rule::C13_2, "units_apart", message).at("/units"));
        }
        if unit.kind.is_ship() != first.kind.is_ship() {
            let message = format!("u{} and u{}: ships and land units apart", first.id, unit.id);
            return Err(Refusal::new(Rule::C13_2, "ships_and_land_units", message).at("/units"));
        }
    }
    if let Some(unit) = units.iter().filter_map(|&id| state.unit(id)).find(|it| it.aboard != 0) {
        let message = format!("u{} is aboard u{}", unit.id, unit.aboard);
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
            let pointer = format!("/path/{at}");
            check_hex(setup, state, it.player, &walkers, from, to, &pointer, &closed)?;
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

/// Whether anything happens when a military unit enters a hex.
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
