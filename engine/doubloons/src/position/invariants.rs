//! The invariants of part H about where units may be, and in whose company.
//!
//! Must not change the state.

use crate::action::Player;
use crate::ch01_terms::{are_allies, may_share_hexes};
use crate::ch13_movement::boarding::places_of;
use crate::rulebook::{Capture, MilitiaMoves, NeutralLeaders, Rule, Shipyards};
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
            if places_of(setup, state.cargo(unit.aboard)) > CARGO {
                let message = format!("u{} carries more than {CARGO}", unit.aboard);
                return Err(Refusal::new(Rule::C19_2, "galleon_overloaded", message)
                    .at(at)
                    .invariant(5)
                    .public());
            }
        }
        let stands = if unit.kind.is_ship() {
            place.open_to_ships
                || (place.city > 0 && setup.rulings.shipyards == Shipyards::Anywhere)
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
        let carried = unit.aboard != 0;
        let by_ship = carried && setup.rulings.militia == MilitiaMoves::ByShip;
        let stays = place.terrain == Terrain::City && !carried;
        if unit.kind == Kind::Militia && !stays && !by_ship {
            let message = format!("{name} is in no city");
            return Err(Refusal::new(Rule::C19_2, "militia_outside", message)
                .at(at)
                .invariant(4)
                .public());
        }
        let neutral_city = place.city > 0 && state.city(place.city).control.is_none();
        // Spared leaders stay where they are (DBD-R89).
        let spared =
            unit.kind.is_leader() && setup.rulings.neutral_leaders == NeutralLeaders::Spared;
        if unit.owner.is_none() && !neutral_city && !spared {
            let message = format!("{name} is neutral and in no neutral city");
            return Err(Refusal::new(Rule::C19_2, "neutral_outside", message)
                .at(at)
                .invariant(8)
                .public());
        }
    }
    Ok(())
}

/// Invariant 7: whether a leader may be among the troops of a player (DBD-R54, DBD-R89, DBD-R94).
pub(crate) fn is_spared(setup: &Setup, state: &State, leader: &Unit, captor: Player) -> bool {
    setup.rulings.capture == Capture::OnEntering
        || match leader.owner {
            None => setup.rulings.neutral_leaders == NeutralLeaders::Spared,
            Some(owner) => are_allies(setup, state, owner, captor),
        }
}

/// Invariants 6 and 7: who may share a hex.
pub(super) fn check_company(setup: &Setup, state: &State) -> Checked {
    let may_share = may_share_hexes(setup);
    for unit in state.units.iter().filter(|unit| unit.is_military()) {
        let place = setup.map.place(unit.at);
        let at = "/units".to_owned();
        if !may_share && place.city > 0 && state.city(place.city).control != unit.owner {
            let message = format!("u{} is in a city that is not its owner's", unit.id);
            return Err(Refusal::new(Rule::C19_2, "foreign_troops_in_city", message)
                .at(at)
                .invariant(6)
                .public());
        }
        for other in state.units_at(unit.at).filter(|other| other.owner != unit.owner) {
            let message = format!("u{} and u{} share {}", unit.id, other.id, place.hex);
            if other.is_military() && !may_share {
                return Err(Refusal::new(Rule::C19_2, "mixed_hex", message)
                    .at(at)
                    .invariant(6)
                    .public());
            }
            let captor = unit.owner.filter(|_| other.kind.is_leader());
            if captor.is_some_and(|captor| !is_spared(setup, state, other, captor)) {
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
