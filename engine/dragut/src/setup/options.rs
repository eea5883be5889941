//! The options of a record: edition, readings, and corrected data.
//!
//! Must not check corrected data.

use serde::{Deserialize, Serialize};

use super::data::{AreaData, CardData, UnitData};
use crate::Dragut;
use crate::rulebook::{Deployment, Draws, PiratePool, Rulings, Sharing};
use crate::tables::ConstantsData;
use umpire_core::game::Game;
use umpire_core::rules::{Picks, RulingSet};
use umpire_core::wire::present;

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
    /// The readings of the edition in a version of the ruleset: two rulings have another default in the
    /// Italian one, and in `dragut@1` a third.
    fn readings(self, version: u32) -> Rulings {
        let mut readings = Rulings::defaults(Some(version));
        if self == Edition::It {
            readings.deployment = Deployment::Unlimited;
            readings.draws = Draws::Mandatory;
            if version == 1 {
                readings.pirate_pool = PiratePool::Ignore;
            }
        }
        readings
    }
}

/// Edition, readings, and corrected data. Data left out are those of the ruleset.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = dragut::Options))]
#[serde(deny_unknown_fields)]
pub struct Options {
    /// The printed rulebook in force; it decides the default of DRG-R1 and DRG-R24, in `dragut@1` of DRG-R26, too.
    #[serde(default)]
    pub edition: Edition,
    /// The readings that differ from the default of the edition.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(value_type = Rulings, inline))]
    pub rulings: Picks<Rulings>,
    /// The whole map, corrected.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false, max_items = 64))]
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

impl Options {
    /// Lays another edition and other readings over these.
    pub(crate) fn reread(&mut self, edition: Option<&str>, picks: &[(usize, usize)]) {
        if let Some(edition) = edition.and_then(Edition::parse) {
            self.edition = edition;
        }
        picks.iter().for_each(|&(ruling, value)| self.rulings.pick(ruling, value));
    }

    /// Whether all data are those of the ruleset.
    pub(super) fn plain(&self) -> bool {
        let Options { edition: _, rulings: _, map, units, alarm_track, cards, constants } = self;
        map.is_none()
            && units.is_none()
            && alarm_track.is_none()
            && cards.is_none()
            && constants.is_none()
    }

    /// The version of the ruleset that gives defaults and data; the newest where none was set.
    pub(crate) fn version(&self) -> u32 {
        self.rulings.version().unwrap_or(Dragut::META.version)
    }

    /// The readings in force.
    pub(super) fn readings(&self) -> Rulings {
        let mut rulings = self.edition.readings(self.version()).picked(&self.rulings);
        if rulings.sharing == Sharing::OnePerArea {
            // The reading implies the other one (DRG-R11).
            rulings.deployment = Deployment::One;
        }
        rulings
    }
}
