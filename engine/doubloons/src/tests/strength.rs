//! How search does against the scripted players.

use umpire_testing::strength::{Match, of_search};

use super::scripted::{self, Stop};
use super::setup;
use crate::Doubloons;

fn against_the_script(games: u32, simulations: u32) -> umpire_core::analysis::balance::Share {
    let played = Match { seed: "strength", games, longest: 300, simulations };
    of_search::<Doubloons>(&setup(r#"{"players": 2}"#), played, |table, _| {
        Some(scripted::choose(table, Stop::Never))
    })
}

#[test]
fn search_beats_the_scripted_players() {
    let won = against_the_script(4, 200);
    assert!(won.share >= 0.75, "{won:?}");
}

/// `cargo test --release -p umpire-doubloons --lib of_many_games -- --ignored --nocapture`
#[test]
#[ignore = "takes minutes; docs/figures.md has what it printed"]
#[allow(clippy::print_stdout, reason = "it is run for what it prints")]
#[allow(clippy::disallowed_methods, reason = "it is asked how many games to play")]
fn of_many_games_against_the_scripted_players() {
    let games = std::env::var("UMPIRE_GAMES").ok().and_then(|it| it.parse().ok()).unwrap_or(400);
    let won = against_the_script(games, 1000);
    println!("{games} games: {won:?}");
    assert!(won.low >= 0.5, "{won:?}");
}
