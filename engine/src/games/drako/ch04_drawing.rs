//! DRK-4 Drawing, and the hand limit.

use super::action::{Discard, Draw};
use super::event::Event;
use super::rulebook::Rule;
use super::setup::HandLimit;
use super::state::{Stage, State};
use super::tables::HAND_LIMIT;
use super::{Ctx, Verdict, ch02_setup, ch03_turns};
use crate::rules::Refusal;

/// DRK-4.3 Drawing needs a card in the deck.
pub(super) fn can_draw(state: &State) -> bool {
    state.holding(state.mover()).in_deck() > 0
}

/// DRK-4.1 Two cards from the deck to the hand.
pub(super) fn draw(ctx: &mut Ctx<'_>, action: &Draw) -> Verdict {
    let side = action.player;
    if !can_draw(ctx.state()) {
        let message = format!("the deck of the {} is empty", side.name());
        return Err(Refusal::new(Rule::C4_3, "deck_empty", message)
            .also(Rule::R15)
            .fact("cards in the deck", 0)
            .public()
            .into());
    }
    let full = ctx.state().holding(side).in_hand() >= HAND_LIMIT;
    let cards = ch02_setup::take_two(ctx, side)?;
    let last = cards.count() == 1;
    let drawn = Event::CardsDrawn { side, cards };
    match (full, last) {
        (false, false) => ctx.happen(drawn, [Rule::C4_1, Rule::C3_3]),
        (true, false) => ctx.happen(drawn, [Rule::C4_1, Rule::C3_3, Rule::C4_4]),
        (false, true) => ctx.happen(drawn, [Rule::C4_1, Rule::C3_3, Rule::C4_3, Rule::R15]),
        (true, true) => {
            ctx.happen(drawn, [Rule::C4_1, Rule::C3_3, Rule::C4_4, Rule::C4_3, Rule::R15]);
        }
    }
    limit(ctx)
}

/// DRK-4.2 Whoever holds more than six discards the excess before anything else happens.
fn limit(ctx: &mut Ctx<'_>) -> Verdict {
    let at_once = ctx.setup().rulings.hand_limit == HandLimit::AfterDraw;
    if at_once && ch03_turns::excess(ctx.setup(), ctx.state()) > 0 {
        let awaited = Event::Awaited { stage: Stage::Discard, to_assign: 0 };
        ctx.happen(awaited, [Rule::C4_2, Rule::C3_8, Rule::R14]);
        return Ok(());
    }
    ch03_turns::settle(ctx)
}

/// DRK-4.2 The excess is discarded, any cards.
pub(super) fn discard(ctx: &mut Ctx<'_>, action: &Discard) -> Verdict {
    let side = action.player;
    let excess = ch03_turns::excess(ctx.setup(), ctx.state());
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
    let mut cards = crate::wire::Few::default();
    for (at, &kind) in action.cards.as_slice().iter().enumerate() {
        match deck.row(side, kind) {
            Some(row) if hand[row] > 0 => {
                hand[row] -= 1;
                cards.push(row as u8);
            }
            _ => {
                let message = format!("{kind} is not in the hand, or not that often");
                return Err(Refusal::new(Rule::C4_2, "card_not_in_hand", message)
                    .at(format!("/cards/{at}"))
                    .fact("hand", super::view::listed(deck, &ctx.state().holding(side).hand))
                    .into());
            }
        }
    }
    ctx.happen(Event::CardsDiscarded { side, cards }, [Rule::C4_2, Rule::C3_8, Rule::R17]);
    match ctx.setup().rulings.hand_limit {
        HandLimit::AfterDraw => ch03_turns::settle(ctx),
        HandLimit::TurnEnd => ch03_turns::end_turn(ctx),
    }
}
