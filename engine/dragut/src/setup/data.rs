//! The data of a map, of units and of cards: the form in which they are printed, and in which an
//! owner of the printed game puts corrected ones into a record's options.
//!
//! Must not judge the data: the files beside this one do.

use serde::{Deserialize, Serialize};

use crate::action::Side;
use umpire_core::wire::{Name, present};

umpire_core::names! {
    /// The kind of an area.
    dragut.AreaKind as pub enum AreaKind {
        /// Houses: roads join two towns.
        Town = "town",
        /// Fields and slopes.
        Countryside = "countryside",
        /// The way out.
        Hill = "hill",
    }
}

/// Whether a mark is left out of the data.
fn unset(mark: &bool) -> bool {
    !mark
}

/// An area of the map. A link is given from both of its ends.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = dragut::Area))]
#[serde(deny_unknown_fields)]
pub struct AreaData {
    /// The id: lower-case letters, digits and `_`, at most 24.
    pub id: Name,
    /// The name for people; the id where it is left out.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub name: Option<String>,
    /// The kind.
    pub kind: AreaKind,
    /// Whether it is by the sea, so that pirates may land here.
    #[serde(default)]
    pub coastal: bool,
    /// Whether it is one of the named landing places (DRG-R6).
    #[serde(default, skip_serializing_if = "unset")]
    pub landing: bool,
    /// Whether it is inside the gates of the town (DRG-R50).
    #[serde(default, skip_serializing_if = "unset")]
    pub borough: bool,
    /// The areas that a road leads to.
    #[serde(default)]
    pub roads: Vec<Name>,
    /// The areas that a trail leads to.
    #[serde(default)]
    pub trails: Vec<Name>,
    /// The areas that it touches on the printed map, with or without a line (DRG-R36).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub touches: Vec<Name>,
    /// Where the datum is from.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub source: Option<String>,
}

umpire_core::names! {
    /// What a unit is.
    dragut.UnitKind as pub enum UnitKind {
        /// Dragut.
        Dragut = "dragut",
        /// A pirate.
        Pirate = "pirate",
        /// The Renegade.
        Renegade = "renegade",
        /// Bartolomeo Maggiocco.
        Bartolomeo = "bartolomeo",
        /// Giulia Giudice.
        Giulia = "giulia",
        /// The mayor.
        Mayor = "mayor",
        /// The priest.
        Priest = "priest",
        /// The Arquebusier.
        Arquebusier = "arquebusier",
        /// A soldier.
        Soldier = "soldier",
        /// Boys.
        Boys = "boys",
        /// Men.
        Men = "men",
        /// Women.
        Women = "women",
    }
}

impl UnitKind {
    /// The side of such a unit.
    pub(super) const fn side(self) -> Side {
        match self {
            UnitKind::Dragut | UnitKind::Pirate | UnitKind::Renegade => Side::Pirates,
            _ => Side::Rapalline,
        }
    }
}

umpire_core::names! {
    /// Where a unit begins.
    dragut.Start as pub enum Start {
        /// Aboard the galleys.
        AtSea = "at_sea",
        /// Beside the map, a replacement.
        Aside = "aside",
        /// In a town, by the Rapalline player's choice.
        Deployed = "deployed",
        /// Held back.
        Reserve = "reserve",
    }
}

/// A unit counter.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = dragut::Unit))]
#[serde(deny_unknown_fields)]
pub struct UnitData {
    /// The id: lower-case letters, digits and `_`, at most 24.
    pub id: Name,
    /// The name for people; the id where it is left out.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub name: Option<String>,
    /// What it is; it decides the side.
    pub kind: UnitKind,
    /// The combat value; none for the Arquebusier, the greater one for Bartolomeo.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false, maximum = 20))]
    pub value: Option<u8>,
    /// Bartolomeo's lesser value.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false, maximum = 20))]
    pub lesser_value: Option<u8>,
    /// Where it begins.
    pub start: Start,
    /// Where the datum is from.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub source: Option<String>,
}

umpire_core::names! {
    /// What becomes of a card after use.
    dragut.Life as pub enum Life {
        /// It leaves the game.
        Once = "once",
        /// It goes back into its deck.
        Returns = "returns",
    }
}

/// One effect of a card, for the turn in which it is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = dragut::Effect))]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum EffectData {
    /// The alarm moves on reveal.
    Alarm {
        /// Cases up, or down if negative.
        steps: i8,
    },
    /// The pool of a side changes.
    Pool {
        /// Whose pool.
        side: Side,
        /// Points more, or fewer if negative.
        points: i8,
    },
    /// The limit of every unit of a side changes.
    UnitLimit {
        /// Whose units.
        side: Side,
        /// Points more, or fewer if negative.
        points: i8,
    },
    /// Every pirate unit pays this on trails.
    PirateTrailCost {
        /// Points.
        cost: u8,
    },
    /// Each send costs this.
    SendCost {
        /// Points.
        cost: u8,
    },
    /// The Soldier in reserve enters at the start of the Rapalline phase.
    PlaceReserve {},
}

/// A kind of card.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = dragut::Card))]
#[serde(deny_unknown_fields)]
pub struct CardData {
    /// The id: lower-case letters, digits and `_`, at most 24.
    pub id: Name,
    /// The name for people; the id where it is left out.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub name: Option<String>,
    /// Whose deck it is in.
    pub side: Side,
    /// Number of copies.
    pub copies: u8,
    /// What becomes of it after use.
    pub life: Life,
    /// What it does.
    pub effects: Vec<EffectData>,
    /// Where the datum is from.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub source: Option<String>,
}
