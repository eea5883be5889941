//! Part H: what holds whenever a decision is pending.
//!
//! A loaded position that breaks an invariant is refused, naming it; property tests ask the same
//! of every state of random games. Must not repair anything.

use super::data::CODE;
use super::pending::{check_arrival, check_ending, check_pending};
use crate::action::Side;
use crate::ch01_terms::place_name;
use crate::ch04_points::{limit, starting_pool};
use crate::rulebook::{
    AfterCombat, Defence, Equal, FreedMoves, PoolRead, Raises, Rule, Shot, SoonestSend,
};
use crate::setup::{
    DRAGUT_4, DRAGUT_6, FLEET, PIRATE_2B, PIRATE_4A, PIRATE_4B, PIRATE_UNITS, Setup,
};
use crate::state::{NONE, Place, Stage, State, Unit, Units};
use crate::{Checked, Refusal, ch03_cards};

/// Everything that is checked of a loaded position.
pub(crate) fn check_state(setup: &Setup, state: &State) -> Checked {
    check_places(setup, state)?;
    check_pirate_force(setup, state)?;
    check_cards(setup, state)?;
    check_spent(setup, state)?;
    check_hills_and_captives(setup, state)?;
    check_tokens(setup, state)?;
    check_readings(setup, state)?;
    check_arrival(setup, state)?;
    check_pending(setup, state)?;
    check_ending(setup, state)
}

/// Invariant 1: every unit is in one of the places that it can be in.
fn check_places(setup: &Setup, state: &State) -> Checked {
    let deploying = state.stage == Stage::Deploy;
    for unit in setup.all.iter() {
        let id = setup.unit_id(unit);
        let place = state.place[unit.index()];
        let fits = if PIRATE_UNITS.contains(unit) {
            let replacement = !FLEET.contains(unit);
            match place {
                Place::AT_SEA => !replacement || state.token[unit.index()] > 0,
                Place::ASIDE => replacement,
                Place::REMOVED => !deploying,
                place => place.area().is_some() && !deploying,
            }
        } else {
            match place {
                Place::RESERVE => deploying || unit == setup.reserve,
                Place::SERRAGLIO | Place::FLED => !deploying,
                Place::REMOVED => {
                    let both = setup.rulings.equal == Equal::BothRemoved;
                    !deploying && (both || setup.arquebusiers.contains(unit))
                }
                place => place.area().is_some() && !deploying,
            }
        };
        if !fits {
            let place = place_name(setup, place);
            let message = format!("{id} cannot be at {place}");
            return Err(Refusal::new(Rule::C1_1, CODE, message).invariant(1));
        }
    }
    Ok(())
}

/// Invariant 2: at most five pirates in play; a replacement is there only after an Arquebusier's
/// shot, in the place of the unit that it replaces.
fn check_pirate_force(setup: &Setup, state: &State) -> Checked {
    let used = |unit: Unit| state.place[unit.index()] != Place::ASIDE;
    let removed = |unit: Unit| state.place[unit.index()] == Place::REMOVED;
    if state.pirates_in_play().len() > 5 {
        let message = "more than five pirate units are in play";
        return Err(Refusal::new(Rule::C2_7, CODE, message).invariant(2));
    }
    if used(DRAGUT_4) && !removed(DRAGUT_6) {
        let message = "dragut_4 is there although dragut_6 has not been replaced";
        return Err(Refusal::new(Rule::C6_9, CODE, message).invariant(2));
    }
    if used(PIRATE_2B) && !removed(PIRATE_4A) && !removed(PIRATE_4B) {
        let message = "pirate_2b is there although no pirate of value 4 has been replaced";
        return Err(Refusal::new(Rule::C6_9, CODE, message).invariant(2));
    }
    let shots = setup.arquebusiers.iter().filter(|&unit| removed(unit)).count();
    let reduced = usize::from(used(DRAGUT_4)) + usize::from(used(PIRATE_2B)) + state.weakened.len();
    if reduced > shots {
        let message = "a pirate is reduced, but the Arquebusier has not been removed";
        return Err(Refusal::new(Rule::C6_8, CODE, message).invariant(2));
    }
    let may_weaken = Units::one(DRAGUT_4).or(Units::one(PIRATE_4A)).or(Units::one(PIRATE_4B));
    let counter_left = !state.weakened.minus(Units::one(DRAGUT_4)).is_empty() && !used(PIRATE_2B);
    if !state.weakened.minus(may_weaken).is_empty() || counter_left {
        let message = "a unit is weakened although it has a replacement or cannot lose value";
        return Err(Refusal::new(Rule::C6_9, CODE, message).invariant(2));
    }
    Ok(())
}

/// Invariant 3: per side, deck, hand, played and retired cards are the deck's copies.
fn check_cards(setup: &Setup, state: &State) -> Checked {
    for side in Side::BOTH {
        let cards = &state.cards[side.index()];
        for (row, &copies) in setup.decks[side.index()].copies.iter().enumerate() {
            let played = u8::from(usize::from(cards.played) == row);
            if cards.deck[row] + cards.hand[row] + cards.retired[row] + played != copies {
                let message = format!("the cards of the {} do not add up", side.name());
                return Err(Refusal::new(Rule::C3_7, CODE, message).invariant(3));
            }
        }
        let between = matches!(state.stage, Stage::Deploy | Stage::ChooseCards);
        if between && cards.played != NONE {
            let message = "a card is in effect while cards are chosen";
            return Err(Refusal::new(Rule::C3_7, CODE, message).invariant(3));
        }
        if state.stage != Stage::ChooseCards && cards.committed != NONE {
            let message = "a card is committed while none is chosen";
            return Err(Refusal::new(Rule::C3_2, CODE, message));
        }
    }
    if ch03_cards::have_all_committed(state) {
        let message = "both have committed, so both choices are revealed";
        return Err(Refusal::new(Rule::C3_3, CODE, message));
    }
    Ok(())
}

/// Invariants 5 and 6: no unit has spent more than its limit, and nothing is spent when a turn
/// starts.
fn check_spent(setup: &Setup, state: &State) -> Checked {
    let starting = matches!(state.stage, Stage::Deploy | Stage::ChooseCards);
    for unit in setup.all.iter() {
        let limit = if starting { 0 } else { limit(setup, state, setup.side(unit)) };
        let spent = state.spent[unit.index()];
        if spent > limit {
            let id = setup.unit_id(unit);
            let message = format!("{id} has spent {spent} points; the limit is {limit}");
            return Err(Refusal::new(Rule::C4_5, CODE, message).invariant(6));
        }
    }
    if starting && (state.pool > 0 || state.phase.is_some()) {
        let message = "there is a pool outside the two phases";
        return Err(Refusal::new(Rule::C4_6, CODE, message).invariant(5));
    }
    check_pool_size(setup, state)?;
    let turn = if state.stage == Stage::Deploy { state.turn == 0 } else { state.turn > 0 };
    if turn {
        return Ok(());
    }
    Err(Refusal::new(Rule::C2_1, CODE, "turn 1 follows the deployment"))
}

/// Invariant 5: no more points are left than the phase can have had.
fn check_pool_size(setup: &Setup, state: &State) -> Checked {
    let (most, rule) = match state.phase {
        None => (0, Rule::C4_6),
        Some(Side::Pirates) => (starting_pool(setup, state, Side::Pirates), Rule::C4_1),
        Some(Side::Rapalline) => (most_rapalline_points(setup, state), Rule::C4_3),
    };
    if state.pool <= most {
        return Ok(());
    }
    let message = format!("{} points are left; the phase can have had {most}", state.pool);
    Err(Refusal::new(rule, CODE, message).at("/pool").invariant(5))
}

/// DRG-4.3 The most points that a Rapalline phase can have, wherever the alarm stood when it began;
/// under DRG-R10 = `live` what it rises by is added, to no more than the value of a case.
fn most_rapalline_points(setup: &Setup, state: &State) -> u8 {
    let live = setup.rulings.pool_read == PoolRead::Live;
    let from = |case| {
        let then = State { case, read_case: case, ..*state };
        let started = starting_pool(setup, &then, Side::Rapalline);
        if live { started.max(setup.points(case)) } else { started }
    };
    (1..=setup.cases()).map(from).max().unwrap_or(0)
}

/// Invariants 7 and 9: nobody stands in a hill; captives are Rapalline units on the map,
/// revealed, and never the Arquebusier.
fn check_hills_and_captives(setup: &Setup, state: &State) -> Checked {
    for unit in setup.all.iter() {
        let id = setup.unit_id(unit);
        if state.place[unit.index()].area().is_some_and(|area| setup.hills.contains(area)) {
            let rule = if PIRATE_UNITS.contains(unit) { Rule::C5_5 } else { Rule::C5_6 };
            let message = format!("{id} is in a hill");
            return Err(Refusal::new(rule, CODE, message).invariant(7));
        }
    }
    let able = setup.rapalline.minus(setup.arquebusiers).and(state.on_map()).and(state.revealed);
    if let Some(unit) = state.captive.minus(able).lowest() {
        let id = setup.unit_id(unit);
        let message = format!("{id} cannot be a captive there");
        return Err(Refusal::new(Rule::C1_2, CODE, message).invariant(9));
    }
    if let Some(unit) = state.caught.minus(state.captive).lowest() {
        let message =
            format!("{} is not a captive and cannot have been captured", setup.unit_id(unit));
        return Err(Refusal::new(Rule::R54, CODE, message));
    }
    let sent = state.at(Place::SERRAGLIO).and(setup.arquebusiers);
    if !sent.is_empty() {
        let message = "the Arquebusier is never a captive";
        return Err(Refusal::new(Rule::C6_8, CODE, message).invariant(9));
    }
    Ok(())
}

/// DRG-12.2 Tokens are unique, and everybody on the map has one.
fn check_tokens(setup: &Setup, state: &State) -> Checked {
    for side in Side::BOTH {
        let mut seen = 0u32;
        for unit in setup.units_of(side).iter() {
            let number = state.token[unit.index()];
            let id = setup.unit_id(unit);
            let last = number == setup.reserve_token() && side == Side::Rapalline;
            if number == 0 && state.place[unit.index()].area().is_some() {
                let message = format!("{id} has no token");
                return Err(Refusal::new(Rule::C12_2, CODE, message));
            }
            let waits = matches!(state.place[unit.index()], Place::ASIDE | Place::RESERVE);
            if number > 0 && (seen >> number & 1 == 1 || waits || last != (unit == setup.reserve)) {
                let message = format!("the token of {id} is another unit's");
                return Err(Refusal::new(Rule::C12_2, CODE, message));
            }
            seen |= 1 << number;
        }
        if side == Side::Pirates && seen >> 6 != 0 {
            let message = "the pirates have five tokens";
            return Err(Refusal::new(Rule::C12_2, CODE, message));
        }
    }
    Ok(())
}

/// What only some readings keep must not be given under the others.
fn check_readings(setup: &Setup, state: &State) -> Checked {
    let rulings = &setup.rulings;
    let given = [
        (rulings.after_combat == AfterCombat::Allowed && !state.fought.is_empty(), Rule::R14),
        (rulings.freed_moves == FreedMoves::Yes && !state.freed.is_empty(), Rule::R23),
        (rulings.soonest_send == SoonestSend::AtOnce && !state.caught.is_empty(), Rule::R54),
        (rulings.raises == Raises::Unlimited && state.raised, Rule::R30),
        (rulings.pool_read != PoolRead::TurnStart && state.read_case != 0, Rule::R10),
    ];
    check_liberator(setup, state)?;
    if let Some((_, rule)) = given.into_iter().find(|&(given, _)| given) {
        let message = "the position tells something that matters only under another reading";
        return Err(Refusal::new(rule, CODE, message));
    }
    if state.read_case > setup.cases() {
        let message = "the case read is not on the track";
        return Err(Refusal::new(Rule::C8_1, CODE, message).invariant(4));
    }
    Ok(())
}

/// DRG-R16, DRG-R18 Who frees captives without having arrived.
fn check_liberator(setup: &Setup, state: &State) -> Checked {
    let Some(unit) = state.arrival.and_then(|arrival| arrival.liberator) else { return Ok(()) };
    let marksman = setup.arquebusiers.contains(unit);
    let area = state.arrival.map(|arrival| Place::on(arrival.area));
    let defends = !PIRATE_UNITS.contains(unit)
        && Some(state.place[unit.index()]) == area
        && !state.captive.contains(unit);
    let frees = match marksman {
        true => setup.rulings.shot == Shot::Yes && !state.on_map().contains(unit),
        false => setup.rulings.defence == Defence::AlsoDefence && defends,
    };
    if !frees {
        let rule = if marksman { Rule::R18 } else { Rule::R16 };
        let message = "nobody is freed by that unit under this reading";
        return Err(Refusal::new(rule, CODE, message));
    }
    Ok(())
}
