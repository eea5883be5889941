//! Playouts: a game played on by sensible chance, to its end or as far as is allowed.
//!
//! Must not look at what the acting seat cannot know but through [`Game::prior`].

use std::ops::ControlFlow;

use crate::analysis::random::Random;
use crate::analysis::shares::{Shares, value};
use crate::game::{Game, Group, Horizon, Menu, Seat, Table};

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

/// Where the lines end that begin at a position.
#[derive(Clone, Copy)]
pub(super) struct End {
    horizon: Horizon,
    /// The turn that is played at first sight, and that which is not looked into.
    until: Option<[u32; 2]>,
}

impl End {
    /// That of the lines from a table.
    pub(super) fn of<G: Game>(table: &Table<G>, horizon: Horizon) -> Self {
        End { horizon, until: horizon.until(G::turn(table.setup(), table.state())) }
    }

    /// Whether a line that came to this table has no more turn to look into.
    fn is_reached<G: Game>(self, table: &Table<G>) -> bool {
        self.until.is_some_and(|[_, end]| G::turn(table.setup(), table.state()) >= end)
    }

    /// Whether a line that came to this table has no more turn in which search decides.
    pub(super) fn is_decided<G: Game>(self, table: &Table<G>) -> bool {
        self.until.is_some_and(|[sight, _]| G::turn(table.setup(), table.state()) >= sight)
    }

    /// Plays a line on to its end that has gone so many actions.
    pub(super) fn play_on<G: Game>(self, table: &mut Table<G>, random: &mut Random, gone: u32) {
        for _ in 0..self.horizon.left(gone) {
            if self.is_reached(table) {
                break;
            }
            let Some(seat) = table.decision().seats.lowest() else { break };
            let Some(action) = pick(table, seat, random) else { break };
            if table.play_on(&action, random).is_err() {
                debug_assert!(false, "a listed action was refused: {action:?}");
                break;
            }
        }
    }
}

/// Plays on as far as a horizon, and says what the end is worth: a finished game what it was worth, another what the game
/// estimates.
pub fn playout<G: Game>(table: &mut Table<G>, random: &mut Random, horizon: Horizon) -> Shares {
    End::of(table, horizon).play_on(table, random, 0);
    value::<G>(table.setup(), table.state())
}
