//! How much of a result luck can be: the same deals, played several times by players with other seeds.
//!
//! `cargo run --release -p umpire-engine --example luck -- GAME --player PLAYER --deals N --times N --seed S`
//!
//! What differs between plays of one deal is not the deal's doing, so no result less all luck can vary less than that.
//! The two parts are told apart by the analysis of variance of one factor.

#![allow(clippy::print_stdout, reason = "a tool speaks to whoever runs it")]

use std::process::ExitCode;
use std::sync::Arc;

use umpire_engine::analysis::selfplay::{Player, play};
use umpire_engine::budget::Budget;
use umpire_engine::chance::seeded::Seeded;
use umpire_engine::game::{Game, Visitor};
use umpire_engine::games;

struct Asked {
    game: String,
    player: Player,
    deals: u32,
    times: u32,
    seed: String,
}

/// The part of the first seat in each play of a deal.
fn plays<G: Game>(asked: &Asked, deal: u32) -> Vec<f64> {
    let one = |time: u32| {
        let mut chance = Seeded::new(&format!("{} {deal}", asked.seed), G::META.streams);
        let setup = Arc::new(G::setup(G::Options::default(), &mut chance).ok()?);
        let players = vec![asked.player; G::players(&setup).len()];
        let seed = format!("{} {deal} {time}", asked.seed);
        let played = play::<G>(&setup, &mut chance, &players, &seed, 5_000, Budget::UNLIMITED);
        Some(played.ok()??.shares[0])
    };
    (0..asked.times).filter_map(one).collect()
}

impl Visitor for Asked {
    fn game<G: Game>(&mut self) {
        if G::META.id != self.game {
            return;
        }
        let workers = std::thread::available_parallelism().map_or(1, usize::from) as u32;
        let asked = &*self;
        let all: Vec<Vec<f64>> = std::thread::scope(|scope| {
            let share = |worker| {
                move || {
                    let own = (worker..asked.deals).step_by(workers as usize);
                    own.map(|deal| plays::<G>(asked, deal)).collect::<Vec<_>>()
                }
            };
            let threads: Vec<_> = (0..workers).map(|worker| scope.spawn(share(worker))).collect();
            threads.into_iter().flat_map(|it| it.join().unwrap_or_default()).collect()
        });
        let times = f64::from(self.times);
        let (deals, mean_of) = (all.len() as f64, |it: &[f64]| it.iter().sum::<f64>() / times);
        let means: Vec<f64> = all.iter().map(|it| mean_of(it)).collect();
        let mean = means.iter().sum::<f64>() / deals;
        let square = |it: f64| it * it;
        let between = means.iter().map(|it| square(it - mean)).sum::<f64>() * times / (deals - 1.0);
        let within = all.iter().zip(&means);
        let within =
            within.map(|(deal, mean)| deal.iter().map(|it| square(it - mean)).sum::<f64>());
        let within = within.sum::<f64>() / (deals * (times - 1.0));
        let of_deals = ((between - within) / times).max(0.0);
        let whole = of_deals + within;
        println!(
            "{} by {}, {deals} deals played {times} times: mean {mean:.3}, deviation {:.3}, within a deal {:.3} ({:.2} of it)",
            G::META.id,
            self.player,
            whole.sqrt(),
            within.sqrt(),
            (within / whole).sqrt()
        );
    }
}

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let Some(game) = arguments.next() else { return ExitCode::FAILURE };
    let player = Player::Search(200);
    let mut asked = Asked { game, player, deals: 100, times: 4, seed: "umpire".to_owned() };
    while let (Some(name), Some(value)) = (arguments.next(), arguments.next()) {
        let done = match name.as_str() {
            "--player" => value.parse().map(|it| asked.player = it).is_ok(),
            "--deals" => value.parse().map(|it| asked.deals = it).is_ok(),
            "--times" => value.parse().map(|it| asked.times = it).is_ok_and(|()| asked.times > 1),
            "--seed" => {
                asked.seed = value;
                true
            }
            _ => false,
        };
        if !done {
            println!("{name} is not understood");
            return ExitCode::FAILURE;
        }
    }
    games::visit(&mut asked);
    ExitCode::SUCCESS
}
