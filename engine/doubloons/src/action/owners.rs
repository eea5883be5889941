//! Whose units an attack names.
//!
//! Must not know who may be attacked.

use super::players::Player;

umpire_core::names! {
    /// A player, or nobody.
    doubloons.StackOwner as pub enum StackOwner {
        /// The first seat.
        P1 = "p1",
        /// The second seat.
        P2 = "p2",
        /// The third seat.
        P3 = "p3",
        /// The fourth seat.
        P4 = "p4",
        /// The fifth seat.
        P5 = "p5",
        /// The sixth seat.
        P6 = "p6",
        /// Neutral units.
        Neutral = "neutral",
    }
}

impl StackOwner {
    /// The owner of a unit.
    pub(crate) fn of(owner: Option<Player>) -> StackOwner {
        owner.map_or(StackOwner::Neutral, |player| StackOwner::ALL[player.index()])
    }

    /// The player; nobody for neutral units.
    pub(crate) fn player(self) -> Option<Player> {
        (self != StackOwner::Neutral).then(|| Player::at(self as usize))
    }
}
