//! Orders to move, to embark and to land.
//!
//! Must use the predicates of the chapters, so that what is offered is what is accepted.

use super::ranges::Range;
use super::{Flow, GO, Lister};
use crate::action::{Action, Disembark, Embark, Move};
use crate::ch13_movement::{Walker, may_enter};
use crate::setup::map::At;
use crate::state::Unit;
use crate::tables::{CARGO, Kind};
use crate::{Doubloons, ch11_production, ch13_movement};
use umpire_core::board::hex::Hex;
use umpire_core::game::Menu;

impl Lister<'_> {
    /// Own units by hex: those of one class that are not aboard.
    fn stacks(self, ships: bool) -> Vec<(At, Vec<u32>)> {
        let mut stacks: Vec<(At, Vec<u32>)> = Vec::new();
        for unit in self.state.units_of(Some(self.player)) {
            if unit.aboard != 0 || unit.kind.is_ship() != ships || !self.can_take_orders(unit) {
                continue;
            }
            match stacks.iter_mut().find(|it| it.0 == unit.at) {
                Some(stack) => stack.1.push(unit.id),
                None => stacks.push((unit.at, vec![unit.id])),
            }
        }
        stacks
    }

    fn can_take_orders(self, unit: &Unit) -> bool {
        let Lister { setup, state, .. } = self;
        unit.kind != Kind::Militia
            && !state.is_held(unit)
            && ch11_production::check_not_fresh(setup, state, [unit.id]).is_ok()
            && !state.cargo(unit.id).any(|cargo| state.is_held(cargo))
    }

    /// Groups worth listing: each unit alone, troops with an officer, and all together.
    fn groups(self, units: &[u32]) -> Vec<Vec<u32>> {
        let mut groups: Vec<Vec<u32>> = units.iter().map(|&id| vec![id]).collect();
        let unit = |id: u32| self.state.unit(id);
        let officers =
            units.iter().filter_map(|&id| unit(id)).filter(|it| it.kind == Kind::Officer);
        let officer =
            officers.max_by_key(|it| (it.points, std::cmp::Reverse(it.id))).map(|it| it.id);
        if let Some(officer) = officer {
            for &id in units {
                let troops = unit(id).is_some_and(|it| it.is_military());
                if troops {
                    let mut pair = vec![id, officer];
                    pair.sort_unstable();
                    groups.push(pair);
                }
            }
        }
        let known = units.len() == 1 || groups.iter().any(|group| group == units);
        if !known {
            groups.push(units.to_vec());
        }
        groups
    }

    pub(super) fn moves<M: Menu<Doubloons>>(self, menu: &mut M) -> Flow {
        for ships in [false, true] {
            for (from, units) in self.stacks(ships) {
                let mut any = false;
                for group in self.groups(&units) {
                    self.ways(from, &group, &mut |it| {
                        any = true;
                        menu.action(Action::Move(it))
                    })?;
                }
                if any {
                    let from = self.setup.map.place(from).hex;
                    menu.range(Range::Move { player: self.player, from, units })?;
                }
            }
        }
        GO
    }

    /// A cheapest way to every hex that a group can reach.
    fn ways(self, from: At, group: &[u32], to: &mut dyn FnMut(Move) -> Flow) -> Flow {
        let Lister { setup, state, player } = self;
        let walkers: Vec<Walker> =
            group.iter().filter_map(|&id| state.unit(id)).map(Walker::new).collect();
        let some =
            setup.map.around(from).any(|it| may_enter(setup, state, player, &walkers, from, it));
        if !some {
            return GO;
        }
        let hex = |at: At| setup.map.place(at).hex;
        let mut first = Move { player, units: group.to_vec(), path: vec![] };
        let step =
            setup.map.around(from).find(|&it| may_enter(setup, state, player, &walkers, from, it));
        first.path.extend(step.map(hex));
        if ch13_movement::check_move(setup, state, &first).is_err() {
            return GO;
        }
        // Cheapest first: what is reached is reached with the most points left in sum.
        let sum = |walkers: &[Walker]| walkers.iter().map(|it| u32::from(it.points)).sum::<u32>();
        let mut open: Vec<(u32, At, Vec<Walker>, Vec<Hex>)> =
            vec![(sum(&walkers), from, walkers, Vec::new())];
        let mut seen: Vec<At> = Vec::new();
        while let Some(best) = (0..open.len()).max_by_key(|&at| (open[at].0, usize::MAX - at)) {
            let (_, here, walkers, path) = open.remove(best);
            if seen.contains(&here) {
                continue;
            }
            seen.push(here);
            if !path.is_empty() {
                to(Move { player, units: group.to_vec(), path: path.clone() })?;
            }
            for next in setup.map.around(here) {
                if seen.contains(&next) || !may_enter(setup, state, player, &walkers, here, next) {
                    continue;
                }
                let mut walkers = walkers.clone();
                walkers.iter_mut().for_each(|it| it.pay(setup, next));
                let mut path = path.clone();
                path.push(hex(next));
                open.push((sum(&walkers), next, walkers, path));
            }
        }
        GO
    }

    pub(super) fn boarding<M: Menu<Doubloons>>(self, menu: &mut M) -> Flow {
        let Lister { setup, state, player } = self;
        let ships = state.units_of(Some(player)).filter(|it| it.kind == Kind::Galleon);
        for ship in ships {
            for (from, units) in self.stacks(false) {
                let near = from == ship.at || setup.map.adjacent(from, ship.at);
                if !near {
                    continue;
                }
                let mut any = false;
                for group in self.groups(&units) {
                    let it = Embark { player, ship: ship.id, units: group };
                    if ch13_movement::check_embark(setup, state, &it).is_ok() {
                        any = true;
                        menu.action(Action::Embark(it))?;
                    }
                }
                if any {
                    let room = CARGO - state.cargo(ship.id).count();
                    let from = setup.map.place(from).hex;
                    let ship = ship.id;
                    menu.range(Range::Embark { player, ship, from, units, room: room as u32 })?;
                }
            }
        }
        GO
    }

    pub(super) fn landing<M: Menu<Doubloons>>(self, menu: &mut M) -> Flow {
        let Lister { setup, state, player } = self;
        let ships = state.units_of(Some(player)).filter(|it| it.kind == Kind::Galleon);
        for ship in ships {
            let cargo = state.cargo(ship.id).filter(|unit| self.can_take_orders(unit));
            let units: Vec<u32> = cargo.map(|unit| unit.id).collect();
            if units.is_empty() {
                continue;
            }
            for at in std::iter::once(ship.at).chain(setup.map.around(ship.at)) {
                let to = setup.map.place(at).hex;
                // Whoever can go ashore can do so in one of these groups.
                let mut some: Vec<u32> = Vec::new();
                for group in self.groups(&units) {
                    let it = Disembark { player, ship: ship.id, units: group, to };
                    if ch13_movement::check_disembark(setup, state, &it).is_ok() {
                        some.extend(&it.units);
                        menu.action(Action::Disembark(it))?;
                    }
                }
                if !some.is_empty() {
                    some.sort_unstable();
                    some.dedup();
                    menu.range(Range::Disembark { player, ship: ship.id, to, units: some })?;
                }
            }
        }
        GO
    }
}
