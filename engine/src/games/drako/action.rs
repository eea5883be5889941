//! The decisions of Drako as they stand in a record (part C.3).
//!
//! These types are the wire form and the form the rules read; each is read in one pass. Must not
//! judge: whatever is well formed can be expressed, however illegal.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::board::hex::Hex;
use crate::game::Seat;
use crate::wire::Few;

/// A side, which is also the seat.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = drako::Side))]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// The player of the dragon.
    Dragon,
    /// The player of the three dwarves.
    Dwarves,
}

impl Side {
    /// Both sides, in seat order.
    pub const BOTH: [Side; 2] = [Side::Dragon, Side::Dwarves];

    /// The name in records.
    pub fn name(self) -> &'static str {
        match self {
            Side::Dragon => "dragon",
            Side::Dwarves => "dwarves",
        }
    }

    pub(super) fn index(self) -> usize {
        self as usize
    }

    pub(super) fn seat(self) -> Seat {
        Seat(self as u8)
    }

    pub(super) fn other(self) -> Side {
        match self {
            Side::Dragon => Side::Dwarves,
            Side::Dwarves => Side::Dragon,
        }
    }
}

/// A dwarf, named by his ability. Also the name of a strand of an attack.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = drako::Dwarf))]
#[serde(rename_all = "snake_case")]
pub enum Dwarf {
    /// Brald.
    #[default]
    Fury,
    /// Morin.
    Archery,
    /// Urpen.
    Net,
}

impl Dwarf {
    /// All three, in the order of the document.
    pub const ALL: [Dwarf; 3] = [Dwarf::Fury, Dwarf::Archery, Dwarf::Net];

    /// The name in records.
    pub fn name(self) -> &'static str {
        match self {
            Dwarf::Fury => "fury",
            Dwarf::Archery => "archery",
            Dwarf::Net => "net",
        }
    }

    pub(super) fn index(self) -> usize {
        self as usize
    }

    pub(super) fn mask(self) -> u8 {
        1 << self as u8
    }
}

/// The dwarves of a set, in order.
pub(super) fn dwarves(set: u8) -> impl Iterator<Item = Dwarf> {
    Dwarf::ALL.into_iter().filter(move |dwarf| set & dwarf.mask() != 0)
}

/// A figure.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = drako::Figure))]
#[serde(rename_all = "snake_case")]
pub enum Figure {
    /// The dragon.
    Dragon,
    /// Brald.
    Fury,
    /// Morin.
    Archery,
    /// Urpen.
    Net,
}

impl Figure {
    /// The name in records.
    pub fn name(self) -> &'static str {
        match self {
            Figure::Dragon => "dragon",
            Figure::Fury => "fury",
            Figure::Archery => "archery",
            Figure::Net => "net",
        }
    }

    pub(super) fn index(self) -> usize {
        self as usize
    }
}

impl From<Dwarf> for Figure {
    fn from(dwarf: Dwarf) -> Figure {
        match dwarf {
            Dwarf::Fury => Figure::Fury,
            Dwarf::Archery => Figure::Archery,
            Dwarf::Net => Figure::Net,
        }
    }
}

/// A kind of card: `dg01` to `dg99` of the dragon, `dw01` to `dw99` of the dwarves.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Kind(u8);

const DWARF_KINDS: u8 = 100;

impl Default for Kind {
    fn default() -> Self {
        Kind(1)
    }
}

impl Kind {
    /// The kind of a side with a number from 1 to 99.
    pub(super) const fn new(side: Side, number: u8) -> Kind {
        match side {
            Side::Dragon => Kind(number),
            Side::Dwarves => Kind(DWARF_KINDS + number),
        }
    }

    /// The side whose deck has such cards.
    pub fn side(self) -> Side {
        if self.0 < DWARF_KINDS { Side::Dragon } else { Side::Dwarves }
    }

    /// The number, 1 to 99.
    pub fn number(self) -> u8 {
        self.0 % DWARF_KINDS
    }

    fn parse(text: &str) -> Option<Kind> {
        let &[b'd', side, tens, ones] = text.as_bytes() else { return None };
        if !tens.is_ascii_digit() || !ones.is_ascii_digit() {
            return None;
        }
        let number = (tens - b'0') * 10 + (ones - b'0');
        match side {
            _ if number == 0 => None,
            b'g' => Some(Kind::new(Side::Dragon, number)),
            b'w' => Some(Kind::new(Side::Dwarves, number)),
            _ => None,
        }
    }

    fn letters(self) -> [u8; 4] {
        let side = if self.0 < DWARF_KINDS { b'g' } else { b'w' };
        [b'd', side, b'0' + self.number() / 10, b'0' + self.number() % 10]
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.letters().iter().try_for_each(|&letter| fmt::Write::write_char(to, letter.into()))
    }
}

impl Serialize for Kind {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        // Four ASCII letters and digits, made a line above.
        to.serialize_str(std::str::from_utf8(&self.letters()).unwrap_or_default())
    }
}

impl<'de> Deserialize<'de> for Kind {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Reader;
        impl serde::de::Visitor<'_> for Reader {
            type Value = Kind;

            fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
                to.write_str("a kind of card, `dg01` to `dg99` or `dw01` to `dw99`")
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Kind, E> {
                let unexpected = serde::de::Unexpected::Str(text);
                Kind::parse(text).ok_or_else(|| E::invalid_value(unexpected, &self))
            }
        }
        from.deserialize_str(Reader)
    }
}

#[cfg(feature = "schema")]
impl utoipa::PartialSchema for Kind {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
        utoipa::openapi::schema::ObjectBuilder::new()
            .schema_type(utoipa::openapi::schema::Type::String)
            .pattern(Some("^d[gw](0[1-9]|[1-9][0-9])$"))
            .description(Some("A kind of card: `dg…` of the dragon, `dw…` of the dwarves."))
            .examples(["dg01"])
            .into()
    }
}

#[cfg(feature = "schema")]
impl utoipa::ToSchema for Kind {
    fn name() -> std::borrow::Cow<'static, str> {
        "drako.Kind".into()
    }
}

/// What a card is played for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = drako::Use))]
#[serde(rename_all = "snake_case")]
pub enum Use {
    /// One dwarf moves.
    OneMove,
    /// Up to two dwarves move.
    TwoMove,
    /// One dwarf attacks.
    OneAttack,
    /// Up to two dwarves attack.
    TwoAttack,
    /// The archer shoots.
    Crossbow,
    /// The net is thrown.
    Net,
    /// The dragon moves.
    Move,
    /// The dragon flies.
    Flight,
    /// The dragon attacks.
    Attack,
    /// The dragon breathes fire.
    Fire,
    /// An attack is stopped; only in a reaction.
    Defense,
    /// Nothing (DRK-5.4).
    None,
}

impl Use {
    /// The name in records.
    pub fn name(self) -> &'static str {
        match self {
            Use::OneMove => "one_move",
            Use::TwoMove => "two_move",
            Use::OneAttack => "one_attack",
            Use::TwoAttack => "two_attack",
            Use::Crossbow => "crossbow",
            Use::Net => "net",
            Use::Move => "move",
            Use::Flight => "flight",
            Use::Attack => "attack",
            Use::Fire => "fire",
            Use::Defense => "defense",
            Use::None => "none",
        }
    }
}

/// One dwarf's part of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
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
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
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
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
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
}

impl<'de> Deserialize<'de> for Action {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let fields = Fields::deserialize(from)?;
        Action::try_from(fields).map_err(serde::de::Error::custom)
    }
}

/// Exchange the whole hand, or keep it (DRK-2.6).
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = drako::Mulligan))]
pub struct Mulligan {
    /// The side that decides.
    pub player: Side,
    /// Whether it exchanges.
    pub exchange: bool,
}

/// Put the dwarves on the board (DRK-2.5).
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
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
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = drako::Draw))]
pub struct Draw {
    /// The side to move.
    pub player: Side,
}

/// Discard down to the hand limit (DRK-4.2).
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = drako::Discard))]
pub struct Discard {
    /// The side that drew.
    pub player: Side,
    /// The cards, in any order.
    #[cfg_attr(feature = "schema", schema(value_type = Vec<Kind>))]
    pub cards: Few<Kind, { super::tables::DECK }>,
}

/// Answer an attack (DRK-7.7, 7.8).
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
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
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
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
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = drako::EscapeNet))]
pub struct EscapeNet {
    /// The dragon.
    pub player: Side,
}

/// Declare Fury (DRK-10.1).
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = drako::DeclareFury))]
pub struct DeclareFury {
    /// The dwarves.
    pub player: Side,
}

/// Play a card (DRK-5.1).
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = drako::Play))]
pub struct Play {
    /// The side to move.
    pub player: Side,
    /// The card.
    pub card: Kind,
    /// The option chosen, with what it needs.
    #[serde(flatten)]
    pub how: How,
}

/// The option a card is played for, with what it needs.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = drako::How))]
#[serde(tag = "use", rename_all = "snake_case")]
pub enum How {
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
        /// The dwarf attacked.
        target: Dwarf,
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

impl How {
    /// The option.
    pub fn option(&self) -> Use {
        match self {
            How::OneMove { .. } => Use::OneMove,
            How::TwoMove { .. } => Use::TwoMove,
            How::OneAttack { .. } => Use::OneAttack,
            How::TwoAttack { .. } => Use::TwoAttack,
            How::Crossbow {} => Use::Crossbow,
            How::Net {} => Use::Net,
            How::Move { .. } => Use::Move,
            How::Flight { .. } => Use::Flight,
            How::Attack { .. } => Use::Attack,
            How::Fire { .. } => Use::Fire,
            How::Defense {} => Use::Defense,
            How::None {} => Use::None,
        }
    }
}

/// The names of the types of actions.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum TypeName {
    Mulligan,
    Place,
    Draw,
    Discard,
    Play,
    Defend,
    AssignWounds,
    EscapeNet,
    DeclareFury,
}

/// Every field that some action has. An action is read into this once, whatever the order of its
/// fields; which fields are expected follows from `type` and `use`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
struct Fields {
    #[serde(rename = "type")]
    kind: TypeName,
    player: Side,
    #[serde(default, deserialize_with = "crate::wire::present")]
    card: Option<Kind>,
    #[serde(rename = "use", default, deserialize_with = "crate::wire::present")]
    option: Option<Use>,
    #[serde(default, deserialize_with = "crate::wire::present")]
    moves: Option<Few<DwarfMove, 2>>,
    #[serde(default, deserialize_with = "crate::wire::present")]
    attackers: Option<Few<Dwarf, 2>>,
    #[serde(default, deserialize_with = "crate::wire::present")]
    to: Option<Hex>,
    #[serde(default, deserialize_with = "crate::wire::present")]
    target: Option<Dwarf>,
    #[serde(default, deserialize_with = "crate::wire::present")]
    direction: Option<u8>,
    #[serde(default, deserialize_with = "crate::wire::present")]
    blocks: Option<Few<Block, 4>>,
    #[serde(default, deserialize_with = "crate::wire::present")]
    cards: Option<Few<Kind, { super::tables::DECK }>>,
    #[serde(default, deserialize_with = "crate::wire::present")]
    exchange: Option<bool>,
    /// Of `place`.
    #[serde(default, deserialize_with = "crate::wire::present")]
    fury: Option<Hex>,
    #[serde(default, deserialize_with = "crate::wire::present")]
    archery: Option<Hex>,
    #[serde(default, deserialize_with = "crate::wire::present")]
    net: Option<Hex>,
    /// Of `assign_wounds`.
    #[serde(default, deserialize_with = "crate::wire::present")]
    flight: Option<u32>,
    #[serde(default, deserialize_with = "crate::wire::present")]
    movement: Option<u32>,
    #[serde(default, deserialize_with = "crate::wire::present")]
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
    /// Which of [`OPTIONAL`] are there.
    fn present(&self) -> [bool; 16] {
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

    /// Nothing, if just the fields of that many expected ones are there.
    fn only(&self, expected: usize) -> Result<(), String> {
        let there = self.present();
        if there.iter().filter(|&&it| it).count() == expected {
            return Ok(());
        }
        let names: Vec<&str> =
            OPTIONAL.iter().zip(there).filter(|(_, it)| *it).map(|(name, _)| *name).collect();
        Err(format!("the fields {} do not belong together in one action", names.join(", ")))
    }
}

fn missing<T>(field: Option<T>, name: &str) -> Result<T, String> {
    field.ok_or_else(|| format!("missing field `{name}`"))
}

impl TryFrom<Fields> for Action {
    type Error = String;

    fn try_from(fields: Fields) -> Result<Action, String> {
        let player = fields.player;
        let (action, expected) = match fields.kind {
            TypeName::Play => return play(&fields),
            TypeName::Draw => (Action::Draw(Draw { player }), 0),
            TypeName::EscapeNet => (Action::EscapeNet(EscapeNet { player }), 0),
            TypeName::DeclareFury => (Action::DeclareFury(DeclareFury { player }), 0),
            TypeName::Defend => {
                let blocks = missing(fields.blocks, "blocks")?;
                (Action::Defend(Defend { player, blocks }), 1)
            }
            TypeName::Discard => {
                let cards = missing(fields.cards, "cards")?;
                (Action::Discard(Discard { player, cards }), 1)
            }
            TypeName::Mulligan => {
                let exchange = missing(fields.exchange, "exchange")?;
                (Action::Mulligan(Mulligan { player, exchange }), 1)
            }
            TypeName::Place => {
                let fury = missing(fields.fury, "fury")?;
                let archery = missing(fields.archery, "archery")?;
                let net = missing(fields.net, "net")?;
                (Action::Place(Place { player, fury, archery, net }), 3)
            }
            TypeName::AssignWounds => {
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

fn play(fields: &Fields) -> Result<Action, String> {
    let card = missing(fields.card, "card")?;
    let option = missing(fields.option, "use")?;
    let how = match option {
        Use::OneMove => How::OneMove { moves: missing(fields.moves, "moves")? },
        Use::TwoMove => How::TwoMove { moves: missing(fields.moves, "moves")? },
        Use::OneAttack => How::OneAttack { attackers: missing(fields.attackers, "attackers")? },
        Use::TwoAttack => How::TwoAttack { attackers: missing(fields.attackers, "attackers")? },
        Use::Crossbow => How::Crossbow {},
        Use::Net => How::Net {},
        Use::Move => How::Move { to: missing(fields.to, "to")? },
        Use::Flight => How::Flight { to: missing(fields.to, "to")? },
        Use::Attack => How::Attack { target: missing(fields.target, "target")? },
        Use::Fire => match missing(fields.direction, "direction")? {
            direction @ 0..6 => How::Fire { direction },
            direction => return Err(format!("direction {direction} is none of 0 to 5")),
        },
        Use::Defense => How::Defense {},
        Use::None => How::None {},
    };
    let bare = matches!(option, Use::Crossbow | Use::Net | Use::Defense | Use::None);
    fields.only(if bare { 2 } else { 3 })?;
    Ok(Action::Play(Play { player: fields.player, card, how }))
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
        }
    }

    /// The same decision with its sets in canonical order: discarded cards, blocks and attackers.
    pub(super) fn normal(&self) -> Action {
        let mut action = *self;
        match &mut action {
            Action::Discard(it) => it.cards.sort_by_key(|kind| *kind),
            Action::Defend(it) => {
                it.blocks.sort_by_key(|block| (block.against.index(), block.card))
            }
            Action::Play(Play { how: How::TwoAttack { attackers }, .. }) => {
                attackers.sort_by_key(|dwarf| dwarf.index());
            }
            _ => {}
        }
        action
    }
}
