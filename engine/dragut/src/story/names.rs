//! What areas, units and cards are called by those who name them by id.
//!
//! Must not tell who a token is.

use crate::action::Side;
use crate::setup::Setup;
use umpire_core::wire::Name;

/// The name of a place by its id; the id where the map has none of it.
pub(crate) fn area_by_id(setup: &Setup, id: &str) -> String {
    let area = Name::new(id).and_then(|id| setup.area(&id));
    area.map_or_else(|| id.replace('_', " "), |area| setup.area_title(area))
}

/// The name of a unit by its id.
pub(crate) fn unit_by_id(setup: &Setup, id: &str) -> String {
    let unit = Name::new(id).and_then(|id| setup.unit(&id));
    unit.map_or_else(|| id.replace('_', " "), |unit| setup.unit_title(unit))
}

/// The name of a card by its id, in whichever deck it is.
pub(crate) fn card_by_id(setup: &Setup, id: &str) -> String {
    let name = Name::new(id);
    let found = Side::BOTH.into_iter().find_map(|side| {
        let row = name.and_then(|id| setup.card(side, &id))?;
        Some(setup.card_title(side, row).to_owned())
    });
    found.unwrap_or_else(|| id.replace('_', " "))
}
