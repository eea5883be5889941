//! Speed of the engine, for every registered game, with something beside it to compare with.
//!
//! `cargo bench -p umpire-engine` (or a part of it: `-- games`, `-- search drako`, `-- games drako@1`) prints, per game, medians over interleaved rounds and the ratio
//! to the yardstick of the same run, because machines differ and are noisy. Nothing is asserted.

#![allow(clippy::disallowed_types, reason = "a benchmark needs a clock")]

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use umpire_engine::analysis::random::Random;
use umpire_engine::analysis::search::{InTurn, Params, Position, pick, playout as play_on, search};
use umpire_engine::any_game::{AnyGame, Of};
use umpire_engine::budget::Budget;
use umpire_engine::chance::seeded::{Seeded, Stream, key};
use umpire_engine::chance::{Ask, Chance, What};
use umpire_engine::dispute::readings::Dispute;
use umpire_engine::game::{FullGame, Keep, Observer, Seat, Table, TableSetup, Visitor};
use umpire_engine::games;
use umpire_engine::record::RawRecord;
use umpire_engine::replay::{Limits, load};
use umpire_engine::scene::{svg, text};

const ROUNDS: usize = 15;

/// The median of some timings, in nanoseconds per piece.
fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Times several pieces of work in turn, round after round, and returns the medians.
fn race<const N: usize>(mut works: [(&mut dyn FnMut(), usize); N]) -> [f64; N] {
    let mut times: [Vec<f64>; N] = std::array::from_fn(|_| Vec::new());
    for round in 0..=ROUNDS {
        for (at, (work, pieces)) in works.iter_mut().enumerate() {
            let start = Instant::now();
            work();
            let spent = start.elapsed().as_nanos() as f64 / *pieces as f64;
            if round > 0 {
                times[at].push(spent);
            }
        }
    }
    times.map(median)
}

fn line(what: &str, nanos: f64, note: &str) {
    println!("  {what:<44} {nanos:>10.1} ns   {note}");
}

struct Game1<G: FullGame> {
    seed: String,
    actions: Vec<G::Action>,
}

/// The bound of a game: some have none of their own.
const MOST: usize = 1000;

/// A game between players who do what a sensible one does at first sight.
fn playout<G: FullGame>(setup: &Arc<G::Setup>, seed: &str, random: &mut Random) -> Vec<G::Action> {
    let mut chance = Seeded::new(seed, G::META.streams);
    let mut actions = Vec::new();
    let Ok(mut table) = Table::<G>::open(setup.clone(), &mut chance, Keep::Nothing) else {
        return actions;
    };
    while actions.len() < MOST
        && let Some(seat) = table.decision().seats.lowest()
        && let Some(action) = pick(&table, seat, random)
    {
        if table.play(&action, &mut chance).is_ok() {
            actions.push(action);
        }
    }
    actions
}

/// An empty record of a ruleset.
fn opening<G: FullGame>(ruleset: &str) -> String {
    serde_json::json!({
        "format": "umpire/1", "game": G::META.id, "ruleset": ruleset, "chance": { "seed": "bench" }, "actions": [],
    })
    .to_string()
}

fn bench_game<G: FullGame>(ruleset: &str) {
    println!("{ruleset}");
    let text = opening::<G>(ruleset);
    let Ok(record) = RawRecord::read(text.as_bytes()) else { return };
    let Ok(loaded) = load::<G>(&record, Limits::default()) else { return };
    let setup = loaded.setup;
    let mut random = Random::new("bench", 0);
    let all: Vec<Game1<G>> = (0..60)
        .map(|number| {
            let seed = format!("bench-{number}");
            let actions = playout::<G>(&setup, &seed, &mut random);
            Game1 { seed, actions }
        })
        .collect();
    let plies: usize = all.iter().map(|game| game.actions.len()).sum();
    println!("  {} games, {plies} actions", all.len());

    let replay = |keep: Keep| {
        for game in &all {
            let mut chance = Seeded::new(&game.seed, G::META.streams);
            let Ok(mut table) = Table::<G>::open(setup.clone(), &mut chance, keep) else { return };
            for action in &game.actions {
                let _ = black_box(table.play(action, &mut chance));
            }
            black_box(table.state());
        }
    };
    let mut again = Random::new("bench", 1);
    let mut played = 0usize;
    let mut chance = Seeded::new("copy", G::META.streams);
    let Ok(table) = Table::<G>::open(setup.clone(), &mut chance, Keep::Nothing) else { return };
    let state = table.state().clone();
    const COPIES: usize = 100_000;
    let [checked, logged, playouts, copy] = race([
        (&mut || replay(Keep::Nothing), plies),
        (&mut || replay(Keep::Log), plies),
        (
            &mut || {
                for number in 0..60 {
                    played = played
                        .max(playout::<G>(&setup, &format!("playout-{number}"), &mut again).len());
                }
            },
            plies,
        ),
        (
            &mut || {
                for _ in 0..COPIES {
                    black_box(black_box(&state).clone());
                }
            },
            COPIES,
        ),
    ]);
    line("action, validated only", checked, "");
    line(
        "action, with events and citations",
        logged,
        &format!("{:.2} x validated", logged / checked),
    );
    let rate = 1000.0 / playouts;
    line("action of a playout at first sight", playouts, &format!("about {rate:.2} million/s"));
    line("copy of a state", copy, &format!("{} bytes", size_of::<G::State>()));
    bench_beginnings(&table);
    bench_record::<G>(&setup, &all, ruleset);
}

/// What a record costs before its first action, and what a search before it looks: a new table, with the options of
/// the record worked out, and a state from what the first seat knows.
fn bench_beginnings<G: FullGame>(table: &Table<G>) {
    const TABLES: usize = 100;
    let mut random = Random::new("worlds", 0);
    let view = table.view(Observer::Seat(Seat(0)));
    let mut number = 0;
    let [new, world] = race([
        (
            &mut || {
                for _ in 0..TABLES {
                    number += 1;
                    let mut chance = Seeded::new(&format!("new-{number}"), G::META.streams);
                    let Ok(setup) = G::Setup::from_options(G::Options::default(), &mut chance)
                    else {
                        return;
                    };
                    let table = Table::<G>::open(Arc::new(setup), &mut chance, Keep::Nothing);
                    let _ = black_box(table);
                }
            },
            TABLES,
        ),
        (
            &mut || {
                for _ in 0..TABLES {
                    let _ = black_box(G::determinize(table.setup(), &view, &mut random));
                }
            },
            TABLES,
        ),
    ]);
    line("new table from a seed", new, "");
    line("state from a view", world, "");
}

/// A long record as text: parse, replay, verdict and fingerprint, beside `serde_json::Value`.
fn bench_record<G: FullGame>(setup: &Arc<G::Setup>, all: &[Game1<G>], ruleset: &str) {
    let aim = 200;
    let near = |game: &&Game1<G>| game.actions.len().abs_diff(aim);
    let Some(game) = all.iter().min_by_key(near) else { return };
    let mut chance = Seeded::new(&game.seed, G::META.streams);
    let Ok(mut table) = Table::<G>::open(setup.clone(), &mut chance, Keep::Log) else { return };
    for action in game.actions.iter().take(aim) {
        let _ = table.play(action, &mut chance);
    }
    let played = &game.actions[..game.actions.len().min(aim)];
    let tape: Vec<_> =
        table.log().map(|log| log.tape.iter().map(|it| &it.entry).collect()).unwrap_or_default();
    for (kind, chance) in [
        ("seed", serde_json::json!({ "seed": game.seed })),
        ("tape", serde_json::json!({ "tape": tape })),
    ] {
        let text = serde_json::to_string(&serde_json::json!({
            "format": "umpire/1", "game": G::META.id, "ruleset": ruleset,
            "chance": chance, "actions": played,
        }))
        .unwrap_or_default();
        let any: &dyn AnyGame = &Of::<G>::new();
        let [judged, value] = race([
            (
                &mut || {
                    for _ in 0..20 {
                        if let Ok(record) = RawRecord::read(black_box(text.as_bytes())) {
                            let _ = black_box(any.judge(&record, Limits::default()));
                        }
                    }
                },
                20,
            ),
            (
                &mut || {
                    for _ in 0..20 {
                        let _ =
                            black_box(serde_json::from_str::<serde_json::Value>(black_box(&text)));
                    }
                },
                20,
            ),
        ]);
        if let Ok(record) = RawRecord::read(text.as_bytes())
            && let Ok(settled) = any.adjudicate(&record, &Dispute::default(), Limits::default())
        {
            let readings = settled.readings.len() + settled.same.len() + settled.impossible.len();
            let [every] = race([(
                &mut || {
                    let _ =
                        black_box(any.adjudicate(&record, &Dispute::default(), Limits::default()));
                },
                1,
            )]);
            let what = format!("{readings} other readings of it ({kind})");
            line(&what, every, &format!("{:.1} x the verdict", every / judged));
        }
        let note = format!("{} actions, {} bytes", played.len(), text.len());
        line(&format!("record by {kind}: judge"), judged, &note);
        let ratio = judged / value;
        line(
            &format!("record by {kind}: serde_json::Value"),
            value,
            &format!("judge = {ratio:.2} x"),
        );
    }
    let view = table.view(Observer::Referee);
    let [fingerprint, plain] = race([
        (
            &mut || {
                for _ in 0..100 {
                    black_box(umpire_engine::digest::fingerprint(black_box(&view)));
                }
            },
            100,
        ),
        (
            &mut || {
                for _ in 0..100 {
                    let _ = black_box(serde_json::to_vec(black_box(&view)));
                }
            },
            100,
        ),
    ]);
    let size = serde_json::to_vec(&view).map_or(0, |text| text.len());
    let ratio = fingerprint / plain;
    line(
        "fingerprint of a view",
        fingerprint,
        &format!("{size} bytes, {ratio:.2} x serde_json::to_vec"),
    );
}

/// A crowded position, where the game's fixtures have one: copying its state and applying an
/// action to the copy, beside copying as many plain bytes.
fn bench_crowd<G: FullGame>() {
    #[derive(serde::Deserialize)]
    struct Crowd<'a> {
        bytes: usize,
        #[serde(borrow)]
        record: &'a serde_json::value::RawValue,
    }
    let root = env!("CARGO_MANIFEST_DIR");
    let path = format!("{root}/../fixtures/{}/crowd.json", G::META.id);
    let Ok(text) = std::fs::read_to_string(path) else { return };
    let Ok(crowd) = serde_json::from_str::<Crowd<'_>>(&text) else { return };
    let Ok(record) = RawRecord::read(crowd.record.get().as_bytes()) else { return };
    let Ok(mut loaded) = load::<G>(&record, Limits::default()) else { return };
    let Some(state) = loaded.position.take() else { return };
    let source = &mut loaded.source;
    let Ok(table) = Table::<G>::resume(loaded.setup, state, source, Keep::Nothing) else { return };
    let Some(action) = loaded.actions.first() else { return };
    const COPIES: usize = 10_000;
    let from = vec![1u8; crowd.bytes];
    let mut to = vec![0u8; crowd.bytes];
    let mut refused = 0;
    let [bytes, copy, applied] = race([
        (
            &mut || {
                for _ in 0..COPIES {
                    black_box(&mut to).copy_from_slice(black_box(&from));
                }
            },
            COPIES,
        ),
        (
            &mut || {
                for _ in 0..COPIES {
                    black_box(black_box(table.state()).clone());
                }
            },
            COPIES,
        ),
        (
            &mut || {
                for _ in 0..COPIES {
                    let mut table = black_box(&table).clone();
                    refused += usize::from(table.play(action, source).is_err());
                    black_box(table.state());
                }
            },
            COPIES,
        ),
    ]);
    assert_eq!(refused, 0, "the action of the crowd is refused");
    line("crowd: copy of as many bytes", bytes, &format!("{} bytes", crowd.bytes));
    line("crowd: copy of the state", copy, &format!("{:.1} x the bytes", copy / bytes));
    let ratio = applied / bytes;
    line("crowd: copy of the table, and an action", applied, &format!("{ratio:.1} x the bytes"));
}

/// The picture of a crowded or of a late position: its shapes, its SVG, and its lines of text.
fn bench_scene<G: FullGame>() {
    let root = env!("CARGO_MANIFEST_DIR");
    let path = format!("{root}/../fixtures/{}/crowd.json", G::META.id);
    let crowd = std::fs::read_to_string(path).unwrap_or_default();
    let crowd: serde_json::Value = serde_json::from_str(&crowd).unwrap_or_default();
    let text = crowd["record"].to_string();
    let record = RawRecord::read(text.as_bytes());
    let table = match record.as_ref().map(|it| load::<G>(it, Limits::default())) {
        Ok(Ok(mut loaded)) if loaded.position.is_some() => {
            let Some(state) = loaded.position.take() else { return };
            Table::<G>::resume(loaded.setup, state, &mut loaded.source, Keep::Nothing).ok()
        }
        _ => {
            let mut chance = Seeded::new("scene", G::META.streams);
            let setup =
                G::Setup::from_options(G::Options::default(), &mut chance).ok().map(Arc::new);
            let mut random = Random::new("scene", 0);
            let actions = setup.as_ref().map(|it| playout::<G>(it, "scene", &mut random));
            let (Some(setup), Some(actions)) = (setup, actions) else { return };
            let mut chance = Seeded::new("scene", G::META.streams);
            let table = Table::<G>::open(setup, &mut chance, Keep::Nothing);
            table.ok().map(|mut table| {
                for action in actions.iter().take(actions.len() / 2) {
                    let _ = table.play(action, &mut chance);
                }
                table
            })
        }
    };
    let Some(table) = table else { return };
    let view = table.view(Observer::Referee);
    let scene = G::draw(table.setup(), &view, &[]);
    let picture = svg::write(&scene, svg::Options::default());
    let [drawn, written, in_characters] = race([
        (&mut || drop(black_box(G::draw(table.setup(), black_box(&view), &[]))), 1),
        (&mut || drop(black_box(svg::write(black_box(&scene), svg::Options::default()))), 1),
        (&mut || drop(black_box(text::write(black_box(&scene), false))), 1),
    ]);
    line("picture: its shapes", drawn, &format!("{} shapes", scene.shapes.len()));
    line("picture: as SVG", written, &format!("{} bytes", picture.len()));
    line("picture: in characters", in_characters, "");
}

/// A seeded card draw beside the ChaCha word that it needs.
fn bench_draw() {
    println!("chance");
    const DRAWS: usize = 100_000;
    let names: Vec<String> = (0..12).map(|kind| format!("kind{kind}")).collect();
    let counts = [5, 5, 4, 4, 2, 2, 3, 3, 2, 3, 3, 2];
    let mut seeded = Seeded::new("bench", &["bench.deck"]);
    let mut words = Stream::new(key("bench"), "bench.deck");
    let [draw, word] = race([
        (
            &mut || {
                for _ in 0..DRAWS {
                    let what =
                        What::Card { side: "bench", names: &names, counts: black_box(&counts) };
                    let _ = black_box(seeded.answer(&Ask { stream: 0, what }));
                }
            },
            DRAWS,
        ),
        (
            &mut || {
                for _ in 0..DRAWS {
                    black_box(words.word());
                }
            },
            DRAWS,
        ),
    ]);
    line("ChaCha20 word", word, "");
    let more = draw - word;
    line("seeded card draw", draw, &format!("{more:.1} ns beside the word"));
}

/// Simulations of a search from positions along a game, and beside them bare playouts from the same positions: the table
/// copied, and played on as far as the search plays on; no world is drawn and no tree kept.
fn bench_search<G: FullGame>() {
    const SIMULATIONS: u32 = 1000;
    const POSITIONS: usize = 8;
    let mut chance = Seeded::new("search", G::META.streams);
    let Ok(setup) = G::Setup::from_options(G::Options::default(), &mut chance) else { return };
    let mut random = Random::new("search", 0);
    let Ok(mut table) = Table::<G>::open(Arc::new(setup), &mut chance, Keep::Nothing) else {
        return;
    };
    let mut positions = Vec::new();
    while positions.len() < POSITIONS
        && let Some(seat) = table.decision().seats.lowest()
        && let Some(action) = pick(&table, seat, &mut random)
    {
        if table.ply() % 8 == 7 {
            positions.push((table.bare(), seat));
        }
        if table.play(&action, &mut chance).is_err() {
            break;
        }
    }
    let pieces = positions.len() * SIMULATIONS as usize;
    let mut again = Random::new("search", 1);
    let [searched, bare] = race([
        (
            &mut || {
                for (table, seat) in &positions {
                    let position = Position::of(table, Observer::Seat(*seat));
                    let params = Params::of::<G>(SIMULATIONS, "bench");
                    let found = search(&position, Some(*seat), params, Budget::UNLIMITED, &InTurn);
                    let _ = black_box(found.is_ok());
                }
            },
            pieces,
        ),
        (
            &mut || {
                for (table, _) in &positions {
                    for _ in 0..SIMULATIONS {
                        black_box(play_on(&mut table.bare(), &mut again, G::HORIZON));
                    }
                }
            },
            pieces,
        ),
    ]);
    println!("{}, {} positions", G::META.id, positions.len());
    line("simulation of a search", searched, &format!("{:.0} a second", 1e9 / searched));
    let ratio = bare / searched;
    line("bare playout, as far", bare, &format!("{ratio:.2} x as many simulations a second"));
}

/// OpenSpiel's search and playouts, by the script beside this file.
fn bench_openspiel() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/openspiel.py");
    match std::process::Command::new("python3").arg(script).output() {
        Ok(run) if run.status.success() => print!("{}", String::from_utf8_lossy(&run.stdout)),
        Ok(run) => {
            let said = String::from_utf8_lossy(&run.stderr);
            let why = said.lines().last().unwrap_or("it was stopped");
            println!("OpenSpiel could not be had ({why}): pip install open_spiel");
        }
        Err(why) => println!("OpenSpiel could not be had (python3: {why})"),
    }
}

/// The parts of the bench and the games that are asked for by name; all where none is.
struct All {
    games: bool,
    search: bool,
    named: Vec<String>,
}

impl Visitor for All {
    fn game<G: FullGame>(&mut self) {
        let of_game = |it: &&String| it.split('@').next() == Some(G::META.id);
        let named = self.named.iter().find(of_game);
        if !self.named.is_empty() && named.is_none() {
            return;
        }
        if self.games {
            let version = named.filter(|it| it.contains('@')).cloned();
            bench_game::<G>(&version.unwrap_or_else(|| G::META.ruleset().to_string()));
            bench_crowd::<G>();
            bench_scene::<G>();
        }
        if self.search {
            bench_search::<G>();
        }
    }
}

fn main() {
    let asked: Vec<String> = std::env::args().skip(1).filter(|it| !it.starts_with('-')).collect();
    let (parts, named): (Vec<String>, Vec<String>) =
        asked.into_iter().partition(|it| ["games", "search"].contains(&it.as_str()));
    let wants = |name: &str| parts.is_empty() || parts.iter().any(|it| it == name);
    let mut all = All { games: wants("games"), search: wants("search"), named };
    if all.games {
        bench_draw();
    }
    games::visit(&mut all);
    if all.search {
        bench_openspiel();
    }
}
