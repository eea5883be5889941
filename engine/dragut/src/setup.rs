//! The options of a record, checked and worked out: edition, readings, and corrected data.
//!
//! Corrected data replace a whole table (map, units, alarm track, cards) or single constants.
//! They may bring ids of their own: lower-case letters, digits and `_`, at most 24. They must
//! hold what the clauses take for granted: invariant 18 for the map, the arithmetic of A.1 for
//! the units; what does not hold is refused in plain words. This module must not look at a
//! state.

use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Serialize};

use super::rulebook::{CostBasis, Deployment, Draws, PiratePool, Rule, Rulings, Sharing};
use super::state::{Area, Areas, Unit, Units};
use super::tables::{
    self, AREAS, AreaData, AreaKind, CARDS, CASES, CardData, Constants, ConstantsData, EffectData,
    KINDS, Life, NUMBER, PAGES, PIRATES, Side, Start, UNITS, UnitData, UnitKind,
};
use umpire_core::rules::{Picks, Refusal, RulingSet};
use umpire_core::wire::{Name, NameTable, present};

/// Which printed rulebook is in force.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = dragut::Edition))]
#[serde(rename_all = "snake_case")]
pub enum Edition {
    /// The English one, the default.
    #[default]
    En,
    /// The Italian one.
    It,
}

impl Edition {
    /// The name on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Edition::En => "en",
            Edition::It => "it",
        }
    }

    /// The readings of the edition: three rulings have another default in the Italian one.
    pub fn readings(self) -> Rulings {
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

/// What a card does, its effects added up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Effect {
    /// Cases of the alarm.
    pub alarm: i8,
    /// Points of each side's pool.
    pub pool: [i8; 2],
    /// Points of each side's limit per unit.
    pub limit: [i8; 2],
    /// What every pirate pays on trails.
    pub trail: Option<u8>,
    /// What a send costs.
    pub send: Option<u8>,
    /// Whether the Soldier in reserve enters.
    pub reserve: bool,
}

/// The deck of one side.
#[derive(Clone, Debug, Default)]
pub struct Deck {
    /// Ids in canonical order, as chance is asked for them.
    pub names: Vec<String>,
    /// The same ids.
    pub ids: Vec<Name>,
    /// The names for people.
    pub titles: Vec<String>,
    /// Copies.
    pub copies: [u8; KINDS],
    /// Life cycles.
    pub life: Vec<Life>,
    /// Effects, one without any behind the last.
    pub effects: [Effect; KINDS + 1],
}

/// Everything fixed for one record.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The printed rulebook in force.
    pub edition: Edition,
    /// The readings in force.
    pub rulings: Rulings,
    /// The options as given.
    pub given: Options,
    /// The map, for components.
    pub map: Arc<[AreaData]>,
    /// The units, for components.
    pub counters: Arc<[UnitData]>,
    /// The cards, for components.
    pub cards: Arc<[CardData]>,
    /// The constants.
    pub constants: Constants,
    /// The value of each case.
    pub track: Arc<[u8]>,

    /// Ids of the areas.
    pub area_ids: [Name; AREAS],
    area_of: NameTable,
    /// All areas.
    pub areas: Areas,
    /// Towns.
    pub towns: Areas,
    /// Countryside.
    pub countryside: Areas,
    /// Hills.
    pub hills: Areas,
    /// Areas where pirates may land.
    pub coast: Areas,
    /// Linked areas by road or trail.
    pub links: [Areas; AREAS],
    /// Linked areas by road.
    pub roads: [Areas; AREAS],
    /// Linked areas by price (DRG-5.2): those at the price of a road, at that of a trail, hills.
    pub steps: [[Areas; 3]; AREAS],
    /// Areas by distance: `rings[a][d]` are those at `d` links from `a`.
    pub rings: Arc<[[Areas; AREAS]; AREAS]>,

    /// Ids of the units.
    pub unit_ids: [Name; UNITS],
    unit_of: NameTable,
    /// Kinds of the units.
    pub kinds: [UnitKind; UNITS],
    /// Values of the units, 0 for the Arquebusier.
    pub values: [u8; UNITS],
    /// Bartolomeo's lesser value.
    pub lesser: u8,
    /// All units, in alphabetical order of their ids.
    pub by_id: Arc<[Unit]>,
    /// All units.
    pub all: Units,
    /// The Rapalline units.
    pub rapalline: Units,
    /// The Arquebusiers.
    pub arquebusiers: Units,
    /// Bartolomeo.
    pub bartolomeo: Unit,
    /// Giulia.
    pub giulia: Unit,
    /// The Soldier in reserve.
    pub reserve: Unit,

    /// The decks.
    pub decks: Arc<[Deck; 2]>,
    card_of: [NameTable; 2],
}

/// Dragut, value 6.
pub const DRAGUT_6: Unit = Unit(0);
/// Dragut's replacement, value 4.
pub const DRAGUT_4: Unit = Unit(1);
/// A pirate of value 4.
pub const PIRATE_4A: Unit = Unit(2);
/// Another.
pub const PIRATE_4B: Unit = Unit(3);
/// The pirates' replacement, value 2.
pub const PIRATE_2B: Unit = Unit(5);
/// The Renegade.
pub const RENEGADE: Unit = Unit(6);
/// All pirate counters.
pub const PIRATE_UNITS: Units = Units(0b111_1111);
/// The pirates that start at sea.
pub const FLEET: Units = Units(0b101_1101);

type Checked<T> = Result<T, Refusal<Rule>>;

fn wrong(rule: Rule, at: impl Into<String>, message: impl Into<String>) -> Refusal<Rule> {
    Refusal::new(rule, "data_refused", message).at(at)
}

impl Options {
    /// Lays another edition and other readings over these.
    pub(super) fn reread(&mut self, edition: Option<&str>, picks: &[(usize, usize)]) {
        let named = |name| [Edition::En, Edition::It].into_iter().find(|it| it.name() == name);
        if let Some(edition) = edition.and_then(named) {
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
    pub fn new(given: Options) -> Checked<Setup> {
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
            setup.areas.iter().for_each(|area| setup.price(area));
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
        check_constants(&constants)?;
        check_track(&track)?;

        let area_of = check_area_ids(&map)?;
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
    pub fn options(&self) -> Options {
        Options { rulings: Picks::all(&self.rulings), ..self.given.clone() }
    }

    /// The area of that id.
    pub fn area(&self, id: &Name) -> Option<Area> {
        self.area_of.get(id).map(Area)
    }

    /// The unit of that id.
    pub fn unit(&self, id: &Name) -> Option<Unit> {
        self.unit_of.get(id).map(Unit)
    }

    /// The row of a card in a side's deck.
    pub fn card(&self, side: Side, id: &Name) -> Option<u8> {
        self.card_of[side.at()].get(id)
    }

    /// The id of an area.
    pub fn area_id(&self, area: Area) -> Name {
        self.area_ids[area.at()]
    }

    /// The id of a unit.
    pub fn unit_id(&self, unit: Unit) -> Name {
        self.unit_ids[unit.at()]
    }

    /// The name of an area for people.
    pub fn area_title(&self, area: Area) -> String {
        let data = self.map.get(area.at());
        data.and_then(|data| data.name.clone()).unwrap_or_else(|| self.area_id(area).to_string())
    }

    /// The name of a unit for people.
    pub fn unit_title(&self, unit: Unit) -> String {
        let data = self.counters.get(unit.at());
        data.and_then(|data| data.name.clone()).unwrap_or_else(|| self.unit_id(unit).to_string())
    }

    /// The name of a card for people.
    pub fn card_title(&self, side: Side, row: u8) -> &str {
        self.decks[side.at()].titles.get(usize::from(row)).map_or("?", String::as_str)
    }

    /// The kind of an area.
    pub fn kind(&self, area: Area) -> AreaKind {
        if self.hills.contains(area) {
            AreaKind::Hill
        } else if self.towns.contains(area) {
            AreaKind::Town
        } else {
            AreaKind::Countryside
        }
    }

    /// The side of a unit.
    pub fn side(&self, unit: Unit) -> Side {
        if PIRATE_UNITS.contains(unit) { Side::Pirates } else { Side::Rapalline }
    }

    /// The units of a side.
    pub fn units_of(&self, side: Side) -> Units {
        match side {
            Side::Pirates => PIRATE_UNITS,
            Side::Rapalline => self.rapalline,
        }
    }

    /// The units that the Rapalline player deploys (DRG-2.3).
    pub fn deployable(&self) -> Units {
        self.rapalline.without(self.reserve)
    }

    /// The token number of the Soldier in reserve, the last one (DRG-12.2).
    pub fn reserve_token(&self) -> u8 {
        self.deployable().len() as u8 + 1
    }

    /// The number of cases of the alarm track.
    pub fn cases(&self) -> u8 {
        self.track.len() as u8
    }

    /// The value of a case, the first being 1.
    pub fn points(&self, case: u8) -> u8 {
        self.track.get(usize::from(case).wrapping_sub(1)).copied().unwrap_or(0)
    }

    /// Invariant 18: links symmetric, a road if and only if both ends are towns, the map
    /// connected without hills, each hill linked only to countryside, at least 16 towns.
    fn lay_map(&mut self, map: &[AreaData]) -> Checked<()> {
        let broken = |at: String, message: String| {
            Refusal::new(Rule::C1_4, "data_refused", message).at(at).invariant(18)
        };
        for (at, data) in map.iter().enumerate() {
            let area = Area(at as u8);
            self.area_ids[at] = data.id;
            match data.kind {
                AreaKind::Town => self.towns.insert(area),
                AreaKind::Countryside => self.countryside.insert(area),
                AreaKind::Hill => self.hills.insert(area),
            }
            if data.coastal {
                if data.kind == AreaKind::Hill {
                    let message = format!(
                        "{} is a hill by the sea: pirates would land in it, and no pirate may enter a hill",
                        data.id
                    );
                    return Err(wrong(Rule::C5_5, format!("/map/{at}/coastal"), message));
                }
                self.coast.insert(area);
            }
        }
        for (at, data) in map.iter().enumerate() {
            let lists = [("roads", &data.roads, true), ("trails", &data.trails, false)];
            for (field, list, road) in lists {
                for (index, id) in list.iter().enumerate() {
                    let pointer = format!("/map/{at}/{field}/{index}");
                    let Some(other) = self.area(id) else {
                        return Err(broken(
                            pointer,
                            format!("{} is linked to {id}, which is no area of the map", data.id),
                        ));
                    };
                    if other.at() == at || self.links[at].contains(other) {
                        return Err(broken(
                            pointer,
                            format!(
                                "the link from {} to {id} is given twice or joins an area to itself",
                                data.id
                            ),
                        ));
                    }
                    self.links[at].insert(other);
                    let towns = data.kind == AreaKind::Town && self.towns.contains(other);
                    if towns != road {
                        let line = if road { "road" } else { "trail" };
                        return Err(broken(
                            pointer,
                            format!(
                                "a {line} joins {} and {id}: a link is a road if and only if both ends are towns",
                                data.id
                            ),
                        ));
                    }
                    if data.kind == AreaKind::Hill && !self.countryside.contains(other) {
                        return Err(broken(
                            pointer,
                            format!(
                                "the hill {} is linked to {id}: hills join only countryside",
                                data.id
                            ),
                        ));
                    }
                    if road {
                        self.roads[at].insert(other);
                    }
                }
            }
        }
        for area in self.areas {
            for other in self.links[area.at()] {
                if !self.links[other.at()].contains(area) {
                    let (from, to) = (self.area_id(area), self.area_id(other));
                    return Err(broken(
                        format!("/map/{}", area.at()),
                        format!("{from} is linked to {to}, but {to} is not linked to {from}"),
                    ));
                }
            }
        }
        if self.towns.len() < 16 {
            return Err(broken(
                "/map".into(),
                format!("the map has {} towns; at least 16 are needed", self.towns.len()),
            ));
        }
        if self.coast.is_empty() {
            return Err(wrong(
                Rule::C5_7,
                "/map",
                "no area is coastal: the pirates could not land",
            ));
        }
        for area in self.areas {
            self.measure(area);
            self.price(area);
        }
        let inland = self.areas.minus(self.hills);
        let start = inland.iter().next().unwrap_or(Area(0));
        let (mut reached, mut edge) = (Areas::one(start), Areas::one(start));
        while !edge.is_empty() {
            let next = edge.iter().fold(Areas::NONE, |next, area| next.or(self.links[area.at()]));
            edge = next.and(inland).minus(reached);
            reached = reached.or(edge);
        }
        if reached != inland {
            let lost = inland.minus(reached).iter().next().unwrap_or(start);
            let (from, to) = (self.area_id(start), self.area_id(lost));
            return Err(broken(
                "/map".into(),
                format!("the map is not connected without hills: no way leads from {from} to {to}"),
            ));
        }
        for hill in self.hills {
            if self.links[hill.at()].is_empty() {
                return Err(broken(
                    format!("/map/{}", hill.at()),
                    format!("the hill {} is linked to nothing", self.area_id(hill)),
                ));
            }
        }
        Ok(())
    }

    /// DRG-5.2: a road or a trail; DRG-R34 = `destination` looks at the area entered instead.
    fn price(&mut self, from: Area) {
        let links = self.links[from.at()];
        let near = links.minus(self.hills);
        let easy = match self.rulings.cost_basis {
            CostBasis::Line => self.roads[from.at()],
            CostBasis::Destination => near.and(self.towns),
        };
        self.steps[from.at()] = [easy, near.minus(easy), links.and(self.hills)];
    }

    fn measure(&mut self, from: Area) {
        let (mut reached, mut ring) = (Areas::one(from), Areas::one(from));
        for distance in 0..AREAS {
            Arc::make_mut(&mut self.rings)[from.at()][distance] = ring;
            let next = ring.iter().fold(Areas::NONE, |next, area| next.or(self.links[area.at()]));
            ring = next.minus(reached);
            reached = reached.or(ring);
        }
    }

    /// The arithmetic of A.1: the seven counters of the pirates as both editions give them, and
    /// 16 or 17 Rapalline units of which one Soldier is held back.
    fn lay_units(&mut self, counters: &[UnitData]) -> Checked<()> {
        if counters.len() < PIRATES || counters.len() > UNITS {
            let message = format!(
                "there are {} units; A.1 has {UNITS}: 7 of the pirates and 17 of the Rapalline side (16 under the other reading of DRG-R5)",
                counters.len()
            );
            return Err(wrong(Rule::C1_1, "/units", message).also_ruling(Rule::R5));
        }
        let fixed = tables::units();
        for (at, (data, ours)) in counters.iter().zip(&fixed).take(PIRATES).enumerate() {
            let same = data.id == ours.id
                && data.kind == ours.kind
                && data.value == ours.value
                && data.lesser_value.is_none()
                && data.start == ours.start;
            if !same {
                let message = format!(
                    "unit {at} must be {} of value {}: both editions together fix the pirate force",
                    ours.id,
                    ours.value.unwrap_or(0)
                );
                return Err(wrong(Rule::C2_7, format!("/units/{at}"), message));
            }
        }
        let of = |kind: UnitKind| counters.iter().filter(move |data| data.kind == kind).count();
        for (at, data) in counters.iter().enumerate() {
            let pointer = format!("/units/{at}");
            check_id(&data.id, &format!("{pointer}/id"), "unit")?;
            if counters[..at].iter().any(|earlier| earlier.id == data.id) {
                return Err(wrong(
                    Rule::C1_1,
                    format!("{pointer}/id"),
                    format!("{} is given twice", data.id),
                ));
            }
            let unit = Unit(at as u8);
            self.unit_ids[at] = data.id;
            self.kinds[at] = data.kind;
            self.all.insert(unit);
            if at < PIRATES {
                self.values[at] = data.value.unwrap_or(0);
                continue;
            }
            let side = data.kind.side();
            if side != Side::Rapalline {
                let message =
                    format!("{} is an eighth unit of the pirates; A.1 has exactly 7", data.id);
                return Err(wrong(Rule::C2_7, pointer, message));
            }
            self.rapalline.insert(unit);
            match (data.kind, data.value) {
                (UnitKind::Arquebusier, None) => self.arquebusiers.insert(unit),
                (UnitKind::Arquebusier, Some(_)) => {
                    return Err(wrong(
                        Rule::C6_8,
                        format!("{pointer}/value"),
                        "the Arquebusier has no combat value",
                    ));
                }
                (_, None) => {
                    return Err(wrong(
                        Rule::C6_4,
                        pointer,
                        format!("{} needs a combat value", data.id),
                    ));
                }
                (_, Some(value)) if value > NUMBER => {
                    return Err(wrong(
                        Rule::C6_4,
                        format!("{pointer}/value"),
                        format!("the value of {} is above {NUMBER}", data.id),
                    ));
                }
                (_, Some(value)) => self.values[at] = value,
            }
            match (data.kind, data.lesser_value) {
                (UnitKind::Bartolomeo, Some(value)) if value <= NUMBER => {
                    (self.bartolomeo, self.lesser) = (unit, value);
                }
                (UnitKind::Bartolomeo, _) => {
                    return Err(wrong(
                        Rule::C10_3,
                        pointer,
                        format!("Bartolomeo needs a lesser value of at most {NUMBER}"),
                    ));
                }
                (_, Some(_)) => {
                    return Err(wrong(
                        Rule::C10_3,
                        format!("{pointer}/lesser_value"),
                        "only Bartolomeo has a lesser value",
                    ));
                }
                (_, None) => {}
            }
            if data.kind == UnitKind::Giulia {
                self.giulia = unit;
            }
            match data.start {
                Start::Deployed => {}
                Start::Reserve if data.kind == UnitKind::Soldier => self.reserve = unit,
                Start::Reserve => {
                    return Err(wrong(
                        Rule::C2_3,
                        format!("{pointer}/start"),
                        "only a Soldier is held in reserve",
                    ));
                }
                Start::AtSea | Start::Aside => {
                    return Err(wrong(
                        Rule::C1_1,
                        format!("{pointer}/start"),
                        format!("{} is no pirate: it starts deployed or in reserve", data.id),
                    ));
                }
            }
        }
        let named = [("Bartolomeo", UnitKind::Bartolomeo), ("Giulia", UnitKind::Giulia)];
        for (name, kind) in named {
            if of(kind) != 1 {
                return Err(wrong(
                    Rule::C10_3,
                    "/units",
                    format!("there is exactly one {name}, not {}", of(kind)),
                ));
            }
        }
        if self.arquebusiers.is_empty() {
            return Err(wrong(Rule::C6_8, "/units", "there is no Arquebusier"));
        }
        let held = counters.iter().filter(|data| data.start == Start::Reserve).count();
        if held != 1 {
            return Err(wrong(
                Rule::C2_3,
                "/units",
                format!("exactly one Soldier is held in reserve, not {held}"),
            ));
        }
        if self.rapalline.len() != 17 && self.rapalline.len() != 16 {
            let message = format!(
                "there are {} Rapalline units; A.1 has 17 (16 under the other reading of DRG-R5)",
                self.rapalline.len()
            );
            return Err(wrong(Rule::C1_1, "/units", message).also_ruling(Rule::R5));
        }
        self.unit_of = NameTable::new(&self.unit_ids[..counters.len()]);
        let mut by_id: Vec<Unit> = self.all.iter().collect();
        let ids = self.unit_ids;
        by_id.sort_unstable_by_key(|unit| ids[unit.at()]);
        self.by_id = by_id.into();
        Ok(())
    }

    fn lay_cards(&mut self, cards: &[CardData]) -> Checked<()> {
        for (at, data) in cards.iter().enumerate() {
            let pointer = format!("/cards/{at}");
            check_id(&data.id, &format!("{pointer}/id"), "card")?;
            if cards[..at].iter().any(|earlier| earlier.id == data.id) {
                return Err(wrong(
                    Rule::C3_7,
                    format!("{pointer}/id"),
                    format!("{} is given twice", data.id),
                ));
            }
            let deck = &mut Arc::make_mut(&mut self.decks)[data.side.at()];
            let row = deck.ids.len();
            if row == KINDS {
                return Err(wrong(
                    Rule::C3_7,
                    pointer,
                    format!("the {} have more than {KINDS} kinds of cards", data.side.name()),
                ));
            }
            if data.copies == 0 || usize::from(data.copies) > CARDS {
                return Err(wrong(
                    Rule::C3_7,
                    format!("{pointer}/copies"),
                    format!("{} has {} copies; 1 to {CARDS} are possible", data.id, data.copies),
                ));
            }
            deck.ids.push(data.id);
            deck.names.push(data.id.to_string());
            deck.titles.push(data.name.clone().unwrap_or_else(|| data.id.to_string()));
            deck.copies[row] = data.copies;
            deck.life.push(data.life);
            let mut effect = Effect::default();
            for (index, part) in data.effects.iter().enumerate() {
                effect.add(part).map_err(|message| {
                    wrong(Rule::C3_4, format!("{pointer}/effects/{index}"), message)
                })?;
            }
            deck.effects[row] = effect;
        }
        for side in Side::BOTH {
            let deck = &self.decks[side.at()];
            let all: usize = deck.copies.iter().map(|&copies| usize::from(copies)).sum();
            let hand = usize::from(self.constants.starting_hand);
            if all < hand || all > CARDS {
                let message = format!(
                    "the deck of the {} has {all} cards; {hand} (the starting hand) to {CARDS} are possible",
                    side.name()
                );
                return Err(wrong(Rule::C2_8, "/cards", message));
            }
            self.card_of[side.at()] = NameTable::new(&deck.ids);
        }
        Ok(())
    }
}

impl Effect {
    fn add(&mut self, part: &EffectData) -> Result<(), String> {
        const MOST: i8 = NUMBER as i8;
        let bounded = |number: i8| match number {
            0 => Err("an effect of 0 is none".to_owned()),
            number if (-MOST..=MOST).contains(&number) => Ok(number),
            number => Err(format!("an effect of {number} is beyond {MOST}")),
        };
        let cost = |cost: u8| match cost {
            1..=NUMBER => Ok(Some(cost)),
            _ => Err(format!("a cost of {cost} is not between 1 and {NUMBER}")),
        };
        let once = |had: bool| {
            if had { Err("a card has each effect at most once".to_owned()) } else { Ok(()) }
        };
        match *part {
            EffectData::Alarm { steps } => {
                once(self.alarm != 0)?;
                self.alarm = bounded(steps)?;
            }
            EffectData::Pool { side, points } => {
                once(self.pool[side.at()] != 0)?;
                self.pool[side.at()] = bounded(points)?;
            }
            EffectData::UnitLimit { side, points } => {
                once(self.limit[side.at()] != 0)?;
                self.limit[side.at()] = bounded(points)?;
            }
            EffectData::PirateTrailCost { cost: points } => {
                once(self.trail.is_some())?;
                self.trail = cost(points)?;
            }
            EffectData::SendCost { cost: points } => {
                once(self.send.is_some())?;
                self.send = cost(points)?;
            }
            EffectData::PlaceReserve {} => {
                once(self.reserve)?;
                self.reserve = true;
            }
        }
        Ok(())
    }
}

trait AlsoRuling {
    fn also_ruling(self, rule: Rule) -> Self;
}

impl AlsoRuling for Refusal<Rule> {
    fn also_ruling(mut self, rule: Rule) -> Self {
        self.also.push(rule);
        self
    }
}

/// The words that name a place that is no area (DRG-1.1).
pub const PLACES: [&str; 6] = ["at_sea", "aside", "reserve", "serraglio", "fled", "removed"];

fn check_id(id: &Name, at: &str, what: &str) -> Checked<()> {
    let text = id.as_str();
    let fits = text.starts_with(|first: char| first.is_ascii_lowercase())
        && text.chars().all(|it| it.is_ascii_lowercase() || it.is_ascii_digit() || it == '_');
    if fits && !PLACES.contains(&text) {
        return Ok(());
    }
    let message = format!(
        "{text:?} cannot be the id of {what}: it must be a word of lower-case letters, digits and _ that begins with a letter and names no other place"
    );
    Err(wrong(Rule::C13_3, at, message))
}

fn check_area_ids(map: &[AreaData]) -> Checked<NameTable> {
    if map.len() > AREAS {
        return Err(wrong(
            Rule::C1_4,
            "/map",
            format!("the map has {} areas; {AREAS} are possible", map.len()),
        ));
    }
    for (at, data) in map.iter().enumerate() {
        check_id(&data.id, &format!("/map/{at}/id"), "an area")?;
        if map[..at].iter().any(|earlier| earlier.id == data.id) {
            return Err(wrong(
                Rule::C1_4,
                format!("/map/{at}/id"),
                format!("{} is given twice", data.id),
            ));
        }
    }
    let ids: Vec<Name> = map.iter().map(|data| data.id).collect();
    Ok(NameTable::new(&ids))
}

/// Numbers from 1 to 20, and every pirate in play can always do something: so no turn passes
/// without a decision.
fn check_constants(constants: &Constants) -> Checked<()> {
    for (&(name, _), value) in Constants::SOURCES.iter().zip(constants.values()) {
        if value == 0 || value > NUMBER {
            return Err(wrong(
                Rule::C4_4,
                format!("/constants/{name}"),
                format!("{name} is {value}; 1 to {NUMBER} are possible"),
            ));
        }
    }
    let steps = [
        ("landing", constants.landing, true),
        ("road", constants.road, true),
        ("trail_heavy", constants.trail_heavy, true),
        ("trail_light", constants.trail_light, true),
        ("hill", constants.hill, false),
    ];
    for (name, cost, pirates) in steps {
        if cost > constants.unit_points || (pirates && cost > constants.pirate_points) {
            let message =
                format!("{name} costs {cost}, more than a unit or the pirates have in a turn");
            return Err(wrong(Rule::C4_5, format!("/constants/{name}"), message));
        }
    }
    if constants.target_giulia_fled < constants.target {
        let message = "the target never falls, so target_giulia_fled is at least target";
        return Err(wrong(Rule::C11_1, "/constants/target_giulia_fled", message));
    }
    Ok(())
}

fn check_track(track: &[u8]) -> Checked<()> {
    if track.is_empty() || track.len() > CASES {
        return Err(wrong(
            Rule::C8_1,
            "/alarm_track",
            format!("the alarm track has {} cases; 1 to {CASES} are possible", track.len()),
        ));
    }
    for (at, &points) in track.iter().enumerate() {
        if points > NUMBER {
            return Err(wrong(
                Rule::C8_1,
                format!("/alarm_track/{at}"),
                format!("case {} is worth {points}; at most {NUMBER} are possible", at + 1),
            ));
        }
    }
    Ok(())
}

/// The data behind the rules, with the source of each datum.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Components {
    /// The public pages that sources name; `rb` is the rulebook, `recon` a reconstruction.
    pub pages: Vec<Page>,
    /// The map. The source is that of the name; kinds, links and coastal flags are `recon`,
    /// except that the coastal areas are the three landings of `rb §0`.
    pub map: Vec<AreaData>,
    /// The units.
    pub units: Vec<UnitData>,
    /// The alarm track.
    pub alarm_track: Vec<Case>,
    /// The cards.
    pub cards: Vec<CardData>,
    /// The constants.
    pub constants: Vec<Constant>,
}

/// A public page.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Page {
    /// The mark.
    pub id: &'static str,
    /// The address.
    pub page: &'static str,
}

/// A case of the alarm track.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Case {
    /// The case.
    pub case: u8,
    /// What it is worth.
    pub points: u8,
    /// Where the datum is from.
    pub source: String,
}

/// A number of the rules.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Constant {
    /// Its name.
    pub name: &'static str,
    /// Its value.
    pub value: u8,
    /// Where the datum is from.
    pub source: &'static str,
}

/// The source of a datum that a record corrects.
const BY_RECORD: &str = "record";

/// The data of a setup.
pub fn components(setup: &Setup) -> Components {
    let case =
        |(at, (points, source)): (usize, (u8, String))| Case { case: at as u8 + 1, points, source };
    let track = match &setup.given.alarm_track {
        Some(track) => track.iter().map(|&points| (points, BY_RECORD.to_owned())).collect(),
        None => tables::alarm_track(),
    };
    let corrected = setup.given.constants.unwrap_or_default();
    let ours = Constants::OURS.values();
    let constants = Constants::SOURCES.iter().zip(setup.constants.values()).enumerate();
    let constant =
        |(at, (&(name, source), value)): (usize, (&(&'static str, &'static str), u8))| {
            let source = if ours[at] == value || corrected == ConstantsData::default() {
                source
            } else {
                BY_RECORD
            };
            Constant { name, value, source }
        };
    Components {
        pages: PAGES.iter().map(|&(id, page)| Page { id, page }).collect(),
        map: setup.map.to_vec(),
        units: setup.counters.to_vec(),
        alarm_track: track.into_iter().enumerate().map(case).collect(),
        cards: setup.cards.to_vec(),
        constants: constants.map(constant).collect(),
    }
}
