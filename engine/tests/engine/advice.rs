//! The laws of advice: what a game says of its actions is legal, complete, and follows from what the seat knows.

use crate::walk::{Spot, each_fixture_table, json, menu, option_sets, spots, walks};
use umpire_engine::analysis::random::Random;
use umpire_engine::analysis::search::{offered, pick};
use umpire_engine::chance::seeded::Seeded;
use umpire_engine::game::{
    ActionRange, FullGame, Keep, Observer, PlayerAction, Seat, Table, TableSetup,
};

laws! {
    /// What is done at first sight is legal, and somebody sensible does it.
    first_sight_is_legal;
    /// Whole games are played so, under every set of options.
    games_at_first_sight_go_on;
    /// What is proposed of a range is legal and lies in it.
    proposals_lie_in_their_range;
    /// Whoever has to decide is offered something that is not senseless.
    something_is_sensible;
    /// Weights and first sight are the same in every world that the seat could be in.
    advice_tells_no_secret;
    /// What a program is offered for a seat is the same in every world that the seat could be in, in every stored game.
    offers_tell_no_secret;
    /// Every feature has a weight, for every seat, and a state is worth as much to all together as it was.
    features_are_weighed;
}

mod check {
    use super::*;

    fn moments<G: FullGame>(most: usize) -> Vec<Spot<G>> {
        let sets = option_sets::<G>();
        let mut all = walks::<G>(&sets[..1], 3, 400);
        all.extend(walks::<G>(&sets[1..], 1, 150));
        spots(&all, most, 300)
    }

    fn plays<G: FullGame>(table: &Table<G>, action: &G::Action, why: &str, origin: &str) {
        let mut next = table.clone();
        let mut random = Random::new("next", 0);
        let stop = next.play(action, &mut random).err();
        assert!(stop.is_none(), "{origin}: {why} {}: {stop:?}", json(action));
    }

    pub(super) fn first_sight_is_legal<G: FullGame>() {
        for Spot { table, origin, .. } in &moments::<G>(600) {
            for seat in table.decision().seats.iter() {
                for number in 0..6 {
                    let mut random = Random::new("reflex", number);
                    let (setup, state) = (table.setup(), table.state());
                    let Some(action) = G::reflex(setup, state, seat, &mut random) else { continue };
                    assert_eq!(G::Action::seat(&action), seat, "{origin}");
                    plays(table, &action, "at first sight", origin);
                    assert!(G::prior(setup, state, &action) > 0, "{origin}: {}", json(&action));
                }
            }
        }
    }

    pub(super) fn games_at_first_sight_go_on<G: FullGame>() {
        for (number, walk) in walks::<G>(&option_sets::<G>(), 1, 0).into_iter().enumerate() {
            let mut table = walk.tables[0].clone();
            let mut random = Random::new("games", number as u64);
            for _ in 0..600 {
                let Some(seat) = table.decision().seats.lowest() else { break };
                let action = pick(&table, seat, &mut random).expect("an action");
                let origin = format!("{} ply {}", walk.options, table.ply());
                plays(&table, &action, "at first sight", &origin);
                table.play(&action, &mut random).expect("it was tried");
            }
            let over = table.outcome().is_some();
            assert!(over || table.ply() == 600, "{}: {}", walk.options, table.ply());
        }
    }

    pub(super) fn proposals_lie_in_their_range<G: FullGame>() {
        for Spot { table, origin, .. } in &moments::<G>(400) {
            let (setup, state) = (table.setup(), table.state());
            for seat in table.decision().seats.iter() {
                for range in &menu(table, seat).ranges {
                    let mut random = Random::new("proposals", 0);
                    for action in G::propose(setup, state, range, &mut random) {
                        assert!(
                            G::Range::covers(range, setup, state, &action),
                            "{origin}: {}",
                            json(&action)
                        );
                        plays(table, &action, "proposed", origin);
                    }
                }
            }
        }
    }

    pub(super) fn something_is_sensible<G: FullGame>() {
        for Spot { table, origin, .. } in &moments::<G>(400) {
            let (setup, state) = (table.setup(), table.state());
            for seat in table.decision().seats.iter() {
                let menu = menu(table, seat);
                let mut random = Random::new("sensible", 0);
                let ranges = menu.ranges.iter();
                let proposed: Vec<G::Action> =
                    ranges.flat_map(|it| G::propose(setup, state, it, &mut random)).collect();
                let mut all = menu.actions.iter().chain(&proposed);
                assert!(all.any(|it| G::prior(setup, state, it) > 0), "{origin}");
            }
        }
    }

    /// A world that a seat could be in.
    fn world<G: FullGame>(table: &Table<G>, seat: Seat, seed: &str) -> Table<G> {
        let mut chance = Seeded::new(seed, G::META.streams);
        let view = table.view(Observer::Seat(seat));
        let state = G::determinize(table.setup(), &view, &mut chance).expect("a world");
        Table::resume(table.setup().clone(), state, &mut chance, Keep::Nothing)
            .unwrap_or_else(|stop| panic!("{}: {stop:?}", G::META.id))
    }

    pub(super) fn advice_tells_no_secret<G: FullGame>() {
        for Spot { table, origin, .. } in &moments::<G>(300) {
            for seat in table.decision().seats.iter() {
                let [left, right] = ["left", "right"].map(|seed| world(table, seat, seed));
                let sight = |table: &Table<G>| {
                    let mut random = Random::new("secret", 7);
                    let (setup, state) = (table.setup(), table.state());
                    let actions = menu(table, seat).actions;
                    let weights: Vec<u32> =
                        actions.iter().map(|it| G::prior(setup, state, it)).collect();
                    (weights, json(&G::reflex(setup, state, seat, &mut random)))
                };
                assert_eq!(sight(&left), sight(&right), "{origin}");
            }
        }
    }

    pub(super) fn offers_tell_no_secret<G: FullGame>() {
        let mut moments: Vec<(String, Table<G>)> = Vec::new();
        each_fixture_table::<G>(|name, table| moments.push((name.to_owned(), table.bare())));
        let stored = moments.len();
        if umpire_engine::games::find(G::META.id).is_some() {
            assert!(stored > 1000, "{}: {stored}", G::META.id);
        }
        let played = spots(&walks::<G>(&option_sets::<G>()[..1], 2, 200), 100, 0);
        moments.extend(played.into_iter().map(|it| (it.origin, it.table)));
        let (mut compared, mut ranges, mut differ) = (0, 0, 0);
        for (at, (origin, table)) in moments.iter().enumerate() {
            let seats = table.decision().seats;
            // Where there are ranges, all are looked at: only they are proposed by the game.
            let special = seats.iter().any(|seat| !menu(table, seat).ranges.is_empty());
            if !special && at % 8 != 0 {
                continue;
            }
            for seat in seats.iter() {
                let worlds = ["left", "right"].map(|seed| world(table, seat, seed));
                let mut truth = Seeded::new("truth", G::META.streams);
                let state = table.state().clone();
                let truth =
                    Table::<G>::resume(table.setup().clone(), state, &mut truth, Keep::Nothing);
                let truth = truth.unwrap_or_else(|stop| panic!("{origin}: {stop:?}"));
                for most in [512, 7] {
                    let is = offered(&truth, seat, most);
                    assert!(!is.0.is_empty(), "{origin}");
                    for world in &worlds {
                        let there = offered(world, seat, most);
                        let ply = table.ply();
                        assert_eq!(json(&there), json(&is), "{origin} ply {ply}: {seat:?}");
                    }
                }
                compared += 1;
                ranges += usize::from(special);
                differ += worlds.iter().filter(|it| it.state() != table.state()).count();
            }
        }
        println!("{}: {compared} moments, {ranges} with ranges, {differ} other worlds", G::META.id);
        assert!(compared > 0, "{}", G::META.id);
        // Where the game hides something, so do the worlds that were compared.
        if umpire_engine::games::find(G::META.id).is_some() {
            assert!(differ > 100, "{}: {differ} other worlds", G::META.id);
        }
    }

    pub(super) fn features_are_weighed<G: FullGame>() {
        for Spot { table, origin, .. } in &moments::<G>(300) {
            let (setup, state) = (table.setup(), table.state());
            for seat in G::Setup::players(setup).iter() {
                let mut features = Vec::new();
                G::features(setup, state, seat, &mut features);
                assert_eq!(features.len(), G::weights(seat).len(), "{origin}");
            }
            let sum: f64 = umpire_engine::analysis::shares::value::<G>(setup, state).iter().sum();
            assert!((sum - 1.0).abs() < 1e-9, "{origin}: {sum}");
        }
    }
}
