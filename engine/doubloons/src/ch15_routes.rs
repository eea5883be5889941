//! DBD-15 Trade routes: those of merchants, and those that open by themselves.
//!
//! Must not pay for a route. DBD-15.8 (routes that end) is `ch17_control::pass_control` and
//! `ch06_trading::end_treaty`.

use super::action::{EndRoute, EstablishRoute, Player, prince};
use super::ch01_terms::stopped_by;
use super::ch10_revenue::pay_new_route;
use super::notice::{Cause, Happening};
use super::rulebook::{EndingRoutes, FriendlyRoutes, Merchants, OwnRoutes, Rule, Sharing};
use super::setup::Setup;
use super::state::{Route, Stage, State};
use super::tables::{GOODS, Good};
use super::{Checked, Ctx, Refusal, Verdict, ch11_production, ch19_validity};
use umpire_core::rules::Cites;

/// DBD-15.3 Whether a merchant may open a route.
pub(super) fn check_route(setup: &Setup, state: &State, it: &EstablishRoute) -> Checked<Route> {
    match (it.merchant, it.from, it.to) {
        (Some(merchant), None, None) => check_merchants_route(setup, state, it, merchant),
        (None, Some(from), Some(to)) if may_choose(setup) => {
            check_chosen_route(setup, state, it, from, to)
        }
        _ => {
            let message = "a route is opened by a merchant, who is named alone".to_owned();
            let refusal = ch19_validity::ill_formed(state, message, "/merchant");
            Err(refusal.also(Rule::R72).also(Rule::R95))
        }
    }
}

/// DBD-15.6, DBD-15.7 Whether a player may open routes himself that need no merchant.
pub(super) fn may_choose(setup: &Setup) -> bool {
    let own = setup.rulings.own_routes == OwnRoutes::OwnerFirst;
    own || setup.rulings.friendly_routes == FriendlyRoutes::ByChoice
}

/// DBD-15.6, DBD-15.7 With DBD-R72 read as `owner_first`, a route among his own cities or to one of a friend; with DBD-R95 read as
/// `by_choice`, one to a city of a friend.
fn check_chosen_route(
    setup: &Setup,
    state: &State,
    it: &EstablishRoute,
    from: u8,
    to: u8,
) -> Checked<Route> {
    ch19_validity::check_city_exists(setup, from, "/from")?;
    ch19_validity::check_city_exists(setup, to, "/to")?;
    ch19_validity::check_is_asked(state, it.player, Stage::Routes)?;
    let refuse = |code, message: String, at: &str| {
        let refusal = Refusal::new(Rule::C15_3, code, message).also(Rule::R72).also(Rule::R95);
        Err(refusal.at(at))
    };
    let (supplier, market) = (&setup.map.site(from).name, &setup.map.site(to).name);
    if state.city(from).control != Some(it.player) {
        let message = format!("{} does not control {supplier}", prince(it.player));
        return refuse("no_origin", message, "/from");
    }
    let friend = |other: Player| state.are_friends(it.player, other);
    let open = match state.city(to).control {
        Some(owner) if owner == it.player => {
            from != to && setup.rulings.own_routes == OwnRoutes::OwnerFirst
        }
        Some(owner) => friend(owner),
        None => false,
    };
    if !open {
        let message = format!("no route opens from {supplier} to {market} without a merchant");
        return refuse("no_market", message, "/to");
    }
    let route = Route { good: it.good, from, to, owner: it.player };
    check_slots(setup, state, &route)?;
    Ok(route)
}

/// DBD-15.3 Whether a merchant may open a route.
fn check_merchants_route(
    setup: &Setup,
    state: &State,
    it: &EstablishRoute,
    merchant: u32,
) -> Checked<Route> {
    ch19_validity::check_unit_exists(state, merchant, "/merchant")?;
    ch19_validity::check_is_asked(state, it.player, Stage::Routes)?;
    ch19_validity::check_own_unit(state, it.player, merchant, "/merchant")?;
    ch11_production::check_not_fresh(setup, state, [merchant])?;
    let route = check_merchant(setup, state, it, merchant)?;
    check_slots(setup, state, &route)?;
    Ok(route)
}

/// DBD-15.3 An own merchant, not held, in a neutral city; its origin his.
fn check_merchant(
    setup: &Setup,
    state: &State,
    it: &EstablishRoute,
    merchant: u32,
) -> Checked<Route> {
    let Some(unit) = state.unit(merchant) else {
        return Err(ch19_validity::ill_formed(state, "no such merchant".to_owned(), "/merchant"));
    };
    let here = setup.map.place(unit.at).city;
    if !unit.kind.is_merchant() {
        let message = format!("{} is not a merchant", unit.title());
        return Err(Refusal::new(Rule::C15_3, "no_merchant", message).at("/merchant"));
    }
    if state.is_idle(setup, unit) {
        let (message, rules) = stopped_by(setup, state, unit);
        let refusal = Refusal::new(Rule::C15_3, "held", message).at("/merchant");
        return Err(ch19_validity::decided_by(refusal, rules));
    }
    if here == 0 || state.city(here).control.is_some() {
        let message = format!("{} is in no neutral city", unit.title());
        return Err(Refusal::new(Rule::C15_3, "not_in_neutral_city", message).at("/merchant"));
    }
    if unit.origin == 0 || state.city(unit.origin).control != Some(it.player) {
        let message =
            format!("{} does not come from a city of {}", unit.title(), prince(it.player));
        let refusal = Refusal::new(Rule::C15_3, "no_origin", message).at("/merchant");
        return Err(refusal.also(Rule::C15_4).also(Rule::R100));
    }
    Ok(Route { good: it.good, from: unit.origin, to: here, owner: it.player })
}

/// DBD-15.3 A slot is free at both ends. DBD-19.9 If a route of one's own uses it, that is said, too.
fn check_slots(setup: &Setup, state: &State, route: &Route) -> Checked {
    let &Route { good, from, to, owner } = route;
    let own = |uses: &dyn Fn(&Route) -> bool| {
        state.routes.iter().find(|it| it.good == good && it.owner == owner && uses(it))
    };
    let refuse = |code, message: String, used_by: Option<&Route>| {
        let refusal = Refusal::new(Rule::C15_3, code, message).at("/good");
        Err(match used_by.map(|used| state.city(used.to).control) {
            None => refusal,
            Some(None) => refusal.also(Rule::R96),
            Some(Some(other)) if other == owner => refusal.also(Rule::C15_6).also(Rule::R96),
            Some(Some(_)) => refusal.also(Rule::C15_7).also(Rule::R95).also(Rule::R96),
        })
    };
    if state.free_supply(from, good) == 0 {
        let message = format!("{} has no free supply of {good}", setup.map.site(from).name);
        return refuse("no_free_supply", message, own(&|it| it.from == from));
    }
    if state.free_demand(setup, to, good, owner) == 0 {
        let message = format!("{} has no free demand for {good}", setup.map.site(to).name);
        let used = own(&|it| it.to == to);
        let shared =
            state.routes.iter().any(|it| it.good == good && it.to == to && it.owner != owner);
        let refused = refuse("no_free_demand", message, used);
        return refused.map_err(|it| if shared { it.also(Rule::R71) } else { it });
    }
    Ok(())
}

/// DBD-15.3 The route opens. DBD-15.4 The origin is cleared; the merchant stays in play, unless
/// DBD-R70 is read as `consumed`.
pub(super) fn establish_route(ctx: &mut Ctx<'_>, it: &EstablishRoute) -> Verdict {
    let route = check_route(ctx.setup(), ctx.state(), it)?;
    let Some(unit) = it.merchant.and_then(|merchant| ctx.state().unit(merchant)).copied() else {
        open_route(ctx, route, None, [Rule::C15_3, Rule::R72, Rule::R95, Rule::C15_1]);
        return Ok(());
    };
    open_route(ctx, route, it.merchant, [Rule::C15_3, Rule::C15_1, Rule::C15_2, Rule::C15_4]);
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

/// DBD-15.1 A route opens; DBD-10.4 says whether it pays at once.
fn open_route(
    ctx: &mut Ctx<'_>,
    route: Route,
    merchant: Option<u32>,
    rules: impl Into<Cites<Rule>>,
) {
    ctx.happen(Happening::RouteOpened { route: route.into(), merchant }.into(), rules);
    pay_new_route(ctx, &route);
}

/// DBD-15.8 Whether a player may end a route: with DBD-R96 read as `owner_may` his own ones.
pub(super) fn check_end(setup: &Setup, state: &State, it: &EndRoute) -> Checked<Route> {
    ch19_validity::check_city_exists(setup, it.from, "/from")?;
    ch19_validity::check_city_exists(setup, it.to, "/to")?;
    ch19_validity::check_is_asked(state, it.player, Stage::Routes)?;
    let route = Route { good: it.good, from: it.from, to: it.to, owner: it.player };
    let (from, to) = (&setup.map.site(it.from).name, &setup.map.site(it.to).name);
    if !state.routes.contains(&route) {
        let message =
            format!("{} has no route of {} from {from} to {to}", prince(it.player), it.good);
        return Err(Refusal::new(Rule::C15_8, "no_such_route", message).also(Rule::R96));
    }
    if setup.rulings.ending_routes == EndingRoutes::Never {
        let message = "nobody can end a route at will".to_owned();
        return Err(Refusal::new(Rule::C15_8, "route_stays", message).also(Rule::R96));
    }
    Ok(route)
}

/// DBD-15.8 The owner ends a route.
pub(super) fn end_route(ctx: &mut Ctx<'_>, it: &EndRoute) -> Verdict {
    let route = check_end(ctx.setup(), ctx.state(), it)?;
    ctx.happen(Happening::RouteEnded { route: route.into() }.into(), [Rule::C15_8, Rule::R96]);
    Ok(())
}

/// DBD-15.6 and DBD-15.7 What opens by itself when the phase ends.
pub(super) fn open_routes(ctx: &mut Ctx<'_>, player: Player) {
    for route in own_routes(ctx.setup(), ctx.state(), player) {
        open_route(ctx, route, None, [Rule::C15_6, Rule::C15_1, Rule::C15_5, Rule::R72]);
    }
    if ctx.setup().rulings.friendly_routes == FriendlyRoutes::Always {
        for route in friendly_routes(ctx.setup(), ctx.state(), player) {
            open_route(ctx, route, None, [Rule::C15_7, Rule::C15_2, Rule::R95]);
        }
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
    let used = used_slots(setup, state, player);
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

/// DBD-15.1 The slots that routes use, by city and good; with DBD-R71 read as `per_owner`, of the demand slots those that routes of
/// this player use.
fn used_slots(setup: &Setup, state: &State, player: Player) -> Vec<[(u8, u8); GOODS]> {
    let shared = setup.rulings.sharing == Sharing::PerOwner;
    let mut used = vec![[(0, 0); GOODS]; setup.map.sites.len()];
    for route in &state.routes {
        used[usize::from(route.from) - 1][route.good as usize].0 += 1;
        if !shared || route.owner == player {
            used[usize::from(route.to) - 1][route.good as usize].1 += 1;
        }
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
    let mut used = used_slots(setup, state, player);
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
