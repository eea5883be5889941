//! The discards down to the hand limit: one card or two as a group, more one by one.
//!
//! Must not know how many are to be discarded: chapter 4 does.

use std::ops::ControlFlow;

use crate::action::{Action, Discard, Kind, Side};
use crate::setup::Cards;
use crate::tables::DECK;
use umpire_core::game::Group;
use umpire_core::wire::Few;

/// DRK-4.2 All ways to discard one card of a hand, or two.
pub(super) struct FewDiscards {
    player: Side,
    /// The kinds held, in canonical order, and whether two or more of each are held.
    held: [(Kind, bool); DECK],
    kinds: usize,
    two: bool,
}

impl FewDiscards {
    /// The discards of a hand: of two cards, or of one.
    pub(super) fn new(player: Side, kinds: &[Kind], hand: &Cards, two: bool) -> Self {
        let mut held = [(Kind::default(), false); DECK];
        let mut count = 0;
        for (&kind, &copies) in kinds.iter().zip(hand) {
            if copies > 0 {
                held[count] = (kind, copies > 1);
                count += 1;
            }
        }
        FewDiscards { player, held, kinds: count, two }
    }

    fn action(&self, cards: &[Kind]) -> Action {
        let cards = cards.iter().copied().collect();
        Action::Discard(Discard { player: self.player, cards })
    }

    fn held(&self) -> &[(Kind, bool)] {
        &self.held[..self.kinds]
    }
}

impl Group<Action> for FewDiscards {
    fn count(&self) -> u64 {
        let kinds = self.kinds as u64;
        if self.two {
            let doubles = self.held().iter().filter(|(_, double)| *double).count() as u64;
            kinds * kinds.saturating_sub(1) / 2 + doubles
        } else {
            kinds
        }
    }

    fn nth(&self, at: u64) -> Action {
        let mut left = at as usize;
        for (place, &(kind, double)) in self.held().iter().enumerate() {
            if !self.two {
                if left == 0 {
                    return self.action(&[kind]);
                }
                left -= 1;
                continue;
            }
            let others = &self.held()[place + 1..];
            if left < others.len() + usize::from(double) {
                let second =
                    if double && left == 0 { kind } else { others[left - usize::from(double)].0 };
                return self.action(&[kind, second]);
            }
            left -= others.len() + usize::from(double);
        }
        self.action(&[])
    }

    fn each(&self, to: &mut dyn FnMut(Action) -> ControlFlow<()>) -> ControlFlow<()> {
        for (place, &(kind, double)) in self.held().iter().enumerate() {
            if !self.two {
                to(self.action(&[kind]))?;
                continue;
            }
            if double {
                to(self.action(&[kind, kind]))?;
            }
            for &(second, _) in &self.held()[place + 1..] {
                to(self.action(&[kind, second]))?;
            }
        }
        ControlFlow::Continue(())
    }
}

/// DRK-4.2 All sub-multisets of a hand of a given size, cards in canonical order.
pub(super) fn subsets<const N: usize>(
    kinds: &[Kind],
    hand: &Cards,
    row: usize,
    size: usize,
    chosen: &mut Few<Kind, N>,
    to: &mut dyn FnMut(Few<Kind, N>) -> ControlFlow<()>,
) -> ControlFlow<()> {
    if size == 0 {
        return to(*chosen);
    }
    let Some(&kind) = kinds.get(row) else { return ControlFlow::Continue(()) };
    if hand[row..].iter().map(|&copies| usize::from(copies)).sum::<usize>() < size {
        return ControlFlow::Continue(());
    }
    let mut with = *chosen;
    subsets(kinds, hand, row + 1, size, &mut with.clone(), to)?;
    for count in 1..=usize::from(hand[row]).min(size) {
        with.push(kind);
        subsets(kinds, hand, row + 1, size - count, &mut with.clone(), to)?;
    }
    ControlFlow::Continue(())
}
