//! Reading an action: its fields in one pass, whatever their order.
//!
//! Must not judge more than the form: that the fields of an action are those of its type.

use serde::{Deserialize, Deserializer};

use super::{
    Action, AssignWounds, Block, CardUse, DeclareFury, Defend, Discard, Draw, Dwarf, DwarfMove,
    EscapeNet, Kind, Mulligan, Pass, Place, Play, Side, Use,
};
use crate::tables::DECK;
use umpire_core::board::hex::Hex;
use umpire_core::wire::{Few, present};

impl<'de> Deserialize<'de> for Action {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let fields = Fields::deserialize(from)?;
        Action::try_from(fields).map_err(serde::de::Error::custom)
    }
}

umpire_core::names! {
    /// The type of an action.
    drako.ActionType as enum ActionType {
        Mulligan = "mulligan",
        Place = "place",
        Draw = "draw",
        Discard = "discard",
        Play = "play",
        Defend = "defend",
        AssignWounds = "assign_wounds",
        EscapeNet = "escape_net",
        DeclareFury = "declare_fury",
        Pass = "pass",
    }
}

/// Every field that some action has. An action is read into this once, whatever the order of its
/// fields; which fields are expected follows from `type` and `use`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
struct Fields {
    #[serde(rename = "type")]
    action_type: ActionType,
    player: Side,
    #[serde(default, deserialize_with = "present")]
    card: Option<Kind>,
    #[serde(rename = "use", default, deserialize_with = "present")]
    option: Option<Use>,
    #[serde(default, deserialize_with = "present")]
    moves: Option<Few<DwarfMove, 2>>,
    #[serde(default, deserialize_with = "present")]
    attackers: Option<Few<Dwarf, 2>>,
    #[serde(default, deserialize_with = "present")]
    to: Option<Hex>,
    #[serde(default, deserialize_with = "present")]
    target: Option<Dwarf>,
    #[serde(default, deserialize_with = "direction")]
    direction: Option<u8>,
    #[serde(default, deserialize_with = "present")]
    blocks: Option<Few<Block, 4>>,
    #[serde(default, deserialize_with = "present")]
    cards: Option<Few<Kind, DECK>>,
    #[serde(default, deserialize_with = "present")]
    exchange: Option<bool>,
    /// Of `place`.
    #[serde(default, deserialize_with = "present")]
    fury: Option<Hex>,
    #[serde(default, deserialize_with = "present")]
    archery: Option<Hex>,
    #[serde(default, deserialize_with = "present")]
    net: Option<Hex>,
    /// Of `assign_wounds`.
    #[serde(default, deserialize_with = "present")]
    flight: Option<u32>,
    #[serde(default, deserialize_with = "present")]
    movement: Option<u32>,
    #[serde(default, deserialize_with = "present")]
    fire: Option<u32>,
}

/// The names of the fields that only some actions have.
const OPTIONAL: [&str; 16] = [
    "card",
    "use",
    "moves",
    "attackers",
    "to",
    "target",
    "direction",
    "blocks",
    "cards",
    "exchange",
    "fury",
    "archery",
    "net",
    "flight",
    "movement",
    "fire",
];

impl Fields {
    /// Which of [`OPTIONAL`] are given.
    fn given(&self) -> [bool; 16] {
        [
            self.card.is_some(),
            self.option.is_some(),
            self.moves.is_some(),
            self.attackers.is_some(),
            self.to.is_some(),
            self.target.is_some(),
            self.direction.is_some(),
            self.blocks.is_some(),
            self.cards.is_some(),
            self.exchange.is_some(),
            self.fury.is_some(),
            self.archery.is_some(),
            self.net.is_some(),
            self.flight.is_some(),
            self.movement.is_some(),
            self.fire.is_some(),
        ]
    }

    /// Nothing if just as many optional fields are given as are expected; else what is wrong.
    fn only(&self, expected: usize) -> Result<(), String> {
        let given = self.given();
        if given.iter().filter(|&&it| it).count() == expected {
            return Ok(());
        }
        let names: Vec<&str> =
            OPTIONAL.iter().zip(given).filter(|(_, it)| *it).map(|(name, _)| *name).collect();
        Err(format!("the fields {} do not belong together in one action", names.join(", ")))
    }
}

/// A direction: its refusal names the field.
fn direction<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u8>, D::Error> {
    match u32::deserialize(from)? {
        direction @ 0..6 => Ok(Some(direction as u8)),
        direction => {
            let problem = format_args!("direction {direction} is not one of 0 to 5");
            Err(serde::de::Error::custom(problem))
        }
    }
}

/// A field that must be given.
fn required<T>(field: Option<T>, name: &str) -> Result<T, String> {
    field.ok_or_else(|| format!("missing field `{name}`"))
}

impl TryFrom<Fields> for Action {
    type Error = String;

    fn try_from(fields: Fields) -> Result<Action, String> {
        let player = fields.player;
        let (action, expected) = match fields.action_type {
            ActionType::Play => return read_play(&fields),
            ActionType::Draw => (Action::Draw(Draw { player }), 0),
            ActionType::EscapeNet => (Action::EscapeNet(EscapeNet { player }), 0),
            ActionType::DeclareFury => (Action::DeclareFury(DeclareFury { player }), 0),
            ActionType::Pass => (Action::Pass(Pass { player }), 0),
            ActionType::Defend => {
                let blocks = required(fields.blocks, "blocks")?;
                (Action::Defend(Defend { player, blocks }), 1)
            }
            ActionType::Discard => {
                let cards = required(fields.cards, "cards")?;
                (Action::Discard(Discard { player, cards }), 1)
            }
            ActionType::Mulligan => {
                let exchange = required(fields.exchange, "exchange")?;
                (Action::Mulligan(Mulligan { player, exchange }), 1)
            }
            ActionType::Place => {
                let fury = required(fields.fury, "fury")?;
                let archery = required(fields.archery, "archery")?;
                let net = required(fields.net, "net")?;
                (Action::Place(Place { player, fury, archery, net }), 3)
            }
            ActionType::AssignWounds => {
                let counts = [fields.flight, fields.movement, fields.fire];
                let [flight, movement, fire] = counts.map(Option::unwrap_or_default);
                let given = counts.iter().flatten().count();
                (Action::AssignWounds(AssignWounds { player, flight, movement, fire }), given)
            }
        };
        fields.only(expected)?;
        Ok(action)
    }
}

fn read_play(fields: &Fields) -> Result<Action, String> {
    let card = required(fields.card, "card")?;
    let option = required(fields.option, "use")?;
    let used_for = match option {
        Use::OneMove => CardUse::OneMove { moves: required(fields.moves, "moves")? },
        Use::TwoMove => CardUse::TwoMove { moves: required(fields.moves, "moves")? },
        Use::OneAttack => {
            CardUse::OneAttack { attackers: required(fields.attackers, "attackers")? }
        }
        Use::TwoAttack => {
            CardUse::TwoAttack { attackers: required(fields.attackers, "attackers")? }
        }
        Use::Crossbow => CardUse::Crossbow {},
        Use::Net => CardUse::Net {},
        Use::Move => CardUse::Move { to: required(fields.to, "to")? },
        Use::Flight => CardUse::Flight { to: required(fields.to, "to")? },
        Use::Attack => CardUse::Attack { target: fields.target },
        Use::Fire => CardUse::Fire { direction: required(fields.direction, "direction")? },
        Use::Defense => CardUse::Defense {},
        Use::None => CardUse::None {},
    };
    let bare = match option {
        Use::Crossbow | Use::Net | Use::Defense | Use::None => true,
        Use::Attack => fields.target.is_none(),
        _ => false,
    };
    fields.only(if bare { 2 } else { 3 })?;
    Ok(Action::Play(Play { player: fields.player, card, used_for }))
}
