//! DRG-7: captives, the Serraglio, liberation.
//!
//! Must not decide a combat.

use std::ops::ControlFlow;

use super::action::{Relocate, Send};
use super::ch03_cards::in_force;
use super::ch04_points::{Paid, c4_4_pool, c4_5_unit_limit, limit};
use super::ch06_combat::{Flow, settle};
use super::ch13_protocol::{self as ch13, Checked, Faults, refuse};
use super::event::{Cause, Event, Who, Why};
use super::rulebook::{Distance, Hills, Liberation, Relocator, Rule, SendPoints};
use super::setup::{PIRATE_UNITS, Setup};
use super::state::{Area, Areas, Arrival, Place, State, Step, Unit, Units};
use super::tables::Side;
use super::{Cx, Dragut, ch05_movement, ch08_alarm, ch09_draws, ch11_end};
use umpire_core::game::Verdict;
use umpire_core::rules::Cites;
use umpire_core::wire::Name;

/// What a send costs now (DRG-7.6 and the cards in force).
pub fn send_cost(setup: &Setup, state: &State) -> u8 {
    let card = in_force(setup, state).iter().find_map(|effect| effect.send);
    card.unwrap_or(setup.constants.send)
}

/// DRG-7.4 to 7.6: a captive goes to the Serraglio; the end is tested, then the pirates draw.
pub fn send(ctx: &mut Cx<'_>, sent: &Send) -> Verdict<Dragut> {
    let (setup, state) = (ctx.setup(), ctx.state());
    let unit = ch13::unit(setup, state, &sent.unit, Side::Rapalline)?;
    let escort = c4_7_escort(setup, state, sent)?;
    let cost = send_cost(setup, state);
    let mut faults = Faults::default();
    match c7_4_captive(state, unit, &sent.unit) {
        Ok(area) => faults.note(c7_5_pirate_near(setup, state, area, escort)),
        Err(refusal) => faults.note(Err(refusal)),
    }
    if let Some(escort) = escort {
        // DRG-R9 = `unit`: the escort's points are used.
        faults.note(
            c4_5_unit_limit(setup, state, escort, cost)
                .map_err(|it| it.at("/escort").also(Rule::R9)),
        );
    }
    faults.note(c4_4_pool(state, cost));
    faults.first()?;
    let Some(from) = state.place[unit.at()].area() else { return Ok(()) };
    let who = Who::shown(state, unit);
    let escort = escort.map(|escort| Who::now(state, escort));
    let serraglio = state.at(Place::SERRAGLIO).len() as u8 + 1;
    let event = Event::CaptiveSent { who, from, cost, escort, serraglio };
    ctx.happen(event, [Rule::C7_6, Rule::C7_4, Rule::C7_5, Rule::C4_7]);
    if ch11_end::c11_5_test(ctx) {
        return Ok(());
    }
    ch09_draws::draw(ctx, Side::Pirates, Why::Sent)?;
    settle(ctx)
}

/// DRG-4.7: a send uses no unit's allowance and names no escort, unless DRG-R9 = `unit`.
fn c4_7_escort(setup: &Setup, state: &State, sent: &Send) -> Checked<Option<Unit>> {
    match (setup.rulings.send_points, &sent.escort) {
        (SendPoints::Player, None) => Ok(None),
        (SendPoints::Player, Some(_)) => {
            let message = "a send is paid from the pool only and names no escort";
            let refusal = refuse(Rule::C13_3, "escort_not_asked", message, "/escort");
            Err(refusal.also(Rule::C4_7).also(Rule::R9))
        }
        (SendPoints::Unit, Some(id)) => {
            ch13::unit_at(setup, state, id, Side::Pirates, || "/escort".to_owned()).map(Some)
        }
        (SendPoints::Unit, None) => {
            let message = "a send names the pirate unit that pays, its escort";
            Err(refuse(Rule::C13_3, "escort_missing", message, "/escort").also(Rule::R9))
        }
    }
}

/// DRG-7.4: the unit is a captive on the map. Gives its area. The refusal names the unit as the
/// pirates did, who may not know who it is.
fn c7_4_captive(state: &State, unit: Unit, named: &Name) -> Checked<Area> {
    match state.place[unit.at()].area() {
        Some(area) if state.captive.contains(unit) => Ok(area),
        _ => {
            let message = format!("{named} is no captive on the map");
            Err(refuse(Rule::C7_4, "not_captive", message, "/unit"))
        }
    }
}

/// DRG-7.5: a pirate unit (the escort, if one is named) is in the area or in one linked to it.
fn c7_5_pirate_near(setup: &Setup, state: &State, area: Area, escort: Option<Unit>) -> Checked<()> {
    let pirates = escort.map_or(PIRATE_UNITS, Units::one);
    if !state.areas_of(pirates).and(vicinity(setup, area)).is_empty() {
        return Ok(());
    }
    let held = setup.area_id(area);
    let refusal = match escort {
        None => {
            let message = format!("no pirate unit is in {held} or in an area linked to it");
            refuse(Rule::C7_5, "no_pirate_near", message, "/unit")
        }
        Some(escort) => {
            let escort = setup.unit_id(escort);
            let message = format!("{escort} is not in {held} or in an area linked to it");
            refuse(Rule::C7_5, "no_pirate_near", message, "/escort").also(Rule::R9)
        }
    };
    Err(refusal.fact("area of the captive", held))
}

fn vicinity(setup: &Setup, area: Area) -> Areas {
    setup.links[area.at()].or(Areas::one(area))
}

/// Every send that is legal now.
pub fn sends(
    setup: &Setup,
    state: &State,
    each: &mut impl FnMut(Paid) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let captives = state.captive.and(state.on_map());
    let cost = send_cost(setup, state);
    if captives.is_empty() || cost > state.pool {
        return ControlFlow::Continue(());
    }
    let pirates = PIRATE_UNITS.and(state.on_map());
    let near = state.areas_of(pirates);
    for unit in captives {
        let Some(area) = state.place[unit.at()].area() else { continue };
        let around = vicinity(setup, area);
        match setup.rulings.send_points {
            SendPoints::Player => {
                if !near.and(around).is_empty() {
                    each(Paid::Send(unit, None))?;
                }
            }
            SendPoints::Unit => {
                let limit = limit(setup, state, Side::Pirates);
                for escort in pirates {
                    let there = state.place[escort.at()].area();
                    let purse = limit.saturating_sub(state.spent[escort.at()]);
                    if there.is_some_and(|area| around.contains(area)) && cost <= purse {
                        each(Paid::Send(unit, Some(escort)))?;
                    }
                }
            }
        }
    }
    ControlFlow::Continue(())
}

/// DRG-7.7, 7.8: the liberator frees every captive of the area. Says whether there was anything
/// to free.
pub fn c7_7_liberate(ctx: &mut Cx<'_>, arrival: Arrival) -> bool {
    let (setup, state) = (ctx.setup(), ctx.state());
    let Arrival { unit, area, liberator, .. } = arrival;
    let guarded = !state.at(Place::on(area)).and(PIRATE_UNITS).is_empty();
    let captives = state.captives_in(area);
    let arrived = unit.filter(|&unit| setup.side(unit) == Side::Rapalline);
    // DRG-R16, DRG-R18: one who did not arrive, or who has left by its own shot.
    let other = liberator.filter(|&unit| {
        setup.arquebusiers.contains(unit) || state.place[unit.at()] == Place::on(area)
    });
    let Some(by) = arrived.or(other).filter(|_| !guarded && !captives.is_empty()) else {
        return false;
    };
    let rules: Cites<Rule> = match (arrived, setup.arquebusiers.contains(by)) {
        (Some(_), _) => [Rule::C7_7, Rule::C7_11].into(),
        // The shot frees without a defence.
        (None, true) => [Rule::C7_7, Rule::R18].into(),
        (None, false) => [Rule::C7_7, Rule::R16, Rule::C7_12].into(),
    };
    let by = Who::shown(state, by);
    let steps = if by.unit == setup.bartolomeo { 2 } else { 1 };
    let alarm = if steps == 2 { Rule::C10_4 } else { Rule::C8_2 };
    let raise = Cites::from([Rule::C7_8, alarm]);
    let per_unit = setup.rulings.liberation == Liberation::PerUnit;
    let raise = if per_unit { raise } else { raise.and(Rule::R17) };
    for (index, unit) in captives.iter().enumerate() {
        let who = Who::shown(ctx.state(), unit);
        ctx.happen(Event::UnitLiberated { who, area, by }, rules);
        if per_unit || index == 0 {
            ch08_alarm::shift(ctx, steps, 0, Cause::Liberation, raise);
        }
    }
    true
}

/// DRG-7.9: the areas a freed unit may go to: the nearest empty ones.
pub fn c7_9_nearest(setup: &Setup, state: &State, from: Area) -> Areas {
    let mut empty = state.empty_areas(setup);
    if setup.rulings.hills == Hills::Exclude {
        empty = empty.minus(setup.hills);
    }
    match setup.rulings.distance {
        Distance::IgnoreUnits => {
            let rings = setup.rings[from.at()].iter();
            rings.map(|ring| ring.and(empty)).find(|goals| !goals.is_empty()).unwrap_or_default()
        }
        Distance::AvoidPirates => {
            let blocked = state.areas_of(PIRATE_UNITS);
            let (mut reached, mut edge) = (Areas::one(from), Areas::one(from));
            while !edge.is_empty() {
                let next = edge.iter().fold(Areas::NONE, |all, at| all.or(setup.links[at.at()]));
                edge = next.minus(reached);
                let goals = edge.and(empty);
                if !goals.is_empty() {
                    return goals;
                }
                reached = reached.or(edge);
                edge = edge.minus(blocked);
            }
            Areas::NONE
        }
    }
}

/// DRG-7.9: who picks (DRG-R20).
pub fn relocator(setup: &Setup) -> Side {
    match setup.rulings.relocator {
        Relocator::Rapalline => Side::Rapalline,
        Relocator::Pirates => Side::Pirates,
    }
}

/// DRG-7.9: the freed units go one by one; a single possibility is taken by itself.
pub fn relocations(ctx: &mut Cx<'_>, arrival: Arrival) -> Flow {
    let goals = c7_9_nearest(ctx.setup(), ctx.state(), arrival.area);
    let Some(unit) = arrival.waiting.lowest() else { return Flow::Goes };
    match (arrival.waiting.len(), goals.lowest()) {
        (_, None) => {
            // DRG-R22: no area is empty, so it stays.
            ctx.happen(Event::Stayed { unit }, [Rule::C7_9, Rule::R22]);
            Flow::Goes
        }
        (1, Some(goal)) if goals.len() == 1 => {
            place(ctx, unit, arrival.area, goal, [Rule::C7_9, Rule::C5_10, Rule::C13_5]);
            Flow::Goes
        }
        _ => {
            ctx.happen(Event::Asked { step: Step::Relocate }, Rule::C7_9);
            Flow::Waits
        }
    }
}

/// DRG-7.9: a freed unit is placed.
pub fn relocate(ctx: &mut Cx<'_>, sent: &Relocate) -> Verdict<Dragut> {
    let (setup, state) = (ctx.setup(), ctx.state());
    let unit = ch13::unit(setup, state, &sent.unit, Side::Rapalline)?;
    let to = ch13::area(setup, &sent.to)?;
    let Some(arrival) = state.arrival else { return Ok(()) };
    // As it was named: under DRG-R20 = `pirates` the player may not know who it is.
    let id = sent.unit;
    if !arrival.waiting.contains(unit) {
        let message = format!("{id} is no freed unit that needs a place");
        return Err(refuse(Rule::C7_9, "not_freed", message, "/unit").into());
    }
    let goals = c7_9_nearest(setup, state, arrival.area);
    if !goals.contains(to) {
        let (from, to) = (setup.area_id(arrival.area), setup.area_id(to));
        let message = format!("{id} cannot go from {from} to {to}: it is no nearest empty area");
        let refusal = refuse(Rule::C7_9, "not_nearest_empty", message, "/to");
        let list: Vec<_> = goals.iter().map(|goal| setup.area_id(goal).to_string()).collect();
        return Err(refusal.fact("nearest empty areas", list.join(", ")).into());
    }
    place(ctx, unit, arrival.area, to, [Rule::C7_9, Rule::C5_10, Rule::C7_11]);
    settle(ctx)
}

/// DRG-7.10: a unit that goes to a hill flees.
fn place(ctx: &mut Cx<'_>, unit: Unit, from: Area, to: Area, rules: [Rule; 3]) {
    let who = Who::shown(ctx.state(), unit);
    ctx.happen(Event::UnitRelocated { who, from, to }, rules);
    if ctx.setup().hills.contains(to) {
        ch05_movement::escape(ctx, unit, to);
    }
}
