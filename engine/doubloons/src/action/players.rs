//! The players, and sets of them.
//!
//! Must not know what a player has.

use umpire_core::game::{Seat, Seats};

umpire_core::names! {
    /// A player; `p1` sits first.
    doubloons.Player as pub enum Player {
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
    }
}

/// The names of all players, in seat order.
pub(crate) const SEATS: [&str; 6] = ["p1", "p2", "p3", "p4", "p5", "p6"];

impl Player {
    /// The seat of generic code.
    pub(crate) const fn seat(self) -> Seat {
        Seat(self as u8)
    }

    /// The player of a seat, if it is one of theirs.
    pub(crate) fn of(seat: Seat) -> Option<Player> {
        Player::ALL.get(usize::from(seat.0)).copied()
    }
}

/// A player as sentences call him: `Prince 1`, in whose place the name in a record can stand.
pub(crate) fn prince(player: Player) -> String {
    format!("Prince {}", player.seat().0 + 1)
}

umpire_core::set_of! {
    /// A set of players.
    pub struct PlayerSet(u8) of Player;
}

impl PlayerSet {
    /// Whether every player of the other set is in this one.
    pub(crate) fn holds(self, other: PlayerSet) -> bool {
        other.minus(self).is_empty()
    }

    /// The seats of its players.
    pub(crate) fn seats(self) -> Seats {
        self.iter().fold(Seats::NONE, |seats, player| seats.with(player.seat()))
    }
}
