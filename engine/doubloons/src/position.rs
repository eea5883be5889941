//! A view as a starting position, and states from positions (part D.4).
//!
//! The referee's view is a position; so is the short form, in which what is left out has its stated
//! default. Must not repair anything: a position that breaks an invariant is refused, naming it.

mod board;
mod data;
mod determinize;
mod invariants;
mod load;
mod pending;
mod table;

pub use data::Position;
pub(super) use determinize::{determinize, redeal, reopened};
#[cfg(test)]
pub(super) use invariants::is_spared;
pub(super) use load::load;
