//! Corrected data: what an owner of the printed game puts into a record's options.
//!
//! Must not judge the data: `deck.rs` and `setup.rs` do.

use serde::{Deserialize, Serialize};

use crate::action::{Kind, Use};
use umpire_core::board::hex::Hex;
use umpire_core::wire::present;

/// An option printed on a card.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = drako::CardOption))]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct CardOption {
    /// The symbol.
    #[serde(rename = "use")]
    pub option: Use,
    /// Its value; left out for `flight`, `net` and `defense`, which have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(deserialize_with = "present")]
    #[cfg_attr(feature = "schema", schema(minimum = 1, maximum = 3, nullable = false))]
    pub value: Option<u8>,
}

/// A kind of card.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = drako::CardKind))]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct CardKind {
    /// The id: `dg` or `dw` and two digits from 01 on.
    pub kind: Kind,
    /// One or two different options.
    #[cfg_attr(feature = "schema", schema(min_items = 1, max_items = 2))]
    pub options: Vec<CardOption>,
    /// Number of copies in the deck.
    #[cfg_attr(feature = "schema", schema(minimum = 1, maximum = 38))]
    pub count: u8,
}

/// Corrected decks. A deck left out is the document's.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = drako::Decks))]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct Decks {
    /// The dragon's 38 cards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(deserialize_with = "present")]
    #[cfg_attr(feature = "schema", schema(nullable = false, min_items = 1, max_items = 38))]
    pub dragon: Option<Vec<CardKind>>,
    /// The dwarves' 38 cards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(deserialize_with = "present")]
    #[cfg_attr(feature = "schema", schema(nullable = false, min_items = 1, max_items = 38))]
    pub dwarves: Option<Vec<CardKind>>,
}

/// Corrected data of one dwarf.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = drako::FigureData))]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct FigureData {
    /// The start hex.
    pub start: Hex,
    /// The wound spaces.
    #[cfg_attr(feature = "schema", schema(minimum = 1, maximum = 30))]
    pub spaces: u8,
}

/// Corrected data of the dwarves. One left out is the document's.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = drako::Figures))]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct Figures {
    /// Brald.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(deserialize_with = "present")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub fury: Option<FigureData>,
    /// Morin.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(deserialize_with = "present")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub archery: Option<FigureData>,
    /// Urpen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(deserialize_with = "present")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub net: Option<FigureData>,
}

/// Corrected wound spaces of the dragon. One left out is the document's.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = drako::Tracks))]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct Tracks {
    /// Spaces of the armour.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(deserialize_with = "present")]
    #[cfg_attr(feature = "schema", schema(nullable = false, minimum = 1, maximum = 30))]
    pub armour: Option<u8>,
    /// Spaces of flight.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(deserialize_with = "present")]
    #[cfg_attr(feature = "schema", schema(nullable = false, minimum = 1, maximum = 30))]
    pub flight: Option<u8>,
    /// Spaces of movement.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(deserialize_with = "present")]
    #[cfg_attr(feature = "schema", schema(nullable = false, minimum = 1, maximum = 30))]
    pub movement: Option<u8>,
    /// Spaces of fire breathing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(deserialize_with = "present")]
    #[cfg_attr(feature = "schema", schema(nullable = false, minimum = 1, maximum = 30))]
    pub fire: Option<u8>,
}
