//! What a searcher is offered in one world: the legal actions, large families by a few of them.
//!
//! Must not judge an action.

use std::ops::ControlFlow;

use crate::analysis::random::Random;
use crate::game::{Advice, Group, Menu, Seat, Table};

/// A group up to this size is listed; of a larger one a few are taken.
const LISTED: u64 = 64;
/// How many are taken of a large group.
const TAKEN: u64 = 16;
/// The listing ends here.
const MOST: usize = 4096;

/// What is offered.
pub(super) struct Offers<'a, G: Advice> {
    setup: &'a G::Setup,
    state: &'a G::State,
    random: &'a mut Random,
    /// The actions with their weights, in the game's order.
    pub(super) list: Vec<(G::Action, u32)>,
    /// Whether all are listed.
    pub(super) whole: bool,
}

impl<'a, G: Advice> Offers<'a, G> {
    /// What a seat is offered, whether all of that kind is listed, and whether that is everything that is legal. Where
    /// something sensible can be done, nothing else is offered.
    pub(super) fn of(
        table: &'a Table<G>,
        seat: Seat,
        random: &'a mut Random,
    ) -> (Vec<(G::Action, u32)>, bool, bool) {
        let (setup, state) = (&**table.setup(), table.state());
        let mut offers = Offers { setup, state, random, list: Vec::new(), whole: true };
        let _ = table.legal(seat, &mut offers);
        let Offers { mut list, whole, .. } = offers;
        let all = list.len();
        if list.iter().any(|&(_, prior)| prior > 0) {
            list.retain(|&(_, prior)| prior > 0);
        }
        let all = whole && list.len() == all;
        (list, whole, all)
    }

    fn push(&mut self, action: G::Action) -> ControlFlow<()> {
        if self.list.len() >= MOST {
            self.whole = false;
            return ControlFlow::Break(());
        }
        let prior = G::prior(self.setup, self.state, &action);
        self.list.push((action, prior));
        ControlFlow::Continue(())
    }
}

impl<G: Advice> Menu<G> for Offers<'_, G> {
    fn action(&mut self, action: G::Action) -> ControlFlow<()> {
        self.push(action)
    }

    fn range(&mut self, range: G::Range) -> ControlFlow<()> {
        self.whole = false;
        let proposed = G::propose(self.setup, self.state, &range, self.random);
        proposed.into_iter().try_for_each(|action| self.push(action))
    }

    fn group(&mut self, group: &impl Group<G::Action>) -> ControlFlow<()> {
        let count = group.count();
        if count <= LISTED {
            return group.each(&mut |action| self.push(action));
        }
        self.whole = false;
        for _ in 0..TAKEN {
            let at = self.random.below(count);
            self.push(group.nth(at))?;
        }
        ControlFlow::Continue(())
    }
}

/// What a program may choose between for a seat: legal actions in the game's order, each once, at most so many, and
/// whether no sensible one is left out. The same table gives the same list.
///
/// Where something sensible can be done, nothing else is offered ([`Advice::prior`]). Of a range there are those that the
/// game proposes, of a large group a few; where there still are too many, some are left out evenly.
pub fn offered<G: Advice>(table: &Table<G>, seat: Seat, most: usize) -> (Vec<G::Action>, bool) {
    let mut random = Random::new("offered", u64::from(table.ply()));
    let (list, mut whole, _) = Offers::of(table, seat, &mut random);
    let mut actions: Vec<G::Action> = Vec::with_capacity(list.len().min(most));
    let count = list.len();
    for (at, (action, _)) in list.into_iter().enumerate() {
        // As many as there is room for, evenly spread.
        let kept = count <= most || at * most / count != (at + 1) * most / count;
        whole &= kept;
        if kept && !actions.contains(&action) {
            actions.push(action);
        }
    }
    (actions, whole)
}
