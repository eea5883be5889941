//! How much of a result luck can be: the same deals, played several times by players with other seeds.
//!
//! `cargo run --release -p umpire-engine --example luck -- GAME --player PLAYER --deals N --times N --seed S`
//!
//! What differs between plays of one deal is not the deal's doing, so no result less all luck can vary less than that.
//! The two parts are told apart by the analysis of variance of one factor.

#![allow(clippy::print_stdout, reason = "a tool speaks to whoever runs it")]

mod cores;
mod deals;

use clap::Parser;
use clap::builder::PossibleValuesParser;
use cores::on_every_core;
use deals::deal;
use umpire_engine::analysis::selfplay::{Player, play};
use umpire_engine::budget::Budget;
use umpire_engine::game::{FullGame, TableSetup, Visitor};
use umpire_engine::games;

/// How much of a result luck can be: the same deals, played several times.
#[derive(Parser)]
struct Asked {
    /// Which game.
    #[arg(value_parser = PossibleValuesParser::new(games::GAMES.iter().map(|it| it.meta().id)))]
    game: String,
    /// Who plays every seat: random, greedy or search:N.
    #[arg(long, default_value = "search:200")]
    player: Player,
    /// How many deals are played.
    #[arg(long, default_value_t = 100)]
    deals: u32,
    /// How often each is played.
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(2..))]
    times: u32,
    /// What makes these games others than those of another seed.
    #[arg(long, default_value = "umpire")]
    seed: String,
}

/// The part of the first seat in each play of a deal.
fn plays<G: FullGame>(asked: &Asked, number: usize) -> Vec<f64> {
    let one = |time: u32| {
        let (setup, mut chance) = deal::<G>("{}", &format!("{} {number}", asked.seed))?;
        let players = vec![asked.player; G::Setup::players(&setup).len()];
        let seed = format!("{} {number} {time}", asked.seed);
        let played = play::<G>(&setup, &mut chance, &players, &seed, 5_000, Budget::UNLIMITED);
        Some(played.ok()??.shares[0])
    };
    (0..asked.times).filter_map(one).collect()
}

impl Visitor for Asked {
    fn game<G: FullGame>(&mut self) {
        if G::META.id != self.game {
            return;
        }
        let asked = &*self;
        let all = on_every_core(asked.deals as usize, |deal| plays::<G>(asked, deal));
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

fn main() {
    games::visit(&mut Asked::parse());
}
