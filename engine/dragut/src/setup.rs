//! The options of a record, checked and worked out: edition, readings, and corrected data.
//!
//! Corrected data replace a whole table (map, units, alarm track, cards) or single constants.
//! They may bring ids of their own: lower-case letters, digits and `_`, at most 24. They must
//! hold what the clauses take for granted: invariant 18 for the map, the arithmetic of A.1 for
//! the units; what does not hold is refused in plain words. Must not hold anything that changes
//! during a game.

mod cards;
pub(super) mod data;
mod decks;
mod faults;
pub(super) mod ids;
mod map;
mod numbers;
mod options;
mod units;
mod work_out;
mod worked_out;

pub(super) use data::{AreaData, AreaKind, CardData, Life, UnitData, UnitKind};
pub(super) use decks::Effect;
pub(super) use ids::{
    DRAGUT_4, DRAGUT_6, FLEET, PIRATE_2B, PIRATE_4A, PIRATE_4B, PIRATE_UNITS, RENEGADE,
};
pub use options::Options;
pub use worked_out::Setup;
