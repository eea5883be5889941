//! Attacks, and the targets of a step.
//!
//! Must use the predicates of the chapters, so that what is offered is what is accepted.

use std::collections::BTreeSet;

use super::list::{Flow, GO, Lister};
use super::ranges::{Aims, Range};
use crate::action::{Action, Attack, DeclareTargets, StackOwner};
use crate::ch01_terms::has_garrison_to_come;
use crate::ch14_battle::Strike;
use crate::rulebook::Stacks;
use crate::setup::map::At;
use crate::{Doubloons, ch14_battle};
use umpire_core::game::Menu;

impl Lister<'_> {
    /// Hexes next to own units where somebody is to be attacked.
    fn attackable(self) -> Vec<At> {
        let Lister { setup, state, player } = self;
        let mut beside = vec![false; setup.map.places.len()];
        let own: BTreeSet<At> = state.units_of(Some(player)).map(|unit| unit.at).collect();
        for at in own.into_iter().flat_map(|at| setup.map.around(at)) {
            beside[usize::from(at)] = true;
        }
        let others = state.units.iter().filter(|unit| unit.owner != Some(player));
        // DBD-R8 Some garrisons are still to come.
        let to_come = (1..=setup.map.cities()).map(|city| setup.map.site(city).at);
        let to_come = to_come.filter(|&at| has_garrison_to_come(setup, state, at));
        let all = others.map(|unit| unit.at).chain(to_come);
        let mut targets: Vec<At> = all.filter(|&at| beside[usize::from(at)]).collect();
        targets.sort_unstable();
        targets.dedup();
        targets
    }

    /// Those who can take part in an attack on a hex, by hex: who throws, and the officers, who may
    /// come along even without troops.
    fn forces(self, strike: Strike) -> Vec<(Vec<u32>, Vec<u32>)> {
        let Lister { setup, state, player } = self;
        let mut forces = Vec::new();
        for from in setup.map.around(strike.target) {
            let own = || state.units_at(from).filter(|unit| unit.owner == Some(player));
            let able = own().filter(|unit| ch14_battle::is_able(setup, state, unit, strike));
            let able: Vec<u32> = able.map(|unit| unit.id).collect();
            let leads = own().filter(|unit| ch14_battle::may_lead(setup, state, unit));
            let officers: Vec<u32> = leads.map(|unit| unit.id).collect();
            if !able.is_empty() || !officers.is_empty() {
                forces.push((able, officers));
            }
        }
        forces
    }

    /// DBD-14.1 Attacks worth listing on each hex, and all others by their bounds.
    pub(super) fn list_attacks<M: Menu<Doubloons>>(self, menu: &mut M) -> Flow {
        let Lister { setup, state, player } = self;
        let attackable = self.attackable().into_iter();
        for strike in attackable.flat_map(|at| ch14_battle::strikes(setup, state, player, at)) {
            let target = setup.map.place(strike.target).hex;
            let owner = strike.owner.map(StackOwner::of);
            let mut any = false;
            for units in self.forces_listed(strike) {
                let it = Attack { player, target, units, owner };
                if ch14_battle::check_attack(setup, state, &it).is_ok() {
                    any = true;
                    menu.action(Action::Attack(it))?;
                }
            }
            if any {
                let forces = self.forces(strike);
                let mut units: Vec<u32> = forces
                    .into_iter()
                    .flat_map(|(able, led)| able.into_iter().chain(led))
                    .collect();
                units.sort_unstable();
                menu.range(Range::Attack { player, target, units, owner })?;
            }
        }
        GO
    }

    /// Attacks worth listing: each unit with one officer, each hex with all it has, all hexes.
    fn forces_listed(self, strike: Strike) -> Vec<Vec<u32>> {
        let forces = self.forces(strike);
        let mut listed: Vec<Vec<u32>> = Vec::new();
        let mut add = |mut units: Vec<u32>| {
            units.sort_unstable();
            if !listed.contains(&units) {
                listed.push(units);
            }
        };
        let ship = |id: u32| self.state.unit(id).is_some_and(|unit| unit.kind.is_ship());
        let led = |able: &[u32], officers: &[u32], all: bool| {
            let mut units = able.to_vec();
            if able.iter().any(|&id| !ship(id)) {
                let count = if all { officers.len() } else { 1 };
                units.extend(officers.iter().take(count));
            }
            units
        };
        for (able, officers) in forces.iter().filter(|(able, _)| !able.is_empty()) {
            if self.setup.rulings.stacks == Stacks::Chosen {
                able.iter().for_each(|&id| add(led(&[id], officers, false)));
            }
            add(led(able, officers, true));
            let ships: Vec<u32> = able.iter().copied().filter(|&id| ship(id)).collect();
            if !ships.is_empty() {
                add(ships);
            }
        }
        add(forces.iter().flat_map(|(able, officers)| led(able, officers, true)).collect());
        listed
    }

    /// DBD-14.11 Every declaration where there are few, and all by their bounds.
    pub(super) fn list_targets<M: Menu<Doubloons>>(self, menu: &mut M) -> Flow {
        const LISTED: usize = 64;
        let Lister { setup, state, player } = self;
        let side = ch14_battle::asked_side(setup, state);
        let ways = side.iter().try_fold(1usize, |ways, it| ways.checked_mul(it.1.len()));
        if ways.is_some_and(|ways| ways <= LISTED) {
            for way in 0..ways.unwrap_or(0) {
                let mut rest = way;
                let mut targets = Vec::with_capacity(side.len());
                for (unit, legal) in &side {
                    targets.push((*unit, legal[rest % legal.len()]));
                    rest /= legal.len();
                }
                let it = DeclareTargets { player, targets, all: None };
                menu.action(Action::DeclareTargets(it))?;
            }
        } else {
            let first = side.first().map(|it| it.1.clone()).unwrap_or_default();
            for all in first {
                if side.iter().all(|(_, legal)| legal.contains(&all)) {
                    let targets = side.iter().map(|it| (it.0, all)).collect();
                    let it = DeclareTargets { player, targets, all: None };
                    menu.action(Action::DeclareTargets(it))?;
                }
            }
        }
        let units = side.into_iter().map(|(unit, targets)| Aims { unit, targets }).collect();
        menu.range(Range::DeclareTargets { player, units })
    }
}
