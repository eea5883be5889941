//! What events tell whom (DBD-20.1), as it goes over the wire.
//!
//! All of it is public but sealed bids, so a [`Happening`] is what everybody learns. Must not hold
//! anything that is hidden from anybody, but for a bid in the notice of its bidder.

mod details;
pub(super) mod happening;

pub(super) use details::{Cause, Effect, Failure, RouteLine};
pub(super) use happening::Happening;

use serde::{Deserialize, Serialize};

use super::action::{Player, unset};
use super::event::Event;
use super::state::SealedBid;
use umpire_core::game::Observer;
use umpire_core::wire::present;

/// What one observer learns of a fact.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = doubloons::Notice))]
#[serde(untagged)]
pub enum Notice {
    /// A public fact.
    Public(Happening),
    /// A bid, or that it was made.
    Bid(BidNotice),
}

/// A bid as an observer learns of it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = doubloons::BidNotice))]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum BidNotice {
    /// A player has made his bid.
    BidMade {
        /// Who.
        player: Player,
        /// What, for those who may know it.
        #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
        #[cfg_attr(feature = "schema", schema(nullable = false))]
        bid: Option<OpenBid>,
    },
}

/// A bid that the observer knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = doubloons::OpenBid))]
#[serde(deny_unknown_fields)]
pub struct OpenBid {
    /// The gold.
    pub amount: u32,
    /// Whether the bidder stays out of the trading session.
    #[serde(default, skip_serializing_if = "unset")]
    pub skip_trading: bool,
}

/// DBD-20.1 What an observer learns of an event: everything but the sealed bids of others.
pub(super) fn announce(event: &Event, to: Observer) -> Notice {
    match event {
        Event::Public(event) => Notice::Public(event.clone()),
        &Event::BidMade { player, bid: SealedBid { amount, skip } } => {
            let open = OpenBid { amount, skip_trading: skip };
            let bid = to.sees(player.seat()).then_some(open);
            Notice::Bid(BidNotice::BidMade { player, bid })
        }
    }
}
