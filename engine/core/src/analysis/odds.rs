//! Exact odds of one step: every way the dice and cards can fall, with its probability.
//!
//! Works for any game without a change to it, because a step runs on a copy and may stop at an
//! open question ([`Explore`]). This module must not sample and must not use floats.

use crate::chance::Halt;
use crate::chance::explore::Explore;
use crate::game::{Game, Log, Stop, Table};
use crate::rules::Refusal;

/// One way a step can end.
#[derive(Clone, PartialEq, Debug)]
pub struct Branch<G: Game> {
    /// Favourable and possible cases; reduced. Over all branches the fractions add up to one.
    pub odds: (u128, u128),
    /// The state after it.
    pub state: G::State,
}

/// Why odds could not be given.
#[derive(Clone, PartialEq, Debug)]
pub enum NoOdds<R> {
    /// The action is illegal.
    Refused(Refusal<R>),
    /// There are more ways than asked for, or their number is beyond 128 bits.
    TooMany,
    /// Chance stopped for another reason than an open question.
    Chance(Box<Halt>),
}

/// All ways in which `action` can end; equal states are merged. At most `most` lines of play are
/// followed.
pub fn outcomes<G: Game>(
    table: &Table<G>,
    action: &G::Action,
    most: usize,
) -> Result<Vec<Branch<G>>, NoOdds<G::Rule>> {
    let mut done: Vec<Branch<G>> = Vec::new();
    let mut overflow = false;
    let mut end = |next: &Table<G>, odds| match done
        .iter_mut()
        .find(|branch| branch.state == *next.state())
    {
        Some(branch) => match add(branch.odds, odds) {
            Some(sum) => branch.odds = sum,
            None => overflow = true,
        },
        None => done.push(Branch { odds, state: next.state().clone() }),
    };
    follow(
        table,
        most,
        |next, chance| next.play(action, chance),
        |next, (), odds| end(next, odds),
    )?;
    if overflow { Err(NoOdds::TooMany) } else { Ok(done) }
}

/// Shows everything that `action` can cause, way by way, each with its probability. At most `most` ways are
/// followed.
pub(super) fn each<G: Game>(
    table: &Table<G>,
    action: &G::Action,
    most: usize,
    mut way: impl FnMut(Log<G>, (u128, u128)),
) -> Result<(), NoOdds<G::Rule>> {
    let play = |next: &mut Table<G>, chance: &mut Explore| next.play_logged(action, chance);
    follow(table, most, play, |_, log, odds| way(log, odds))
}

/// Follows every way in which a step can go, at most `most` ways.
pub(super) fn follow<G: Game, T>(
    table: &Table<G>,
    most: usize,
    mut play: impl FnMut(&mut Table<G>, &mut Explore) -> Result<T, Stop<G::Rule>>,
    mut end: impl FnMut(&Table<G>, T, (u128, u128)),
) -> Result<(), NoOdds<G::Rule>> {
    let mut open: Vec<(Vec<u32>, (u128, u128))> = vec![(Vec::new(), (1, 1))];
    let mut lines = 0;
    while let Some((answers, odds)) = open.pop() {
        lines += 1;
        if lines > most {
            return Err(NoOdds::TooMany);
        }
        let mut next = table.clone();
        match play(&mut next, &mut Explore::new(answers.clone())) {
            Ok(done) => end(&next, done, odds),
            Err(Stop::Refused(refusal)) => return Err(NoOdds::Refused(refusal)),
            Err(Stop::Chance { halt, .. }) => {
                let Halt::Open { weights } = *halt else { return Err(NoOdds::Chance(halt)) };
                let all: u128 = weights.iter().map(|&weight| u128::from(weight)).sum();
                for (index, &weight) in weights.iter().enumerate().rev() {
                    if weight > 0 {
                        let mut longer = answers.clone();
                        longer.push(index as u32);
                        let odds = times(odds, (u128::from(weight), all));
                        open.push((longer, odds.ok_or(NoOdds::TooMany)?));
                    }
                }
            }
        }
    }
    Ok(())
}

fn times(a: (u128, u128), b: (u128, u128)) -> Option<(u128, u128)> {
    reduced(a.0.checked_mul(b.0)?, a.1.checked_mul(b.1)?)
}

pub(super) fn add(a: (u128, u128), b: (u128, u128)) -> Option<(u128, u128)> {
    let left = a.0.checked_mul(b.1)?;
    let right = b.0.checked_mul(a.1)?;
    reduced(left.checked_add(right)?, a.1.checked_mul(b.1)?)
}

fn reduced(over: u128, under: u128) -> Option<(u128, u128)> {
    let (mut a, mut b) = (over, under);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    (a != 0).then(|| (over / a, under / a))
}
