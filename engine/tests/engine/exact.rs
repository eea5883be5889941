//! Search against exact play: late positions with all cards open, small enough for every line and every fall of
//! dice and cards to be followed.
//!
//! The solver gives bounds: what is not followed to its end within its depth is worth anything from a loss to a
//! win, so that a value it gives is exact however long the game might go on. It knows nothing of search.

#![allow(
    clippy::disallowed_types,
    reason = "states have no order; the maps are asked, never gone through"
)]

use std::collections::{HashMap, HashSet};

use crate::walk::{every_game, fixtures, json, json_files, menu, walk};
use serde_json::Value;
use umpire_engine::analysis::odds::outcomes;
use umpire_engine::analysis::random::Random;
use umpire_engine::analysis::search::{InTurn, Params, Position, Proof, Ranked, pick, search};
use umpire_engine::analysis::shares;
use umpire_engine::budget::Budget;
use umpire_engine::chance::explore::Explore;
use umpire_engine::chance::seeded::Seeded;
use umpire_engine::game::{FullGame, Keep, Observer, Seat, Stop, Table, TableSetup, Visitor};
use umpire_engine::record::RawRecord;
use umpire_engine::replay::{Limits, load};

/// What the first of two seats gets, at least and at most.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Bounds(f64, f64);

const ANYTHING: Bounds = Bounds(0.0, 1.0);

impl Bounds {
    fn is_exact(self) -> bool {
        self.1 - self.0 < 1e-9
    }

    /// The same as a seat sees it.
    fn of(self, seat: Seat) -> Bounds {
        if seat == Seat(0) { self } else { Bounds(1.0 - self.1, 1.0 - self.0) }
    }
}

/// Expectimax to a depth, with bounds.
struct Solver<G: FullGame> {
    /// What is known of a state that is followed so many actions deep.
    known: HashMap<(G::State, u32), Bounds>,
    /// How many states may still be looked at.
    left: usize,
    /// How many ways to fall are followed.
    ways: usize,
}

impl<G: FullGame> Solver<G> {
    fn new(left: usize, ways: usize) -> Self {
        Solver { known: HashMap::new(), left, ways }
    }

    fn table(&mut self, table: &Table<G>, depth: u32) -> Bounds {
        if let Some(outcome) = table.outcome() {
            let worth = shares::of_outcome::<G>(table.setup(), table.state(), outcome);
            let first = shares::of(&worth, Seat(0));
            return Bounds(first, first);
        }
        let seats = table.decision().seats;
        let (Some(mover), 1, 1..) = (seats.lowest(), seats.len(), depth) else { return ANYTHING };
        let key = (table.state().clone(), depth);
        if let Some(bounds) = self.known.get(&key) {
            return *bounds;
        }
        let mut best: Option<Bounds> = None;
        let (actions, whole) = self.actions(table, mover, depth, true);
        // What is not listed may be worth anything.
        let rest = (!whole).then_some(ANYTHING);
        for bounds in actions.into_iter().map(|(_, bounds)| bounds).chain(rest) {
            let Bounds(least, most) = bounds.of(mover);
            let Bounds(had, could) = best.unwrap_or(Bounds(least, most));
            best = Some(Bounds(had.max(least), could.max(most)));
        }
        let bounds = best.unwrap_or(ANYTHING).of(mover);
        self.known.insert(key, bounds);
        bounds
    }

    /// The bounds of each action that is listed, and whether that is all that counts. `enough`: a certain win is not looked beyond.
    fn actions(
        &mut self,
        table: &Table<G>,
        mover: Seat,
        depth: u32,
        enough: bool,
    ) -> (Vec<(G::Action, Bounds)>, bool) {
        let offered = menu(table, mover);
        let whole = offered.whole && offered.ranges.is_empty();
        let mut all = Vec::new();
        for action in offered.actions {
            let bounds = self.after(table, &action, depth - 1);
            all.push((action, bounds));
            if enough && bounds.of(mover).0 > 1.0 - 1e-9 {
                return (all, true);
            }
        }
        (all, whole)
    }

    /// The mean of what can come of an action.
    fn after(&mut self, table: &Table<G>, action: &G::Action, depth: u32) -> Bounds {
        let Ok(branches) = outcomes(table, action, self.ways) else { return ANYTHING };
        let mut mean = Bounds(0.0, 0.0);
        for branch in branches {
            let weight = branch.odds.0 as f64 / branch.odds.1 as f64;
            let Some(left) = self.left.checked_sub(1) else {
                mean.1 += weight;
                continue;
            };
            self.left = left;
            let chance = &mut Seeded::new("exact", G::META.streams);
            let setup = table.setup().clone();
            let next = Table::<G>::resume(setup, branch.state, chance, Keep::Nothing);
            let Bounds(least, most) = next.map_or(ANYTHING, |next| self.table(&next, depth));
            mean = Bounds(mean.0 + weight * least, mean.1 + weight * most);
        }
        mean
    }
}

/// A position whose value is known, and a choice in it that is not all the same.
struct Solved<G: FullGame> {
    table: Table<G>,
    mover: Seat,
    /// What the position is worth to who decides.
    value: f64,
    /// What each action is worth to him.
    actions: Vec<(G::Action, Bounds)>,
}

/// How much of a solution is allowed.
#[derive(Clone, Copy)]
struct Effort {
    /// How many positions are looked for.
    positions: usize,
    /// How many games are looked through.
    games: usize,
    /// How many actions before the end of a game a position may lie.
    back: usize,
    /// How many actions deep a line is followed.
    depth: u32,
    /// How many states are looked at for a position.
    states: usize,
}

fn solved<G: FullGame>(table: &Table<G>, effort: Effort) -> Option<Solved<G>> {
    let seats = table.decision().seats;
    let (Some(mover), 1) = (seats.lowest(), seats.len()) else { return None };
    let mut solver = Solver::<G>::new(effort.states, 40);
    for depth in 1..=effort.depth {
        let bounds = solver.table(table, depth).of(mover);
        if bounds.is_exact() {
            let (actions, _) = solver.actions(table, mover, depth, false);
            let own = |(action, it): (G::Action, Bounds)| (action, it.of(mover));
            let actions: Vec<_> = actions.into_iter().map(own).collect();
            let differ = actions.iter().any(|(_, it)| it.0 < bounds.0 - 0.02);
            return differ.then(|| Solved {
                table: table.clone(),
                mover,
                value: bounds.0,
                actions,
            });
        }
        if solver.left == 0 {
            return None;
        }
    }
    None
}

/// What an action is worth at least to who takes it, and at most, looked at longer than the others.
fn looked_at<G: FullGame>(solved: &Solved<G>, action: &G::Action, effort: Effort) -> Bounds {
    let mut bounds = ANYTHING;
    let mut solver = Solver::<G>::new(8 * effort.states, 800);
    for depth in 0..effort.depth + 3 {
        bounds = solver.after(&solved.table, action, depth).of(solved.mover);
        if bounds.is_exact() || solver.left == 0 {
            break;
        }
    }
    bounds
}

/// Tables of games, each game from its end backwards: stored ones, and ones that are played sensibly or anyhow.
fn endings<G: FullGame>(effort: Effort, each: &mut dyn FnMut(&str, &[Table<G>])) {
    for file in json_files(&fixtures(G::META.id).join("games")) {
        let text = std::fs::read_to_string(&file).expect("a fixture can be read");
        let fixture: Value = serde_json::from_str(&text).expect("a fixture is JSON");
        let text = fixture["record"].to_string();
        let Ok(record) = RawRecord::read(text.as_bytes()) else { continue };
        let Ok(loaded) = load::<G>(&record, Limits::default()) else { continue };
        let (setup, mut source) = (loaded.setup, loaded.source);
        let opened = match loaded.position {
            None => Table::open(setup, &mut source, Keep::Nothing),
            Some(state) => Table::resume(setup, state, &mut source, Keep::Nothing),
        };
        let Ok(mut table) = opened else { continue };
        let mut tables = vec![table.clone()];
        for action in &loaded.actions {
            if table.play(action, &mut source).is_err() {
                break;
            }
            tables.push(table.clone());
        }
        each(&file.display().to_string(), &tables);
    }
    for number in 0..effort.games {
        let name = format!("late {number}");
        if number % 4 == 0 {
            each(&name, &walk::<G>("{}", &name, 3000).tables);
            continue;
        }
        let mut chance = Seeded::new(&name, G::META.streams);
        let Ok(setup) = G::Setup::from_options(G::Options::default(), &mut chance) else {
            continue;
        };
        let opened = Table::<G>::open(setup.into(), &mut chance, Keep::Nothing);
        let mut table = opened.unwrap_or_else(|stop| panic!("{stop:?}"));
        let mut random = Random::new(&name, 0);
        let mut tables = vec![table.clone()];
        while table.ply() < 1500
            && let Some(seat) = table.decision().seats.lowest()
            && let Some(action) = pick(&table, seat, &mut random)
        {
            table.play(&action, &mut chance).unwrap_or_else(|stop| panic!("{stop:?}"));
            tables.push(table.clone());
        }
        each(&name, &tables);
    }
}

/// How search does at positions whose value is known.
#[derive(Default, Debug)]
struct Tally {
    /// What search takes is worth as much as the best.
    same: u32,
    /// It is worth less.
    worse: u32,
    /// It may be worth as much, but too much follows from it.
    open: u32,
    /// How far the values are off, added up.
    off: f64,
}

fn compare<G: FullGame>(effort: Effort, tally: &mut Tally) {
    let mut positions = 0;
    // One game is stored twice, with a seed and at a table.
    let mut met = HashSet::new();
    endings::<G>(effort, &mut |name, tables| {
        let last = tables.len() - 1;
        let (mut back, mut found) = (1, 0);
        // Three of a game: others are nearly the same.
        while positions < effort.positions && back <= last.min(effort.back) && found < 3 {
            let table = &tables[last - back];
            back += 1;
            if !met.insert(table.state().clone()) {
                continue;
            }
            if G::Setup::players(table.setup()).len() != 2 {
                break;
            }
            let Some(solved) = solved(table, effort) else { continue };
            let position = Position::of(table, Observer::Referee);
            let params = Params::of::<G>(2_000, "exact");
            let mover = solved.mover;
            let searched = search(&position, Some(mover), params, Budget::UNLIMITED, &InTurn)
                .unwrap_or_else(|nothing| panic!("{name}: {nothing:?}"));
            let top = searched.best().expect("an action");
            let known = solved.actions.iter().find(|(action, _)| *action == top.action);
            let mut worth = known.map_or(ANYTHING, |it| it.1);
            let is_best = |worth: Bounds| worth.0 > solved.value - 0.01;
            let may_be = |worth: Bounds| worth.1 > solved.value - 0.01;
            if !is_best(worth) && may_be(worth) {
                worth = looked_at(&solved, &top.action, effort);
            }
            let off = (shares::of(&top.shares, mover) - solved.value).abs();
            for ranked in &searched.actions {
                check_proof(name, &solved, ranked, effort);
            }
            (positions, found) = (positions + 1, found + 1);
            tally.off += off;
            match (is_best(worth), may_be(worth)) {
                (true, _) => tally.same += 1,
                (false, true) => tally.open += 1,
                (false, false) => tally.worse += 1,
            }
            if !is_best(worth) || off > 0.02 {
                let (ply, chosen, value) = (table.ply(), json(&top.action), solved.value);
                println!("{name} ply {ply}: {chosen} is worth {worth:?} of {value}, off {off:.4}");
            }
        }
    });
}

/// What is called proven is so: its value is the solver's, and its line can be replayed to the end or to the first fall.
fn check_proof<G: FullGame>(
    name: &str,
    solved: &Solved<G>,
    ranked: &Ranked<G::Action>,
    effort: Effort,
) {
    let Some(proof) = &ranked.proof else { return };
    let mut worth =
        solved.actions.iter().find(|it| it.0 == ranked.action).map_or(ANYTHING, |it| it.1);
    if !worth.is_exact() {
        worth = looked_at(solved, &ranked.action, effort);
    }
    let action = json(&ranked.action);
    let fits = worth.0 - 1e-6 <= proof.value && proof.value <= worth.1 + 1e-6;
    assert!(fits, "{name}: {action} is proven to be worth {}, not {worth:?}", proof.value);
    assert_eq!(ranked.shares[solved.mover.index()], proof.value, "{name}: {action}");
    assert_eq!(proof.line.first(), Some(&ranked.action), "{name}");
    assert!(proof.line.len() as u32 <= proof.plies, "{name}: {action}");
    replay_proof(name, &solved.table, solved.mover, proof);
}

/// Replays a proven line. Whether it came to the end of the game, and not to a fall.
fn replay_proof<G: FullGame>(
    name: &str,
    table: &Table<G>,
    mover: Seat,
    proof: &Proof<G::Action>,
) -> bool {
    let mut table = table.clone();
    for (at, action) in proof.line.iter().enumerate() {
        let mut nothing_falls = Explore::default();
        match table.play(action, &mut nothing_falls) {
            Ok(()) => {}
            Err(Stop::Chance { .. }) if at + 1 == proof.line.len() => return false,
            Err(stop) => panic!("{name}: {} of a proven line: {stop:?}", json(action)),
        }
    }
    let Some(outcome) = table.outcome() else { return false };
    let worth = shares::of_outcome::<G>(table.setup(), table.state(), outcome);
    assert!((shares::of(&worth, mover) - proof.value).abs() < 1e-9, "{name}");
    true
}

/// Compares in every game, and adds up.
struct Comparison {
    effort: Effort,
    all: Tally,
}

impl Visitor for Comparison {
    fn game<G: FullGame>(&mut self) {
        let mut tally = Tally::default();
        compare::<G>(self.effort, &mut tally);
        let id = G::META.id;
        println!("{id}: {tally:?}, {:.4} off in the mean", tally.mean());
        assert!(f64::from(tally.same) >= 0.98 * f64::from(tally.same + tally.worse), "{id}");
        assert!(tally.same >= 6 && 5 * tally.open <= tally.same, "{id}: too little is settled");
        assert!(tally.mean() < 0.03, "{id}");
        self.all.same += tally.same;
        self.all.worse += tally.worse;
        self.all.open += tally.open;
        self.all.off += tally.off;
    }
}

impl Tally {
    /// How far a value is off in the mean.
    fn mean(&self) -> f64 {
        self.off / f64::from((self.same + self.worse + self.open).max(1))
    }
}

fn search_agrees(effort: Effort) {
    let mut comparison = Comparison { effort, all: Tally::default() };
    every_game(&mut comparison);
    let Comparison { all, .. } = comparison;
    println!("all: {all:?}, {:.4} off in the mean", all.mean());
    assert!(all.mean() < 0.01);
}

/// Where exact play can be computed, search finds it.
#[test]
fn search_agrees_with_exact_play() {
    search_agrees(Effort { positions: 16, games: 24, back: 6, depth: 6, states: 4_000 });
}

/// The same with up to 60 positions of each game.
#[test]
#[ignore = "takes minutes: cargo test -p umpire-engine --test engine exact -- --ignored --nocapture"]
fn search_agrees_with_exact_play_often() {
    search_agrees(Effort { positions: 60, games: 120, back: 8, depth: 7, states: 12_000 });
}

/// Whether a seat can force a win in the phase at hand of a game in which each side has phases of its own.
struct Phase<G: FullGame> {
    known: HashMap<G::State, Option<bool>>,
    /// How many states may still be looked at.
    left: usize,
    seat: Seat,
    /// The state of the decision in that phase.
    state: &'static str,
}

impl<G: FullGame> Phase<G> {
    /// The phase at hand of a table, if it is one seat's.
    fn of(table: &Table<G>) -> Option<Self> {
        let decision = table.decision();
        let seat = decision.seats.lowest().filter(|_| decision.state.ends_with("_phase"))?;
        Some(Phase { known: HashMap::new(), left: 20_000, seat, state: decision.state })
    }

    /// Whether the seat wins for certain from a table; `None` where too much would have to be looked at.
    fn wins(&mut self, table: &Table<G>, depth: u32) -> Option<bool> {
        if let Some(outcome) = table.outcome() {
            return Some(outcome.winner == Some(self.seat));
        }
        let decision = table.decision();
        let ends = decision.state.ends_with("_phase") && decision.state != self.state;
        let (Some(mover), 1, false) = (decision.seats.lowest(), decision.seats.len(), ends) else {
            return Some(false);
        };
        if decision.state == "choose_cards" {
            return Some(false);
        }
        if let Some(&known) = self.known.get(table.state()) {
            return known;
        }
        self.left = self.left.checked_sub(1)?;
        let own = mover == self.seat;
        let mut won = Some(!own);
        for action in menu(table, mover).actions {
            match self.after(table, &action, depth.checked_sub(1)?) {
                Some(it) if it == own => {
                    won = Some(own);
                    break;
                }
                Some(_) => {}
                None => won = None,
            }
        }
        self.known.insert(table.state().clone(), won);
        won
    }

    /// The same after an action, whatever falls.
    fn after(&mut self, table: &Table<G>, action: &G::Action, depth: u32) -> Option<bool> {
        let mut all = Some(true);
        for branch in outcomes(table, action, 40).ok()? {
            let chance = &mut Seeded::new("exact", G::META.streams);
            let setup = table.setup().clone();
            let next = Table::<G>::resume(setup, branch.state, chance, Keep::Nothing).ok()?;
            match self.wins(&next, depth) {
                Some(true) => {}
                Some(false) => return Some(false),
                None => all = None,
            }
        }
        all
    }
}

/// Puzzles: is the win in the phase at hand still forced after what search takes?
struct Puzzles {
    wanted: u32,
    games: usize,
    found: u32,
}

/// How search did at puzzles, with open cards and from what the seat knows.
#[derive(Default, Debug)]
struct Kept {
    kept: [u32; 2],
    lost: [u32; 2],
    proven: [u32; 2],
    /// Proven lines that were replayed to the end of the game.
    ended: u32,
}

impl Visitor for Puzzles {
    fn game<G: FullGame>(&mut self) {
        let effort = Effort { positions: 0, games: self.games, back: 13, depth: 12, states: 0 };
        let (mut tally, mut met) = (Kept::default(), HashSet::new());
        endings::<G>(effort, &mut |name, tables| {
            let last = tables.len() - 1;
            let mut found = 0;
            for table in (1..=effort.back.min(last)).map(|back| &tables[last - back]) {
                let Some(mut phase) = Phase::of(table) else { continue };
                let full = tally.kept[0] + tally.lost[0] >= self.wanted || found == 3;
                if full || !met.insert(table.state().clone()) {
                    continue;
                }
                let seat = phase.seat;
                let mut keeps = |action: &G::Action| phase.after(table, action, effort.depth);
                let actions = menu(table, seat).actions;
                let kept = actions.iter().filter(|&it| keeps(it) == Some(true)).count();
                if kept == 0 || kept == actions.len() {
                    continue;
                }
                found += 1;
                for (kind, observer) in
                    [Observer::Referee, Observer::Seat(seat)].into_iter().enumerate()
                {
                    let position = Position::of(table, observer);
                    let params = Params::of::<G>(2_000, "exact");
                    let found = search(&position, Some(seat), params, Budget::UNLIMITED, &InTurn)
                        .unwrap_or_else(|nothing| panic!("{name}: {nothing:?}"));
                    let top = found.best().expect("an action");
                    match keeps(&top.action) {
                        Some(true) => tally.kept[kind] += 1,
                        _ => {
                            tally.lost[kind] += 1;
                            println!("{name} ply {}: {}", table.ply(), json(&top.action));
                        }
                    }
                    if let Some(proof) = &top.proof {
                        tally.proven[kind] += 1;
                        tally.ended += u32::from(replay_proof(name, table, seat, proof));
                    }
                }
            }
        });
        println!("{}: {tally:?}", G::META.id);
        self.found += tally.kept[0] + tally.lost[0];
        for kind in [0, 1] {
            let all = tally.kept[kind] + tally.lost[kind];
            assert!(f64::from(tally.kept[kind]) >= 0.95 * f64::from(all), "{tally:?}");
        }
        assert!(10 * tally.proven[0] >= 9 * (tally.kept[0] + tally.lost[0]), "{tally:?}");
        assert!(2 * tally.ended >= tally.proven[0], "{tally:?}");
    }
}

/// Of two wins search takes the one that comes at once.
#[test]
fn a_win_in_the_phase_at_hand_is_kept() {
    let mut puzzles = Puzzles { wanted: 24, games: 24, found: 0 };
    every_game(&mut puzzles);
    assert!(puzzles.found >= 24, "too few puzzles");
}

/// The same with 200 puzzles.
#[test]
#[ignore = "takes minutes: cargo test -p umpire-engine --test engine exact -- --ignored --nocapture"]
fn a_win_in_the_phase_at_hand_is_kept_often() {
    every_game(&mut Puzzles { wanted: 200, games: 400, found: 0 });
}
