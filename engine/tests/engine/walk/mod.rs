//! Random games for the laws: which options, which seeds, which actions, which mutations.
//!
//! Everything comes out of published draws, so that a failure repeats itself anywhere. This
//! module must not know any game and must not judge anything.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::Value;
use umpire_engine::chance::seeded::{Seeded, Stream, key};
use umpire_engine::game::Visitor;
use umpire_engine::game::{
    ActionRange, Game, Keep, Listing, Observer, Seat, Stop, Table, TableSetup,
};
use umpire_engine::record::RawRecord;
use umpire_engine::replay::{Limits, Loaded, load};
use umpire_engine::rules::RulingDef;

/// Shows every game to a law: the registered ones and the toys.
pub fn every_game<V: Visitor>(law: &mut V) {
    law.game::<umpire_testing::toys::race::Race>();
    law.game::<umpire_testing::toys::bids::Bids>();
    umpire_engine::games::visit(law);
}

/// What chooses in a random game. Not the chance of the game itself.
#[derive(Clone)]
pub struct Chooser(Stream);

impl Chooser {
    /// The choices of that seed.
    pub fn new(seed: &str) -> Self {
        Chooser(Stream::new(key(seed), "laws.chooser"))
    }

    /// An index below `n`, which is at least 1.
    pub fn below(&mut self, n: usize) -> usize {
        self.0.uniform(n as u32) as usize
    }

    /// One of the items.
    pub fn one_of<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}

/// The listing of a seat, cut off where it gets too long to look through.
pub struct Menu<G: Game> {
    /// The actions.
    pub actions: Vec<G::Action>,
    /// The ranges.
    pub ranges: Vec<G::Range>,
    /// Whether everything is listed.
    pub whole: bool,
}

/// What a seat may do.
pub fn menu<G: Game>(table: &Table<G>, seat: Seat) -> Menu<G> {
    const MOST: usize = 20_000;
    let mut listing = Listing { actions: Vec::new(), ranges: Vec::new(), most: MOST };
    let whole = table.legal(seat, &mut listing).is_continue();
    Menu { actions: listing.actions, ranges: listing.ranges, whole }
}

impl<G: Game> Menu<G> {
    /// Whether the action is listed or lies in a range.
    pub fn offers(&self, table: &Table<G>, action: &G::Action) -> bool {
        let (setup, state) = (table.setup(), table.state());
        self.actions.contains(action)
            || self.ranges.iter().any(|range| G::Range::covers(range, setup, state, action))
    }

    /// One of the actions, now and then one out of a range.
    pub fn pick(&self, table: &Table<G>, chooser: &mut Chooser) -> Option<G::Action> {
        let from_range = match (self.actions.is_empty(), self.ranges.is_empty()) {
            (true, true) => return None,
            (false, true) => false,
            (true, false) => true,
            (false, false) => chooser.below(4) == 0,
        };
        if !from_range {
            return Some(chooser.one_of(&self.actions).clone());
        }
        let range = chooser.one_of(&self.ranges);
        let mut chance = Seeded::new(&format!("range {}", chooser.below(1 << 20)), G::META.streams);
        let action = G::Range::sample(range, table.setup(), table.state(), &mut chance);
        Some(action.unwrap_or_else(|halt| panic!("{}: no sample of a range: {halt:?}", G::META.id)))
    }
}

/// A random game.
pub struct Walk<G: Game> {
    /// The options, as a record gives them.
    pub options: String,
    /// The seed.
    pub seed: String,
    /// The decisions.
    pub actions: Vec<G::Action>,
    /// The table before each decision, and the last one; without logs.
    pub tables: Vec<Table<G>>,
    /// The game's chance before each decision, and at the end.
    pub chances: Vec<Seeded>,
    /// The last table, with its log.
    pub end: Table<G>,
}

impl<G: Game> Walk<G> {
    /// Who looks on: every seat in use and the spectator.
    pub fn viewers(&self) -> Vec<Observer> {
        let seats = G::Setup::players(self.end.setup()).iter().map(Observer::Seat);
        seats.chain([Observer::Spectator]).collect()
    }

    /// Some plies, spread over the game, always the first and the last.
    pub fn plies(&self, most: usize) -> Vec<usize> {
        let last = self.tables.len() - 1;
        let step = (last / most.max(1)).max(1);
        let mut plies: Vec<usize> = (0..=last).step_by(step).collect();
        if plies.last() != Some(&last) {
            plies.push(last);
        }
        plies
    }

    /// The game so far as a record, its chance given as JSON text.
    pub fn record(&self, plies: usize, chance: &str) -> String {
        record::<G>(&self.options, chance, None, &json(&self.actions[..plies]))
    }

    /// The seed as the chance of a record.
    pub fn seed_chance(&self) -> String {
        format!(r#"{{"seed":{}}}"#, json(&self.seed))
    }

    /// The draws from ply `from` on as a tape.
    pub fn tape(&self, from: usize) -> String {
        let log = self.end.log().expect("walks keep a log");
        let entries = log.tape.iter().filter(|drawn| drawn.ply as usize >= from);
        json(&entries.map(|drawn| &drawn.entry).collect::<Vec<_>>())
    }
}

/// A moment of some game: what most laws look at.
pub struct Spot<G: Game> {
    /// The table, without a log.
    pub table: Table<G>,
    /// The chance that goes on from here.
    pub chance: Seeded,
    /// Where it comes from, for messages.
    pub origin: String,
}

impl<G: Game> Spot<G> {
    /// Who looks on: every seat in use and the spectator.
    pub fn viewers(&self) -> Vec<Observer> {
        let seats = G::Setup::players(self.table.setup()).iter().map(Observer::Seat);
        seats.chain([Observer::Spectator]).collect()
    }
}

/// About `most` moments spread over random games, and the last moments of some fixtures.
pub fn spots<G: Game>(walks: &[Walk<G>], most: usize, fixtures: usize) -> Vec<Spot<G>> {
    let each = (most / walks.len().max(1)).max(2);
    let mut spots = Vec::new();
    for walk in walks {
        for ply in walk.plies(each) {
            let origin = format!("{} {} {:?} ply {ply}", G::META.id, walk.options, walk.seed);
            let (table, chance) = (walk.tables[ply].clone(), walk.chances[ply].clone());
            spots.push(Spot { table, chance, origin });
        }
    }
    let files = json_files(&self::fixtures(G::META.id).join("rules"));
    let step = (files.len() / fixtures.max(1)).max(1);
    spots.extend(files.iter().step_by(step).filter_map(|file| fixture_spot(file)));
    spots
}

/// Replays every fixture and whole game of the folder that can be opened, and shows the table, with
/// its log, at each ply, and the name of the file.
pub fn each_fixture_table<G: Game>(mut each: impl FnMut(&str, &Table<G>)) {
    let folder = fixtures(G::META.id);
    for file in [json_files(&folder.join("rules")), json_files(&folder.join("games"))].concat() {
        let name = file.display().to_string();
        let text = std::fs::read_to_string(&file).expect("a fixture can be read");
        let fixture: Value = serde_json::from_str(&text).expect("a fixture is JSON");
        let text = fixture["record"].to_string();
        let Ok(record) = RawRecord::read(text.as_bytes()) else { continue };
        let Ok(loaded) = load::<G>(&record, Limits::default()) else { continue };
        let Loaded { setup, mut source, position, actions, .. } = loaded;
        let opened = match position {
            None => Table::open(setup, &mut source, Keep::Log),
            Some(state) => Table::resume(setup, state, &mut source, Keep::Log),
        };
        let Ok(mut table) = opened else { continue };
        each(&name, &table);
        for action in &actions {
            if table.play(action, &mut source).is_err() {
                break;
            }
            each(&name, &table);
        }
    }
}

/// Where a fixture ends: after its last good action. Nothing for a fixture with a fault.
fn fixture_spot<G: Game>(file: &Path) -> Option<Spot<G>> {
    let text = std::fs::read_to_string(file).ok()?;
    let fixture: Value = serde_json::from_str(&text).ok()?;
    let text = fixture["record"].to_string();
    let record = RawRecord::read(text.as_bytes()).ok()?;
    let Loaded { setup, mut source, position, actions, .. } =
        load::<G>(&record, Limits::default()).ok()?;
    let table = match position {
        None => Table::open(setup, &mut source, Keep::Nothing),
        Some(state) => Table::resume(setup, state, &mut source, Keep::Nothing),
    };
    let mut table = table.ok()?;
    for action in &actions {
        if table.play(action, &mut source).is_err() {
            break;
        }
    }
    let chance = Seeded::new("fixture", G::META.streams);
    Some(Spot { table, chance, origin: file.display().to_string() })
}

/// A value as JSON text.
pub fn json<T: serde::Serialize + ?Sized>(value: &T) -> String {
    serde_json::to_string(value).expect("wire types serialise")
}

/// The text of a record.
pub fn record<G: Game>(
    options: &str,
    chance: &str,
    position: Option<&str>,
    actions: &str,
) -> String {
    format!(
        r#"{{"format":"umpire/1","game":{},"options":{options},"chance":{chance},"position":{},"actions":{actions}}}"#,
        json(G::META.id),
        position.unwrap_or("null"),
    )
}

/// Plays a random game of at most `most` plies.
pub fn walk<G: Game>(options: &str, seed: &str, most: usize) -> Walk<G> {
    let id = G::META.id;
    let mut chance = Seeded::new(seed, G::META.streams);
    let parsed: G::Options =
        serde_json::from_str(options).unwrap_or_else(|error| panic!("{id} {options}: {error}"));
    let setup = G::Setup::from_options(parsed, &mut chance)
        .unwrap_or_else(|stop| panic!("{id}: options {options} are refused: {stop:?}"));
    let mut table = Table::<G>::open(Arc::new(setup), &mut chance, Keep::Log)
        .unwrap_or_else(|stop| panic!("{id}: no opening: {stop:?}"));
    let mut chooser = Chooser::new(seed);
    let mut actions = Vec::new();
    let (mut tables, mut chances) = (vec![table.bare()], vec![chance.clone()]);
    while actions.len() < most {
        let deciding: Vec<Seat> = table.decision().seats.iter().collect();
        if deciding.is_empty() {
            break;
        }
        // Those who may act unasked do so rarely: a game in which all resign at once shows little.
        let may_act: Vec<Seat> = table.may_act().iter().collect();
        let seats = if chooser.below(100) == 0 { &may_act } else { &deciding };
        let seat = *chooser.one_of(seats);
        let Some(action) = menu(&table, seat).pick(&table, &mut chooser) else {
            panic!("{id}: {seat:?} decides and has no action\n{:?}", table.state());
        };
        match table.play(&action, &mut chance) {
            Ok(()) => {}
            Err(stop) => {
                panic!(
                    "{id}: offered, not accepted: {}\n{stop:?}\n{:?}",
                    json(&action),
                    table.state()
                )
            }
        }
        actions.push(action);
        tables.push(table.bare());
        chances.push(chance.clone());
    }
    let (options, seed) = (options.to_owned(), seed.to_owned());
    Walk { options, seed, actions, tables, chances, end: table }
}

/// Some random games over the given options.
pub fn walks<G: Game>(options: &[String], each: usize, most: usize) -> Vec<Walk<G>> {
    let seeds = (0..each).map(|number| format!("law {number}"));
    let games = seeds.flat_map(|seed| options.iter().map(move |it| (it.clone(), seed.clone())));
    games.map(|(options, seed)| walk::<G>(&options, &seed, most)).collect()
}

/// The folder of a game's fixtures. A toy has none.
pub fn fixtures(game: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures").join(game)
}

/// The JSON files of a folder, in order of their names.
pub fn json_files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|it| it == "json"))
        .collect();
    files.sort();
    files
}

/// How many sets of options with readings of all rulings at random are tried.
const RANDOM_READINGS: usize = 4;

/// The options worth trying: those of [`single_sets`], and readings of all rulings at random.
pub fn option_sets<G: Game>() -> Vec<String> {
    let mut sets = single_sets::<G>();
    let mut chooser = Chooser::new(G::META.id);
    let number = if G::Setup::rulings().is_empty() { 0 } else { RANDOM_READINGS };
    let at_random = std::iter::repeat_with(|| {
        let pick = |def: &RulingDef| (def.id, *chooser.one_of(def.values));
        let rulings: BTreeMap<_, _> = G::Setup::rulings().iter().map(pick).collect();
        serde_json::json!({ "rulings": rulings }).to_string()
    });
    // Some readings together cannot be played on the printed map.
    sets.extend(at_random.filter(|options| usable::<G>(options)).take(number));
    sets
}

/// The defaults, every other reading of every ruling by itself, and every set that some fixture
/// uses. Sets that are refused are left out.
pub fn single_sets<G: Game>() -> Vec<String> {
    let mut sets = vec!["{}".to_owned()];
    for ruling in G::Setup::rulings() {
        for value in &ruling.values[1..] {
            sets.push(format!(r#"{{"rulings":{{"{}":"{value}"}}}}"#, ruling.id));
        }
    }
    sets.retain(|options| usable::<G>(options));
    let mut seen: BTreeSet<String> = sets.iter().cloned().collect();
    for folder in ["rules", "games"] {
        for file in json_files(&fixtures(G::META.id).join(folder)) {
            let text = std::fs::read_to_string(file).expect("a fixture can be read");
            let fixture: Value = serde_json::from_str(&text).unwrap_or_default();
            let Some(options) = fixture.pointer("/record/options") else { continue };
            if seen.insert(options.to_string()) && usable::<G>(&options.to_string()) {
                sets.push(options.to_string());
            }
        }
    }
    sets
}

/// Whether a game can begin under these options.
pub fn usable<G: Game>(options: &str) -> bool {
    let Ok(parsed) = serde_json::from_str::<G::Options>(options) else { return false };
    let setup = G::Setup::from_options(parsed, &mut Seeded::new("", G::META.streams));
    setup.is_ok_and(|setup| setup.check_new_game().is_ok())
}

/// Actions and values of some games, out of which wrong actions are made.
pub struct Pool {
    actions: Vec<Value>,
    /// Values seen under each key; the key of list items is that of the list.
    seen: BTreeMap<String, Vec<Value>>,
}

impl Pool {
    /// All that is offered at some plies of these games.
    pub fn of<G: Game>(walks: &[Walk<G>]) -> Pool {
        let mut pool = Pool { actions: Vec::new(), seen: BTreeMap::new() };
        let mut chooser = Chooser::new("pool");
        for walk in walks {
            for ply in walk.plies(12) {
                let table = &walk.tables[ply];
                for seat in table.decision().seats.iter() {
                    let menu = menu(table, seat);
                    for _ in 0..6 {
                        let Some(action) = menu.pick(table, &mut chooser) else { continue };
                        let value = serde_json::to_value(&action).expect("actions serialise");
                        pool.note("", &value);
                        pool.actions.push(value);
                    }
                }
            }
        }
        for folder in ["rules", "games"] {
            for file in json_files(&fixtures(G::META.id).join(folder)) {
                let text = std::fs::read_to_string(file).expect("a fixture can be read");
                let fixture: Value = serde_json::from_str(&text).unwrap_or_default();
                let played = fixture.pointer("/record/actions").and_then(Value::as_array);
                let tried = fixture.pointer("/expect/tries").and_then(Value::as_array);
                let tried = tried.into_iter().flatten().filter_map(|it| it.get("action"));
                for action in played.into_iter().flatten().chain(tried) {
                    if action.is_object() {
                        pool.note("", action);
                        pool.actions.push(action.clone());
                    }
                }
            }
        }
        pool
    }

    /// Everything that differs from an action in one place: numbers around what is usual, other
    /// values that were seen in that place, shorter and longer lists.
    pub fn neighbours(&self, action: &Value) -> Vec<Value> {
        let mut spots = Vec::new();
        collect_spots("", "", action, &mut spots);
        let mut found = Vec::new();
        for (pointer, key) in &spots {
            let Some(old) = action.pointer(pointer) else { continue };
            let mut other: Vec<Value> = self.seen.get(key).cloned().unwrap_or_default();
            match old {
                Value::Number(number) => {
                    let old = number.as_i64().unwrap_or(0);
                    other.extend((-1..=8).chain([old - 1, old + 1]).map(Value::from));
                }
                Value::Bool(is) => other.push((!is).into()),
                Value::Array(items) => {
                    for at in 0..items.len() {
                        let mut fewer = items.clone();
                        fewer.remove(at);
                        other.push(fewer.into());
                    }
                    let more = items.iter().take(1).chain(other.iter().take(8));
                    let longer = |item: &Value| {
                        [items.as_slice(), std::slice::from_ref(item)].concat().into()
                    };
                    let longer: Vec<Value> = more.map(longer).collect();
                    other.extend(longer);
                    other.push(items.iter().rev().cloned().collect());
                }
                Value::Null | Value::String(_) | Value::Object(_) => {}
            }
            for value in other.into_iter().filter(|value| value != old) {
                let mut action = action.clone();
                if let Some(spot) = action.pointer_mut(pointer) {
                    *spot = value;
                    found.push(action);
                }
            }
        }
        found
    }

    fn note(&mut self, key: &str, value: &Value) {
        if !key.is_empty() {
            let seen = self.seen.entry(key.to_owned()).or_default();
            if seen.len() < 64 && !seen.contains(value) {
                seen.push(value.clone());
            }
        }
        match value {
            Value::Object(fields) => fields.iter().for_each(|(key, value)| self.note(key, value)),
            Value::Array(items) => items.iter().for_each(|value| self.note(key, value)),
            _ => {}
        }
    }

    /// An action out of the pool, sent by `player`.
    pub fn foreign(&self, player: &str, chooser: &mut Chooser) -> Value {
        let mut action = chooser.one_of(&self.actions).clone();
        action["player"] = player.into();
        action
    }

    /// An action of each type that was seen somewhere, in the name of a player.
    pub fn of_each_type(&self, player: &str, chooser: &mut Chooser) -> Vec<Value> {
        let mut by_type: BTreeMap<&str, Vec<&Value>> = BTreeMap::new();
        for action in &self.actions {
            by_type.entry(action["type"].as_str().unwrap_or_default()).or_default().push(action);
        }
        let mut one = |same: &Vec<&Value>| {
            let mut action = (*chooser.one_of(same.as_slice())).clone();
            action["player"] = player.into();
            action
        };
        by_type.values().map(&mut one).collect()
    }

    /// The action with one thing changed.
    pub fn mutated(&self, action: &Value, chooser: &mut Chooser) -> Value {
        let mut action = action.clone();
        let mut spots = Vec::new();
        collect_spots("", "", &action, &mut spots);
        if spots.is_empty() {
            return action;
        }
        let (pointer, key) = chooser.one_of(&spots);
        if let Some(spot) = action.pointer_mut(pointer) {
            self.change(spot, key, chooser);
        }
        action
    }

    fn change(&self, spot: &mut Value, key: &str, chooser: &mut Chooser) {
        let other = self.seen.get(key).map(|seen| chooser.one_of(seen).clone());
        match (spot, chooser.below(5)) {
            (Value::Array(items), 0) if !items.is_empty() => {
                items.remove(chooser.below(items.len()));
            }
            (Value::Array(items), 1) if !items.is_empty() => {
                items.push(chooser.one_of(items).clone());
            }
            (Value::Array(items), 2) if items.len() > 1 => items.swap(0, 1),
            (Value::Array(items), 3) => items.extend(other),
            (Value::Bool(is), _) => *is = !*is,
            (spot @ Value::Number(_), at @ 0..3) => {
                let number = spot.as_i64().unwrap_or(0);
                *spot = [number + 1, number - 1, 0][at].into();
            }
            (spot, _) => *spot = other.unwrap_or(Value::Null),
        }
    }
}

/// The places of a value that can be changed, each with the key it stands under.
fn collect_spots(pointer: &str, key: &str, value: &Value, spots: &mut Vec<(String, String)>) {
    if !key.is_empty() {
        spots.push((pointer.to_owned(), key.to_owned()));
    }
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                collect_spots(&format!("{pointer}/{key}"), key, value, spots);
            }
        }
        Value::Array(items) => {
            for (at, value) in items.iter().enumerate() {
                collect_spots(&format!("{pointer}/{at}"), key, value, spots);
            }
        }
        _ => {}
    }
}

/// What a step came to, for messages.
pub fn rendered<R: std::fmt::Debug>(result: &Result<(), Stop<R>>) -> String {
    match result {
        Ok(()) => "accepted".to_owned(),
        Err(stop) => format!("{stop:?}"),
    }
}
