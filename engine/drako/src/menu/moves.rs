//! The moves that a card allows the dwarves, as one group: counted without being listed.
//!
//! Must not know where a dwarf can go but by chapter 6.

use std::ops::ControlFlow;

use crate::action::{Action, CardUse, Dwarf, DwarfMove, Dwarves, Kind, Play, Side, Use};
use crate::ch06_movement;
use crate::rulebook::TwoMoves;
use crate::setup::Setup;
use crate::state::State;
use crate::tables::board::{Spot, Spots};
use umpire_core::game::Group;

/// What the moves of several cards have in common, worked out when first asked for: where each
/// dwarf can go with one step and with two, and how many moves that makes.
#[derive(Default)]
pub(super) struct MoveLists {
    reach: [Option<[Spots; 3]>; 3],
    counts: [[Option<usize>; 2]; 3],
}

impl MoveLists {
    /// The moves of a card.
    pub(super) fn of<'a>(
        &mut self,
        setup: &'a Setup,
        state: &'a State,
        card: Kind,
        option: Use,
        value: u8,
    ) -> DwarfMoves<'a> {
        // No card has a higher value than 2 (`tables::values`).
        let value = value.min(2);
        let reach = *self.reach[usize::from(value)].get_or_insert_with(|| {
            let (occupied, dragon) = (state.occupied(), state.dragon());
            [Dwarf::Fury, Dwarf::Archery, Dwarf::Net].map(|dwarf| match state.dwarf(dwarf) {
                Some(from) => ch06_movement::dwarf_reach(setup, from, value, occupied, dragon),
                None => Spots::NONE,
            })
        });
        let mut moves = DwarfMoves { setup, state, card, option, reach, count: 0 };
        let pairs = usize::from(option == Use::TwoMove);
        let counted = &mut self.counts[usize::from(value)][pairs];
        moves.count = *counted.get_or_insert_with(|| moves.ways_in_all());
        moves
    }
}

/// All moves that one card allows the dwarves: none, one dwarf, and (two-dwarf moves, which
/// always have the value 1) ordered pairs; under DRK-R25 `at_once` pairs in canonical order.
pub(super) struct DwarfMoves<'a> {
    setup: &'a Setup,
    state: &'a State,
    card: Kind,
    option: Use,
    /// Where each dwarf can go, his own hex included; nothing for the dead.
    reach: [Spots; 3],
    count: usize,
}

impl DwarfMoves<'_> {
    fn action(&self, moves: &[(Dwarf, Spot)]) -> Action {
        let moves = moves.iter().map(|&(figure, to)| DwarfMove { figure, to: to.hex() }).collect();
        let used_for = match self.option {
            Use::OneMove => CardUse::OneMove { moves },
            _ => CardUse::TwoMove { moves },
        };
        Action::Play(Play { player: Side::Dwarves, card: self.card, used_for })
    }

    fn reach(&self, dwarf: Dwarf) -> Spots {
        self.reach[dwarf.index()]
    }

    /// No move, one dwarf's moves, and the pairs'.
    fn ways_in_all(&self) -> usize {
        let singles: usize = self.reach.iter().map(|reach| reach.len()).sum();
        let pairs: usize = self.pairs().map(|(first, second)| self.ways(first, second)).sum();
        1 + singles + pairs
    }

    /// Whether both dwarves of a pair leave before either arrives.
    fn at_once(&self) -> bool {
        self.setup.rulings.two_moves == TwoMoves::AtOnce
    }

    /// Ordered pairs of different living dwarves, for a two-dwarf move.
    fn pairs(&self) -> impl Iterator<Item = (Dwarf, Dwarf)> {
        let movers = match self.option {
            Use::TwoMove => self.state.living(),
            _ => Dwarves::NONE,
        };
        let at_once = self.at_once();
        movers
            .iter()
            .flat_map(move |first| movers.without(first).iter().map(move |second| (first, second)))
            .filter(move |(first, second)| !at_once || first < second)
    }

    /// Where the first of a pair can go in one step.
    fn first(&self, first: Dwarf, second: Dwarf) -> Spots {
        match (self.state.dwarf(first), self.state.dwarf(second)) {
            (Some(from), Some(left)) if self.at_once() => {
                let occupied = self.state.occupied().without(left);
                ch06_movement::dwarf_reach(self.setup, from, 1, occupied, self.state.dragon())
            }
            _ => self.reach(first),
        }
    }

    /// Where the second of a pair can go in one step once the first stands on `to`.
    fn second(&self, first: Dwarf, to: Spot, second: Dwarf) -> Spots {
        let (Some(left), Some(from)) = (self.state.dwarf(first), self.state.dwarf(second)) else {
            return Spots::NONE;
        };
        let occupied = self.state.occupied().without(left).with(to);
        let reach = ch06_movement::dwarf_reach(self.setup, from, 1, occupied, self.state.dragon());
        // His own hex is in his reach, though the first may have come there.
        reach.without(to)
    }

    /// How many ways a pair has to move, which is the sum of [`Self::second`] over the first's
    /// reach: for each hex of the first the second has its free neighbours and its own hex, less
    /// the first's new hex if that is one of the neighbours.
    fn ways(&self, first: Dwarf, second: Dwarf) -> usize {
        let (Some(left), Some(from)) = (self.state.dwarf(first), self.state.dwarf(second)) else {
            return 0;
        };
        let reach = self.first(first, second);
        let others = self.state.occupied().without(left);
        let free = from.neighbours().minus(others).len() + 1;
        reach.len() * free - reach.and(from.neighbours().with(from)).len()
    }
}

impl Group<Action> for DwarfMoves<'_> {
    fn count(&self) -> u64 {
        self.count as u64
    }

    fn nth(&self, at: u64) -> Action {
        let mut skip = at as usize;
        if skip == 0 {
            return self.action(&[]);
        }
        skip -= 1;
        for &dwarf in Dwarf::ALL {
            let reach = self.reach(dwarf);
            if let Some(to) = reach.nth(skip) {
                return self.action(&[(dwarf, to)]);
            }
            skip -= reach.len();
        }
        for (first, second) in self.pairs() {
            let ways = self.ways(first, second);
            if skip >= ways {
                skip -= ways;
                continue;
            }
            for to in self.first(first, second).iter() {
                let reach = self.second(first, to, second);
                if let Some(end) = reach.nth(skip) {
                    return self.action(&[(first, to), (second, end)]);
                }
                skip -= reach.len();
            }
        }
        self.action(&[])
    }

    fn each(&self, to: &mut dyn FnMut(Action) -> ControlFlow<()>) -> ControlFlow<()> {
        to(self.action(&[]))?;
        for &dwarf in Dwarf::ALL {
            for spot in self.reach(dwarf).iter() {
                to(self.action(&[(dwarf, spot)]))?;
            }
        }
        for (first, second) in self.pairs() {
            for spot in self.first(first, second).iter() {
                for end in self.second(first, spot, second).iter() {
                    to(self.action(&[(first, spot), (second, end)]))?;
                }
            }
        }
        ControlFlow::Continue(())
    }
}
