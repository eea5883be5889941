//! The options of a record and what follows from them before the game starts (part C.4).
//!
//! Must not hold anything that changes during a game.

use serde::{Deserialize, Serialize};

use super::action::{Dwarf, Side};
use super::board::Place;
use super::rulebook::Rule;
use super::tables::{self, Deck, Decks, Figures, TRACKS, Tracks};
use crate::board::hex::Hex;
use crate::rules::{Picks, Refusal, RulingSet};

crate::rulings! {
    /// The readings of the selectable rulings.
    pub struct Rulings {
        /// DRK-R1: when the dwarves are out of time.
        out_of_time / "DRK-R1": OutOfTime { LastCard = "last_card", DeckEmpty = "deck_empty" },
        /// DRK-R3: whether a card may be played for nothing.
        idle_play / "DRK-R3": IdlePlay { ForcedOnly = "forced_only", Free = "free" },
        /// DRK-R5: whether dwarves pass over dwarves.
        pass_through / "DRK-R5": PassThrough { None = "none", Friends = "friends" },
        /// DRK-R6: whether fire may be breathed along an empty ray.
        empty_fire / "DRK-R6": EmptyFire { Allow = "allow", Forbid = "forbid" },
        /// DRK-R9: whether the net outlives its thrower.
        net_of_the_dead / "DRK-R9": NetOfTheDead { Stays = "stays", Released = "released" },
        /// DRK-R11: when Fury is declared.
        fury_moment / "DRK-R11": FuryMoment { Any = "any", TurnStart = "turn_start" },
        /// DRK-R12: whether Fury may kill.
        lethal_fury / "DRK-R12": LethalFury { Allow = "allow", Forbid = "forbid" },
        /// DRK-R14: when the hand limit is applied.
        hand_limit / "DRK-R14": HandLimit { AfterDraw = "after_draw", TurnEnd = "turn_end" },
        /// DRK-R16: whether hands are exchanged before placement.
        exchange_order / "DRK-R16": ExchangeOrder { BeforePlacement = "before_placement", AfterPlacement = "after_placement" },
        /// DRK-R17: whether cards discarded to the limit are shown.
        limit_discards / "DRK-R17": LimitDiscards { Public = "public", Hidden = "hidden" },
        /// DRK-R18: whether the crossbow may be shot at the neighbouring dragon.
        near_shot / "DRK-R18": NearShot { Allow = "allow", Forbid = "forbid" },
    }
}

/// How the dwarves come onto the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = drako::Placement))]
#[serde(rename_all = "snake_case")]
pub enum Placement {
    /// On their start hexes (DRK-2.4).
    #[default]
    Fixed,
    /// Where their player puts them (DRK-2.5).
    Free,
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
    #[serde(deserialize_with = "crate::wire::present")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub decks: Option<Decks>,
    /// Corrected data of the dwarves.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[serde(deserialize_with = "crate::wire::present")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub figures: Option<Figures>,
    /// Corrected wound spaces of the dragon.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[serde(deserialize_with = "crate::wire::present")]
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
    /// The decks, by side.
    pub(super) decks: [Deck; 2],
    /// Wound spaces by track.
    pub(super) spaces: [u8; TRACKS],
    /// Start hexes of the dwarves.
    pub(super) starts: [Hex; 3],
    /// The same as places.
    pub(super) start_places: [Place; 3],
    /// The centre, where the dragon starts.
    pub(super) centre: Place,
}

impl Setup {
    /// Checks the options and works them out; data that break part A are refused.
    pub(super) fn new(options: Options) -> Result<Setup, Refusal<Rule>> {
        let given = options.decks.clone().unwrap_or_default();
        let deck = |side, kinds: Option<Vec<_>>| match kinds {
            Some(kinds) => Deck::corrected(side, &kinds),
            None => Ok(Deck::printed(side)),
        };
        let decks = [deck(Side::Dragon, given.dragon)?, deck(Side::Dwarves, given.dwarves)?];
        let mut spaces = tables::SPACES;
        let mut starts = tables::STARTS;
        let figures = options.figures.unwrap_or_default();
        for (at, data) in [figures.fury, figures.archery, figures.net].into_iter().enumerate() {
            if let Some(data) = data {
                (spaces[at], starts[at]) = (data.spaces, data.start);
            }
        }
        let tracks = options.tracks.unwrap_or_default();
        let given = [tracks.armour, tracks.flight, tracks.movement, tracks.fire];
        for (space, given) in spaces[tables::ARMOUR..].iter_mut().zip(given) {
            *space = given.unwrap_or(*space);
        }
        check_spaces(&spaces)?;
        let centre = CENTRE;
        let start_places = check_starts(&starts, centre)?;
        let rulings = Rulings::default().picked(&options.rulings);
        let options = Options { rulings: Picks::all(&rulings), ..options };
        Ok(Setup {
            rulings,
            placement: options.placement,
            mulligan: options.advanced_mulligan,
            decks,
            spaces,
            starts,
            start_places,
            centre,
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
}

const CENTRE: Place = match Place::of(tables::CENTRE) {
    Some(place) => place,
    None => panic!("the centre is on the board"),
};

/// No figure has 0 spaces (end of A.5; a dragon's track without spaces would be lost from the
/// start).
fn check_spaces(spaces: &[u8; TRACKS]) -> Result<(), Refusal<Rule>> {
    for (track, &space) in spaces.iter().enumerate() {
        if space == 0 || space > tables::MOST_SPACES {
            let name = tables::TRACK_NAMES[track];
            let pointer = match Dwarf::ALL.get(track) {
                Some(dwarf) => format!("/figures/{}/spaces", dwarf.name()),
                None => format!("/tracks/{name}"),
            };
            let most = tables::MOST_SPACES;
            let message = format!("{name} has {space} wound spaces; 1 to {most} are expected");
            return Err(Refusal::new(Rule::C1_4, "bad_spaces", message).at(pointer));
        }
    }
    Ok(())
}

/// Start hexes are on the board, distinct, and not next to the centre (end of A.5).
fn check_starts(starts: &[Hex; 3], centre: Place) -> Result<[Place; 3], Refusal<Rule>> {
    let mut places = [centre; 3];
    for (at, &hex) in starts.iter().enumerate() {
        let name = Dwarf::ALL[at].name();
        let refuse = |rule, message: String| {
            let pointer = format!("/figures/{name}/start");
            Err(Refusal::new(rule, "bad_start", message).at(pointer))
        };
        let Some(place) = Place::find(hex) else {
            return refuse(
                Rule::C1_2,
                format!("{name} cannot start on {hex}, which is no hex of the board"),
            );
        };
        if place.distance(centre) < 2 {
            return refuse(Rule::C2_5, format!("{name} cannot start on {hex}, next to the centre"));
        }
        if places[..at].contains(&place) {
            return refuse(
                Rule::C1_5,
                format!("{name} cannot start on {hex}, where another dwarf starts"),
            );
        }
        places[at] = place;
    }
    Ok(places)
}
