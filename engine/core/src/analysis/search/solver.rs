//! Solving: what an action is worth for certain, where little of the game is left.
//!
//! Every line and every fall is followed, one action deeper each time (iterative deepening). What lies deeper is worth anything
//! from 0 to 1, so there are two bounds; a value is proven where they meet. Others are thought to know everything and
//! to want the worst for the searcher: what holds then holds whatever they do. Where they cannot know everything, or there are
//! several of them, the upper bound is what the searcher gets if they help him.
//!
//! Must not let the searcher act on what he cannot know: where something is hidden from him, nothing is proven.

use std::collections::BTreeMap;

use super::position::Position;
use super::tree::{CERTAIN, Proof, hash_of};
use crate::analysis::odds::outcomes;
use crate::analysis::random::mix;
use crate::analysis::shares;
use crate::budget::{Budget, Spent};
use crate::chance::explore::Explore;
use crate::game::{Advice, Listing, Observer, PlayerAction, Seat, Stop, Table, TableSetup};

/// So many actions are listed for the price of a state.
const LISTED: u32 = 4;
/// How deep lines are followed at most.
const DEPTH: u32 = 64;
/// How many ways to fall are followed after one action.
const WAYS: usize = 64;
/// With more actions than these a choice is not followed.
const ACTIONS: usize = 512;
/// How many states are looked at for each simulation.
const LOOK: u32 = 32;
/// How many are looked at in all: so much memory, and time, at most.
const MOST: u32 = 100_000;
/// How many states are looked at for one action of a line that is told.
const FOLLOW: u32 = 1000;

/// What a seat gets, at least and at most.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Bounds {
    least: f64,
    most: f64,
}

const ANYTHING: Bounds = Bounds { least: 0.0, most: 1.0 };

impl Bounds {
    fn exactly(share: f64) -> Self {
        Bounds { least: share, most: share }
    }

    fn is_exact(self) -> bool {
        self.most - self.least < 1.0 - CERTAIN
    }

    /// What is true of both.
    fn and(self, other: Bounds) -> Self {
        Bounds { least: self.least.max(other.least), most: self.most.min(other.most) }
    }

    /// Whether it decides all that is asked for.
    fn decides(self, asked: Bounds) -> bool {
        self.is_exact() || self.least >= asked.most || self.most <= asked.least
    }
}

/// What is known of a state.
#[derive(Clone, Copy)]
struct Known {
    bounds: Bounds,
    /// How deep lines were followed from there.
    depth: u32,
    /// Whether all actions were looked at.
    whole: bool,
}

/// A state that is looked at.
#[derive(Clone, Copy)]
struct At {
    /// How many actions deep lines are still followed.
    depth: u32,
    /// Whether something may be hidden from a seat.
    blind: bool,
    /// Between these the value is of interest.
    asked: Bounds,
}

/// How who decides chooses, as far as the bounds of the seat are concerned.
#[derive(Clone, Copy)]
enum Chooses {
    /// What is best for the seat: the seat itself.
    Best,
    /// What is worst for it.
    Worst,
    /// Anything: the seat can be sure of no more than the worst, and of no less than the best.
    Any,
}

impl Chooses {
    /// The bounds of a choice between two.
    fn between(self, one: Bounds, other: Bounds) -> Bounds {
        let (least, most) = (f64::min, f64::max);
        let [for_least, for_most]: [fn(f64, f64) -> f64; 2] = match self {
            Chooses::Best => [most, most],
            Chooses::Worst => [least, least],
            Chooses::Any => [least, most],
        };
        Bounds { least: for_least(one.least, other.least), most: for_most(one.most, other.most) }
    }

    /// Whether nothing that follows matters any more.
    fn is_enough(self, now: Bounds, asked: Bounds) -> bool {
        match self {
            Chooses::Best => now.least >= CERTAIN || now.least >= asked.most,
            Chooses::Worst => now.most <= 1.0 - CERTAIN || now.most <= asked.least,
            Chooses::Any => now == ANYTHING,
        }
    }

    /// Between which numbers the value of the rest is of interest.
    fn narrowed(self, asked: Bounds, now: Bounds) -> Bounds {
        match self {
            Chooses::Best => Bounds { least: asked.least.max(now.least), ..asked },
            Chooses::Worst => Bounds { most: asked.most.min(now.most), ..asked },
            Chooses::Any => asked,
        }
    }
}

struct Solver<'a, G: Advice> {
    position: &'a Position<G>,
    /// Whose share it is.
    seat: Seat,
    budget: Budget<'a>,
    known: BTreeMap<u64, Known>,
    /// How many states may still be looked at.
    left: u32,
}

/// The actions of a seat that are worth something for certain, where few lines are left. Of actions that win, those that win
/// later than others need not be among them. `table` is a world that fits the position, and `sole` says whether it is the only one.
///
/// # Errors
/// The budget ends.
pub(super) fn solve<G: Advice>(
    position: &Position<G>,
    table: &Table<G>,
    sole: bool,
    seat: Seat,
    simulations: u32,
    budget: Budget<'_>,
) -> Result<Vec<Proof<G::Action>>, Spent> {
    let secret = G::reopen(table.setup(), table.state(), position.searcher).is_some();
    let knows = || position.searcher.sees(seat) || position.is_open(table);
    if !sole || secret || !knows() || !table.decision().seats.contains(seat) {
        return Ok(Vec::new());
    }
    let mut solver = Solver {
        position,
        seat,
        budget,
        known: BTreeMap::new(),
        left: simulations.saturating_mul(LOOK).min(MOST),
    };
    solver.deepen(&table.bare())
}

impl<G: Advice> Solver<'_, G> {
    fn deepen(&mut self, table: &Table<G>) -> Result<Vec<Proof<G::Action>>, Spent> {
        let actions = match self.position.first.is_empty() {
            true => self.actions(table, self.seat).0,
            false => self.position.first.clone(),
        };
        let blind = !self.position.is_open(table);
        let mut found: Vec<(G::Action, Bounds, u32)> =
            actions.into_iter().map(|action| (action, ANYTHING, 0)).collect();
        for depth in 1..=DEPTH {
            for (action, bounds, plies) in found.iter_mut().filter(|it| !it.1.is_exact()) {
                let at = At { depth: depth - 1, blind, asked: ANYTHING };
                *bounds = bounds.and(self.after(table, action, at)?);
                *plies = depth;
            }
            let won = |it: &(G::Action, Bounds, u32)| it.1.least >= CERTAIN;
            let done = found.iter().any(won) || found.iter().all(|it| it.1.is_exact());
            if done || self.left == 0 {
                break;
            }
        }
        found.retain(|it| it.1.is_exact());
        let mut proofs = Vec::with_capacity(found.len());
        for (action, bounds, plies) in found {
            let mut line = vec![action];
            self.follow(table, &mut line, plies, blind)?;
            proofs.push(Proof { value: bounds.least, plies, line });
        }
        Ok(proofs)
    }

    /// Adds to a line of one action what follows, as far as it is certain.
    fn follow(
        &mut self,
        table: &Table<G>,
        line: &mut Vec<G::Action>,
        plies: u32,
        blind: bool,
    ) -> Result<(), Spent> {
        let mut table = table.bare();
        for depth in (0..plies).rev() {
            let Some(last) = line.last() else { return Ok(()) };
            if table.play_on(last, &mut Explore::default()).is_err() || depth == 0 {
                return Ok(());
            }
            let Some(mover) = self.mover(&table) else { return Ok(()) };
            let at = At { depth: depth - 1, blind, asked: ANYTHING };
            let mut best: Option<(f64, bool, G::Action)> = None;
            for action in self.actions(&table, mover).0 {
                self.left = self.left.max(FOLLOW);
                let bounds = self.after(&table, &action, at)?;
                let worth = if mover == self.seat { bounds.least } else { 1.0 - bounds.most };
                if best.as_ref().is_none_or(|(most, ..)| worth > *most) {
                    best = Some((worth, bounds.is_exact(), action));
                }
            }
            let Some((_, true, action)) = best else { return Ok(()) };
            line.push(action);
        }
        Ok(())
    }

    /// Who chooses next: the seat whose share it is before the others, who then know what it chose.
    fn mover(&self, table: &Table<G>) -> Option<Seat> {
        let seats = table.decision().seats;
        if seats.contains(self.seat) { Some(self.seat) } else { seats.lowest() }
    }

    /// The bounds of a state.
    fn bounds(&mut self, table: &Table<G>, at: At) -> Result<Bounds, Spent> {
        let (setup, state) = (&**table.setup(), table.state());
        if let Some(outcome) = table.outcome() {
            let worth = shares::of_outcome::<G>(setup, state, outcome);
            return Ok(Bounds::exactly(shares::of(&worth, self.seat)));
        }
        // A state takes a small part of what a simulation takes, which is one unit.
        self.budget.spend(0)?;
        let Some(mover) = self.mover(table).filter(|_| at.depth > 0 && self.pay(1)) else {
            return Ok(ANYTHING);
        };
        let own = mover == self.seat;
        let mut blind = at.blind;
        if blind && own {
            if !self.position.is_known_to(table, self.seat) {
                return Ok(ANYTHING);
            }
            blind = !self.position.is_open(table);
        }
        let key = mix(hash_of(state), u64::from(blind));
        let before = self.known.get(&key).copied();
        if let Some(known) = before {
            let as_deep = known.whole && known.depth >= at.depth;
            if as_deep || known.bounds.decides(at.asked) {
                return Ok(known.bounds);
            }
        }
        let (actions, listed) = self.actions(table, mover);
        let together = table.decision().seats.len() > 1;
        // Only a single opponent who knows everything can be expected to want the worst for the seat and to find it.
        let chooses = match own {
            true => Chooses::Best,
            false if blind || together || G::Setup::players(setup).len() > 2 => Chooses::Any,
            false => Chooses::Worst,
        };
        let mut asked = at.asked;
        let mut all: Option<Bounds> = None;
        let mut whole = true;
        for action in actions {
            let below = At { depth: at.depth - 1, blind, asked };
            let it = self.after(table, &action, below)?;
            let now = all.map_or(it, |all| chooses.between(all, it));
            all = Some(now);
            if chooses.is_enough(now, asked) {
                whole = false;
                break;
            }
            asked = chooses.narrowed(asked, now);
        }
        let mut bounds = all.unwrap_or(ANYTHING);
        if !whole || !listed {
            bounds = chooses.between(bounds, ANYTHING);
        }
        for other in G::interrupts(setup, state).minus(table.decision().seats).iter() {
            bounds = self.interrupted(table, other, bounds, At { blind, ..at })?;
        }
        if together {
            // Others do not see what the seat chooses.
            bounds.most = 1.0;
        }
        if let Some(known) = before {
            bounds = bounds.and(known.bounds);
        }
        if self.left > 0 {
            self.known.insert(key, Known { bounds, depth: at.depth, whole });
        }
        Ok(bounds)
    }

    /// The bounds of a state in which another seat may act without being asked.
    fn interrupted(
        &mut self,
        table: &Table<G>,
        other: Seat,
        mut bounds: Bounds,
        at: At,
    ) -> Result<Bounds, Spent> {
        if other == self.seat {
            return Ok(Bounds { most: 1.0, ..bounds });
        }
        let (actions, listed) = self.actions(table, other);
        if !listed {
            return Ok(ANYTHING);
        }
        for action in actions {
            let below = At { depth: at.depth - 1, asked: ANYTHING, ..at };
            let it = self.after(table, &action, below)?;
            // No seat has to interrupt, and one that does may do it to its own loss.
            bounds = Chooses::Any.between(bounds, it);
        }
        Ok(bounds)
    }

    /// The bounds of what may come of an action.
    fn after(&mut self, table: &Table<G>, action: &G::Action, at: At) -> Result<Bounds, Spent> {
        if self.left == 0 {
            return Ok(ANYTHING);
        }
        let (setup, state) = (table.setup(), table.state());
        let hides = self.position.searcher != Observer::Referee;
        let mut next = table.bare();
        match next.play_on(action, &mut Explore::default()) {
            Ok(()) => {
                let secret = hides && G::Action::redact(action, setup, state) != *action;
                return self.bounds(&next, At { blind: at.blind || secret, ..at });
            }
            Err(Stop::Chance { .. }) => {}
            Err(Stop::Refused(_)) => {
                debug_assert!(false, "a listed action was refused: {action:?}");
                return Ok(ANYTHING);
            }
        }
        let Ok(branches) = outcomes(table, action, WAYS) else {
            self.pay(WAYS as u32);
            return Ok(ANYTHING);
        };
        self.pay(branches.len() as u32);
        let at = At { blind: hides && !G::FALLS_ARE_OPEN, asked: ANYTHING, ..at };
        let mut mean = Bounds::exactly(0.0);
        for branch in branches {
            let weight = branch.odds.0 as f64 / branch.odds.1 as f64;
            let next = Table::at(setup.clone(), branch.state, table.ply() + 1);
            let it = self.bounds(&next, at)?;
            mean.least += weight * it.least;
            mean.most += weight * it.most;
        }
        Ok(mean)
    }

    /// Pays for some work. Whether there was still so much left to pay with.
    fn pay(&mut self, price: u32) -> bool {
        let can = self.left >= price;
        self.left = self.left.saturating_sub(price);
        can
    }

    /// The legal actions of a seat, the readiest first, and whether none is left out.
    fn actions(&mut self, table: &Table<G>, seat: Seat) -> (Vec<G::Action>, bool) {
        let mut list = Listing { actions: Vec::new(), ranges: Vec::new(), most: ACTIONS };
        let whole = table.legal(seat, &mut list).is_continue() && list.ranges.is_empty();
        let (setup, state) = (table.setup(), table.state());
        let mut actions = list.actions;
        self.pay(actions.len() as u32 / LISTED);
        actions.sort_by_cached_key(|it| std::cmp::Reverse(G::prior(setup, state, it)));
        (actions, whole)
    }
}
