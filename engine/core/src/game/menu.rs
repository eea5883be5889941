//! The menus that the core uses: to count the legal actions, to pick one, to list them.
//!
//! Must not judge an action: what a menu is told is legal.

use std::ops::ControlFlow;

use super::play::{Game, Group, Menu};

/// A menu that only counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Count {
    /// Number of actions so far.
    pub actions: u64,
    /// Number of ranges so far.
    pub ranges: u64,
}

impl<G: Game> Menu<G> for Count {
    fn action(&mut self, _: G::Action) -> ControlFlow<()> {
        self.actions += 1;
        ControlFlow::Continue(())
    }

    fn range(&mut self, _: G::Range) -> ControlFlow<()> {
        self.ranges += 1;
        ControlFlow::Continue(())
    }

    fn group(&mut self, group: &impl Group<G::Action>) -> ControlFlow<()> {
        self.actions += group.count();
        ControlFlow::Continue(())
    }
}

/// A menu that keeps the action at one place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Nth<A> {
    skip: u64,
    /// The action, once the listing has come to it.
    pub found: Option<A>,
}

impl<A> Nth<A> {
    /// Keeps the action that `skip` others precede.
    pub const fn new(skip: u64) -> Self {
        Nth { skip, found: None }
    }
}

impl<G: Game> Menu<G> for Nth<G::Action> {
    fn action(&mut self, action: G::Action) -> ControlFlow<()> {
        if self.skip == 0 {
            self.found = Some(action);
            return ControlFlow::Break(());
        }
        self.skip -= 1;
        ControlFlow::Continue(())
    }

    fn range(&mut self, _: G::Range) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn group(&mut self, group: &impl Group<G::Action>) -> ControlFlow<()> {
        let count = group.count();
        if self.skip < count {
            self.found = Some(group.nth(self.skip));
            return ControlFlow::Break(());
        }
        self.skip -= count;
        ControlFlow::Continue(())
    }
}

/// A menu that picks one of the actions, each equally likely, in a single pass (reservoir
/// sampling by groups). For playouts; the chance of a game is another matter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pick<A> {
    random: u64,
    /// Number of actions so far.
    pub actions: u64,
    /// Number of ranges so far.
    pub ranges: u64,
    /// The action picked among those so far.
    pub found: Option<A>,
}

impl<A> Pick<A> {
    /// Picks with this seed; the same seed picks the same action.
    pub const fn new(seed: u64) -> Self {
        Pick { random: seed, actions: 0, ranges: 0, found: None }
    }

    /// A number below `n`, by SplitMix64 and a multiplication. The bias is below 2^-40 for lists
    /// of up to 2^24 actions.
    fn below(&mut self, n: u64) -> u64 {
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.random;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^= word >> 31;
        ((u128::from(word) * u128::from(n)) >> 64) as u64
    }
}

impl<G: Game> Menu<G> for Pick<G::Action> {
    fn action(&mut self, action: G::Action) -> ControlFlow<()> {
        self.actions += 1;
        if self.below(self.actions) == 0 {
            self.found = Some(action);
        }
        ControlFlow::Continue(())
    }

    fn range(&mut self, _: G::Range) -> ControlFlow<()> {
        self.ranges += 1;
        ControlFlow::Continue(())
    }

    fn group(&mut self, group: &impl Group<G::Action>) -> ControlFlow<()> {
        let count = group.count();
        self.actions += count;
        let place = self.below(self.actions);
        if place < count {
            self.found = Some(group.nth(place));
        }
        ControlFlow::Continue(())
    }
}

/// A menu that keeps what it is told, up to a bound.
pub struct Listing<G: Game> {
    /// The actions, in the game's order.
    pub actions: Vec<G::Action>,
    /// The ranges, in the game's order.
    pub ranges: Vec<G::Range>,
    /// The listing ends when this many actions are kept.
    pub most: usize,
}

impl<G: Game> Menu<G> for Listing<G> {
    fn action(&mut self, action: G::Action) -> ControlFlow<()> {
        if self.actions.len() >= self.most {
            return ControlFlow::Break(());
        }
        self.actions.push(action);
        ControlFlow::Continue(())
    }

    fn range(&mut self, range: G::Range) -> ControlFlow<()> {
        self.ranges.push(range);
        ControlFlow::Continue(())
    }
}
