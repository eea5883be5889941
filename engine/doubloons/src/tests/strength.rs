//! How search does against the scripted players.

use umpire_core::analysis::search::{InTurn, Params, Position, Ranked, search};
use umpire_core::budget::Budget;
use umpire_core::chance::seeded::Seeded;
use umpire_core::game::{Game, Horizon, Keep, Observer, Table};
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

/// A game between scripted players at the beginning of a phase.
fn at_phase(seed: &str, phase: Stage) -> Table<Doubloons> {
    let mut chance = Seeded::new(seed, Doubloons::META.streams);
    let setup = setup(r#"{"players": 2}"#);
    let mut table = Table::<Doubloons>::open(setup, &mut chance, Keep::Nothing).unwrap();
    while table.ply() < 60 || table.state().stage != phase {
        table.play(&scripted::choose(&table, Stop::Never), &mut chance).unwrap();
    }
    table
}

/// Much of what can be done is worth nearly the same, and search looks deeper at what is better by some hundredths.
#[test]
fn search_tells_apart_what_differs_by_hundredths() {
    let table = at_phase("hundredths3", Stage::Production);
    let seat = table.decision().seats.lowest().unwrap();
    let position = Position::of(&table, Observer::Seat(seat));
    let params = Params::of::<Doubloons>(2_000, "hundredths");
    let found = search(&position, Some(seat), params, Budget::UNLIMITED, &InTurn).unwrap();
    let share = |it: &Ranked<Action>| it.shares[seat.index()];
    let best = &found.actions[0];
    let behind = |it: &&Ranked<Action>| (0.02..0.05).contains(&(share(best) - share(it)));
    let worse: Vec<_> = found.actions.iter().filter(behind).collect();
    assert!(!worse.is_empty(), "{found:?}");
    assert!(worse.iter().all(|it| best.visits > 10 * it.visits), "{best:?} {worse:?}");
}

/// A line that ends with the turn at hand holds actions of whoever has it, and none of the next player.
#[test]
fn a_line_ends_with_the_turn_that_it_may_look_into() {
    let table = at_phase("horizon", Stage::Diplomacy);
    let seat = table.decision().seats.lowest().unwrap();
    let position = Position::of(&table, Observer::Seat(seat));
    let players = |after: u32| {
        let horizon = Horizon::Turns { after, most: 200 };
        let params = Params { horizon, ..Params::of::<Doubloons>(2_000, "horizon") };
        let found = search(&position, Some(seat), params, Budget::UNLIMITED, &InTurn).unwrap();
        let mut line: Vec<_> = found.line.iter().map(Action::player).collect();
        line.dedup();
        line
    };
    let (own, next) = (players(0), players(8));
    assert_eq!(own.len(), 1, "{own:?}");
    assert!(next.len() > 1, "{next:?}");
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
