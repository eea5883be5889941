//! How long a repair takes: the longest of some random games of every registered game, cut at 1,500
//! actions, with one thing wrong and with two.
//!
//! `cargo bench -p umpire-engine --bench repair` prints the middle and the longest of some damages.
//! Nothing is asserted.

#![allow(clippy::disallowed_types, reason = "a benchmark needs a clock")]

use std::sync::Arc;
use std::time::Instant;

use serde_json::{Value, json};
use umpire_engine::analysis::random::Random;
use umpire_engine::analysis::search::pick;
use umpire_engine::any_game::{AnyGame, Of};
use umpire_engine::chance::seeded::Seeded;
use umpire_engine::dispute::repair::RepairBounds;
use umpire_engine::game::{FullGame, Keep, Table, TableSetup, Visitor};
use umpire_engine::games;
use umpire_engine::record::RawRecord;
use umpire_engine::replay::{Include, Limits, Query};

/// So long is a long game.
const LENGTH: usize = 1500;

/// So many games are played to find one.
const GAMES: usize = 60;

/// A game between players who do what a sensible one does at first sight, as a record.
fn played<G: FullGame>(setup: &Arc<G::Setup>, seed: &str) -> Vec<Value> {
    let mut chance = Seeded::new(seed, G::META.streams);
    let mut random = Random::new("repair", 0);
    let mut actions = Vec::new();
    let Ok(mut table) = Table::<G>::open(setup.clone(), &mut chance, Keep::Nothing) else {
        return actions;
    };
    while actions.len() < LENGTH
        && let Some(seat) = table.decision().seats.lowest()
        && let Some(action) = pick(&table, seat, &mut random)
    {
        if table.play(&action, &mut chance).is_ok() {
            actions.push(json!(action));
        }
    }
    actions
}

/// The same record with the tape of what was drawn in the place of its seed.
fn taped<G: FullGame>(record: &Value) -> Value {
    let text = record.to_string();
    let raw = RawRecord::read(text.as_bytes()).expect("a record");
    let include = Include { tape: true, ..Include::default() };
    let query = Query { include, ..Query::default() };
    let report = Of::<G>::new().replay(&raw, &query).expect("a report");
    let tape: Vec<Value> = report.tape.iter().flatten().map(|line| json!(line.entry)).collect();
    let mut taped = record.clone();
    taped["chance"] = json!({"tape": tape, "seed": record["chance"]["seed"]});
    taped
}

/// A thing that goes wrong where somebody writes down an action.
#[derive(Clone, Copy, Debug)]
enum Way {
    LeftOut,
    Twice,
    Swapped,
}

fn damage(record: &mut Value, at: usize, way: Way) {
    let Some(actions) = record["actions"].as_array_mut() else { return };
    match way {
        Way::LeftOut => drop(actions.remove(at)),
        Way::Twice => actions.insert(at, actions[at].clone()),
        Way::Swapped => actions.swap(at, at + 1),
    }
}

/// Milliseconds that the repair of each record took, in order, and how many came out whole.
fn mend<G: FullGame>(records: &[Value]) -> (Vec<f64>, usize) {
    let (mut times, mut whole) = (Vec::new(), 0);
    for record in records {
        let text = record.to_string();
        let raw = RawRecord::read(text.as_bytes()).expect("a record");
        let judged = Of::<G>::new().judge(&raw, Limits::default()).expect("a verdict");
        if judged.verdict.violation.is_none() {
            continue;
        }
        let start = Instant::now();
        let found = Of::<G>::new().repair(&raw, RepairBounds::default(), Limits::default());
        times.push(start.elapsed().as_secs_f64() * 1e3);
        let found = found.expect("repairs");
        whole += usize::from(found.repairs.first().is_some_and(|repair| repair.complete));
    }
    times.sort_by(f64::total_cmp);
    (times, whole)
}

struct All;

impl Visitor for All {
    fn game<G: FullGame>(&mut self) {
        let mut seeded = Seeded::new("bench", G::META.streams);
        let Ok(setup) = G::Setup::from_options(G::Options::default(), &mut seeded) else { return };
        let setup = Arc::new(setup);
        let mut longest = (String::new(), Vec::new());
        for number in 0..GAMES {
            let seed = format!("repair {number}");
            let actions = played::<G>(&setup, &seed);
            if actions.len() > longest.1.len() {
                longest = (seed, actions);
            }
            if longest.1.len() >= LENGTH {
                break;
            }
        }
        let (seed, actions) = longest;
        println!("{}, {} actions", G::META.id, actions.len());
        let whole = json!({
            "format": "umpire/1", "game": G::META.id, "chance": {"seed": seed}, "actions": actions,
        });
        for (chance, whole) in [("seed", whole.clone()), ("tape", taped::<G>(&whole))] {
            let last = actions.len() - 3;
            let places = [last / 8, last / 3, last / 2, last * 3 / 4, last];
            let ways = [Way::LeftOut, Way::Twice, Way::Swapped];
            let mut one = Vec::new();
            let mut two = Vec::new();
            for (number, &at) in places.iter().enumerate() {
                for (turn, &way) in ways.iter().enumerate() {
                    let mut wrong = whole.clone();
                    damage(&mut wrong, at, way);
                    one.push(wrong.clone());
                    let before = at * (turn + 2) / 6;
                    damage(&mut wrong, before, ways[(turn + number) % 3]);
                    two.push(wrong);
                }
            }
            for (what, wrong) in [("one fault", one), ("two faults", two)] {
                let (times, whole) = mend::<G>(&wrong);
                let (Some(middle), Some(most)) = (times.get(times.len() / 2), times.last()) else {
                    continue;
                };
                let count = times.len();
                println!(
                    "  {chance}, {what:<10} middle {middle:>7.0} ms, longest {most:>7.0} ms; {whole} of {count} mended to the end"
                );
            }
        }
    }
}

fn main() {
    games::visit(&mut All);
}
