//! Comparing two records, and a record with the fingerprints of another engine, over every game.
//!
//! Where two records part is found here a second time, from the fingerprints of every ply.

use crate::walk::{Chooser, Walk, json, menu, option_sets, record, usable, walk};
use serde_json::Value;
use umpire_engine::any_game::{AnyGame, Of};
use umpire_engine::digest::Fingerprint;
use umpire_engine::dispute::compare::{Comparison, DivergenceKind, PlyMark, ask_next, bisect};
use umpire_engine::dispute::patch::apply;
use umpire_engine::game::Visitor;
use umpire_engine::game::{FullGame, Observer, TableSetup};
use umpire_engine::record::RawRecord;
use umpire_engine::replay::{Include, Limits, Query};
use umpire_engine::report::Report;

fn report<G: FullGame>(text: &str) -> Report {
    let raw = RawRecord::read(text.as_bytes()).unwrap();
    let include = Include { fingerprints: true, states: true, ..Include::default() };
    Of::<G>::new().replay(&raw, &Query { include, ..Query::default() }).unwrap()
}

fn fingerprints(report: &Report) -> Vec<Fingerprint> {
    report.fingerprints.iter().flatten().map(|fingerprint| fingerprint.fingerprint).collect()
}

fn compare<G: FullGame>(a: &str, b: &str) -> Comparison {
    let [a, b] = [a, b].map(|text| RawRecord::read(text.as_bytes()).unwrap());
    Of::<G>::new().compare([&a, &b], Limits::default()).unwrap()
}

/// Some games of the default options, and one of each of a few other sets.
fn games<G: FullGame>() -> Vec<Walk<G>> {
    let sets = option_sets::<G>();
    let mut all: Vec<Walk<G>> =
        (0..3).map(|number| walk::<G>("{}", &format!("compare {number}"), 80)).collect();
    let step = (sets.len() / 4).max(1);
    all.extend(sets.iter().skip(1).step_by(step).map(|set| walk::<G>(set, "compare", 60)));
    all
}

/// Seed and tape, because a seed may shape the setup, which stands on no tape.
fn taped<G: FullGame>(game: &Walk<G>) -> String {
    format!(r#"{{"seed":{},"tape":{}}}"#, json(&game.seed), game.tape(0))
}

/// What must hold of every comparison, found from the fingerprints of every ply.
fn check<G: FullGame>(a: &str, b: &str) -> Comparison {
    let found = compare::<G>(a, b);
    let reports = [report::<G>(a), report::<G>(b)];
    let [one, two] = [fingerprints(&reports[0]), fingerprints(&reports[1])];
    let same = one.iter().zip(&two).take_while(|(one, two)| one == two).count();
    let Some(parts) = &found.parts else {
        assert!(found.same);
        assert_eq!(one, two);
        assert_eq!(found.verdicts[0], found.verdicts[1]);
        return found;
    };
    assert!(!found.same);
    if parts.how == DivergenceKind::Opening {
        assert_eq!((parts.ply, same), (0, 0));
    } else if same < one.len().min(two.len()) {
        assert_eq!(parts.ply as usize + 1, same, "{:?}", parts.how);
        assert_eq!(parts.plies, [same as u32; 2]);
    } else {
        assert_eq!(parts.ply as usize + 1, same, "{:?}", parts.how);
        assert!(matches!(
            parts.how,
            DivergenceKind::Length
                | DivergenceKind::Legality
                | DivergenceKind::Chance
                | DivergenceKind::Action
        ));
    }
    let state = |side: usize| -> Value {
        let states = reports[side].states.as_ref().unwrap();
        let at = parts.plies[side] as usize;
        assert_eq!([&one, &two][side][at], parts.fingerprints[side]);
        serde_json::from_str(states[at].state.get()).unwrap()
    };
    assert_eq!(apply(&state(0), &parts.difference), Some(state(1)));
    assert_eq!(parts.difference.is_empty(), parts.words.is_empty() && state(0) == state(1));
    found
}

struct Same;

impl Visitor for Same {
    fn game<G: FullGame>(&mut self) {
        for game in games::<G>() {
            let seeded = game.record(game.actions.len(), &game.seed_chance());
            let found = check::<G>(&seeded, &seeded);
            assert!(found.same && found.options.is_empty(), "{}", G::META.id);
            let taped = game.record(game.actions.len(), &taped(&game));
            let found = check::<G>(&seeded, &taped);
            assert!(found.same, "{}: {:?}", G::META.id, found.parts);
        }
    }
}

#[test]
fn a_record_is_the_same_as_itself_and_as_its_own_tape() {
    crate::walk::every_game(&mut Same);
}

struct Shorter;

impl Visitor for Shorter {
    fn game<G: FullGame>(&mut self) {
        for game in games::<G>() {
            let whole = game.actions.len();
            for plies in [0, whole / 2, whole - 1] {
                let [long, short] =
                    [whole, plies].map(|plies| game.record(plies, &game.seed_chance()));
                for (a, b) in [(&long, &short), (&short, &long)] {
                    let parts = check::<G>(a, b).parts.unwrap();
                    assert_eq!((parts.how, parts.ply as usize), (DivergenceKind::Length, plies));
                    assert_eq!(parts.actions.iter().flatten().count(), 1);
                }
            }
        }
    }
}

#[test]
fn a_beginning_differs_in_its_length() {
    crate::walk::every_game(&mut Shorter);
}

/// Other legal decisions, by number of pairs of which the comparison was checked.
#[derive(Default)]
struct Changed {
    legal: usize,
    illegal: usize,
}

impl Visitor for Changed {
    fn game<G: FullGame>(&mut self) {
        let mut chooser = Chooser::new("changed");
        for game in games::<G>() {
            let actions = |list: &[G::Action]| {
                record::<G>(&game.options, &game.seed_chance(), None, &json(list))
            };
            let whole = actions(&game.actions);
            for _ in 0..6 {
                let ply = chooser.below(game.actions.len());
                let table = &game.tables[ply];
                let seats: Vec<_> = table.may_act().iter().collect();
                let seat = *chooser.one_of(&seats);
                let Some(other) = menu(table, seat).pick(table, &mut chooser) else { continue };
                let mut list = game.actions.clone();
                list[ply] = other;
                let found = check::<G>(&whole, &actions(&list));
                if let Some(parts) = found.parts {
                    assert!(parts.ply as usize >= ply, "{}", G::META.id);
                    if parts.ply as usize == ply {
                        assert_eq!(parts.how, DivergenceKind::Action, "{}", G::META.id);
                    }
                    self.legal += 1;
                }
                // One decision left out: something parts them, or they are the same game.
                let mut list = game.actions.clone();
                list.remove(ply);
                let found = check::<G>(&whole, &actions(&list));
                self.illegal += usize::from(found.parts.is_some());
            }
        }
    }
}

#[test]
fn a_changed_decision_parts_where_the_fingerprints_do() {
    let mut law = Changed::default();
    crate::walk::every_game(&mut law);
    assert!(law.legal > 60 && law.illegal > 60, "{} {}", law.legal, law.illegal);
}

/// Number of pairs of readings that part.
#[derive(Default)]
struct Read(usize);

impl Visitor for Read {
    fn game<G: FullGame>(&mut self) {
        let game = walk::<G>("{}", "readings", 80);
        let whole = game.record(game.actions.len(), &game.seed_chance());
        for ruling in G::Setup::rulings() {
            for value in &ruling.values[1..] {
                let options = format!(r#"{{"rulings":{{"{}":"{value}"}}}}"#, ruling.id);
                if !usable::<G>(&options) {
                    continue;
                }
                let chance = game.seed_chance();
                let other = record::<G>(&options, &chance, None, &json(&game.actions));
                let found = check::<G>(&whole, &other);
                assert!(!found.options.is_empty());
                if let Some(parts) = found.parts {
                    assert_ne!(parts.how, DivergenceKind::Action, "{}", G::META.id);
                    assert_ne!(parts.how, DivergenceKind::Length, "{}", G::META.id);
                    self.0 += 1;
                }
            }
        }
    }
}

#[test]
fn other_readings_part_where_the_fingerprints_do() {
    let mut law = Read::default();
    crate::walk::every_game(&mut law);
    assert!(law.0 > 5, "{}", law.0);
}

/// The fingerprint of a ply in a report.
fn all_prints(report: &Report, ply: u32) -> Fingerprint {
    report.fingerprints.as_ref().unwrap()[ply as usize].fingerprint
}

struct Foreign;

impl Visitor for Foreign {
    fn game<G: FullGame>(&mut self) {
        let mut chooser = Chooser::new("foreign");
        for game in games::<G>() {
            let own = game.record(game.actions.len(), &game.seed_chance());
            let report = report::<G>(&own);
            let raw = RawRecord::read(own.as_bytes()).unwrap();
            let last = game.actions.len() as u32;
            for chain in [true, false] {
                // Another engine that plays otherwise from some ply on, or never.
                let apart = chooser.below(last as usize + 2) as u32;
                let theirs = |ply: u32| {
                    let fingerprint = &report.fingerprints.as_ref().unwrap()[ply as usize];
                    let own = if chain { fingerprint.chain } else { fingerprint.fingerprint };
                    if ply < apart { own } else { Fingerprint([7; 32]) }
                };
                let mut marks: Vec<PlyMark> = Vec::new();
                let end = loop {
                    let found =
                        Of::<G>::new().compare_prints(&raw, &marks, chain, Limits::default());
                    let found = found.unwrap();
                    assert_eq!(found.settled, found.ask.is_empty());
                    if found.settled {
                        break found;
                    }
                    for ply in found.ask {
                        marks.push(PlyMark { ply, fingerprint: theirs(ply), over: false });
                    }
                };
                let all = last + 1;
                let most = all.next_power_of_two().ilog2() as usize + 1;
                assert!(marks.len() <= most, "{} of {all}", marks.len());
                assert_eq!(end.differ, (apart <= last).then_some(apart));
                assert_eq!(end.agree, apart.min(all).checked_sub(1));
                assert_eq!(end.parts.is_some(), apart <= last);
                if let Some(parts) = end.parts {
                    assert_eq!(parts.ply, apart);
                    assert_eq!(parts.before.is_some(), apart > 0);
                    let state = parts.after.unwrap();
                    let view = game.tables[apart as usize].view(Observer::Referee);
                    assert_eq!(state.get(), json(&view));
                    assert_eq!(parts.action.is_some(), apart > 0);
                    assert_eq!(parts.events.is_empty(), parts.clauses.is_empty());
                }
                // The whole list at once finds the same.
                let marks: Vec<PlyMark> = (0..all)
                    .map(|ply| PlyMark { ply, fingerprint: theirs(ply), over: false })
                    .collect();
                let at_once = Of::<G>::new().compare_prints(&raw, &marks, chain, Limits::default());
                assert_eq!(at_once.unwrap().differ, end.differ);
            }
            // An engine that plays on where this one has no further ply.
            let mut marks =
                vec![PlyMark { ply: last + 9, fingerprint: Fingerprint([7; 32]), over: false }];
            let fingerprint = report.fingerprints.as_ref().unwrap()[last as usize].fingerprint;
            marks.push(PlyMark { ply: last, fingerprint, over: false });
            marks.push(PlyMark { ply: last + 1, fingerprint, over: false });
            let found = Of::<G>::new().compare_prints(&raw, &marks, false, Limits::default());
            let found = found.unwrap();
            assert!(found.settled);
            assert_eq!((found.agree, found.differ), (Some(last), Some(last + 1)));
            assert!(found.parts.unwrap().fingerprint.is_none());
            // An engine whose game is over before this one's.
            let early = last / 2;
            let fingerprint = report.fingerprints.as_ref().unwrap()[early as usize].fingerprint;
            let marks = [PlyMark { ply: early, fingerprint, over: true }];
            let found = Of::<G>::new().compare_prints(&raw, &marks, false, Limits::default());
            let found = found.unwrap();
            let parts = found.parts.expect("they part where one game is over");
            assert!(found.settled && found.ask.is_empty());
            assert_eq!((found.agree, found.differ), (Some(early), Some(early + 1)));
            assert_eq!((parts.ply, parts.given), (early + 1, None));
            assert!(parts.fingerprint.is_some() && parts.after.is_some());
            let marks = [PlyMark { ply: last, fingerprint: all_prints(&report, last), over: true }];
            let found = Of::<G>::new().compare_prints(&raw, &marks, false, Limits::default());
            let found = found.unwrap();
            assert!(found.settled && found.parts.is_none(), "both are over at the same ply");
        }
    }
}

#[test]
fn another_engine_is_caught_with_few_fingerprints() {
    crate::walk::every_game(&mut Foreign);
}

#[test]
fn a_bisection_asks_no_more_than_it_must() {
    for plies in 0u32..70 {
        let all = plies + 1;
        for apart in 0..=all {
            let found = bisect(plies, |ply| ply < apart);
            assert_eq!(found.differ, (apart <= plies).then_some(apart));
            assert!(found.asked <= all.next_power_of_two().ilog2() + 1);
        }
    }
    assert_eq!(ask_next(Some(u32::MAX - 2), Some(u32::MAX), u32::MAX), Some(u32::MAX - 1));
}

#[test]
fn records_of_two_games_are_not_compared() {
    let [first, second] = [0, 1].map(|at| {
        let id = umpire_engine::games::GAMES[at].meta().id;
        format!(r#"{{"format":"umpire/1","game":"{id}","chance":{{"seed":"x"}},"actions":[]}}"#)
    });
    let [a, b] = [&first, &second].map(|text| RawRecord::read(text.as_bytes()).unwrap());
    let fault = umpire_engine::games::GAMES[0].compare([&a, &b], Limits::default()).unwrap_err();
    assert_eq!((fault.record, fault.fault.pointer.as_str()), (1, "/game"));
}

#[test]
fn a_fingerprint_is_read_strictly() {
    let good = format!(r#"{{"ply":3,"fingerprint":"{}"}}"#, "Ab".repeat(32));
    let mark: PlyMark = serde_json::from_str(&good).unwrap();
    assert_eq!(json(&mark), good.to_lowercase());
    for bad in [good.replace("Ab", "A"), good.replace('A', "G"), good.replace("ply", "x")] {
        assert!(serde_json::from_str::<PlyMark>(&bad).is_err());
    }
}
