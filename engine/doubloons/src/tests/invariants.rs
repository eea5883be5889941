//! The invariants of part H, of a state and of a step.

use crate::action::Player;
use crate::ch01_terms::may_share_hexes;
use crate::ch13_movement::boarding::places_of;
use crate::notice::Happening;
use crate::position::is_spared;
use crate::rulebook::{
    BattleLength, CeasingRoutes, Conquest, MilitiaMoves, NeutralLeaders, NewPrince, Sharing,
    Shipyards,
};
use crate::state::{Route, Stage, State, Term};
use crate::tables::{CARGO, Kind, Terrain};
use crate::{Doubloons, Event, Setup, ch15_routes};
use umpire_core::game::Table;

/// Invariants 1 to 11, 13, 15, 21 and 29 of a state.
pub(super) fn check_state(setup: &Setup, state: &State) {
    let ids: Vec<u32> = state.units.iter().map(|unit| unit.id).collect();
    assert!(ids.windows(2).all(|pair| pair[0] < pair[1]), "2: ids are unique and rise");
    assert!(ids.last().is_none_or(|&last| last < state.next_unit), "2: ids are not used again");
    for unit in &state.units {
        let place = setup.map.place(unit.at);
        let terrain = place.terrain;
        assert_ne!(terrain, Terrain::Treacherous, "3");
        if unit.kind.is_ship() {
            let dock = place.city > 0 && setup.rulings.shipyards == Shipyards::Anywhere;
            assert!((place.open_to_ships || dock) && unit.aboard == 0, "3, 5: {unit:?}");
        } else if unit.aboard == 0 {
            assert!(terrain.land_cost().is_some(), "3: {unit:?}");
        } else {
            let ship = state.unit(unit.aboard).expect("5: the ship is in play");
            assert_eq!((ship.kind, ship.at, ship.owner), (Kind::Galleon, unit.at, unit.owner), "5");
            assert!(places_of(setup, state.cargo(ship.id)) <= CARGO, "5");
        }
        if unit.kind == Kind::Militia {
            let rides = unit.aboard != 0 && setup.rulings.militia == MilitiaMoves::ByShip;
            assert!(terrain == Terrain::City || rides, "4");
        }
        let spares = setup.rulings.neutral_leaders == NeutralLeaders::Spared;
        if unit.owner.is_none() && !(spares && unit.kind.is_leader()) {
            assert!(place.city > 0 && state.city(place.city).control.is_none(), "8: {unit:?}");
        }
        assert!(unit.owner.is_none_or(|owner| state.playing.contains(owner)), "18.3");
        assert!(unit.points <= unit.kind.points(), "15");
        if unit.is_military() {
            let shares = may_share_hexes(setup);
            if place.city > 0 && !shares {
                assert_eq!(state.city(place.city).control, unit.owner, "6: {unit:?}");
            }
            for other in state.units_at(unit.at).filter(|other| other.owner != unit.owner) {
                assert!(!other.is_military() || shares, "6");
                let Some(captor) = unit.owner else { continue };
                if other.kind.is_leader() {
                    assert!(is_spared(setup, state, other, captor), "7: {unit:?} {other:?}");
                }
            }
        }
    }
    for (at, route) in state.routes.iter().enumerate() {
        let (from, to) = (state.city(route.from), state.city(route.to));
        assert_ne!(route.from, route.to, "10");
        let moved_on = setup.rulings.new_prince == NewPrince::NeutralOnly;
        if setup.rulings.ceasing == CeasingRoutes::ToIt || moved_on {
            assert!(state.playing.contains(route.owner), "10");
        } else {
            assert_eq!(from.control, Some(route.owner), "10");
        }
        let good = route.good as usize;
        let before = &state.routes[..=at];
        let supply = before.iter().filter(|it| it.from == route.from && it.good == route.good);
        let shared = setup.rulings.sharing == Sharing::PerOwner;
        let counts = |it: &&Route| !shared || it.owner == route.owner;
        let demand = before.iter().filter(|it| it.to == route.to && it.good == route.good);
        let demand = demand.filter(counts);
        assert!(supply.count() <= usize::from(from.supply[good]), "10");
        assert!(demand.count() <= usize::from(to.demand[good]) || moved_on, "10");
        let friendly =
            to.control.is_none_or(|it| it == route.owner || state.are_friends(route.owner, it));
        assert!(friendly || moved_on, "11");
    }
    if matches!(state.stage, Stage::Bid) {
        assert_eq!(state.favor, None, "13: none survives a round end");
    }
    for player in setup.all() {
        let all = state.cities_of(player) as usize == state.cities.len();
        let bought = setup.rulings.conquest == Conquest::Taken;
        assert!(!all || state.ended.is_some() || bought, "29");
        let nothing = state.cities_of(player) == 0 && state.units_of(Some(player)).count() == 0;
        assert!(!nothing || !state.playing.contains(player) || state.ended.is_some(), "18.3");
    }
    if state.stage.is_main() {
        let order: Vec<Player> = state.order.iter().collect();
        for player in state.playing.iter() {
            assert_eq!(order.iter().filter(|&&it| it == player).count(), 1, "21");
        }
    }
}

/// Invariants 2, 12, 14, 16 to 20 and 22 of a step, read off its events.
pub(super) fn check_step(before: &Table<Doubloons>, after: &Table<Doubloons>) {
    let skip = before.log().unwrap().events.len();
    let setup = after.setup();
    let mut created = 0;
    let mut destroyed = 0;
    let goes_on = setup.rulings.battle_length == BattleLength::ToTheEnd;
    let mut thrown: Vec<u32> = Vec::new();
    let mut fallen: Vec<u32> = Vec::new();
    for logged in &after.log().unwrap().events[skip..] {
        let Event::Public(happening) = &logged.event else { continue };
        match happening {
            Happening::UnitCreated { .. } => created += 1,
            Happening::UnitDestroyed { unit, .. } | Happening::UnitCaptured { unit, .. } => {
                destroyed += 1;
                fallen.push(*unit);
            }
            Happening::UnitsDisbanded { units, .. } => destroyed += units.len(),
            Happening::AttackDeclared { units, .. } => {
                thrown.clear();
                for &id in units {
                    let unit = before.state().unit(id).unwrap();
                    assert!(!before.state().is_stopped(unit), "16");
                    assert_ne!(unit.kind, Kind::Militia, "16");
                    assert!(!(unit.kind == Kind::Cannon && unit.moved), "16");
                    assert!(!unit.attacked || unit.kind == Kind::Officer, "16");
                }
            }
            Happening::BattleDie { unit, target, .. } => {
                assert!(goes_on || !thrown.contains(unit), "18: one die a battle");
                assert!(!fallen.contains(unit), "17: what fell throws no more");
                let of = |id: u32| before.state().unit(id).unwrap();
                assert!(of(*unit).is_military(), "18");
                assert!(!fallen.contains(target), "18: the target is there");
                thrown.push(*unit);
            }
            Happening::BidsRevealed { bids, .. } => {
                for (player, bid) in bids.iter() {
                    assert!(*bid <= before.state().gold(*player), "19");
                }
            }
            Happening::DealDone { .. } => {
                let sum = |state: &State| state.gold.iter().map(|&it| u64::from(it)).sum::<u64>();
                let out = setup.all().any(|it| {
                    before.state().playing.contains(it) && !after.state().playing.contains(it)
                });
                if after.state().stage == Stage::Trading && !out {
                    assert_eq!(sum(before.state()), sum(after.state()), "20");
                }
            }
            _ => {}
        }
    }
    let (was, is) = (before.state().units.len(), after.state().units.len());
    assert_eq!(was + created, is + destroyed, "2: created = in play + destroyed");
    let routes_over = before.state().stage == Stage::Routes
        && after.state().stage == Stage::Diplomacy
        && before.state().active == after.state().active;
    if let (true, Some(active)) = (routes_over, after.state().active) {
        assert_eq!(ch15_routes::own_routes(setup, after.state(), active), [], "12");
    }
    for (city, marks) in after.state().cities.iter().enumerate() {
        let over = |term: Term| term == Term::NONE || after.state().in_force(term);
        let fresh = over(marks.no_income) && over(marks.no_recruits) && over(marks.protected);
        assert!(fresh, "22: {city}");
    }
}
