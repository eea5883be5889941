//! The parts of a view; a position has them, too.
//!
//! Must not decide who sees what.

use serde::{Deserialize, Serialize};

use crate::action::Side;
use umpire_core::wire::{Name, present};

/// Cards: the list for those who may see it, the number for others.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = dragut::Pile))]
#[serde(untagged)]
pub enum Pile {
    /// The cards: a hand in the order of the card table, an ordered deck top first.
    Open(Vec<Name>),
    /// How many.
    Closed(u8),
}

impl Default for Pile {
    fn default() -> Self {
        Pile::Closed(0)
    }
}

/// Whether a flag is left out of a view.
pub(super) fn unset(flag: &bool) -> bool {
    !flag
}

/// A unit whose identity the observer knows.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = dragut::UnitView))]
#[serde(deny_unknown_fields)]
pub struct UnitView {
    /// An area, or `at_sea`, `aside`, `reserve`, `serraglio`, `fled`, `removed`.
    pub at: Name,
    /// Whether it is a captive.
    #[serde(default)]
    pub captive: bool,
    /// It was captured this turn; told only under DRG-R54 = `next_turn`.
    #[serde(default, skip_serializing_if = "unset")]
    pub caught: bool,
    /// It fought this turn; told only under DRG-R14 = `stops`.
    #[serde(default, skip_serializing_if = "unset")]
    pub fought: bool,
    /// It was freed this turn; told only under DRG-R23 = `no`.
    #[serde(default, skip_serializing_if = "unset")]
    pub freed: bool,
    /// Whether everybody sees who it is; a captive always is revealed.
    #[serde(default)]
    pub revealed: bool,
    /// Points spent this turn.
    #[serde(default)]
    pub spent: u8,
    /// Its public token, once it has one.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub token: Option<Name>,
    /// Its combat value now; none for the Arquebusier.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub value: Option<u8>,
    /// A pirate of less value than its counter shows (DRG-R38).
    #[serde(default, skip_serializing_if = "unset")]
    pub weakened: bool,
}

/// A unit of which the observer knows no more than the counter's back.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = dragut::TokenView))]
#[serde(deny_unknown_fields)]
pub struct TokenView {
    /// Where it is.
    pub at: Name,
    /// It fought this turn; told only under DRG-R14 = `stops`.
    #[serde(default, skip_serializing_if = "unset")]
    pub fought: bool,
    /// It was freed this turn; told only under DRG-R23 = `no`.
    #[serde(default, skip_serializing_if = "unset")]
    pub freed: bool,
    /// Whose it is.
    pub side: Side,
    /// Points spent this turn.
    pub spent: u8,
}

/// A committed choice that the observer may know.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = dragut::Choice))]
#[serde(deny_unknown_fields)]
pub struct Choice {
    /// The card, or `null` for none.
    pub card: Option<Name>,
}

/// What a side has committed.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = dragut::Commitment))]
#[serde(untagged)]
pub enum Commitment {
    /// The choice, for those who may see it.
    Open(Choice),
    /// Whether a choice was made.
    Made(bool),
}

impl Default for Commitment {
    fn default() -> Self {
        Commitment::Made(false)
    }
}

/// A combat or liberation that is not finished.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = dragut::Arrival))]
#[serde(deny_unknown_fields)]
pub struct ArrivalView {
    /// Where it arrived.
    pub area: Name,
    /// Whether a draw for an eliminated pirate follows the pending choice.
    #[serde(default, skip_serializing_if = "unset")]
    pub draw_due: bool,
    /// Freed units that are still to be placed; under DRG-R17 = `one_captive` the captives of whom one may
    /// be freed.
    #[serde(default)]
    pub freed: Vec<Name>,
    /// Where it came from: an area, or `at_sea`.
    pub from: Name,
    /// The unit that frees captives without having arrived (DRG-R16, DRG-R18).
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub liberator: Option<Name>,
    /// The unit that arrived, as long as it is there and free; id or token.
    #[serde(default)]
    pub unit: Option<Name>,
}

/// How the game ended.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = dragut::Outcome))]
#[serde(deny_unknown_fields)]
pub struct OutcomeView {
    /// `serraglio`, `no_rapalline`, `no_pirates`, `unreachable` or `standstill`.
    pub reason: Name,
    /// The winner; `null` only under DRG-R47.
    pub winner: Option<Side>,
}
