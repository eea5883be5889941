//! DRG-7 Captives, the Serraglio, liberation.
//!
//! Must not decide a combat.

use super::action::{Relocate, Send, Side};
use super::ch04_points::{self, Price, check_allowance, check_pool, effects_in_force, is_in_pool};
use super::ch13_protocol::{self, Faults};
use super::event::{AlarmCause, Event, Who};
use super::rulebook::{
    BesideFriend, Distance, EmptyOf, FromSea, Hills, Liberation, Nearness, Rule, SendPoints,
};
use super::setup::{PIRATE_UNITS, Setup};
use super::state::{Area, Areas, Arrival, Place, State, Unit, Units};
use super::{Checked, Ctx, Refusal, Verdict, ch08_alarm, ch09_draws, ch10_special, ch11_end};
use umpire_core::rules::Cites;
use umpire_core::wire::Name;

// DRG-7.1 is `ch06_combat::lose`; DRG-7.3 needs nothing: no set of captives has a limit.

/// DRG-7.2 The units that cannot move because they are captives.
pub(super) fn bound_captives(state: &State) -> Units {
    state.captive
}

/// DRG-7.2 A captive cannot move.
pub(super) fn check_not_bound(setup: &Setup, state: &State, unit: Unit) -> Checked {
    if !bound_captives(state).contains(unit) {
        return Ok(());
    }
    let message = format!("{} is a captive and cannot move", setup.unit_title(unit));
    Err(Refusal::new(Rule::C7_2, "captive", message).at("/unit"))
}

/// DRG-7.4, DRG-7.5, DRG-7.6 A captive goes to the Serraglio; the end is tested, then the pirates
/// draw.
pub(super) fn send_captive(ctx: &mut Ctx<'_>, sent: &Send) -> Verdict {
    let (setup, state) = (ctx.setup(), ctx.state());
    let unit = ch13_protocol::check_unit(setup, state, &sent.unit, Side::Rapalline)?;
    let escort = check_escort(setup, state, sent)?;
    let cost = send_cost(setup, state);
    let price = Price { by_card: |effect| effect.send.is_some(), ..Price::new(cost, Rule::C7_6) };
    let mut faults = Faults::default();
    match check_captive(setup, state, unit, &sent.unit) {
        Ok(area) => {
            faults.note(check_soonest(setup, state, unit));
            faults.note(check_pirate_near(setup, state, area, escort));
            faults.note(check_not_blocked(setup, state, area));
        }
        Err(refusal) => faults.note(Err(refusal)),
    }
    if let Some(escort) = escort {
        // DRG-R9 = `unit`: the escort's points are used.
        let paid = check_allowance(setup, state, escort, price);
        faults.note(paid.map_err(|refusal| refusal.at("/escort").also(Rule::R9)));
    }
    faults.note(check_pool(setup, state, price));
    faults.first()?;
    let Some(from) = state.place[unit.index()].area() else { return Ok(()) };
    let who = Who::shown(state, unit);
    let escort = escort.map(|escort| Who::now(state, escort));
    let serraglio = state.at(Place::SERRAGLIO).len() as u8 + 1;
    let event = Event::CaptiveSent { who, from, cost, escort, serraglio };
    let rules = Cites::from([Rule::C7_6, Rule::C7_4, Rule::C7_5, Rule::C4_7]);
    let rules = if unit == setup.giulia { rules.and(Rule::C10_5) } else { rules };
    let payers = escort.map_or(PIRATE_UNITS, |escort| Units::one(escort.unit));
    let by_land = areas_near_by_land(setup, state, payers).contains(from);
    ctx.happen(event, if by_land { rules } else { rules.and(Rule::R37) });
    if ch11_end::test_at_once(ctx) {
        return Ok(());
    }
    ch09_draws::draw_for_send(ctx)
}

/// DRG-4.7 A send uses no unit's allowance and names no escort, unless DRG-R9 = `unit`.
fn check_escort(setup: &Setup, state: &State, sent: &Send) -> Checked<Option<Unit>> {
    match (setup.rulings.send_points, &sent.escort) {
        (SendPoints::Player, None) => Ok(None),
        (SendPoints::Player, Some(_)) => {
            let message = "a send is paid from the pool only and names no escort";
            Err(Refusal::new(Rule::C13_3, "escort_not_asked", message)
                .at("/escort")
                .also(Rule::C4_7)
                .also(Rule::R9))
        }
        (SendPoints::Unit, Some(id)) => {
            let field = || "/escort".to_owned();
            ch13_protocol::check_unit_at(setup, state, id, Side::Pirates, field).map(Some)
        }
        (SendPoints::Unit, None) => {
            let message = "a send names the pirate unit that pays, its escort";
            Err(Refusal::new(Rule::C13_3, "escort_missing", message).at("/escort").also(Rule::R9))
        }
    }
}

/// DRG-7.4 The area of a captive; none for a unit that is no captive on the map.
fn area_of_captive(state: &State, unit: Unit) -> Option<Area> {
    state.place[unit.index()].area().filter(|_| state.captive.contains(unit))
}

/// DRG-7.4 The unit is a captive on the map. Gives its area. The refusal names the unit as the
/// pirates did, who may not know who it is.
fn check_captive(setup: &Setup, state: &State, unit: Unit, named: &Name) -> Checked<Area> {
    area_of_captive(state, unit).ok_or_else(|| {
        let message = format!("{} is not a captive on the map", setup.said_unit(named));
        Refusal::new(Rule::C7_4, "not_captive", message).at("/unit")
    })
}

/// DRG-7.4 A captive may be sent in the turn of its capture, unless DRG-R54 = `next_turn`.
fn check_soonest(setup: &Setup, state: &State, unit: Unit) -> Checked {
    if !state.caught.contains(unit) {
        return Ok(());
    }
    let message = format!("{} was captured this turn", setup.unit_title(unit));
    Err(Refusal::new(Rule::C7_4, "captured_this_turn", message).at("/unit").also(Rule::R54))
}

/// DRG-7.5 The areas where some pirate units are, and those linked to them or, under DRG-R36 =
/// `touching`, those that touch them on the printed map.
fn areas_near_by_land(setup: &Setup, state: &State, pirates: Units) -> Areas {
    let there = state.areas_of(pirates);
    match setup.rulings.nearness {
        Nearness::Linked => there.or(setup.around(there)),
        Nearness::Touching => there.or(setup.touching(there)),
    }
}

/// DRG-7.5 The areas where a free Rapalline unit keeps captives from being sent, under DRG-R45 =
/// `blocked`.
fn blocked_areas(setup: &Setup, state: &State) -> Areas {
    match setup.rulings.beside_friend {
        BesideFriend::Legal => Areas::NONE,
        BesideFriend::Blocked => {
            state.areas_of(state.on_map().and(setup.rapalline).minus(state.captive))
        }
    }
}

/// DRG-7.5 The areas near some pirate units. Under DRG-R37 = `yes` one at sea is near every coastal
/// area.
pub(super) fn areas_near(setup: &Setup, state: &State, pirates: Units) -> Areas {
    let near = areas_near_by_land(setup, state, pirates);
    let from_sea =
        setup.rulings.from_sea == FromSea::Yes && !state.at(Place::AT_SEA).and(pirates).is_empty();
    if from_sea { near.or(setup.coast) } else { near }
}

/// DRG-7.5 The areas whose captives some pirate units can send.
pub(super) fn areas_open_to_send(setup: &Setup, state: &State, pirates: Units) -> Areas {
    areas_near(setup, state, pirates).minus(blocked_areas(setup, state))
}

/// DRG-7.5 A pirate unit (the escort, if one is named) is in the area or in one linked to it.
fn check_pirate_near(setup: &Setup, state: &State, area: Area, escort: Option<Unit>) -> Checked {
    let pirates = escort.map_or(PIRATE_UNITS, Units::one);
    if areas_near(setup, state, pirates).contains(area) {
        return Ok(());
    }
    let held = setup.area_title(area);
    let touching = setup.rulings.nearness == Nearness::Touching;
    let refusal = match escort {
        None => {
            let message = match touching {
                false => format!("no pirate unit is in {held} or in an area linked to it"),
                true => format!("no pirate unit is in {held} or in an area that touches it"),
            };
            Refusal::new(Rule::C7_5, "no_pirate_near", message).at("/unit")
        }
        Some(escort) => {
            let escort = setup.unit_title(escort);
            let message = match touching {
                false => format!("{escort} is not in {held} or in an area linked to it"),
                true => format!("{escort} is not in {held} or in an area that touches it"),
            };
            Refusal::new(Rule::C7_5, "no_pirate_near", message).at("/escort").also(Rule::R9)
        }
    };
    let there = state.areas_of(pirates);
    let otherwise = if touching { setup.around(there) } else { setup.touching(there) };
    let refusal = if otherwise.contains(area) { refusal.also(Rule::R36) } else { refusal };
    // With pirates at sea the other reading of a coastal area might help.
    let at_sea = !state.at(Place::AT_SEA).and(pirates).is_empty();
    let refusal =
        if at_sea && setup.coast.contains(area) { refusal.also(Rule::R37) } else { refusal };
    let refusal = refusal.fact("area of the captive", setup.area_id(area));
    Err(setup.cite_source_of_lines(refusal))
}

/// DRG-7.6 What a send costs now, with the cards in effect.
fn send_cost(setup: &Setup, state: &State) -> u8 {
    let card = effects_in_force(setup, state).iter().find_map(|effect| effect.send);
    card.unwrap_or(setup.constants.send)
}

/// DRG-7.5 No free Rapalline unit stands beside the captive, under DRG-R45 = `blocked`.
fn check_not_blocked(setup: &Setup, state: &State, area: Area) -> Checked {
    if !blocked_areas(setup, state).contains(area) {
        return Ok(());
    }
    let message = format!("a free unit of the townspeople is in {}", setup.area_title(area));
    Err(Refusal::new(Rule::C7_5, "friend_beside", message).at("/unit").also(Rule::R45))
}

/// DRG-4.4, DRG-7.4 The captives that could be sent if a pirate is near; none if the pool does not
/// pay for one.
pub(super) fn sendable(setup: &Setup, state: &State) -> Units {
    match state.captive.is_empty() || !is_in_pool(state, send_cost(setup, state)) {
        true => Units::NONE,
        false => state.captive.minus(state.caught).and(state.on_map()),
    }
}

/// DRG-7.5 Whether a unit is a captive in one of the areas near the pirates.
pub(super) fn is_captive_in(state: &State, near: Areas, unit: Unit) -> bool {
    area_of_captive(state, unit).is_some_and(|area| near.contains(area))
}

/// DRG-4.5, DRG-7.5 The pirates that can pay for sending a captive, under DRG-R9 = `unit`.
pub(super) fn escorts(setup: &Setup, state: &State, captive: Unit) -> impl Iterator<Item = Unit> {
    let limit = ch04_points::limit(setup, state, Side::Pirates);
    let cost = send_cost(setup, state);
    state.pirates_in_play().iter().filter(move |&escort| {
        let near = areas_open_to_send(setup, state, Units::one(escort));
        is_captive_in(state, near, captive) && cost <= ch04_points::allowance(state, escort, limit)
    })
}

/// DRG-7.7 Who frees captives of the area, and the clauses by which it does: the unit that arrived, or
/// under DRG-R16 and DRG-R18 one who did not arrive, or who has left by its own shot.
fn liberator(setup: &Setup, state: &State, arrival: Arrival) -> Option<(Unit, Cites<Rule>)> {
    let Arrival { unit, area, liberator, .. } = arrival;
    if let Some(unit) = unit.filter(|&unit| setup.side(unit) == Side::Rapalline) {
        return Some((unit, [Rule::C7_7, Rule::C7_11].into()));
    }
    let unit = liberator?;
    if setup.arquebusiers.contains(unit) {
        // The shot frees without a defence.
        return Some((unit, [Rule::C7_7, Rule::R18].into()));
    }
    let there = state.place[unit.index()] == Place::on(area);
    there.then(|| (unit, [Rule::C7_7, Rule::R16, Rule::C7_12].into()))
}

/// DRG-7.7, DRG-7.8 The liberator frees every captive of the area; under DRG-R17 = `one_captive` one of
/// them, who is still to be chosen. Says whether there was anything to free.
pub(super) fn liberate(ctx: &mut Ctx<'_>, arrival: Arrival) -> bool {
    let (setup, state) = (ctx.setup(), ctx.state());
    let area = arrival.area;
    let guarded = !state.at(Place::on(area)).and(PIRATE_UNITS).is_empty();
    let captives = state.captives_in(area);
    let free = !guarded && !captives.is_empty();
    let Some((by, rules)) = liberator(setup, state, arrival).filter(|_| free) else {
        return false;
    };
    let by = Who::shown(state, by);
    let steps = if by.unit == setup.bartolomeo { 2 } else { 1 };
    let alarm = if steps == 2 { Rule::C10_4 } else { Rule::C8_2 };
    let raise = Cites::from([Rule::C7_8, alarm]);
    let per_unit = setup.rulings.liberation == Liberation::PerUnit;
    let raise = if per_unit { raise } else { raise.and(Rule::R17) };
    if setup.rulings.liberation == Liberation::OneCaptive {
        ch08_alarm::shift_alarm(ctx, steps, 0, AlarmCause::Rescue { by, captives }, raise);
        return true;
    }
    for (index, unit) in captives.iter().enumerate() {
        let who = Who::shown(ctx.state(), unit);
        ctx.happen(Event::UnitLiberated { who, area, by }, rules);
        if per_unit || index == 0 {
            ch08_alarm::shift_alarm(ctx, steps, 0, AlarmCause::Liberation, raise);
        }
    }
    true
}

/// DRG-7.9 The areas that are empty for a unit freed in one, as DRG-R53 reads it.
fn empty_for_freed(setup: &Setup, state: &State, from: Area) -> Areas {
    let open = |without: Units| setup.areas.without(from).minus(state.areas_of(without));
    match setup.rulings.empty_of {
        EmptyOf::Units => state.empty_areas(setup),
        EmptyOf::FreeUnits => open(state.on_map().minus(state.captive)),
        EmptyOf::Pirates => open(state.on_map().and(PIRATE_UNITS)),
    }
}

/// DRG-7.9 Where freed units may go: to the nearest empty areas. Under DRG-R17 = `one_captive` the one
/// that is chosen stays in its area if none is empty.
pub(super) fn goals(setup: &Setup, state: &State, from: Area) -> Areas {
    let goals = nearest_empty(setup, state, from);
    let stays = goals.is_empty() && setup.rulings.liberation == Liberation::OneCaptive;
    if stays { Areas::one(from) } else { goals }
}

/// DRG-7.9 The nearest areas that are empty for a unit freed in one.
fn nearest_empty(setup: &Setup, state: &State, from: Area) -> Areas {
    let mut empty = empty_for_freed(setup, state, from);
    if setup.rulings.hills == Hills::Exclude {
        empty = empty.minus(setup.hills);
    }
    match setup.rulings.distance {
        Distance::IgnoreUnits => {
            let rings = setup.rings[from.index()].iter();
            rings.map(|ring| ring.and(empty)).find(|goals| !goals.is_empty()).unwrap_or_default()
        }
        Distance::AvoidPirates => {
            let blocked = state.areas_of(PIRATE_UNITS);
            let (mut reached, mut edge) = (Areas::one(from), Areas::one(from));
            while !edge.is_empty() {
                edge = setup.around(edge).minus(reached);
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

/// DRG-7.9 A freed unit is placed.
pub(super) fn relocate_unit(ctx: &mut Ctx<'_>, sent: &Relocate) -> Verdict {
    let (setup, state) = (ctx.setup(), ctx.state());
    let unit = ch13_protocol::check_unit(setup, state, &sent.unit, Side::Rapalline)?;
    let to = ch13_protocol::check_area(setup, &sent.to)?;
    let Some(arrival) = state.arrival else { return Ok(()) };
    check_goal(setup, state, arrival, (unit, &sent.unit), to)?;
    place_freed(ctx, unit, arrival, to, [Rule::C7_9, Rule::C5_10, Rule::C7_11]);
    Ok(())
}

/// DRG-7.9 The unit waits for a place, and the area is a nearest empty one. The refusal names the
/// unit as the player did: under DRG-R20 = `pirates` he may not know who it is.
fn check_goal(
    setup: &Setup,
    state: &State,
    arrival: Arrival,
    (unit, id): (Unit, &Name),
    to: Area,
) -> Checked {
    let id = setup.said_unit(id);
    if !arrival.waiting.contains(unit) {
        let message = match setup.rulings.liberation {
            Liberation::OneCaptive => {
                format!("{id} is not one of the captives that may be freed here")
            }
            _ => format!("{id} is not a freed unit that needs a place"),
        };
        return Err(Refusal::new(Rule::C7_9, "not_freed", message).at("/unit"));
    }
    let goals = goals(setup, state, arrival.area);
    if goals.contains(to) {
        return Ok(());
    }
    let (from, to) = (setup.area_title(arrival.area), setup.area_title(to));
    let message =
        format!("{id} cannot go from {from} to {to}: it is not one of the nearest empty areas");
    let list: Vec<_> = goals.iter().map(|goal| setup.area_id(goal).to_string()).collect();
    Err(Refusal::new(Rule::C7_9, "not_nearest_empty", message)
        .at("/to")
        .fact("nearest empty areas", list.join(", ")))
}

/// DRG-7.9 No area is empty, so a freed unit stays (DRG-R22).
pub(super) fn leave_freed(ctx: &mut Ctx<'_>, unit: Unit) {
    ctx.happen(Event::Stayed { unit }, [Rule::C7_9, Rule::R22]);
}

/// DRG-7.9, DRG-7.10 A freed unit goes to its place; one that goes to a hill flees. Under DRG-R17 =
/// `one_captive` it is freed only now.
pub(super) fn place_freed(
    ctx: &mut Ctx<'_>,
    unit: Unit,
    arrival: Arrival,
    to: Area,
    rules: [Rule; 3],
) {
    let (setup, state) = (ctx.setup(), ctx.state());
    let from = arrival.area;
    let by = liberator(setup, state, arrival);
    if let Some((by, freed_by)) = by.filter(|_| state.captive.contains(unit)) {
        let (who, by) = (Who::shown(state, unit), Who::shown(state, by));
        ctx.happen(Event::UnitLiberated { who, area: from, by }, freed_by.and(Rule::R17));
    }
    if to == from {
        return leave_freed(ctx, unit);
    }
    let who = Who::shown(ctx.state(), unit);
    ctx.happen(Event::UnitRelocated { who, from, to }, rules);
    if ctx.setup().hills.contains(to) {
        ch10_special::flee(ctx, unit, to);
    }
}

/// DRG-7.11 The freed units that may not act before the next turn, under DRG-R23 = `no`.
pub(super) fn resting_freed(state: &State) -> Units {
    state.freed
}

/// DRG-7.11 A freed unit may act, unless DRG-R23 = `no`.
pub(super) fn check_not_resting(setup: &Setup, state: &State, unit: Unit) -> Checked {
    if !resting_freed(state).contains(unit) {
        return Ok(());
    }
    let message = format!("{} was freed this turn", setup.unit_title(unit));
    Err(Refusal::new(Rule::C7_11, "freed_this_turn", message).at("/unit").also(Rule::R23))
}

// DRG-7.12 is `event/apply.rs`: only under DRG-R16 is a defender noted as the liberator.
