//! A.1: the counters.
//!
//! Must hold nothing but data.

use super::{UNITS, name};
use crate::setup::data::{Start, UnitData, UnitKind};

/// A row of the unit table: id, name, kind, value, lesser value, start, source.
type UnitRow = (&'static str, &'static str, UnitKind, Option<u8>, Option<u8>, Start, &'static str);

/// A.1: 24 counters. The seven of the pirates come first, and theirs is the only order that is
/// fixed: see [`PIRATES`].
#[rustfmt::skip]
const COUNTERS: [UnitRow; UNITS] = [
    ("dragut_6", "Dragut", UnitKind::Dragut, Some(6), None, Start::AtSea, "rb §1, §2"),
    ("dragut_4", "Dragut (4)", UnitKind::Dragut, Some(4), None, Start::Aside, "rb en §2.1"),
    ("pirate_4a", "Pirate 4a", UnitKind::Pirate, Some(4), None, Start::AtSea, "rb it §2.2a"),
    ("pirate_4b", "Pirate 4b", UnitKind::Pirate, Some(4), None, Start::AtSea, "rb it §2.2a"),
    ("pirate_2a", "Pirate 2a", UnitKind::Pirate, Some(2), None, Start::AtSea, "rb it §2.2a"),
    ("pirate_2b", "Pirate 2b", UnitKind::Pirate, Some(2), None, Start::Aside, "rb en §2.1"),
    ("renegade", "the Renegade", UnitKind::Renegade, Some(2), None, Start::AtSea, "rb §1"),
    ("bartolomeo", "Bartolomeo", UnitKind::Bartolomeo, Some(5), Some(3), Start::Deployed, "rb §1.12"),
    ("giulia", "Giulia", UnitKind::Giulia, Some(1), None, Start::Deployed, "rb §1"),
    ("mayor", "the Mayor", UnitKind::Mayor, Some(1), None, Start::Deployed, "rb §1"),
    ("priest", "the Priest", UnitKind::Priest, Some(1), None, Start::Deployed, "value rb §1; count recon"),
    ("arquebusier", "the Arquebusier", UnitKind::Arquebusier, None, None, Start::Deployed, "rb §1.14; count recon"),
    ("soldier_a", "Soldier a", UnitKind::Soldier, Some(3), None, Start::Deployed, "value rb §2.1; count recon"),
    ("soldier_b", "Soldier b", UnitKind::Soldier, Some(3), None, Start::Reserve, "value, held back rb §2.1; count recon"),
    ("boys_1", "Boys 1", UnitKind::Boys, Some(1), None, Start::Deployed, "value rb §1; count recon"),
    ("boys_2", "Boys 2", UnitKind::Boys, Some(1), None, Start::Deployed, "value rb §1; count recon"),
    ("boys_3", "Boys 3", UnitKind::Boys, Some(1), None, Start::Deployed, "value rb §1; count recon"),
    ("men_1", "Men 1", UnitKind::Men, Some(1), None, Start::Deployed, "value rb §1; count recon"),
    ("men_2", "Men 2", UnitKind::Men, Some(1), None, Start::Deployed, "value rb §1; count recon"),
    ("men_3", "Men 3", UnitKind::Men, Some(1), None, Start::Deployed, "value rb §1; count recon"),
    ("women_1", "Women 1", UnitKind::Women, Some(1), None, Start::Deployed, "value rb §1; count recon"),
    ("women_2", "Women 2", UnitKind::Women, Some(1), None, Start::Deployed, "value rb §1; count recon"),
    ("women_3", "Women 3", UnitKind::Women, Some(1), None, Start::Deployed, "value rb §1; count recon"),
    ("women_4", "Women 4", UnitKind::Women, Some(1), None, Start::Deployed, "value rb §1; count recon"),
];

/// The counters of the pirates (DRG-2.7): id, value, start. Both editions together fix them, so
/// corrected data must bring just these, in this order, in front.
pub(crate) const PIRATES: usize = 7;

/// The units of A.1.
pub(crate) fn units() -> Vec<UnitData> {
    let unit = |&(id, title, kind, value, lesser_value, start, source): &UnitRow| UnitData {
        id: name(id),
        name: Some(title.to_owned()),
        kind,
        value,
        lesser_value,
        start,
        source: Some(source.to_owned()),
    };
    COUNTERS.iter().map(unit).collect()
}
