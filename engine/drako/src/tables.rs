//! Every number of Drako: board, figures, tracks, decks and constants, each with its source.
//!
//! An owner of the printed game corrects these data in a record's `options` without touching
//! code. This module must not hold any rule beyond what makes data acceptable.

pub(super) mod board;
pub(super) mod components;

use super::action::names::{Side, TRACKS, Use};
use umpire_core::board::hex::Hex;

/// Cards in a deck (rulebook §Preparation).
pub(super) const DECK: usize = 38;
/// Cards in the starting hand (rulebook §Preparation).
pub(super) const STARTING_HAND: u8 = 4;
/// The most cards a hand may hold (rulebook §Drawing).
pub(super) const HAND_LIMIT: usize = 6;
/// Cards taken by a draw (rulebook §Drawing).
pub(super) const CARDS_PER_DRAW: u8 = 2;
/// Actions of turn 1 (rulebook §Sequence).
pub(super) const FIRST_TURN_ACTIONS: u8 = 1;
/// Actions of every later turn (rulebook §Sequence).
pub(super) const TURN_ACTIONS: u8 = 2;
/// Actions that leaving the net takes (rulebook §Dwarf cards).
pub(super) const ESCAPE_ACTIONS: u8 = 2;

/// Wound spaces by track (A.2: armour from the rulebook, the others reconstructed).
pub(super) const SPACES: [u8; TRACKS] = [6, 4, 5, 4, 2, 2, 2];

/// The most wound spaces of a track in corrected data; all tracks together stay far below 255.
pub(super) const MOST_SPACES: u8 = 30;

/// Start hexes of `fury`, `archery`, `net` (A.2, reconstructed).
pub(super) const STARTS: [Hex; 3] = [Hex::new(1, 1), Hex::new(-2, 1), Hex::new(1, -2)];

/// One kind of card: number, options with their values (0 for those without), copies.
pub(super) type Row = (u8, &'static [(Use, u8)], u8);

/// The dragon's deck (A.4: number of cards and symbols from the rulebook, the rest
/// reconstructed).
const DRAGON_DECK: &[Row] = &[
    (1, &[(Use::Move, 1), (Use::Attack, 1)], 5),
    (2, &[(Use::Move, 2), (Use::Attack, 1)], 5),
    (3, &[(Use::Move, 2), (Use::Attack, 2)], 4),
    (4, &[(Use::Move, 2), (Use::Defense, 0)], 4),
    (5, &[(Use::Attack, 2), (Use::Defense, 0)], 2),
    (6, &[(Use::Flight, 0), (Use::Defense, 0)], 2),
    (7, &[(Use::Flight, 0), (Use::Fire, 1)], 3),
    (8, &[(Use::Move, 1), (Use::Fire, 2)], 3),
    (9, &[(Use::Flight, 0)], 2),
    (10, &[(Use::Defense, 0)], 3),
    (11, &[(Use::Fire, 2)], 3),
    (12, &[(Use::Attack, 3)], 2),
];

/// The dwarves' deck (A.5, same source as A.4).
const DWARF_DECK: &[Row] = &[
    (1, &[(Use::OneMove, 2), (Use::OneAttack, 1)], 4),
    (2, &[(Use::OneMove, 1), (Use::OneAttack, 2)], 5),
    (3, &[(Use::TwoMove, 1), (Use::OneAttack, 1)], 3),
    (4, &[(Use::TwoMove, 1), (Use::TwoAttack, 1)], 5),
    (5, &[(Use::OneMove, 2), (Use::Crossbow, 2)], 3),
    (6, &[(Use::Crossbow, 1), (Use::Defense, 0)], 3),
    (7, &[(Use::OneMove, 2), (Use::Defense, 0)], 3),
    (8, &[(Use::OneAttack, 1), (Use::Defense, 0)], 4),
    (9, &[(Use::TwoMove, 1), (Use::Net, 0)], 2),
    (10, &[(Use::Net, 0)], 1),
    (11, &[(Use::Defense, 0)], 2),
    (12, &[(Use::OneAttack, 2), (Use::Defense, 0)], 3),
];

/// The deck of a side, row by row.
pub(super) fn printed_deck(side: Side) -> &'static [Row] {
    match side {
        Side::Dragon => DRAGON_DECK,
        Side::Dwarves => DWARF_DECK,
    }
}

/// The values that an option may show on a side's cards: least and most, or `None` for an option
/// without value (A.4, A.5). Nothing for an option that the side's cards do not have.
pub(super) fn values(side: Side, option: Use) -> Option<Option<(u8, u8)>> {
    Some(match (side, option) {
        (Side::Dragon, Use::Move | Use::Fire) => Some((1, 2)),
        (Side::Dragon, Use::Attack) => Some((1, 3)),
        (Side::Dragon, Use::Flight | Use::Defense) => None,
        (Side::Dwarves, Use::OneMove | Use::OneAttack | Use::Crossbow) => Some((1, 2)),
        (Side::Dwarves, Use::TwoMove | Use::TwoAttack) => Some((1, 1)),
        (Side::Dwarves, Use::Net | Use::Defense) => None,
        _ => return None,
    })
}
