//! DRK-1 Terms: what it is to stand on the board, to live, and to be in the way.
//!
//! Must not know what a figure does. DRK-1.1 is `Side` in `action/names.rs`; DRK-1.3 (adjacent,
//! distance, ray, in line) is `tables/board.rs`; DRK-1.6 is the form of actions, which name kinds.

use super::action::{Dwarf, Figure};
use super::rulebook::Rule;
use super::state::State;
use super::tables::board::Spot;
use super::{Checked, Refusal};
use umpire_core::board::hex::Hex;

/// DRK-1.2 A hex that an action names is one of the 19.
pub(super) fn check_on_board(hex: Hex) -> Checked<Spot> {
    Spot::find(hex).ok_or_else(|| {
        Refusal::new(Rule::C1_2, "off_board", format!("{hex} is not a hex of the board"))
            .in_sight()
            .fact("distance from the centre", hex.length())
    })
}

/// DRK-1.4, DRK-8.6 A dwarf that an action names lives: a dead one has no hex and can do nothing.
pub(super) fn check_lives(state: &State, dwarf: Dwarf) -> Checked<Spot> {
    state.dwarf(dwarf).ok_or_else(|| figure_dead(dwarf))
}

/// DRK-1.4, DRK-8.6 The refusal of what a dead dwarf is to do or to suffer.
pub(super) fn figure_dead(dwarf: Dwarf) -> Refusal {
    Refusal::new(Rule::C8_6, "figure_dead", format!("{} is dead", dwarf.title()))
        .in_sight()
        .also(Rule::C1_4)
        .fact(format!("hex of {}", dwarf.title()), "none")
}

/// The figure on a hex, if there is one.
pub(super) fn figure_on(spots: &[Option<Spot>; 4], hex: Hex) -> Option<Figure> {
    spots.iter().position(|spot| spot.is_some_and(|spot| spot.hex() == hex)).map(Figure::at)
}

/// DRK-1.5 No figure stands on a hex that another is to enter.
pub(super) fn check_free(spots: &[Option<Spot>; 4], to: Spot) -> Checked {
    let hex = to.hex();
    let Some(other) = figure_on(spots, hex) else { return Ok(()) };
    Err(Refusal::new(Rule::C1_5, "hex_occupied", format!("{} stands on {hex}", other.title()))
        .in_sight()
        .also(Rule::C6_3)
        .fact(format!("figure on {hex}"), other))
}

// DRK-1.7 holds by construction: discards are what is neither in hand nor in the deck
// (`State::discards`), and no event takes a card from them.
