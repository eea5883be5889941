//! DRG-9 Draws.
//!
//! Must not decide what earns a draw, nor look at an order nobody knows: a deck is a set of
//! cards unless DRG-R27 = `bottom`.

use super::action::{DrawOffer, Side};
use super::event::{DrawCause, Event};
use super::rulebook::{Draws, Returned, Rule, ShotCards};
use super::setup::Setup;
use super::state::{State, count};
use super::tables::CARDS;
use super::{Ctx, Verdict};
use umpire_core::chance::{Ask, What};
use umpire_core::rules::Cites;

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
    let rules = Cites::from([rule, Rule::C9_1]);
    // DRG-R51 = `one_card`: the draw for the pirate that was shot falls away.
    let instead = why == DrawCause::Reward
        && ctx.state().owes_draw
        && setup.rulings.shot_cards == ShotCards::OneCard;
    let rules = if instead { rules.and(Rule::R51) } else { rules };
    ctx.happen(Event::CardDrawn { side, row, why }, rules);
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

/// DRG-9.2, DRG-9.4 Whose draw is due: that of the pirates only after a send, under DRG-R24 =
/// `all_optional`.
pub(super) fn earner(setup: &Setup, state: &State) -> Side {
    let sent = setup.rulings.draws == Draws::AllOptional
        && state.phase == Some(Side::Pirates)
        && state.arrival.is_none();
    if sent { Side::Pirates } else { Side::Rapalline }
}

/// DRG-9.2, DRG-9.4 Why the draw that is due is due.
const fn cause(earner: Side) -> DrawCause {
    match earner {
        Side::Pirates => DrawCause::Sent,
        Side::Rapalline => DrawCause::Earned,
    }
}

/// DRG-9.2, DRG-9.4 The clause by which a draw is offered.
pub(super) fn offer_clause(setup: &Setup, state: &State) -> Rule {
    earned_by(earner(setup, state))
}

/// DRG-9.2, DRG-9.4 The clause by which a side earns draws.
pub(super) const fn earned_by(side: Side) -> Rule {
    earning_clause(cause(side))
}

/// DRG-9.5 Whether there is a card for the draw that is due.
pub(super) fn is_card_left(setup: &Setup, state: &State) -> bool {
    count(&state.cards[earner(setup, state).index()].deck) > 0
}

/// DRG-9.2, DRG-9.4, DRG-9.5 Whether a side is asked whether it draws (DRG-R24), if it has a card to draw.
pub(super) fn may_decline(setup: &Setup, side: Side) -> bool {
    match setup.rulings.draws {
        Draws::Optional => side == Side::Rapalline,
        Draws::Mandatory => false,
        Draws::AllOptional => true,
    }
}

/// DRG-9.4, DRG-9.5 Whether an earned card is drawn by choice (DRG-R24) and not by itself.
pub(super) fn is_offered(setup: &Setup, state: &State) -> bool {
    is_card_left(setup, state) && may_decline(setup, earner(setup, state))
}

/// DRG-9.2 A card for a captive sent: at once, unless it will be offered.
pub(super) fn draw_for_send(ctx: &mut Ctx<'_>) -> Verdict {
    match may_decline(ctx.setup(), Side::Pirates) {
        true => Ok(()),
        false => draw_card(ctx, Side::Pirates, DrawCause::Sent),
    }
}

/// DRG-9.2, DRG-9.4 The card that is due: for a removed pirate, a unit that reached a hill, or a captive
/// sent.
pub(super) fn draw_earned(ctx: &mut Ctx<'_>) -> Verdict {
    let side = earner(ctx.setup(), ctx.state());
    draw_card(ctx, side, cause(side))
}

/// DRG-9.2, DRG-9.4 The offer is taken or declined.
pub(super) fn answer_offer(ctx: &mut Ctx<'_>, sent: &DrawOffer) -> Verdict {
    if sent.accept {
        return draw_earned(ctx);
    }
    let clause = offer_clause(ctx.setup(), ctx.state());
    ctx.happen(Event::DrawDeclined { side: sent.player }, [clause, Rule::R24]);
    Ok(())
}

// DRG-9.3 by `ch06_combat::take_reward`.
// DRG-9.6 is `Dragut::CLAUSES.tape`: the core cites it where a tape does not fit.
