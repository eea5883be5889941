//! One fact as the rules make it happen: what everybody learns, or a sealed bid.
//!
//! Events are never serialised; what an observer learns of one is a [`Notice`].

mod apply;

pub(super) use apply::apply;

use super::action::Player;
use super::notice::{BidNotice, Fact, Notice, OpenBid};
use super::state::SealedBid;
use umpire_core::game::Observer;

/// One fact.
#[derive(Clone, PartialEq, Debug)]
pub enum Event {
    /// A fact that everybody learns.
    Fact(Fact),
    /// A sealed bid.
    BidMade {
        /// Who bids.
        player: Player,
        /// What.
        bid: SealedBid,
    },
}

impl From<Fact> for Event {
    fn from(fact: Fact) -> Self {
        Event::Fact(fact)
    }
}

impl Event {
    /// What an observer learns of it.
    pub fn notice(&self, to: Observer) -> Notice {
        match self {
            Event::Fact(fact) => Notice::Fact(fact.clone()),
            &Event::BidMade { player, bid: SealedBid { amount, skip } } => {
                let open = OpenBid { amount, skip_trading: skip };
                let bid = to.sees(player.seat()).then_some(open);
                Notice::Bid(BidNotice::BidMade { player, bid })
            }
        }
    }
}
