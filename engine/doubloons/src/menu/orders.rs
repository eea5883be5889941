//! Orders to move, to embark and to land.
//!
//! Must use the predicates of the chapters, so that what is offered is what is accepted.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::list::{Flow, GO, Lister};
use super::ranges::Range;
use crate::action::{Action, Disembark, Embark, Move};
use crate::ch01_terms::ClosedHexes;
use crate::ch13_movement::boarding::{self, is_in_reach, room};
use crate::ch13_movement::{Walker, can_board, can_march, is_kept, may_enter, walkers};
use crate::setup::Setup;
use crate::setup::map::At;
use crate::state::{State, Unit};
use crate::tables::Kind;
use crate::{Doubloons, ch11_production, ch13_movement};
use umpire_core::game::Menu;

/// What a listing of orders asks again and again, worked out once for all units.
struct Outlook {
    /// Each unit aboard, by its place, under its galleon: by rising galleon, then by rising unit.
    cargo: Vec<(u32, usize)>,
    closed: ClosedHexes,
}

impl Outlook {
    /// The outlook of a player.
    fn new(lister: Lister<'_>) -> Outlook {
        let Lister { setup, state, player } = lister;
        let units = state.units.iter().enumerate();
        let mut cargo: Vec<(u32, usize)> =
            units.filter(|(_, it)| it.aboard != 0).map(|(at, it)| (it.aboard, at)).collect();
        cargo.sort_unstable();
        Outlook { cargo, closed: ClosedHexes::of(setup, state, player) }
    }

    /// The units aboard a galleon, by rising number.
    fn cargo<'a>(&self, state: &'a State, ship: u32) -> impl Iterator<Item = &'a Unit> {
        let from = self.cargo.partition_point(|it| it.0 < ship);
        let aboard = self.cargo[from..].iter().take_while(move |it| it.0 == ship);
        aboard.map(|it| &state.units[it.1])
    }
}

impl Lister<'_> {
    /// DBD-13.1 All orders of the movement phase.
    pub(super) fn list_orders<M: Menu<Doubloons>>(self, menu: &mut M) -> Flow {
        let outlook = Outlook::new(self);
        self.list_moves(&outlook, menu)?;
        self.list_embarks(&outlook, menu)?;
        self.list_landings(&outlook, menu)
    }

    /// Own units by hex: those of one class that are not aboard.
    fn stacks(
        self,
        outlook: &Outlook,
        ships: bool,
        can_go: fn(&Setup, &Unit) -> bool,
    ) -> Vec<(At, Vec<u32>)> {
        let mut stacks: Vec<(At, Vec<u32>)> = Vec::new();
        let mut stack_of: Vec<Option<usize>> = vec![None; self.setup.map.places.len()];
        for unit in self.state.units_of(Some(self.player)) {
            let here = unit.aboard == 0 && unit.kind.is_ship() == ships;
            if !here || !can_go(self.setup, unit) || !self.can_take_orders(outlook, unit) {
                continue;
            }
            let stack = *stack_of[usize::from(unit.at)].get_or_insert_with(|| {
                stacks.push((unit.at, Vec::new()));
                stacks.len() - 1
            });
            stacks[stack].1.push(unit.id);
        }
        stacks
    }

    /// DBD-13.9, DBD-11.4 Whether a unit can be named in an order.
    fn can_take_orders(self, outlook: &Outlook, unit: &Unit) -> bool {
        let Lister { setup, state, .. } = self;
        !is_kept(setup, state, unit, outlook.cargo(state, unit.id))
            && !ch11_production::must_wait(setup, unit)
    }

    /// Groups worth listing: each unit alone, troops with an officer, and all together.
    fn groups(self, units: &[u32]) -> Vec<Vec<u32>> {
        let mut groups: Vec<Vec<u32>> = units.iter().map(|&id| vec![id]).collect();
        let unit = |id: u32| self.state.unit(id);
        let officers =
            units.iter().filter_map(|&id| unit(id)).filter(|it| it.kind == Kind::Officer);
        let officer = officers.max_by_key(|it| (it.points, Reverse(it.id))).map(|it| it.id);
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

    /// DBD-13.2 Moves worth listing of each stack, and all others by their bounds.
    fn list_moves<M: Menu<Doubloons>>(self, outlook: &Outlook, menu: &mut M) -> Flow {
        for ships in [false, true] {
            for (from, units) in self.stacks(outlook, ships, can_march) {
                let mut any = false;
                for group in self.groups(&units) {
                    self.ways(outlook, from, &group, &mut |it| {
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
    fn ways(
        self,
        outlook: &Outlook,
        from: At,
        group: &[u32],
        to: &mut dyn FnMut(Move) -> Flow,
    ) -> Flow {
        let Lister { setup, state, player } = self;
        let walkers = walkers(setup, state, group);
        let closed = |military, at| outlook.closed.is_closed(military, at);
        let mut around = setup.map.around(from);
        let Some(step) = around.find(|&it| may_enter(setup, &walkers, from, it, closed)) else {
            return GO;
        };
        let hex = |at: At| setup.map.place(at).hex;
        let first = Move { player, units: group.to_vec(), path: vec![hex(step)] };
        if ch13_movement::check_move(setup, state, &first).is_err() {
            return GO;
        }
        // Cheapest first: what is reached is reached with the most points left in sum; of equals what was seen first.
        let sum = |walkers: &[Walker]| walkers.iter().map(|it| u32::from(it.points)).sum::<u32>();
        let size = walkers.len();
        let mut open = BinaryHeap::from([(sum(&walkers), Reverse(0))]);
        // Each step with the one before it, and with what is left to everybody after it.
        let mut steps: Vec<(At, usize)> = vec![(from, 0)];
        let mut left: Vec<Walker> = walkers;
        let mut seen = vec![false; setup.map.places.len()];
        while let Some((_, Reverse(step))) = open.pop() {
            let here = steps[step].0;
            if std::mem::replace(&mut seen[usize::from(here)], true) {
                continue;
            }
            if step > 0 {
                let mut path = Vec::new();
                let mut at = step;
                while at > 0 {
                    path.push(hex(steps[at].0));
                    at = steps[at].1;
                }
                path.reverse();
                to(Move { player, units: group.to_vec(), path })?;
            }
            for next in setup.map.around(here) {
                let walkers = step * size..(step + 1) * size;
                if seen[usize::from(next)]
                    || !may_enter(setup, &left[walkers.clone()], here, next, closed)
                {
                    continue;
                }
                let new = left.len();
                left.extend_from_within(walkers);
                left[new..].iter_mut().for_each(|it| it.pay(setup, next));
                open.push((sum(&left[new..]), Reverse(steps.len())));
                steps.push((next, step));
            }
        }
        GO
    }

    /// DBD-13.12 Who can go aboard which galleon.
    fn list_embarks<M: Menu<Doubloons>>(self, outlook: &Outlook, menu: &mut M) -> Flow {
        let Lister { setup, state, player } = self;
        let ships = state.units_of(Some(player)).filter(|it| it.kind == Kind::Galleon);
        let stacks = self.stacks(outlook, false, can_board);
        for ship in ships {
            let taken = boarding::places_of(setup, outlook.cargo(state, ship.id));
            for (from, units) in &stacks {
                let all = || units.iter().filter_map(|&id| state.unit(id));
                // Who takes no place (DBD-R57) finds room.
                let free = units.len() - boarding::places_of(setup, all());
                let room = room(taken) + free;
                if room == 0 || !is_in_reach(setup, ship, *from) {
                    continue;
                }
                let mut any = false;
                for group in self.groups(units) {
                    let it = Embark { player, ship: ship.id, units: group };
                    if boarding::check_embark(setup, state, &it, taken).is_ok() {
                        any = true;
                        menu.action(Action::Embark(it))?;
                    }
                }
                if any {
                    let from = setup.map.place(*from).hex;
                    let (ship, units, room) = (ship.id, units.clone(), room as u32);
                    menu.range(Range::Embark { player, ship, from, units, room })?;
                }
            }
        }
        GO
    }

    /// DBD-13.13 Who can go ashore where.
    fn list_landings<M: Menu<Doubloons>>(self, outlook: &Outlook, menu: &mut M) -> Flow {
        let Lister { setup, state, player } = self;
        let closed = |military, at| outlook.closed.is_closed(military, at);
        let ships = state.units_of(Some(player)).filter(|it| it.kind == Kind::Galleon);
        for ship in ships {
            let cargo = outlook.cargo(state, ship.id);
            let cargo = cargo.filter(|unit| self.can_take_orders(outlook, unit));
            let units: Vec<u32> = cargo.map(|unit| unit.id).collect();
            if units.is_empty() {
                continue;
            }
            let near = std::iter::once(ship.at).chain(setup.map.around(ship.at));
            for at in near.filter(|&at| is_in_reach(setup, ship, at)) {
                let to = setup.map.place(at).hex;
                // Whoever can go ashore can do so in one of these groups.
                let mut some: Vec<u32> = Vec::new();
                for group in self.groups(&units) {
                    let it = Disembark { player, ship: ship.id, units: group, to };
                    if boarding::check_disembark(setup, state, &it, &closed).is_ok() {
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
