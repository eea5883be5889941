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
mod data;
mod determinize;
mod given;
mod invariants;
mod load;
mod memory;
mod pending;

pub use data::Position;
pub(super) use determinize::{determinize, redeal};
#[cfg(test)]
pub(super) use invariants::check_state;
pub(super) use load::load;
pub use memory::Memory;
