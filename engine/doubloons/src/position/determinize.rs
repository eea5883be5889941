//! A state that a viewer could be in.
//!
//! Must not know more than the view.

use super::{Position, read};
use crate::action::{Keyed, Player};
use crate::setup::Setup;
use crate::state::State;
use crate::view::{BidLine, BidView, View};
use umpire_core::chance::{Ask, Chance, Halt, What};

/// A state that a viewer could be in: sealed bids are drawn.
pub(crate) fn determinize(
    setup: &Setup,
    view: &View,
    chance: &mut dyn Chance,
) -> Result<State, Halt> {
    let mut position = Position::from(view.clone());
    let gold = |player: &Player| position.gold.get(player).copied().unwrap_or(0);
    let mut bids = Vec::new();
    for (player, bid) in position.bids.iter() {
        let open = match bid {
            BidView::Open(open) => *open,
            BidView::Sealed(_) => {
                let mut draw = |n| chance.answer(&Ask { stream: 0, what: What::Hidden { n } });
                let amount = draw(gold(player).saturating_add(1))?;
                BidLine { amount, skip_trading: draw(2)? == 1 }
            }
        };
        bids.push((*player, BidView::Open(open)));
    }
    position.bids = Keyed::new(bids);
    let no_view = |_| Halt::NoSeed { asked: "a view of this game".to_owned() };
    // A view was a state, so nothing stands where it may not.
    read(setup, &position).map_err(no_view)
}
