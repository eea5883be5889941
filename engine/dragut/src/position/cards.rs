//! The cards of a position: hands, retired and played cards, decks, commitments.
//!
//! Must not repair anything, like `given.rs`.

use super::data::{CODE, Position};
use crate::action::Side;
use crate::rulebook::{Returned, Rule};
use crate::setup::{Life, Setup};
use crate::state::{Cards, NO_CARD, NONE, State, count};
use crate::tables::KINDS;
use crate::view::{Choice, Commitment, Pile};
use crate::{Checked, Refusal};
use umpire_core::wire::Name;

/// Invariant 3: what the piles name, the deck has.
pub(super) fn load_cards(setup: &Setup, state: &mut State, position: &Position) -> Checked {
    for side in Side::BOTH {
        let mut left = setup.decks[side.index()].copies;
        let cards: &mut Cards = &mut state.cards[side.index()];
        let piles = [
            ("hands", &position.hands, &mut cards.hand),
            ("retired", &position.retired, &mut cards.retired),
        ];
        for (field, lists, pile) in piles {
            for (index, id) in lists.get(side).iter().enumerate() {
                let pointer = format!("/{field}/{side}/{index}");
                let row = usize::from(take_card(setup, side, &mut left, id, pointer.clone())?);
                if field == "retired" && setup.decks[side.index()].life[row] == Life::Returns {
                    let message = format!("{id} goes back into its deck; it never leaves the game");
                    let refusal = Refusal::new(Rule::C3_7, CODE, message);
                    return Err(refusal.at(pointer).invariant(3));
                }
                pile[row] += 1;
            }
        }
        if let Some(id) = position.played.get(side) {
            let pointer = format!("/played/{side}");
            cards.played = take_card(setup, side, &mut left, id, pointer)?;
        }
        cards.deck = left;
        load_deck(setup, position, side, cards)?;
        cards.committed = commitment(setup, position, side, cards)?;
    }
    Ok(())
}

/// Invariant 3: takes a card out of those that are `left` of a side's.
fn take_card(
    setup: &Setup,
    side: Side,
    left: &mut [u8; KINDS],
    id: &Name,
    pointer: String,
) -> Checked<u8> {
    let Some(row) = setup.card(side, id) else {
        let message = format!("{id} is not a card of the {side}");
        return Err(Refusal::new(Rule::C13_3, CODE, message).at(pointer));
    };
    let copies = &mut left[usize::from(row)];
    if *copies == 0 {
        let message = format!("there are more {id} than the deck of the {side} has copies");
        return Err(Refusal::new(Rule::C3_7, CODE, message).at(pointer).invariant(3));
    }
    *copies -= 1;
    Ok(row)
}

/// DRG-3.2 What a side has committed.
fn commitment(setup: &Setup, position: &Position, side: Side, cards: &Cards) -> Checked<u8> {
    let given = position.committed.as_ref().map(|both| *both.get(side));
    match given.unwrap_or_default() {
        Commitment::Made(false) => Ok(NONE),
        Commitment::Made(true) => {
            let message = "a position tells what was committed";
            let pointer = format!("/committed/{side}");
            Err(Refusal::new(Rule::C3_2, CODE, message).at(pointer))
        }
        Commitment::Open(Choice { card: None }) => Ok(NO_CARD),
        Commitment::Open(Choice { card: Some(id) }) => match setup.card(side, &id) {
            Some(row) if cards.hand[usize::from(row)] > 0 => Ok(row),
            _ => {
                let message = format!("the {side} have no {id} in hand");
                let pointer = format!("/committed/{side}/card");
                Err(Refusal::new(Rule::C3_2, CODE, message).at(pointer))
            }
        },
    }
}

/// Invariant 3: the deck as the position gives it is what the other piles leave.
fn load_deck(setup: &Setup, position: &Position, side: Side, cards: &mut Cards) -> Checked {
    let bottom = setup.rulings.returned == Returned::Bottom;
    let size = count(&cards.deck);
    let pointer = format!("/decks/{side}");
    match position.decks.as_ref().map(|decks| decks.get(side)) {
        Some(Pile::Closed(given)) if *given != size => {
            let message = format!("the other piles leave {size} cards in the deck, not {given}");
            Err(Refusal::new(Rule::C3_7, CODE, message).at(pointer).invariant(3))
        }
        Some(Pile::Open(_)) if !bottom => {
            let message = "a deck has an order only under DRG-R27 = bottom";
            Err(Refusal::new(Rule::C3_7, CODE, message).at(pointer))
        }
        Some(Pile::Open(order)) => load_order(setup, side, order, cards, pointer),
        _ if bottom => {
            let deck = cards.deck.iter().enumerate();
            let rows =
                deck.flat_map(|(row, &copies)| std::iter::repeat_n(row as u8, usize::from(copies)));
            for (slot, row) in cards.order.iter_mut().zip(rows) {
                *slot = row;
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

/// Invariant 3: an ordered deck is what the other piles leave, top first.
fn load_order(
    setup: &Setup,
    side: Side,
    order: &[Name],
    cards: &mut Cards,
    pointer: String,
) -> Checked {
    let (size, given) = (usize::from(count(&cards.deck)), order.len());
    if given != size {
        let message = format!("the other piles leave {size} cards in the deck, not {given}");
        return Err(Refusal::new(Rule::C3_7, CODE, message).at(pointer).invariant(3));
    }
    let mut seen = [0; KINDS];
    for (slot, id) in cards.order.iter_mut().zip(order) {
        let Some(row) = setup.card(side, id) else {
            let message = format!("{id} is not a card of this deck");
            return Err(Refusal::new(Rule::C13_3, CODE, message).at(pointer));
        };
        *slot = row;
        seen[usize::from(row)] += 1;
    }
    if seen == cards.deck {
        return Ok(());
    }
    let message = "the deck is not what the other piles leave";
    Err(Refusal::new(Rule::C3_7, CODE, message).at(pointer).invariant(3))
}
