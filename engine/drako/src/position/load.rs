//! The state of a position, one part after the other.
//!
//! Must not check an invariant itself.

use super::given::Position;
use super::invariants::{
    check_agreement, check_alive, check_played, load_cards, load_spots, load_turn, load_wounds,
};
use super::pending::load_pending;
use crate::setup::Setup;
use crate::state::{Stage, State};
use crate::{Checked, Refusal};

/// The state of a position, after checking every invariant of part G that a position can break.
/// Every fault is public: whoever sees the position sees it.
pub(crate) fn load(setup: &Setup, position: &Position) -> Checked<State> {
    load_in_order(setup, position).map_err(Refusal::public)
}

fn load_in_order(setup: &Setup, position: &Position) -> Checked<State> {
    let mut state = State::new(setup);
    state.turn = position.turn;
    state.stage = position.state.unwrap_or(Stage::Action);
    state.netted = position.netted;
    state.fury_used = position.fury_used;
    load_wounds(setup, &mut state, position)?;
    load_cards(setup, &mut state, position)?;
    load_spots(setup, &mut state, position)?;
    load_turn(setup, &mut state, position)?;
    check_alive(setup, &state)?;
    check_played(setup, &state)?;
    load_pending(setup, &mut state, position)?;
    check_agreement(setup, &state, position)?;
    Ok(state)
}
