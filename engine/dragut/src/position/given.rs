//! Units, tokens and an unfinished arrival, as a position gives them.
//!
//! Must not repair anything: what is left out has its stated default, what is stated must hold.

use super::data::{CODE, Position};
use crate::action::Side;
use crate::ch01_terms::check_place;
use crate::ch12_information::token_name;
use crate::rulebook::{Combats, Fleeing, LastPirates, Liberation, Rule, Survivors};
use crate::setup::{PIRATE_UNITS, Setup, UnitKind};
use crate::state::{Arrival, Place, Stage, State, Unit, Units};
use crate::view::{ArrivalView, UnitView};
use crate::{Checked, Refusal, ch06_combat, ch11_end};
use umpire_core::wire::Name;

/// Where the units are; a Rapalline unit that is left out is in `porta_santantonio`.
pub(super) fn load_units(setup: &Setup, state: &mut State, position: &Position) -> Checked {
    let mut given = Units::NONE;
    for (id, unit) in &position.units.0 {
        given.insert(load_unit(setup, state, id, unit)?);
    }
    if state.stage == Stage::Deploy {
        return Ok(());
    }
    let home = Name::new("porta_santantonio").and_then(|id| setup.area(&id));
    for unit in setup.deployable().minus(given).iter() {
        let Some(home) = home else {
            let message =
                format!("{} has no place: the map has no porta_santantonio", setup.unit_id(unit));
            return Err(Refusal::new(Rule::C1_1, CODE, message).at("/units"));
        };
        state.place[unit.index()] = Place::on(home);
    }
    Ok(())
}

/// One unit. Gives back which.
fn load_unit(setup: &Setup, state: &mut State, id: &Name, given: &UnitView) -> Checked<Unit> {
    let pointer = |field: &str| format!("/units/{id}/{field}");
    let Some(unit) = setup.unit(id) else {
        let message = format!("{id} is not a unit");
        return Err(Refusal::new(Rule::C13_3, CODE, message).at(format!("/units/{id}")));
    };
    let place = check_place(setup, &given.at, || pointer("at"))?;
    state.place[unit.index()] = place;
    state.spent[unit.index()] = given.spent;
    state.token[unit.index()] = match &given.token {
        None => 0,
        Some(token) => check_token(setup, unit, token, pointer("token"))?,
    };
    mark(state, unit, given);
    let secret = place == Place::FLED && setup.rulings.fleeing == Fleeing::GiuliaOnly;
    let known = given.captive || (secret && unit == setup.giulia);
    let back = place == Place::AT_SEA && setup.rulings.survivors == Survivors::StayRevealed;
    if given.revealed && place.area().is_none() && !secret && !back {
        let message = format!("{id} is not on the map; nobody needs to see who it is");
        return Err(Refusal::new(Rule::C1_3, CODE, message).at(pointer("revealed")));
    }
    if given.revealed || known {
        state.revealed.insert(unit);
    }
    Ok(unit)
}

/// The sets in which a unit is by what a view says of it, save for the revealed.
pub(super) fn mark(state: &mut State, unit: Unit, given: &UnitView) {
    let marks = [
        (given.captive, &mut state.captive),
        (given.caught, &mut state.caught),
        (given.weakened, &mut state.weakened),
        (given.fought, &mut state.fought),
        (given.freed, &mut state.freed),
    ];
    for (set, units) in marks {
        if set {
            units.insert(unit);
        }
    }
}

/// DRG-R8 = `map_only`: whether a pirate unit has landed. Where a position does not tell, what it
/// shows counts ([`ch11_end::shows_landing`]).
pub(super) fn load_landing(setup: &Setup, state: &mut State, position: &Position) -> Checked {
    let refused = |message: &str| Err(Refusal::new(Rule::R8, CODE, message).at("/landed"));
    let ashore = !state.on_map().and(PIRATE_UNITS).is_empty();
    if setup.rulings.last_pirates == LastPirates::SeaCounts {
        return match position.landed {
            None => Ok(()),
            Some(_) => refused("whether a pirate has landed matters only under another reading"),
        };
    }
    state.landed = match position.landed {
        Some(false) if ashore => return refused("a pirate is on the map, so one has landed"),
        Some(true) if state.stage == Stage::Deploy => {
            return refused("nobody lands before the deployment");
        }
        Some(landed) => landed,
        None => ch11_end::shows_landing(setup, state),
    };
    Ok(())
}

/// DRG-12.2 The number of a token that a unit can have.
fn check_token(setup: &Setup, unit: Unit, token: &Name, pointer: String) -> Checked<u8> {
    let side = setup.side(unit);
    let most = if side == Side::Pirates { 5 } else { setup.reserve_token() };
    (1..=most).find(|&number| token_name(side, number) == *token).ok_or_else(|| {
        let message = format!("{token} is not a token of {}", setup.unit_id(unit));
        Refusal::new(Rule::C12_2, CODE, message).at(pointer)
    })
}

/// DRG-12.2 Who has no token in the position gets the lowest that is left.
pub(super) fn give_tokens(setup: &Setup, state: &mut State) {
    if state.stage == Stage::Deploy {
        return;
    }
    for side in Side::BOTH {
        let need = match side {
            Side::Pirates => state.on_map().and(PIRATE_UNITS),
            Side::Rapalline => setup.deployable(),
        };
        let key = |unit: Unit| (state.place[unit.index()].0, unit.index());
        let mut bare: Vec<Unit> = need.iter().filter(|it| state.token[it.index()] == 0).collect();
        bare.sort_by_key(|&unit| key(unit));
        let mut number = 0;
        for unit in bare {
            loop {
                number += 1;
                let taken = setup.units_of(side).iter().any(|it| state.token[it.index()] == number);
                if !taken {
                    break;
                }
            }
            state.token[unit.index()] = number;
        }
    }
    let reserve = setup.reserve.index();
    if state.place[reserve] != Place::RESERVE && state.token[reserve] == 0 {
        state.token[reserve] = setup.reserve_token();
    }
}

/// A combat or liberation that is not finished.
pub(super) fn load_arrival(setup: &Setup, state: &State, given: &ArrivalView) -> Checked<Arrival> {
    let unit = |name: &Name, field: &str| {
        setup.unit(name).ok_or_else(|| {
            let message = format!("{name} is not a unit");
            Refusal::new(Rule::C13_3, CODE, message).at(format!("/arrival/{field}"))
        })
    };
    let Some(area) = setup.area(&given.area) else {
        let message = format!("{} is not an area", given.area);
        return Err(Refusal::new(Rule::C13_3, CODE, message).at("/arrival/area"));
    };
    let mut waiting = Units::NONE;
    for name in &given.freed {
        let unit = unit(name, "freed")?;
        if setup.side(unit) == Side::Pirates || given.unit.as_ref() == Some(name) {
            let message = format!("{name} was not a captive that is freed here");
            return Err(Refusal::new(Rule::C7_9, CODE, message).at("/arrival/freed"));
        }
        waiting.insert(unit);
    }
    if given.draw_due && state.stage != Stage::ArquebusChoice {
        let message = "a draw is due only behind the Arquebusier's choice";
        return Err(Refusal::new(Rule::C9_4, CODE, message).at("/arrival/draw_due"));
    }
    let from = check_place(setup, &given.from, || "/arrival/from".to_owned())?;
    if from.area().is_none() && from != Place::AT_SEA {
        let message = "a unit arrives from an area or from the sea";
        return Err(Refusal::new(Rule::C5_1, CODE, message).at("/arrival/from"));
    }
    let arrival = Arrival {
        unit: given.unit.as_ref().map(|name| unit(name, "unit")).transpose()?,
        from,
        area,
        liberator: given.liberator.as_ref().map(|name| unit(name, "liberator")).transpose()?,
        waiting,
        // Whoever has still to name an opponent has not fought; whatever else is pending comes after.
        fought: setup.rulings.combats == Combats::One && state.stage != Stage::ChooseDefender,
    };
    // Under DRG-R17 = `one_captive` one of the captives is still to be freed.
    let captives = match setup.rulings.liberation {
        Liberation::OneCaptive => waiting,
        Liberation::PerUnit | Liberation::PerEntry => Units::NONE,
    };
    if let Some(unit) = captives.minus(state.captives_in(area)).lowest() {
        let message = format!("{} is not captive in {}", setup.unit_id(unit), given.area);
        return Err(Refusal::new(Rule::R17, CODE, message).at("/arrival/freed"));
    }
    for unit in arrival.unit.into_iter().chain(waiting.minus(captives).iter()) {
        if state.place[unit.index()] != Place::on(area) || state.captive.contains(unit) {
            let message = format!("{} is not free in {}", setup.unit_id(unit), given.area);
            return Err(Refusal::new(Rule::C6_1, CODE, message).at("/arrival"));
        }
    }
    Ok(arrival)
}

/// What a position says and what the rules give must agree: values and target.
pub(super) fn check_agreement(setup: &Setup, state: &State, position: &Position) -> Checked {
    for (id, given) in &position.units.0 {
        let Some(unit) = setup.unit(id) else { continue };
        let is = ch06_combat::value(setup, state, unit);
        let marksman = setup.kinds[unit.index()] == UnitKind::Arquebusier;
        if given.value.is_some_and(|value| value != is || marksman) {
            let message = format!("the value of {id} is not what the position tells");
            let refusal = Refusal::new(Rule::C10_3, CODE, message).at(format!("/units/{id}/value"));
            let bartolomeo = unit == setup.bartolomeo;
            return Err(if bartolomeo { refusal.invariant(19) } else { refusal });
        }
    }
    let is = ch11_end::target(setup, state);
    if position.target.is_some_and(|target| target != is) {
        let message = format!("the target is {is}");
        return Err(Refusal::new(Rule::C11_1, CODE, message).at("/target").invariant(4));
    }
    Ok(())
}
