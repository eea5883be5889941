//! How options are worked out: every part checked and laid, in one order.
//!
//! Must not check a part itself.

use std::sync::{Arc, OnceLock};

use super::data::UnitKind;
use super::ids::{Areas, Unit, Units};
use super::options::Options;
use super::worked_out::Setup;
use super::{map, numbers};
use crate::tables::{self, AREAS, Constants, UNITS};
use crate::{Checked, Dragut};
use umpire_core::game::Game;
use umpire_core::wire::{Name, NameTable};

/// How many versions of the ruleset there are.
const VERSIONS: usize = Dragut::META.version as usize;

impl Setup {
    /// Checks options and works them out. Printed data are worked out once: thousands of records
    /// share them.
    pub(crate) fn new(given: Options) -> Checked<Setup> {
        static PRINTED: [OnceLock<Setup>; VERSIONS] = [const { OnceLock::new() }; VERSIONS];
        let of_version = PRINTED.get(given.version() as usize - 1).filter(|_| given.plain());
        let Some(of_version) = of_version else { return Setup::work_out(given) };
        let printed = match of_version.get() {
            Some(printed) => printed,
            None => {
                let mut plain = Options::default();
                plain.rulings.set_version(given.version());
                let printed = Setup::work_out(plain)?;
                of_version.get_or_init(|| printed)
            }
        };
        let (edition, rulings) = (given.edition, given.readings());
        let mut setup = Setup { edition, rulings, given, ..printed.clone() };
        if rulings.cost_basis != printed.rulings.cost_basis {
            setup.areas.iter().for_each(|area| setup.price_links(area));
        }
        setup.check_marks()?;
        Ok(setup)
    }

    fn work_out(given: Options) -> Checked<Setup> {
        let rulings = given.readings();
        let map = given.map.clone().unwrap_or_else(|| tables::map::map(given.version()));
        let counters = given.units.clone().unwrap_or_else(tables::units::units);
        let cards = given.cards.clone().unwrap_or_else(tables::cards::cards);
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
            landings: Areas::NONE,
            borough: Areas::NONE,
            touches: [Areas::NONE; AREAS],
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
}
