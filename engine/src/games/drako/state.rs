//! The whole truth of a game of Drako at one moment: plain old data, cheap to copy.
//!
//! Changed only by `event.rs`; never serialised. Must not hold what follows from the rest.

use super::action::{Dwarf, Side, Use};
use super::board::{self, Place};
use super::setup::Setup;
use super::tables::{ARMOUR, DECK, TRACKS};

/// Cards by row of a deck.
pub(super) type Cards = [u8; DECK];

/// The pending decision (part C.1).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Stage {
    /// Nothing is pending: the game has not been dealt.
    Setup,
    /// The dragon may exchange its hand.
    MulliganDragon,
    /// The dwarves may exchange their hand.
    MulliganDwarves,
    /// The dwarves are put on the board.
    Placement,
    /// The side to move takes an action.
    Action,
    /// The side to move discards to the hand limit.
    Discard,
    /// The side attacked answers.
    Defend,
    /// The dwarves divide wounds.
    AssignWounds,
    /// Nothing is pending.
    GameOver,
}

/// Why the game is over.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ending {
    /// DRK-11.1.
    DragonKilled,
    /// DRK-11.2.
    DwarvesKilled,
    /// DRK-11.3.
    CardsExhausted,
}

/// An attack that waits for its answer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Attack {
    /// The option played.
    pub(super) option: Use,
    /// The value of each strand.
    pub(super) value: u8,
    /// The strands, a set of dwarves.
    pub(super) strands: u8,
}

/// What one side owns.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Holding {
    /// Cards in hand.
    pub(super) hand: Cards,
    /// Cards in the deck.
    pub(super) deck: Cards,
    /// Number of cards in hand: asked at every step, so kept beside the cards.
    pub(super) held: u8,
    /// Number of cards in the deck, for the same reason.
    pub(super) left: u8,
    /// Cards discarded to the limit that the other side has not seen (DRK-R17 `hidden`).
    pub(super) unseen: Cards,
    /// The known top part of the deck as rows, from `next` on.
    pub(super) order: [u8; DECK],
    /// The next card of the known order.
    pub(super) next: u8,
    /// The end of the known order.
    pub(super) known: u8,
}

impl Holding {
    /// Number of cards in hand.
    pub(super) fn in_hand(&self) -> usize {
        usize::from(self.held)
    }

    /// Number of cards in the deck.
    pub(super) fn in_deck(&self) -> usize {
        usize::from(self.left)
    }

    /// Whether hand and deck are both empty.
    pub(super) fn is_out(&self) -> bool {
        self.held == 0 && self.left == 0
    }
}

/// Number of cards.
pub(super) fn total(cards: &Cards) -> usize {
    cards.iter().map(|&count| usize::from(count)).sum()
}

/// The whole truth at one moment.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State {
    pub(super) cards: [Holding; 2],
    /// Places of the dragon and the dwarves; `None` for the dead and those not yet placed.
    pub(super) places: [Option<Place>; 4],
    pub(super) wounds: [u8; TRACKS],
    pub(super) turn: u16,
    pub(super) actions_left: u8,
    pub(super) stage: Stage,
    pub(super) netted: bool,
    pub(super) fury_used: bool,
    pub(super) attack: Option<Attack>,
    /// Wounds that the dwarves have yet to divide.
    pub(super) to_assign: u8,
    pub(super) ending: Option<Ending>,
}

impl State {
    /// Before anything happened: all cards in the decks, nobody on the board.
    pub(super) fn new(setup: &Setup) -> State {
        let holding = |side| Holding {
            hand: [0; DECK],
            deck: setup.deck(side).counts,
            held: 0,
            left: DECK as u8,
            unseen: [0; DECK],
            order: [0; DECK],
            next: 0,
            known: 0,
        };
        State {
            cards: [holding(Side::Dragon), holding(Side::Dwarves)],
            places: [Some(setup.centre), None, None, None],
            wounds: [0; TRACKS],
            turn: 0,
            actions_left: 0,
            stage: Stage::Setup,
            netted: false,
            fury_used: false,
            attack: None,
            to_assign: 0,
            ending: None,
        }
    }

    /// DRK-3.1 The side to move: the dragon in odd turns, the dwarves in even ones.
    pub(super) fn mover(&self) -> Side {
        if self.turn % 2 == 1 { Side::Dragon } else { Side::Dwarves }
    }

    /// The side that decides, if anything is pending.
    pub(super) fn decider(&self) -> Option<Side> {
        Some(match self.stage {
            Stage::MulliganDragon => Side::Dragon,
            Stage::MulliganDwarves | Stage::Placement | Stage::AssignWounds => Side::Dwarves,
            Stage::Action | Stage::Discard => self.mover(),
            Stage::Defend => self.mover().other(),
            Stage::Setup | Stage::GameOver => return None,
        })
    }

    pub(super) fn holding(&self, side: Side) -> &Holding {
        &self.cards[side.index()]
    }

    /// The place of a living dwarf.
    pub(super) fn dwarf(&self, dwarf: Dwarf) -> Option<Place> {
        self.places[dwarf.index() + 1]
    }

    /// The dragon's place. It has one until it dies, and then nothing asks any more.
    pub(super) fn dragon(&self, setup: &Setup) -> Place {
        self.places[0].unwrap_or(setup.centre)
    }

    /// The living dwarves on the board, as a set.
    pub(super) fn living(&self) -> u8 {
        Dwarf::ALL
            .into_iter()
            .filter(|&dwarf| self.dwarf(dwarf).is_some())
            .fold(0, |set, dwarf| set | dwarf.mask())
    }

    /// The hexes with a figure, as a set.
    pub(super) fn occupied(&self) -> u32 {
        self.places.iter().flatten().fold(0, |set, place| set | place.mask())
    }

    /// Free wound spaces of a track.
    pub(super) fn free(&self, setup: &Setup, track: usize) -> u8 {
        setup.spaces[track].saturating_sub(self.wounds[track])
    }

    /// DRK-8.5 Whether the dragon's ability behind a track is lost.
    pub(super) fn lost(&self, setup: &Setup, track: usize) -> bool {
        self.free(setup, track) == 0
    }

    /// Free spaces of the dragon beside its armour.
    pub(super) fn free_abilities(&self, setup: &Setup) -> u8 {
        (ARMOUR + 1..TRACKS).map(|track| self.free(setup, track)).sum()
    }

    /// The living dwarves next to the dragon, as a set.
    pub(super) fn beside_dragon(&self, setup: &Setup) -> u8 {
        self.within(self.dragon(setup).neighbours())
    }

    /// The living dwarves on some hexes, as a set.
    pub(super) fn within(&self, hexes: u32) -> u8 {
        Dwarf::ALL.into_iter().fold(0, |set, dwarf| match self.dwarf(dwarf) {
            Some(place) if place.mask() & hexes != 0 => set | dwarf.mask(),
            _ => set,
        })
    }

    /// The hexes that a step-by-step move of up to `steps` reaches, the start included, entering
    /// none of `closed`.
    pub(super) fn reach(from: Place, steps: u8, closed: u32) -> u32 {
        let mut reached = from.mask();
        let mut edge = reached;
        for _ in 0..steps {
            edge = board::around(edge) & !closed & !reached;
            reached |= edge;
        }
        reached
    }
}
