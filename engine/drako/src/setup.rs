//! The options of a record, checked, and what follows from them before the game starts (part C.4).
//!
//! Must not hold anything that changes during a game.

mod data;
mod deck;

pub(super) use data::{CardOption, Decks, Figures, Tracks};
pub(super) use deck::{Cards, Deck, total};

use serde::{Deserialize, Serialize};

use super::action::{Dwarves, Side, TRACKS, Track};
use super::rulebook::{Rule, Rulings};
use super::tables::board::{Spot, Spots};
use super::tables::{MOST_SPACES, SPACES, STARTS};
use super::{Checked, Refusal};
use umpire_core::board::hex::Hex;
use umpire_core::rules::Picks;
use umpire_core::wire::present;

umpire_core::names! {
    /// How the dwarves come onto the board.
    #[derive(Default)]
    drako.Placement as pub enum Placement {
        /// On their start hexes (DRK-2.4).
        #[default]
        Fixed = "fixed",
        /// Where their player puts them (DRK-2.5).
        Free = "free",
    }
}

/// The options of a record. What is left out has its default.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = drako::Options))]
#[serde(deny_unknown_fields, default, expecting = "an object")]
pub struct Options {
    /// How the dwarves come onto the board.
    #[cfg_attr(feature = "schema", schema(required = false))]
    pub placement: Placement,
    /// Whether each side may exchange its hand once (DRK-2.6).
    #[cfg_attr(feature = "schema", schema(required = false))]
    pub advanced_mulligan: bool,
    /// The readings of the selectable rulings.
    #[cfg_attr(feature = "schema", schema(value_type = Rulings, inline, required = false))]
    pub rulings: Picks<Rulings>,
    /// Corrected decks.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[serde(deserialize_with = "present")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub decks: Option<Decks>,
    /// Corrected data of the dwarves.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[serde(deserialize_with = "present")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub figures: Option<Figures>,
    /// Corrected wound spaces of the dragon.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[serde(deserialize_with = "present")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub tracks: Option<Tracks>,
}

/// Options worked out: what never changes during a game.
#[derive(Debug)]
pub struct Setup {
    options: Options,
    /// The readings in force.
    pub(super) rulings: Rulings,
    /// How the dwarves come onto the board.
    pub(super) placement: Placement,
    /// Whether hands may be exchanged.
    pub(super) mulligan: bool,
    /// Start hexes of `fury`, `archery`, `net`.
    pub(super) starts: [Spot; 3],
    decks: [Deck; 2],
    spaces: [u8; TRACKS],
}

impl Setup {
    /// Checks the options and works them out; data that break part A are refused.
    pub(super) fn new(options: Options) -> Checked<Setup> {
        let given = options.decks.clone().unwrap_or_default();
        let deck = |side, kinds: Option<Vec<_>>| match kinds {
            Some(kinds) => Deck::corrected(side, &kinds),
            None => Ok(Deck::printed(side)),
        };
        let decks = [deck(Side::Dragon, given.dragon)?, deck(Side::Dwarves, given.dwarves)?];
        let (mut spaces, mut starts) = (SPACES, STARTS);
        let figures = options.figures.unwrap_or_default();
        for (at, data) in [figures.fury, figures.archery, figures.net].into_iter().enumerate() {
            if let Some(data) = data {
                (spaces[at], starts[at]) = (data.spaces, data.start);
            }
        }
        let tracks = options.tracks.unwrap_or_default();
        let given = [tracks.armour, tracks.flight, tracks.movement, tracks.fire];
        for (track, given) in Track::DRAGON.into_iter().zip(given) {
            spaces[track.index()] = given.unwrap_or(spaces[track.index()]);
        }
        check_spaces(&spaces)?;
        let starts = check_starts(&starts)?;
        let rulings = options.rulings.readings();
        let options = Options { rulings: options.rulings.spelled_out(&rulings), ..options };
        Ok(Setup {
            rulings,
            placement: options.placement,
            mulligan: options.advanced_mulligan,
            starts,
            decks,
            spaces,
            options,
        })
    }

    /// The options in force.
    pub(super) fn options(&self) -> &Options {
        &self.options
    }

    /// The deck of a side.
    pub(super) fn deck(&self, side: Side) -> &Deck {
        &self.decks[side.index()]
    }

    /// The wound spaces of a track.
    pub(super) fn spaces(&self, track: Track) -> u8 {
        self.spaces[track.index()]
    }
}

/// End of A.5, DRK-1.4: no figure has 0 spaces (a dragon's track without spaces would be lost from
/// the start).
fn check_spaces(spaces: &[u8; TRACKS]) -> Checked {
    for (&track, &space) in Track::ALL.iter().zip(spaces) {
        if space == 0 || space > MOST_SPACES {
            let pointer = match track {
                Track::Fury | Track::Archery | Track::Net => format!("/figures/{track}/spaces"),
                _ => format!("/tracks/{track}"),
            };
            let message =
                format!("{track} has {space} wound spaces; 1 to {MOST_SPACES} are expected");
            return Err(Refusal::new(Rule::C1_4, "bad_spaces", message).at(pointer));
        }
    }
    Ok(())
}

/// End of A.5, DRK-1.2, 1.5, 2.5: start hexes are on the board, distinct, and not next to the
/// centre.
fn check_starts(starts: &[Hex; 3]) -> Checked<[Spot; 3]> {
    let mut spots = [Spot::CENTRE; 3];
    let free = free_starts(Spot::CENTRE);
    for dwarf in Dwarves::ALL.iter() {
        let (name, hex) = (dwarf.name(), starts[dwarf.index()]);
        let pointer = format!("/figures/{name}/start");
        let Some(spot) = Spot::find(hex) else {
            let message = format!("{name} cannot start on {hex}, which is not a hex of the board");
            return Err(Refusal::new(Rule::C1_2, "bad_start", message).at(pointer));
        };
        if !free.contains(spot) {
            let message = format!("{name} cannot start on {hex}, next to the centre");
            return Err(Refusal::new(Rule::C2_5, "bad_start", message).at(pointer));
        }
        if spots[..dwarf.index()].contains(&spot) {
            let message = format!("{name} cannot start on {hex}, where another dwarf starts");
            return Err(Refusal::new(Rule::C1_5, "bad_start", message).at(pointer));
        }
        spots[dwarf.index()] = spot;
    }
    Ok(spots)
}

/// DRK-2.5 The hexes on which a dwarf may start: all but the dragon's and those next to it.
pub(super) fn free_starts(dragon: Spot) -> Spots {
    Spots::ALL.without(dragon).minus(dragon.neighbours())
}
