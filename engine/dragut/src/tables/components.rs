//! The data behind the rules as a front end gets them, each with its source.
//!
//! Must not decide anything: it lists what the setup holds.

use serde::Serialize;

use umpire_core::game::Sheet;

use super::{Constants, ConstantsData, PAGES, alarm_track};
use crate::setup::{AreaData, CardData, Setup, UnitData};

/// The data behind the rules, with the source of each datum.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Components {
    /// The public pages that sources name; `rb` is the rulebook, `recon` a reconstruction.
    pages: Vec<Page>,
    /// The map. The source is that of the name; kinds, links and coastal flags are `recon`,
    /// except that the three landings of `rb §0` are coastal.
    map: Vec<AreaData>,
    /// The units.
    units: Vec<UnitData>,
    /// The alarm track.
    alarm_track: Vec<Case>,
    /// The cards.
    cards: Vec<CardData>,
    /// The constants.
    constants: Vec<Constant>,
}

/// A public page.
#[derive(Clone, PartialEq, Debug, Serialize)]
struct Page {
    /// The mark.
    id: &'static str,
    /// The address.
    page: &'static str,
}

/// A case of the alarm track.
#[derive(Clone, PartialEq, Debug, Serialize)]
struct Case {
    /// The case.
    case: u8,
    /// What it is worth.
    points: u8,
    /// Where the datum is from.
    source: String,
}

/// A number of the rules.
#[derive(Clone, PartialEq, Debug, Serialize)]
struct Constant {
    /// Its name.
    name: &'static str,
    /// Its value.
    value: u8,
    /// Where the datum is from.
    source: &'static str,
}

/// The source of a datum that a record corrects.
const BY_RECORD: &str = "record";

/// The tables of the rules, and where each stands in the data.
pub(crate) const OF_THE_RULES: [Sheet; 5] = [
    Sheet::whole("A.1", "Units", "/units"),
    Sheet::whole("A.2", "Map", "/map"),
    Sheet::whole("A.3", "Alarm track", "/alarm_track"),
    Sheet::whole("A.4", "Constants", "/constants"),
    Sheet::whole("A.5", "Cards", "/cards"),
];

impl Components {
    /// The data of a setup.
    pub(crate) fn of(setup: &Setup) -> Components {
        let case = |(at, (points, source)): (usize, (u8, String))| Case {
            case: at as u8 + 1,
            points,
            source,
        };
        let track = match &setup.given.alarm_track {
            Some(track) => track.iter().map(|&points| (points, BY_RECORD.to_owned())).collect(),
            None => alarm_track(),
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
}
