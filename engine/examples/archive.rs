//! Makes an archive out of a seed: records of all games, one a line, each played to its end or as far as is asked.
//!
//! `cargo run --release -p umpire-engine --example archive -- --records N [--seed S] [--most A] > archive.ndjson`
//!
//! The games take turns. All seats do what is sensible at first sight, so that games go on as people's do. The same
//! arguments give the same bytes.

#![allow(clippy::print_stderr, reason = "a tool speaks to whoever runs it")]

mod deals;

use std::io::{BufWriter, Write};
use std::process::ExitCode;

use clap::Parser;
use deals::deal;
use serde_json::json;
use umpire_engine::analysis::random::Random;
use umpire_engine::analysis::search::pick;
use umpire_engine::game::{FullGame, Keep, Table, Visitor};
use umpire_engine::games;

/// Makes an archive out of a seed: records of all games, one a line.
#[derive(Parser)]
struct Asked {
    /// How many records are made.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    records: u32,
    /// What makes these games others than those of another seed.
    #[arg(long, default_value = "umpire")]
    seed: String,
    /// After how many actions a game is left.
    #[arg(long, default_value_t = 1000)]
    most: u32,
}

/// The record of a game; none where a game has no options that go without saying.
fn record<G: FullGame>(asked: &Asked, number: u32) -> Option<String> {
    let seed = format!("{} {number}", asked.seed);
    let mut random = Random::new(&seed, 0);
    let (setup, mut chance) = deal::<G>("{}", &seed)?;
    let mut table = Table::<G>::open(setup, &mut chance, Keep::Nothing).ok()?;
    let mut actions: Vec<G::Action> = Vec::new();
    while table.ply() < asked.most
        && let Some(seat) = table.decision().seats.lowest()
        && let Some(action) = pick(&table, seat, &mut random)
        && table.play(&action, &mut chance).is_ok()
    {
        actions.push(action);
    }
    let record = json!({
        "format": "umpire/1", "game": G::META.id, "ruleset": G::META.ruleset(),
        "chance": { "seed": seed }, "actions": actions,
    });
    Some(record.to_string())
}

/// How a record of each game is made.
struct Makers(Vec<fn(&Asked, u32) -> Option<String>>);

impl Visitor for Makers {
    fn game<G: FullGame>(&mut self) {
        self.0.push(record::<G>);
    }
}

fn main() -> ExitCode {
    let asked = Asked::parse();
    let mut makers = Makers(Vec::new());
    games::visit(&mut makers);
    let mut out = BufWriter::new(std::io::stdout().lock());
    let made = (0..asked.records).try_for_each(|number| {
        let maker = makers.0[number as usize % makers.0.len()];
        maker(&asked, number).map_or(Ok(()), |text| writeln!(out, "{text}"))
    });
    match made.and_then(|()| out.flush()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("archive: {error}");
            ExitCode::FAILURE
        }
    }
}
