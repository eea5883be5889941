//! How search does against the scripted players.

use umpire_core::analysis::search::{InTurn, Params, Position, Ranked, search};
use umpire_core::budget::Budget;
use umpire_core::chance::seeded::Seeded;
use umpire_core::game::{Game, Keep, Observer, Table};
use umpire_testing::strength::{Match, of_search};

use super::scripted::{self, Stop};
use super::setup;
use crate::Doubloons;
use crate::action::Action;
use crate::state::Stage;

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

/// What can be done is worth nearly the same here, and search looks deeper at what is better all the same.
#[test]
fn search_tells_apart_what_differs_by_hundredths() {
    let mut chance = Seeded::new("hundredths", Doubloons::META.streams);
    let setup = setup(r#"{"players": 2}"#);
    let mut table = Table::<Doubloons>::open(setup, &mut chance, Keep::Nothing).unwrap();
    while table.ply() < 60 || table.state().stage != Stage::Production {
        table.play(&scripted::choose(&table, Stop::Never), &mut chance).unwrap();
    }
    let seat = table.decision().seats.lowest().unwrap();
    let position = Position::of(&table, Observer::Seat(seat));
    let params = Params::of::<Doubloons>(2_000, "hundredths");
    let found = search(&position, Some(seat), params, Budget::UNLIMITED, &InTurn).unwrap();
    let [best, .., fifth] = &found.actions[..5] else { panic!("{found:?}") };
    let share = |it: &Ranked<Action>| it.shares[seat.index()];
    assert!(share(best) - share(fifth) < 0.05, "{best:?} {fifth:?}");
    assert!(best.visits > 3 * fifth.visits, "{best:?} {fifth:?}");
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
