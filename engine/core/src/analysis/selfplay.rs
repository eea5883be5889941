//! Whole games between players that are programs: random, greedy, or searching.
//!
//! Every player decides from what its seat knows. This module must not know who wins more often; that is
//! counted elsewhere.

use std::fmt;
use std::ops::ControlFlow;
use std::str::FromStr;
use std::sync::Arc;

use super::minds::Minds;
use super::random::Random;
use super::search::{InTurn, Params, Position, search};
use super::shares::{self, Shares};
use crate::budget::{Budget, Spent};
use crate::chance::seeded::Seeded;
use crate::game::{Advice, Group, Keep, Menu, Observer, Seat, Table};

/// The most simulations that a player may be asked for.
pub const MOST_SIMULATIONS: u32 = 1_000_000;

/// How a seat is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Player {
    /// Any legal action that is not senseless at sight, each as likely.
    Random,
    /// The action after which the game's estimate is best; without an estimate, what the game holds most likely.
    Greedy,
    /// Search with so many simulations, who foresees what others choose unseen ([`Params::foresight`]).
    Search(u32),
}

impl fmt::Display for Player {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Player::Random => to.write_str("random"),
            Player::Greedy => to.write_str("greedy"),
            Player::Search(simulations) => write!(to, "search:{simulations}"),
        }
    }
}

impl FromStr for Player {
    type Err = String;

    fn from_str(text: &str) -> Result<Player, String> {
        Player::read(text, MOST_SIMULATIONS)
    }
}

impl Player {
    /// The player of that name, where at most so many simulations may be asked for.
    ///
    /// # Errors
    /// What is expected instead.
    pub fn read(text: &str, most: u32) -> Result<Player, String> {
        let of_search = |number: &str| {
            let number: u32 = number.parse().ok()?;
            (1..=most).contains(&number).then_some(Player::Search(number))
        };
        let found = match text {
            "random" => Some(Player::Random),
            "greedy" => Some(Player::Greedy),
            _ => text.strip_prefix("search:").and_then(of_search),
        };
        found.ok_or_else(|| {
            format!(
                "{text} is not a player: random, greedy or search:N is expected, N from 1 to {most}"
            )
        })
    }
}

/// A game that was played.
#[derive(Clone, Debug)]
pub struct Played<A> {
    /// The decisions.
    pub actions: Vec<A>,
    /// How it ended, one of [`crate::game::Meta::endings`]; empty where it did not within the bound.
    pub reason: &'static str,
    /// The winner.
    pub winner: Option<Seat>,
    /// What it was worth to each seat; where it did not end, equal parts for those who stand first in the game's own
    /// table, or for all where it has none.
    pub shares: Shares,
}

/// Plays a game to its end, or for at most so many actions.
///
/// # Errors
/// [`Spent`], where the budget ends.
pub fn play<G: Advice>(
    setup: &Arc<G::Setup>,
    chance: &mut Seeded,
    players: &[Player],
    seed: &str,
    most: u32,
    budget: Budget<'_>,
) -> Result<Option<Played<G::Action>>, Spent> {
    play_by::<G>(setup, chance, seed, most, |table, seat, memory, seed| {
        budget.spend(1)?;
        let player = players.get(seat.index()).copied().unwrap_or(Player::Random);
        choose_knowing(table, seat, memory, player, seed, budget)
    })
}

/// The same, where `decide` says what a seat does at a table, from what it remembers and with a seed of its own for every
/// ply; where it has no action, the game is left.
///
/// # Errors
/// [`Spent`], where a decision says so.
pub fn play_by<G: Advice>(
    setup: &Arc<G::Setup>,
    chance: &mut Seeded,
    seed: &str,
    most: u32,
    mut decide: impl FnMut(&Table<G>, Seat, G::Memory, &str) -> Result<Option<G::Action>, Spent>,
) -> Result<Option<Played<G::Action>>, Spent> {
    let keep = if Minds::<G>::NEEDED { Keep::Log } else { Keep::Nothing };
    let Ok(opened) = Table::<G>::open(setup.clone(), chance, keep) else {
        return Ok(None);
    };
    let mut minds = Minds::<G>::at(setup, &G::start(setup));
    minds.hear(setup, opened.log().map_or(&[], |log| &log.events));
    let mut table = opened.bare();
    let mut actions = Vec::new();
    while table.outcome().is_none()
        && table.ply() < most
        && let Some(seat) = table.decision().seats.lowest()
    {
        let seed = format!("{seed} {}", table.ply());
        let Some(action) = decide(&table, seat, minds.of_seat(seat), &seed)? else { break };
        let played = if Minds::<G>::NEEDED {
            let caused = table.play_logged(&action, chance);
            caused.map(|log| minds.hear(setup, &log.events))
        } else {
            table.play(&action, chance)
        };
        if played.is_err() {
            break;
        }
        actions.push(action);
    }
    let (setup, state) = (table.setup(), table.state());
    let outcome = table.outcome();
    Ok(Some(Played {
        actions,
        reason: outcome.map_or("", |outcome| outcome.reason),
        winner: outcome.and_then(|outcome| outcome.winner),
        shares: shares::as_it_stands::<G>(setup, state),
    }))
}

/// What a player does for a seat that decides, from what it sees now; `None` where it has no action.
///
/// # Errors
/// [`Spent`], where the budget ends.
pub fn choose<G: Advice>(
    table: &Table<G>,
    seat: Seat,
    player: Player,
    seed: &str,
    budget: Budget<'_>,
) -> Result<Option<G::Action>, Spent> {
    choose_knowing(table, seat, G::Memory::default(), player, seed, budget)
}

/// What a player does for a seat that decides, from what it sees now and remembers; `None` where it has no
/// action.
///
/// # Errors
/// [`Spent`], where the budget ends.
pub fn choose_knowing<G: Advice>(
    table: &Table<G>,
    seat: Seat,
    memory: G::Memory,
    player: Player,
    seed: &str,
    budget: Budget<'_>,
) -> Result<Option<G::Action>, Spent> {
    let mut random = Random::new(seed, u64::from(seat.0));
    match player {
        Player::Random => Ok(any(table, seat, &mut random)),
        Player::Greedy => Ok(greedy(table, seat, &memory, &mut random)),
        Player::Search(simulations) => {
            let position = Position::remembered(table, Observer::Seat(seat), memory);
            let params = Params { foresight: true, ..Params::of::<G>(simulations, seed) };
            match search(&position, Some(seat), params, budget, &InTurn) {
                Ok(found) => Ok(found.best().map(|best| best.action.clone())),
                Err(_) if budget.is_spent() => Err(Spent),
                Err(_) => Ok(any(table, seat, &mut random)),
            }
        }
    }
}

/// One of the actions that are not senseless, each as likely; of a range, one that the game proposes.
struct Any<'a, G: Advice> {
    table: &'a Table<G>,
    random: &'a mut Random,
    count: u64,
    found: Option<G::Action>,
    last: Option<G::Action>,
}

impl<G: Advice> Any<'_, G> {
    fn offer(&mut self, action: G::Action, count: u64) {
        if G::prior(self.table.setup(), self.table.state(), &action) == 0 {
            self.last.get_or_insert(action);
            return;
        }
        self.count += count;
        if self.random.below(self.count) < count {
            self.found = Some(action);
        }
    }
}

impl<G: Advice> Menu<G> for Any<'_, G> {
    fn action(&mut self, action: G::Action) -> ControlFlow<()> {
        self.offer(action, 1);
        ControlFlow::Continue(())
    }

    fn range(&mut self, range: G::Range) -> ControlFlow<()> {
        let table = self.table;
        for action in G::propose(table.setup(), table.state(), &range, self.random) {
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

fn any<G: Advice>(table: &Table<G>, seat: Seat, random: &mut Random) -> Option<G::Action> {
    let mut any = Any { table, random, count: 0, found: None, last: None };
    let _ = table.legal(seat, &mut any);
    any.found.or(any.last)
}

/// How many falls of chance a greedy player thinks of.
const FALLS: u32 = 4;

fn greedy<G: Advice>(
    table: &Table<G>,
    seat: Seat,
    memory: &G::Memory,
    random: &mut Random,
) -> Option<G::Action> {
    struct List<'a, G: Advice>(&'a Table<G>, &'a mut Random, Vec<G::Action>);
    impl<G: Advice> Menu<G> for List<'_, G> {
        fn action(&mut self, action: G::Action) -> ControlFlow<()> {
            self.2.push(action);
            ControlFlow::Continue(())
        }

        fn range(&mut self, range: G::Range) -> ControlFlow<()> {
            let List(table, random, list) = self;
            list.extend(G::propose(table.setup(), table.state(), &range, *random));
            ControlFlow::Continue(())
        }
    }
    let mut list = List(table, random, Vec::new());
    let _ = table.legal(seat, &mut list);
    let List(_, random, list) = list;
    let view = table.view(Observer::Seat(seat));
    let mut best: Option<(f64, G::Action)> = None;
    for action in list {
        let prior = G::prior(table.setup(), table.state(), &action);
        let mut sum = 0.0;
        for _ in 0..FALLS {
            let Ok(state) = G::imagine(table.setup(), &view, memory, random) else { continue };
            let mut next = Table::<G>::at(table.setup().clone(), state, table.ply());
            if next.play_on(&action, random).is_ok() {
                sum += shares::of(&shares::value::<G>(next.setup(), next.state()), seat);
            }
        }
        // Among equals, what the game holds more likely.
        let worth = if prior == 0 { -1.0 } else { sum + f64::from(prior) * 1e-9 };
        if best.as_ref().is_none_or(|&(highest, _)| worth > highest) {
            best = Some((worth, action));
        }
    }
    best.map(|(_, action)| action)
}
