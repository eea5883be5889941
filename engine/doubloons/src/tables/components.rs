//! The data behind the rules, with the source of each part, for those who draw the board.
//!
//! Must not hold anything that the rules do not use.

use serde::Serialize;

use umpire_core::game::Sheet;
use umpire_core::rules::Rule as _;

use crate::rulebook::Rule;
use crate::setup::Setup;
use crate::setup::map::MapDoc;
use crate::tables::{FavorUse, Good, Kind, Mission, RoundEvent, Terrain};

/// The data of a setup.
#[derive(Serialize, Debug)]
pub struct Components {
    /// The map in use, a reconstruction.
    map: MapDoc,
    /// The home cities, in seat order.
    home_cities: Vec<u8>,
    /// Terrain.
    terrain: Vec<TerrainRow>,
    /// Units.
    units: Vec<UnitRow>,
    /// Trade goods, in the order of the die.
    goods: Vec<&'static str>,
    /// Events, in the order of the die.
    events: Vec<&'static str>,
    /// Uses of the favour.
    favor_uses: Vec<&'static str>,
    /// Results of a spy's success, in the order of the die.
    missions: Vec<&'static str>,
    /// What is paid and earned, and the clause that says how.
    money: Vec<MoneyRow>,
    /// Where each part comes from.
    sources: Sources,
}

/// A kind of terrain.
#[derive(Serialize, Debug)]
struct TerrainRow {
    terrain: Terrain,
    code: char,
    land_cost: Option<u8>,
    defence: i8,
}

/// A type of unit.
#[derive(Serialize, Debug)]
struct UnitRow {
    #[serde(rename = "type")]
    kind: Kind,
    class: &'static str,
    ship: bool,
    cost: u32,
    points: u8,
    battle_step: u8,
    bonus_against: Vec<Kind>,
}

/// Gold that is paid or earned.
#[derive(Serialize, Debug)]
struct MoneyRow {
    what: &'static str,
    gold: &'static str,
    clause: &'static str,
}

/// A.8.
const MONEY: [(&str, &str, Rule); 10] = [
    ("at the start", "20", Rule::C3_2),
    ("upkeep", "-1 for every full five units", Rule::C8_2),
    ("tax of a city", "1", Rule::C9_1),
    ("tax of the home city", "3", Rule::C9_1),
    ("each Renaissance master in a city", "1", Rule::C9_2),
    ("a governor in a city", "1", Rule::C9_3),
    ("a trade route", "1", Rule::C10_1),
    ("a trade route under scarcity", "2", Rule::C10_2),
    ("a trade route under surplus", "0", Rule::C10_2),
    ("a die for spies, an attempt of a diplomat", "-1", Rule::C12_1),
];

/// The tables of the rules, and where each stands in the data.
pub(crate) const OF_THE_RULES: [Sheet; 8] = [
    Sheet::whole("A.1", "Terrain", "/terrain"),
    Sheet {
        at: "A.2",
        title: "Units",
        of: "/units",
        columns: &["type", "class", "ship", "cost", "points", "battle_step"],
    },
    Sheet {
        at: "A.3",
        title: "Combat bonus: +1 against",
        of: "/units",
        columns: &["type", "bonus_against"],
    },
    Sheet::whole("A.4", "Trade goods, by the die", "/goods"),
    Sheet::whole("A.5", "Events, by the die", "/events"),
    Sheet::whole("A.6", "Uses of the favour", "/favor_uses"),
    Sheet::whole("A.7", "Results of spies, by the die", "/missions"),
    Sheet::whole("A.8", "Money", "/money"),
];

/// Where each part comes from.
#[derive(Serialize, Debug)]
struct Sources {
    map: String,
    terrain: &'static str,
    units: &'static str,
    goods: &'static str,
    events: &'static str,
    favor_uses: &'static str,
    missions: &'static str,
    money: &'static str,
}

impl Components {
    /// The data of a setup.
    pub(crate) fn of(setup: &Setup) -> Components {
        let class = |kind: Kind| match kind {
            _ if kind.is_leader() => "leader",
            _ if kind.is_merchant() => "merchant",
            _ => "military",
        };
        let beats = |kind: Kind| {
            let arm = kind.field_arm();
            Kind::ALL.iter().copied().filter(|target| arm.beats(target.field_arm())).collect()
        };
        Components {
            map: setup.map.doc.clone(),
            home_cities: setup.homes.clone(),
            terrain: Terrain::ALL
                .iter()
                .map(|&terrain| TerrainRow {
                    terrain,
                    code: terrain.code(),
                    land_cost: terrain.land_cost(),
                    defence: terrain.defence(),
                })
                .collect(),
            units: Kind::ALL
                .iter()
                .map(|&kind| UnitRow {
                    kind,
                    class: class(kind),
                    ship: kind.is_ship(),
                    cost: kind.cost(),
                    points: kind.points(),
                    battle_step: kind.field_arm().step(),
                    bonus_against: beats(kind),
                })
                .collect(),
            goods: Good::ALL.iter().map(|it| it.name()).collect(),
            events: RoundEvent::ALL.iter().map(|it| it.name()).collect(),
            favor_uses: FavorUse::ALL.iter().map(|it| it.name()).collect(),
            missions: Mission::ALL.iter().map(|it| it.name()).collect(),
            money: MONEY
                .iter()
                .map(|&(what, gold, rule)| MoneyRow { what, gold, clause: rule.id() })
                .collect(),
            sources: Sources {
                map: setup.map.doc.source.clone(),
                terrain: "published text, §Terrain",
                units: "published text, §Units",
                goods: "published text, §Trade",
                events: "published text, §Events",
                favor_uses: "published text, §Church",
                missions: "published text, §Spy",
                money: "published text, §Setup, §Upkeep, §Tax, §Trade, §Spy, §Diplomacy",
            },
        }
    }
}
