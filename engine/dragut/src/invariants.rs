//! Part H: what holds whenever a decision is pending.
//!
//! A loaded position that breaks an invariant is refused, naming it; property tests ask the same
//! of every state of random games. This module must not repair anything.

use super::ch03_cards::in_force;
use super::ch04_points::limit;
use super::ch06_combat::opponents;
use super::ch07_captives::c7_9_nearest;
use super::ch10_special::openings;
use super::ch11_end::ending;
use super::ch13_protocol::{Checked, refuse};
use super::rulebook::{
    AfterCombat, Defence, Draws, EndTest, Equal, Fleeing, FreedMoves, PoolRead, Raises, Rule, Shot,
    Survivors,
};
use super::setup::{
    DRAGUT_4, DRAGUT_6, FLEET, PIRATE_2B, PIRATE_4A, PIRATE_4B, PIRATE_UNITS, Setup,
};
use super::state::{NONE, Place, State, Step, Unit, Units, count};
use super::tables::Side;

fn broken(number: u8, rule: Rule, message: impl Into<String>) -> Checked<()> {
    Err(refuse(rule, "position_refused", message, "").invariant(number))
}

fn wrong(rule: Rule, message: impl Into<String>) -> Checked<()> {
    Err(refuse(rule, "position_refused", message, ""))
}

/// Everything that is checked of a loaded position.
pub fn position(setup: &Setup, state: &State) -> Checked<()> {
    places(setup, state)?;
    force(setup, state)?;
    cards(setup, state)?;
    spent(setup, state)?;
    hills_and_captives(setup, state)?;
    tokens(setup, state)?;
    told_by_rulings(setup, state)?;
    arrival(setup, state)?;
    pending(setup, state)?;
    end(setup, state)
}

/// Invariant 1: every unit is in one of the places that it can be in.
fn places(setup: &Setup, state: &State) -> Checked<()> {
    let deploying = state.step == Step::Deploy;
    for unit in setup.all {
        let id = setup.unit_id(unit);
        let place = state.place[unit.at()];
        let fits = if PIRATE_UNITS.contains(unit) {
            let replacement = !FLEET.contains(unit);
            match place {
                Place::AT_SEA => !replacement || state.token[unit.at()] > 0,
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
            let place = super::notice::place_name(setup, place);
            return broken(1, Rule::C1_1, format!("{id} cannot be at {place}"));
        }
    }
    Ok(())
}

/// Invariant 2: at most five pirates in play; a replacement is there only after an Arquebusier's
/// shot, in the place of the unit that it replaces.
fn force(setup: &Setup, state: &State) -> Checked<()> {
    let used = |unit: Unit| state.place[unit.at()] != Place::ASIDE;
    let removed = |unit: Unit| state.place[unit.at()] == Place::REMOVED;
    if state.pirates_in_play().len() > 5 {
        return broken(2, Rule::C2_7, "more than five pirate units are in play");
    }
    if used(DRAGUT_4) && !removed(DRAGUT_6) {
        return broken(2, Rule::C6_9, "dragut_4 is there although dragut_6 has not been replaced");
    }
    if used(PIRATE_2B) && !removed(PIRATE_4A) && !removed(PIRATE_4B) {
        return broken(
            2,
            Rule::C6_9,
            "pirate_2b is there although no pirate of value 4 has been replaced",
        );
    }
    let shots = setup.arquebusiers.iter().filter(|&unit| removed(unit)).count();
    let reduced = usize::from(used(DRAGUT_4)) + usize::from(used(PIRATE_2B)) + state.weakened.len();
    if reduced > shots {
        return broken(
            2,
            Rule::C6_8,
            "a pirate is reduced, but the Arquebusier has not been removed",
        );
    }
    let may_weaken = Units::one(DRAGUT_4).or(Units::one(PIRATE_4A)).or(Units::one(PIRATE_4B));
    let counter_left = !state.weakened.minus(Units::one(DRAGUT_4)).is_empty() && !used(PIRATE_2B);
    if !state.weakened.minus(may_weaken).is_empty() || counter_left {
        return broken(
            2,
            Rule::C6_9,
            "a unit is weakened although it has a replacement or cannot lose value",
        );
    }
    Ok(())
}

/// Invariant 3: per side, deck, hand, played and retired cards are the deck's copies.
fn cards(setup: &Setup, state: &State) -> Checked<()> {
    for side in Side::BOTH {
        let cards = &state.cards[side.at()];
        for (row, &copies) in setup.decks[side.at()].copies.iter().enumerate() {
            let played = u8::from(usize::from(cards.played) == row);
            if cards.deck[row] + cards.hand[row] + cards.retired[row] + played != copies {
                return broken(
                    3,
                    Rule::C3_7,
                    format!("the cards of the {} do not add up", side.name()),
                );
            }
        }
        let between = matches!(state.step, Step::Deploy | Step::ChooseCards);
        if between && cards.played != NONE {
            return broken(3, Rule::C3_7, "a card is in effect while cards are chosen");
        }
        if state.step != Step::ChooseCards && cards.committed != NONE {
            return wrong(Rule::C3_2, "a card is committed while none is chosen");
        }
    }
    if state.cards.iter().all(|cards| cards.committed != NONE) {
        return wrong(Rule::C3_3, "both have committed, so both choices are revealed");
    }
    Ok(())
}

/// Invariants 5 and 6: no unit has spent more than its limit, and nothing is spent when a turn
/// starts.
fn spent(setup: &Setup, state: &State) -> Checked<()> {
    let starting = matches!(state.step, Step::Deploy | Step::ChooseCards);
    for unit in setup.all {
        let limit = if starting { 0 } else { limit(setup, state, setup.side(unit)) };
        let spent = state.spent[unit.at()];
        if spent > limit {
            let id = setup.unit_id(unit);
            return broken(
                6,
                Rule::C4_5,
                format!("{id} has spent {spent} points; the limit is {limit}"),
            );
        }
    }
    if starting && (state.pool > 0 || state.phase.is_some()) {
        return broken(5, Rule::C4_6, "there is a pool outside the two phases");
    }
    let turn = if state.step == Step::Deploy { state.turn == 0 } else { state.turn > 0 };
    if turn { Ok(()) } else { wrong(Rule::C2_1, "turn 1 follows the deployment") }
}

/// Invariants 7 and 9: nobody stands in a hill; captives are Rapalline units on the map,
/// revealed, and never the Arquebusier.
fn hills_and_captives(setup: &Setup, state: &State) -> Checked<()> {
    for unit in setup.all {
        let id = setup.unit_id(unit);
        if state.place[unit.at()].area().is_some_and(|area| setup.hills.contains(area)) {
            let rule = if PIRATE_UNITS.contains(unit) { Rule::C5_5 } else { Rule::C5_6 };
            return broken(7, rule, format!("{id} is in a hill"));
        }
    }
    let able = setup.rapalline.minus(setup.arquebusiers).and(state.on_map()).and(state.revealed);
    if let Some(unit) = state.captive.minus(able).lowest() {
        let id = setup.unit_id(unit);
        return broken(9, Rule::C1_2, format!("{id} cannot be a captive there"));
    }
    let sent = state.at(Place::SERRAGLIO).and(setup.arquebusiers);
    if !sent.is_empty() {
        return broken(9, Rule::C6_8, "the Arquebusier is never a captive");
    }
    Ok(())
}

/// DRG-12.2: tokens are unique, and everybody on the map has one.
fn tokens(setup: &Setup, state: &State) -> Checked<()> {
    for side in Side::BOTH {
        let mut seen = 0u32;
        for unit in setup.units_of(side) {
            let number = state.token[unit.at()];
            let id = setup.unit_id(unit);
            let last = number == setup.reserve_token() && side == Side::Rapalline;
            if number == 0 && state.place[unit.at()].area().is_some() {
                return wrong(Rule::C12_2, format!("{id} has no token"));
            }
            let waits = matches!(state.place[unit.at()], Place::ASIDE | Place::RESERVE);
            if number > 0 && (seen >> number & 1 == 1 || waits || last != (unit == setup.reserve)) {
                return wrong(Rule::C12_2, format!("the token of {id} is another unit's"));
            }
            seen |= 1 << number;
        }
        if side == Side::Pirates && seen >> 6 != 0 {
            return wrong(Rule::C12_2, "the pirates have five tokens");
        }
    }
    Ok(())
}

/// What only some readings keep must not be told under the others.
fn told_by_rulings(setup: &Setup, state: &State) -> Checked<()> {
    let rulings = &setup.rulings;
    let checks = [
        (rulings.after_combat == AfterCombat::Allowed && !state.fought.is_empty(), Rule::R14),
        (rulings.freed_moves == FreedMoves::Yes && !state.freed.is_empty(), Rule::R23),
        (rulings.raises == Raises::Unlimited && state.raised, Rule::R30),
        (rulings.pool_read != PoolRead::TurnStart && state.read_case != 0, Rule::R10),
    ];
    if let Some(unit) = state.arrival.and_then(|arrival| arrival.liberator) {
        let marksman = setup.arquebusiers.contains(unit);
        let area = state.arrival.map(|arrival| Place::on(arrival.area));
        let defends = !PIRATE_UNITS.contains(unit)
            && Some(state.place[unit.at()]) == area
            && !state.captive.contains(unit);
        let frees = match marksman {
            true => rulings.shot == Shot::Yes && !state.on_map().contains(unit),
            false => rulings.defence == Defence::AlsoDefence && defends,
        };
        if !frees {
            let rule = if marksman { Rule::R18 } else { Rule::R16 };
            return wrong(rule, "nobody is freed by that unit under this reading");
        }
    }
    if let Some((_, rule)) = checks.into_iter().find(|&(told, _)| told) {
        return wrong(rule, "the position tells something that matters only under another reading");
    }
    if state.read_case > setup.cases() {
        return broken(4, Rule::C8_1, "the case read is not on the track");
    }
    Ok(())
}

/// Invariant 8: free units of both sides are together only where a combat is not finished. Free
/// units are revealed only while an action is not resolved (DRG-6.12).
fn arrival(setup: &Setup, state: &State) -> Checked<()> {
    let arriving = matches!(
        state.step,
        Step::ChooseDefender | Step::ArquebusChoice | Step::DrawOffer | Step::Relocate
    );
    if state.arrival.is_some() && !arriving {
        return wrong(Rule::C6_1, "an arrival is unfinished, but its decision is not pending");
    }
    let free = state.on_map().minus(state.captive);
    for area in state.areas_of(free.and(PIRATE_UNITS)).and(state.areas_of(free.minus(PIRATE_UNITS)))
    {
        let fighting = state.arrival.is_some_and(|arrival| {
            arrival.area == area
                && arrival.unit.is_some_and(|unit| {
                    state.free_in(setup, setup.side(unit), area) == Units::one(unit)
                        || setup.side(unit) == Side::Rapalline
                        || setup.side(unit) == Side::Pirates
                })
        });
        if !fighting && state.step != Step::GameOver {
            let id = setup.area_id(area);
            return broken(8, Rule::C6_1, format!("free units of both sides are in {id}"));
        }
    }
    let stay = setup.rulings.survivors == Survivors::StayRevealed;
    let resolved = state.arrival.is_none() && state.step != Step::GameOver;
    if resolved && !stay && !state.revealed.and(free).is_empty() {
        return wrong(Rule::C6_12, "a free unit is revealed although no action is unfinished");
    }
    let fled = state.at(Place::FLED).and(state.revealed);
    let shown = setup.rulings.fleeing == Fleeing::All && !fled.is_empty();
    if shown { wrong(Rule::C12_4, "whoever has fled is known anyway") } else { Ok(()) }
}

/// Invariant 14: no decision has exactly one option, and none is pending that nobody has.
fn pending(setup: &Setup, state: &State) -> Checked<()> {
    let single = |what: &str| broken(14, Rule::C13_5, format!("{what}: this is no decision"));
    let rapalline = count(&state.cards[Side::Rapalline.at()].deck);
    let phase = match state.step {
        Step::PiratePhase => state.phase == Some(Side::Pirates),
        Step::RapallinePhase | Step::PlaceReserve => state.phase == Some(Side::Rapalline),
        Step::Deploy | Step::ChooseCards => state.phase.is_none(),
        Step::GameOver => true,
        _ => state.phase.is_some(),
    };
    if !phase {
        return wrong(Rule::C3_1, "the phase does not go with the pending decision");
    }
    let arrival = state.arrival;
    match state.step {
        Step::ChooseDefender => {
            let fight = arrival.and_then(|arrival| opponents(setup, state, arrival));
            if fight.is_none_or(|(_, defenders)| defenders.len() < 2) {
                return single("fewer than two free units defend");
            }
        }
        Step::ArquebusChoice if arrival.is_none() => {
            return wrong(Rule::C6_10, "no arrival is unfinished");
        }
        Step::ArquebusChoice if rapalline == 0 => {
            return single("the Rapalline deck is empty, so the alarm rises");
        }
        Step::DrawOffer if rapalline == 0 => {
            return single("the Rapalline deck is empty, so no card is offered");
        }
        Step::DrawOffer if setup.rulings.draws == Draws::Mandatory => {
            return single("draws are not optional");
        }
        Step::Relocate => {
            let Some(arrival) = arrival.filter(|it| !it.waiting.is_empty()) else {
                return wrong(Rule::C7_9, "no freed unit needs a place");
            };
            let goals = c7_9_nearest(setup, state, arrival.area).len();
            if goals == 0 || goals * arrival.waiting.len() == 1 {
                return single("there is no choice of place");
            }
        }
        Step::PlaceReserve => {
            let card = in_force(setup, state).iter().any(|effect| effect.reserve);
            if !card || state.place[setup.reserve.at()] != Place::RESERVE {
                return wrong(Rule::C10_7, "no card calls the Soldier in reserve");
            }
            if openings(setup, state).len() < 2 {
                return single("fewer than two countryside areas are empty");
            }
        }
        _ => {}
    }
    Ok(())
}

/// Invariant 20: the game is over if and only if an end holds, and by the first that does.
fn end(setup: &Setup, state: &State) -> Checked<()> {
    let over = state.step == Step::GameOver;
    let holds = ending(setup, state);
    let later = setup.rulings.end_test == EndTest::EndOfTurn && state.turn > 0;
    match (over, holds) {
        (true, Some((ended, _))) if state.ended == Some(ended) => Ok(()),
        (true, _) => broken(20, Rule::C11_5, "the game is not over for the reason that is told"),
        (false, _) if state.ended.is_some() => {
            broken(20, Rule::C11_5, "the game is over, but a decision is pending")
        }
        (false, Some(_)) if state.step == Step::Deploy => Ok(()),
        (false, Some(_)) if later && state.phase.is_some() => Ok(()),
        (false, Some((ended, rule))) => {
            let message =
                format!("the game is over ({}), but a decision is pending", ended.reason.name());
            broken(20, rule, message)
        }
        (false, None) => Ok(()),
    }
}
