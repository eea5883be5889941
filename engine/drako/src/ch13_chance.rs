//! DRK-13 Chance: a card leaves a deck from the known top of its order, or is drawn (part D).
//!
//! Must not know what a card is taken for. DRK-13.2 is `Drako::CLAUSES.tape`: the core cites it where a
//! tape does not fit.

use super::action::Side;
use super::rulebook::Rule;
use super::{Ctx, Stop};
use umpire_core::chance::{Ask, What};
use umpire_core::wire::Few;

/// DRK-13.1 Rows of cards off the top of a deck, at most as many as it holds. `rule` asks for
/// them. The deck itself changes by the event that follows.
pub(super) fn take_cards<const N: usize>(
    ctx: &mut Ctx<'_>,
    side: Side,
    count: u8,
    rule: Rule,
) -> Result<Few<u8, N>, Stop> {
    let deck = ctx.setup().deck(side);
    let holding = ctx.state().holding(side);
    let (mut counts, order) = (holding.deck, holding.order);
    let mut left = holding.left;
    let (mut next, known) = (usize::from(holding.next), usize::from(holding.known));
    let mut cards = Few::default();
    for _ in 0..count {
        if left == 0 {
            break;
        }
        let names = &deck.names;
        let what = What::Card { side: side.name(), names, counts: &counts[..deck.len()] };
        let ask = Ask { stream: side as u8, what };
        let row = if next < known {
            let row = order[next];
            next += 1;
            ctx.known(&ask, row.into());
            row
        } else {
            ctx.draw(&ask, rule)? as u8
        };
        counts[usize::from(row)] -= 1;
        left -= 1;
        cards.push(row);
    }
    Ok(cards)
}
