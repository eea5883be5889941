//! DRG-9: draws.
//!
//! Must not decide what earns a draw, nor look at an order nobody knows: a deck is a set of
//! cards unless DRG-R27 = `bottom`.

use super::action::DrawOffer;
use super::ch06_combat::{Flow, settle};
use super::event::{Event, Why};
use super::rulebook::{Draws, Returned, Rule};
use super::state::{Step, count};
use super::tables::{CARDS, Side};
use super::{Cx, Dragut};
use umpire_core::chance::{Ask, What};
use umpire_core::game::{Stop, Verdict};

/// DRG-9.1: one random card of the own deck; DRG-9.5: nothing from an empty one.
pub fn draw(ctx: &mut Cx<'_>, side: Side, why: Why) -> Verdict<Dragut> {
    let rule = match why {
        Why::Start => Rule::C2_8,
        Why::Sent => Rule::C9_2,
        Why::Reward => Rule::C9_3,
        Why::Earned => Rule::C9_4,
    };
    let setup = ctx.setup();
    let cards = &ctx.state().cards[side.at()];
    let deck = cards.deck;
    if count(&deck) == 0 {
        ctx.happen(Event::DeckEmpty { side, why }, [Rule::C9_5, rule]);
        return Ok(());
    }
    let row = if setup.rulings.returned == Returned::Bottom {
        cards.order[0]
    } else {
        let names = &setup.decks[side.at()].names;
        let counts = &deck[..names.len()];
        let what = What::Card { side: side.name(), names, counts };
        ctx.draw(&Ask { stream: side as u8, what }, rule)? as u8
    };
    ctx.happen(Event::CardDrawn { side, row, why }, [rule, Rule::C9_1]);
    Ok(())
}

/// Part D, C3: under DRG-R27 = `bottom` each deck is an ordered list, shuffled once.
pub fn shuffle(ctx: &mut Cx<'_>, side: Side) -> Verdict<Dragut> {
    let names = &ctx.setup().decks[side.at()].names;
    let deck = ctx.state().cards[side.at()].deck;
    let what = What::Card { side: side.name(), names, counts: &deck[..names.len()] };
    let rows = ctx.shuffle(&Ask { stream: side as u8, what }, Rule::R27)?;
    let mut order = [0; CARDS];
    for (slot, row) in order.iter_mut().zip(rows) {
        *slot = row as u8;
    }
    ctx.happen(Event::Shuffled { side, order }, Rule::R27);
    Ok(())
}

/// DRG-9.4: a card for a removed pirate or a unit that reached a hill, by choice or not
/// (DRG-R24).
pub fn c9_4_earned(ctx: &mut Cx<'_>) -> Result<Flow, Stop<Rule>> {
    let empty = count(&ctx.state().cards[Side::Rapalline.at()].deck) == 0;
    if empty || ctx.setup().rulings.draws == Draws::Mandatory {
        draw(ctx, Side::Rapalline, Why::Earned)?;
        return Ok(Flow::Goes);
    }
    ctx.happen(Event::Asked { step: Step::DrawOffer }, [Rule::C9_4, Rule::R24]);
    Ok(Flow::Waits)
}

/// DRG-9.4: the offer is taken or declined.
pub fn draw_offer(ctx: &mut Cx<'_>, sent: &DrawOffer) -> Verdict<Dragut> {
    if sent.accept {
        draw(ctx, Side::Rapalline, Why::Earned)?;
    } else {
        ctx.happen(Event::DrawDeclined, [Rule::C9_4, Rule::R24]);
    }
    settle(ctx)
}
