//! Search: what a seat should do, as far as it can know.
//!
//! Single-observer information-set Monte Carlo tree search (Cowling, Powley, Whitehouse 2012): each simulation
//! draws a world that the searcher could be in, goes down one tree of what he would know to have happened,
//! and plays on from where the tree ends. The value is a vector; each seat that decides seeks its own share. Secret
//! choices of several seats are made without seeing each other.
//!
//! A budget is a number of simulations, never a time: a fixed number of independent trees, each with its own
//! stream, added up in order, so that the same question gives the same bytes with any number of threads.
//! Where lines end with turns, what the next turns answer is found out in trees of their own, one for each turn and for
//! all lines ([`Horizon::Turns`](crate::game::Horizon::Turns)). Memory: at most two nodes and edges a simulation in each tree, and 2,048 tables.
//!
//! This module must not use anything of a state but what [`Game::view`](crate::game::Game::view) shows to the searcher and what he remembers
//! ([`Advice::Memory`]), unless hindsight is asked for.

mod foresight;
mod offers;
mod playout;
mod position;
mod solver;
mod tree;

use std::rc::Rc;

use super::odds::follow;
use super::random::{Falling, Random, mix};
use super::shares::{SEATS, Shares, of_outcome, value_by};
use crate::budget::Budget;
use crate::chance::explore::Explore;
use crate::game::{Advice, Decision, Observer, PlayerAction, Seat, Seats, Stop, Table, TableSetup};
use foresight::{Foresight, foresee};
use offers::Offers;
pub use offers::offered;
use playout::End;
pub use playout::{pick, playout};
pub use position::{InTurn, Params, Position, Spread};
use solver::solve;
pub use tree::Proof;
use tree::{Arena, Deviation, Edge, Logs, Proven, better, hash_of, highest};

/// How an action did.
#[derive(Clone, PartialEq, Debug)]
pub struct Ranked<A> {
    /// The action.
    pub action: A,
    /// In how many simulations it was taken.
    pub visits: u32,
    /// What it is worth to each seat. Where two play, it is what comes of it if everybody goes on as search found best; else
    /// the mean of all simulations.
    pub shares: Shares,
    /// The standard error of the mover's mean in the simulations.
    pub error: f64,
    /// What it is worth to the mover for certain, where that is known; [`Ranked::shares`] are then no means.
    pub proof: Option<Proof<A>>,
}

/// What a search found.
#[derive(Clone, PartialEq, Debug)]
pub struct Found<A> {
    /// Who decides.
    pub seat: Seat,
    /// The actions that were tried, the most visited first; equals stay in the order they were found. Those whose worth is
    /// proven stand before the first that seems worth less: of proven wins the shortest first, of proven losses the longest.
    pub actions: Vec<Ranked<A>>,
    /// Number of simulations in which an action was tried; those of foresight are none of them.
    pub simulations: u32,
    /// What the position was worth to each seat in the mean of all simulations.
    pub mean: Shares,
    /// Number of nodes of all trees.
    pub nodes: u32,
    /// The line that the first tree looked at most often, from the best action on, as far as it is firm.
    pub line: Vec<A>,
}

impl<A> Found<A> {
    /// The action that search would take.
    pub fn best(&self) -> Option<&Ranked<A>> {
        self.actions.first()
    }

    /// What the position is worth to each seat, if the best action is taken.
    pub fn value(&self) -> Shares {
        self.best().map_or(self.mean, |best| best.shares)
    }

    /// The standard error of the deciding seat's share in [`Found::value`].
    pub fn error(&self) -> f64 {
        self.best().map_or(0.0, |best| best.error)
    }
}

/// Why there is nothing to be found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Nothing {
    /// Nobody decides: the game is over.
    Over,
    /// The seat does not decide here.
    NotAsked,
    /// No world fits what the searcher knows, or no action could be played in one.
    NoWorld,
    /// The budget ended, or nobody waits any more.
    Stopped,
}

/// Searches a position for one seat that decides there; where none is named, for the first of those.
///
/// # Errors
/// [`Nothing`], where the question has no answer or the budget ends.
pub fn search<G: Advice>(
    position: &Position<G>,
    seat: Option<Seat>,
    params: Params<'_>,
    budget: Budget<'_>,
    spread: &dyn Spread,
) -> Result<Found<G::Action>, Nothing> {
    let mut random = Random::new(params.seed, u64::MAX);
    let (table, sole) = position.world(&mut random).ok_or(Nothing::NoWorld)?;
    let seats = table.decision().seats;
    let seat = match (seat, seats.lowest()) {
        (_, None) => return Err(Nothing::Over),
        (Some(seat), _) if !seats.contains(seat) => return Err(Nothing::NotAsked),
        (Some(seat), _) | (None, Some(seat)) => seat,
    };
    let foresight = match params.foresight {
        true => foresee(position, &table, seat, params, |position, other, params| {
            let found = search(position, Some(other), params, budget, spread).ok()?;
            found.actions.into_iter().next().map(|best| best.action)
        }),
        false => Foresight::NONE,
    };
    let params = Params { simulations: params.simulations - foresight.spent, ..params };
    let trees = params.trees() as usize;
    let grown: Vec<std::sync::Mutex<Option<Grown<G::Action>>>> =
        (0..trees).map(|_| std::sync::Mutex::new(None)).collect();
    spread.each(trees, &|number| {
        let tree = Search::new(position, seat, params, &foresight, number as u32).grow(budget);
        if let Ok(mut slot) = grown[number].lock() {
            *slot = tree;
        }
    });
    let mut all = Vec::with_capacity(trees);
    for slot in grown {
        all.push(slot.into_inner().ok().flatten().ok_or(Nothing::Stopped)?);
    }
    // Only where lines have been seen to end soon, so that it costs nothing elsewhere.
    let near: u32 = all.iter().map(|tree| tree.near).sum();
    let mut proofs = match near >= params.simulations / NEAR_PART {
        true => solve(position, &table, sole, seat, params.simulations, budget)
            .map_err(|_| Nothing::Stopped)?,
        false => Vec::new(),
    };
    for proof in all.iter_mut().flat_map(|tree| tree.proofs.drain(..)) {
        if !proofs.iter().any(|it| it.line.first() == proof.line.first()) {
            proofs.push(proof);
        }
    }
    let mut found = add_up(seat, all)?;
    rank(&mut found, proofs);
    Ok(found)
}

/// Puts what is proven in the place of what was found in samples, and in its order.
fn rank<A: Eq + Clone>(found: &mut Found<A>, mut proofs: Vec<Proof<A>>) {
    if proofs.is_empty() {
        return;
    }
    let seat = found.seat.index();
    let worth = |it: &Proof<A>| (it.value, it.plies);
    proofs.sort_by(|a, b| better(worth(b), worth(a)));
    let mut sampled = std::mem::take(&mut found.actions);
    let mut proven = Vec::with_capacity(proofs.len());
    for proof in proofs {
        let at = sampled.iter().position(|it| proof.line.first() == Some(&it.action));
        let (visits, shares) = match at.map(|at| sampled.remove(at)) {
            Some(it) => (it.visits, it.shares),
            None => (0, found.mean),
        };
        let Some(action) = proof.line.first().cloned() else { continue };
        let shares = with_share(shares, seat, proof.value);
        proven.push(Ranked { action, visits, shares, error: 0.0, proof: Some(proof) });
    }
    let mut proven = proven.into_iter().peekable();
    for it in sampled {
        while let Some(better) = proven.next_if(|other| other.shares[seat] >= it.shares[seat]) {
            found.actions.push(better);
        }
        found.actions.push(it);
    }
    found.actions.extend(proven);
    if let Some(Ranked { proof: Some(proof), .. }) = found.actions.first() {
        found.line.clone_from(&proof.line);
    }
}

/// Shares in which a seat has this one, and the others what is left in the same proportion.
fn with_share(shares: Shares, seat: usize, own: f64) -> Shares {
    let left = 1.0 - shares[seat];
    let scale = if left > 0.0 { (1.0 - own) / left } else { 0.0 };
    let mut shares = shares.map(|it| it * scale);
    shares[seat] = own;
    shares
}

/// The root of a tree that is grown.
struct Grown<A> {
    edges: Vec<Edge<A>>,
    shares: Vec<Shares>,
    /// What each edge is worth to who decides, if all go on as search found best.
    best: Vec<f64>,
    /// The edges that are worth something for certain.
    proofs: Vec<Proof<A>>,
    /// How many simulations came to the end of the game soon.
    near: u32,
    nodes: u32,
    line: Vec<A>,
}

/// How often an action must have been taken to belong to a line.
const FIRM: u32 = 12;

fn add_up<A: Eq + Clone>(seat: Seat, trees: Vec<Grown<A>>) -> Result<Found<A>, Nothing> {
    let mut sums: Vec<(Edge<A>, Shares, f64)> = Vec::new();
    let (mut nodes, mut line) = (0, None);
    for tree in trees {
        nodes += tree.nodes;
        line.get_or_insert(tree.line);
        for ((edge, shares), best) in tree.edges.into_iter().zip(tree.shares).zip(tree.best) {
            let best = f64::from(edge.visits) * best;
            match sums.iter_mut().find(|(it, ..)| it.action == edge.action) {
                Some((sum, all, worth)) => {
                    sum.visits += edge.visits;
                    sum.total += edge.total;
                    sum.squares += edge.squares;
                    all.iter_mut().zip(shares).for_each(|(all, it)| *all += it);
                    *worth += best;
                }
                None => sums.push((edge, shares, best)),
            }
        }
    }
    let mut mean = [0.0; SEATS];
    let mut simulations = 0;
    let mut actions: Vec<Ranked<A>> = Vec::with_capacity(sums.len());
    for (edge, total, best) in sums.into_iter().filter(|(edge, ..)| edge.visits > 0) {
        let visits = f64::from(edge.visits);
        simulations += edge.visits;
        mean.iter_mut().zip(total).for_each(|(mean, it)| *mean += it);
        actions.push(Ranked {
            visits: edge.visits,
            shares: with_share(total.map(|it| it / visits), seat.index(), best / visits),
            error: error(edge.visits, edge.total, edge.squares),
            action: edge.action,
            proof: None,
        });
    }
    if simulations == 0 {
        return Err(Nothing::NoWorld);
    }
    actions.sort_by_key(|it| std::cmp::Reverse(it.visits));
    let mean = mean.map(|it| it / f64::from(simulations));
    let line = line.unwrap_or_default();
    Ok(Found { seat, actions, simulations, mean, nodes, line })
}

/// The standard error of a mean of so many numbers with this sum and this sum of squares. One number could
/// have been anything from 0 to 1.
pub(crate) fn error(count: u32, sum: f64, squares: f64) -> f64 {
    if count < 2 {
        return 0.5;
    }
    let n = f64::from(count);
    let variance = ((squares - sum * sum / n) / (n - 1.0)).max(0.0);
    // A few results that are all alike do not make certain: as if one more had been a half.
    let least = 0.25 / (n + 1.0);
    (variance.max(least) / n).sqrt()
}

/// How much a rarely tried action is favoured, in deviations of what simulations are worth: where all actions are worth
/// nearly the same, a fixed number would try them all alike and never look deep.
const EXPLORATION: f64 = 1.4;

/// How much of a share depends on how soon it comes: of two wins the sooner is better, of two losses the later.
const HASTE: f64 = 0.01;
/// So many actions are as late as it gets.
const HASTE_PLIES: u32 = 64;

/// How much of a share goes to what is fair, so many actions before the end.
fn haste(plies: u32) -> f64 {
    HASTE * f64::from(plies.min(HASTE_PLIES)) / f64::from(HASTE_PLIES)
}

/// So many actions after the root the end is near.
const NEAR: u32 = 16;
/// One simulation in so many has to come to a near end, for the root to be solved.
const NEAR_PART: u32 = 8;

/// How many ways to fall are followed to prove what they are worth in the mean.
const WAYS: usize = 40;

/// How many actions of a node may have been tried after so many visits.
fn width(visits: u32) -> usize {
    2 + (2.0 * f64::from(visits).sqrt()) as usize
}

struct Search<'a, G: Advice> {
    position: &'a Position<G>,
    seat: Seat,
    params: Params<'a>,
    foresight: &'a Foresight<G::Action>,
    simulations: u32,
    random: Random,
    arena: Arena<G::Action>,
    logs: Logs,
    /// What the first edges were worth to each seat.
    shares: Vec<Shares>,
    /// How far apart the simulations were for each seat.
    spread: [Deviation; SEATS],
    /// The way down: nodes, edges, and who decided.
    way: Vec<(usize, usize, Seat)>,
    /// Whose choice is foreseen and was not made in this line.
    awaited: Seats,
    /// The bounds of the edges of a node, of those that were not refused in the world at hand.
    bounds: Vec<f64>,
    /// Where the tree begins: what was not tried yet, with its hash, the readiest last.
    untried: Vec<(u64, G::Action)>,
    /// Whether there is nothing else to be tried there.
    whole: bool,
    /// How often nothing new was found there: each time takes the place of an action.
    fruitless: usize,
    /// Where the trees of the next turns begin.
    replies: Vec<usize>,
    /// The tables that are kept, by [`tree::Node::kept`].
    kept: Vec<Rc<Table<G>>>,
    /// Whether nothing is hidden from anybody where the tree begins.
    open: bool,
    /// What the line at hand came to, where that is certain.
    settled: Option<Settled>,
    /// How many simulations came to the end of the game soon.
    near: u32,
}

/// What a line came to for certain.
#[derive(Clone, Copy)]
struct Settled {
    proven: Proven,
    /// Whether the last action of the line is worth that, whatever falls.
    by_action: bool,
}

/// A way down a tree.
struct Line {
    node: usize,
    /// Whether no other table can stand at this node.
    sole: bool,
    /// What was chosen and not yet shown.
    secret: u64,
    /// Whether nothing is hidden from anybody.
    open: bool,
    of: Of,
    /// Where it leaves the tree: at the end of this turn, if lines end with turns.
    end: End,
    turn: u32,
}

impl Line {
    /// A way down from where a tree begins.
    fn from(node: usize, sole: bool, of: Of, end: End, turn: u32) -> Self {
        Line { node, sole, open: false, secret: 0, of, end, turn }
    }
}

/// Of what the nodes of a tree are.
#[derive(Clone, Copy)]
enum Of {
    /// What the searcher sees happen from the position on.
    Searcher,
    /// What everybody does from the beginning of a later turn on, whatever happened before and whatever falls.
    All,
}

/// What was played, as the searcher saw it.
struct Played {
    /// The action, by a hash.
    shown: u64,
    /// Whether it is one of several that are made without seeing each other, and others have yet to choose.
    secret: bool,
    /// What fell, by a hash; 0 for nothing.
    seen: u64,
    /// Whether nothing of it was hidden.
    known: bool,
}

impl<'a, G: Advice> Search<'a, G> {
    fn new(
        position: &'a Position<G>,
        seat: Seat,
        params: Params<'a>,
        foresight: &'a Foresight<G::Action>,
        number: u32,
    ) -> Self {
        let simulations = params.share(number);
        let of_several = Some(seat).filter(|_| G::Setup::players(&position.setup).len() > 2);
        Search {
            position,
            seat,
            params,
            foresight,
            simulations,
            awaited: Seats::NONE,
            random: Random::new(params.seed, u64::from(number)),
            arena: Arena { of_several, ..Arena::new() },
            logs: Logs::up_to(simulations),
            shares: Vec::new(),
            spread: [Deviation::default(); SEATS],
            way: Vec::new(),
            bounds: Vec::new(),
            untried: Vec::new(),
            whole: false,
            fruitless: 0,
            replies: Vec::new(),
            kept: Vec::new(),
            open: false,
            settled: None,
            near: 0,
        }
    }

    fn grow(mut self, budget: Budget<'_>) -> Option<Grown<G::Action>> {
        let (dealt, sole) = self.position.world(&mut self.random)?;
        self.open = sole && self.position.is_open(&dealt);
        let (first, again) = self.position.reopened(dealt.bare());
        if sole {
            self.keep(0, Rc::new(first));
        }
        for _ in 0..self.simulations {
            budget.spend(1).ok()?;
            let table = match self.kept_at(0) {
                Some(table) => table,
                None => {
                    let world = self.position.another(&dealt, &mut self.random)?;
                    Rc::new(self.position.reopened(world).0)
                }
            };
            self.simulate(table, sole);
        }
        let nodes = self.arena.nodes.len() as u32;
        // What others have chosen before is no part of what comes next.
        let line = self.arena.line(FIRM);
        let replies = line.get(1..).unwrap_or_default().iter();
        let chosen = replies
            .take(again.iter().count())
            .take_while(|it| again.contains(G::Action::seat(it)))
            .count();
        let line = line
            .into_iter()
            .enumerate()
            .filter(|(at, _)| *at == 0 || *at > chosen)
            .map(|it| it.1)
            .collect();
        let edges = 0..self.arena.nodes[0].edges.len();
        let best = edges.clone().map(|edge| self.best_line(0, edge)).collect();
        let proofs = edges.filter_map(|edge| self.arena.proof(edge, self.seat)).collect();
        let root = self.arena.nodes.into_iter().next()?;
        Some(Grown {
            edges: root.edges,
            shares: self.shares,
            best,
            proofs,
            near: self.near,
            nodes,
            line,
        })
    }

    /// What an edge is worth to the seat that searches, if everybody goes on as search found best: not the mean of all
    /// that was tried on the way. Where search saw too little, where a seat may choose by what the searcher cannot
    /// see, and where more than two play, it is that mean.
    fn best_line(&self, node: usize, edge: usize) -> f64 {
        let it = &self.arena.nodes[node].edges[edge];
        if let Some(proven) = self.arena.of_edge(node, edge) {
            return proven.shares[self.seat.index()];
        }
        // What one of two gets the other loses.
        let own = |it: &Edge<G::Action>| it.action.seat() == self.seat;
        let gained = |it: &Edge<G::Action>| match own(it) {
            true => it.total,
            false => f64::from(it.visits) - it.total,
        };
        let visits = f64::from(it.visits.max(1));
        if self.arena.of_several.is_some() {
            return it.total / visits;
        }
        let (mut sum, mut seen) = (0.0, 0);
        for next in self.arena.nodes[node].after(edge) {
            let there = &self.arena.nodes[next];
            let best = there.favourite(FIRM).filter(|&it| there.sole || own(&there.edges[it]));
            let tried: u32 = there.edges.iter().map(|it| it.visits).sum();
            let worth = match (self.arena.of_node(next), best) {
                (Some(proven), _) => proven.shares[self.seat.index()],
                (None, Some(best)) => self.best_line(next, best),
                (None, None) if tried == 0 => continue,
                (None, None) => there.edges.iter().map(gained).sum::<f64>() / f64::from(tried),
            };
            sum += f64::from(there.visits) * worth;
            seen += there.visits;
        }
        // The simulations that ended right behind the edge.
        let rest = f64::from(it.visits.saturating_sub(seen));
        (sum + rest * gained(it) / visits) / (rest + f64::from(seen)).max(1.0)
    }

    /// One simulation; `sole`: whether no other table can stand where the tree begins.
    fn simulate(&mut self, mut shared: Rc<Table<G>>, sole: bool) {
        self.way.clear();
        self.settled = None;
        self.awaited = self.foresight.seats();
        let end = End::of(&shared, self.params.horizon);
        let turn = playout::turn(&shared);
        let line = Line::from(0, sole, Of::Searcher, end, turn);
        self.descend(&mut shared, Line { open: self.open, ..line });
        let fair = 1.0 / G::Setup::players(&self.position.setup).len() as f64;
        let (shares, plies, over) = match self.settled {
            Some(Settled { proven, .. }) => {
                (proven.shares, self.way.len() as u32 + proven.plies, true)
            }
            None => {
                let table = self.play_on(&mut shared, end, turn);
                let shares = value_by::<G>(table.setup(), table.state(), self.params.weights);
                let plies = table.ply() - self.position.ply;
                (shares, plies, plies <= NEAR && table.outcome().is_some())
            }
        };
        self.near += u32::from(over && plies <= NEAR);
        self.spread.iter_mut().zip(shares).for_each(|(spread, it)| spread.count(it));
        let haste = haste(plies);
        for &(node, edge, mover) in &self.way {
            let share = shares[mover.index()];
            let delay = haste * (fair - share);
            self.arena.nodes[node].count(edge, share, delay, &self.logs);
        }
        if let Some(settled) = self.settled {
            self.prove(settled);
        }
        if let Some(&(0, edge, _)) = self.way.first() {
            if self.shares.len() <= edge {
                self.shares.resize(edge + 1, [0.0; SEATS]);
            }
            self.shares[edge].iter_mut().zip(shares).for_each(|(sum, it)| *sum += it);
        }
    }

    /// Plays a line on from where it left the tree, through the trees of the next turns if lines end with turns, to its end.
    fn play_on<'t>(
        &mut self,
        shared: &'t mut Rc<Table<G>>,
        end: End,
        mut turn: u32,
    ) -> &'t mut Table<G> {
        let mut gone = self.way.len() as u32;
        // The next turns, each in its own tree, as long as one begins.
        for number in 0.. {
            let table = Rc::make_mut(shared);
            gone = end.play_turn(table, &mut self.random, gone, turn);
            if !end.has_left(table, turn) || end.is_reached(table) {
                break;
            }
            turn = playout::turn(table);
            let node = self.reply(number);
            let before = self.way.len();
            self.descend(shared, Line::from(node, false, Of::All, end, turn));
            gone += (self.way.len() - before) as u32;
        }
        let table = Rc::make_mut(shared);
        end.play_on(table, &mut self.random, gone);
        table
    }

    /// Takes what a line came to for certain up the tree, as far as it settles anything.
    fn prove(&mut self, settled: Settled) {
        let Settled { mut proven, mut by_action } = settled;
        let fair = 1.0 / G::Setup::players(&self.position.setup).len() as f64;
        for at in (0..self.way.len()).rev() {
            let (node, edge, mover) = self.way[at];
            if !by_action && self.arena.nodes[node].edges[edge].sure.is_none() {
                // Something fell: what else may fall is looked at when a line comes by again.
                return;
            }
            by_action = false;
            let plies = proven.plies + 1;
            let delay = haste(plies) * (fair - proven.shares[mover.index()]);
            if !self.arena.prove((node, edge, mover), Proven { plies, ..proven }, delay) {
                return;
            }
            let Some(next) = self.arena.of_node(node) else { return };
            proven = next;
        }
    }

    /// What may fall after an action of this table is worth in the mean, if all of it is certain.
    fn mean(&self, table: &Table<G>, node: usize, edge: usize) -> Option<Proven> {
        let at = &self.arena.nodes[node];
        let is_proven = |next: usize| self.arena.nodes[next].proof.is_some();
        if at.after(edge).next().is_none() || !at.after(edge).all(is_proven) {
            return None;
        }
        let taken = &at.edges[edge];
        let mut mean = Proven { shares: [0.0; SEATS], plies: 0 };
        let mut whole = true;
        let play = |next: &mut Table<G>, chance: &mut Explore| {
            let (observer, seats) = (self.position.searcher, G::META.seats);
            let mut falling = Falling { chance, observer, seats, seen: 0, hidden: false };
            next.play(&taken.action, &mut falling).map(|()| falling.seen)
        };
        let done = follow(table, WAYS, play, |next, seen, odds| {
            let fell = if G::FALLS_ARE_OPEN { hash_of(next.state()) } else { seen };
            let known = self.arena.known(node, mix(mix(taken.hash, 0), fell));
            let Some(proven) = known.and_then(|next| self.arena.of_node(next)) else {
                whole = false;
                return;
            };
            let weight = odds.0 as f64 / odds.1 as f64;
            mean.shares.iter_mut().zip(proven.shares).for_each(|(all, it)| *all += weight * it);
            mean.plies = mean.plies.max(proven.plies);
        });
        (done.is_ok() && whole).then_some(mean)
    }

    /// Where the tree of a later turn begins, by its place among them.
    fn reply(&mut self, number: usize) -> usize {
        if self.replies.len() <= number {
            self.replies.push(self.arena.plant());
        }
        self.replies[number]
    }

    /// The table of a node at which no other can stand, if it was kept.
    fn kept_at(&self, node: usize) -> Option<Rc<Table<G>>> {
        self.kept.get(self.arena.nodes[node].kept? as usize).cloned()
    }

    /// Keeps the table of a node at which no other can stand, where there is still room.
    fn keep(&mut self, node: usize, table: Rc<Table<G>>) {
        if self.kept.len() < self.params.kept {
            self.arena.nodes[node].kept = Some(self.kept.len() as u32);
            self.kept.push(table);
        }
    }

    /// Goes down a tree until the turn is over, or something new was tried.
    fn descend(&mut self, shared: &mut Rc<Table<G>>, mut line: Line) {
        loop {
            if line.open
                && line.node != 0
                && let Some(proven) = self.arena.of_node(line.node)
            {
                self.settled = Some(Settled { proven, by_action: false });
                break;
            }
            let decision = shared.decision();
            let mover = if line.node == 0 { Some(self.seat) } else { decision.seats.lowest() };
            let Some(mover) = mover else { break };
            let Some(next) = self.step(shared, &mut line, mover, &decision) else { break };
            line.node = next;
        }
    }

    /// Chooses at a node and plays it, on a copy where others look at the table. The node where the line goes on; none where
    /// something new was tried, the turn is over or nothing could be done: from there it is played out.
    fn step(
        &mut self,
        shared: &mut Rc<Table<G>>,
        line: &mut Line,
        mover: Seat,
        decision: &Decision<G::Rule>,
    ) -> Option<usize> {
        let node = line.node;
        self.arena.nodes[node].visits += 1;
        self.arena.nodes[node].sole |= line.sole;
        // The tree does not contain what another seat may do unasked.
        line.open = line.open && {
            let interrupts = G::interrupts(shared.setup(), shared.state());
            interrupts.minus(decision.seats).is_empty()
        };
        let searcher = self.position.searcher;
        let own = searcher.sees(mover);
        self.bounds.clear();
        let mut refused = None;
        while let Some((edge, fresh)) = self.choose(shared, line, mover, own, refused) {
            let taken = &self.arena.nodes[node].edges[edge];
            if line.open
                && let Some(proven) = self.arena.of_edge(node, edge)
            {
                self.way.push((node, edge, mover));
                let plies = proven.plies - 1;
                let proven = Proven { plies, ..proven };
                self.settled = Some(Settled { proven, by_action: true });
                return None;
            }
            if line.sole
                && let Some(next) = taken.sure
                && let Some(table) = self.kept_at(next as usize)
            {
                line.open &= self.is_seen_by_all(line, shared, &taken.action);
                self.way.push((node, edge, mover));
                *shared = table;
                return Some(next as usize);
            }
            if line.open
                && !fresh
                && taken.sure.is_none()
                && let Some(proven) = self.mean(shared, node, edge)
            {
                self.way.push((node, edge, mover));
                self.settled = Some(Settled { proven, by_action: true });
                return None;
            }
            let taken = &self.arena.nodes[node].edges[edge];
            // What was just drawn or listed in this world is legal in it; where the tree begins, the list may be another world's.
            let listed = node != 0 || line.sole && self.position.first.is_empty();
            let legal = fresh && listed || line.sole && taken.visits > 0;
            if !legal && !fresh && G::lacks(shared.setup(), shared.state(), &taken.action) {
                self.arena.nodes[node].refuse(edge, &self.logs);
                refused = Some(edge);
                continue;
            }
            let action = taken.action.clone();
            let (shown, whole) = match own {
                true => (taken.hash, true),
                false => {
                    let seen = G::Action::redact(&action, shared.setup(), shared.state());
                    (hash_of(&seen), seen == action)
                }
            };
            let seats = G::META.seats;
            let seen_by_all = self.is_seen_by_all(line, shared, &action);
            let mut falling = Falling {
                chance: &mut self.random,
                observer: searcher,
                seats,
                seen: 0,
                hidden: false,
            };
            let table = Rc::make_mut(shared);
            let played = match legal {
                true => table.play_on(&action, &mut falling),
                false => table.play(&action, &mut falling),
            };
            let Falling { seen, hidden, .. } = falling;
            match played {
                Ok(()) => {}
                // Legal in another world, not in this one.
                Err(Stop::Refused(_)) if !legal => {
                    self.arena.nodes[node].refuse(edge, &self.logs);
                    refused = Some(edge);
                    continue;
                }
                Err(_) => {
                    debug_assert!(!legal, "a listed action was refused: {action:?}");
                    return None;
                }
            }
            self.way.push((node, edge, mover));
            let falls_openly = G::FALLS_ARE_OPEN || searcher == Observer::Referee;
            line.open &= seen_by_all && !hidden && (seen == 0 || falls_openly);
            let over = if line.open { table.outcome() } else { None };
            let over = over.map(|outcome| {
                let shares = of_outcome::<G>(table.setup(), table.state(), outcome);
                Proven { shares, plies: 0 }
            });
            if let Some(proven) = over.filter(|_| seen == 0) {
                self.settled = Some(Settled { proven, by_action: true });
                return None;
            }
            if fresh || line.end.has_left(table, line.turn) {
                return None;
            }
            let secret = is_secret(decision, mover, &table.decision());
            let known = whole && !hidden;
            let (next, new) = self.next(table, line, edge, Played { shown, secret, seen, known });
            line.open &= line.sole;
            if let Some(proven) = over.filter(|_| line.open) {
                self.arena.end(next, proven);
                self.settled = Some(Settled { proven, by_action: false });
                return None;
            }
            if new {
                return None;
            }
            if line.sole && self.arena.nodes[next].kept.is_none() {
                self.keep(next, shared.clone());
            }
            return Some(next);
        }
        None
    }

    /// Whether everybody sees an action in a line in which nothing is hidden from anybody; in another it does not matter.
    fn is_seen_by_all(&self, line: &Line, table: &Table<G>, action: &G::Action) -> bool {
        let may_hide = line.open && self.position.searcher != Observer::Referee;
        !may_hide || G::Action::redact(action, table.setup(), table.state()) == *action
    }

    /// Where an edge leads that was played, and whether nothing led there before.
    fn next(
        &mut self,
        table: &Table<G>,
        line: &mut Line,
        edge: usize,
        played: Played,
    ) -> (usize, bool) {
        let Played { shown, secret, seen, known } = played;
        let node = line.node;
        if secret {
            line.secret = mix(line.secret, shown);
            line.sole = false;
            return self.arena.next(node, edge, 0);
        }
        let shown = mix(shown, std::mem::take(&mut line.secret));
        // Whether what was seen tells which table stands there now.
        let sole = line.sole && known;
        let open = seen != 0 && G::FALLS_ARE_OPEN;
        match line.of {
            Of::All => self.arena.next(node, edge, mix(shown, 0)),
            Of::Searcher if open => {
                line.sole = true;
                let fell = mix(shown, seen);
                if sole && let Some(next) = self.arena.known(node, fell) {
                    let whole = || mix(shown, hash_of(table.state()));
                    debug_assert_eq!(self.arena.known(node, whole()), Some(next));
                    return (next, false);
                }
                // Falls that come to the same go on as one.
                let (next, new) = self.arena.next(node, edge, mix(shown, hash_of(table.state())));
                if sole {
                    self.arena.lead(node, edge, fell, next);
                }
                (next, new)
            }
            Of::Searcher => {
                line.sole = sole;
                let found = self.arena.next(node, edge, mix(shown, seen));
                if sole && seen == 0 {
                    self.arena.nodes[node].edges[edge].sure = Some(found.0 as u32);
                }
                found
            }
        }
    }

    /// The edge to try in this world, and whether it is tried for the first time; `refused` is the one that was tried
    /// before, if any was.
    ///
    /// Where the tree begins, everything is listed for who decides there, so that nothing is left out of a
    /// comparison. Deeper down a new edge is drawn as a playout draws, and whether an old one is possible in this
    /// world is found out by playing it: to list everything in every world would take most of the time.
    fn choose(
        &mut self,
        table: &Table<G>,
        line: &Line,
        mover: Seat,
        own: bool,
        refused: Option<usize>,
    ) -> Option<(usize, bool)> {
        let at = line.node;
        // What is foreseen of somebody is all that he does here.
        if at != 0 && self.awaited.contains(mover) {
            self.awaited = self.awaited.without(mover);
            if let Some(action) = self.foresight.of(mover) {
                let (hash, node) = (hash_of(action), &mut self.arena.nodes[at]);
                let edge = node.find(hash, action);
                return Some((edge.unwrap_or_else(|| node.grow(hash, action.clone())), false));
            }
        }
        // All that was tried is certain: there may be something better.
        if line.open && at != 0 && self.arena.nodes[at].is_settled() {
            if let Some(edge) = self.list(table, at, mover) {
                return Some((edge, true));
            }
            if self.arena.settle(at, mover)
                && let Some(proven) = self.arena.of_node(at)
            {
                self.settled = Some(Settled { proven, by_action: false });
                return None;
            }
        }
        let root = at == 0 && (own || !self.position.first.is_empty());
        let node = &self.arena.nodes[at];
        let edges = node.edges.len() + if root { self.fruitless } else { 0 };
        let may_grow = !node.exhausted && edges < width(node.visits);
        if root && may_grow && refused.is_none() {
            if let Some(edge) = self.list_first(table, mover) {
                return Some((edge, true));
            }
        } else if may_grow
            && refused.is_none()
            && let Some(action) = pick(table, mover, &mut self.random)
        {
            let hash = hash_of(&action);
            let node = &mut self.arena.nodes[at];
            if node.find(hash, &action).is_none() {
                return Some((node.grow(hash, action), true));
            }
        }
        if let Some(edge) = self.best(at, mover, refused) {
            return Some((edge, false));
        }
        // Nothing of what was tried before is possible in this world.
        match root {
            true => self.list_first(table, mover),
            false => self.list(table, at, mover),
        }
        .map(|edge| (edge, true))
    }

    /// A new edge where the tree begins, for the readiest of the actions that were not tried yet.
    ///
    /// What a seat may do does not depend on what it cannot see, so it is listed once for all worlds; of large families a
    /// few are listed, and when all of those were tried, a few others.
    fn list_first(&mut self, table: &Table<G>, mover: Seat) -> Option<usize> {
        loop {
            while let Some((hash, action)) = self.untried.pop() {
                let node = &mut self.arena.nodes[0];
                if node.find(hash, &action).is_none() {
                    return Some(node.grow(hash, action));
                }
            }
            if self.whole {
                self.arena.nodes[0].exhausted = true;
                return None;
            }
            let mut list = if self.position.first.is_empty() {
                let (list, whole, _) = Offers::of(table, mover, &mut self.random);
                self.whole = whole;
                list
            } else {
                self.whole = true;
                self.position.first.iter().map(|it| (it.clone(), 1)).collect()
            };
            // Those that are as ready as each other come in any order.
            for at in (1..list.len()).rev() {
                list.swap(at, self.random.below(at as u64 + 1) as usize);
            }
            list.sort_by_key(|&(_, prior)| prior);
            let node = &self.arena.nodes[0];
            let hashed = list.into_iter().map(|(action, _)| (hash_of(&action), action));
            self.untried.extend(hashed.filter(|(hash, action)| node.find(*hash, action).is_none()));
            if self.untried.is_empty() {
                self.fruitless += 1;
                return None;
            }
        }
    }

    /// A new edge for the readiest of the actions that were not tried yet, of everything that is offered.
    fn list(&mut self, table: &Table<G>, at: usize, mover: Seat) -> Option<usize> {
        let (list, whole, all) = Offers::of(table, mover, &mut self.random);
        let node = &mut self.arena.nodes[at];
        let (mut untried, mut readiest, mut ties) = (None, 0, 0);
        for (action, prior) in list {
            let hash = hash_of(&action);
            if node.find(hash, &action).is_some() {
                continue;
            }
            if untried.is_none() || prior > readiest {
                (untried, readiest, ties) = (Some((hash, action)), prior, 1);
            } else if prior == readiest {
                ties += 1;
                if self.random.below(ties) == 0 {
                    untried = Some((hash, action));
                }
            }
        }
        match untried {
            Some((hash, action)) => Some(node.grow(hash, action)),
            None => {
                node.exhausted = whole && self.position.searcher.sees(mover);
                node.complete = all;
                None
            }
        }
    }

    /// The edge with the highest bound of those that were not refused in this world. A refusal changes no other bound,
    /// so they are reckoned once for a world.
    fn best(&mut self, at: usize, mover: Seat, refused: Option<usize>) -> Option<usize> {
        let node = &self.arena.nodes[at];
        if self.bounds.is_empty() {
            let exploration = EXPLORATION * self.spread[mover.index()].get();
            node.promises.bounds(self.logs.of(node.visits), exploration, &mut self.bounds);
        }
        if let Some(bound) = refused.and_then(|edge| self.bounds.get_mut(edge)) {
            *bound = f64::NEG_INFINITY;
        }
        highest(&self.bounds)
    }
}

/// Whether a choice is one of several that are made without seeing each other, and others have yet to choose.
fn is_secret<R>(before: &Decision<R>, mover: Seat, after: &Decision<R>) -> bool {
    let left = before.seats.without(mover);
    !left.is_empty() && after.state == before.state && after.seats == left
}
