//! DBD-17 Control of cities: occupation, change, turning neutral.
//!
//! Must not ask why a city changes hands. DBD-17.7 is `State::is_home`.

use super::action::Player;
use super::ch03_setup::raise_unit;
use super::ch19_validity::chance::{Stream, throw_die};
use super::notice::Happening;
use super::rulebook::{CeasingRoutes, NewPrince, Occupation, Rule, TurnedCity};
use super::setup::Setup;
use super::state::{Route, Unit};
use super::tables::Kind;
use super::{Ctx, Verdict};
use umpire_core::rules::Cites;

/// DBD-17.4 Which units of the former controller turn neutral with a city.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Turning {
    /// His troops.
    Troops,
    /// All his units there.
    Everybody,
}

/// DBD-17.2 Whether a unit that enters a city occupies it: every military one, with DBD-R76 read otherwise no ships, and no cannon.
pub(super) fn occupies(setup: &Setup, unit: &Unit) -> bool {
    let barred = match setup.rulings.occupation {
        Occupation::AnyMilitary => false,
        Occupation::LandOnly => unit.kind.is_ship(),
        Occupation::FootAndHorse => unit.kind.is_ship() || unit.kind == Kind::Cannon,
    };
    unit.is_military() && !barred
}

/// DBD-17.2 A military unit enters a city its owner does not control.
pub(super) fn occupy_city(ctx: &mut Ctx<'_>, player: Player, city: u8) {
    pass_control(ctx, city, Some(player), [Rule::C17_2, Rule::C13_10, Rule::C17_3]);
}

/// DBD-17.3 Control changes: the routes at the city end (DBD-15.8), its marks and slots stay.
pub(super) fn pass_control(
    ctx: &mut Ctx<'_>,
    city: u8,
    to: Option<Player>,
    rules: impl Into<Cites<Rule>>,
) {
    let from = ctx.state().city(city).control;
    if from == to {
        return;
    }
    ctx.happen(Happening::CityControl { city, from, to }.into(), rules);
    if ctx.setup().rulings.new_prince == NewPrince::NeutralOnly && from.is_some() {
        pass_routes(ctx, city, to);
        return;
    }
    let (setup, state) = (ctx.setup(), ctx.state());
    let routes = state.routes.iter().filter(|it| ceases(setup, it, city));
    let ended: Vec<_> = routes.copied().collect();
    for route in ended {
        let rules = Cites::from([Rule::C15_8, Rule::C17_3]);
        // Another reading would leave a route that leads from the city.
        let rules = if route.to == city { rules } else { rules.and(Rule::R83) };
        let rules = if from.is_some() { rules.and(Rule::R74) } else { rules };
        ctx.happen(Happening::RouteEnded { route: route.into() }.into(), rules);
    }
}

/// DBD-15.8 With DBD-R74 read as `neutral_only`, routes from a city that a player loses pass to its new controller, or end if it
/// has none; with DBD-R83 read as `to_it` they stay as they are.
fn pass_routes(ctx: &mut Ctx<'_>, city: u8, to: Option<Player>) {
    if ctx.setup().rulings.ceasing == CeasingRoutes::ToIt {
        return;
    }
    let routes = ctx.state().routes.iter().filter(|route| route.from == city);
    let passed: Vec<Route> = routes.copied().collect();
    for route in passed {
        let rules = [Rule::C15_8, Rule::C17_3, Rule::R74];
        ctx.happen(Happening::RouteEnded { route: route.into() }.into(), rules);
        if let Some(owner) = to {
            let route = Route { owner, ..route }.into();
            ctx.happen(Happening::RouteOpened { route, merchant: None }.into(), rules);
        }
    }
}

/// DBD-15.8 Whether a route ends when a city changes hands: every one with an end there; with DBD-R83
/// read as `to_it` only one that leads to it.
fn ceases(setup: &Setup, route: &Route, city: u8) -> bool {
    let from_it = setup.rulings.ceasing == CeasingRoutes::Every && route.from == city;
    from_it || route.to == city
}

/// DBD-17.4 A city turns neutral, with the troops of its controller; militia appear where no troops
/// are left.
pub(super) fn turn_neutral(ctx: &mut Ctx<'_>, city: u8, turning: Turning, rule: Rule) -> Verdict {
    let former = ctx.state().city(city).control;
    let at = ctx.setup().map.site(city).at;
    pass_control(ctx, city, None, [rule, Rule::C17_4, Rule::C17_3]);
    let there = ctx.state().units_at(at).filter(|unit| unit.owner == former);
    let turned: Vec<u32> = there
        .filter(|unit| turning == Turning::Everybody || unit.is_military())
        .map(|unit| unit.id)
        .collect();
    for unit in turned {
        ctx.happen(Happening::UnitChangedOwner { unit, owner: None }.into(), [Rule::C17_4, rule]);
    }
    let guarded = ctx.state().units_at(at).any(|unit| unit.owner.is_none() && unit.is_military());
    let raised = match ctx.setup().rulings.turned {
        TurnedCity::Roll => !guarded,
        TurnedCity::Nothing => false,
        TurnedCity::Always => true,
    };
    if raised {
        let count = throw_die(ctx, Stream::NewGarrison, 6, Rule::C17_4)?;
        for _ in 0..count {
            raise_unit(ctx, Kind::Militia, None, at, [Rule::C17_4, Rule::R18]);
        }
    }
    Ok(())
}
