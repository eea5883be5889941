//! Playouts: a game played on by sensible chance, to its end or as far as is allowed.
//!
//! Must not look at what the acting seat cannot know but through [`Advice::prior`].

use std::ops::ControlFlow;

use crate::analysis::random::Random;
use crate::analysis::shares::{Shares, value};
use crate::game::{Advice, Group, Horizon, Menu, Seat, Table};

/// What a playout picks its actions with: one of those offered, each as likely as its weight, in a single
/// pass. Of a group one action stands for all.
struct Pick<'a, G: Advice> {
    setup: &'a G::Setup,
    state: &'a G::State,
    random: &'a mut Random,
    /// The weights so far.
    sum: u64,
    found: Option<G::Action>,
    /// The best of those that nobody sensible does.
    last: Option<G::Action>,
}

impl<G: Advice> Pick<'_, G> {
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

impl<G: Advice> Menu<G> for Pick<'_, G> {
    fn action(&mut self, action: G::Action) -> ControlFlow<()> {
        self.offer(action, 1);
        ControlFlow::Continue(())
    }

    fn range(&mut self, range: G::Range) -> ControlFlow<()> {
        for action in G::propose(self.setup, self.state, &range, self.random) {
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
pub fn pick<G: Advice>(table: &Table<G>, seat: Seat, random: &mut Random) -> Option<G::Action> {
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
    /// The first turn that is not looked into.
    until: Option<u32>,
}

impl End {
    /// That of the lines from a table.
    pub(super) fn of<G: Advice>(table: &Table<G>, horizon: Horizon) -> Self {
        End { horizon, until: horizon.until(turn(table)) }
    }

    /// Whether a line that came to this table has no more turn to look into.
    pub(super) fn is_reached<G: Advice>(self, table: &Table<G>) -> bool {
        self.until.is_some_and(|end| turn(table) >= end)
    }

    /// Whether a line that came to this table has left a turn; never, where lines do not end with turns.
    pub(super) fn has_left<G: Advice>(self, table: &Table<G>, left: u32) -> bool {
        self.until.is_some() && turn(table) > left
    }

    /// Plays a line on to the end of a turn that has gone so many actions, if it ends with turns. How many it has gone then.
    pub(super) fn play_turn<G: Advice>(
        self,
        table: &mut Table<G>,
        random: &mut Random,
        gone: u32,
        at: u32,
    ) -> u32 {
        match self.until {
            None => gone,
            Some(_) => {
                let left = self.horizon.left(gone);
                gone + play_while(table, random, left, |table| turn(table) <= at)
            }
        }
    }

    /// Plays a line on to its end that has gone so many actions.
    pub(super) fn play_on<G: Advice>(self, table: &mut Table<G>, random: &mut Random, gone: u32) {
        play_while(table, random, self.horizon.left(gone), |table| !self.is_reached(table));
    }
}

/// The number of the turn at hand.
pub(super) fn turn<G: Advice>(table: &Table<G>) -> u32 {
    G::turn(table.setup(), table.state())
}

/// Plays on for at most so many actions while something holds. How many were played.
fn play_while<G: Advice>(
    table: &mut Table<G>,
    random: &mut Random,
    most: u32,
    holds: impl Fn(&Table<G>) -> bool,
) -> u32 {
    for played in 0..most {
        if !holds(table) {
            return played;
        }
        let Some(seat) = table.decision().seats.lowest() else { return played };
        let Some(action) = pick(table, seat, random) else { return played };
        if table.play_on(&action, random).is_err() {
            debug_assert!(false, "a listed action was refused: {action:?}");
            return played;
        }
    }
    most
}

/// Plays on as far as a horizon, and says what the end is worth: a finished game what it was worth, another what the game
/// estimates.
pub fn playout<G: Advice>(table: &mut Table<G>, random: &mut Random, horizon: Horizon) -> Shares {
    End::of(table, horizon).play_on(table, random, 0);
    value::<G>(table.setup(), table.state())
}
