//! A state that a viewer could be in.
//!
//! Must not know more than the view.

use super::data::Position;
use super::load::read;
use crate::action::{Keyed, Player};
use crate::advice::reflex::bid_at_first_sight;
use crate::setup::Setup;
use crate::state::{SealedBid, Stage, State};
use crate::view::{BidLine, BidView, View};
use umpire_core::chance::{Ask, Chance, Halt, What};
use umpire_core::game::Observer;

/// One sealed bid of so many could be any, and one of so many goes on to the trading session.
const ODD: u32 = 8;

/// A state that a viewer could be in. Sealed bids are drawn: mostly such as players make at first sight, for whoever believed
/// every amount to be as likely as every other would not bid against it; but any could be.
pub(crate) fn determinize(
    setup: &Setup,
    view: &View,
    chance: &mut dyn Chance,
) -> Result<State, Halt> {
    let mut position = Position::from(view.clone());
    let mut bids = Vec::new();
    for (player, bid) in position.bids.iter() {
        let open = match bid {
            BidView::Open(open) => *open,
            BidView::Sealed(_) => {
                draw_bid(position.gold.get(player).copied().unwrap_or(0), chance)?
            }
        };
        bids.push((*player, BidView::Open(open)));
    }
    position.bids = Keyed::new(bids);
    let no_view = |_| Halt::NoSeed { asked: "a view of this game".to_owned() };
    // A view was a state, so nothing stands where it may not.
    read(setup, &position).map_err(no_view)
}

/// Another state that the viewer could be in, made of one that `determinize` gave: only sealed bids are drawn again.
pub(crate) fn redeal(view: &View, dealt: &State, chance: &mut dyn Chance) -> Result<State, Halt> {
    let mut state = dealt.clone();
    for (player, bid) in view.bids.iter() {
        if let BidView::Sealed(_) = bid {
            let BidLine { amount, skip_trading } = draw_bid(dealt.gold(*player), chance)?;
            state.bids[player.index()] = Some(SealedBid { amount, skip: skip_trading });
        }
    }
    Ok(state)
}

/// A bid of a player with so much gold.
fn draw_bid(gold: u32, chance: &mut dyn Chance) -> Result<BidLine, Halt> {
    let mut draw = |n| chance.answer(&Ask { stream: 0, what: What::Hidden { n } });
    let amount = match draw(ODD)? {
        0 => draw(gold.saturating_add(1))?,
        _ => bid_at_first_sight(draw(8)?).min(gold),
    };
    Ok(BidLine { amount, skip_trading: draw(ODD)? > 0 })
}

/// The same state with the bids undone that an observer cannot see.
pub(crate) fn reopened(state: &State, observer: Observer) -> Option<State> {
    let hidden =
        |player: &Player| state.bids[player.index()].is_some() && !observer.sees(player.seat());
    if state.stage != Stage::Bid || !state.playing.iter().any(|it| hidden(&it)) {
        return None;
    }
    let mut state = state.clone();
    for player in state.playing.iter().filter(hidden) {
        state.bids[player.index()] = None;
    }
    Some(state)
}
