//! How search does against the scripted players.

use std::sync::atomic::AtomicU64;

use umpire_core::analysis::random::Random;
use umpire_core::analysis::search::{
    Found, InTurn, Params, Position, Ranked, pick, playout, search,
};
use umpire_core::budget::Budget;
use umpire_core::chance::seeded::Seeded;
use umpire_core::game::{Advice, Game, Horizon, Keep, Observer, Seat, Table};
use umpire_testing::strength::{Match, of_search};

use super::scripted::{self, Stop};
use super::setup;
use crate::Doubloons;
use crate::action::{Action, Bid, EndPhase, Player};
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

/// What is shown as the line that comes is the turn at hand, however many turns are looked into.
#[test]
fn a_line_holds_the_turn_at_hand() {
    let table = at_phase("horizon", Stage::Diplomacy);
    let seat = table.decision().seats.lowest().unwrap();
    let position = Position::of(&table, Observer::Seat(seat));
    for after in [0, 1, 8] {
        let horizon = Horizon::Turns { after, most: 200 };
        let params = Params { horizon, ..Params::of::<Doubloons>(2_000, "horizon") };
        let found = search(&position, Some(seat), params, Budget::UNLIMITED, &InTurn).unwrap();
        let players = || found.line.iter().map(Action::player);
        assert!(players().count() > 0, "{found:?}");
        assert!(players().all(|it| Player::of(seat) == Some(it)), "{found:?}");
    }
}

/// What the next player answers is found out, the better the more simulations there are: at first sight he does worse. So a
/// turn is worth about as much before its end as after it.
#[test]
fn the_next_turn_is_thought_out() {
    const SIMULATIONS: u32 = 3_000;
    let tables = (0..).map(|number| at_phase(&format!("reply {number}"), Stage::Diplomacy));
    let is_first = |table: &Table<Doubloons>| table.state().turn() == 8 * table.state().round;
    let table = tables.into_iter().find(is_first).unwrap();
    let seat = table.decision().seats.lowest().unwrap();
    let end = Action::EndPhase(EndPhase { player: Player::of(seat).unwrap(), through: None });
    let mut next = table.bare();
    next.play(&end, &mut Seeded::new("reply", Doubloons::META.streams)).unwrap();
    let other = next.decision().seats.lowest().unwrap();
    assert_eq!(table.state().turn() + 1, next.state().turn());
    let share = |position: Position<Doubloons>, seat: Seat, simulations: u32| {
        let params = Params::of::<Doubloons>(simulations, "reply");
        let found = search(&position, Some(seat), params, Budget::UNLIMITED, &InTurn).unwrap();
        found.value()[other.index()]
    };
    let before = |simulations: u32| {
        let position = Position::of(&table, Observer::Seat(seat)).only(vec![end.clone()]);
        share(position, seat, simulations)
    };
    let mut random = Random::new("reply", 0);
    let horizon = Horizon::Turns { after: 0, most: 80 };
    let (mut at_sight, mut played) = (0.0, 0.0);
    for _ in 0..SIMULATIONS {
        played += 1.0;
        at_sight += playout(&mut next.bare(), &mut random, horizon)[other.index()];
    }
    at_sight /= played;
    let (few, many) = (before(300), before(SIMULATIONS));
    assert!(at_sight + 0.05 < few && few + 0.02 < many, "{at_sight} {few} {many}");
    let after = share(Position::of(&next, Observer::Seat(other)), other, SIMULATIONS);
    assert!((after - many).abs() < 0.05, "{many} {after}");
}

/// A game between players who do what is likely, before the bids of a round.
fn before_bids(options: &str, round: u32) -> Table<Doubloons> {
    let mut chance = Seeded::new("sealed", Doubloons::META.streams);
    let mut table = Table::<Doubloons>::open(setup(options), &mut chance, Keep::Nothing).unwrap();
    let mut random = Random::new("sealed", 0);
    while table.state().round < round || table.state().stage != Stage::Bid {
        let seat = table.decision().seats.lowest().unwrap();
        let action = pick(&table, seat, &mut random).unwrap();
        table.play(&action, &mut chance).unwrap();
    }
    table
}

/// The table after a bid of the first player.
fn sealed(table: &Table<Doubloons>, amount: u64) -> Table<Doubloons> {
    let mut sealed = table.bare();
    let bid = Action::Bid(Bid { player: Player::P1, amount, skip_trading: true });
    sealed.play(&bid, &mut Seeded::new("sealed", Doubloons::META.streams)).unwrap();
    sealed
}

/// What a seat finds by so many simulations, whether it expects something of the others or not.
fn found_by(
    table: &Table<Doubloons>,
    seat: Seat,
    simulations: u32,
    seed: &str,
    foresight: bool,
) -> Found<Action> {
    let position = Position::of(table, Observer::Seat(seat));
    let params = Params { foresight, ..Params::of::<Doubloons>(simulations, seed) };
    search(&position, Some(seat), params, Budget::UNLIMITED, &InTurn).unwrap()
}

/// A player thinks what the others will bid, and bids more or saves his gold; what they did bid he cannot know.
#[test]
fn a_player_answers_the_bids_that_he_expects() {
    let [first, second] = [0, 1].map(Seat::at);
    let table = before_bids(r#"{"players": 2}"#, 3);
    let bid = |found: &Found<Action>| match &found.best().unwrap().action {
        Action::Bid(it) => it.amount,
        other => panic!("{other:?}"),
    };
    let seeds = (0..12).map(|number| format!("expected {number}"));
    // How often the second wins the favour, and how often he is outbid, by bids of a hundred simulations.
    let mut bids = [[0; 2]; 2];
    for seed in seeds {
        let other = bid(&found_by(&table, first, 100, &seed, false));
        for (foresight, [won, lost]) in [false, true].into_iter().zip(&mut bids) {
            let own = bid(&found_by(&table, second, 400, &seed, foresight));
            *won += u32::from(own > other);
            *lost += u32::from(own < other);
        }
        let found = [0, 8].map(|amount| {
            let table = sealed(&table, amount);
            found_by(&table, second, 400, &seed, true)
        });
        assert_eq!(found[0], found[1]);
        // Who bids second expects something too: a quarter went there.
        assert_eq!(found[0].simulations, 300);
    }
    let [[blind, _], [foreseen, outbid]] = bids;
    assert!(foreseen > blind && foreseen >= 8 && outbid <= 1, "{bids:?}");
}

/// The simulations of foresight are part of the budget, whoever else bids.
#[test]
fn foresight_is_part_of_the_budget() {
    for (players, simulations, own) in [(2, 1_000, 750), (2, 196, 196), (4, 1_000, 751)] {
        let table = before_bids(&format!(r#"{{"players": {players}}}"#), 2);
        let position = Position::of(&table, Observer::Seat(Seat::at(1)));
        let params = Params { foresight: true, ..Params::of::<Doubloons>(simulations, "budget") };
        let units = AtomicU64::new(u64::from(simulations));
        let budget = Budget::UNLIMITED.within(&units);
        let found = search(&position, Some(Seat::at(1)), params, budget, &InTurn).unwrap();
        assert_eq!((found.simulations, units.into_inner()), (own, 0));
    }
}

/// Who bids while others have bid already is advised as if nobody had: they bid at the same time.
#[test]
fn sealed_bids_are_answered_as_if_they_were_yet_to_be_made() {
    let [first, second] = [0, 1].map(Seat::at);
    let table = before_bids(r#"{"players": 2}"#, 3);
    // Simulations of one tree are not independent of each other; searches are.
    let advice = |table: &Table<Doubloons>| {
        let position = Position::of(table, Observer::Seat(second));
        let searches = (0..16).map(|number| {
            let seed = format!("sealed {number}");
            let params = Params::of::<Doubloons>(1_000, &seed);
            search(&position, Some(second), params, Budget::UNLIMITED, &InTurn).unwrap()
        });
        let found: Vec<Found<Action>> = searches.collect();
        let values: Vec<_> = found.iter().map(|it| it.value()[second.index()]).collect();
        let value = values.iter().fold(0.0, |sum, it| sum + it / 16.0);
        let apart = values.iter().fold(0.0, |sum, it| sum + (it - value) * (it - value));
        let lines: Vec<Vec<Action>> = found.iter().map(|it| it.line.clone()).collect();
        (value, apart / 15.0 / 16.0, most_taken(&found), lines)
    };
    let (before, doubt_before, unasked, _) = advice(&table);
    for amount in [0, 8] {
        let sealed = sealed(&table, amount);
        assert_eq!(sealed.decision().seats.lowest(), Some(second));
        let open = [first, second]
            .map(|seat| Doubloons::reopen(sealed.setup(), sealed.state(), Observer::Seat(seat)));
        assert!(open == [None, Some(table.state().clone())]);
        let (now, doubt_now, asked, lines) = advice(&sealed);
        assert_eq!(asked, unasked);
        let doubt = doubt_now + doubt_before;
        assert!((now - before) * (now - before) < 4.0 * doubt, "{now} {before} {doubt}");
        assert!(doubt < 0.0001, "{doubt}");
        // What the first has bid is no part of what comes.
        for line in lines {
            let bids = line.iter().filter(|it| matches!(it, Action::Bid(_))).count();
            assert_eq!(bids, 1, "{line:?}");
        }
    }
}

/// The action that several searches of one position together took most.
fn most_taken(searches: &[Found<Action>]) -> Option<Action> {
    let mut visits: Vec<(&Action, u32)> = Vec::new();
    for Ranked { action, visits: more, .. } in searches.iter().flat_map(|it| &it.actions) {
        match visits.iter_mut().find(|(it, _)| it == &action) {
            Some((_, all)) => *all += more,
            None => visits.push((action, *more)),
        }
    }
    visits.into_iter().max_by_key(|it| it.1).map(|it| it.0.clone())
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
