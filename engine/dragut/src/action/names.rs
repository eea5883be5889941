//! Names that records, views and rules have in common: the sides, and what a shot earns.
//!
//! Must not decide anything.

use umpire_core::game::Seat;

umpire_core::names! {
    /// The two sides; also the seats, in this order.
    dragut.Side as pub enum Side {
        /// The pirates, green.
        Pirates = "pirates",
        /// The townspeople, blue.
        Rapalline = "rapalline",
    }
}

impl Side {
    /// Both, in order.
    pub(crate) const BOTH: [Side; 2] = [Side::Pirates, Side::Rapalline];

    /// The other one.
    pub(crate) const fn other(self) -> Side {
        match self {
            Side::Pirates => Side::Rapalline,
            Side::Rapalline => Side::Pirates,
        }
    }

    /// What people call it.
    pub(crate) const fn title(self) -> &'static str {
        match self {
            Side::Pirates => "the pirates",
            Side::Rapalline => "the townspeople",
        }
    }

    /// Its seat.
    pub(crate) const fn seat(self) -> Seat {
        Seat(self as u8)
    }

    /// The side of a seat.
    pub(crate) const fn of_seat(seat: Seat) -> Side {
        Side::at(seat.0 as usize)
    }
}

umpire_core::names! {
    /// The Arquebusier's reward.
    dragut.Reward as pub enum Reward {
        /// The alarm rises by one case.
        Alarm = "alarm",
        /// A card is drawn.
        Draw = "draw",
    }
}

umpire_core::names! {
    /// The only type of action that is too manifold to list.
    dragut.RangeType as pub enum RangeType {
        /// A deployment.
        Deploy = "deploy",
    }
}
