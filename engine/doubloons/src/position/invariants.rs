//! The invariants of part H about where units may be, and in whose company.
//!
//! Must not change the state.

use crate::rulebook::Rule;
use crate::setup::Setup;
use crate::state::{State, Unit};
use crate::tables::{CARGO, Kind, Terrain};
use crate::{Checked, Refusal};

/// Invariants 3 to 5 and 8: where units may be.
pub(super) fn check_units(setup: &Setup, state: &State) -> Checked {
    for unit in &state.units {
        let place = setup.map.place(unit.at);
        let at = "/units".to_owned();
        let name = format!("u{} {}", unit.id, unit.kind);
        if unit.aboard != 0 {
            let ship = state.unit(unit.aboard).filter(|ship| ship.kind == Kind::Galleon);
            let sound = ship.is_some_and(|ship| ship.at == unit.at && ship.owner == unit.owner);
            if !sound || unit.kind.is_ship() {
                let message = format!("{name} cannot be aboard u{}", unit.aboard);
                return Err(Refusal::new(Rule::C19_2, "bad_cargo", message)
                    .at(at)
                    .invariant(5)
                    .public());
            }
            if state.cargo(unit.aboard).count() > CARGO {
                let message = format!("u{} carries more than {CARGO}", unit.aboard);
                return Err(Refusal::new(Rule::C19_2, "galleon_overloaded", message)
                    .at(at)
                    .invariant(5)
                    .public());
            }
        }
        let stands = if unit.kind.is_ship() {
            place.open_to_ships
        } else {
            unit.aboard != 0 || place.terrain.land_cost().is_some()
        };
        if !stands {
            let message = format!("{name} cannot be in {}, {}", place.hex, place.terrain);
            return Err(Refusal::new(Rule::C19_2, "wrong_terrain", message)
                .at(at)
                .invariant(3)
                .public());
        }
        if unit.kind == Kind::Militia && (place.terrain != Terrain::City || unit.aboard != 0) {
            let message = format!("{name} is in no city");
            return Err(Refusal::new(Rule::C19_2, "militia_outside", message)
                .at(at)
                .invariant(4)
                .public());
        }
        let neutral_city = place.city > 0 && state.city(place.city).control.is_none();
        if unit.owner.is_none() && !neutral_city {
            let message = format!("{name} is neutral and in no neutral city");
            return Err(Refusal::new(Rule::C19_2, "neutral_outside", message)
                .at(at)
                .invariant(8)
                .public());
        }
    }
    Ok(())
}

/// Invariants 6 and 7: who may share a hex.
pub(super) fn check_company(setup: &Setup, state: &State) -> Checked {
    for unit in state.units.iter().filter(|unit| unit.is_military()) {
        let place = setup.map.place(unit.at);
        let at = "/units".to_owned();
        if place.city > 0 && state.city(place.city).control != unit.owner {
            let message = format!("u{} is in a city that is not its owner's", unit.id);
            return Err(Refusal::new(Rule::C19_2, "foreign_troops_in_city", message)
                .at(at)
                .invariant(6)
                .public());
        }
        for other in state.units_at(unit.at).filter(|other| other.owner != unit.owner) {
            let message = format!("u{} and u{} share {}", unit.id, other.id, place.hex);
            if other.is_military() {
                return Err(Refusal::new(Rule::C19_2, "mixed_hex", message)
                    .at(at)
                    .invariant(6)
                    .public());
            }
            if other.kind.is_leader() && unit.owner.is_some() {
                return Err(Refusal::new(Rule::C19_2, "leader_among_enemies", message)
                    .at(at)
                    .invariant(7)
                    .public());
            }
        }
    }
    let gone = |unit: &&Unit| unit.owner.is_some_and(|owner| !state.playing.contains(owner));
    match state.units.iter().find(gone) {
        None => Ok(()),
        Some(unit) => {
            let message = format!("the owner of u{} is out of the game", unit.id);
            Err(Refusal::new(Rule::C19_2, "player_is_out", message)
                .at("/units")
                .invariant(9)
                .public())
        }
    }
}
