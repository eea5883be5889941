//! Every number of Drako: board, figures, tracks, decks and constants, each with its source.
//!
//! An owner of the printed game corrects these data in a record's `options` without touching
//! code. This module must not hold any rule beyond what makes data acceptable.

use serde::{Deserialize, Serialize};

use super::action::{Dwarf, Kind, Side, Use};
use super::rulebook::Rule;
use crate::board::hex::Hex;
use crate::rules::Refusal;

/// Cards in a deck (rulebook §Preparation).
pub(super) const DECK: usize = 38;
/// Cards in the starting hand (rulebook §Preparation).
pub(super) const STARTING_HAND: u8 = 4;
/// The most cards a hand may hold (rulebook §Drawing).
pub(super) const HAND_LIMIT: usize = 6;
/// Cards taken by a draw (rulebook §Drawing).
pub(super) const CARDS_PER_DRAW: u8 = 2;
/// Actions of turn 1 (rulebook §Sequence).
pub(super) const FIRST_TURN_ACTIONS: u8 = 1;
/// Actions of every later turn (rulebook §Sequence).
pub(super) const TURN_ACTIONS: u8 = 2;
/// Actions that leaving the net takes (rulebook §Dwarf cards).
pub(super) const ESCAPE_ACTIONS: u8 = 2;

/// The most wound spaces of a track in corrected data; all tracks together stay far below 255.
pub(super) const MOST_SPACES: u8 = 30;

/// The centre, where the dragon starts (rulebook §Preparation).
pub(super) const CENTRE: Hex = Hex::new(0, 0);

/// A set of the seven wound tracks: three dwarves, then the dragon's four.
pub(super) const TRACKS: usize = 7;
/// The track of the dragon's armour; those of flight, movement and fire follow it.
pub(super) const ARMOUR: usize = 3;

/// The names of the wound tracks, in order.
pub(super) const TRACK_NAMES: [&str; TRACKS] =
    ["fury", "archery", "net", "armour", "flight", "movement", "fire"];

/// Wound spaces by track (A.2: armour from the rulebook, the others reconstructed).
pub(super) const SPACES: [u8; TRACKS] = [6, 4, 5, 4, 2, 2, 2];

/// Start hexes of `fury`, `archery`, `net` (A.2, reconstructed).
pub(super) const STARTS: [Hex; 3] = [Hex::new(1, 1), Hex::new(-2, 1), Hex::new(1, -2)];

/// One kind of card: number, options with their values, copies.
type Row = (u8, &'static [(Use, u8)], u8);

/// The dragon's deck (A.4: number of cards and symbols from the rulebook, the rest
/// reconstructed).
pub(super) const DRAGON_DECK: &[Row] = &[
    (1, &[(Use::Move, 1), (Use::Attack, 1)], 5),
    (2, &[(Use::Move, 2), (Use::Attack, 1)], 5),
    (3, &[(Use::Move, 2), (Use::Attack, 2)], 4),
    (4, &[(Use::Move, 2), (Use::Defense, 0)], 4),
    (5, &[(Use::Attack, 2), (Use::Defense, 0)], 2),
    (6, &[(Use::Flight, 0), (Use::Defense, 0)], 2),
    (7, &[(Use::Flight, 0), (Use::Fire, 1)], 3),
    (8, &[(Use::Move, 1), (Use::Fire, 2)], 3),
    (9, &[(Use::Flight, 0)], 2),
    (10, &[(Use::Defense, 0)], 3),
    (11, &[(Use::Fire, 2)], 3),
    (12, &[(Use::Attack, 3)], 2),
];

/// The dwarves' deck (A.5, same source as A.4).
pub(super) const DWARF_DECK: &[Row] = &[
    (1, &[(Use::OneMove, 2), (Use::OneAttack, 1)], 4),
    (2, &[(Use::OneMove, 1), (Use::OneAttack, 2)], 5),
    (3, &[(Use::TwoMove, 1), (Use::OneAttack, 1)], 3),
    (4, &[(Use::TwoMove, 1), (Use::TwoAttack, 1)], 5),
    (5, &[(Use::OneMove, 2), (Use::Crossbow, 2)], 3),
    (6, &[(Use::Crossbow, 1), (Use::Defense, 0)], 3),
    (7, &[(Use::OneMove, 2), (Use::Defense, 0)], 3),
    (8, &[(Use::OneAttack, 1), (Use::Defense, 0)], 4),
    (9, &[(Use::TwoMove, 1), (Use::Net, 0)], 2),
    (10, &[(Use::Net, 0)], 1),
    (11, &[(Use::Defense, 0)], 2),
    (12, &[(Use::OneAttack, 2), (Use::Defense, 0)], 3),
];

/// The values that an option may show: least and most, or none (A.4, A.5).
fn values(side: Side, option: Use) -> Option<Option<(u8, u8)>> {
    Some(match (side, option) {
        (Side::Dragon, Use::Move | Use::Fire) => Some((1, 2)),
        (Side::Dragon, Use::Attack) => Some((1, 3)),
        (Side::Dragon, Use::Flight | Use::Defense) => None,
        (Side::Dwarves, Use::OneMove | Use::OneAttack | Use::Crossbow) => Some((1, 2)),
        (Side::Dwarves, Use::TwoMove | Use::TwoAttack) => Some((1, 1)),
        (Side::Dwarves, Use::Net | Use::Defense) => None,
        _ => return None,
    })
}

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
    #[serde(deserialize_with = "crate::wire::present")]
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
    #[serde(deserialize_with = "crate::wire::present")]
    #[cfg_attr(feature = "schema", schema(nullable = false, min_items = 1, max_items = 38))]
    pub dragon: Option<Vec<CardKind>>,
    /// The dwarves' 38 cards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(deserialize_with = "crate::wire::present")]
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
    #[serde(deserialize_with = "crate::wire::present")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub fury: Option<FigureData>,
    /// Morin.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(deserialize_with = "crate::wire::present")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub archery: Option<FigureData>,
    /// Urpen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(deserialize_with = "crate::wire::present")]
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
    #[serde(deserialize_with = "crate::wire::present")]
    #[cfg_attr(feature = "schema", schema(nullable = false, minimum = 1, maximum = 30))]
    pub armour: Option<u8>,
    /// Spaces of flight.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(deserialize_with = "crate::wire::present")]
    #[cfg_attr(feature = "schema", schema(nullable = false, minimum = 1, maximum = 30))]
    pub flight: Option<u8>,
    /// Spaces of movement.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(deserialize_with = "crate::wire::present")]
    #[cfg_attr(feature = "schema", schema(nullable = false, minimum = 1, maximum = 30))]
    pub movement: Option<u8>,
    /// Spaces of fire breathing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(deserialize_with = "crate::wire::present")]
    #[cfg_attr(feature = "schema", schema(nullable = false, minimum = 1, maximum = 30))]
    pub fire: Option<u8>,
}

/// A deck worked out for play: rows in canonical order.
#[derive(Clone, Debug)]
pub(super) struct Deck {
    /// The kinds' ids, as tapes name them.
    pub(super) names: Vec<String>,
    /// The kinds, row by row.
    pub(super) kinds: Vec<Kind>,
    /// Copies of each row.
    pub(super) counts: [u8; DECK],
    /// The options of each row, as many as `options_of` says.
    options: [[(Use, u8); 2]; DECK],
    /// Number of options of each row.
    options_of: [u8; DECK],
    /// The row of each kind's number, or `NO_ROW`.
    rows: [u8; 100],
}

const NO_ROW: u8 = u8::MAX;

impl Deck {
    /// Number of rows.
    pub(super) fn len(&self) -> usize {
        self.kinds.len()
    }

    /// The row of a kind, if it is one of this deck's.
    pub(super) fn row(&self, side: Side, kind: Kind) -> Option<usize> {
        let row = *self.rows.get(usize::from(kind.number()))?;
        (kind.side() == side && row != NO_ROW).then_some(usize::from(row))
    }

    /// The printed value of an option on the cards of a row; 0 for symbols without value.
    pub(super) fn value(&self, row: usize, option: Use) -> Option<u8> {
        self.shown(row).iter().find(|&&(shown, _)| shown == option).map(|&(_, value)| value)
    }

    /// The options of a row.
    pub(super) fn shown(&self, row: usize) -> &[(Use, u8)] {
        &self.options[row][..usize::from(self.options_of[row]).min(2)]
    }

    /// Works out the document's deck.
    pub(super) fn printed(side: Side) -> Deck {
        let rows = match side {
            Side::Dragon => DRAGON_DECK,
            Side::Dwarves => DWARF_DECK,
        };
        let mut deck = Deck::empty();
        for &(number, options, count) in rows {
            deck.add(Kind::new(side, number), options, count);
        }
        deck
    }

    /// Works out a corrected deck, or says what is wrong with it.
    pub(super) fn corrected(side: Side, kinds: &[CardKind]) -> Result<Deck, Refusal<Rule>> {
        let name = side.name();
        let refuse = |pointer: String, message: String| {
            Err(Refusal::new(Rule::C2_1, "bad_deck", message).at(format!("/decks/{name}{pointer}")))
        };
        let mut deck = Deck::empty();
        let mut total = 0;
        for (at, card) in kinds.iter().enumerate() {
            if card.kind.side() != side {
                let message = format!("{} is no card of the {name}", card.kind);
                return refuse(format!("/{at}/kind"), message);
            }
            if deck.row(side, card.kind).is_some() {
                return refuse(format!("/{at}/kind"), format!("{} is listed twice", card.kind));
            }
            if card.options.is_empty() || card.options.len() > 2 {
                let message = format!(
                    "{} has {} options; cards have one or two",
                    card.kind,
                    card.options.len()
                );
                return refuse(format!("/{at}/options"), message);
            }
            let mut options = Vec::with_capacity(2);
            for (place, option) in card.options.iter().enumerate() {
                let pointer = format!("/{at}/options/{place}");
                let Some(range) = values(side, option.option) else {
                    let message =
                        format!("{} is no option of the {name}'s cards", option.option.name());
                    return refuse(pointer, message);
                };
                let fits = match (range, option.value) {
                    (None, None) => true,
                    (Some((least, most)), Some(value)) => least <= value && value <= most,
                    _ => false,
                };
                if !fits {
                    let expected = match range {
                        None => "no value".to_owned(),
                        Some((least, most)) if least == most => format!("the value {least}"),
                        Some((least, most)) => format!("a value from {least} to {most}"),
                    };
                    let message =
                        format!("{} has {expected} on the {name}'s cards", option.option.name());
                    return refuse(format!("{pointer}/value"), message);
                }
                if options.iter().any(|&(shown, _)| shown == option.option) {
                    return refuse(pointer, format!("{} shows an option twice", card.kind));
                }
                options.push((option.option, option.value.unwrap_or(0)));
            }
            total += u32::from(card.count);
            if card.count == 0 || deck.len() == DECK || total > DECK as u32 {
                let message = format!("a deck holds {DECK} cards, and every kind at least one");
                return refuse(format!("/{at}/count"), message);
            }
            deck.add(card.kind, &options, card.count);
        }
        if total != DECK as u32 {
            return refuse(
                String::new(),
                format!("the deck has {total} cards; {DECK} are expected"),
            );
        }
        Ok(deck)
    }

    fn empty() -> Deck {
        Deck {
            names: Vec::new(),
            kinds: Vec::new(),
            counts: [0; DECK],
            options: [[(Use::None, 0); 2]; DECK],
            options_of: [0; DECK],
            rows: [NO_ROW; 100],
        }
    }

    fn add(&mut self, kind: Kind, options: &[(Use, u8)], count: u8) {
        let row = self.kinds.len();
        self.names.push(kind.to_string());
        self.kinds.push(kind);
        self.counts[row] = count;
        for (slot, &option) in self.options[row].iter_mut().zip(options) {
            *slot = option;
        }
        self.options_of[row] = options.len() as u8;
        self.rows[usize::from(kind.number())] = row as u8;
    }

    fn listed(&self, source: &'static str) -> Vec<SourcedCard> {
        (0..self.len())
            .map(|row| SourcedCard {
                kind: self.kinds[row],
                options: self
                    .shown(row)
                    .iter()
                    .map(|&(option, value)| CardOption {
                        option,
                        value: (value > 0).then_some(value),
                    })
                    .collect(),
                count: self.counts[row],
                source,
            })
            .collect()
    }
}

/// The data behind the rules, each with its source.
#[derive(Debug, Serialize)]
pub struct Components {
    board: Board,
    figures: Vec<SourcedFigure>,
    dragon_tracks: Vec<SourcedTrack>,
    decks: SourcedDecks,
    constants: Vec<Constant>,
    markers: Vec<Constant>,
}

#[derive(Debug, Serialize)]
struct Board {
    hexes: Vec<Hex>,
    directions: [Hex; 6],
    source: &'static str,
}

#[derive(Debug, Serialize)]
struct SourcedFigure {
    id: &'static str,
    name: &'static str,
    start: Hex,
    #[serde(skip_serializing_if = "Option::is_none")]
    spaces: Option<u8>,
    source: &'static str,
}

#[derive(Debug, Serialize)]
struct SourcedTrack {
    id: &'static str,
    spaces: u8,
    source: &'static str,
}

#[derive(Debug, Serialize)]
struct SourcedDecks {
    dragon: Vec<SourcedCard>,
    dwarves: Vec<SourcedCard>,
}

#[derive(Debug, Serialize)]
struct SourcedCard {
    kind: Kind,
    options: Vec<CardOption>,
    count: u8,
    source: &'static str,
}

#[derive(Debug, Serialize)]
struct Constant {
    id: &'static str,
    value: u8,
    source: &'static str,
}

const RECORD: &str = "the record's own data";

impl Components {
    pub(super) fn of(setup: &super::setup::Setup) -> Components {
        let options = setup.options();
        let figures = options.figures.unwrap_or_default();
        let given = [figures.fury, figures.archery, figures.net];
        let tracks = options.tracks.unwrap_or_default();
        let decks = options.decks.clone().unwrap_or_default();
        let or = |given: bool, printed: &'static str| if given { RECORD } else { printed };
        let cards = "number and symbols: rulebook; kinds, pairings and counts: reconstruction";
        let mut all = vec![SourcedFigure {
            id: "dragon",
            name: "Dragon",
            start: CENTRE,
            spaces: None,
            source: "rulebook §Preparation",
        }];
        let names = ["Brald", "Morin", "Urpen"];
        for dwarf in Dwarf::ALL {
            let at = dwarf.index();
            all.push(SourcedFigure {
                id: dwarf.name(),
                name: names[at],
                start: setup.starts[at],
                spaces: Some(setup.spaces[at]),
                source: or(
                    given[at].is_some(),
                    "name: rulebook story, S3; hex and spaces: reconstruction",
                ),
            });
        }
        let printed = [tracks.armour, tracks.flight, tracks.movement, tracks.fire];
        let dragon_tracks = (ARMOUR..TRACKS)
            .map(|track| SourcedTrack {
                id: TRACK_NAMES[track],
                spaces: setup.spaces[track],
                source: or(
                    printed[track - ARMOUR].is_some(),
                    if track == ARMOUR {
                        "rulebook §Attack, §Dragon mat"
                    } else {
                        "reconstruction"
                    },
                ),
            })
            .collect();
        let constant = |id, value, source| Constant { id, value, source };
        Components {
            board: Board {
                hexes: super::board::HEXES.to_vec(),
                directions: super::board::DIRECTIONS,
                source: "count and shape: S2, S3, S4; coordinates: ours",
            },
            figures: all,
            dragon_tracks,
            decks: SourcedDecks {
                dragon: setup.decks[0].listed(or(decks.dragon.is_some(), cards)),
                dwarves: setup.decks[1].listed(or(decks.dwarves.is_some(), cards)),
            },
            constants: vec![
                constant("starting_hand", STARTING_HAND, "rulebook §Preparation"),
                constant("hand_limit", HAND_LIMIT as u8, "rulebook §Drawing"),
                constant("cards_per_draw", CARDS_PER_DRAW, "rulebook §Drawing"),
                constant("actions_turn_1", FIRST_TURN_ACTIONS, "rulebook §Sequence"),
                constant("actions_later", TURN_ACTIONS, "rulebook §Sequence"),
                constant("actions_fury_turn", TURN_ACTIONS + 1, "rulebook §Dwarf mat"),
                constant("actions_to_leave_the_net", ESCAPE_ACTIONS, "rulebook §Dwarf cards"),
            ],
            markers: vec![
                constant("fury", 1, "rulebook §Components"),
                constant("net", 1, "rulebook §Components"),
                constant("wounds", 25, "rulebook §Components"),
            ],
        }
    }
}
