//! What is searched: a position as somebody knows it, how far, and on how many threads.
//!
//! Must not use anything of a state but what [`Game::view`](crate::game::Game::view) shows to the searcher and what he remembers
//! ([`Advice::Memory`]), unless hindsight is asked for.

use std::sync::Arc;

use crate::analysis::random::{Counting, Random};
use crate::game::{Advice, Horizon, Observer, Seat, Seats, Table, TableSetup};

/// Of how many nodes of a tree the table is kept, where nothing else is said. It is kept where no other can stand: a line
/// that comes by begins with it, and plays nothing of what led there.
const KEPT: usize = 2048;

/// How far and how often to look.
#[derive(Clone, Copy, Debug)]
pub struct Params<'a> {
    /// Number of simulations, at least 1.
    pub simulations: u32,
    /// What makes this search another than one with another seed.
    pub seed: &'a str,
    /// Where a line is cut off and estimated.
    pub horizon: Horizon,
    /// What the features of each seat are worth, by its index, in place of [`Advice::weights`]: to find better ones.
    pub weights: Option<&'a [&'a [i32]]>,
    /// How many tables a tree keeps at most. What is found does not depend on it: only how long it takes.
    pub kept: usize,
    /// Whether what others choose unseen at the same time is foreseen, as somebody who plays would: a quarter of the
    /// simulations find out what they would choose by a search of their own, and the rest answer that. Who judges
    /// blames nobody for what could not be known, and takes the others for as good as the tree finds them.
    pub foresight: bool,
}

impl<'a> Params<'a> {
    /// As a game is searched where nothing else is said.
    pub fn of<G: Advice>(simulations: u32, seed: &'a str) -> Self {
        Params {
            simulations,
            seed,
            horizon: G::HORIZON,
            weights: None,
            kept: KEPT,
            foresight: false,
        }
    }

    /// Number of independent trees: one up to 4,000 simulations, then one for each 2,000, at most 8.
    pub fn trees(&self) -> u32 {
        if self.simulations <= 4000 { 1 } else { (self.simulations / 2000).min(8) }
    }

    /// Number of simulations of one of the trees.
    pub(super) fn share(&self, tree: u32) -> u32 {
        let trees = self.trees();
        self.simulations / trees + u32::from(tree < self.simulations % trees)
    }
}

/// Does independent pieces of work, in any order and on as many threads as it likes.
pub trait Spread: Sync {
    /// Does the pieces 0 … `pieces` − 1.
    fn each(&self, pieces: usize, work: &(dyn Fn(usize) + Sync));
}

/// One piece after another.
#[derive(Clone, Copy, Debug)]
pub struct InTurn;

impl Spread for InTurn {
    fn each(&self, pieces: usize, work: &(dyn Fn(usize) + Sync)) {
        (0..pieces).for_each(work);
    }
}

/// A position as somebody knows it: what is searched from.
pub struct Position<G: Advice> {
    pub(super) setup: Arc<G::Setup>,
    pub(super) ply: u32,
    pub(super) searcher: Observer,
    /// The whole truth, for the referee; everybody else has a view.
    known: Known<G>,
    /// The actions that may be taken first; all where there are none.
    pub(super) first: Vec<G::Action>,
}

enum Known<G: Advice> {
    View(G::View, G::Memory),
    Truth(G::State),
}

impl<G: Advice> Clone for Known<G> {
    fn clone(&self) -> Self {
        match self {
            Known::View(view, memory) => Known::View(view.clone(), memory.clone()),
            Known::Truth(state) => Known::Truth(state.clone()),
        }
    }
}

impl<G: Advice> Position<G> {
    /// The position of a table as a searcher knows it who sees no more than what lies there now; the referee
    /// knows everything (hindsight).
    pub fn of(table: &Table<G>, searcher: Observer) -> Self {
        Self::remembered(table, searcher, G::Memory::default())
    }

    /// Whose knowledge it is.
    pub(crate) fn searcher(&self) -> Observer {
        self.searcher
    }

    /// The position of a table as a searcher knows it who remembers this.
    pub fn remembered(table: &Table<G>, searcher: Observer, memory: G::Memory) -> Self {
        let known = match searcher {
            Observer::Referee => Known::Truth(table.state().clone()),
            _ => Known::View(table.view(searcher), memory),
        };
        let setup = table.setup().clone();
        Position { setup, ply: table.ply(), searcher, known, first: Vec::new() }
    }

    /// The same position, where only some actions may be taken first.
    #[must_use]
    pub fn only(&self, first: Vec<G::Action>) -> Self {
        Position {
            setup: self.setup.clone(),
            ply: self.ply,
            searcher: self.searcher,
            known: self.known.clone(),
            first,
        }
    }

    /// A world that the searcher could be in, and whether there is no other.
    pub(crate) fn world(&self, random: &mut Random) -> Option<(Table<G>, bool)> {
        let (state, sole) = match &self.known {
            Known::Truth(state) => (state.clone(), true),
            Known::View(view, memory) => {
                let mut chance = Counting { random, asked: 0 };
                let state = G::imagine(&self.setup, view, memory, &mut chance).ok()?;
                (state, chance.asked == 0)
            }
        };
        Some((Table::at(self.setup.clone(), state, self.ply), sole))
    }

    /// Whether nothing of a table is hidden from anybody; the referee's eyes are everybody's (hindsight).
    pub(super) fn is_open(&self, table: &Table<G>) -> bool {
        G::Setup::players(table.setup()).iter().all(|seat| self.is_known_to(table, seat))
    }

    /// Whether nothing of a table is hidden from a seat, whatever it remembers.
    pub(super) fn is_known_to(&self, table: &Table<G>, seat: Seat) -> bool {
        let seen_by =
            || Position::of(table, Observer::Seat(seat)).world(&mut Random::new("known", 0));
        self.searcher == Observer::Referee || seen_by().is_some_and(|(_, sole)| sole)
    }

    /// A world with the choices undone that the searcher cannot see, and whose choices they were.
    pub(super) fn reopened(&self, world: Table<G>) -> (Table<G>, Seats) {
        match G::reopen(&self.setup, world.state(), self.searcher) {
            None => (world, Seats::NONE),
            Some(state) => {
                let chose = world.decision().seats;
                let open = Table::at(self.setup.clone(), state, self.ply);
                let again = open.decision().seats.minus(chose);
                (open, again)
            }
        }
    }

    /// Another such world after one that was drawn before.
    pub(super) fn another(&self, dealt: &Table<G>, random: &mut Random) -> Option<Table<G>> {
        match &self.known {
            Known::Truth(_) => Some(dealt.bare()),
            Known::View(view, memory) => {
                let state = G::redeal(&self.setup, view, memory, dealt.state(), random).ok()?;
                Some(Table::at(self.setup.clone(), state, self.ply))
            }
        }
    }
}
