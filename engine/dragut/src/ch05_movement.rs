//! DRG-5: movement, landing, exit.
//!
//! Must not decide a combat; an arrival hands over to DRG-6.

use std::ops::ControlFlow;

use super::action::{Land, Move};
use super::ch03_cards::in_force;
use super::ch04_points::{Paid, c4_4_pool, c4_5_unit_limit, limit};
use super::ch13_protocol::{self as ch13, Checked, Faults, refuse};
use super::event::{Event, Who};
use super::notice::place_name;
use super::rulebook::{Fleeing, Rule, Sharing};
use super::setup::{DRAGUT_6, PIRATE_UNITS, RENEGADE, Setup};
use super::state::{Area, Areas, Place, State, Unit, Units};
use super::tables::Side;
use super::{Cx, Dragut, ch06_combat, ch11_end};
use umpire_core::game::Verdict;

/// One step that somebody wants to make.
struct Stride<'a> {
    setup: &'a Setup,
    state: &'a State,
    unit: Unit,
    to: Area,
    /// What it costs, where there is a line at all.
    cost: Option<u8>,
}

/// DRG-5.1 and what it leads to: a move.
pub fn move_unit(ctx: &mut Cx<'_>, sent: &Move) -> Verdict<Dragut> {
    let setup = ctx.setup();
    let state = ctx.state();
    let unit = ch13::unit(setup, state, &sent.unit, sent.player)?;
    let to = ch13::area(setup, &sent.to)?;
    let stride = Stride { setup, state, unit, to, cost: cost(setup, state, unit, to) };
    stride.lawful()?;
    let (Some(from), Some(cost)) = (state.place[unit.at()].area(), stride.cost) else {
        return Ok(()); // DRG-5.1 has refused a unit off the map and a missing line.
    };
    let who = Who::now(state, unit);
    // Where any other pirate would pay the same, the clause must not tell who it is.
    let saves = unit == RENEGADE && {
        let others = price_of(setup, from, to, trail_cost(setup, state, DRAGUT_6));
        others.is_some_and(|others| cost < others)
    };
    let price = if saves { Rule::C10_1 } else { Rule::C5_2 };
    let rules = [Rule::C5_1, price, Rule::C4_4];
    ctx.happen(Event::Moved { who, from, to, cost }, rules);
    if setup.hills.contains(to) {
        return c5_6_exit(ctx, unit, to);
    }
    c5_8_arrive(ctx, unit, Place::on(from), to)
}

/// DRG-5.7: a landing.
pub fn land(ctx: &mut Cx<'_>, sent: &Land) -> Verdict<Dragut> {
    let setup = ctx.setup();
    let state = ctx.state();
    let unit = ch13::unit(setup, state, &sent.unit, Side::Pirates)?;
    let to = ch13::area(setup, &sent.to)?;
    let cost = setup.constants.landing;
    let mut faults = Faults::default();
    faults.note(c5_7_landing(setup, state, unit, to));
    let stride = Stride { setup, state, unit, to, cost: Some(cost) };
    faults.note(stride.c5_4_sharing());
    faults.note(c4_5_unit_limit(setup, state, unit, cost));
    faults.note(c4_4_pool(state, cost));
    faults.first()?;
    let mut who = Who::now(state, unit);
    if who.token == 0 {
        // DRG-12.2: tokens in order of landing.
        who.token = 1 + PIRATE_UNITS.iter().map(|it| state.token[it.at()]).max().unwrap_or(0);
    }
    ctx.happen(Event::Landed { who, to, cost }, [Rule::C5_7, Rule::C4_4, Rule::C12_2]);
    c5_8_arrive(ctx, unit, Place::AT_SEA, to)
}

impl Stride<'_> {
    /// DRG-13.4: the clauses of a move, in the order in which they are cited.
    fn lawful(&self) -> Checked<()> {
        if self.within() {
            return Ok(());
        }
        let mut faults = Faults::default();
        faults.note(self.c7_2_captive());
        faults.note(self.c5_1_linked());
        faults.note(self.c5_5_no_pirate_in_hills());
        faults.note(self.c5_4_sharing());
        faults.note(self.c5_3_after_combat());
        faults.note(self.c7_11_freed());
        if let Some(cost) = self.cost {
            faults.note(c4_5_unit_limit(self.setup, self.state, self.unit, cost));
            faults.note(c4_4_pool(self.state, cost));
        }
        faults.first()
    }

    /// The same as the list of options has it: then no clause needs to be asked.
    fn within(&self) -> bool {
        let side = self.setup.side(self.unit);
        movable(self.setup, self.state, side).contains(self.unit)
            && open_to(self.setup, self.state, side).contains(self.to)
            && self.cost.is_some_and(|cost| cost <= allowance(self.setup, self.state, self.unit))
    }

    /// DRG-7.2: a captive cannot move.
    fn c7_2_captive(&self) -> Checked<()> {
        if !self.state.captive.contains(self.unit) {
            return Ok(());
        }
        let message = format!("{} is a captive and cannot move", self.setup.unit_id(self.unit));
        Err(refuse(Rule::C7_2, "captive", message, "/unit"))
    }

    /// DRG-5.1: from its area to a linked one.
    fn c5_1_linked(&self) -> Checked<()> {
        let (id, to) = (self.setup.unit_id(self.unit), self.setup.area_id(self.to));
        let place = self.state.place[self.unit.at()];
        let Some(from) = place.area() else {
            let message = format!("{id} is not on the map");
            let refusal = refuse(Rule::C5_1, "not_on_map", message, "/unit");
            let place = place_name(self.setup, place);
            return Err(refusal.fact(format!("place of {id}"), place));
        };
        if self.setup.links[from.at()].contains(self.to) {
            return Ok(());
        }
        let from = self.setup.area_id(from);
        let message = format!("{id} cannot go from {from} to {to}: no road or trail joins them");
        let refusal = refuse(Rule::C5_1, "no_link", message, "/to");
        Err(refusal.fact(format!("place of {id}"), from))
    }

    /// DRG-5.5: no pirate in a hill.
    fn c5_5_no_pirate_in_hills(&self) -> Checked<()> {
        if !self.setup.hills.contains(self.to) || !PIRATE_UNITS.contains(self.unit) {
            return Ok(());
        }
        let (id, to) = (self.setup.unit_id(self.unit), self.setup.area_id(self.to));
        let message = format!("{id} cannot enter {to}: pirates may not enter hills");
        let refusal = refuse(Rule::C5_5, "pirate_in_hills", message, "/to");
        Err(refusal.fact(format!("kind of {to}"), "hill"))
    }

    /// DRG-5.4: own units may share an area, unless DRG-R11 = `one_per_area`.
    fn c5_4_sharing(&self) -> Checked<()> {
        let side = self.setup.side(self.unit);
        if !closed(self.setup, self.state, side).contains(self.to) {
            return Ok(());
        }
        let to = self.setup.area_id(self.to);
        let message = format!("a free unit of the {} is in {to} already", side.name());
        Err(refuse(Rule::C5_4, "own_unit_there", message, "/to").also(Rule::R11))
    }

    /// DRG-5.3: a unit that fought may go on, unless DRG-R14 = `stops`.
    fn c5_3_after_combat(&self) -> Checked<()> {
        if !self.state.fought.contains(self.unit) {
            return Ok(());
        }
        let message = format!("{} has fought this turn", self.setup.unit_id(self.unit));
        Err(refuse(Rule::C5_3, "fought_this_turn", message, "/unit").also(Rule::R14))
    }

    /// DRG-7.11: a freed unit may act, unless DRG-R23 = `no`.
    fn c7_11_freed(&self) -> Checked<()> {
        if !self.state.freed.contains(self.unit) {
            return Ok(());
        }
        let message = format!("{} was freed this turn", self.setup.unit_id(self.unit));
        Err(refuse(Rule::C7_11, "freed_this_turn", message, "/unit").also(Rule::R23))
    }
}

/// DRG-5.7: from the sea to the coast.
fn c5_7_landing(setup: &Setup, state: &State, unit: Unit, to: Area) -> Checked<()> {
    let id = setup.unit_id(unit);
    if state.place[unit.at()] != Place::AT_SEA {
        let place = place_name(setup, state.place[unit.at()]);
        let message = format!("{id} is not at sea");
        let refusal = refuse(Rule::C5_7, "not_at_sea", message, "/unit");
        return Err(refusal.fact(format!("place of {id}"), place));
    }
    if setup.coast.contains(to) {
        return Ok(());
    }
    let to = setup.area_id(to);
    let message = format!("{id} cannot land in {to}: it is not by the sea");
    Err(refuse(Rule::C5_7, "not_coastal", message, "/to").fact(format!("{to} coastal"), "no"))
}

/// DRG-5.1, 5.3, 7.2, 7.11: the units of a side that may move at all.
fn movable(setup: &Setup, state: &State, side: Side) -> Units {
    let held = state.captive.or(state.fought).or(state.freed);
    state.on_map().and(setup.units_of(side)).minus(held)
}

/// DRG-5.4, 5.5: the areas that a unit of a side may enter at all.
fn open_to(setup: &Setup, state: &State, side: Side) -> Areas {
    let areas = setup.areas.minus(closed(setup, state, side));
    match side {
        Side::Pirates => areas.minus(setup.hills),
        Side::Rapalline => areas,
    }
}

/// DRG-5.4 under DRG-R11 = `one_per_area`: areas that a free unit of the side keeps closed.
fn closed(setup: &Setup, state: &State, side: Side) -> Areas {
    match setup.rulings.sharing {
        Sharing::Free => Areas::NONE,
        Sharing::OnePerArea => {
            state.areas_of(state.on_map().and(setup.units_of(side)).minus(state.captive))
        }
    }
}

/// DRG-4.4, 4.5: what a unit may pay for a step.
fn allowance(setup: &Setup, state: &State, unit: Unit) -> u8 {
    let limit = limit(setup, state, setup.side(unit));
    limit.saturating_sub(state.spent[unit.at()]).min(state.pool)
}

/// What a trail costs a unit (DRG-5.2, 10.1), with `guida` in effect or not.
fn trail_cost(setup: &Setup, state: &State, unit: Unit) -> u8 {
    let constants = &setup.constants;
    if !PIRATE_UNITS.contains(unit) {
        return constants.trail_light;
    }
    let own = if unit == RENEGADE { constants.trail_light } else { constants.trail_heavy };
    in_force(setup, state).iter().find_map(|effect| effect.trail).unwrap_or(own)
}

/// DRG-5.2: the areas linked to one, by price.
fn prices(setup: &Setup, from: Area, trail: u8) -> [(Areas, u8); 3] {
    let [easy, hard, hills] = setup.steps[from.at()];
    [(easy, setup.constants.road), (hard, trail), (hills, setup.constants.hill)]
}

/// The price of a step, if there is a line.
fn cost(setup: &Setup, state: &State, unit: Unit, to: Area) -> Option<u8> {
    let from = state.place[unit.at()].area()?;
    price_of(setup, from, to, trail_cost(setup, state, unit))
}

fn price_of(setup: &Setup, from: Area, to: Area, trail: u8) -> Option<u8> {
    let prices = prices(setup, from, trail);
    prices.into_iter().find(|(areas, _)| areas.contains(to)).map(|(_, cost)| cost)
}

/// Every landing that is legal now.
pub fn landings(
    setup: &Setup,
    state: &State,
    each: &mut impl FnMut(Paid) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let cost = setup.constants.landing;
    let open = setup.coast.and(open_to(setup, state, Side::Pirates));
    for unit in state.at(Place::AT_SEA).and(PIRATE_UNITS) {
        if cost <= allowance(setup, state, unit) && !open.is_empty() {
            each(Paid::Land(unit, open))?;
        }
    }
    ControlFlow::Continue(())
}

/// Every move that is legal now.
pub fn moves(
    setup: &Setup,
    state: &State,
    side: Side,
    each: &mut impl FnMut(Paid) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let open = open_to(setup, state, side);
    let limit = limit(setup, state, side);
    let light =
        trail_cost(setup, state, if side == Side::Pirates { RENEGADE } else { setup.reserve });
    let heavy =
        trail_cost(setup, state, if side == Side::Pirates { DRAGUT_6 } else { setup.reserve });
    for unit in movable(setup, state, side) {
        let purse = limit.saturating_sub(state.spent[unit.at()]).min(state.pool);
        let Some(from) = state.place[unit.at()].area().filter(|_| purse > 0) else { continue };
        let mut affordable = Areas::NONE;
        for (areas, cost) in prices(setup, from, if unit == RENEGADE { light } else { heavy }) {
            if cost <= purse {
                affordable = affordable.or(areas);
            }
        }
        let goals = affordable.and(open);
        if !goals.is_empty() {
            each(Paid::Move(unit, goals))?;
        }
    }
    ControlFlow::Continue(())
}

/// DRG-5.8: among enemies combat starts; a Rapalline unit may find captives to free.
fn c5_8_arrive(ctx: &mut Cx<'_>, unit: Unit, from: Place, area: Area) -> Verdict<Dragut> {
    let (setup, state) = (ctx.setup(), ctx.state());
    let side = setup.side(unit);
    let there = state.at(Place::on(area));
    let enemies = there.and(setup.units_of(side.other())).minus(state.captive);
    let captives = there.and(state.captive);
    if !enemies.is_empty() || (side == Side::Rapalline && !captives.is_empty()) {
        ctx.happen(Event::Arrived { unit, from, area }, [Rule::C5_8, Rule::C6_1]);
    }
    ch06_combat::settle(ctx)
}

/// DRG-5.6: a unit that enters a hill is revealed and has fled; then the end is tested, then a
/// card may be drawn.
pub fn c5_6_exit(ctx: &mut Cx<'_>, unit: Unit, hill: Area) -> Verdict<Dragut> {
    escape(ctx, unit, hill);
    ch06_combat::settle(ctx)
}

/// DRG-5.6, 10.5: the escape itself.
pub fn escape(ctx: &mut Cx<'_>, unit: Unit, hill: Area) {
    let setup = ctx.setup();
    let mut who = Who::now(ctx.state(), unit);
    who.open |= unit == setup.giulia || setup.rulings.fleeing == Fleeing::All;
    ctx.happen(Event::UnitFled { who, area: hill }, [Rule::C5_6, Rule::C12_4]);
    if unit == setup.giulia {
        let target = setup.constants.target_giulia_fled;
        ctx.happen(Event::TargetChanged { target }, [Rule::C10_5, Rule::C11_1]);
    }
    ch11_end::c11_5_test(ctx);
}
