//! A position as a record gives it: what is left out has its default.
//!
//! Must not check more than the form.

use serde::{Deserialize, Serialize};

use crate::action::{Ability, Kind, Side};
use crate::state::Stage;
use crate::view::{
    AttackView, BySide, CardsView, DeckView, EndView, OpenCards, Pile, View, WholeDeck,
};
use umpire_core::board::hex::Hex;
use umpire_core::wire::present;

/// A position. What is left out has its default: no wounds, start hexes, nothing in hands and
/// decks, the marker states of DRK-2.3, the state `action` with a fresh turn's actions. Cards
/// named nowhere are discards.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = drako::Position))]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct Position {
    /// The turn, from 1; 0 for a position before the first turn.
    pub turn: u16,
    /// Actions left; a fresh turn's, or the most that the pending state allows, where it is left out.
    #[serde(default, deserialize_with = "present")]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub actions_left: Option<u8>,
    /// The pending decision; `action` where it is left out.
    #[serde(default, deserialize_with = "present")]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub state: Option<Stage>,
    /// The side to move; checked where it is given.
    #[serde(default, deserialize_with = "present")]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub side: Option<Side>,
    /// Where the figures stand.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(required = false))]
    pub hexes: GivenHexes,
    /// Wounds by track; 0 where left out.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(required = false))]
    pub wounds: GivenWounds,
    /// The dragon's lost abilities; checked where given.
    #[serde(default, deserialize_with = "present")]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub lost: Option<Vec<Ability>>,
    /// Whether the net lies on the dragon.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(required = false))]
    pub netted: bool,
    /// Whether Fury was declared in this turn; stated only under DRK-R13 `optional`. Left out: only if three actions
    /// are left.
    #[serde(default, deserialize_with = "present")]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub fury_turn: Option<bool>,
    /// Whether the fury marker is used up.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(required = false))]
    pub fury_used: bool,
    /// The hands.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(required = false))]
    pub hands: GivenHands,
    /// The decks.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(required = false))]
    pub decks: GivenDecks,
    /// The discards; checked where given.
    #[serde(default, deserialize_with = "present")]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false, value_type = Option<GivenPiles>))]
    pub discards: Option<BySide<Pile>>,
    /// The attack to be answered, in state `defend`; under DRK-R24 `in_turn` what of it is yet to hit, in state
    /// `assign_wounds`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub attack: Option<AttackView>,
    /// How many cards are to be discarded; checked where given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub to_discard: Option<u8>,
    /// How many wounds are to be divided, in state `assign_wounds`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub to_assign: Option<u8>,
    /// The same wounds hit by hit; stated only under DRK-R33 `one_ability`. Left out: one hit.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schema(required = false))]
    pub hits: Vec<u8>,
    /// How the game ended, in state `game_over`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub outcome: Option<EndView>,
}

/// The schema of the discards of a position.
#[cfg(feature = "schema")]
#[derive(utoipa::ToSchema)]
#[schema(as = drako::GivenPiles)]
#[allow(dead_code, reason = "exists for its schema")]
struct GivenPiles {
    /// The dragon's.
    dragon: Pile,
    /// The dwarves'.
    dwarves: Pile,
}

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

impl From<View> for Position {
    /// The position of a referee's view. What a view hides is empty in it.
    fn from(view: View) -> Position {
        let hand = |hand: CardsView| match hand {
            CardsView::Open(open) => GivenHand::View(open),
            CardsView::Closed(_) => GivenHand::default(),
        };
        let deck = |deck: DeckView| match deck {
            DeckView::Whole(whole) => GivenDeck::View(whole),
            DeckView::Open(OpenCards { count, cards }) => {
                GivenDeck::View(WholeDeck { count, cards, order: Vec::new() })
            }
            DeckView::Closed(_) => GivenDeck::default(),
        };
        let wounds = view.wounds;
        Position {
            turn: view.turn,
            actions_left: Some(view.actions_left),
            state: Some(view.state),
            side: (view.turn > 0).then_some(view.side),
            hexes: GivenHexes {
                dragon: Some(view.hexes.dragon),
                fury: Some(view.hexes.fury),
                archery: Some(view.hexes.archery),
                net: Some(view.hexes.net),
            },
            wounds: GivenWounds {
                fury: wounds.fury,
                archery: wounds.archery,
                net: wounds.net,
                armour: wounds.armour,
                flight: wounds.flight,
                movement: wounds.movement,
                fire: wounds.fire,
            },
            lost: Some(view.lost),
            netted: view.netted,
            fury_turn: view.fury_turn.then_some(true),
            fury_used: view.fury_used,
            hands: GivenHands {
                dragon: hand(view.hands.dragon),
                dwarves: hand(view.hands.dwarves),
            },
            decks: GivenDecks {
                dragon: deck(view.decks.dragon),
                dwarves: deck(view.decks.dwarves),
            },
            discards: Some(view.discards),
            attack: view.attack,
            to_discard: view.to_discard,
            to_assign: view.to_assign,
            hits: view.hits,
            outcome: view.outcome,
        }
    }
}
