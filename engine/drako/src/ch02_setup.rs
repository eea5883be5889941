//! DRK-2 Setup: decks, hands, mulligan, placement.
//!
//! Must not know what comes after a decision: `sequence.rs` does (DRK-2.7 with it).

use super::action::{Dwarf, Dwarves, Mulligan, Place, Side};
use super::event::Event;
use super::rulebook::Rule;
use super::setup::{Placement, free_starts};
use super::tables::STARTING_HAND;
use super::{Ctx, Refusal, Verdict, ch01_terms, ch13_chance};
use umpire_core::chance::{Ask, What};

/// DRK-2.1 to DRK-2.4 Both decks and hands; with fixed placement the dwarves on their start hexes.
pub(super) fn set_up(ctx: &mut Ctx<'_>) -> Verdict {
    for side in Side::BOTH {
        shuffle_deck(ctx, side)?;
        deal_hand(ctx, side)?;
    }
    let setup = ctx.setup();
    if setup.placement == Placement::Fixed {
        let placed = Event::FiguresPlaced { spots: setup.starts };
        ctx.happen(placed, [Rule::C2_4, Rule::C2_3]);
    }
    Ok(())
}

/// DRK-2.1 A side's deck is mixed; a record may give its order.
fn shuffle_deck(ctx: &mut Ctx<'_>, side: Side) -> Verdict {
    let deck = ctx.setup().deck(side);
    let counts = ctx.state().holding(side).deck;
    let what = What::Card { side: side.name(), names: &deck.names, counts: &counts[..deck.len()] };
    let given = ctx.order(&Ask { stream: side as u8, what }, Rule::C13_1)?;
    let order = given.unwrap_or_default().into_iter().map(|row| row as u8).collect();
    ctx.happen(Event::DeckShuffled { side, order }, [Rule::C2_1, Rule::C13_1]);
    Ok(())
}

/// DRK-2.2 Four cards to a hand.
fn deal_hand(ctx: &mut Ctx<'_>, side: Side) -> Verdict {
    let cards = ch13_chance::take_cards(ctx, side, STARTING_HAND, Rule::C2_2)?;
    ctx.happen(Event::HandDealt { side, cards }, [Rule::C2_2, Rule::C13_1]);
    Ok(())
}

/// DRK-2.5 Free placement: three different hexes on the board, away from the dragon.
pub(super) fn place_dwarves(ctx: &mut Ctx<'_>, action: &Place) -> Verdict {
    let dragon = ctx.state().dragon();
    let hexes = [action.fury, action.archery, action.net];
    let mut spots = [dragon; 3];
    let field = |dwarf: Dwarf| format!("/{dwarf}");
    for dwarf in Dwarves::ALL.iter() {
        spots[dwarf.index()] = ch01_terms::check_on_board(hexes[dwarf.index()])
            .map_err(|refusal| refusal.at(field(dwarf)).public())?;
    }
    for dwarf in Dwarves::ALL.iter() {
        let spot = spots[dwarf.index()];
        if !free_starts(dragon).contains(spot) {
            let message =
                format!("{} cannot start on {}, next to the dragon", dwarf.title(), spot.hex());
            return Err(Refusal::new(Rule::C2_5, "adjacent_to_dragon", message)
                .at(field(dwarf))
                .fact("distance from the dragon", spot.distance(dragon))
                .public()
                .into());
        }
    }
    for dwarf in Dwarves::ALL.iter() {
        let hex = spots[dwarf.index()].hex();
        let earlier = &spots[..dwarf.index()];
        if let Some(other) = earlier.iter().position(|spot| spot.hex() == hex) {
            let other = Dwarf::at(other);
            let message =
                format!("{} cannot start on {hex} beside {}", dwarf.title(), other.title());
            return Err(Refusal::new(Rule::C1_5, "hex_occupied", message)
                .at(field(dwarf))
                .also(Rule::C2_5)
                .fact(format!("figure on {hex}"), other)
                .public()
                .into());
        }
    }
    ctx.happen(Event::FiguresPlaced { spots }, [Rule::C2_5, Rule::C2_3]);
    Ok(())
}

/// DRK-2.6 Once, before play, a side may exchange its whole hand. Who decides first is the order
/// in `sequence.rs` (DRK-R16, R27).
pub(super) fn exchange_hand(ctx: &mut Ctx<'_>, action: &Mulligan) -> Verdict {
    let side = action.player;
    if !action.exchange {
        ctx.happen(Event::HandKept { side }, Rule::C2_6);
        return Ok(());
    }
    ctx.happen(Event::HandExchanged { side }, Rule::C2_6);
    shuffle_deck(ctx, side)?;
    deal_hand(ctx, side)
}

// DRK-2.7 is `sequence::start_turn`.
