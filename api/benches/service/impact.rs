//! What a reading changes in 10,000 recorded games of up to 200 actions: in a file, in a store, and
//! as a job of the service.
//!
//! The records are random games of all registered games in equal parts, each by a seed of its own;
//! the reading names a ruling of each game that changes some of them, so that every record is
//! replayed twice. Beside it, `umpire validate` over the same file.
//! `cargo bench -p umpire-api -- impact`.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::value::RawValue;
use serde_json::{Value, json};
use tempfile::TempDir;
use umpire_api::documents::archive;
use umpire_api::jobs::change::{self, Found};
use umpire_api::store::Store;
use umpire_api::store::sqlite::SqliteStore;
use umpire_engine::any_game::AnyGame;
use umpire_engine::chance::seeded::{Seeded, Stream, key};
use umpire_engine::dispute::readings::ReadingChoice;
use umpire_engine::game::Visitor;
use umpire_engine::game::{ActionRange, FullGame, Keep, Listing, Pick, Table, TableSetup};
use umpire_engine::games::{self, GAMES};
use umpire_engine::record::Fault;
use umpire_engine::replay::Limits;
use umpire_referee::reading;

use crate::client::Server;

const RECORDS: usize = 10_000;
const ACTIONS: usize = 200;
const TRIES: usize = 20;

/// Measures this part.
pub(crate) fn measure() {
    let folder = TempDir::new().expect("a temporary folder can be made");
    let mut playouts = Playouts { each: RECORDS.div_ceil(GAMES.len()), all: Vec::new() };
    games::visit(&mut playouts);
    let records = mixed(playouts.all);
    let bytes: usize = records.iter().map(|record| record.get().len()).sum();
    println!("{} records, {} bytes each", records.len(), bytes / records.len());
    let rulings = rulings(&records);
    println!("the reading: {rulings:?}");
    let file = folder.path().join("many.ndjson");
    let text: String = records.iter().map(|record| format!("{record}\n")).collect();
    std::fs::write(&file, text).expect("a file can be written");
    let store = folder.path().join("many.sqlite");
    keep(&store, &records);
    let file = file.display().to_string();
    let place = store.display().to_string();
    let mut named = String::new();
    for (id, value) in &rulings {
        let join = if named.is_empty() { "" } else { "," };
        let _ = write!(named, "{join}{id}={value}");
    }
    command(&["validate", &file]);
    command(&["impact", "--rulings", &named, &file]);
    command(&["impact", "--rulings", &named, "--store", &place]);
    command(&["impact", "--store", &place]);
    job(&store, &rulings);
}

/// Random games of every registered game.
struct Playouts {
    each: usize,
    all: Vec<Vec<Box<RawValue>>>,
}

impl Visitor for Playouts {
    fn game<G: FullGame>(&mut self) {
        let game = games::find(G::META.id).expect("a registered game");
        let mut words = Stream::new(key("bench"), "choices");
        let mut plies = 0;
        let records = (0..self.each).filter_map(|number| {
            let seed = format!("impact {number}");
            let actions = playout::<G>(&seed, &mut words)?;
            plies += actions.len();
            Some(reading::compose(game, &seed, None, &actions))
        });
        let records: Vec<Box<RawValue>> = records.collect();
        let mean = plies / records.len().max(1);
        println!("{}: {} random games of {mean} actions", G::META.id, records.len());
        self.all.push(records);
    }
}

fn playout<G: FullGame>(seed: &str, words: &mut Stream) -> Option<Vec<Box<RawValue>>> {
    let mut chance = Seeded::new(seed, G::META.streams);
    let setup = G::Setup::from_options(G::Options::default(), &mut chance).ok()?;
    let mut table = Table::<G>::open(setup.into(), &mut chance, Keep::Nothing).ok()?;
    let mut actions = Vec::new();
    while actions.len() < ACTIONS
        && let Some((after, action, drawn)) = step(&table, &chance, words)
    {
        (table, chance) = (after, drawn);
        actions.push(serde_json::value::to_raw_value(&action).ok()?);
    }
    Some(actions)
}

/// A random action that does not end the game, if there is one among a few: most players neither
/// resign nor agree to stop at once.
fn step<G: FullGame>(
    table: &Table<G>,
    chance: &Seeded,
    words: &mut Stream,
) -> Option<(Table<G>, G::Action, Seeded)> {
    let mut found = None;
    for _ in 0..TRIES {
        let Some(action) = random_action(table, words) else { continue };
        let (mut after, mut drawn) = (table.clone(), chance.clone());
        if after.play(&action, &mut drawn).is_ok() {
            let over = after.outcome().is_some();
            found = Some((after, action, drawn));
            if !over {
                break;
            }
        }
    }
    found
}

/// A random legal action; ranges are sampled now and then.
fn random_action<G: FullGame>(table: &Table<G>, words: &mut Stream) -> Option<G::Action> {
    let seats = table.decision().seats;
    let several = u32::try_from(seats.iter().count()).ok()?;
    let seat = seats.iter().nth(words.uniform(several.max(1)) as usize)?;
    let mut pick = Pick::new(u64::from(words.word()) << 32 | u64::from(words.word()));
    let _ = table.legal(seat, &mut pick);
    if pick.ranges == 0 || (pick.found.is_some() && words.uniform(4) > 0) {
        return pick.found;
    }
    let mut listing = Listing::<G> { actions: Vec::new(), ranges: Vec::new(), most: 1 };
    let _ = table.legal(seat, &mut listing);
    let count = u32::try_from(listing.ranges.len()).ok()?;
    let range = listing.ranges.get(words.uniform(count.max(1)) as usize)?;
    let mut chance = Seeded::new(&words.word().to_string(), G::META.streams);
    G::Range::sample(range, table.setup(), table.state(), &mut chance).ok()
}

/// The records of all games in turn.
fn mixed(all: Vec<Vec<Box<RawValue>>>) -> Vec<Box<RawValue>> {
    let mut lists: Vec<_> = all.into_iter().map(Vec::into_iter).collect();
    let turns = (0..RECORDS * 2).filter_map(|at| {
        let count = lists.len();
        lists[at % count].next()
    });
    turns.take(RECORDS).collect()
}

/// For each game, the first other reading that changes one of its first records.
fn rulings(records: &[Box<RawValue>]) -> BTreeMap<String, String> {
    let mut all = BTreeMap::new();
    for game in GAMES.iter() {
        let values = game.rulings().iter().flat_map(|def| {
            def.values.iter().skip(1).map(|value| (def.id.to_owned(), (*value).to_owned()))
        });
        all.extend(values.into_iter().find(|pair| changes(*game, pair, records)));
    }
    all
}

fn changes(game: &dyn AnyGame, pair: &(String, String), records: &[Box<RawValue>]) -> bool {
    let reading =
        ReadingChoice { rulings: BTreeMap::from([pair.clone()]), ..ReadingChoice::default() };
    let prefix = game.meta().prefix;
    pair.0.starts_with(prefix)
        && records.iter().take(60).any(|record| {
            let text = record.get().as_bytes();
            let found = change::of(text, None, Some(&reading), Limits::default());
            matches!(found, Ok(Found::Changed(_)))
        })
}

fn keep(path: &Path, records: &[Box<RawValue>]) {
    let store = SqliteStore::open(path).expect("a store can be made");
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime can be made");
    for some in records.chunks(500) {
        let prepared = some.iter().map(|record| {
            archive::prepare::<Fault>(record.get().as_bytes(), Limits::default(), |_| Ok(()))
                .expect("a record can be read")
                .record
        });
        let pending = store.insert(prepared.collect());
        runtime.block_on(pending).expect("records can be stored");
    }
}

fn command(args: &[&str]) {
    let begun = Instant::now();
    let output = Command::new(env!("CARGO_BIN_EXE_umpire"))
        .args(args)
        .output()
        .expect("the command can be run");
    let took = begun.elapsed();
    let text = String::from_utf8_lossy(&output.stdout);
    println!("umpire {} ({took:.1?}): {}", args[0], text.lines().last().unwrap_or_default());
}

/// Jobs one after the other, each going on where the one before it had as many changes as it
/// may hold; in between, what somebody else would ask.
fn job(store: &Path, rulings: &BTreeMap<String, String>) {
    let server = Server::start(store, &[]);
    let mut connection = server.connect();
    let mut asked = json!({"reading": {"rulings": rulings}});
    let begun = Instant::now();
    let (mut jobs, mut looks, mut looked) = (0, 0, 0);
    let mut slowest = Duration::ZERO;
    loop {
        let started = connection.post("/v1/impacts", asked.to_string().as_bytes());
        let (_, answer) = started.expect("the server answers");
        let answer: Value = serde_json::from_slice(&answer).expect("an answer in JSON");
        let path = format!("/v1/impacts/{}", answer["id"].as_str().unwrap_or_default());
        jobs += 1;
        let shown = loop {
            let sent = Instant::now();
            let _ = connection.get("/v1/records?limit=10").expect("the server answers");
            slowest = slowest.max(sent.elapsed());
            looks += 1;
            let (_, answer) = connection.get(&path).expect("the server answers");
            let shown: Value = serde_json::from_slice(&answer).expect("an answer in JSON");
            if shown["state"] != "running" {
                break shown;
            }
            std::thread::sleep(Duration::from_millis(10));
        };
        assert_eq!(shown["state"], "done", "{shown}");
        looked += shown["progress"]["looked"].as_u64().unwrap_or(0);
        if shown["next"].is_null() {
            break;
        }
        asked["after"] = shown["next"].clone();
    }
    println!("{jobs} jobs of the service ({:.1?}): {looked} records", begun.elapsed());
    println!("{looks} lists asked for meanwhile, the slowest {slowest:.1?}");
}
