//! Loaded positions (part C.4): the referee's view, or a short form, in which what is left out has
//! the place that the background of the worked examples (part I) gives it:
//!
//! - turn 5, alarm case 1, no card in effect, hands empty, nobody has spent points, Serraglio
//!   empty, `pool` as at the start of the phase with the cards in effect;
//! - pirates at sea, the two replacements aside, the reserve in reserve, all other Rapalline
//!   units free in `porta_santantonio`; in the state `deploy`, all Rapalline units off the map;
//! - tokens in the order of DRG-12.2, pirates on the map numbered like Rapalline units;
//! - under DRG-R27 = `bottom`, decks in the order of the card table.
//!
//! A position that breaks an invariant of part H is refused, naming it. Must not repair anything.

mod cards;
mod determinize;
mod given;
mod invariants;
mod memory;
mod pending;

pub(super) use determinize::{GUESSES, determinize, redeal};
#[cfg(test)]
pub(super) use invariants::check_state;
pub use memory::Memory;

use serde::{Deserialize, Serialize};

use super::action::Side;
use super::rulebook::{PoolRead, Rule};
use super::setup::Setup;
use super::state::{Ended, Ending, Stage, State};
use super::view::{ArrivalView, BySide, Commitment, Named, OutcomeView, Pile, UnitView};
#[cfg(feature = "schema")]
use super::view::{CardLists, CardPair, Commitments, Piles};
use super::{Checked, Refusal, ch04_points};
use umpire_core::wire::{Name, present};

/// The code of every refusal of a position.
const CODE: &str = "position_refused";

/// The `position` of a record: the referee's view, or the short form.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = dragut::Position))]
#[serde(deny_unknown_fields)]
pub struct Position {
    /// The turn; 5 where it is left out.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub turn: Option<u32>,
    /// The pending decision.
    pub state: Stage,
    /// Whose phase it is; where it is left out, the one that goes with the pending decision.
    #[serde(default)]
    pub phase: Option<Side>,
    /// Points left in the phase; where it is left out, those of its start.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub pool: Option<u8>,
    /// The alarm case; 1 where it is left out.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub alarm_case: Option<u8>,
    /// The case read after the reveal (DRG-R10 = `turn_start`); the alarm case where left out.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub read_case: Option<u8>,
    /// The alarm was raised by an action this phase (DRG-R30 = `once`).
    #[serde(default)]
    pub raised: bool,
    /// Whether a pirate unit has landed (DRG-R8 = `map_only`); where it is left out, one has unless
    /// all pirates in play are at sea and no Rapalline unit is a captive, fled, removed or in the
    /// Serraglio.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub landed: Option<bool>,
    /// The target; it must be the one that follows from where Giulia is.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub target: Option<u8>,
    /// Units, by id.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(value_type = std::collections::BTreeMap<umpire_core::wire::Name, UnitView>, required = false))]
    pub units: Named<UnitView>,
    /// The hands; empty where left out.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(value_type = CardLists, required = false))]
    pub hands: BySide<Vec<Name>>,
    /// The decks; they must be what hands, played and retired cards leave.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(value_type = Piles, required = false))]
    pub decks: Option<BySide<Pile>>,
    /// Cards out of the game; none where left out.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(value_type = CardLists, required = false))]
    pub retired: BySide<Vec<Name>>,
    /// Cards in effect; none where left out.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(value_type = CardPair, required = false))]
    pub played: BySide<Option<Name>>,
    /// What was committed, while cards are chosen.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(value_type = Commitments, required = false))]
    pub committed: Option<BySide<Commitment>>,
    /// The combat or liberation that is not finished.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub arrival: Option<ArrivalView>,
    /// How the game ended.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub outcome: Option<OutcomeView>,
}

/// The state of a position, after checking every invariant.
pub(super) fn load(setup: &Setup, position: &Position) -> Checked<State> {
    let mut state = State::new(setup);
    state.stage = position.state;
    let deploying = state.stage == Stage::Deploy;
    state.turn = position.turn.unwrap_or(if deploying { 0 } else { 5 });
    state.case = position.alarm_case.unwrap_or(1);
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
        let message = format!("{reason} is no way to end");
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
        Stage::RapallinePhase | Stage::PlaceReserve => Some(Side::Rapalline),
        _ => match state.arrival.and_then(|arrival| arrival.unit) {
            Some(unit) => Some(setup.side(unit)),
            None => Some(Side::Rapalline),
        },
    }
}
