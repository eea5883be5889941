//! What stands on the map: cities, units, routes.
//!
//! Must not repair anything, like `table.rs`.

use super::super::action::prince;
use super::data::Position;
use super::table::{check_in_game, check_number, check_reading};
use crate::action::Player;
use crate::rulebook::{
    CeasingRoutes, ChurchHold, GarrisonTime, GoodsTime, Lasting, NewPrince, Origins, Pace, Rule,
    Sharing,
};
use crate::setup::{Setup, slots};
use crate::state::{City, CityGoods, Route, State, Term, Unit};
use crate::view::UnitView;
use crate::{Checked, Refusal, ch19_validity};

/// Invariant 9: cities, with the marks that are still in force.
pub(super) fn load_cities(setup: &Setup, state: &mut State, it: &Position) -> Checked {
    for player in setup.all().filter(|&player| !state.playing.contains(player)) {
        state.cities[usize::from(setup.home(player)) - 1].control = None;
    }
    for (number, given) in it.cities.iter() {
        let at = || format!("/cities/{number}");
        ch19_validity::check_city_exists(setup, *number, "").map_err(|it| it.at(at()))?;
        if let Some(player) = given.control.flatten()
            && !(setup.has(player) && state.playing.contains(player))
        {
            let message = format!(
                "{player} is not in the game and controls city {number}",
                player = prince(player)
            );
            return Err(Refusal::new(Rule::C19_2, "bad_control", message)
                .at(at())
                .invariant(9)
                .public());
        }
        let lists = slots(&given.supply).zip(slots(&given.demand));
        let Some((supply, demand)) = lists else {
            return Err(Refusal::new(Rule::C19_2, "too_many_slots", "too many slots of a good")
                .at(at())
                .public());
        };
        let mark = |until: u32, of: Option<Player>, field: &str| {
            let at = || format!("{}/{field}_turn_of", at());
            load_term(setup, it.round, until, of, at)
        };
        let no_income = mark(given.no_income_until, given.no_income_turn_of, "no_income")?;
        let no_recruits = mark(given.no_recruit_until, given.no_recruit_turn_of, "no_recruit")?;
        let protected = mark(given.protected_until, given.protected_turn_of, "protected")?;
        let city = &mut state.cities[usize::from(*number) - 1];
        *city = City {
            control: given.control.unwrap_or(city.control),
            masters: given.masters,
            no_income,
            no_recruits,
            protected,
            recruited: given.recruited,
            negotiated: given.negotiated,
            supply,
            demand,
            goods: if given.goods_unthrown { CityGoods::Unthrown } else { CityGoods::Thrown },
            garrison_unthrown: given.garrison_unthrown,
        };
        if given.goods_unthrown {
            let on = setup.rulings.goods_time == GoodsTime::FirstReached;
            check_reading(on, Rule::R6, || format!("{}/goods_unthrown", at()))?;
        }
        if given.garrison_unthrown {
            let on = setup.rulings.garrison_time == GarrisonTime::FirstMet;
            check_reading(on, Rule::R8, || format!("{}/garrison_unthrown", at()))?;
        }
    }
    Ok(())
}

/// DBD-1.3 A mark that is still in force; whose main turn ends it matters only under DBD-R4 =
/// `main_turns`.
fn load_term(
    setup: &Setup,
    round: u32,
    last: u32,
    of: Option<Player>,
    at: impl Fn() -> String,
) -> Checked<Term> {
    if let Some(player) = of {
        ch19_validity::check_player_exists(setup, player, "").map_err(|it| it.at(at()))?;
        if setup.rulings.lasting == Lasting::Rounds {
            let message = "effects are counted in main turns only under another reading";
            let refusal = Refusal::new(Rule::C19_2, "counted_in_rounds", message);
            return Err(refusal.also(Rule::R4).at(at()).public());
        }
    }
    Ok(if last < round { Term::NONE } else { Term { last, of } })
}

/// Invariants 2 and 15: units by rising number.
pub(super) fn load_units(setup: &Setup, state: &mut State, it: &Position) -> Checked {
    let mut order: Vec<usize> = (0..it.units.len()).collect();
    order.sort_by_key(|&at| it.units[at].id);
    for place in order {
        let given = &it.units[place];
        let pointer = |field: &str| format!("/units/{place}/{field}");
        let at = ch19_validity::check_hex_exists(setup, given.at, "")
            .map_err(|refusal| refusal.at(pointer("at")))?;
        if let Some(owner) = given.owner {
            check_in_game(setup, state, owner, "")
                .map_err(|refusal| refusal.at(pointer("owner")))?;
        }
        let twice = state.units.last().is_some_and(|last| last.id == given.id);
        if given.id == 0 || given.id == u32::MAX || twice {
            let message = format!("unit number {} is used twice or cannot be", given.id);
            return Err(Refusal::new(Rule::C19_2, "bad_unit_id", message)
                .at(pointer("id"))
                .invariant(2)
                .public());
        }
        let points = given.points.unwrap_or(given.kind.points());
        if points > given.kind.points() {
            let message = format!("{} has at most {} points", given.kind, given.kind.points());
            return Err(Refusal::new(Rule::C19_2, "too_many_points", message)
                .at(pointer("points"))
                .invariant(15)
                .public());
        }
        let mut unit = Unit::new(given.id, given.kind, given.owner, at);
        unit.points = points;
        unit.moved = given.moved;
        unit.attacked = given.attacked;
        unit.fresh = given.fresh;
        unit.embarked = given.embarked;
        let at = || pointer("held_turn_of");
        unit.held = load_term(setup, it.round, given.held_until, given.held_turn_of, at)?;
        unit.aboard = given.aboard.unwrap_or(0);
        if given.marched {
            let on = setup.rulings.pace == Pace::Slowest;
            check_reading(on, Rule::R50, || pointer("marched"))?;
            state.marched.push(unit.id);
        }
        if given.pinned_until > 0 {
            let on = setup.rulings.church_hold == ChurchHold::MoveAndAttack;
            check_reading(on, Rule::R85, || pointer("pinned_until"))?;
            let at = || pointer("pinned_turn_of");
            let pin = load_term(setup, it.round, given.pinned_until, given.pinned_turn_of, at)?;
            if pin != Term::NONE {
                state.pins.push((unit.id, pin));
            }
        }
        load_recruited_in(setup, state, &mut unit, given, &|| pointer("recruited_in"))?;
        let usual = state.usual_origin(setup, &unit);
        unit.origin = if usual > 0 { usual } else { given.origin.unwrap_or(0) };
        if unit.origin > 0 {
            ch19_validity::check_city_exists(setup, unit.origin, "")
                .map_err(|refusal| refusal.at(pointer("origin")))?;
            if !unit.kind.is_merchant() {
                let message = format!("{} has no origin", unit.kind);
                return Err(Refusal::new(Rule::C19_2, "bad_origin", message)
                    .at(pointer("origin"))
                    .public());
            }
        }
        state.units.push(unit);
    }
    let last = state.units.last().map_or(0, |unit| unit.id);
    state.next_unit = check_number(it.next_unit.max(last.saturating_add(1)), "/next_unit")?;
    Ok(())
}

/// DBD-15.4 With DBD-R100 read as `recruited`, the city that recruited a merchant; where it is left out, its origin or the city of
/// its owner in which it stands.
fn load_recruited_in(
    setup: &Setup,
    state: &State,
    unit: &mut Unit,
    given: &UnitView,
    at: &dyn Fn() -> String,
) -> Checked {
    let on = setup.rulings.origins == Origins::Recruited && unit.kind.is_merchant();
    if let Some(city) = given.recruited_in {
        check_reading(on, Rule::R100, at)?;
        ch19_validity::check_city_exists(setup, city, "").map_err(|refusal| refusal.at(at()))?;
    }
    if on {
        let city = setup.map.place(unit.at).city;
        let own = city > 0 && unit.owner.is_some() && state.city(city).control == unit.owner;
        let here = if own { city } else { 0 };
        unit.recruited_in = given.recruited_in.or(given.origin).unwrap_or(here);
    }
    Ok(())
}

/// Invariants 10 and 11: routes, with the slots that they need.
pub(super) fn load_routes(setup: &Setup, state: &mut State, it: &Position) -> Checked {
    for (at, &line) in it.routes.iter().enumerate() {
        let pointer = format!("/routes/{at}");
        let route = Route::from(line);
        for city in [route.from, route.to] {
            ch19_validity::check_city_exists(setup, city, &pointer)?;
        }
        ch19_validity::check_player_exists(setup, route.owner, &pointer)?;
        if route.from == route.to {
            let message = "a route joins two different cities".to_owned();
            return Err(Refusal::new(Rule::C19_2, "route_to_itself", message)
                .at(pointer)
                .invariant(10)
                .public());
        }
        let moved_on = setup.rulings.new_prince == NewPrince::NeutralOnly;
        if setup.rulings.ceasing == CeasingRoutes::ToIt || moved_on {
            check_in_game(setup, state, route.owner, &pointer)?;
        } else if state.city(route.from).control != Some(route.owner) {
            let message = format!("{} does not control city {}", route.owner, route.from);
            return Err(Refusal::new(Rule::C19_2, "route_from_elsewhere", message)
                .at(pointer)
                .invariant(10)
                .public());
        }
        let other = state.city(route.to).control.filter(|&other| other != route.owner);
        if !moved_on && other.is_some_and(|other| !state.are_friends(route.owner, other)) {
            let message = format!("city {} is not a market for {}", route.to, route.owner);
            return Err(Refusal::new(Rule::C19_2, "route_to_an_enemy", message)
                .at(pointer)
                .invariant(11)
                .public());
        }
        state.routes.push(route);
        let used = |state: &State, fits: &dyn Fn(&Route) -> bool| {
            state.routes.iter().filter(|it| it.good == route.good && fits(it)).count() as u8
        };
        let supply = used(state, &|it| it.from == route.from);
        let shared = setup.rulings.sharing == Sharing::PerOwner;
        let demand = used(state, &|it| it.to == route.to && (!shared || it.owner == route.owner));
        if supply == u8::MAX || demand == u8::MAX {
            return Err(Refusal::new(Rule::C19_2, "too_many_routes", "too many routes")
                .at(pointer)
                .invariant(10)
                .public());
        }
        let slot = &mut state.cities[usize::from(route.from) - 1].supply[route.good as usize];
        *slot = (*slot).max(supply);
        let slot = &mut state.cities[usize::from(route.to) - 1].demand[route.good as usize];
        *slot = (*slot).max(demand);
    }
    Ok(())
}
