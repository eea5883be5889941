//! How search does against the scripted players.

use umpire_testing::strength::{Match, of_search};

use super::players::Players;
use super::setup;
use crate::Drako;

fn against_the_script(games: u32, simulations: u32) -> umpire_core::analysis::balance::Share {
    let played = Match { seed: "strength", games, longest: 5_000, simulations };
    let mut current = (String::new(), Players::new(""));
    of_search::<Drako>(&setup(0), played, |table, name| {
        if current.0 != name {
            current = (name.to_owned(), Players::new(name));
        }
        current.1.choose(table)
    })
}

#[test]
fn search_beats_the_scripted_players() {
    // With a fifth of these simulations it does not: what the other side holds is drawn too seldom.
    let won = against_the_script(10, 1000);
    assert!(won.share >= 0.75, "{won:?}");
}

/// `cargo test --release -p umpire-drako --lib of_many_games -- --ignored --nocapture`
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
