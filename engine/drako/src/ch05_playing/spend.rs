//! DRK-5.2 How a card is spent: what every option begins with.
//!
//! Must not know what an option does.

use crate::event::{Event, PlayedCard};
use crate::rulebook::{LastCard, Rule};
use crate::setup::Setup;
use crate::state::State;
use crate::{Ctx, action::Side};
use umpire_core::rules::Cites;

/// DRK-5.2 The card leaves the hand for the discards: every option begins so, once it has been
/// found legal. Says whether its effect follows, with the card's value; under DRK-R2
/// `before_effect` that of the dwarves' last card does not.
pub(crate) fn spend_card(
    ctx: &mut Ctx<'_>,
    card: PlayedCard,
    rules: impl Into<Cites<Rule>>,
) -> bool {
    ctx.happen(Event::CardPlayed(card), rules);
    !is_cut_off(ctx.setup(), ctx.state())
}

/// DRK-11.4 with DRK-R2 `before_effect`: the dwarves' last card has left their hand, so that
/// neither its effect nor its defence counts any more.
pub(crate) fn is_cut_off(setup: &Setup, state: &State) -> bool {
    setup.rulings.last_card == LastCard::BeforeEffect && state.holding(Side::Dwarves).is_out()
}
