//! DRK-4 Drawing, and the hand limit.
//!
//! Must not know when the limit is applied: `sequence.rs` does (DRK-R14).

use super::action::{Discard, Draw};
use super::event::Event;
use super::rulebook::Rule;
use super::state::State;
use super::tables::{CARDS_PER_DRAW, HAND_LIMIT};
use super::{Ctx, Refusal, Verdict, ch13_chance};
use umpire_core::rules::Cites;
use umpire_core::wire::Few;

/// DRK-4.1 Two cards from the deck to the hand. DRK-4.4 A full hand does not forbid it.
pub(super) fn draw_cards(ctx: &mut Ctx<'_>, action: &Draw) -> Verdict {
    let side = action.player;
    if !can_draw(ctx.state()) {
        let message = format!("the deck of the {side} is empty");
        return Err(Refusal::new(Rule::C4_3, "deck_empty", message)
            .also(Rule::R15)
            .fact("cards in the deck", 0)
            .public()
            .into());
    }
    let full = ctx.state().holding(side).in_hand() >= HAND_LIMIT;
    let cards: Few<u8, 2> = ch13_chance::take_cards(ctx, side, CARDS_PER_DRAW, Rule::C4_1)?;
    let last = cards.count() == 1;
    let mut rules = Cites::from([Rule::C4_1, Rule::C3_3]);
    if full {
        rules = rules.and(Rule::C4_4);
    }
    if last {
        rules = rules.and(Rule::C4_3).and(Rule::R15);
    }
    ctx.happen(Event::CardsDrawn { side, cards }, rules);
    Ok(())
}

/// DRK-4.2 How many cards the side to move must discard: what it holds beyond six.
pub(super) fn excess(state: &State) -> usize {
    state.holding(state.mover()).in_hand().saturating_sub(HAND_LIMIT)
}

/// DRK-4.2 The excess is discarded, any cards.
pub(super) fn discard_cards(ctx: &mut Ctx<'_>, action: &Discard) -> Verdict {
    let side = action.player;
    let excess = excess(ctx.state());
    if action.cards.count() != excess {
        let cards = if excess == 1 { "card is" } else { "cards are" };
        let message = format!("{excess} {cards} to be discarded, not {}", action.cards.count());
        return Err(Refusal::new(Rule::C4_2, "discard_count", message)
            .at("/cards")
            .fact("cards in hand", ctx.state().holding(side).in_hand())
            .fact("hand limit", HAND_LIMIT)
            .public()
            .into());
    }
    let deck = ctx.setup().deck(side);
    let mut hand = ctx.state().holding(side).hand;
    let mut cards = Few::default();
    for (at, &kind) in action.cards.as_slice().iter().enumerate() {
        let Some(row) = deck.row_in(&hand, kind) else {
            let message = format!("{} is not in the hand, or not that often", deck.face(kind));
            return Err(Refusal::new(Rule::C4_2, "card_not_in_hand", message)
                .at(format!("/cards/{at}"))
                .fact("hand", deck.cards_text(&ctx.state().holding(side).hand))
                .into());
        };
        hand[row] -= 1;
        cards.push(row as u8);
    }
    ctx.happen(Event::CardsDiscarded { side, cards }, [Rule::C4_2, Rule::C3_8, Rule::R17]);
    Ok(())
}

/// DRK-4.3 Drawing needs a card in the deck.
pub(super) fn can_draw(state: &State) -> bool {
    state.holding(state.mover()).in_deck() > 0
}
