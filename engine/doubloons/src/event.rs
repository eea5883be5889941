//! One fact as the rules make it happen: what everybody learns, or a sealed bid.
//!
//! Events are never serialised; what an observer learns of one is a [`Notice`].

mod apply;

pub(super) use apply::apply;

use super::action::Player;
use super::notice::Happening;
use super::state::SealedBid;

/// One fact.
#[derive(Clone, PartialEq, Debug)]
pub enum Event {
    /// A fact that everybody learns.
    Public(Happening),
    /// A sealed bid.
    BidMade {
        /// Who bids.
        player: Player,
        /// What.
        bid: SealedBid,
    },
}

impl From<Happening> for Event {
    fn from(fact: Happening) -> Self {
        Event::Public(fact)
    }
}
