//! A position as a record gives it: what is left out has its stated default.
//!
//! Must not check more than the form.

use serde::{Deserialize, Serialize};

use crate::action::Side;
use crate::state::Stage;
use crate::view::{ArrivalView, BySide, Commitment, Named, OutcomeView, Pile, UnitView};
#[cfg(feature = "schema")]
use crate::view::{CardLists, CardPair, Commitments, Piles};
use umpire_core::wire::{Name, present};

/// The code of every refusal of a position.
pub(super) const CODE: &str = "position_refused";

/// The `position` of a record: the referee's view, or the short form.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = dragut::Position))]
#[serde(deny_unknown_fields)]
pub struct Position {
    /// The turn; 5 where it is left out.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub turn: Option<u32>,
    /// The pending decision.
    pub state: Stage,
    /// Whose phase it is; where it is left out, the one that goes with the pending decision.
    #[serde(default)]
    pub phase: Option<Side>,
    /// Points left in the phase; where it is left out, those of its start.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub pool: Option<u8>,
    /// The alarm case; 1 where it is left out.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub alarm_case: Option<u8>,
    /// The case read after the reveal (DRG-R10 = `turn_start`); the alarm case where left out.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub read_case: Option<u8>,
    /// The alarm was raised by an action this phase (DRG-R30 = `once`).
    #[serde(default)]
    pub raised: bool,
    /// Whether a pirate unit has landed (DRG-R8 = `map_only`); where it is left out, one has unless
    /// all pirates in play are at sea and no Rapalline unit is a captive, fled, removed or in the
    /// Serraglio.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub landed: Option<bool>,
    /// The target; it must be the one that follows from where Giulia is.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub target: Option<u8>,
    /// Units, by id.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(value_type = std::collections::BTreeMap<umpire_core::wire::Name, UnitView>, required = false))]
    pub units: Named<UnitView>,
    /// The hands; empty where left out.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(value_type = CardLists, required = false))]
    pub hands: BySide<Vec<Name>>,
    /// The decks; they must be what hands, played and retired cards leave.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(value_type = Piles, required = false))]
    pub decks: Option<BySide<Pile>>,
    /// Cards out of the game; none where left out.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(value_type = CardLists, required = false))]
    pub retired: BySide<Vec<Name>>,
    /// Cards in effect; none where left out.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(value_type = CardPair, required = false))]
    pub played: BySide<Option<Name>>,
    /// What was committed, while cards are chosen.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(value_type = Commitments, required = false))]
    pub committed: Option<BySide<Commitment>>,
    /// The combat or liberation that is not finished.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub arrival: Option<ArrivalView>,
    /// How the game ended.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub outcome: Option<OutcomeView>,
}
