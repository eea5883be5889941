//! DRK-11 End of the game: three tests, in their order.
//!
//! Must not know when a test is due (DRK-11.4): `sequence.rs` does. DRK-11.6 forfeits what is left
//! by `Event::GameOver`. DRK-11.7 is `sequence::pass_if_out`: a dragon without cards loses nothing
//! but time.

use super::action::Side;
use super::event::Event;
use super::rulebook::{LastCard, OutOfTime, Rule, StuckSide};
use super::setup::Setup;
use super::state::{Ending, State};
use super::{Ctx, Refusal, ch05_playing, ch08_wounds, ch09_net};
use umpire_core::game::Outcome;

/// DRK-11.1, DRK-11.2 The dragon is dead: the dwarves win. All three dwarves are dead: the dragon
/// wins. DRK-11.5 In this order. Says whether the game is over.
pub(super) fn test_deaths(ctx: &mut Ctx<'_>) -> bool {
    if ch08_wounds::is_dragon_dead(ctx.setup(), ctx.state()) {
        let over = Event::GameOver { ending: Ending::DragonKilled };
        ctx.happen(over, [Rule::C11_1, Rule::C8_7, Rule::C11_4, Rule::C11_5]);
        return true;
    }
    if ctx.state().living().is_empty() {
        let over = Event::GameOver { ending: Ending::DwarvesKilled };
        ctx.happen(over, [Rule::C11_2, Rule::C11_4, Rule::C11_6]);
        return true;
    }
    false
}

/// DRK-11.3 Whether the dwarves are out of time: no card in hand and deck; under DRK-R1
/// `deck_empty` none in the deck.
pub(super) fn is_out_of_time(setup: &Setup, state: &State) -> bool {
    let dwarves = state.holding(Side::Dwarves);
    match setup.rulings.out_of_time {
        OutOfTime::LastCard => dwarves.is_out(),
        OutOfTime::DeckEmpty => dwarves.in_deck() == 0,
    }
}

/// DRK-11.4 Whether the dwarves' cards end the game in this turn: under DRK-R2 `own_turn` only in
/// one of theirs.
pub(super) fn is_card_test_due(setup: &Setup, state: &State) -> bool {
    setup.rulings.last_card != LastCard::OwnTurn || state.mover() == Side::Dwarves
}

/// DRK-11.3 The dwarves have no card left: the dragon wins. Says whether the game is over.
pub(super) fn test_cards(ctx: &mut Ctx<'_>) -> bool {
    let (setup, state) = (ctx.setup(), ctx.state());
    if !is_out_of_time(setup, state) || !is_card_test_due(setup, state) {
        return false;
    }
    let over = Event::GameOver { ending: Ending::CardsExhausted };
    if ctx.state().holding(Side::Dwarves).is_out() {
        ctx.happen(over, [Rule::C11_3, Rule::C11_4, Rule::R1, Rule::R2]);
    } else {
        ctx.happen(over, [Rule::C11_3, Rule::C11_4, Rule::R1]);
    }
    true
}

/// DRK-11.8 Whether neither side can do anything any more: no draw, no card, no way out of the net.
pub(super) fn is_standstill(setup: &Setup, state: &State) -> bool {
    let stuck = |side| ch05_playing::has_no_use(setup, state, side);
    let other = state.mover().other();
    setup.rulings.stuck_side == StuckSide::Pass
        && stuck(state.mover())
        && stuck(other)
        && (other != ch09_net::ESCAPES || !ch09_net::can_escape_next_turn(setup, state))
}

/// DRK-11.8 with DRK-R4 `pass`: a side passed that can use no card, and the other side can do
/// nothing either: the dragon wins. Says whether the game is over.
pub(super) fn test_standstill(ctx: &mut Ctx<'_>) -> bool {
    if !is_standstill(ctx.setup(), ctx.state()) {
        return false;
    }
    ctx.happen(Event::GameOver { ending: Ending::CardsExhausted }, [Rule::C11_8, Rule::R4]);
    true
}

/// DRK-11.1 to DRK-11.3 Who wins by an ending.
pub(super) fn winner(ending: Ending) -> Side {
    match ending {
        Ending::DragonKilled => Side::Dwarves,
        Ending::DwarvesKilled | Ending::CardsExhausted => Side::Dragon,
    }
}

/// DRK-11.1 to DRK-11.3 How a game ended.
pub(super) fn outcome(ending: Ending) -> Outcome {
    Outcome { winner: Some(winner(ending).seat()), reason: ending.name() }
}

/// DRK-11.6 The refusal of everything after the end.
pub(super) fn game_over() -> Refusal {
    Refusal::new(Rule::C11_6, "game_over", "the game is over; no further action is accepted")
        .fact("pending decision", "none")
        .public()
}
