//! The pending decision of a position, and what is unfinished: the invariants that they must keep.
//!
//! Must not repair anything, like `invariants.rs`.

use super::data::CODE;
use crate::action::Side;
use crate::rulebook::{Combats, EndTest, ReserveEntry, Rule, Survivors};
use crate::setup::{PIRATE_UNITS, Setup};
use crate::state::{Place, Stage, State};
use crate::{Checked, Refusal, ch06_combat, ch07_captives, ch09_draws, ch10_special, ch11_end};
use umpire_core::rules::EndOfGame;

/// Invariant 8: free units of both sides are together only where a combat is not finished, unless
/// DRG-R55 = `one`. Free
/// units are revealed only while an action is not resolved (DRG-6.12).
pub(super) fn check_arrival(setup: &Setup, state: &State) -> Checked {
    let arriving = matches!(
        state.stage,
        Stage::ChooseDefender | Stage::ArquebusChoice | Stage::DrawOffer | Stage::Relocate
    );
    if state.arrival.is_some() && !arriving {
        let message = "an arrival is unfinished, but its decision is not pending";
        return Err(Refusal::new(Rule::C6_1, CODE, message));
    }
    let free = state.on_map().minus(state.captive);
    let [pirates, townspeople] = [free.and(PIRATE_UNITS), free.minus(PIRATE_UNITS)];
    for area in state.areas_of(pirates).and(state.areas_of(townspeople)).iter() {
        let fighting =
            state.arrival.is_some_and(|arrival| arrival.area == area && arrival.unit.is_some());
        let together = setup.rulings.combats == Combats::One;
        if !fighting && !together && state.stage != Stage::GameOver {
            let id = setup.area_id(area);
            let message = format!("free units of both sides are in {id}");
            return Err(Refusal::new(Rule::C6_1, CODE, message).invariant(8));
        }
    }
    let stay = setup.rulings.survivors == Survivors::StayRevealed;
    let resolved = state.arrival.is_none() && state.stage != Stage::GameOver;
    if resolved && !stay && !state.revealed.and(free).is_empty() {
        let message = "a free unit is revealed although no action is unfinished";
        return Err(Refusal::new(Rule::C6_12, CODE, message));
    }
    Ok(())
}

/// Invariant 14: no decision has exactly one option, and none is pending that nobody has.
pub(super) fn check_pending(setup: &Setup, state: &State) -> Checked {
    let single = |what: &str| {
        let message = format!("{what}: this is not a decision");
        Err(Refusal::new(Rule::C13_5, CODE, message).invariant(14))
    };
    let phase = match state.stage {
        Stage::PiratePhase => state.phase == Some(Side::Pirates),
        Stage::RapallinePhase | Stage::PlaceReserve => state.phase == Some(Side::Rapalline),
        Stage::Deploy | Stage::ChooseCards => state.phase.is_none(),
        Stage::GameOver => true,
        _ => state.phase.is_some(),
    };
    if !phase {
        let message = "the phase does not go with the pending decision";
        return Err(Refusal::new(Rule::C3_1, CODE, message));
    }
    let arrival = state.arrival;
    match state.stage {
        Stage::ChooseDefender => {
            let fight = arrival.and_then(|arrival| ch06_combat::opponents(setup, state, arrival));
            if fight.is_none_or(|(_, defenders)| defenders.len() < 2) {
                return single("fewer than two free units defend");
            }
        }
        Stage::ArquebusChoice if arrival.is_none() => {
            let message = "no arrival is unfinished";
            return Err(Refusal::new(Rule::C6_10, CODE, message));
        }
        Stage::ArquebusChoice if !ch06_combat::may_draw_reward(state) => {
            return single("the Rapalline deck is empty, so the alarm rises");
        }
        Stage::DrawOffer if !ch09_draws::is_card_left(setup, state) => {
            return single("the deck is empty, so no card is offered");
        }
        Stage::DrawOffer if !ch09_draws::is_offered(setup, state) => {
            return single("draws are not optional");
        }
        Stage::Relocate => {
            let Some(arrival) = arrival.filter(|it| !it.waiting.is_empty()) else {
                let message = "no freed unit needs a place";
                return Err(Refusal::new(Rule::C7_9, CODE, message));
            };
            let goals = ch07_captives::goals(setup, state, arrival.area).len();
            if goals == 0 || goals * arrival.waiting.len() == 1 {
                return single("there is no choice of place");
            }
        }
        Stage::PlaceReserve => {
            let called = ch10_special::caller_of_reserve(setup, state).is_some();
            let never = setup.rulings.reserve_entry == ReserveEntry::Never;
            if !called || never || state.place[setup.reserve.index()] != Place::RESERVE {
                let message = "no card calls the Soldier in reserve";
                return Err(Refusal::new(Rule::C10_7, CODE, message));
            }
            if ch10_special::openings(setup, state).len() < 2 {
                return single("fewer than two countryside areas are empty");
            }
        }
        _ => {}
    }
    Ok(())
}

/// Invariant 20: the game is over if and only if an end holds, and by the first that does.
pub(super) fn check_ending(setup: &Setup, state: &State) -> Checked {
    let over = state.stage == Stage::GameOver;
    let holds = ch11_end::ending(setup, state);
    let later = setup.rulings.end_test == EndTest::EndOfTurn && state.turn > 0;
    match (over, holds) {
        (true, Some((ended, _))) if state.ended == Some(ended) => Ok(()),
        (true, None) if state.ended == ch11_end::standstill(setup, state) => Ok(()),
        (true, _) => {
            let message = "the game is not over for the reason that is told";
            Err(Refusal::new(Rule::C11_5, CODE, message).invariant(20))
        }
        (false, _) if state.ended.is_some() => {
            let message = "the game is over, but a decision is pending";
            Err(Refusal::new(Rule::C11_5, CODE, message).invariant(20))
        }
        (false, Some(_)) if state.stage == Stage::Deploy => Ok(()),
        (false, Some(_)) if later && state.phase.is_some() => Ok(()),
        (false, Some((ended, rule))) => {
            let message =
                format!("the game is over ({}), but a decision is pending", ended.reason.name());
            let end =
                EndOfGame { winner: ended.winner.map(Side::name), reason: ended.reason.name() };
            Err(Refusal::new(rule, CODE, message).invariant(20).ends_game(end))
        }
        (false, None) => Ok(()),
    }
}
