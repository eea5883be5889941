//! The decks as the rules read them: what each card does, its effects added up.
//!
//! Must not know where a card is: that changes during a game.

use super::data::Life;
use crate::tables::KINDS;
use umpire_core::wire::Name;

/// What a card does, its effects added up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Effect {
    /// Cases of the alarm.
    pub(crate) alarm: i8,
    /// Points of each side's pool.
    pub(crate) pool: [i8; 2],
    /// Points of each side's limit per unit.
    pub(crate) limit: [i8; 2],
    /// What every pirate pays on trails.
    pub(crate) trail: Option<u8>,
    /// What a send costs.
    pub(crate) send: Option<u8>,
    /// Whether the Soldier in reserve enters.
    pub(crate) reserve: bool,
}

/// The deck of one side.
#[derive(Clone, Debug, Default)]
pub(crate) struct Deck {
    /// Ids in canonical order, as chance is asked for them.
    pub(crate) names: Vec<String>,
    /// The same ids.
    pub(crate) ids: Vec<Name>,
    /// The names for people.
    pub(crate) titles: Vec<String>,
    /// Copies.
    pub(crate) copies: [u8; KINDS],
    /// Life cycles.
    pub(crate) life: Vec<Life>,
    /// Effects, one without any after the last.
    pub(crate) effects: [Effect; KINDS + 1],
}
