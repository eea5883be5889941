//! Two searches against each other: how often the first wins, and what both do.
//!
//! `cargo run --release -p umpire-engine --example duel -- GAME SEARCH SEARCH [--games N] [--most A] [--seed S]
//! [--options JSON]`
//!
//! A SEARCH is a number of simulations, with changes after it: `1000:bid=8000` takes 8,000 where the game waits in the state
//! `bid`, `1000:4=110` gives the weight of that place (`Game::weights`, from 0) another value. Two games of one deal
//! are played with seats changed; with more than two seats the first search has those of even number, then those of odd. A
//! game that is not over after so many actions counts for those who stand first.

#![allow(clippy::print_stdout, reason = "a tool speaks to whoever runs it")]

mod cores;

use std::collections::{BTreeMap, BTreeSet};
use std::process::ExitCode;
use std::sync::Arc;

use cores::on_every_core;
use umpire_engine::analysis::balance::Share;
use umpire_engine::analysis::search::{InTurn, Params, Position, search};
use umpire_engine::analysis::selfplay::play_by;
use umpire_engine::budget::Budget;
use umpire_engine::chance::seeded::Seeded;
use umpire_engine::game::{Game, Observer, Seat, Visitor};
use umpire_engine::games;

/// One of the two, as it is asked for.
struct Side {
    simulations: u32,
    /// Simulations by the state that the game waits in.
    states: BTreeMap<String, u32>,
    /// Weights by their places.
    weights: BTreeMap<usize, i32>,
}

impl Side {
    fn read(text: &str) -> Option<Side> {
        let mut parts = text.split(':');
        let simulations = parts.next()?.parse().ok().filter(|&it| it > 0)?;
        let (mut states, mut weights) = (BTreeMap::new(), BTreeMap::new());
        for part in parts {
            let (name, value) = part.split_once('=')?;
            if let Ok(place) = name.parse() {
                weights.insert(place, value.parse().ok()?);
            } else {
                states.insert(name.to_owned(), value.parse().ok().filter(|&it| it > 0)?);
            }
        }
        Some(Side { simulations, states, weights })
    }

    /// The weights of every seat as this side has them; the first place that no seat has otherwise.
    fn weights<G: Game>(&self, seats: usize) -> Result<Vec<Vec<i32>>, usize> {
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

/// What is asked for.
struct Asked {
    game: String,
    sides: [Side; 2],
    games: usize,
    most: u32,
    seed: String,
    options: String,
}

/// A game that was played.
#[derive(Default)]
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

fn play<G: Game>(asked: &Asked, weights: [&[&[i32]]; 2], number: usize) -> Played {
    let deal = format!("{} {}", asked.seed, number / 2);
    let name = format!("{} {number}", asked.seed);
    let mut chance = Seeded::new(&deal, G::META.streams);
    let options = serde_json::from_str::<G::Options>(&asked.options).ok();
    let setup = options.and_then(|options| G::setup(options, &mut chance).ok());
    let Some(setup) = setup.map(Arc::new) else { return Played::default() };
    let side = |seat: Seat| (seat.index() + number) % 2;
    let mut taken = <[BTreeMap<String, u64>; 2]>::default();
    let mut waited = BTreeSet::new();
    let played =
        play_by::<G>(&setup, &mut chance, &name, asked.most, |table, seat, memory, seed| {
            let Side { simulations, states, .. } = &asked.sides[side(seat)];
            let state = table.decision().state;
            waited.insert(state);
            let simulations = *states.get(state).unwrap_or(simulations);
            let weights = Some(weights[side(seat)]);
            let params = Params { weights, ..Params::of::<G>(simulations, seed) };
            let position = Position::remembered(table, Observer::Seat(seat), memory);
            let found = search(&position, Some(seat), params, Budget::UNLIMITED, &InTurn);
            let action = found.ok().and_then(|it| it.best().map(|best| best.action.clone()));
            if let Some(Ok(action)) = action.as_ref().map(serde_json::to_value) {
                count(&mut taken[side(seat)], &action);
            }
            Ok(action)
        });
    let Ok(Some(played)) = played else { return Played::default() };
    let seats = played.shares.iter().enumerate();
    let won = seats.filter(|&(seat, _)| side(Seat::at(seat)) == 0).map(|it| it.1).sum();
    Played { won, actions: played.actions.len(), taken, states: waited }
}

fn duel<G: Game>(asked: &Asked) {
    let mut chance = Seeded::new(&asked.seed, G::META.streams);
    let options = serde_json::from_str::<G::Options>(&asked.options).ok();
    let Some(setup) = options.and_then(|options| G::setup(options, &mut chance).ok()) else {
        return println!("no game begins with these options");
    };
    let seats = G::players(&setup).len();
    let weights = asked.sides.each_ref().map(|it| it.weights::<G>(seats));
    let [Ok(first), Ok(second)] = &weights else {
        let places = weights.iter().filter_map(|it| it.as_ref().err());
        return places.for_each(|place| println!("there is no weight {place}"));
    };
    let [first, second]: [Vec<&[i32]>; 2] =
        [first, second].map(|it| it.iter().map(Vec::as_slice).collect());
    let games = on_every_core(asked.games, |number| play::<G>(asked, [&first, &second], number));
    let won = Share::of(games.iter().map(|it| it.won).sum(), asked.games as u32);
    let actions: usize = games.iter().map(|it| it.actions).sum();
    println!(
        "{:.1} % of {} ({:.1} to {:.1}), {} actions a game",
        100.0 * won.share,
        asked.games,
        100.0 * won.low,
        100.0 * won.high,
        actions / asked.games
    );
    let waited: BTreeSet<&str> = games.iter().flat_map(|it| &it.states).copied().collect();
    for state in asked.sides.iter().flat_map(|it| it.states.keys()) {
        if !waited.contains(state.as_str()) {
            println!("no game waited in the state {state}");
        }
    }
    let mut taken: BTreeMap<&str, [u64; 2]> = BTreeMap::new();
    for (side, counts) in games.iter().flat_map(|it| it.taken.iter().enumerate()) {
        counts.iter().for_each(|(what, often)| taken.entry(what).or_default()[side] += often);
    }
    for (what, sums) in taken {
        let [first, second] = sums.map(|it| it as f64 / asked.games as f64);
        println!("{first:8.1} {second:8.1}  {what}");
    }
}

impl Visitor for Asked {
    fn game<G: Game>(&mut self) {
        if G::META.id == self.game {
            duel::<G>(self);
        }
    }
}

fn read() -> Option<Asked> {
    let mut words = std::env::args().skip(1);
    let game = words.next()?;
    let sides = [Side::read(&words.next()?)?, Side::read(&words.next()?)?];
    let (seed, options) = ("1".to_owned(), "{}".to_owned());
    let mut asked = Asked { game, sides, games: 100, most: 600, seed, options };
    while let Some(word) = words.next() {
        let value = words.next()?;
        match word.as_str() {
            "--games" => asked.games = value.parse().ok().filter(|&it| it > 0)?,
            "--most" => asked.most = value.parse().ok()?,
            "--seed" => asked.seed = value,
            "--options" => asked.options = value,
            _ => return None,
        }
    }
    games::GAMES.iter().any(|game| game.meta().id == asked.game).then_some(asked)
}

fn main() -> ExitCode {
    let Some(mut asked) = read() else {
        println!(
            "duel GAME SEARCH SEARCH [--games N] [--most A] [--seed S] [--options JSON]; SEARCH: 1000:bid=8000:4=110"
        );
        return ExitCode::FAILURE;
    };
    games::visit(&mut asked);
    ExitCode::SUCCESS
}
