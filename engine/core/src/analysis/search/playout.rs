//! Playouts: a game played on by sensible chance, to its end or as far as is allowed.
//!
//! Must not look at what the acting seat cannot know but through [`Game::prior`].

use std::ops::ControlFlow;

use crate::analysis::random::Random;
use crate::analysis::shares::{Shares, value_by};
use crate::game::{Game, Group, Menu, Seat, Table};

/// What a playout picks its actions with: one of those offered, each as likely as its weight, in a single
/// pass. Of a group one action stands for all.
struct Pick<'a, G: Game> {
    setup: &'a G::Setup,
    state: &'a G::State,
    random: &'a mut Random,
    /// The weights so far.
    sum: u64,
    found: Option<G::Action>,
    /// The best of those that nobody sensible does.
    last: Option<G::Action>,
}

impl<G: Game> Pick<'_, G> {
    fn offer(&mut self, action: G::Action, count: u64) {
        let weight = u64::from(G::prior(self.setup, self.state, &action)).saturating_mul(count);
        if weight == 0 {
            self.last.get_or_insert(action);
            return;
        }
        self.sum = self.sum.saturating_add(weight);
        if self.random.below(self.sum) < weight {
            self.found = Some(action);
        }
    }
}

impl<G: Game> Menu<G> for Pick<'_, G> {
    fn action(&mut self, action: G::Action) -> ControlFlow<()> {
        self.offer(action, 1);
        ControlFlow::Continue(())
    }

    fn range(&mut self, range: G::Range) -> ControlFlow<()> {
        for action in G::proposals(self.setup, self.state, &range, self.random) {
            self.offer(action, 1);
        }
        ControlFlow::Continue(())
    }

    fn group(&mut self, group: &impl Group<G::Action>) -> ControlFlow<()> {
        let count = group.count();
        if count > 0 {
            let at = self.random.below(count);
            self.offer(group.nth(at), count);
        }
        ControlFlow::Continue(())
    }
}

/// An action of a seat, drawn by the game's weights; `None` where it has none.
pub fn pick<G: Game>(table: &Table<G>, seat: Seat, random: &mut Random) -> Option<G::Action> {
    let (setup, state) = (table.setup(), table.state());
    if let Some(action) = G::reflex(setup, state, seat, random) {
        return Some(action);
    }
    let mut pick = Pick::<G> { setup, state, random, sum: 0, found: None, last: None };
    let _ = table.legal(seat, &mut pick);
    pick.found.or(pick.last)
}

/// Plays on for at most so many actions, and says what the end is worth: a finished game what it was worth,
/// another what the game estimates, by other weights than its own where there are any.
pub fn playout<G: Game>(
    table: &mut Table<G>,
    random: &mut Random,
    most: u32,
    weights: Option<&[&[i32]]>,
) -> Shares {
    for _ in 0..most {
        let Some(seat) = table.decision().seats.lowest() else { break };
        let Some(action) = pick(table, seat, random) else { break };
        if table.play_on(&action, random).is_err() {
            debug_assert!(false, "a listed action was refused: {action:?}");
            break;
        }
    }
    value_by::<G>(table.setup(), table.state(), weights)
}
