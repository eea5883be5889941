//! Changes the weights of a game's estimate until search plays better with them, and prints them as they stand in the
//! game's source.
//!
//! `cargo run --release -p umpire-engine --example tune -- GAME --pairs N --seed S [--search N] [--most A] [--from W,W,...]
//! [--options JSON]`
//!
//! Simultaneous perturbation (Spall 1992): every weight is raised or lowered at random at once, search with the one
//! plays search with the other, two games of one deal with seats changed, and all weights go a little to where the
//! winner had them. `fit` finds the weights that tell best how games end; those of a strong player are others, and not the
//! same for every budget. `--from` goes on from weights that were printed, one seat's after another's.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a tool speaks to whoever runs it")]

mod cores;
mod deals;
mod weights;

use clap::Parser;
use clap::builder::PossibleValuesParser;
use cores::on_every_core;
use deals::deal;
use umpire_engine::analysis::random::Random;
use umpire_engine::analysis::search::{InTurn, Params, Position, pick, search};
use umpire_engine::analysis::selfplay::play_by;
use umpire_engine::budget::Budget;
use umpire_engine::game::{FullGame, Keep, Observer, Seat, Table, TableSetup, Visitor};
use umpire_engine::games;
use weights::{Layout, features};

/// Changes the weights of a game's estimate until search plays better with them.
#[derive(Parser)]
struct Asked {
    /// Which game.
    #[arg(value_parser = PossibleValuesParser::new(games::GAMES.iter().map(|it| it.meta().id)))]
    game: String,
    /// How many pairs of games are played.
    #[arg(long, default_value_t = 1000)]
    pairs: u32,
    /// What makes these games others than those of another seed.
    #[arg(long, default_value = "1")]
    seed: String,
    /// After how many actions a game is left.
    #[arg(long, default_value_t = 300)]
    most: u32,
    /// With how many simulations both search.
    #[arg(long, default_value_t = 100)]
    search: u32,
    /// The weights to begin with, one seat's after another's; the game's own where there are none.
    #[arg(long, value_delimiter = ',', allow_hyphen_values = true)]
    from: Vec<f64>,
    /// The options of the game, as JSON.
    #[arg(long, default_value = "{}")]
    options: String,
}

/// So many pairs are played with the same weights in the middle.
const BATCH: u32 = 16;
/// How far the weights are raised and lowered, in natural logarithms of odds for one deviation of the feature.
const APART: f64 = 0.2;
/// How far all go after a pair that one side won, at first; at the end a fourth of it.
const STEP: f64 = 0.01;
/// What differs less than this is moved as if it differed so much: a feature that is rare at first sight need not be rare.
const LEAST: f64 = 0.5;

/// What is tuned: the weights of all seats in a row, and how far each moves a natural logarithm of odds.
struct Tuned {
    layout: Layout,
    weights: Vec<f64>,
    scales: Vec<f64>,
}

impl Tuned {
    /// As the game holds them, each moved so far in its own measure.
    fn moved(&self, by: f64, signs: &[f64]) -> Vec<i32> {
        let measured = self.weights.iter().zip(&self.scales).zip(signs);
        measured
            .map(|((weight, scale), sign)| (weight + by * sign * scale).round() as i32)
            .collect()
    }

    /// As the game holds them.
    fn rounded(&self) -> Vec<i32> {
        self.weights.iter().map(|weight| weight.round() as i32).collect()
    }
}

/// One game; what it was worth to the seats of even number, less what to the others. `by` are the weights by which the
/// seats of even and of odd number search.
fn play<G: FullGame>(asked: &Asked, name: &str, by: [&[&[i32]]; 2]) -> f64 {
    let Some((setup, mut chance)) = deal::<G>(&asked.options, name) else { return 0.0 };
    let played =
        play_by::<G>(&setup, &mut chance, name, asked.most, |table, seat, memory, seed| {
            let weights = Some(by[seat.index() % 2]);
            let params = Params { weights, ..Params::of::<G>(asked.search, seed) };
            let position = Position::remembered(table, Observer::Seat(seat), memory);
            let found = search(&position, Some(seat), params, Budget::UNLIMITED, &InTurn);
            Ok(found.ok().and_then(|it| it.best().map(|best| best.action.clone())))
        });
    let Ok(Some(played)) = played else { return 0.0 };
    let shares = played.shares.iter().enumerate();
    shares.map(|(seat, it)| if seat % 2 == 0 { *it } else { -it }).sum()
}

/// Two games of one deal by weights that are raised and lowered: what they were worth to the raised, from −1 to 1.
fn pair<G: FullGame>(asked: &Asked, name: &str, tuned: &Tuned, signs: &[f64]) -> f64 {
    let [up, down] = [APART, -APART].map(|by| tuned.moved(by, signs));
    let (up, down) = (tuned.layout.seats(&up), tuned.layout.seats(&down));
    (play::<G>(asked, name, [&up, &down]) - play::<G>(asked, name, [&down, &up])) / 2.0
}

/// For each weight how far a natural logarithm of odds moves it: a thousand over the deviation of its feature in games of
/// first-sight players, between two seats where they share their weights.
fn scales<G: FullGame>(asked: &Asked, layout: &Layout) -> Vec<f64> {
    let mut sums = vec![0.0; layout.size];
    let shared = layout.begins[0] == layout.begins[1];
    let mut count = 0.0;
    for number in 0..40 {
        let name = format!("{} scale {number}", asked.seed);
        let Some((setup, mut chance)) = deal::<G>(&asked.options, &name) else { continue };
        let Ok(mut table) = Table::<G>::open(setup, &mut chance, Keep::Nothing) else { continue };
        let mut random = Random::new(&name, 0);
        while table.ply() < asked.most
            && let Some(seat) = table.decision().seats.lowest()
            && let Some(action) = pick(&table, seat, &mut random)
            && table.play(&action, &mut chance).is_ok()
        {
            count += 1.0;
            let [mut first, second] = [0, 1].map(|seat| features(&table, Seat::at(seat)));
            if shared {
                first.iter_mut().zip(&second).for_each(|(it, other)| *it -= other);
            } else {
                first.extend(second);
            }
            sums.iter_mut().zip(first).for_each(|(sum, it)| *sum += it * it);
        }
    }
    let scale = |sum: f64| 1000.0 / f64::max((sum / f64::max(count, 1.0)).sqrt(), LEAST);
    sums.into_iter().map(scale).collect()
}

fn tune<G: FullGame>(asked: &Asked) {
    let Some((setup, _)) = deal::<G>(&asked.options, "seats") else {
        return println!("no game begins with these options");
    };
    let seats = G::Setup::players(&setup).len();
    let layout = Layout::of::<G>(seats);
    let own =
        (0..seats).flat_map(|seat| G::weights(Seat::at(seat)).iter().zip(layout.begins[seat]..));
    let mut weights = vec![0.0; layout.size];
    own.for_each(|(&weight, at)| weights[at] = f64::from(weight));
    if !asked.from.is_empty() {
        if asked.from.len() != layout.size {
            let (known, there) = (layout.size, asked.from.len());
            return println!("{known} weights are expected after --from, and {there} are there");
        }
        weights.clone_from(&asked.from);
    }
    let scales = scales::<G>(asked, &layout);
    let mut tuned = Tuned { layout, weights, scales };
    let batches = asked.pairs.div_ceil(BATCH);
    for batch in 0..batches {
        let numbers: Vec<u32> = (batch * BATCH..(batch + 1) * BATCH).collect();
        // Up or down, for every weight.
        let signs: Vec<Vec<f64>> = numbers
            .iter()
            .map(|&number| {
                let mut random = Random::new(&asked.seed, u64::from(number));
                let sign = || if random.below(2) == 0 { 1.0 } else { -1.0 };
                std::iter::repeat_with(sign).take(tuned.layout.size).collect()
            })
            .collect();
        let results = on_every_core(numbers.len(), |at| {
            let name = format!("{} {}", asked.seed, numbers[at]);
            pair::<G>(asked, &name, &tuned, &signs[at])
        });
        let step = STEP * (1.0 - 0.75 * f64::from(batch) / f64::from(batches));
        for (signs, result) in signs.iter().zip(results) {
            let places = tuned.weights.iter_mut().zip(&tuned.scales).zip(signs);
            places.for_each(|((weight, scale), sign)| *weight += step * result * sign * scale);
        }
        if batch % 8 == 7 || batch + 1 == batches {
            eprintln!("{} pairs: {:?}", (batch + 1) * BATCH, tuned.rounded());
        }
    }
    let from: Vec<String> = asked.from.iter().map(f64::to_string).collect();
    let from = if from.is_empty() { String::new() } else { format!(" --from {}", from.join(",")) };
    println!(
        "// cargo run --release -p umpire-engine --example tune -- {} --pairs {} --seed {} --search {} --most {}{from}",
        asked.game, asked.pairs, asked.seed, asked.search, asked.most
    );
    tuned.layout.print::<G>(&tuned.rounded());
}

impl Visitor for Asked {
    fn game<G: FullGame>(&mut self) {
        if G::META.id == self.game {
            tune::<G>(self);
        }
    }
}

fn main() {
    games::visit(&mut Asked::parse());
}
