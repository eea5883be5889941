//! DRG-9 Draws.
//!
//! Must not decide what earns a draw, nor look at an order nobody knows: a deck is a set of
//! cards unless DRG-R27 = `bottom`.

use super::action::{DrawOffer, Side};
use super::event::{DrawCause, Event};
use super::rulebook::{Draws, Returned, Rule};
use super::setup::Setup;
use super::state::{State, count};
use super::tables::CARDS;
use super::{Ctx, Verdict};
use umpire_core::chance::{Ask, What};

/// The random stream for guesses and samples; no record ever draws from it.
pub(super) const GUESSES: u8 = 2;

/// Part D, C3: under DRG-R27 = `bottom` each deck is an ordered list, shuffled once.
pub(super) fn shuffle_deck(ctx: &mut Ctx<'_>, side: Side) -> Verdict {
    let names = &ctx.setup().decks[side.index()].names;
    let deck = ctx.state().cards[side.index()].deck;
    let what = What::Card { side: side.name(), names, counts: &deck[..names.len()] };
    let rows = ctx.shuffle(&Ask { stream: side as u8, what }, Rule::R27)?;
    let mut order = [0; CARDS];
    for (slot, row) in order.iter_mut().zip(rows) {
        *slot = row as u8;
    }
    ctx.happen(Event::Shuffled { side, order }, Rule::R27);
    Ok(())
}

/// DRG-9.1, DRG-9.5 One random card of one's own deck; nothing from an empty one.
pub(super) fn draw_card(ctx: &mut Ctx<'_>, side: Side, why: DrawCause) -> Verdict {
    let rule = earning_clause(why);
    let setup = ctx.setup();
    let cards = &ctx.state().cards[side.index()];
    let deck = cards.deck;
    if count(&deck) == 0 {
        ctx.happen(Event::DeckEmpty { side, why }, [Rule::C9_5, rule]);
        return Ok(());
    }
    let row = if setup.rulings.returned == Returned::Bottom {
        cards.order[0]
    } else {
        let names = &setup.decks[side.index()].names;
        let counts = &deck[..names.len()];
        let what = What::Card { side: side.name(), names, counts };
        ctx.draw(&Ask { stream: side as u8, what }, rule)? as u8
    };
    ctx.happen(Event::CardDrawn { side, row, why }, [rule, Rule::C9_1]);
    Ok(())
}

/// DRG-2.8, DRG-9.2, DRG-9.3, DRG-9.4 The clause that asks for a draw.
const fn earning_clause(why: DrawCause) -> Rule {
    match why {
        DrawCause::Start => Rule::C2_8,
        DrawCause::Sent => Rule::C9_2,
        DrawCause::Reward => Rule::C9_3,
        DrawCause::Earned => Rule::C9_4,
    }
}

/// DRG-9.4, DRG-9.5 Whether an earned card is drawn by choice (DRG-R24) and not by itself.
pub(super) fn is_offered(setup: &Setup, state: &State) -> bool {
    let empty = count(&state.cards[Side::Rapalline.index()].deck) == 0;
    !empty && setup.rulings.draws == Draws::Optional
}

/// DRG-9.4 A card for a removed pirate or a unit that reached a hill.
pub(super) fn draw_earned(ctx: &mut Ctx<'_>) -> Verdict {
    draw_card(ctx, Side::Rapalline, DrawCause::Earned)
}

/// DRG-9.4 The offer is taken or declined.
pub(super) fn answer_offer(ctx: &mut Ctx<'_>, sent: &DrawOffer) -> Verdict {
    if sent.accept {
        return draw_earned(ctx);
    }
    ctx.happen(Event::DrawDeclined, [Rule::C9_4, Rule::R24]);
    Ok(())
}

// DRG-9.2 is asked for by `ch07_captives::send_captive`, DRG-9.3 by `ch06_combat::take_reward`.
// DRG-9.6 is `Dragut::CLAUSES.tape`: the core cites it where a tape does not fit.
