//! The decisions of part C.3 as they stand in a record.
//!
//! Ids and tokens are kept as written and looked up by the rules, so that an unknown one is
//! refused by DRG-13.3 in its turn. Must not judge: whatever is well formed can be expressed,
//! however illegal.

mod names;

pub(super) use names::{RangeType, Reward, Side};

use serde::{Deserialize, Deserializer, Serialize};
use umpire_core::wire::{Name, present};

/// One decision by one side.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = dragut::Action))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Action {
    /// Put every unit but the reserve into towns.
    Deploy(Deploy),
    /// Commit a card, or none.
    ChooseCard(ChooseCard),
    /// Land a unit that is at sea.
    Land(Land),
    /// Move a unit to a linked area.
    Move(Move),
    /// Send a captive to the Serraglio.
    Send(Send),
    /// Raise the alarm by one case.
    RaiseAlarm(RaiseAlarm),
    /// End the phase.
    EndPhase(EndPhase),
    /// Name the next opponent.
    ChooseDefender(ChooseDefender),
    /// Take the Arquebusier's reward.
    ArquebusChoice(ArquebusChoice),
    /// Draw a card or decline.
    DrawOffer(DrawOffer),
    /// Put a freed unit into a nearest empty area.
    Relocate(Relocate),
    /// Put the Soldier in reserve into an empty countryside area.
    PlaceReserve(PlaceReserve),
}

/// Put every unit but the reserve into towns.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = dragut::Deploy))]
#[serde(deny_unknown_fields)]
pub struct Deploy {
    /// Who decides: `rapalline`.
    pub player: Side,
    /// Each unit once, with its town.
    pub placements: Vec<Placement>,
}

/// One unit and its town.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = dragut::Placement))]
#[serde(deny_unknown_fields)]
pub struct Placement {
    /// The unit.
    pub unit: Name,
    /// The town.
    pub area: Name,
}

/// Commit a card, or none.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = dragut::ChooseCard))]
#[serde(deny_unknown_fields)]
pub struct ChooseCard {
    /// Who decides.
    pub player: Side,
    /// The card, or `null` for none.
    #[serde(deserialize_with = "nullable")]
    #[cfg_attr(feature = "schema", schema(required = true))]
    pub card: Option<Name>,
}

/// A field that must be there and may be `null`.
fn nullable<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Name>, D::Error> {
    Option::deserialize(from)
}

/// Land a unit that is at sea.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = dragut::Land))]
#[serde(deny_unknown_fields)]
pub struct Land {
    /// Who decides: `pirates`.
    pub player: Side,
    /// The unit.
    pub unit: Name,
    /// A coastal area.
    pub to: Name,
}

/// Move a unit to a linked area.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = dragut::Move))]
#[serde(deny_unknown_fields)]
pub struct Move {
    /// Who decides: the phase player.
    pub player: Side,
    /// The unit, by id or token.
    pub unit: Name,
    /// A linked area.
    pub to: Name,
}

/// Send a captive to the Serraglio.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = dragut::Send))]
#[serde(deny_unknown_fields)]
pub struct Send {
    /// Who decides: `pirates`.
    pub player: Side,
    /// The captive, by id or token.
    pub unit: Name,
    /// The pirate unit nearby that pays; only under DRG-R9 = `unit`.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub escort: Option<Name>,
}

/// Raise the alarm by one case.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = dragut::RaiseAlarm))]
#[serde(deny_unknown_fields)]
pub struct RaiseAlarm {
    /// Who decides: `rapalline`.
    pub player: Side,
}

/// End the phase.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = dragut::EndPhase))]
#[serde(deny_unknown_fields)]
pub struct EndPhase {
    /// Who decides: the phase player.
    pub player: Side,
}

/// Name the next opponent.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = dragut::ChooseDefender))]
#[serde(deny_unknown_fields)]
pub struct ChooseDefender {
    /// Who decides: the phase player, or the other one under DRG-R12 = `defender`.
    pub player: Side,
    /// A defending unit, by id or token.
    pub unit: Name,
}

/// Take the Arquebusier's reward.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = dragut::ArquebusChoice))]
#[serde(deny_unknown_fields)]
pub struct ArquebusChoice {
    /// Who decides: `rapalline`.
    pub player: Side,
    /// What they take.
    pub choice: Reward,
}

/// Draw a card or decline.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = dragut::DrawOffer))]
#[serde(deny_unknown_fields)]
pub struct DrawOffer {
    /// Who decides: `rapalline`.
    pub player: Side,
    /// Whether a card is drawn.
    pub accept: bool,
}

/// Put a freed unit into a nearest empty area.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = dragut::Relocate))]
#[serde(deny_unknown_fields)]
pub struct Relocate {
    /// Who decides: `rapalline`, or `pirates` under DRG-R20 = `pirates`.
    pub player: Side,
    /// The freed unit, by id or token.
    pub unit: Name,
    /// The empty area.
    pub to: Name,
}

/// Put the Soldier in reserve into an empty countryside area.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = dragut::PlaceReserve))]
#[serde(deny_unknown_fields)]
pub struct PlaceReserve {
    /// Who decides: `rapalline`.
    pub player: Side,
    /// The area.
    pub to: Name,
}

umpire_core::tagged! {
    impl Deserialize for Action by "type" as "an action" {
        "deploy" => Deploy, "choose_card" => ChooseCard, "land" => Land, "move" => Move,
        "send" => Send, "raise_alarm" => RaiseAlarm, "end_phase" => EndPhase,
        "choose_defender" => ChooseDefender, "arquebus_choice" => ArquebusChoice,
        "draw_offer" => DrawOffer, "relocate" => Relocate, "place_reserve" => PlaceReserve,
    }
}

impl Action {
    /// The side that the action says it comes from.
    pub(super) fn side(&self) -> Side {
        match self {
            Action::Deploy(it) => it.player,
            Action::ChooseCard(it) => it.player,
            Action::Land(it) => it.player,
            Action::Move(it) => it.player,
            Action::Send(it) => it.player,
            Action::RaiseAlarm(it) => it.player,
            Action::EndPhase(it) => it.player,
            Action::ChooseDefender(it) => it.player,
            Action::ArquebusChoice(it) => it.player,
            Action::DrawOffer(it) => it.player,
            Action::Relocate(it) => it.player,
            Action::PlaceReserve(it) => it.player,
        }
    }

    /// The name of the type.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Action::Deploy(_) => "deploy",
            Action::ChooseCard(_) => "choose_card",
            Action::Land(_) => "land",
            Action::Move(_) => "move",
            Action::Send(_) => "send",
            Action::RaiseAlarm(_) => "raise_alarm",
            Action::EndPhase(_) => "end_phase",
            Action::ChooseDefender(_) => "choose_defender",
            Action::ArquebusChoice(_) => "arquebus_choice",
            Action::DrawOffer(_) => "draw_offer",
            Action::Relocate(_) => "relocate",
            Action::PlaceReserve(_) => "place_reserve",
        }
    }

    /// The same action with every unit named anew.
    #[must_use]
    pub(super) fn renamed(&self, mut name: impl FnMut(&mut Name)) -> Action {
        let mut action = self.clone();
        match &mut action {
            Action::Deploy(it) => it.placements.iter_mut().for_each(|it| name(&mut it.unit)),
            Action::Land(it) => name(&mut it.unit),
            Action::Move(it) => name(&mut it.unit),
            Action::Send(it) => {
                name(&mut it.unit);
                it.escort.iter_mut().for_each(name);
            }
            Action::ChooseDefender(it) => name(&mut it.unit),
            Action::Relocate(it) => name(&mut it.unit),
            Action::ChooseCard(_)
            | Action::RaiseAlarm(_)
            | Action::EndPhase(_)
            | Action::ArquebusChoice(_)
            | Action::DrawOffer(_)
            | Action::PlaceReserve(_) => {}
        }
        action
    }
}

/// Every deployment that satisfies DRG-2.3 to DRG-2.5: too many to list.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = dragut::Range))]
#[serde(deny_unknown_fields)]
pub struct Range {
    /// The type of the actions: `deploy`.
    pub r#type: RangeType,
    /// Who decides: `rapalline`.
    pub player: Side,
    /// The units, each of which is placed exactly once.
    pub units: Vec<Name>,
    /// The areas they may be placed in.
    pub areas: Vec<Name>,
    /// How many may share an area; `null` for any number.
    pub most_per_area: Option<u8>,
}
