//! What is listed, and what a listing works out once for all.

use super::{OPTIONS, play, setup};
use crate::action::Player;
use crate::ch01_terms::{ClosedHexes, is_closed};
use crate::setup::map::At;
use crate::{Doubloons, Range};
use umpire_core::chance::seeded::Seeded;
use umpire_core::game::{Game, Keep, Listing, Table};

/// The ranges that are offered at a position.
fn ranges(position: &str) -> Vec<Range> {
    let setup = setup(OPTIONS[0]);
    let state = Doubloons::load(&setup, serde_json::from_str(position).unwrap()).unwrap();
    let mut chance = Seeded::new("ranges", Doubloons::META.streams);
    let table = Table::<Doubloons>::resume(setup, state, &mut chance, Keep::Nothing).unwrap();
    let mut listing = Listing { actions: Vec::new(), ranges: Vec::new(), most: usize::MAX };
    let _ = table.legal(table.decision().seats.iter().next().unwrap(), &mut listing);
    listing.ranges
}

/// DBD-13.9 Who is held is in no range; DBD-14.4 an officer of any hex next to the target may come along.
#[test]
fn ranges_name_those_who_can() {
    let aboard = r#"{"round": 3, "state": {"phase": "movement", "active": "p1"}, "units": [
        {"id": 20, "type": "galleon", "owner": "p1", "at": [3, 6]},
        {"id": 21, "type": "musketeers", "owner": "p1", "at": [3, 6], "aboard": 20, "held_until": 4},
        {"id": 22, "type": "officer", "owner": "p1", "at": [3, 6], "aboard": 20}]}"#;
    let landing: Vec<_> = ranges(aboard)
        .into_iter()
        .filter_map(|range| match range {
            Range::Disembark { units, .. } => Some(units),
            _ => None,
        })
        .collect();
    assert!(!landing.is_empty() && landing.iter().all(|units| units == &[22]), "{landing:?}");
    let attack = r#"{"round": 3, "state": {"phase": "battle", "active": "p1"}, "units": [
        {"id": 20, "type": "cannon", "owner": "p1", "at": [2, 5]},
        {"id": 21, "type": "officer", "owner": "p1", "at": [2, 5]},
        {"id": 22, "type": "officer", "owner": "p1", "at": [4, 4]},
        {"id": 30, "type": "caravan", "owner": "p2", "at": [3, 4]}]}"#;
    let attacks = ranges(attack).into_iter().find_map(|range| match range {
        Range::Attack { units, .. } => Some(units),
        _ => None,
    });
    assert_eq!(attacks, Some(vec![20, 21, 22]));
}

/// DBD-1.7 The hexes that are closed, worked out at once, are those that are closed one by one.
#[test]
fn closed_hexes_are_the_same_at_once_and_one_by_one() {
    for protection in ["attack_only", "entry_too"] {
        let rulings = format!(r#"{{"players": 3, "rulings": {{"DBD-R23": "{protection}"}}}}"#);
        play(&rulings, "closed", 300, |_, after, _| {
            let (setup, state) = (after.setup(), after.state());
            for player in setup.all() {
                let closed = ClosedHexes::of(setup, state, player);
                for at in 0..setup.map.places.len() as At {
                    for military in [false, true] {
                        let alone = is_closed(setup, state, player, military, at);
                        assert_eq!(closed.is_closed(military, at), alone, "{player} {at}");
                    }
                }
            }
        });
    }
}

/// DBD-1.5 Every stack is met once, in the order of its first unit.
#[test]
fn stacks_are_met_in_the_order_of_their_units() {
    play(OPTIONS[2], "stacks", 300, |_, after, _| {
        let state = after.state();
        let mut stacks: Vec<(At, Player)> = Vec::new();
        for unit in &state.units {
            let stack = unit.owner.map(|owner| (unit.at, owner));
            stacks.extend(stack.filter(|stack| !stacks.contains(stack)));
        }
        assert_eq!(state.stacks(after.setup()).collect::<Vec<_>>(), stacks);
    });
}
