//! The decisions of Drako as they stand in a record (part C.3).
//!
//! These types are the wire form and the form the rules read; each is read in one pass. Must not
//! judge: whatever is well formed can be expressed, however illegal.

mod fields;
mod kind;
pub(super) mod names;

pub(super) use kind::Kind;

pub(super) use names::{Ability, Dwarf, Dwarves, Figure, Side, TRACKS, Track, Use};

use serde::{Deserialize, Serialize};

use super::tables::DECK;
use umpire_core::board::hex::Hex;
use umpire_core::wire::Few;

/// One dwarf's part of a move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = drako::DwarfMove))]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct DwarfMove {
    /// Who moves.
    pub figure: Dwarf,
    /// Where he ends.
    pub to: Hex,
}

/// A defence card against one strand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = drako::Block))]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct Block {
    /// The card spent.
    pub card: Kind,
    /// The strand stopped: the attacking dwarf, or the attacked one.
    pub against: Dwarf,
}

/// One decision.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = drako::Action))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Action {
    /// Exchange the whole hand, or keep it.
    Mulligan(Mulligan),
    /// Put the dwarves on the board.
    Place(Place),
    /// Take two cards.
    Draw(Draw),
    /// Discard down to the hand limit.
    Discard(Discard),
    /// Play a card.
    Play(Play),
    /// Answer an attack.
    Defend(Defend),
    /// Divide wounds among the dragon's abilities.
    AssignWounds(AssignWounds),
    /// Leave the net.
    EscapeNet(EscapeNet),
    /// Declare Fury.
    DeclareFury(DeclareFury),
    /// Give up the actions that are left.
    Pass(Pass),
}

/// Exchange the whole hand, or keep it (DRK-2.6).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = drako::Mulligan))]
pub struct Mulligan {
    /// The side that decides.
    pub player: Side,
    /// Whether it exchanges.
    pub exchange: bool,
}

/// Put the dwarves on the board (DRK-2.5).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = drako::Place))]
pub struct Place {
    /// The dwarves.
    pub player: Side,
    /// Brald's hex.
    pub fury: Hex,
    /// Morin's hex.
    pub archery: Hex,
    /// Urpen's hex.
    pub net: Hex,
}

/// Take two cards (DRK-4.1).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = drako::Draw))]
pub struct Draw {
    /// The side to move.
    pub player: Side,
}

/// Discard down to the hand limit (DRK-4.2).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = drako::Discard))]
pub struct Discard {
    /// The side that drew.
    pub player: Side,
    /// The cards, in any order.
    #[cfg_attr(feature = "schema", schema(value_type = Vec<Kind>))]
    pub cards: Few<Kind, DECK>,
}

/// Answer an attack (DRK-7.7, 7.8).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = drako::Defend))]
pub struct Defend {
    /// The side attacked.
    pub player: Side,
    /// The blocks, in any order; none for no defence.
    #[cfg_attr(feature = "schema", schema(value_type = Vec<Block>))]
    pub blocks: Few<Block, 4>,
}

/// Divide wounds among the dragon's abilities (DRK-8.4).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = drako::AssignWounds))]
pub struct AssignWounds {
    /// The dwarves.
    pub player: Side,
    /// Wounds on flight.
    #[cfg_attr(feature = "schema", schema(required = false))]
    pub flight: u32,
    /// Wounds on movement.
    #[cfg_attr(feature = "schema", schema(required = false))]
    pub movement: u32,
    /// Wounds on fire breathing.
    #[cfg_attr(feature = "schema", schema(required = false))]
    pub fire: u32,
}

/// Leave the net (DRK-9.3).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = drako::EscapeNet))]
pub struct EscapeNet {
    /// The dragon.
    pub player: Side,
}

/// Declare Fury (DRK-10.1).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = drako::DeclareFury))]
pub struct DeclareFury {
    /// The dwarves.
    pub player: Side,
}

/// Give up the actions that are left, where a reading allows it (DRK-3.4).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = drako::Pass))]
pub struct Pass {
    /// The side to move.
    pub player: Side,
}

/// Play a card (DRK-5.1).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = drako::Play))]
pub struct Play {
    /// The side to move.
    pub player: Side,
    /// The card.
    pub card: Kind,
    /// The option chosen, with what it needs.
    #[serde(flatten)]
    pub used_for: CardUse,
}

/// The option a card is played for, with what it needs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = drako::How))]
#[serde(tag = "use", rename_all = "snake_case")]
pub enum CardUse {
    /// One dwarf moves.
    OneMove {
        /// At most one move.
        #[cfg_attr(feature = "schema", schema(value_type = Vec<DwarfMove>))]
        moves: Few<DwarfMove, 2>,
    },
    /// Up to two dwarves move, one after the other.
    TwoMove {
        /// At most two moves, in order.
        #[cfg_attr(feature = "schema", schema(value_type = Vec<DwarfMove>))]
        moves: Few<DwarfMove, 2>,
    },
    /// One dwarf attacks.
    OneAttack {
        /// The attacker.
        #[cfg_attr(feature = "schema", schema(value_type = Vec<Dwarf>))]
        attackers: Few<Dwarf, 2>,
    },
    /// One or two dwarves attack.
    TwoAttack {
        /// The attackers.
        #[cfg_attr(feature = "schema", schema(value_type = Vec<Dwarf>))]
        attackers: Few<Dwarf, 2>,
    },
    /// The archer shoots.
    Crossbow {},
    /// The net is thrown.
    Net {},
    /// The dragon moves.
    Move {
        /// The destination; the present hex for no movement.
        to: Hex,
    },
    /// The dragon flies.
    Flight {
        /// The destination; the present hex for no movement.
        to: Hex,
    },
    /// The dragon attacks.
    Attack {
        /// The dwarf attacked; nobody where DRK-R30 `no_effect` allows it.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "schema", schema(nullable = false))]
        target: Option<Dwarf>,
    },
    /// The dragon breathes fire.
    Fire {
        /// The direction, 0 to 5.
        #[cfg_attr(feature = "schema", schema(maximum = 5))]
        direction: u8,
    },
    /// Never legal as an action (DRK-5.5).
    Defense {},
    /// The card is played for nothing (DRK-5.4).
    None {},
}

impl CardUse {
    /// The option, without what it needs.
    pub fn option(&self) -> Use {
        match self {
            CardUse::OneMove { .. } => Use::OneMove,
            CardUse::TwoMove { .. } => Use::TwoMove,
            CardUse::OneAttack { .. } => Use::OneAttack,
            CardUse::TwoAttack { .. } => Use::TwoAttack,
            CardUse::Crossbow {} => Use::Crossbow,
            CardUse::Net {} => Use::Net,
            CardUse::Move { .. } => Use::Move,
            CardUse::Flight { .. } => Use::Flight,
            CardUse::Attack { .. } => Use::Attack,
            CardUse::Fire { .. } => Use::Fire,
            CardUse::Defense {} => Use::Defense,
            CardUse::None {} => Use::None,
        }
    }
}

impl Action {
    /// The side that the action says it comes from.
    pub fn side(&self) -> Side {
        match self {
            Action::Mulligan(it) => it.player,
            Action::Place(it) => it.player,
            Action::Draw(it) => it.player,
            Action::Discard(it) => it.player,
            Action::Play(it) => it.player,
            Action::Defend(it) => it.player,
            Action::AssignWounds(it) => it.player,
            Action::EscapeNet(it) => it.player,
            Action::DeclareFury(it) => it.player,
            Action::Pass(it) => it.player,
        }
    }
}
