//! DRG-1 Terms: the places in which a unit can be.
//!
//! Must not decide where a unit may go.

use super::rulebook::Rule;
use super::setup::Setup;
use super::setup::ids::{PLACES, Place};
use super::{Checked, Refusal};
use umpire_core::wire::Name;

/// DRG-1.1 The name of a place.
pub(super) fn place_name(setup: &Setup, place: Place) -> Name {
    match place.area() {
        Some(area) => setup.area_id(area),
        None => {
            let word = PLACES.get(usize::from(place.0 - Place::AT_SEA.0)).copied();
            word.and_then(Name::new).unwrap_or_default()
        }
    }
}

/// DRG-1.1 The place of that name, in a field of a position.
pub(super) fn check_place(
    setup: &Setup,
    name: &Name,
    pointer: impl Fn() -> String,
) -> Checked<Place> {
    if let Some(area) = setup.area(name) {
        return Ok(Place::on(area));
    }
    match PLACES.iter().position(|&place| place == name.as_str()) {
        Some(index) => Ok(Place(Place::AT_SEA.0 + index as u8)),
        None => {
            let message = format!("{name} is not an area of the map and no other place");
            Err(Refusal::new(Rule::C1_1, "position_refused", message).at(pointer()).invariant(1))
        }
    }
}

// DRG-1.2 to 1.5 are `State::free_in`, `captives_in`, `empty_areas` and `pirates_in_play`; DRG-1.3
// is `State::revealed`; that a map's links hold together is `setup/map.rs`.
