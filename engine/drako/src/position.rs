//! Loaded positions (part C.4): the short form of the document, or the referee's view.
//!
//! A position that breaks an invariant of part G is refused, naming it. Must not repair
//! anything: what is left out has its stated default, what is stated must hold.

mod determinize;
mod given;
mod invariants;
mod load;
mod pending;

pub(super) use determinize::{determinize, redeal};
pub use given::Position;
pub(super) use load::load;
