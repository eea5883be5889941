//! DRK-11 End of the game: three tests, in their order.

use super::Ctx;
use super::action::Side;
use super::ch08_wounds;
use super::event::Event;
use super::rulebook::Rule;
use super::setup::OutOfTime;
use super::state::Ending;
use crate::rules::Refusal;

/// DRK-11.1 The dragon is dead: the dwarves win.
pub(super) fn dragon_killed(ctx: &mut Ctx<'_>) -> bool {
    let dead = ch08_wounds::dragon_is_dead(ctx.setup(), ctx.state());
    if dead {
        let over = Event::GameOver { ending: Ending::DragonKilled };
        ctx.happen(over, [Rule::C11_1, Rule::C8_7, Rule::C11_4, Rule::C11_5]);
    }
    dead
}

/// DRK-11.2 All three dwarves are dead: the dragon wins.
pub(super) fn dwarves_killed(ctx: &mut Ctx<'_>) -> bool {
    let dead = ctx.state().living() == 0;
    if dead {
        let over = Event::GameOver { ending: Ending::DwarvesKilled };
        ctx.happen(over, [Rule::C11_2, Rule::C11_4, Rule::C11_6]);
    }
    dead
}

/// DRK-11.3 The dwarves have no card left: the dragon wins. DRK-R1 says when that is.
pub(super) fn cards_exhausted(ctx: &mut Ctx<'_>) -> bool {
    let dwarves = ctx.state().holding(Side::Dwarves);
    let out = dwarves.is_out();
    let deck_empty = ctx.setup().rulings.out_of_time == OutOfTime::DeckEmpty;
    let exhausted = out || (deck_empty && dwarves.in_deck() == 0);
    if exhausted {
        let over = Event::GameOver { ending: Ending::CardsExhausted };
        if out {
            ctx.happen(over, [Rule::C11_3, Rule::C11_4, Rule::R1, Rule::R2]);
        } else {
            ctx.happen(over, [Rule::C11_3, Rule::C11_4, Rule::R1]);
        }
    }
    exhausted
}

/// DRK-11.6 After the end no action is accepted.
pub(super) fn is_over() -> Refusal<Rule> {
    Refusal::new(Rule::C11_6, "game_over", "the game is over; no further action is accepted")
        .fact("pending decision", "none")
        .public()
}
