//! DBD-11 Production: recruiting.
//!
//! Must not know what a recruit does, but for the turn in which it does nothing (DBD-R39).

use super::action::Recruit;
use super::action::prince;
use super::notice::Happening;
use super::rulebook::{Arson, ExtraPrice, Recruits, Rule, Shipyards};
use super::setup::Setup;
use super::state::{Stage, State, Term, Unit};
use super::tables::FavorUse;
use super::{Checked, Ctx, Refusal, Verdict, ch05_church, ch19_validity};

/// DBD-11.1 to DBD-11.3 Whether a unit may be recruited.
pub(super) fn check_recruit(setup: &Setup, state: &State, it: &Recruit) -> Checked {
    ch19_validity::check_city_exists(setup, it.city, "/city")?;
    ch19_validity::check_is_asked(state, it.player, Stage::Production)?;
    ch19_validity::check_own_city(setup, state, it.player, it.city)?;
    if it.favor {
        ch05_church::check_holds_favour(state, it.player, FavorUse::ExtraUnit)?;
    }
    check_no_arson(setup, state, it)?;
    check_one_a_turn(setup, state, it)?;
    check_place_and_price(setup, state, it)
}

/// DBD-11.1 One unit a turn in each city. DBD-5.11 The favour allows one more in one city.
fn check_one_a_turn(setup: &Setup, state: &State, it: &Recruit) -> Checked {
    if it.favor || !state.city(it.city).recruited {
        return Ok(());
    }
    let message = format!("{} has recruited this turn", setup.map.site(it.city).name);
    Err(Refusal::new(Rule::C11_1, "recruited_already", message).at("/city"))
}

/// DBD-11.2 The price is paid at once; ships only in a port.
fn check_place_and_price(setup: &Setup, state: &State, it: &Recruit) -> Checked {
    let dry = setup.rulings.shipyards == Shipyards::Ports && !setup.map.site(it.city).port;
    if it.unit_type.is_ship() && dry {
        let message =
            format!("{} is not a port; no ship is built there", setup.map.site(it.city).name);
        let refusal = Refusal::new(Rule::C11_2, "no_port", message).also(Rule::R38);
        return Err(refusal.at("/unit_type"));
    }
    let (price, gold) = (price_of(setup, it), state.gold(it.player));
    if gold < price {
        let message =
            format!("{} costs {price}, {} has {gold} gold", it.unit_type, prince(it.player));
        let mut refusal = Refusal::new(Rule::C11_2, "too_dear", message).at("/unit_type");
        if it.favor {
            refusal = refusal.also(Rule::C5_11).also(Rule::R24);
        }
        return Err(refusal.fact(format!("gold of {}", prince(it.player)), gold));
    }
    Ok(())
}

/// DBD-11.2 The price of a recruit; DBD-5.11 with DBD-R24 read as `free`, the one of the favour costs nothing.
pub(super) fn price_of(setup: &Setup, it: &Recruit) -> u32 {
    match it.favor && setup.rulings.extra_price == ExtraPrice::Free {
        true => 0,
        false => it.unit_type.cost(),
    }
}

/// DBD-11.3 Not in a city under arson, by favour neither, unless DBD-R81 is read as `favour_exempt`.
fn check_no_arson(setup: &Setup, state: &State, it: &Recruit) -> Checked {
    let city = it.city;
    let term = state.city(city).no_recruits;
    let exempt = it.favor && setup.rulings.arson == Arson::FavourExempt;
    if exempt || !state.in_force(term) {
        return Ok(());
    }
    let Term { last, of } = term;
    let whose = of.map_or(String::new(), |player| {
        format!("the main turn of {player} in ", player = prince(player))
    });
    let message =
        format!("{} recruits nobody up to {whose}round {last}", setup.map.site(city).name);
    let refusal = Refusal::new(Rule::C11_3, "city_under_arson", message).at("/city");
    let refusal = if of.is_some() { refusal.also(Rule::R4) } else { refusal };
    let refusal = if it.favor { refusal.also(Rule::R81) } else { refusal };
    Err(refusal.fact("last round of the arson", last))
}

/// DBD-11.4 The unit stands in the city at once.
pub(super) fn recruit_unit(ctx: &mut Ctx<'_>, it: &Recruit) -> Verdict {
    check_recruit(ctx.setup(), ctx.state(), it)?;
    let created = Happening::UnitCreated {
        unit: ctx.state().next_unit,
        unit_type: it.unit_type,
        owner: Some(it.player),
        at: ctx.setup().map.place(ctx.setup().map.site(it.city).at).hex,
        price: price_of(ctx.setup(), it),
        extra: it.favor,
    };
    if it.favor {
        let used =
            Happening::FavorUsed { player: it.player, r#use: FavorUse::ExtraUnit, die: None };
        ctx.happen(used.into(), [Rule::C5_11, Rule::C5_6]);
        ctx.happen(created.into(), [Rule::C5_11, Rule::C11_2, Rule::C11_4, Rule::R24]);
    } else {
        ctx.happen(created.into(), [Rule::C11_1, Rule::C11_2, Rule::C11_4]);
    }
    Ok(())
}

/// DBD-11.4 With DBD-R39 read as `next_turn`, what was recruited this turn takes no order.
pub(super) fn must_wait(setup: &Setup, unit: &Unit) -> bool {
    setup.rulings.recruits == Recruits::NextTurn && unit.fresh
}

/// DBD-11.4 None of the units has to wait for the next turn.
pub(super) fn check_not_fresh(
    setup: &Setup,
    state: &State,
    units: impl IntoIterator<Item = u32>,
) -> Checked {
    for id in units {
        if state.unit(id).is_some_and(|unit| must_wait(setup, unit)) {
            let message = format!("{} was recruited this turn", state.unit_title(id));
            return Err(Refusal::new(Rule::C11_4, "recruited_this_turn", message).also(Rule::R39));
        }
    }
    Ok(())
}
