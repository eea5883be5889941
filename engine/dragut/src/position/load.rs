//! The state of a position, one part after the other.
//!
//! Must not check an invariant itself.

use super::data::{CODE, Position};
use super::{cards, given, invariants};
use crate::action::Side;
use crate::ch09_draws::may_decline;
use crate::rulebook::{PoolRead, Rule};
use crate::setup::Setup;
use crate::state::{Ended, Ending, Stage, State};
use crate::view::OutcomeView;
use crate::{Checked, Refusal, ch02_setup, ch04_points};

/// The state of a position, after checking every invariant.
pub(crate) fn load(setup: &Setup, position: &Position) -> Checked<State> {
    let mut state = State::new(setup);
    state.stage = position.state;
    let deploying = state.stage == Stage::Deploy;
    state.turn = position.turn.unwrap_or(if deploying { 0 } else { 5 });
    match position.alarm_case {
        Some(case) => state.case = case,
        None => ch02_setup::check_start(setup)?,
    }
    if deploying {
        ch02_setup::check_room(setup)?;
    }
    if state.case < 1 || state.case > setup.cases() {
        let message =
            format!("the alarm track has cases 1 to {}, no case {}", setup.cases(), state.case);
        return Err(Refusal::new(Rule::C8_1, CODE, message).at("/alarm_case").invariant(4));
    }
    given::load_units(setup, &mut state, position)?;
    given::load_landing(setup, &mut state, position)?;
    cards::load_cards(setup, &mut state, position)?;
    if let Some(arrival) = &position.arrival {
        state.arrival = Some(given::load_arrival(setup, &state, arrival)?);
        state.owes_draw = arrival.draw_due;
    }
    state.owes_choice = state.stage == Stage::ArquebusChoice;
    state.owes_draw |= state.stage == Stage::DrawOffer;
    state.phase = position.phase.or_else(|| phase_of(setup, &state));
    state.raised = position.raised;
    // Whoever has a decision is asked when the position is on the table.
    state.idle = state.stage == Stage::ChooseCards;
    load_ending(&mut state, position)?;
    load_points(setup, &mut state, position);
    given::give_tokens(setup, &mut state);
    given::check_agreement(setup, &state, position)?;
    invariants::check_state(setup, &state)?;
    Ok(state)
}

/// How the game ended, if it did.
fn load_ending(state: &mut State, position: &Position) -> Checked {
    let Some(OutcomeView { winner, reason }) = &position.outcome else { return Ok(()) };
    let Some(reason) = Ending::parse(reason.as_str()) else {
        let message = format!("{reason} is not a way to end");
        return Err(Refusal::new(Rule::C11_5, CODE, message).at("/outcome/reason"));
    };
    state.ended = Some(Ended { winner: *winner, reason });
    Ok(())
}

/// The case read and the points of the phase; where they are left out, those of its start.
fn load_points(setup: &Setup, state: &mut State, position: &Position) {
    let reads = setup.rulings.pool_read == PoolRead::TurnStart && state.phase.is_some();
    state.read_case = position.read_case.unwrap_or(if reads { state.case } else { 0 });
    let phase = state.phase.filter(|_| state.stage != Stage::GameOver);
    state.pool = position
        .pool
        .unwrap_or_else(|| phase.map_or(0, |side| ch04_points::starting_pool(setup, state, side)));
}

/// The phase that goes with a pending decision.
fn phase_of(setup: &Setup, state: &State) -> Option<Side> {
    match state.stage {
        Stage::Deploy | Stage::ChooseCards | Stage::GameOver => None,
        Stage::PiratePhase => Some(Side::Pirates),
        // DRG-R24 = `all_optional`: without an arrival a card is offered for a captive sent.
        Stage::DrawOffer if state.arrival.is_none() && may_decline(setup, Side::Pirates) => {
            Some(Side::Pirates)
        }
        Stage::RapallinePhase | Stage::PlaceReserve => Some(Side::Rapalline),
        _ => match state.arrival.and_then(|arrival| arrival.unit) {
            Some(unit) => Some(setup.side(unit)),
            None => Some(Side::Rapalline),
        },
    }
}
