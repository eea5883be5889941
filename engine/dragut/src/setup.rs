//! The options of a record, checked and worked out: edition, readings, and corrected data.
//!
//! Corrected data replace a whole table (map, units, alarm track, cards) or single constants.
//! They may bring ids of their own: lower-case letters, digits and `_`, at most 24. They must
//! hold what the clauses take for granted: invariant 18 for the map, the arithmetic of A.1 for
//! the units; what does not hold is refused in plain words. Must not hold anything that changes
//! during a game.

mod cards;
mod data;
mod map;
mod numbers;
mod units;

pub(super) use cards::{Deck, Effect};
pub(super) use data::{AreaData, AreaKind, CardData, EffectData, Life, Start, UnitData, UnitKind};

use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Serialize};

use super::action::Side;
use super::ch01_terms::PLACES;
use super::rulebook::{Deployment, Draws, PiratePool, Rule, Rulings, Sharing};
use super::state::{Area, Areas, Unit, Units};
use super::tables::{self, AREAS, Constants, ConstantsData, UNITS};
use super::{Checked, Refusal};
use umpire_core::rules::{Picks, RulingSet};
use umpire_core::wire::{Name, NameTable, present};

umpire_core::names! {
    /// Which printed rulebook is in force.
    #[derive(Default)]
    dragut.Edition as pub enum Edition {
        /// The English one, the default.
        #[default]
        En = "en",
        /// The Italian one.
        It = "it",
    }
}

impl Edition {
    /// The readings of the edition: three rulings have another default in the Italian one.
    fn readings(self) -> Rulings {
        match self {
            Edition::En => Rulings::default(),
            Edition::It => Rulings {
                deployment: Deployment::Unlimited,
                draws: Draws::Mandatory,
                pirate_pool: PiratePool::Ignore,
                ..Rulings::default()
            },
        }
    }
}

/// Edition, readings, and corrected data. Data left out are those of the ruleset.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = dragut::Options))]
#[serde(deny_unknown_fields)]
pub struct Options {
    /// The printed rulebook in force; it decides the default of DRG-R1, DRG-R24 and DRG-R26.
    #[serde(default)]
    pub edition: Edition,
    /// The readings that differ from the default of the edition.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(value_type = Rulings, inline))]
    pub rulings: Picks<Rulings>,
    /// The whole map, corrected.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false, max_items = 32))]
    pub map: Option<Vec<AreaData>>,
    /// All units, corrected.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false, max_items = 24))]
    pub units: Option<Vec<UnitData>>,
    /// The Rapalline points of each case of the alarm track, corrected.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false, min_items = 1, max_items = 16))]
    pub alarm_track: Option<Vec<u8>>,
    /// The cards of both decks, corrected. Their order is the order of draws.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false, max_items = 24))]
    pub cards: Option<Vec<CardData>>,
    /// Corrected constants.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub constants: Option<ConstantsData>,
}

/// Everything fixed for one record.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The printed rulebook in force.
    pub(super) edition: Edition,
    /// The readings in force.
    pub(super) rulings: Rulings,
    /// The options as given.
    pub(super) given: Options,
    /// The map, for components.
    pub(super) map: Arc<[AreaData]>,
    /// The units, for components.
    pub(super) counters: Arc<[UnitData]>,
    /// The cards, for components.
    pub(super) cards: Arc<[CardData]>,
    /// The constants.
    pub(super) constants: Constants,
    /// The value of each case.
    pub(super) track: Arc<[u8]>,

    /// Ids of the areas.
    area_ids: [Name; AREAS],
    area_of: NameTable,
    /// All areas.
    pub(super) areas: Areas,
    /// Towns.
    pub(super) towns: Areas,
    /// Countryside.
    pub(super) countryside: Areas,
    /// Hills.
    pub(super) hills: Areas,
    /// Areas where pirates may land.
    pub(super) coast: Areas,
    /// Linked areas by road or trail.
    pub(super) links: [Areas; AREAS],
    /// Linked areas by road.
    roads: [Areas; AREAS],
    /// Linked areas by price (DRG-5.2): those at the price of a road, at that of a trail, hills.
    pub(super) steps: [[Areas; 3]; AREAS],
    /// Areas by distance: `rings[a][d]` are those at `d` links from `a`.
    pub(super) rings: Arc<[[Areas; AREAS]; AREAS]>,
    /// How many links each area is from the nearest hill.
    pub(super) to_hills: [u8; AREAS],

    /// Ids of the units.
    unit_ids: [Name; UNITS],
    unit_of: NameTable,
    /// Kinds of the units.
    pub(super) kinds: [UnitKind; UNITS],
    /// Values of the units, 0 for the Arquebusier.
    pub(super) values: [u8; UNITS],
    /// Bartolomeo's lesser value.
    pub(super) lesser: u8,
    /// All units, in alphabetical order of their ids.
    pub(super) by_id: Arc<[Unit]>,
    /// All units.
    pub(super) all: Units,
    /// The Rapalline units.
    pub(super) rapalline: Units,
    /// The Arquebusiers.
    pub(super) arquebusiers: Units,
    /// Bartolomeo.
    pub(super) bartolomeo: Unit,
    /// Giulia.
    pub(super) giulia: Unit,
    /// The Soldier in reserve.
    pub(super) reserve: Unit,

    /// The decks.
    pub(super) decks: Arc<[Deck; 2]>,
    card_of: [NameTable; 2],
}

/// Dragut, value 6.
pub(super) const DRAGUT_6: Unit = Unit(0);
/// Dragut's replacement, value 4.
pub(super) const DRAGUT_4: Unit = Unit(1);
/// A pirate of value 4.
pub(super) const PIRATE_4A: Unit = Unit(2);
/// Another.
pub(super) const PIRATE_4B: Unit = Unit(3);
/// The pirates' replacement, value 2.
pub(super) const PIRATE_2B: Unit = Unit(5);
/// The Renegade.
pub(super) const RENEGADE: Unit = Unit(6);
/// All pirate counters.
pub(super) const PIRATE_UNITS: Units = Units::from_bits(0b111_1111);
/// The pirates that start at sea.
pub(super) const FLEET: Units = Units::from_bits(0b101_1101);

/// The code of every refusal of data.
const CODE: &str = "data_refused";

impl Options {
    /// Lays another edition and other readings over these.
    pub(super) fn reread(&mut self, edition: Option<&str>, picks: &[(usize, usize)]) {
        if let Some(edition) = edition.and_then(Edition::parse) {
            self.edition = edition;
        }
        picks.iter().for_each(|&(ruling, value)| self.rulings.pick(ruling, value));
    }

    /// Whether all data are those of the ruleset.
    fn plain(&self) -> bool {
        let Options { edition: _, rulings: _, map, units, alarm_track, cards, constants } = self;
        map.is_none()
            && units.is_none()
            && alarm_track.is_none()
            && cards.is_none()
            && constants.is_none()
    }

    /// The readings in force.
    fn readings(&self) -> Rulings {
        let mut rulings = self.edition.readings().picked(&self.rulings);
        if rulings.sharing == Sharing::OnePerArea {
            // The reading implies the other one (DRG-R11).
            rulings.deployment = Deployment::One;
        }
        rulings
    }
}

impl Setup {
    /// Checks options and works them out. Printed data are worked out once: thousands of records
    /// share them.
    pub(super) fn new(given: Options) -> Checked<Setup> {
        static PRINTED: OnceLock<Setup> = OnceLock::new();
        if !given.plain() {
            return Setup::work_out(given);
        }
        let printed = match PRINTED.get() {
            Some(printed) => printed,
            None => {
                let printed = Setup::work_out(Options::default())?;
                PRINTED.get_or_init(|| printed)
            }
        };
        let (edition, rulings) = (given.edition, given.readings());
        let mut setup = Setup { edition, rulings, given, ..printed.clone() };
        if rulings.cost_basis != printed.rulings.cost_basis {
            setup.areas.iter().for_each(|area| setup.price_links(area));
        }
        Ok(setup)
    }

    fn work_out(given: Options) -> Checked<Setup> {
        let rulings = given.readings();
        let map = given.map.clone().unwrap_or_else(tables::map);
        let counters = given.units.clone().unwrap_or_else(tables::units);
        let cards = given.cards.clone().unwrap_or_else(tables::cards);
        let track = given.alarm_track.clone().unwrap_or_else(|| {
            tables::alarm_track().into_iter().map(|(points, _)| points).collect()
        });
        let constants = Constants::OURS.corrected(&given.constants.unwrap_or_default());
        numbers::check_constants(&constants)?;
        numbers::check_track(&track)?;

        let area_of = map::check_area_ids(&map)?;
        let mut setup = Setup {
            edition: given.edition,
            rulings,
            given,
            constants,
            track: track.into(),
            area_ids: [Name::default(); AREAS],
            area_of,
            areas: Areas::first(map.len()),
            towns: Areas::NONE,
            countryside: Areas::NONE,
            hills: Areas::NONE,
            coast: Areas::NONE,
            links: [Areas::NONE; AREAS],
            roads: [Areas::NONE; AREAS],
            steps: [[Areas::NONE; 3]; AREAS],
            rings: Arc::new([[Areas::NONE; AREAS]; AREAS]),
            unit_ids: [Name::default(); UNITS],
            unit_of: NameTable::new([]),
            kinds: [UnitKind::Women; UNITS],
            values: [0; UNITS],
            lesser: 0,
            by_id: Arc::new([]),
            all: Units::NONE,
            rapalline: Units::NONE,
            arquebusiers: Units::NONE,
            bartolomeo: Unit(0),
            giulia: Unit(0),
            reserve: Unit(0),
            to_hills: [0; AREAS],
            decks: Arc::default(),
            card_of: [NameTable::new([]), NameTable::new([])],
            map: Arc::new([]),
            counters: Arc::new([]),
            cards: Arc::new([]),
        };
        setup.lay_map(&map)?;
        setup.lay_units(&counters)?;
        setup.lay_cards(&cards)?;
        (setup.map, setup.counters, setup.cards) = (map.into(), counters.into(), cards.into());
        Ok(setup)
    }

    /// The options in force: edition and every reading, and the data that a record corrects.
    pub(super) fn options(&self) -> Options {
        Options { rulings: Picks::all(&self.rulings), ..self.given.clone() }
    }

    /// The area of that id.
    pub(super) fn area(&self, id: &Name) -> Option<Area> {
        self.area_of.get(id).map(Area)
    }

    /// The unit of that id.
    pub(super) fn unit(&self, id: &Name) -> Option<Unit> {
        self.unit_of.get(id).map(Unit)
    }

    /// The row of a card in a side's deck.
    pub(super) fn card(&self, side: Side, id: &Name) -> Option<u8> {
        self.card_of[side.index()].get(id)
    }

    /// The id of an area.
    pub(super) fn area_id(&self, area: Area) -> Name {
        self.area_ids[area.index()]
    }

    /// The id of a unit.
    pub(super) fn unit_id(&self, unit: Unit) -> Name {
        self.unit_ids[unit.index()]
    }

    /// The name of an area for people; its id in words where the record's map gives none.
    pub(super) fn area_title(&self, area: Area) -> String {
        let data = self.map.get(area.index());
        data.and_then(|data| data.name.clone())
            .unwrap_or_else(|| self.area_id(area).as_str().replace('_', " "))
    }

    /// The name of a unit for people; its id in words where the record's counters give none.
    pub(super) fn unit_title(&self, unit: Unit) -> String {
        let data = self.counters.get(unit.index());
        data.and_then(|data| data.name.clone())
            .unwrap_or_else(|| self.unit_id(unit).as_str().replace('_', " "))
    }

    /// The name of a card for people.
    pub(super) fn card_title(&self, side: Side, row: u8) -> &str {
        self.decks[side.index()].titles.get(usize::from(row)).map_or("?", String::as_str)
    }

    /// What an action calls a unit: by its title where it is named by its id, and by the token as it
    /// stands, which does not tell who it is.
    pub(super) fn said_unit(&self, name: &Name) -> String {
        self.unit(name).map_or_else(|| name.to_string(), |unit| self.unit_title(unit))
    }

    /// The kind of an area.
    pub(super) fn kind(&self, area: Area) -> AreaKind {
        if self.hills.contains(area) {
            AreaKind::Hill
        } else if self.towns.contains(area) {
            AreaKind::Town
        } else {
            AreaKind::Countryside
        }
    }

    /// The side of a unit.
    pub(super) fn side(&self, unit: Unit) -> Side {
        if PIRATE_UNITS.contains(unit) { Side::Pirates } else { Side::Rapalline }
    }

    /// The units of a side.
    pub(super) fn units_of(&self, side: Side) -> Units {
        match side {
            Side::Pirates => PIRATE_UNITS,
            Side::Rapalline => self.rapalline,
        }
    }

    /// DRG-2.3 The units that the Rapalline player deploys.
    pub(super) fn deployable(&self) -> Units {
        self.rapalline.without(self.reserve)
    }

    /// DRG-12.2 The token number of the Soldier in reserve, the last one.
    pub(super) fn reserve_token(&self) -> u8 {
        self.deployable().len() as u8 + 1
    }

    /// The number of cases of the alarm track.
    pub(super) fn cases(&self) -> u8 {
        self.track.len() as u8
    }

    /// The value of a case, the first being 1.
    pub(super) fn points(&self, case: u8) -> u8 {
        self.track.get(usize::from(case).wrapping_sub(1)).copied().unwrap_or(0)
    }
}

/// DRG-13.3 An id of a record's own data is a word that names no place.
fn check_id(id: &Name, at: &str, what: &str) -> Checked {
    let text = id.as_str();
    let fits = text.starts_with(|first: char| first.is_ascii_lowercase())
        && text.chars().all(|it| it.is_ascii_lowercase() || it.is_ascii_digit() || it == '_');
    if fits && !PLACES.contains(&text) {
        return Ok(());
    }
    let message = format!(
        "{text:?} cannot be the id of {what}: it must be a word of lower-case letters, digits and _ that begins with a letter and names no other place"
    );
    Err(Refusal::new(Rule::C13_3, CODE, message).at(at))
}
