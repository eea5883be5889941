//! DBD-10 Trade revenue: what the routes of a player pay.
//!
//! Must not open a route.

use super::Ctx;
use super::action::Player;
use super::ch09_taxes::has_no_income;
use super::notice::Happening;
use super::rulebook::{Clash, FirstPay, Friends, Income, Rule};
use super::setup::Setup;
use super::state::{Route, State};

/// DBD-10.1 The routes a player owns pay. DBD-10.4 A route opened later in the turn pays from the
/// next time on, because this comes first.
pub(super) fn collect_revenue(ctx: &mut Ctx<'_>, player: Player) {
    let (setup, state) = (ctx.setup(), ctx.state());
    let earns = state.routes.iter().filter(|route| is_paid(setup, state, route, player));
    let gold = earns.map(|route| revenue_of(setup, state, route)).sum();
    ctx.happen(
        Happening::TradeRevenue { player, gold }.into(),
        [Rule::C10_1, Rule::C10_2, Rule::C10_3, Rule::C10_4],
    );
}

/// DBD-10.1 The owner is paid; with DBD-R73 read as `both`, so is the prince of the demand city.
fn is_paid(setup: &Setup, state: &State, route: &Route, player: Player) -> bool {
    let partner =
        setup.rulings.friends == Friends::Both && state.city(route.to).control == Some(player);
    route.owner == player || partner
}

/// DBD-10.4 With DBD-R37 read as `at_once`, a route pays when it opens, too.
pub(super) fn pay_new_route(ctx: &mut Ctx<'_>, route: &Route) {
    if ctx.setup().rulings.first_pay == FirstPay::NextPhase {
        return;
    }
    let (setup, state) = (ctx.setup(), ctx.state());
    let gold = revenue_of(setup, state, route);
    let paid: Vec<Player> =
        state.playing.iter().filter(|&it| gold > 0 && is_paid(setup, state, route, it)).collect();
    for player in paid {
        let event = Happening::TradeRevenue { player, gold };
        ctx.happen(event.into(), [Rule::C10_4, Rule::R37, Rule::C10_1, Rule::C10_2, Rule::C10_3]);
    }
}

/// DBD-10.2 One gold, two under scarcity (with DBD-R107 read as `each_doubles`, doubled by each), none under surplus; DBD-R14 says
/// what it is under both.
fn revenue_of(setup: &Setup, state: &State, route: &Route) -> u32 {
    let marks = &state.goods[route.good as usize];
    let scarcities = state.scarcities(route.good);
    let surplus = state.in_force(marks.surplus);
    if is_blocked(setup, state, route) {
        return 0;
    }
    let scarce = 1 << scarcities.min(20);
    if !surplus || scarcities == 0 {
        return if surplus { 0 } else { scarce };
    }
    match setup.rulings.clash {
        Clash::SurplusWins => 0,
        Clash::CancelOut => 1,
        Clash::LaterWins => {
            let longer = marks.surplus.longer(marks.scarcity) != marks.surplus;
            if longer { scarce } else { 0 }
        }
    }
}

/// DBD-10.3 Nothing while either end has no income.
fn is_blocked(setup: &Setup, state: &State, route: &Route) -> bool {
    let (from, to) = (has_no_income(state, route.from), has_no_income(state, route.to));
    match setup.rulings.no_income {
        Income::EitherEnd => from || to,
        Income::SupplyEnd => from,
        Income::TaxOnly => false,
    }
}
