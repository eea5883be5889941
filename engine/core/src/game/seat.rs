//! Seats, and sets of them.
//!
//! Must not know who sits there.

/// A place at the table: an index into [`Meta::seats`](super::Meta::seats), below 16.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Seat(pub u8);

impl Seat {
    /// The place in seat order, from 0.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The seat at a place below 16.
    pub const fn at(index: usize) -> Seat {
        Seat(index as u8)
    }
}

crate::set_of! {
    /// A set of seats.
    pub struct Seats(u16) of Seat;
}
