//! Options worked out: everything fixed for one record, and questions about it.
//!
//! Must not check anything, nor hold anything that changes during a game.

use std::sync::Arc;

use super::data::{AreaData, AreaKind, CardData, UnitData, UnitKind};
use super::decks::Deck;
use super::ids::{Area, Areas, PIRATE_UNITS, Unit, Units};
use super::options::{Edition, Options};
use crate::action::Side;
use crate::rulebook::{DeployedIn, Landing, Rulings, StartCase};
use crate::tables::{AREAS, Constants, UNITS};
use umpire_core::wire::{Name, NameTable};

/// Everything fixed for one record.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The printed rulebook in force.
    pub(crate) edition: Edition,
    /// The readings in force.
    pub(crate) rulings: Rulings,
    /// The options as given.
    pub(crate) given: Options,
    /// The map, for components.
    pub(crate) map: Arc<[AreaData]>,
    /// The units, for components.
    pub(crate) counters: Arc<[UnitData]>,
    /// The cards, for components.
    pub(crate) cards: Arc<[CardData]>,
    /// The constants.
    pub(crate) constants: Constants,
    /// The value of each case.
    pub(crate) track: Arc<[u8]>,

    /// Ids of the areas.
    pub(super) area_ids: [Name; AREAS],
    pub(super) area_of: NameTable,
    /// All areas.
    pub(crate) areas: Areas,
    /// Towns.
    pub(crate) towns: Areas,
    /// Countryside.
    pub(crate) countryside: Areas,
    /// Hills.
    pub(crate) hills: Areas,
    /// Areas by the sea.
    pub(crate) coast: Areas,
    /// The named landing places (DRG-R6).
    pub(super) landings: Areas,
    /// Areas inside the gates (DRG-R50).
    pub(super) borough: Areas,
    /// Areas that each touches on the printed map (DRG-R36).
    pub(super) touches: [Areas; AREAS],
    /// Linked areas by road or trail.
    pub(crate) links: [Areas; AREAS],
    /// Linked areas by road.
    pub(super) roads: [Areas; AREAS],
    /// Linked areas by price (DRG-5.2): those at the price of a road, at that of a trail, hills.
    pub(crate) steps: [[Areas; 3]; AREAS],
    /// Areas by distance: `rings[a][d]` are those at `d` links from `a`.
    pub(crate) rings: Arc<[[Areas; AREAS]; AREAS]>,
    /// How many links each area is from the nearest hill.
    pub(crate) to_hills: [u8; AREAS],

    /// Ids of the units.
    pub(super) unit_ids: [Name; UNITS],
    pub(super) unit_of: NameTable,
    /// Kinds of the units.
    pub(crate) kinds: [UnitKind; UNITS],
    /// Values of the units, 0 for the Arquebusier.
    pub(crate) values: [u8; UNITS],
    /// Bartolomeo's lesser value.
    pub(crate) lesser: u8,
    /// All units, in alphabetical order of their ids.
    pub(crate) by_id: Arc<[Unit]>,
    /// All units.
    pub(crate) all: Units,
    /// The Rapalline units.
    pub(crate) rapalline: Units,
    /// The Arquebusiers.
    pub(crate) arquebusiers: Units,
    /// Bartolomeo.
    pub(crate) bartolomeo: Unit,
    /// Giulia.
    pub(crate) giulia: Unit,
    /// The Soldier in reserve.
    pub(crate) reserve: Unit,

    /// The decks.
    pub(crate) decks: Arc<[Deck; 2]>,
    pub(super) card_of: [NameTable; 2],
}

impl Setup {
    /// The options in force: edition and every reading, and the data that a record corrects.
    pub(crate) fn options(&self) -> Options {
        let rulings = self.given.rulings.spelled_out(&self.rulings);
        Options { rulings, ..self.given.clone() }
    }

    /// DRG-2.2 The case on which the alarm counter starts, read as DRG-R49 says; none if the track has no
    /// such case.
    pub(crate) fn start_case(&self) -> Option<u8> {
        match self.rulings.start_case {
            StartCase::FirstCase => Some(1),
            StartCase::FirstTwo => {
                self.track.iter().position(|&points| points == 2).map(|at| at as u8 + 1)
            }
        }
    }

    /// DRG-2.4 The areas in which units are deployed, read as DRG-R50 says.
    pub(crate) fn deployment_areas(&self) -> Areas {
        match self.rulings.deployed_in {
            DeployedIn::Town => self.towns,
            DeployedIn::Borough => self.towns.and(self.borough),
        }
    }

    /// DRG-5.7 The areas where pirates may land, read as DRG-R6 says.
    pub(crate) fn landing_areas(&self) -> Areas {
        let open = match self.rulings.landing {
            Landing::ByTheSea => self.coast,
            Landing::ThreeNamed => self.landings,
        };
        open.minus(self.hills)
    }

    /// DRG-R36 The areas that touch some of these on the printed map.
    pub(crate) fn touching(&self, areas: Areas) -> Areas {
        areas.iter().fold(Areas::NONE, |all, area| all.or(self.touches[area.index()]))
    }

    /// The area of that id.
    pub(crate) fn area(&self, id: &Name) -> Option<Area> {
        self.area_of.get(id).map(Area)
    }

    /// The unit of that id.
    pub(crate) fn unit(&self, id: &Name) -> Option<Unit> {
        self.unit_of.get(id).map(Unit)
    }

    /// The row of a card in a side's deck.
    pub(crate) fn card(&self, side: Side, id: &Name) -> Option<u8> {
        self.card_of[side.index()].get(id)
    }

    /// The id of an area.
    pub(crate) fn area_id(&self, area: Area) -> Name {
        self.area_ids[area.index()]
    }

    /// The id of a unit.
    pub(crate) fn unit_id(&self, unit: Unit) -> Name {
        self.unit_ids[unit.index()]
    }

    /// The name of an area for people; its id in words where the record's map gives none.
    pub(crate) fn area_title(&self, area: Area) -> String {
        let data = self.map.get(area.index());
        data.and_then(|data| data.name.clone())
            .unwrap_or_else(|| self.area_id(area).as_str().replace('_', " "))
    }

    /// The name of a unit for people; its id in words where the record's counters give none.
    pub(crate) fn unit_title(&self, unit: Unit) -> String {
        let data = self.counters.get(unit.index());
        data.and_then(|data| data.name.clone())
            .unwrap_or_else(|| self.unit_id(unit).as_str().replace('_', " "))
    }

    /// The name of a card for people.
    pub(crate) fn card_title(&self, side: Side, row: u8) -> &str {
        self.decks[side.index()].titles.get(usize::from(row)).map_or("?", String::as_str)
    }

    /// What an action calls a unit: by its title where it is named by its id, and by the token as it
    /// stands, which does not tell who it is.
    pub(crate) fn said_unit(&self, name: &Name) -> String {
        self.unit(name).map_or_else(|| name.to_string(), |unit| self.unit_title(unit))
    }

    /// Whether the line between two areas is a road.
    pub(crate) fn is_road(&self, from: Area, to: Area) -> bool {
        self.roads[from.index()].contains(to)
    }

    /// The kind of an area.
    pub(crate) fn kind(&self, area: Area) -> AreaKind {
        if self.hills.contains(area) {
            AreaKind::Hill
        } else if self.towns.contains(area) {
            AreaKind::Town
        } else {
            AreaKind::Countryside
        }
    }

    /// The side of a unit.
    pub(crate) fn side(&self, unit: Unit) -> Side {
        if PIRATE_UNITS.contains(unit) { Side::Pirates } else { Side::Rapalline }
    }

    /// The units of a side.
    pub(crate) fn units_of(&self, side: Side) -> Units {
        match side {
            Side::Pirates => PIRATE_UNITS,
            Side::Rapalline => self.rapalline,
        }
    }

    /// DRG-2.3 The units that the Rapalline player deploys.
    pub(crate) fn deployable(&self) -> Units {
        self.rapalline.without(self.reserve)
    }

    /// DRG-12.2 The token number of the Soldier in reserve, the last one.
    pub(crate) fn reserve_token(&self) -> u8 {
        self.deployable().len() as u8 + 1
    }

    /// The number of cases of the alarm track.
    pub(crate) fn cases(&self) -> u8 {
        self.track.len() as u8
    }

    /// The value of a case, the first being 1.
    pub(crate) fn points(&self, case: u8) -> u8 {
        self.track.get(usize::from(case).wrapping_sub(1)).copied().unwrap_or(0)
    }
}
