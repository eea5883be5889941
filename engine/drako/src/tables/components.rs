//! The data behind the rules as a front end gets them, each with its source.
//!
//! Must not decide anything: it lists what the setup holds.

use serde::Serialize;

use super::board::{DIRECTIONS, HEXES, Spot};
use super::{
    CARDS_PER_DRAW, ESCAPE_ACTIONS, FIRST_TURN_ACTIONS, HAND_LIMIT, STARTING_HAND, TURN_ACTIONS,
};
use crate::action::{Dwarves, Figure, Kind, Side, Track};
use crate::setup::{CardOption, Deck, Setup};
use umpire_core::board::hex::Hex;
use umpire_core::game::Sheet;

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

/// The tables of the rules, and where each stands in the data.
pub(crate) const OF_THE_RULES: [Sheet; 7] = [
    Sheet::whole("A.1", "Board", "/board"),
    Sheet::whole("A.2", "Figures, where they start, their wound spaces", "/figures"),
    Sheet::whole("A.2", "Tracks of the dragon", "/dragon_tracks"),
    Sheet::whole("A.3", "Markers", "/markers"),
    Sheet::whole("A.4", "Deck of the dragon", "/decks/dragon"),
    Sheet::whole("A.5", "Deck of the dwarves", "/decks/dwarves"),
    Sheet::whole("A.6", "Constants", "/constants"),
];

impl Components {
    /// What a setup plays with: the document's data, or the record's own.
    pub(crate) fn of(setup: &Setup) -> Components {
        let decks = setup.options().decks.clone().unwrap_or_default();
        let cards = "number and symbols: rulebook; kinds, pairings and counts: reconstruction";
        Components {
            board: Board {
                hexes: HEXES.to_vec(),
                directions: DIRECTIONS,
                source: "count and shape: S2, S3, S4; coordinates: ours",
            },
            figures: figures(setup),
            dragon_tracks: dragon_tracks(setup),
            decks: SourcedDecks {
                dragon: listed(setup.deck(Side::Dragon), or(decks.dragon.is_some(), cards)),
                dwarves: listed(setup.deck(Side::Dwarves), or(decks.dwarves.is_some(), cards)),
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

/// The source of a datum that a record may give itself.
fn or(given: bool, printed: &'static str) -> &'static str {
    if given { "the record's own data" } else { printed }
}

fn constant(id: &'static str, value: u8, source: &'static str) -> Constant {
    Constant { id, value, source }
}

fn figures(setup: &Setup) -> Vec<SourcedFigure> {
    const NAMES: [&str; 3] = ["Brald", "Morin", "Urpen"];
    let figures = setup.options().figures.unwrap_or_default();
    let given = [figures.fury, figures.archery, figures.net];
    let mut all = vec![SourcedFigure {
        id: Figure::Dragon.name(),
        name: "Dragon",
        start: Spot::CENTRE.hex(),
        spaces: None,
        source: "rulebook §Preparation",
    }];
    all.extend(Dwarves::ALL.iter().map(|dwarf| SourcedFigure {
        id: dwarf.name(),
        name: NAMES[dwarf.index()],
        start: setup.starts[dwarf.index()].hex(),
        spaces: Some(setup.spaces(dwarf.into())),
        source: or(
            given[dwarf.index()].is_some(),
            "name: rulebook story, S3; hex and spaces: reconstruction",
        ),
    }));
    all
}

fn dragon_tracks(setup: &Setup) -> Vec<SourcedTrack> {
    let tracks = setup.options().tracks.unwrap_or_default();
    let given = [tracks.armour, tracks.flight, tracks.movement, tracks.fire];
    let sourced = |(track, given): (Track, Option<u8>)| {
        let printed = match track {
            Track::Armour => "rulebook §Attack, §Dragon mat",
            _ => "reconstruction",
        };
        let source = or(given.is_some(), printed);
        SourcedTrack { id: track.name(), spaces: setup.spaces(track), source }
    };
    Track::DRAGON.into_iter().zip(given).map(sourced).collect()
}

fn listed(deck: &Deck, source: &'static str) -> Vec<SourcedCard> {
    let options = |row| {
        let shown = deck.options(row).iter();
        shown
            .map(|&(option, value)| CardOption { option, value: (value > 0).then_some(value) })
            .collect()
    };
    (0..deck.len())
        .map(|row| SourcedCard {
            kind: deck.kinds[row],
            options: options(row),
            count: deck.counts[row],
            source,
        })
        .collect()
}
