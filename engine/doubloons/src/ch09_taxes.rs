//! DBD-9 Taxation: what the cities of a player pay.
//!
//! Must not know routes.

use super::Ctx;
use super::action::Player;
use super::notice::Happening;
use super::rulebook::{Governors, HomeTax, Masters, Rule};
use super::setup::Setup;
use super::state::{State, Unit};
use super::tables::Kind;

/// DBD-9.1 The cities a player controls pay.
pub(super) fn collect_taxes(ctx: &mut Ctx<'_>, player: Player) {
    let gold = taxes(ctx.setup(), ctx.state(), player);
    ctx.happen(
        Happening::Taxes { player, gold }.into(),
        [Rule::C9_1, Rule::C9_2, Rule::C9_3, Rule::C9_4],
    );
}

/// DBD-9.1 What the cities of a player would pay now.
pub(super) fn taxes(setup: &Setup, state: &State, player: Player) -> u32 {
    let cities = state.controlled(Some(player));
    cities.map(|city| tax_of(setup, state, player, city)).fold(0, u32::saturating_add)
}

/// DBD-9.1, DBD-9.4 What a city pays now.
fn tax_of(setup: &Setup, state: &State, player: Player, city: u8) -> u32 {
    if has_no_income(state, city) { 0 } else { full_tax(setup, state, player, city) }
}

/// DBD-9.1 One gold, three from the own home city.
pub(super) fn full_tax(setup: &Setup, state: &State, player: Player, city: u8) -> u32 {
    let base = match setup.rulings.home_tax {
        _ if setup.home(player) != city => 1,
        HomeTax::TotalThree => 3,
        HomeTax::TotalFour => 4,
    };
    let masters = match setup.rulings.masters {
        Masters::AddUp => state.city(city).masters,
        Masters::Once => state.city(city).masters.min(1),
    };
    masters.saturating_add(base + governor_bonus(setup, state, player, city))
}

/// DBD-9.3 One more with a governor of his in the city.
fn governor_bonus(setup: &Setup, state: &State, player: Player, city: u8) -> u32 {
    let at = setup.map.site(city).at;
    let own = state.units_at(at).filter(|unit| unit.owner == Some(player));
    let governs = |unit: &&Unit| unit.kind == Kind::Governor && !state.is_off_duty(setup, unit);
    let governors = own.filter(governs).count() as u32;
    match setup.rulings.governors {
        Governors::One => governors.min(1),
        Governors::Each => governors,
    }
}

/// DBD-9.4 A city without income gives nothing, bonuses included.
pub(super) fn has_no_income(state: &State, city: u8) -> bool {
    state.in_force(state.city(city).no_income)
}
