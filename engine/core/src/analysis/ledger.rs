//! The ledger of luck and skill: what each draw and each decision of a game was worth.
//!
//! A game begins at the mean over all openings and ends at its result. Each ply adds skill (the mean over what
//! could have fallen after the action, less what the table was worth before it) and luck (what did fall, less
//! that mean), so that start + luck + skill is the result, always. Luck has the mean nought whatever the value
//! that is used, so the result less all luck is an unbiased measure of play (Zare; Burch and others 2018).
//! The worth of a table is that of all cards open: hindsight. This module must not look at who plays.

use super::odds::{NoOdds, outcomes};
use super::random::Random;
use super::search::playout;
use super::shares::{SEATS, Shares, equal, value};
use crate::budget::{Budget, Spent};
use crate::game::{Advice, Horizon, Keep, Seat, Table, TableSetup};

/// The most ways to fall that are enumerated; beyond them they are sampled.
const ENUMERATED: usize = 400;
/// How many falls are sampled where they cannot be enumerated.
const SAMPLED: u32 = 200;
/// How many openings are sampled.
const OPENINGS: u32 = 400;
/// How many playouts stand for a table's worth in a game without an estimate.
const PLAYOUTS: u32 = 16;
/// The bound of such a playout.
const LONGEST: Horizon = Horizon::Actions(2000);

/// What a step of the game added.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Step {
    /// What fell, less the mean over what could have fallen, by seat.
    pub(super) luck: Shares,
    /// The mean over what could fall after the action, less the worth before it, by seat.
    pub(super) skill: Shares,
    /// In how many ways it could have fallen; 0 where they were sampled.
    pub(super) ways: u32,
    /// The largest standard error of a seat's luck, and of its skill, from sampling.
    pub(super) error: f64,
}

/// What a table is worth, all cards open. The same table at the same ply of the same seed is worth the same.
pub(super) fn worth<G: Advice>(table: &Table<G>, seed: &str, number: u64) -> Shares {
    let estimated = !G::weights(Seat(0)).is_empty();
    if estimated || table.outcome().is_some() {
        return value::<G>(table.setup(), table.state());
    }
    let mut sum = [0.0; SEATS];
    let mut random = Random::new(seed, number);
    for _ in 0..PLAYOUTS {
        let shares = playout(&mut table.bare(), &mut random, LONGEST);
        sum.iter_mut().zip(shares).for_each(|(sum, it)| *sum += it);
    }
    sum.map(|it| it / f64::from(PLAYOUTS))
}

/// A number for each worth of a game: the table itself, and the tables that might have come in its place.
fn number(ply: u32, branch: u32) -> u64 {
    u64::from(ply) << 32 | u64::from(branch)
}

/// The standard error of the worth of a table, or the most that it can be: 0 where it follows from the table by the game's
/// estimate, as the estimate is.
pub(super) fn worth_error<G: Advice>(table: &Table<G>) -> f64 {
    let estimated = !G::weights(Seat(0)).is_empty();
    // Numbers from 0 to 1 deviate by a half at most.
    if estimated || table.outcome().is_some() { 0.0 } else { 0.5 / f64::from(PLAYOUTS).sqrt() }
}

/// The worth of the table that stands at a ply.
pub(super) fn worth_at<G: Advice>(table: &Table<G>, seed: &str) -> Shares {
    worth(table, seed, number(table.ply(), 0))
}

/// What an action and what fell after it added.
///
/// # Errors
/// [`Spent`], where the budget ends.
pub(super) fn step<G: Advice>(
    before: &Table<G>,
    action: &G::Action,
    after: &Table<G>,
    seed: &str,
    budget: Budget<'_>,
) -> Result<Step, Spent> {
    let had = worth_at(before, seed);
    let has = worth_at(after, seed);
    let mut mean = [0.0; SEATS];
    let mut squares = [0.0; SEATS];
    let mut add = |shares: Shares, weight: f64| {
        for (at, share) in shares.into_iter().enumerate() {
            mean[at] += share * weight;
            squares[at] += share * share * weight;
        }
    };
    budget.spend(1)?;
    let (ways, falls) = match outcomes(before, action, ENUMERATED) {
        Ok(branches) => {
            for (at, branch) in branches.iter().enumerate() {
                budget.spend(1)?;
                let weight = branch.odds.0 as f64 / branch.odds.1 as f64;
                let shares = if branch.state == *after.state() {
                    has
                } else {
                    let setup = before.setup().clone();
                    let table = Table::<G>::at(setup, branch.state.clone(), after.ply());
                    worth(&table, seed, number(after.ply(), at as u32 + 1))
                };
                add(shares, weight);
            }
            (branches.len() as u32, 0)
        }
        Err(NoOdds::TooMany | NoOdds::Chance(_)) => {
            let mut random = Random::new(seed, number(before.ply(), u32::MAX));
            for at in 0..SAMPLED {
                budget.spend(1)?;
                let mut table = before.bare();
                let shares = match table.play_on(action, &mut random) {
                    Ok(()) => worth(&table, seed, number(after.ply(), at + 1)),
                    Err(_) => has,
                };
                add(shares, 1.0 / f64::from(SAMPLED));
            }
            (0, SAMPLED)
        }
        Err(NoOdds::Refused(_)) => {
            add(has, 1.0);
            (1, 0)
        }
    };
    let mut out = Step { luck: [0.0; SEATS], skill: [0.0; SEATS], ways, error: 0.0 };
    for at in 0..SEATS {
        out.luck[at] = has[at] - mean[at];
        out.skill[at] = mean[at] - had[at];
        if falls > 1 {
            let variance = (squares[at] - mean[at] * mean[at]).max(0.0);
            out.error = out.error.max((variance / f64::from(falls - 1)).sqrt());
        }
    }
    Ok(out)
}

/// What a game is worth before it is opened, and the standard error of it: the mean over openings. A loaded
/// position is worth what it is.
///
/// # Errors
/// [`Spent`], where the budget ends.
pub(super) fn start<G: Advice>(
    first: &Table<G>,
    opened: bool,
    seed: &str,
    budget: Budget<'_>,
) -> Result<(Shares, f64), Spent> {
    if !opened {
        return Ok((worth_at(first, seed), 0.0));
    }
    let mut random = Random::new(seed, number(0, u32::MAX));
    let (mut mean, mut squares, mut count) = ([0.0; SEATS], [0.0; SEATS], 0);
    for at in 0..OPENINGS {
        budget.spend(1)?;
        let opened = Table::<G>::open(first.setup().clone(), &mut random, Keep::Nothing);
        let Ok(table) = opened else { continue };
        for (seat, share) in worth(&table, seed, number(0, at + 1)).into_iter().enumerate() {
            mean[seat] += share;
            squares[seat] += share * share;
        }
        count += 1;
    }
    if count == 0 {
        return Ok((equal(G::Setup::players(first.setup())), 0.0));
    }
    let n = f64::from(count);
    let mut error: f64 = 0.0;
    for seat in 0..SEATS {
        mean[seat] /= n;
        let variance = (squares[seat] / n - mean[seat] * mean[seat]).max(0.0);
        error = error.max((variance / n).sqrt());
    }
    Ok((mean, error))
}
