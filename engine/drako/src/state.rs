//! The whole truth of a game of Drako at one moment: plain old data, cheap to copy.
//!
//! Changed only by `event.rs`; a state is never written out, only views of it are. Must not hold
//! what follows from the rest, and must not decide a rule.

use super::action::{Dwarf, Dwarves, Figure, Side, TRACKS, Track, Use};
use super::setup::{Cards, Setup};
use super::tables::DECK;
use super::tables::board::{Spot, Spots};

umpire_core::names! {
    /// The name of a pending decision (part C.1).
    drako.State as pub enum Stage {
        /// Nothing is pending: the game has not been dealt.
        Setup = "setup",
        /// The dragon may exchange its hand.
        MulliganDragon = "mulligan_dragon",
        /// The dwarves may exchange their hand.
        MulliganDwarves = "mulligan_dwarves",
        /// The dwarves are put on the board.
        Placement = "placement",
        /// The side to move takes an action.
        Action = "action",
        /// The side to move discards to the hand limit.
        Discard = "discard",
        /// The side attacked answers.
        Defend = "defend",
        /// The dwarves divide wounds.
        AssignWounds = "assign_wounds",
        /// The dwarves' actions are used up, and they may yet declare Fury (DRK-R11 `late`).
        LateFury = "late_fury",
        /// Nothing is pending: the game is over.
        GameOver = "game_over",
    }
}

impl Stage {
    /// Whether turn 1 has not started.
    pub(super) fn is_before_play(self) -> bool {
        matches!(self, Stage::MulliganDragon | Stage::MulliganDwarves | Stage::Placement)
    }
}

umpire_core::names! {
    /// Why the game is over.
    drako.EndReason as pub enum Ending {
        /// DRK-11.1.
        DragonKilled = "dragon_killed",
        /// DRK-11.2.
        DwarvesKilled = "dwarves_killed",
        /// DRK-11.3.
        CardsExhausted = "cards_exhausted",
    }
}

/// An attack that waits for its answer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Attack {
    /// The option played.
    pub(super) option: Use,
    /// The value of each strand.
    pub(super) value: u8,
    /// The strands that are not blocked and have not hit yet: the attacking dwarves, or the attacked ones.
    pub(super) strands: Dwarves,
    /// Those of them that were answered without a block (DRK-R32 `one_by_one`).
    pub(super) answered: Dwarves,
}

/// What the last action was, where an answer to it may be sent by mistake (part C.6).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum LastAction {
    NetThrown,
    FuryDeclared,
    Other,
}

/// How a turn ended (part C.6).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum TurnEnd {
    /// All its actions were used, or passed.
    UsedUp,
    /// The same in a Fury turn.
    FuryUsedUp,
    /// The dragon left the net.
    Escaped,
    /// The dragon was out of cards (DRK-3.5).
    Passed { netted: bool },
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

    /// The known top part of the deck as rows, top first.
    pub(super) fn known_order(&self) -> &[u8] {
        &self.order[usize::from(self.next)..usize::from(self.known)]
    }
}

/// The whole truth at one moment.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State {
    /// What the sides own, by seat.
    pub(super) cards: [Holding; 2],
    /// Where the figures stand; nothing for the dead and those not yet placed.
    pub(super) spots: [Option<Spot>; 4],
    /// Wounds by track.
    pub(super) wounds: [u8; TRACKS],
    /// The turn, from 1; 0 before the first.
    pub(super) turn: u16,
    /// Actions left in the turn.
    pub(super) actions_left: u8,
    /// The pending decision.
    pub(super) stage: Stage,
    /// Whether the net lies on the dragon.
    pub(super) netted: bool,
    /// Whether the fury marker is used up.
    pub(super) fury_used: bool,
    /// Whether it was used up in this turn.
    pub(super) fury_turn: bool,
    /// The attack to be answered; while wounds are divided, what of it is yet to hit (DRK-R24 `in_turn`).
    pub(super) attack: Option<Attack>,
    /// Wounds that the dwarves have yet to divide, hit by hit under DRK-R33 `one_ability`.
    pub(super) hits: [u8; 2],
    /// What the last action was.
    pub(super) last: LastAction,
    /// How this turn ends, as far as that is known.
    pub(super) turn_end: TurnEnd,
    /// How the turn before it ended.
    pub(super) turn_before: TurnEnd,
    /// Why the game is over, if it is.
    pub(super) ending: Option<Ending>,
}

impl State {
    /// Before anything happened: all cards in the decks, the dragon alone on the board.
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
            spots: [Some(Spot::CENTRE), None, None, None],
            wounds: [0; TRACKS],
            turn: 0,
            actions_left: 0,
            stage: Stage::Setup,
            netted: false,
            fury_used: false,
            fury_turn: false,
            attack: None,
            hits: [0; 2],
            last: LastAction::Other,
            turn_end: TurnEnd::UsedUp,
            turn_before: TurnEnd::UsedUp,
            ending: None,
        }
    }

    /// DRK-3.1 The side to move: the dragon in odd turns, the dwarves in even ones.
    pub(super) fn mover(&self) -> Side {
        owner_of_turn(self.turn)
    }

    /// The side that decides, if anything is pending (part C.1).
    pub(super) fn decider(&self) -> Option<Side> {
        Some(match self.stage {
            Stage::MulliganDragon => Side::Dragon,
            Stage::MulliganDwarves | Stage::Placement | Stage::AssignWounds => Side::Dwarves,
            Stage::Action | Stage::Discard | Stage::LateFury => self.mover(),
            Stage::Defend => self.mover().other(),
            Stage::Setup | Stage::GameOver => return None,
        })
    }

    /// How many wounds the dwarves have yet to divide.
    pub(super) fn unassigned(&self) -> u8 {
        self.hits.iter().sum()
    }

    /// What a side owns.
    pub(super) fn holding(&self, side: Side) -> &Holding {
        &self.cards[side.index()]
    }

    /// Everything of a side that is neither in hand nor in the deck.
    pub(super) fn discards(&self, setup: &Setup, side: Side) -> Cards {
        let holding = self.holding(side);
        let mut rest = setup.deck(side).counts;
        for ((rest, hand), deck) in rest.iter_mut().zip(holding.hand).zip(holding.deck) {
            *rest -= hand + deck;
        }
        rest
    }

    /// The hex of a living dwarf.
    pub(super) fn dwarf(&self, dwarf: Dwarf) -> Option<Spot> {
        self.spots[Figure::from(dwarf).index()]
    }

    /// The dragon's hex. It has one until it dies, and then nothing asks any more.
    pub(super) fn dragon(&self) -> Spot {
        self.spots[Figure::Dragon.index()].unwrap_or(Spot::CENTRE)
    }

    /// The hexes with a figure.
    pub(super) fn occupied(&self) -> Spots {
        self.spots.iter().copied().flatten().collect()
    }

    /// The living dwarves on the board.
    pub(super) fn living(&self) -> Dwarves {
        self.within(Spots::ALL)
    }

    /// The living dwarves on some hexes.
    pub(super) fn within(&self, spots: Spots) -> Dwarves {
        let there = |dwarf: &Dwarf| self.dwarf(*dwarf).is_some_and(|spot| spots.contains(spot));
        Dwarves::ALL.iter().filter(there).collect()
    }

    /// The living dwarves next to the dragon.
    pub(super) fn beside_dragon(&self) -> Dwarves {
        self.within(self.dragon().neighbours())
    }

    /// Wounds on a track.
    pub(super) fn wounds_on(&self, track: Track) -> u8 {
        self.wounds[track.index()]
    }

    /// Free wound spaces of a track.
    pub(super) fn free(&self, setup: &Setup, track: Track) -> u8 {
        setup.spaces(track).saturating_sub(self.wounds_on(track))
    }

    /// DRK-8.5 Whether all spaces of a track are filled, so that the dragon's ability is lost.
    pub(super) fn is_lost(&self, setup: &Setup, track: Track) -> bool {
        self.free(setup, track) == 0
    }
}

/// DRK-3.1 The side to which a turn belongs.
pub(super) fn owner_of_turn(turn: u16) -> Side {
    if turn % 2 == 1 { Side::Dragon } else { Side::Dwarves }
}
