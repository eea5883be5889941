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

use std::process::ExitCode;
use std::sync::Arc;

use umpire_engine::analysis::random::Random;
use umpire_engine::analysis::search::{InTurn, Params, Position, pick, search};
use umpire_engine::analysis::shares::as_it_stands;
use umpire_engine::budget::Budget;
use umpire_engine::chance::seeded::Seeded;
use umpire_engine::game::{Game, Keep, Observer, Seat, Table, Visitor};
use umpire_engine::games;

/// What is asked for.
struct Asked {
    game: String,
    pairs: u32,
    seed: String,
    most: u32,
    search: u32,
    from: Vec<f64>,
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

/// The weights of all seats: those that are shared once, and which each seat has.
struct Weights {
    arrays: Vec<Vec<f64>>,
    of: Vec<usize>,
}

impl Weights {
    fn of<G: Game>(seats: usize) -> Self {
        let (mut arrays, mut of, mut known) = (Vec::new(), Vec::new(), Vec::new());
        for seat in 0..seats {
            let own = G::weights(Seat::at(seat));
            let found = known.iter().position(|&it| std::ptr::eq(it, own));
            of.push(found.unwrap_or_else(|| {
                known.push(own);
                arrays.push(own.iter().map(|&it| f64::from(it)).collect());
                arrays.len() - 1
            }));
        }
        Weights { arrays, of }
    }

    /// As the game holds them, each moved so far in its own measure.
    fn moved(&self, scales: &[Vec<f64>], by: impl Fn(usize, usize) -> f64) -> Vec<Vec<i32>> {
        let array = |(which, array): (usize, &Vec<f64>)| {
            let weight = |(at, weight): (usize, &f64)| {
                (weight + by(which, at) * scales[which][at]).round() as i32
            };
            array.iter().enumerate().map(weight).collect()
        };
        self.arrays.iter().enumerate().map(array).collect()
    }
}

/// Up or down, for every weight.
fn signs(weights: &Weights, random: &mut Random) -> Vec<Vec<f64>> {
    let array = |array: &Vec<f64>| {
        array.iter().map(|_| if random.below(2) == 0 { 1.0 } else { -1.0 }).collect()
    };
    weights.arrays.iter().map(array).collect()
}

fn open<G: Game>(asked: &Asked, name: &str) -> Option<(Table<G>, Seeded)> {
    let mut chance = Seeded::new(name, G::META.streams);
    let options = serde_json::from_str::<G::Options>(&asked.options).ok()?;
    let setup = Arc::new(G::setup(options, &mut chance).ok()?);
    let table = Table::<G>::open(setup, &mut chance, Keep::Nothing).ok()?;
    Some((table, chance))
}

/// One game; what it was worth to the seats of even number, less what to the others. `by` are the weights by which each
/// seat searches.
fn play<G: Game>(asked: &Asked, name: &str, by: &[&[&[i32]]]) -> f64 {
    let Some((mut table, mut chance)) = open::<G>(asked, name) else { return 0.0 };
    while table.ply() < asked.most
        && table.outcome().is_none()
        && let Some(seat) = table.decision().seats.lowest()
    {
        let seed = format!("{name} {}", table.ply());
        let params = Params {
            simulations: asked.search,
            seed: &seed,
            playout: G::PLAYOUT,
            weights: Some(by[seat.index()]),
        };
        let position = Position::of(&table, Observer::Seat(seat));
        let found = search(&position, Some(seat), params, Budget::UNLIMITED, &InTurn);
        let Some(action) = found.ok().and_then(|it| it.best().map(|best| best.action.clone()))
        else {
            break;
        };
        if table.play(&action, &mut chance).is_err() {
            break;
        }
    }
    let shares = as_it_stands::<G>(table.setup(), table.state());
    shares.iter().enumerate().map(|(seat, it)| if seat % 2 == 0 { *it } else { -it }).sum()
}

/// Two games of one deal: what they were worth to whoever has the first weights, from −1 to 1.
fn pair<G: Game>(asked: &Asked, name: &str, of: &[usize], ours: [&[Vec<i32>]; 2]) -> f64 {
    let [first, second] =
        ours.map(|it| -> Vec<&[i32]> { of.iter().map(|&at| &it[at][..]).collect() });
    let seats = |even: bool| -> Vec<&[&[i32]]> {
        (0..of.len())
            .map(|seat| if (seat % 2 == 0) == even { &first[..] } else { &second[..] })
            .collect()
    };
    (play::<G>(asked, name, &seats(true)) - play::<G>(asked, name, &seats(false))) / 2.0
}

/// For each weight how far a natural logarithm of odds moves it: a thousand over the deviation of its feature in games of
/// first-sight players, between two seats where they share their weights.
fn scales<G: Game>(asked: &Asked, weights: &Weights) -> Vec<Vec<f64>> {
    let zeros = |array: &Vec<f64>| vec![0.0; array.len()];
    let mut sums: Vec<Vec<f64>> = weights.arrays.iter().map(zeros).collect();
    let shared = weights.of[0] == weights.of[1];
    let mut count = 0.0;
    for number in 0..40 {
        let name = format!("{} scale {number}", asked.seed);
        let Some((mut table, mut chance)) = open::<G>(asked, &name) else { continue };
        let mut random = Random::new(&name, 0);
        while table.ply() < asked.most
            && let Some(seat) = table.decision().seats.lowest()
            && let Some(action) = pick(&table, seat, &mut random)
            && table.play(&action, &mut chance).is_ok()
        {
            count += 1.0;
            let [first, second] = [0, 1].map(|seat| features(&table, Seat::at(seat)));
            if shared {
                let apart = first.iter().zip(&second).map(|(it, other)| it - other);
                sums[0].iter_mut().zip(apart).for_each(|(sum, it)| *sum += it * it);
            } else {
                for (seat, own) in [first, second].iter().enumerate() {
                    let sums = sums[weights.of[seat]].iter_mut();
                    sums.zip(own).for_each(|(sum, it)| *sum += it * it);
                }
            }
        }
    }
    let scale = |sum: f64| 1000.0 / f64::max((sum / f64::max(count, 1.0)).sqrt(), LEAST);
    sums.into_iter().map(|sums| sums.into_iter().map(scale).collect()).collect()
}

fn features<G: Game>(table: &Table<G>, seat: Seat) -> Vec<f64> {
    let mut features = Vec::new();
    G::features(table.setup(), table.state(), seat, &mut features);
    features.into_iter().map(f64::from).collect()
}

fn tune<G: Game>(asked: &Asked) {
    let Some((table, _)) = open::<G>(asked, "seats") else { return };
    let seats = G::players(table.setup()).len();
    let mut weights = Weights::of::<G>(seats);
    if !asked.from.is_empty() {
        let known: usize = weights.arrays.iter().map(Vec::len).sum();
        if asked.from.len() != known {
            return println!(
                "{known} weights are expected after --from, and {} are there",
                asked.from.len()
            );
        }
        let places = weights.arrays.iter_mut().flatten();
        places.zip(&asked.from).for_each(|(weight, from)| *weight = *from);
    }
    let scales = scales::<G>(asked, &weights);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let batches = asked.pairs.div_ceil(BATCH);
    for batch in 0..batches {
        let numbers = batch * BATCH..(batch + 1) * BATCH;
        let drawn: Vec<(u32, Vec<Vec<f64>>)> = numbers
            .map(|number| {
                (number, signs(&weights, &mut Random::new(&asked.seed, u64::from(number))))
            })
            .collect();
        let won = |(number, signs): &(u32, Vec<Vec<f64>>)| {
            let up = weights.moved(&scales, |which, at| APART * signs[which][at]);
            let down = weights.moved(&scales, |which, at| -APART * signs[which][at]);
            pair::<G>(asked, &format!("{} {number}", asked.seed), &weights.of, [&up, &down])
        };
        let next = std::sync::atomic::AtomicUsize::new(0);
        let mut results: Vec<(usize, f64)> = std::thread::scope(|scope| {
            let work = || {
                let take = || next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                let place = std::iter::repeat_with(take).take_while(|&at| at < drawn.len());
                place.map(|at| (at, won(&drawn[at]))).collect::<Vec<_>>()
            };
            let threads: Vec<_> = (0..cores).map(|_| scope.spawn(work)).collect();
            threads.into_iter().flat_map(|it| it.join().unwrap_or_default()).collect()
        });
        results.sort_by_key(|it| it.0);
        let done = f64::from(batch) / f64::from(batches);
        let step = STEP * (1.0 - 0.75 * done);
        for (at, result) in results {
            for (which, array) in weights.arrays.iter_mut().enumerate() {
                for (place, weight) in array.iter_mut().enumerate() {
                    let sign = drawn[at].1[which][place];
                    *weight += step * result * sign * scales[which][place];
                }
            }
        }
        if batch % 8 == 7 || batch + 1 == batches {
            eprintln!("{} pairs: {:?}", (batch + 1) * BATCH, weights.moved(&scales, |_, _| 0.0));
        }
    }
    let from: Vec<String> = asked.from.iter().map(f64::to_string).collect();
    let from = if from.is_empty() { String::new() } else { format!(" --from {}", from.join(",")) };
    println!(
        "// cargo run --release -p umpire-engine --example tune -- {} --pairs {} --seed {} --search {} --most {}{from}",
        asked.game, asked.pairs, asked.seed, asked.search, asked.most
    );
    for (which, array) in weights.moved(&scales, |_, _| 0.0).iter().enumerate() {
        let seat = weights.of.iter().position(|&it| it == which).unwrap_or(0);
        let name = G::META.seat_name(Seat::at(seat)).to_uppercase();
        println!("static {name}: [i32; {}] = {array:?};", array.len());
    }
}

impl Visitor for Asked {
    fn game<G: Game>(&mut self) {
        if G::META.id == self.game {
            tune::<G>(self);
        }
    }
}

fn read() -> Option<Asked> {
    let mut words = std::env::args().skip(1);
    let game = words.next()?;
    let mut asked = Asked {
        game,
        pairs: 1000,
        seed: "1".to_owned(),
        most: 300,
        search: 100,
        from: Vec::new(),
        options: "{}".to_owned(),
    };
    while let Some(word) = words.next() {
        let value = words.next()?;
        match word.as_str() {
            "--pairs" => asked.pairs = value.parse().ok()?,
            "--seed" => asked.seed = value,
            "--most" => asked.most = value.parse().ok()?,
            "--search" => asked.search = value.parse().ok()?,
            "--from" => {
                asked.from =
                    value.split(',').map(|it| it.trim().parse().ok()).collect::<Option<_>>()?;
            }
            "--options" => asked.options = value,
            _ => return None,
        }
    }
    games::GAMES.iter().any(|game| game.meta().id == asked.game).then_some(asked)
}

fn main() -> ExitCode {
    let Some(mut asked) = read() else {
        println!(
            "tune GAME --pairs N --seed S [--search N] [--most A] [--from W,W,...] [--options JSON]"
        );
        return ExitCode::FAILURE;
    };
    games::visit(&mut asked);
    ExitCode::SUCCESS
}
