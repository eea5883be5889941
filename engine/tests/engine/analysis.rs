//! The laws of analysis: it uses nothing that a seat cannot know, gives the same bytes with any number of
//! threads, and adds up.

use crate::walk::{Spot, json, menu, option_sets, record, spots, walk, walks};
use umpire_engine::analysis::hint::Asked;
use umpire_engine::analysis::random::Random;
use umpire_engine::analysis::review::{Class, Judged, PlyAnalysis, Task};
use umpire_engine::analysis::search::{InTurn, Params, Position, Spread, pick, playout, search};
use umpire_engine::any_game::{AnyGame, Of};
use umpire_engine::budget::Budget;
use umpire_engine::chance::seeded::Seeded;
use umpire_engine::chance::{Ask, Chance, Halt, What};
use umpire_engine::game::{FullGame, Horizon, Keep, Observer, Seat, Seats, Table, TableSetup};
use umpire_engine::record::RawRecord;
use umpire_engine::replay::Limits;

laws! {
    /// Two worlds that a searcher cannot tell apart give the same search, and so the same hint.
    searches_tell_no_secret;
    /// What a seat is told of a record is the same in every world that it cannot tell apart.
    reviews_tell_no_secret;
    /// The same question gives the same answer with 1, 2 and 16 threads.
    threads_change_nothing;
    /// Where one seat alone decides, and everything is known, there is nothing to be foreseen.
    foresight_is_of_choices_made_at_once;
    /// Whether a search keeps the tables that it came to changes nothing but its time.
    kept_tables_change_nothing;
    /// What is advised is legal, and the chances are chances.
    advice_is_legal;
    /// What a player lacks the cards for is refused, and no legal action is of that kind.
    what_is_lacking_is_refused;
    /// Turns are numbered upwards, and a line ends where its horizon says.
    lines_end_with_turns;
    /// Where a game says that nothing is hidden after a fall, nothing is.
    falls_are_open_where_it_is_said;
    /// Start, luck and skill make the result, for every seat, and the worth of each ply is that of the last.
    ledgers_add_up;
}

/// Pieces of work on so many threads.
struct On(usize);

impl Spread for On {
    fn each(&self, pieces: usize, work: &(dyn Fn(usize) + Sync)) {
        let next = std::sync::atomic::AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..self.0 {
                scope.spawn(|| {
                    loop {
                        let piece = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                        if piece >= pieces {
                            break;
                        }
                        work(piece);
                    }
                });
            }
        });
    }
}

/// Moments of random games under the default options and of fixtures.
fn moments<G: FullGame>() -> Vec<Spot<G>> {
    let sets = option_sets::<G>();
    let mut moments = spots(&walks::<G>(&sets[..1], 2, 400), 120, 120);
    // A game between players who choose what is likely goes on where a random one may end at once.
    for (number, table) in sensible::<G>(2, 80).into_iter().enumerate() {
        let chance = Seeded::new(&format!("moments {number}"), G::META.streams);
        let origin = format!("{} moment {number}, ply {}", G::META.id, table.ply());
        moments.push(Spot { table, chance, origin });
    }
    moments
}

/// The tables of games between players who choose what is likely, each as far as so many actions.
fn sensible<G: FullGame>(games: u32, plies: u32) -> Vec<Table<G>> {
    let mut tables = Vec::new();
    let mut random = Random::new("moments", 0);
    for number in 0..games {
        let chance = &mut Seeded::new(&format!("moments {number}"), G::META.streams);
        let setup = G::Setup::from_options(G::Options::default(), chance)
            .unwrap_or_else(|stop| panic!("{stop:?}"));
        let table = Table::<G>::open(setup.into(), chance, Keep::Nothing);
        let mut table = table.unwrap_or_else(|stop| panic!("{stop:?}"));
        while table.ply() < plies
            && let Some(seat) = table.decision().seats.lowest()
            && let Some(action) = pick(&table, seat, &mut random)
        {
            tables.push(table.clone());
            table.play(&action, chance).unwrap_or_else(|stop| panic!("{action:?}: {stop:?}"));
        }
    }
    tables
}

mod check {
    use super::*;

    pub(super) fn searches_tell_no_secret<G: FullGame>() {
        let mut compared = 0;
        for Spot { table, origin, .. } in &moments::<G>() {
            let (setup, decision) = (table.setup(), table.decision());
            for seat in decision.seats.iter() {
                let searcher = Observer::Seat(seat);
                let view = table.view(searcher);
                let chance = &mut Seeded::new("another world", G::META.streams);
                let state = G::determinize(setup, &view, chance).expect("a world");
                let other = Table::<G>::resume(setup.clone(), state, chance, Keep::Nothing)
                    .unwrap_or_else(|stop| panic!("{origin}: {stop:?}"));
                let found = |simulations, foresight| {
                    let horizon = Horizon::Actions(30);
                    let found = [table, &other].map(|table| {
                        // The number of actions so far is known to everybody.
                        let position = Position::of(table, searcher);
                        let params = Params::of::<G>(simulations, "law");
                        let params = Params { horizon, foresight, ..params };
                        search(&position, Some(seat), params, Budget::UNLIMITED, &InTurn)
                    });
                    assert_eq!(found[0], found[1], "{origin}: {seat:?}");
                    let [found, _] = found;
                    found
                };
                compared += usize::from(found(12, false).is_ok());
                // So many that a player expects something of others who choose at the same time.
                let others = G::Setup::players(setup).len() as u32 - 1;
                if decision.seats.without(seat) != Seats::NONE {
                    assert!(found(200 * others, true).is_ok(), "{origin}: {seat:?}");
                }
            }
        }
        let least = if umpire_engine::games::find(G::META.id).is_some() { 200 } else { 10 };
        assert!(compared >= least, "{}: only {compared} moments", G::META.id);
    }

    /// What a viewer is told of some plies of a record.
    fn told<G: FullGame>(text: &str, viewer: Observer, plies: &[u32]) -> String {
        let record = RawRecord::read(text.as_bytes()).expect("a record");
        let task = Task { simulations: 6, seed: "law".to_owned(), viewer };
        let analysis = Of::<G>::new().analysis(&record, &task, Limits::default());
        let analysis = analysis.unwrap_or_else(|fault| panic!("{fault}"));
        let plies: Vec<PlyAnalysis> = (plies.iter())
            .map(|&ply| analysis.ply(ply, Budget::UNLIMITED).expect("no end of the budget"))
            .collect();
        json(&plies)
    }

    /// What a seat is advised at the end of a record.
    fn advised<G: FullGame>(text: &str, seat: Seat) -> String {
        let record = RawRecord::read(text.as_bytes()).expect("a record");
        let asked = Asked {
            ply: Some(0),
            seat: Some(seat),
            simulations: 6,
            seed: "law",
            most: 5,
            limits: Limits::default(),
            spread: &InTurn,
        };
        let hint = Of::<G>::new().hint(&record, &asked);
        json(&hint.unwrap_or_else(|unadvised| panic!("{unadvised:?}")))
    }

    pub(super) fn reviews_tell_no_secret<G: FullGame>() {
        let mut compared = 0;
        for (number, table) in sensible::<G>(4, 60).iter().enumerate() {
            let (setup, decision) = (table.setup(), table.decision());
            let seat = decision.seats.lowest().expect("somebody decides");
            let mut random = Random::new("reviews", number as u64);
            // One action is enough: what follows it may differ for reasons that the viewer may know.
            let Some(action) = pick(table, seat, &mut random) else { continue };
            let others =
                G::Setup::players(setup).iter().filter(|&other| other != seat).map(Observer::Seat);
            let mut viewers = vec![Observer::Seat(seat)];
            viewers.extend(others.chain([Observer::Spectator]).filter(|_| number % 6 == 0));
            for viewer in viewers {
                let chance = &mut Seeded::new("a world to review", G::META.streams);
                let view = table.view(viewer);
                let state = G::determinize(setup, &view, chance).expect("a world");
                // What others choose from is theirs to know.
                let mut there =
                    Table::<G>::resume(setup.clone(), state.clone(), chance, Keep::Nothing)
                        .unwrap_or_else(|stop| panic!("{stop:?}"));
                let played = there.play(&action, &mut Random::new("there", 0)).is_ok();
                let actions = if played { json(&[&action]) } else { "[]".to_owned() };
                let texts = [table.state(), &state].map(|state| {
                    let position = json(&G::view(setup, state, Observer::Referee));
                    record::<G>("{}", r#"{"seed":"law"}"#, Some(&position), &actions)
                });
                let origin = format!("{} moment {number}: {viewer:?}", G::META.id);
                let [one, other] = [&texts[0], &texts[1]].map(|it| told::<G>(it, viewer, &[0]));
                assert_eq!(one, other, "{origin}");
                if viewer == Observer::Seat(seat) {
                    let [one, other] = [&texts[0], &texts[1]].map(|it| advised::<G>(it, seat));
                    assert_eq!(one, other, "{origin}");
                    compared += 1;
                }
            }
        }
        let least = if umpire_engine::games::find(G::META.id).is_some() { 200 } else { 10 };
        assert!(compared >= least, "{}: only {compared} moments", G::META.id);
    }

    pub(super) fn threads_change_nothing<G: FullGame>() {
        let walk = walk::<G>("{}", "threads", 24);
        let text = walk.record(walk.actions.len() / 2, &walk.seed_chance());
        let record = RawRecord::read(text.as_bytes()).expect("a record");
        let game = Of::<G>::new();
        let hint = |spread: &dyn Spread| {
            let asked = Asked {
                ply: None,
                seat: None,
                simulations: 6_001,
                seed: "threads",
                most: 50,
                limits: Limits::default(),
                spread,
            };
            game.hint(&record, &asked).map(|hint| json(&hint))
        };
        let alone = hint(&InTurn);
        assert!(alone.is_ok(), "{}: {alone:?}", G::META.id);
        for threads in [1, 2, 16] {
            assert_eq!(hint(&On(threads)), alone, "{}: {threads} threads", G::META.id);
        }
        let task = Task { simulations: 4, seed: "threads".to_owned(), viewer: Observer::Referee };
        let analysis = game.analysis(&record, &task, Limits::default()).expect("an analysis");
        let whole = |spread: &dyn Spread| {
            let slots: Vec<_> =
                (0..=analysis.plies()).map(|_| std::sync::Mutex::new(None)).collect();
            spread.each(slots.len(), &|ply| {
                *slots[ply].lock().unwrap() = analysis.ply(ply as u32, Budget::UNLIMITED).ok();
            });
            let plies: Vec<PlyAnalysis> =
                slots.into_iter().map(|slot| slot.into_inner().unwrap().unwrap()).collect();
            let judged: Vec<Judged> = plies.iter().filter_map(Judged::of).collect();
            let summary = analysis.summary(&judged, Budget::UNLIMITED).unwrap();
            json(&(plies, summary))
        };
        let alone = whole(&InTurn);
        for threads in [2, 16] {
            assert_eq!(whole(&On(threads)), alone, "{}: {threads} threads", G::META.id);
        }
    }

    pub(super) fn foresight_is_of_choices_made_at_once<G: FullGame>() {
        let mut compared = 0;
        for Spot { table, origin, .. } in &moments::<G>() {
            let seats = table.decision().seats;
            let Some(seat) = seats.lowest().filter(|&it| seats.without(it) == Seats::NONE) else {
                continue;
            };
            let found = |foresight| {
                let params = Params { foresight, ..Params::of::<G>(220, "alone") };
                let position = Position::of(table, Observer::Referee);
                search(&position, Some(seat), params, Budget::UNLIMITED, &InTurn)
            };
            assert_eq!(found(true), found(false), "{origin}");
            compared += 1;
        }
        assert!(compared >= 8, "{}: only {compared} moments", G::META.id);
    }

    pub(super) fn kept_tables_change_nothing<G: FullGame>() {
        let mut compared = 0;
        for Spot { table, origin, .. } in moments::<G>().iter().step_by(5) {
            let Some(seat) = table.decision().seats.lowest() else { continue };
            for searcher in [Observer::Seat(seat), Observer::Referee] {
                let position = Position::of(table, searcher);
                let found = |kept| {
                    let params = Params { kept, ..Params::of::<G>(150, "kept") };
                    search(&position, Some(seat), params, Budget::UNLIMITED, &InTurn)
                };
                let none = found(0);
                assert!(none.is_ok(), "{origin}: {none:?}");
                for kept in [1, 3, 2048] {
                    assert_eq!(found(kept), none, "{origin}: {kept} tables kept, {searcher:?}");
                }
                compared += 1;
            }
        }
        assert!(compared >= 8, "{}: only {compared} moments", G::META.id);
    }

    pub(super) fn lines_end_with_turns<G: FullGame>() {
        const MOST: u32 = 60;
        for (number, Spot { table, origin, .. }) in (0..).zip(&moments::<G>()) {
            let turn = |table: &Table<G>| G::turn(table.setup(), table.state());
            let (mut stepped, mut last) = (table.bare(), turn(table));
            let mut random = Random::new("turns", number);
            for _ in 0..MOST {
                let seat = stepped.decision().seats.lowest();
                let Some(action) = seat.and_then(|it| pick(&stepped, it, &mut random)) else {
                    break;
                };
                stepped.play(&action, &mut random).unwrap();
                let now = turn(&stepped);
                assert!(last <= now, "{origin}: turn {now} after {last}");
                last = now;
                if now > turn(table) + 1 {
                    break;
                }
            }
            let mut played = table.bare();
            let horizon = Horizon::Turns { after: 1, most: MOST };
            playout(&mut played, &mut Random::new("turns", number), horizon);
            assert!(played.state() == stepped.state(), "{origin}");
        }
    }

    /// Chance that knows whether something fell that everybody saw.
    struct Fell<'a>(&'a mut Random, bool);

    impl Chance for Fell<'_> {
        fn answer(&mut self, ask: &Ask<'_>) -> Result<u32, Halt> {
            self.1 |= !matches!(ask.what, What::Hidden { .. });
            self.0.answer(ask)
        }
    }

    pub(super) fn falls_are_open_where_it_is_said<G: FullGame>() {
        if !G::FALLS_ARE_OPEN {
            return;
        }
        let (mut fell, mut random) = (0, Random::new("open", 0));
        for table in sensible::<G>(6, 200) {
            let Some(seat) = table.decision().seats.lowest() else { continue };
            let Some(action) = pick(&table, seat, &mut random) else { continue };
            let mut after = table.bare();
            let mut chance = Fell(&mut random, false);
            after.play(&action, &mut chance).unwrap();
            if chance.1 {
                let view = after.view(Observer::Spectator);
                let world = G::determinize(after.setup(), &view, &mut random).expect("a world");
                assert!(world == *after.state(), "{}: {}", G::META.id, json(&action));
                fell += 1;
            }
        }
        assert!(fell > 50, "{}: {fell}", G::META.id);
    }

    pub(super) fn advice_is_legal<G: FullGame>() {
        for Spot { table, origin, .. } in moments::<G>().iter().step_by(5) {
            for seat in table.decision().seats.iter() {
                let position = Position::of(table, Observer::Seat(seat));
                let params =
                    Params { horizon: Horizon::Actions(20), ..Params::of::<G>(16, "legal") };
                let found = search(&position, Some(seat), params, Budget::UNLIMITED, &InTurn)
                    .unwrap_or_else(|nothing| panic!("{origin}: {nothing:?}"));
                let offered = menu(table, seat);
                let visits: u32 = found.actions.iter().map(|ranked| ranked.visits).sum();
                assert_eq!(visits, 16, "{origin}");
                for ranked in &found.actions {
                    let legal = offered.offers(table, &ranked.action) || !offered.whole;
                    assert!(legal, "{origin}: {}", json(&ranked.action));
                    let sum: f64 = ranked.shares.iter().sum();
                    assert!((sum - 1.0).abs() < 1e-9, "{origin}: {:?}", ranked.shares);
                    assert!(
                        (ranked.error > 0.0 && ranked.error <= 0.5) || ranked.proof.is_some(),
                        "{origin}: {}",
                        ranked.error
                    );
                }
            }
        }
    }

    pub(super) fn what_is_lacking_is_refused<G: FullGame>() {
        for (number, table) in sensible::<G>(6, 120).iter().enumerate() {
            let Some(seat) = table.decision().seats.lowest() else { continue };
            let setup = table.setup();
            // What may be done here, and what might be done as somebody else thinks.
            let chance = &mut Seeded::new(&format!("lacks {number}"), G::META.streams);
            let view = table.view(Observer::Spectator);
            let state = G::determinize(setup, &view, chance).expect("a world");
            let other = Table::<G>::resume(setup.clone(), state, chance, Keep::Nothing);
            let other = other.unwrap_or_else(|stop| panic!("{stop:?}"));
            let mut random = Random::new("lacks", number as u64);
            for at in [table, &other] {
                let actions = (0..8).filter_map(|_| pick(at, seat, &mut random));
                for action in actions.collect::<Vec<_>>() {
                    let refused = table.bare().play(&action, &mut random).is_err();
                    let lacks = G::lacks(setup, table.state(), &action);
                    assert!(refused || !lacks, "{} moment {number}: {}", G::META.id, json(&action));
                }
            }
        }
    }

    pub(super) fn ledgers_add_up<G: FullGame>() {
        for (seed, plies) in [("ledger one", 5), ("ledger two", 8)] {
            let walk = walk::<G>("{}", seed, plies);
            let text = walk.record(walk.actions.len(), &walk.seed_chance());
            let record = RawRecord::read(text.as_bytes()).expect("a record");
            let task = Task { simulations: 1, seed: seed.to_owned(), viewer: Observer::Referee };
            let analysis = Of::<G>::new().analysis(&record, &task, Limits::default()).unwrap();
            let summary = analysis.summary(&[], Budget::UNLIMITED).unwrap();
            assert_eq!(summary.ledger.len(), G::Setup::players(walk.end.setup()).iter().count());
            for seat in &summary.ledger {
                let sum = seat.start + seat.luck + seat.skill;
                assert!((sum - seat.result).abs() < 1e-9, "{}: {seat:?}", G::META.id);
                let parts = [seat.start, seat.luck, seat.skill, seat.result, seat.adjusted];
                for part in parts {
                    let places = part * 10_000.0;
                    assert!((places - places.round()).abs() < 1e-6, "to four places: {seat:?}");
                }
                assert!(seat.luck_error >= seat.start_error && seat.luck_error < 0.2, "{seat:?}");
                assert!((seat.result - seat.luck - seat.adjusted).abs() < 1e-9, "{seat:?}");
            }
            let luck: f64 = summary.ledger.iter().map(|seat| seat.luck).sum();
            assert!(luck.abs() < 1e-3, "what one seat gains another loses: {luck}");
        }
    }
}

#[test]
fn nothing_is_a_mistake_within_two_standard_errors() {
    assert_eq!(Class::of(0.3, 0.15), None);
    assert_eq!(Class::of(0.3, 0.149), Some(Class::Blunder));
    assert_eq!(Class::of(0.12, 0.01), Some(Class::Mistake));
    assert_eq!(Class::of(0.05, 0.02), Some(Class::Inaccuracy));
    assert_eq!(Class::of(0.049, 0.001), None);
    assert_eq!(Class::of(-0.4, 0.01), None);
}
