//! Fits the weights of a game's estimate by self-play, and prints them as they stand in the game's source.
//!
//! `cargo run --release -p umpire-engine --example fit -- GAME --games N --seed S [--most A] [--search N] [--options JSON]`
//!
//! Games are played by first-sight players, some of whom now and then do anything at all; with `--search N`
//! every fourth game by players who search with N simulations. What [`Advice::features`] counts along the way is
//! fitted to how the game ended: a softmax of linear scores, by Newton's method with a small ridge. Every fifth
//! game is kept out, and the log loss there stands beside that of the best constant.

#![allow(clippy::print_stdout, reason = "a tool speaks to whoever runs it")]

mod cores;
mod deals;
mod weights;

use clap::Parser;
use clap::builder::PossibleValuesParser;
use cores::on_every_core;
use deals::deal;
use umpire_engine::analysis::random::Random;
use umpire_engine::analysis::search::pick;
use umpire_engine::analysis::selfplay::{Player, choose};
use umpire_engine::analysis::shares::{Shares, of_outcome};
use umpire_engine::budget::Budget;
use umpire_engine::game::{FullGame, Keep, Outcome, Seat, Table, TableSetup, Visitor};
use umpire_engine::games;
use weights::{Layout, features};

/// Fits the weights of a game's estimate by self-play.
#[derive(Parser)]
struct Asked {
    /// Which game.
    #[arg(value_parser = PossibleValuesParser::new(games::GAMES.iter().map(|it| it.meta().id)))]
    game: String,
    /// How many games are played.
    #[arg(long, default_value_t = 1000)]
    games: u32,
    /// What makes these games others than those of another seed.
    #[arg(long, default_value = "1")]
    seed: String,
    /// After how many actions a game is left.
    #[arg(long, default_value_t = 1500)]
    most: u32,
    /// Every fourth game is played by searches with so many simulations.
    #[arg(long)]
    search: Option<u32>,
    /// The options of the game, as JSON.
    #[arg(long, default_value = "{}")]
    options: String,
}

/// How often a player does anything at all, out of a hundred; one of these is drawn for each seat.
const CARELESS: [u64; 4] = [0, 5, 15, 40];
/// A position is kept about so often.
const EVERY: u64 = 6;
/// The ridge, for features of deviation 1.
const RIDGE: f64 = 2.0;

/// One position: the features of each seat, and what the game was worth to it.
struct Sample {
    features: Vec<Vec<f64>>,
    shares: Vec<f64>,
}

/// The samples of one game; none where it came to no end that says anything.
fn play<G: FullGame>(asked: &Asked, number: usize) -> Vec<Sample> {
    let seed = format!("{} {number}", asked.seed);
    let mut random = Random::new(&seed, 0);
    let Some((setup, mut chance)) = deal::<G>(&asked.options, &seed) else { return Vec::new() };
    let Ok(mut table) = Table::<G>::open(setup, &mut chance, Keep::Nothing) else {
        return Vec::new();
    };
    let seats: Vec<Seat> = G::Setup::players(table.setup()).iter().collect();
    let careless: Vec<u64> = seats.iter().map(|_| CARELESS[random.below(4) as usize]).collect();
    let search = asked.search.filter(|_| number % 4 == 3);
    let mut kept: Vec<Vec<Vec<f64>>> = Vec::new();
    while table.ply() < asked.most
        && let Some(seat) = table.decision().seats.lowest()
    {
        let rash = random.below(100) < careless.get(seat.index()).copied().unwrap_or(0);
        let action = match search {
            _ if rash => anything(&table, seat, Player::Random, &mut random),
            Some(simulations) => anything(&table, seat, Player::Search(simulations), &mut random),
            None => pick(&table, seat, &mut random),
        };
        let Some(action) = action else { break };
        if table.play(&action, &mut chance).is_err() {
            break;
        }
        if random.below(EVERY) == 0 && table.outcome().is_none() {
            kept.push(seats.iter().map(|&seat| features(&table, seat)).collect());
        }
    }
    let standing = Outcome { winner: None, reason: "" };
    let (setup, state) = (table.setup(), table.state());
    let outcome = table.outcome().unwrap_or(standing);
    let shares: Shares = of_outcome::<G>(setup, state, outcome);
    let shares: Vec<f64> = seats.iter().map(|seat| shares[seat.index()]).collect();
    kept.into_iter().map(|features| Sample { features, shares: shares.clone() }).collect()
}

fn anything<G: FullGame>(
    table: &Table<G>,
    seat: Seat,
    player: Player,
    random: &mut Random,
) -> Option<G::Action> {
    choose(table, seat, player, &random.word().to_string(), Budget::UNLIMITED).ok().flatten()
}

/// A linear model: weights, and for each seat where its own begin.
struct Model {
    begins: Vec<usize>,
    weights: Vec<f64>,
}

impl Model {
    fn chances(&self, sample: &Sample) -> Vec<f64> {
        let score = |(features, &begin): (&Vec<f64>, &usize)| -> f64 {
            features.iter().zip(&self.weights[begin..]).map(|(it, weight)| it * weight).sum()
        };
        let scores: Vec<f64> = sample.features.iter().zip(&self.begins).map(score).collect();
        let most = scores.iter().copied().fold(f64::MIN, f64::max);
        let raised: Vec<f64> = scores.iter().map(|score| (score - most).exp()).collect();
        let sum: f64 = raised.iter().sum();
        raised.into_iter().map(|it| it / sum).collect()
    }

    fn loss<'a>(&self, samples: impl Iterator<Item = &'a Sample>) -> f64 {
        mean(samples.map(|sample| loss(&sample.shares, &self.chances(sample))))
    }

    /// One step of Newton's method. Says how far it went.
    fn step(&mut self, samples: &[&Sample]) -> f64 {
        let size = self.weights.len();
        let mut slope: Vec<f64> = self.weights.iter().map(|it| it * RIDGE).collect();
        let mut bend = vec![vec![0.0; size]; size];
        bend.iter_mut().enumerate().for_each(|(at, row)| row[at] = RIDGE);
        for sample in samples {
            let chances = self.chances(sample);
            let mut mean = vec![0.0; size];
            for (seat, features) in sample.features.iter().enumerate() {
                let begin = self.begins[seat];
                for (at, it) in features.iter().enumerate() {
                    slope[begin + at] += (chances[seat] - sample.shares[seat]) * it;
                    mean[begin + at] += chances[seat] * it;
                    for (other, also) in features.iter().enumerate() {
                        bend[begin + at][begin + other] += chances[seat] * it * also;
                    }
                }
            }
            for (row, it) in bend.iter_mut().zip(&mean) {
                row.iter_mut().zip(&mean).for_each(|(bend, also)| *bend -= it * also);
            }
        }
        let step = solve(bend, slope);
        self.weights.iter_mut().zip(&step).for_each(|(weight, step)| *weight -= step);
        step.iter().fold(0.0, |most, step| step.abs().max(most))
    }
}

fn mean(all: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = all.fold((0.0, 0.0), |(sum, count), it| (sum + it, count + 1.0));
    sum / f64::max(count, 1.0)
}

fn loss(shares: &[f64], chances: &[f64]) -> f64 {
    shares.iter().zip(chances).map(|(share, chance)| -share * chance.max(1e-9).ln()).sum()
}

/// Gauss elimination of a positive definite system.
fn solve(mut rows: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    let size = right.len();
    for at in 0..size {
        let pivot = rows[at].clone();
        for below in at + 1..size {
            let factor = rows[below][at] / pivot[at];
            rows[below].iter_mut().zip(&pivot).for_each(|(it, pivot)| *it -= factor * pivot);
            right[below] -= factor * right[at];
        }
    }
    for at in (0..size).rev() {
        let rest: f64 = (at + 1..size).map(|other| rows[at][other] * right[other]).sum();
        right[at] = (right[at] - rest) / rows[at][at];
    }
    right
}

/// The mean deviation of each weight's feature from 0, so that the ridge treats all alike.
fn scales(model: &Model, samples: &[&Sample]) -> Vec<f64> {
    let mut sums = vec![0.0; model.weights.len()];
    for sample in samples {
        for (features, &begin) in sample.features.iter().zip(&model.begins) {
            features.iter().enumerate().for_each(|(at, it)| sums[begin + at] += it * it);
        }
    }
    let count = samples.len().max(1) as f64;
    sums.into_iter().map(|sum| f64::max((sum / count).sqrt(), 1e-3)).collect()
}

fn fit<G: FullGame>(asked: &Asked) {
    let games = on_every_core(asked.games as usize, |number| play::<G>(asked, number));
    let seats = games.iter().flatten().map(|sample| sample.features.len()).max().unwrap_or(0);
    let layout = Layout::of::<G>(seats);
    let part = |kept_out: bool| {
        let games = games.iter().enumerate().filter(move |(at, _)| (at % 5 == 4) == kept_out);
        games.flat_map(|(_, samples)| samples).filter(|sample| sample.features.len() == seats)
    };
    let samples: Vec<&Sample> = part(false).collect();
    let constant: Vec<f64> =
        (0..seats).map(|seat| mean(samples.iter().map(|it| it.shares[seat]))).collect();
    let mut model = Model { begins: layout.begins.clone(), weights: vec![0.0; layout.size] };
    let scales = scales(&model, &samples);
    let scaled = |sample: &&Sample| Sample {
        features: sample
            .features
            .iter()
            .zip(&model.begins)
            .map(|(features, &begin)| {
                features.iter().zip(&scales[begin..]).map(|(it, scale)| it / scale).collect()
            })
            .collect(),
        shares: sample.shares.clone(),
    };
    let even: Vec<Sample> = samples.iter().map(scaled).collect();
    let even: Vec<&Sample> = even.iter().collect();
    for _ in 0..30 {
        if model.step(&even) < 1e-6 {
            break;
        }
    }
    // As the game holds them: in thousandths.
    for (weight, scale) in model.weights.iter_mut().zip(&scales) {
        *weight = (*weight / scale * 1000.0).round() / 1000.0;
    }
    let search = asked.search.map_or(String::new(), |search| format!(" --search {search}"));
    println!(
        "// cargo run --release -p umpire-engine --example fit -- {} --games {} --seed {} --most {}{search}",
        asked.game, asked.games, asked.seed, asked.most
    );
    println!(
        "// {} positions of {} games. Log loss on every fifth game, which was kept out: {:.3}; of the best constant: {:.3}.",
        games.iter().map(Vec::len).sum::<usize>(),
        games.len(),
        model.loss(part(true)),
        mean(part(true).map(|sample| loss(&sample.shares, &constant))),
    );
    let thousandths = model.weights.iter().map(|it| (it * 1000.0).round() as i32);
    layout.print::<G>(&thousandths.collect::<Vec<_>>());
}

impl Visitor for Asked {
    fn game<G: FullGame>(&mut self) {
        if G::META.id == self.game {
            fit::<G>(self);
        }
    }
}

fn main() {
    games::visit(&mut Asked::parse());
}
