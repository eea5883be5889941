//! A state after a view: what the view hides is drawn from the cards that its observer has not
//! seen.
//!
//! Must not use anything that the view does not show.

use super::given::Position;
use super::load::load;
use crate::action::Side;
use crate::setup::{Cards, Setup, total};
use crate::state::State;
use crate::tables::DECK;
use crate::view::{CardsView, DeckView, OpenCards, Pile, View, WholeDeck};
use umpire_core::chance::{Ask, Chance, Halt, What};

/// A state that the observer of a view could be in: what the view hides is drawn from the cards
/// the observer has not seen.
pub(crate) fn determinize(
    setup: &Setup,
    view: &View,
    chance: &mut dyn Chance,
) -> Result<State, Halt> {
    let mut whole = view.clone();
    for side in Side::BOTH {
        if let CardsView::Closed(_) = view.hands.get(side) {
            fill_in(setup, &mut whole, side, chance)?;
        } else if let DeckView::Open(OpenCards { count, cards }) = view.decks.get(side) {
            let (count, cards) = (*count, cards.clone());
            *whole.decks.get_mut(side) =
                DeckView::Whole(WholeDeck { count, cards, order: Vec::new() });
        }
    }
    load(setup, &Position::from(whole)).map_err(|refusal| Halt::Mismatch {
        entry: 0,
        asked: "a state behind a view".to_owned(),
        found: refusal.into_parts().message,
    })
}

/// The same from a state that [`determinize`] gave for this view: only what is hidden is drawn again.
pub(crate) fn redeal(
    setup: &Setup,
    view: &View,
    dealt: &State,
    chance: &mut dyn Chance,
) -> Result<State, Halt> {
    let mut state = *dealt;
    for side in Side::BOTH {
        if let CardsView::Closed(_) = view.hands.get(side) {
            let Hidden { hand, unseen, deck } = Hidden::draw(setup, view, side, chance)?;
            let holding = &mut state.cards[side.index()];
            (holding.hand, holding.unseen, holding.deck) = (hand, unseen, deck);
        }
    }
    Ok(state)
}

/// What a view hides of a side's cards.
struct Hidden {
    hand: Cards,
    /// Of the discards.
    unseen: Cards,
    deck: Cards,
}

impl Hidden {
    /// Draws it from the cards that the observer has not seen.
    fn draw(setup: &Setup, view: &View, side: Side, chance: &mut dyn Chance) -> Result<Self, Halt> {
        let cards = setup.deck(side);
        let mut unknown = cards.counts;
        let pile = view.discards.get(side);
        for row in pile.cards.iter().filter_map(|&kind| cards.row(kind)) {
            unknown[row] = unknown[row].saturating_sub(1);
        }
        let held = match view.hands.get(side) {
            CardsView::Open(open) => open.count,
            CardsView::Closed(closed) => closed.count,
        };
        let hand = draw_hidden(side, held, &mut unknown, chance)?;
        let lying = pile.count.saturating_sub(pile.cards.len() as u8);
        let unseen = draw_hidden(side, lying, &mut unknown, chance)?;
        Ok(Hidden { hand, unseen, deck: unknown })
    }
}

/// Draws the hidden hand, deck and unseen discards of a side.
fn fill_in(
    setup: &Setup,
    view: &mut View,
    side: Side,
    chance: &mut dyn Chance,
) -> Result<(), Halt> {
    let Hidden { hand, unseen, deck: left } = Hidden::draw(setup, view, side, chance)?;
    let deck = setup.deck(side);
    let count = total(&hand) as u8;
    *view.hands.get_mut(side) = CardsView::Open(OpenCards { count, cards: deck.list(&hand) });
    let count = total(&left) as u8;
    *view.decks.get_mut(side) =
        DeckView::Whole(WholeDeck { count, cards: deck.list(&left), order: Vec::new() });
    let pile = view.discards.get_mut(side);
    let mut all = unseen;
    for row in pile.cards.iter().filter_map(|&kind| deck.row(kind)) {
        all[row] += 1;
    }
    *pile = Pile { count: pile.count, cards: deck.list(&all), unseen: deck.list(&unseen) };
    Ok(())
}

/// Draws a number of cards from those that the observer has not seen.
fn draw_hidden(
    side: Side,
    count: u8,
    from: &mut Cards,
    chance: &mut dyn Chance,
) -> Result<Cards, Halt> {
    let mut drawn = [0; DECK];
    let mut left = total(from) as u32;
    for _ in 0..count {
        if left == 0 {
            break;
        }
        let ask = Ask { stream: side as u8, what: What::Hidden { n: left } };
        let mut pick = chance.answer(&ask)?;
        for row in 0..DECK {
            if pick < u32::from(from[row]) {
                from[row] -= 1;
                drawn[row] += 1;
                left -= 1;
                break;
            }
            pick -= u32::from(from[row]);
        }
    }
    Ok(drawn)
}
