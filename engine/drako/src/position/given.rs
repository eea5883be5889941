//! The parts of a position as a record gives them: what is left out has its default.
//!
//! Must not check more than the form.

use serde::{Deserialize, Serialize};

use crate::action::Kind;
use crate::view::{OpenCards, WholeDeck};
use umpire_core::board::hex::Hex;
use umpire_core::wire::present;

/// The figures' hexes: left out = the start hex (of the living), `null` = dead.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = drako::GivenHexes))]
#[serde(deny_unknown_fields, default, expecting = "an object")]
pub struct GivenHexes {
    /// The dragon's.
    #[serde(deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<Hex>))]
    pub dragon: Option<Option<Hex>>,
    /// Brald's.
    #[serde(deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<Hex>))]
    pub fury: Option<Option<Hex>>,
    /// Morin's.
    #[serde(deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<Hex>))]
    pub archery: Option<Option<Hex>>,
    /// Urpen's.
    #[serde(deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<Hex>))]
    pub net: Option<Option<Hex>>,
}

/// Wounds by track; 0 where left out.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = drako::GivenWounds))]
#[serde(deny_unknown_fields, default, expecting = "an object")]
pub struct GivenWounds {
    /// Brald's.
    #[cfg_attr(feature = "schema", schema(required = false))]
    pub fury: u8,
    /// Morin's.
    #[cfg_attr(feature = "schema", schema(required = false))]
    pub archery: u8,
    /// Urpen's.
    #[cfg_attr(feature = "schema", schema(required = false))]
    pub net: u8,
    /// The dragon's, on its armour.
    #[cfg_attr(feature = "schema", schema(required = false))]
    pub armour: u8,
    /// The dragon's, on flight.
    #[cfg_attr(feature = "schema", schema(required = false))]
    pub flight: u8,
    /// The dragon's, on movement.
    #[cfg_attr(feature = "schema", schema(required = false))]
    pub movement: u8,
    /// The dragon's, on fire breathing.
    #[cfg_attr(feature = "schema", schema(required = false))]
    pub fire: u8,
}

/// The hands; empty where left out.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = drako::GivenHands))]
#[serde(deny_unknown_fields, default, expecting = "an object")]
pub struct GivenHands {
    /// The dragon's.
    #[cfg_attr(feature = "schema", schema(required = false))]
    pub dragon: GivenHand,
    /// The dwarves'.
    #[cfg_attr(feature = "schema", schema(required = false))]
    pub dwarves: GivenHand,
}

/// The decks; empty where left out.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = drako::GivenDecks))]
#[serde(deny_unknown_fields, default, expecting = "an object")]
pub struct GivenDecks {
    /// The dragon's.
    #[cfg_attr(feature = "schema", schema(required = false))]
    pub dragon: GivenDeck,
    /// The dwarves'.
    #[cfg_attr(feature = "schema", schema(required = false))]
    pub dwarves: GivenDeck,
}

/// A hand: a list of kinds, or as a view shows it.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = drako::GivenHand))]
#[serde(untagged)]
pub enum GivenHand {
    /// The kinds.
    List(Vec<Kind>),
    /// As a view shows it.
    View(OpenCards),
}

impl Default for GivenHand {
    fn default() -> Self {
        GivenHand::List(Vec::new())
    }
}

/// A deck: a list of kinds, top first, or as a view shows it.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = drako::GivenDeck))]
#[serde(untagged)]
pub enum GivenDeck {
    /// The kinds, top first.
    Order(Vec<Kind>),
    /// As the referee's view shows it.
    View(WholeDeck),
}

impl Default for GivenDeck {
    fn default() -> Self {
        GivenDeck::Order(Vec::new())
    }
}

/// Reads a list or an object without trying one after the other, so that the message of what is
/// wrong stays that of the form that was meant.
macro_rules! list_or_object {
    ($name:ident, $list:ident, $object:ident) => {
        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
                struct Reader;
                impl<'de> serde::de::Visitor<'de> for Reader {
                    type Value = $name;

                    fn expecting(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        to.write_str("a list of kinds of cards, or cards as a view shows them")
                    }

                    fn visit_seq<A: serde::de::SeqAccess<'de>>(
                        self,
                        seq: A,
                    ) -> Result<$name, A::Error> {
                        Deserialize::deserialize(SeqAccessDeserializer::new(seq)).map($name::$list)
                    }

                    fn visit_map<A: serde::de::MapAccess<'de>>(
                        self,
                        map: A,
                    ) -> Result<$name, A::Error> {
                        Deserialize::deserialize(MapAccessDeserializer::new(map))
                            .map($name::$object)
                    }
                }
                from.deserialize_any(Reader)
            }
        }
    };
}
list_or_object!(GivenHand, List, View);
list_or_object!(GivenDeck, Order, View);
