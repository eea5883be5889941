//! Two searches against each other: how often the first wins, and what both do.
//!
//! `cargo run --release -p umpire-engine --example duel -- GAME SEARCH SEARCH [--games N] [--most A] [--seed S]
//! [--options JSON]`
//!
//! A SEARCH is a number of simulations, with changes after it: `1000:bid=8000` takes 8,000 where the game waits in the state
//! `bid`, `1000:4=110` gives the weight of that place (`Advice::weights`, from 0) another value, `1000:blind` foresees nothing that
//! others choose unseen. Two games of one deal
//! are played with seats changed; with more than two seats the first search has those of even number, then those of odd. A
//! game that is not over after so many actions counts for those who stand first.

#![allow(clippy::print_stdout, reason = "a tool speaks to whoever runs it")]

mod cores;
mod deals;

use std::collections::{BTreeMap, BTreeSet};

use clap::Parser;
use clap::builder::PossibleValuesParser;
use cores::on_every_core;
use deals::deal;
use umpire_engine::analysis::balance::Share;
use umpire_engine::analysis::search::{InTurn, Params, Position, search};
use umpire_engine::analysis::selfplay::play_by;
use umpire_engine::budget::Budget;
use umpire_engine::game::{FullGame, Observer, Seat, TableSetup, Visitor};
use umpire_engine::games;

/// One of the two, as it is asked for.
#[derive(Clone)]
struct Side {
    simulations: u32,
    /// Simulations by the state that the game waits in.
    states: BTreeMap<String, u32>,
    /// Weights by their places.
    weights: BTreeMap<usize, i32>,
    /// Whether it expects what others choose unseen.
    foresight: bool,
}

impl Side {
    fn read(text: &str) -> Result<Side, String> {
        Side::parts(text)
            .ok_or_else(|| "1000:bid=8000:4=110 is expected, or a part of it".to_owned())
    }

    fn parts(text: &str) -> Option<Side> {
        let simulations = |text: &str| text.parse().ok().filter(|&it| it > 0);
        let mut parts = text.split(':');
        let mut side = Side {
            simulations: simulations(parts.next()?)?,
            states: BTreeMap::new(),
            weights: BTreeMap::new(),
            foresight: true,
        };
        for part in parts {
            if part == "blind" {
                side.foresight = false;
                continue;
            }
            let (name, value) = part.split_once('=')?;
            if let Ok(place) = name.parse() {
                side.weights.insert(place, value.parse().ok()?);
            } else {
                side.states.insert(name.to_owned(), simulations(value)?);
            }
        }
        Some(side)
    }

    /// The weights of every seat as this side has them; the first place that no seat has otherwise.
    fn weights<G: FullGame>(&self, seats: usize) -> Result<Vec<Vec<i32>>, usize> {
        let mut all: Vec<Vec<i32>> =
            (0..seats).map(|seat| G::weights(Seat::at(seat)).to_vec()).collect();
        for (&place, &weight) in &self.weights {
            let mut places = all.iter_mut().filter_map(|it| it.get_mut(place)).peekable();
            if places.peek().is_none() {
                return Err(place);
            }
            places.for_each(|it| *it = weight);
        }
        Ok(all)
    }
}

/// Two searches against each other: how often the first wins, and what both do.
#[derive(Parser)]
struct Asked {
    /// Which game.
    #[arg(value_parser = PossibleValuesParser::new(games::GAMES.iter().map(|it| it.meta().id)))]
    game: String,
    /// A number of simulations, with changes of a state's or of a weight after it: 1000:bid=8000:4=110; 1000:blind
    /// expects nothing of what others choose unseen.
    #[arg(value_parser = Side::read)]
    first: Side,
    /// The same for the other.
    #[arg(value_parser = Side::read)]
    second: Side,
    /// How many games are played.
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
    /// After how many actions a game is left.
    #[arg(long, default_value_t = 600)]
    most: u32,
    /// What makes these games others than those of another seed.
    #[arg(long, default_value = "1")]
    seed: String,
    /// The options of the game, as JSON.
    #[arg(long, default_value = "{}")]
    options: String,
}

/// A game that was played.
struct Played {
    /// What it was worth to the first side.
    won: f64,
    actions: usize,
    /// How often each side took actions of a type, and the sums and names that were in their fields.
    taken: [BTreeMap<String, u64>; 2],
    /// The states that the game waited in.
    states: BTreeSet<&'static str>,
}

/// Counts an action by its type, and what numbers and names are in its fields.
fn count(taken: &mut BTreeMap<String, u64>, action: &serde_json::Value) {
    let kind = action["type"].as_str().unwrap_or_default();
    *taken.entry(kind.to_owned()).or_default() += 1;
    for field in ["amount", "gold"] {
        if let Some(sum) = action[field].as_u64() {
            *taken.entry(format!("{kind} ({field})")).or_default() += sum;
        }
    }
    for field in ["unit_type", "use", "favor"] {
        let named = match &action[field] {
            serde_json::Value::String(name) => name.as_str(),
            serde_json::Value::Bool(true) => field,
            _ => continue,
        };
        *taken.entry(format!("{kind} ({named})")).or_default() += 1;
    }
}

/// One game; nothing where none begins with these options.
fn play<G: FullGame>(asked: &Asked, weights: [&[&[i32]]; 2], number: usize) -> Option<Played> {
    let name = format!("{} {number}", asked.seed);
    let (setup, mut chance) = deal::<G>(&asked.options, &format!("{} {}", asked.seed, number / 2))?;
    let side = |seat: Seat| (seat.index() + number) % 2;
    let mut taken = <[BTreeMap<String, u64>; 2]>::default();
    let mut waited = BTreeSet::new();
    let played =
        play_by::<G>(&setup, &mut chance, &name, asked.most, |table, seat, memory, seed| {
            let &Side { simulations, ref states, foresight, .. } =
                [&asked.first, &asked.second][side(seat)];
            let state = table.decision().state;
            waited.insert(state);
            let simulations = states.get(state).copied().unwrap_or(simulations);
            let weights = Some(weights[side(seat)]);
            let params = Params { weights, foresight, ..Params::of::<G>(simulations, seed) };
            let position = Position::remembered(table, Observer::Seat(seat), memory);
            let found = search(&position, Some(seat), params, Budget::UNLIMITED, &InTurn);
            let action = found.ok().and_then(|it| it.best().map(|best| best.action.clone()));
            if let Some(Ok(action)) = action.as_ref().map(serde_json::to_value) {
                count(&mut taken[side(seat)], &action);
            }
            Ok(action)
        });
    let played = played.ok()??;
    let seats = played.shares.iter().enumerate();
    let won = seats.filter(|&(seat, _)| side(Seat::at(seat)) == 0).map(|it| it.1).sum();
    Some(Played { won, actions: played.actions.len(), taken, states: waited })
}

fn duel<G: FullGame>(asked: &Asked) {
    let Some((setup, _)) = deal::<G>(&asked.options, "seats") else {
        return println!("no game begins with these options");
    };
    let seats = G::Setup::players(&setup).len();
    let weights = [&asked.first, &asked.second].map(|it| it.weights::<G>(seats));
    let [Ok(first), Ok(second)] = &weights else {
        let places = weights.iter().filter_map(|it| it.as_ref().err());
        return places.for_each(|place| println!("there is no weight {place}"));
    };
    let [first, second]: [Vec<&[i32]>; 2] =
        [first, second].map(|it| it.iter().map(Vec::as_slice).collect());
    let one = |number| play::<G>(asked, [&first, &second], number);
    let games: Vec<Played> =
        on_every_core(asked.games as usize, one).into_iter().flatten().collect();
    if games.len() < asked.games as usize {
        println!("{} games did not begin", asked.games as usize - games.len());
    }
    let count = games.len();
    if count == 0 {
        return;
    }
    let won = Share::of(games.iter().map(|it| it.won).sum(), games.len() as u32);
    println!(
        "{:.1} % of {} ({:.1} to {:.1}), {} actions a game",
        100.0 * won.share,
        games.len(),
        100.0 * won.low,
        100.0 * won.high,
        games.iter().map(|it| it.actions).sum::<usize>() / count
    );
    let waited: BTreeSet<&str> = games.iter().flat_map(|it| &it.states).copied().collect();
    for state in asked.first.states.keys().chain(asked.second.states.keys()) {
        if !waited.contains(state.as_str()) {
            println!("no game waited in the state {state}");
        }
    }
    let mut taken: BTreeMap<&str, [u64; 2]> = BTreeMap::new();
    for (side, counts) in games.iter().flat_map(|it| it.taken.iter().enumerate()) {
        counts.iter().for_each(|(what, often)| taken.entry(what).or_default()[side] += often);
    }
    for (what, sums) in taken {
        let [first, second] = sums.map(|it| it as f64 / count as f64);
        println!("{first:8.1} {second:8.1}  {what}");
    }
}

impl Visitor for Asked {
    fn game<G: FullGame>(&mut self) {
        if G::META.id == self.game {
            duel::<G>(self);
        }
    }
}

fn main() {
    games::visit(&mut Asked::parse());
}
