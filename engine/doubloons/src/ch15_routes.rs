//! DBD-15 Trade routes: those of merchants, and those that open by themselves.
//!
//! Must not pay for a route. DBD-15.8 (routes that end) is `ch17_control::pass_control` and
//! `ch06_trading::end_treaty`.

use super::action::{EstablishRoute, Player};
use super::notice::{Cause, Happening};
use super::rulebook::{Merchants, Rule};
use super::setup::Setup;
use super::state::{Route, Stage, State};
use super::tables::{GOODS, Good};
use super::{Checked, Ctx, Refusal, Verdict, ch11_production, ch19_validity};

/// DBD-15.3 Whether a merchant may open a route.
pub(super) fn check_route(setup: &Setup, state: &State, it: &EstablishRoute) -> Checked {
    ch19_validity::check_unit_exists(state, it.merchant, "/merchant")?;
    ch19_validity::check_is_asked(state, it.player, Stage::Routes)?;
    ch19_validity::check_own_unit(state, it.player, it.merchant, "/merchant")?;
    ch11_production::check_not_fresh(setup, state, [it.merchant])?;
    check_merchant(setup, state, it)
}

/// DBD-15.3 An own merchant, not held, in a neutral city; its origin his; a slot free at both ends.
fn check_merchant(setup: &Setup, state: &State, it: &EstablishRoute) -> Checked {
    let Some(unit) = state.unit(it.merchant) else { return Ok(()) };
    let here = setup.map.place(unit.at).city;
    if !unit.kind.is_merchant() {
        let message = format!("{} is no merchant", unit.title());
        return Err(Refusal::new(Rule::C15_3, "no_merchant", message).at("/merchant"));
    }
    if state.is_held(unit) {
        return Err(
            Refusal::new(Rule::C15_3, "held", format!("{} is held", unit.title())).at("/merchant")
        );
    }
    if here == 0 || state.city(here).control.is_some() {
        let message = format!("{} is in no neutral city", unit.title());
        return Err(Refusal::new(Rule::C15_3, "not_in_neutral_city", message).at("/merchant"));
    }
    if unit.origin == 0 || state.city(unit.origin).control != Some(it.player) {
        let message = format!("{} does not come from a city of {}", unit.title(), it.player);
        return Err(Refusal::new(Rule::C15_3, "no_origin", message).at("/merchant"));
    }
    let (from, to) = (&setup.map.site(unit.origin).name, &setup.map.site(here).name);
    if state.free_supply(unit.origin, it.good) == 0 {
        let message = format!("{from} has no free supply of {}", it.good);
        return Err(Refusal::new(Rule::C15_3, "no_free_supply", message).at("/good"));
    }
    if state.free_demand(here, it.good) == 0 {
        let message = format!("{to} has no free demand for {}", it.good);
        return Err(Refusal::new(Rule::C15_3, "no_free_demand", message).at("/good"));
    }
    Ok(())
}

/// DBD-15.3 The route opens. DBD-15.4 The origin is cleared; the merchant stays in play, unless
/// DBD-R70 is read as `consumed`.
pub(super) fn establish_route(ctx: &mut Ctx<'_>, it: &EstablishRoute) -> Verdict {
    check_route(ctx.setup(), ctx.state(), it)?;
    let Some(unit) = ctx.state().unit(it.merchant).copied() else { return Ok(()) };
    let to = ctx.setup().map.place(unit.at).city;
    let route = Route { good: it.good, from: unit.origin, to, owner: it.player };
    let event = Happening::RouteOpened { route: route.into(), merchant: Some(it.merchant) };
    ctx.happen(event.into(), [Rule::C15_3, Rule::C15_1, Rule::C15_2, Rule::C15_4]);
    if ctx.setup().rulings.merchants == Merchants::Consumed {
        let event = Happening::UnitDestroyed {
            unit: unit.id,
            unit_type: unit.kind,
            cause: Cause::Consumed,
            die: None,
        };
        ctx.happen(event.into(), Rule::R70);
    }
    Ok(())
}

/// DBD-15.6 and DBD-15.7 What opens by itself when the phase ends.
pub(super) fn open_routes(ctx: &mut Ctx<'_>, player: Player) {
    for route in own_routes(ctx.setup(), ctx.state(), player) {
        let event = Happening::RouteOpened { route: route.into(), merchant: None };
        ctx.happen(event.into(), [Rule::C15_6, Rule::C15_1, Rule::C15_5]);
    }
    for route in friendly_routes(ctx.setup(), ctx.state(), player) {
        let event = Happening::RouteOpened { route: route.into(), merchant: None };
        ctx.happen(event.into(), [Rule::C15_7, Rule::C15_2]);
    }
}

/// DBD-15.1 Free slots of one good in one city.
#[derive(Clone, Copy, Debug)]
struct Slots {
    city: u8,
    supply: u32,
    demand: u32,
}

/// DBD-15.6 As many routes among his own cities as possible, each supply slot by rising city id to
/// the lowest city that leaves the most for the rest.
pub(super) fn own_routes(setup: &Setup, state: &State, player: Player) -> Vec<Route> {
    let mut routes = Vec::new();
    let cities: Vec<u8> = state.controlled(Some(player)).collect();
    if cities.len() < 2 {
        return routes;
    }
    let used = used_slots(setup, state);
    let mut slots: Vec<Slots> = Vec::with_capacity(cities.len());
    for &good in Good::ALL {
        slots.clear();
        slots.extend(cities.iter().map(|&city| {
            let (supply, demand) = free_slots(state, &used, city, good);
            Slots { city, supply, demand }
        }));
        if slots.iter().all(|it| it.supply == 0) || slots.iter().all(|it| it.demand == 0) {
            continue;
        }
        for from in 0..slots.len() {
            for _ in 0..slots[from].supply {
                let most = possible(&slots);
                let to = (0..slots.len()).find(|&to| {
                    to != from && slots[to].demand > 0 && {
                        let mut after = slots.clone();
                        after[from].supply -= 1;
                        after[to].demand -= 1;
                        possible(&after) + 1 == most
                    }
                });
                let Some(to) = to else { continue };
                slots[from].supply -= 1;
                slots[to].demand -= 1;
                routes.push(Route {
                    good,
                    from: slots[from].city,
                    to: slots[to].city,
                    owner: player,
                });
            }
        }
    }
    routes
}

/// DBD-15.6 The number of routes that can open: the least of all supply, all demand, and for each
/// city what the others supply and demand.
fn possible(slots: &[Slots]) -> u32 {
    let supply: u32 = slots.iter().map(|it| it.supply).sum();
    let demand: u32 = slots.iter().map(|it| it.demand).sum();
    let others = slots.iter().map(|it| (supply - it.supply) + (demand - it.demand)).min();
    supply.min(demand).min(others.unwrap_or(0))
}

/// DBD-15.1 The slots that routes use, by city and good.
fn used_slots(setup: &Setup, state: &State) -> Vec<[(u8, u8); GOODS]> {
    let mut used = vec![[(0, 0); GOODS]; setup.map.sites.len()];
    for route in &state.routes {
        used[usize::from(route.from) - 1][route.good as usize].0 += 1;
        used[usize::from(route.to) - 1][route.good as usize].1 += 1;
    }
    used
}

/// DBD-15.1 The free supply and demand slots of a good in a city.
fn free_slots(state: &State, used: &[[(u8, u8); GOODS]], city: u8, good: Good) -> (u32, u32) {
    let (supply, demand) = used[usize::from(city) - 1][good as usize];
    let lists = state.city(city);
    (
        u32::from(lists.supply[good as usize].saturating_sub(supply)),
        u32::from(lists.demand[good as usize].saturating_sub(demand)),
    )
}

/// DBD-15.7 His remaining supply slots take free demand slots of friendly players.
pub(super) fn friendly_routes(setup: &Setup, state: &State, player: Player) -> Vec<Route> {
    let mut routes = Vec::new();
    if state.treaties[player.index()].is_empty() {
        return routes;
    }
    let mut used = used_slots(setup, state);
    let partners = state.treaties[player.index()];
    let markets: Vec<u8> =
        partners.iter().flat_map(|partner| state.controlled(Some(partner))).collect();
    for from in state.controlled(Some(player)) {
        for &good in Good::ALL {
            for &to in &markets {
                let supply = free_slots(state, &used, from, good).0;
                let demand = free_slots(state, &used, to, good).1;
                for _ in 0..supply.min(demand) {
                    used[usize::from(from) - 1][good as usize].0 += 1;
                    used[usize::from(to) - 1][good as usize].1 += 1;
                    routes.push(Route { good, from, to, owner: player });
                }
            }
        }
    }
    routes
}
