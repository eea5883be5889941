//! DRG-5 Movement, landing, exit.
//!
//! Each clause is one set or one question, asked by the refusals here and by the menu. Must not
//! decide a combat; an arrival hands over to `sequence.rs`.

use super::action::{Land, Move, Side};
use super::ch01_terms::place_name;
use super::ch04_points::{self, Price, check_allowance, check_pool, effects_in_force};
use super::ch12_information::next_pirate_token;
use super::ch13_protocol::{self, Faults};
use super::event::{Event, Who};
use super::rulebook::{Landing, Rule, Sharing};
use super::setup::{DRAGUT_6, PIRATE_UNITS, RENEGADE, Setup};
use super::state::{Area, Areas, Place, State, Unit, Units};
use super::{Checked, Ctx, Refusal, Verdict, ch07_captives, ch10_special};
use umpire_core::wire::Name;

/// What the moves of a side have in common now: who may move, which areas are open, and the
/// limit per unit.
pub(super) struct Moves<'a> {
    setup: &'a Setup,
    state: &'a State,
    side: Side,
    open: Areas,
    limit: u8,
    trail_by_card: Option<u8>,
}

impl<'a> Moves<'a> {
    /// The moves of a side.
    pub(super) fn of(setup: &'a Setup, state: &'a State, side: Side) -> Moves<'a> {
        let shut = closed_areas(setup, state, side).or(barred_hills(setup, side));
        let open = setup.areas.minus(shut);
        let limit = ch04_points::limit(setup, state, side);
        Moves { setup, state, side, open, limit, trail_by_card: trail_by_card(setup, state) }
    }

    /// DRG-5.1, DRG-5.3, DRG-7.2, DRG-7.11 The units that may move at all.
    pub(super) fn units(&self) -> Units {
        let free = self.state.on_map().and(self.setup.units_of(self.side));
        let bound = ch07_captives::bound_captives(self.state)
            .or(stopped_by_combat(self.state))
            .or(ch07_captives::resting_freed(self.state));
        free.minus(bound)
    }

    /// DRG-4.4, DRG-4.5, DRG-5.1, DRG-5.2, DRG-5.4, DRG-5.5 Where one of these units may go.
    pub(super) fn goals(&self, unit: Unit) -> Areas {
        let purse = ch04_points::purse(self.state, unit, self.limit);
        let Some(from) = self.state.place[unit.index()].area().filter(|_| purse > 0) else {
            return Areas::NONE;
        };
        let trail = trail_cost(self.setup, unit, self.trail_by_card);
        let mut affordable = Areas::NONE;
        for (areas, cost) in prices(self.setup, from, trail) {
            if cost <= purse {
                affordable = affordable.or(areas);
            }
        }
        affordable.and(self.open)
    }

    /// Whether a move is legal.
    fn allow(&self, unit: Unit, to: Area) -> bool {
        self.units().contains(unit) && self.goals(unit).contains(to)
    }
}

/// DRG-5.1 One unit goes to a linked area.
pub(super) fn move_unit(ctx: &mut Ctx<'_>, sent: &Move) -> Verdict {
    let (setup, state) = (ctx.setup(), ctx.state());
    let unit = check_mover(setup, state, &sent.unit, sent.player)?;
    let to = ch13_protocol::check_area(setup, &sent.to)?;
    let cost = step_cost(setup, state, unit, to);
    check_move(setup, state, unit, to, cost)?;
    let (Some(from), Some(cost)) = (state.place[unit.index()].area(), cost) else {
        return Ok(()); // DRG-5.1 has refused a unit off the map and a missing line.
    };
    let who = Who::now(state, unit);
    // Where any other pirate would pay the same, the clause must not tell who it is.
    let saves = unit == RENEGADE && {
        let others =
            price_of(setup, from, to, trail_cost(setup, DRAGUT_6, trail_by_card(setup, state)));
        others.is_some_and(|others| cost < others)
    };
    let price = if saves { Rule::C10_1 } else { Rule::C5_2 };
    ctx.happen(Event::Moved { who, from, to, cost }, [Rule::C5_1, price, Rule::C4_4]);
    if setup.hills.contains(to) {
        ch10_special::flee(ctx, unit, to);
    } else {
        arrive(ctx, unit, Place::on(from), to);
    }
    Ok(())
}

/// DRG-5.1, DRG-7.2, DRG-13.3 The unit that a side moves: one of its own, and nobody's captive.
fn check_mover(setup: &Setup, state: &State, name: &Name, side: Side) -> Checked<Unit> {
    let checked = ch13_protocol::check_unit(setup, state, name, side);
    checked.map_err(|refusal| match ch13_protocol::unit_named(setup, state, name) {
        Some(unit) => match ch07_captives::check_not_bound(setup, state, unit) {
            Err(bound) => bound.also(Rule::C13_3),
            Ok(()) => refusal.also(Rule::C5_1),
        },
        None => refusal,
    })
}

/// DRG-13.4 The clauses of a move, in the order in which they are cited.
fn check_move(setup: &Setup, state: &State, unit: Unit, to: Area, cost: Option<u8>) -> Checked {
    if Moves::of(setup, state, setup.side(unit)).allow(unit, to) {
        return Ok(());
    }
    let mut faults = Faults::default();
    faults.note(ch07_captives::check_not_bound(setup, state, unit));
    faults.note(check_linked(setup, state, unit, to));
    faults.note(check_hills(setup, unit, to));
    faults.note(check_sharing(setup, state, unit, to));
    faults.note(check_after_combat(setup, state, unit));
    faults.note(ch07_captives::check_not_resting(setup, state, unit));
    if let Some(cost) = cost {
        let price = step_price(setup, state, unit, to, cost);
        faults.note(check_allowance(setup, state, unit, price));
        faults.note(check_pool(setup, state, price));
    }
    faults.first()
}

/// DRG-5.1 The unit goes from its area to a linked one.
fn check_linked(setup: &Setup, state: &State, unit: Unit, to: Area) -> Checked {
    let (id, place) = (setup.unit_title(unit), state.place[unit.index()]);
    let Some(from) = place.area() else {
        let message = format!("{id} is not on the map");
        return Err(Refusal::new(Rule::C5_1, "not_on_map", message)
            .at("/unit")
            .fact(format!("place of {id}"), place_name(setup, place)));
    };
    if setup.links[from.index()].contains(to) {
        return Ok(());
    }
    let is = setup.area_id(from);
    let (from, to) = (setup.area_title(from), setup.area_title(to));
    let message = format!("{id} cannot go from {from} to {to}: no road or trail joins them");
    let refusal =
        Refusal::new(Rule::C5_1, "no_link", message).at("/to").fact(format!("place of {id}"), is);
    Err(setup.cite_source_of_lines(refusal))
}

/// DRG-5.2 What every pirate pays on trails if a card in effect says so.
fn trail_by_card(setup: &Setup, state: &State) -> Option<u8> {
    effects_in_force(setup, state).iter().find_map(|effect| effect.trail)
}

/// DRG-5.2, DRG-10.1 What a trail costs a unit.
fn trail_cost(setup: &Setup, unit: Unit, by_card: Option<u8>) -> u8 {
    let constants = &setup.constants;
    if !PIRATE_UNITS.contains(unit) {
        return constants.trail_light;
    }
    let own = if unit == RENEGADE { constants.trail_light } else { constants.trail_heavy };
    by_card.unwrap_or(own)
}

/// DRG-5.2 The areas linked to one, by price.
fn prices(setup: &Setup, from: Area, trail: u8) -> [(Areas, u8); 3] {
    let [easy, hard, hills] = setup.steps[from.index()];
    [(easy, setup.constants.road), (hard, trail), (hills, setup.constants.hill)]
}

/// DRG-5.2 The price of a step, if there is a line.
fn price_of(setup: &Setup, from: Area, to: Area, trail: u8) -> Option<u8> {
    let prices = prices(setup, from, trail);
    prices.into_iter().find(|(areas, _)| areas.contains(to)).map(|(_, cost)| cost)
}

/// DRG-10.1 Whether a pirate that paid this for a step is the Renegade; nothing where the price does not tell.
pub(super) fn is_renegades_price(
    setup: &Setup,
    (from, to): (Area, Area),
    paid: u8,
    by_card: Option<u8>,
) -> Option<bool> {
    let price = |unit: Unit| price_of(setup, from, to, trail_cost(setup, unit, by_card));
    let (own, others) = (price(RENEGADE)?, price(DRAGUT_6)?);
    (own != others && (paid == own || paid == others)).then_some(paid == own)
}

/// DRG-5.2 What a step costs a unit from where it is, if there is a line.
fn step_cost(setup: &Setup, state: &State, unit: Unit, to: Area) -> Option<u8> {
    let from = state.place[unit.index()].area()?;
    price_of(setup, from, to, trail_cost(setup, unit, trail_by_card(setup, state)))
}

/// DRG-5.2, DRG-10.1 Where the price of a step comes from; DRG-R34 if it goes by the area entered, or
/// would, and that is another price.
fn step_price(setup: &Setup, state: &State, unit: Unit, to: Area, cost: u8) -> Price {
    let clause = if unit == RENEGADE { Rule::C10_1 } else { Rule::C5_2 };
    let Some(from) = state.place[unit.index()].area() else { return Price::new(cost, clause) };
    let trail = trail_cost(setup, unit, trail_by_card(setup, state));
    let price = |road: bool| if road { setup.constants.road } else { trail };
    let (by_line, by_area) = (setup.is_road(from, to), setup.towns.contains(to));
    let differs = !setup.hills.contains(to) && price(by_line) != price(by_area);
    let ruling = differs.then_some(Rule::R34);
    let [_, (by_trail, _), _] = prices(setup, from, trail);
    match PIRATE_UNITS.contains(unit) && by_trail.contains(to) {
        true => Price { cost, clause, ruling, by_card: |effect| effect.trail.is_some() },
        false => Price { ruling, ..Price::new(cost, clause) },
    }
}

/// DRG-5.3 The units that fought and may not go on, under DRG-R14 = `stops`.
fn stopped_by_combat(state: &State) -> Units {
    state.fought
}

/// DRG-5.3 A unit that fought may go on, unless DRG-R14 = `stops`.
fn check_after_combat(setup: &Setup, state: &State, unit: Unit) -> Checked {
    if !stopped_by_combat(state).contains(unit) {
        return Ok(());
    }
    let message = format!("{} has fought this turn", setup.unit_title(unit));
    Err(Refusal::new(Rule::C5_3, "fought_this_turn", message).at("/unit").also(Rule::R14))
}

/// DRG-5.4 The areas that a free unit of a side keeps closed, under DRG-R11 = `one_per_area`.
fn closed_areas(setup: &Setup, state: &State, side: Side) -> Areas {
    match setup.rulings.sharing {
        Sharing::Free => Areas::NONE,
        Sharing::OnePerArea => {
            state.areas_of(state.on_map().and(setup.units_of(side)).minus(state.captive))
        }
    }
}

/// DRG-5.4 Units of a side may share an area, unless DRG-R11 = `one_per_area`.
fn check_sharing(setup: &Setup, state: &State, unit: Unit, to: Area) -> Checked {
    let side = setup.side(unit);
    if !closed_areas(setup, state, side).contains(to) {
        return Ok(());
    }
    let message = format!("a free unit of {} is in {} already", side.title(), setup.area_title(to));
    Err(Refusal::new(Rule::C5_4, "own_unit_there", message).at("/to").also(Rule::R11))
}

/// DRG-5.5 The hills that no unit of a side may enter.
fn barred_hills(setup: &Setup, side: Side) -> Areas {
    match side {
        Side::Pirates => setup.hills,
        Side::Rapalline => Areas::NONE,
    }
}

/// DRG-5.5 No pirate enters a hill.
fn check_hills(setup: &Setup, unit: Unit, to: Area) -> Checked {
    if !barred_hills(setup, setup.side(unit)).contains(to) {
        return Ok(());
    }
    let what = format!("kind of {}", setup.area_title(to));
    let (id, to) = (setup.unit_title(unit), setup.area_title(to));
    let message = format!("{id} cannot enter {to}: pirates may not enter hills");
    Err(Refusal::new(Rule::C5_5, "pirate_in_hills", message)
        .in_sight()
        .at("/to")
        .fact(what, "hill"))
}

/// DRG-5.7 A pirate goes from the sea to the coast.
pub(super) fn land_unit(ctx: &mut Ctx<'_>, sent: &Land) -> Verdict {
    let (setup, state) = (ctx.setup(), ctx.state());
    let unit = ch13_protocol::check_unit(setup, state, &sent.unit, Side::Pirates)?;
    let to = ch13_protocol::check_area(setup, &sent.to)?;
    let cost = setup.constants.landing;
    let price = Price::new(cost, Rule::C5_7);
    let mut faults = Faults::default();
    faults.note(check_landing(setup, state, unit, to));
    faults.note(check_sharing(setup, state, unit, to));
    faults.note(check_allowance(setup, state, unit, price));
    faults.note(check_pool(setup, state, price));
    faults.first()?;
    let mut who = Who::now(state, unit);
    if who.token == 0 {
        who.token = next_pirate_token(state);
    }
    ctx.happen(Event::Landed { who, to, cost }, [Rule::C5_7, Rule::C4_4, Rule::C12_2]);
    arrive(ctx, unit, Place::AT_SEA, to);
    Ok(())
}

/// DRG-5.7 The pirates that are at sea.
fn pirates_at_sea(state: &State) -> Units {
    state.at(Place::AT_SEA).and(PIRATE_UNITS)
}

/// DRG-5.7 The unit is at sea, and the area one where pirates land (DRG-R6).
fn check_landing(setup: &Setup, state: &State, unit: Unit, to: Area) -> Checked {
    let id = setup.unit_title(unit);
    if !pirates_at_sea(state).contains(unit) {
        let message = format!("{id} is not at sea");
        let what = format!("place of {id}");
        let is = place_name(setup, state.place[unit.index()]);
        return Err(Refusal::new(Rule::C5_7, "not_at_sea", message).at("/unit").fact(what, is));
    }
    if setup.landing_areas().contains(to) {
        return Ok(());
    }
    let title = setup.area_title(to);
    let refused = |code, why: &str| {
        let message = format!("{id} cannot land in {title}: {why}");
        Refusal::new(Rule::C5_7, code, message).in_sight().at("/to")
    };
    let coastal = if setup.coast.contains(to) { "yes" } else { "no" };
    let refusal = if setup.hills.contains(to) {
        refused("landing_in_hills", "no pirate may enter a hill").also(Rule::C5_5)
    } else if setup.rulings.landing == Landing::ThreeNamed {
        refused("not_a_landing", "it is not one of the named landing places").also(Rule::R6)
    } else {
        refused("not_coastal", "it is not by the sea")
    };
    let refusal = refusal.fact(format!("{title} by the sea"), coastal);
    Err(setup.cite_source_of_coast(refusal))
}

/// DRG-4.4, DRG-4.5, DRG-5.7 The pirates that can land now.
pub(super) fn able_to_land(setup: &Setup, state: &State) -> impl Iterator<Item = Unit> {
    let limit = ch04_points::limit(setup, state, Side::Pirates);
    let cost = setup.constants.landing;
    pirates_at_sea(state).iter().filter(move |&unit| cost <= ch04_points::purse(state, unit, limit))
}

/// DRG-5.4, DRG-5.7 The areas where a pirate may land.
pub(super) fn landings(setup: &Setup, state: &State) -> Areas {
    setup.landing_areas().minus(closed_areas(setup, state, Side::Pirates))
}

/// DRG-5.8 Among enemies combat starts; a Rapalline unit may find captives to free.
fn arrive(ctx: &mut Ctx<'_>, unit: Unit, from: Place, area: Area) {
    let (setup, state) = (ctx.setup(), ctx.state());
    let side = setup.side(unit);
    let there = state.at(Place::on(area));
    let enemies = there.and(setup.units_of(side.other())).minus(state.captive);
    let captives = there.and(state.captive);
    if !enemies.is_empty() || (side == Side::Rapalline && !captives.is_empty()) {
        ctx.happen(Event::Arrived { unit, from, area }, [Rule::C5_8, Rule::C6_1]);
    }
}

// DRG-5.9 is `State::free_in`: captives are left out. DRG-5.10 is `ch07_captives::place_freed` and
// `ch10_special::enter_reserve`.
