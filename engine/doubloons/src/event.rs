//! What can happen: before the eyes of all, or a sealed bid; `apply.rs` says how it changes the
//! state.
//!
//! An event carries all that its change and its announcement need. Must not decide anything; what
//! an observer learns of it is a notice.

pub(super) mod apply;

use super::action::Player;
use super::notice::happening::Happening;
use super::state::SealedBid;

/// Something that happens.
#[derive(Clone, PartialEq, Debug)]
pub enum Event {
    /// What everybody learns.
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
    fn from(happening: Happening) -> Self {
        Event::Public(happening)
    }
}
