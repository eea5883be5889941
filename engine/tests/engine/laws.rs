//! The laws that every registered game must obey, each written once over `Game`.
//!
//! A new game gets them for nothing. What a law needs to know of one game (how long it can last,
//! perft counts with their source) lies in `fixtures/<game>/laws.json`. Toy games obey the same
//! laws, so that the laws are tested themselves.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::walk::{
    Chooser, Pool, Spot, Walk, json, menu, option_sets, record, rendered, spots, walk, walks,
};
use serde::Deserialize;
use serde_json::Value;
use umpire_engine::analysis::odds::{NoOdds, outcomes};
use umpire_engine::analysis::perft::perft;
use umpire_engine::analysis::random::Random;
use umpire_engine::any_game::{AnyGame, Of};
use umpire_engine::chance::Halt;
use umpire_engine::chance::seeded::Seeded;
use umpire_engine::chance::tape::Tape;
use umpire_engine::digest::{Chain, fingerprint};
use umpire_engine::game::{
    Count, FullGame, Game, Keep, Listing, Log, Logged, Nth, Observer, PlayerAction, Seat, Stop,
    Table, TableSetup,
};
use umpire_engine::record::RawRecord;
use umpire_engine::replay::answer::{LegalQuery, Status};
use umpire_engine::replay::{Include, Limits, Query};
use umpire_engine::rules::Rule as _;

laws! {
    /// 1. What `legal` offers is accepted, once, and comes from the seat that was asked.
    offered_is_accepted;
    /// 1. What is accepted was offered; what is refused changes nothing and cites a rule.
    accepted_was_offered;
    /// 1. Actions are counted and reached by number as they are listed.
    counted_as_listed;
    /// 2. A seed and the tape it wrote give the same log and leave no entry.
    seed_and_tape_agree;
    /// What happens before the first action is marked, and nothing else is.
    the_opening_is_marked;
    /// 2. At the seam: seed, tape and both give the same verdict; a wrong tape is told apart.
    tape_faults_are_told_apart;
    /// 3. The events alone make the state.
    events_make_the_state;
    /// 4. What a viewer knows of a state he could be in is what he knows.
    determinized_looks_the_same;
    /// 4. The menu of the seat that decides is the same in every state it could be in.
    menus_tell_no_secret;
    /// 4. Worlds that a viewer cannot tell apart get equal answers, byte for byte.
    worlds_alike_answer_alike;
    /// 5. Wire types round-trip.
    wire_types_round_trip;
    /// 5. Wire types refuse unknown fields and fields given twice.
    wire_types_are_strict;
    /// 6. Two runs give the same fingerprints, and the chain links them.
    fingerprints_repeat;
    /// The referee's view of any ply is a position from which the game goes on the same.
    views_are_positions;
    /// So is every ply of every fixture and whole game.
    fixtures_are_positions;
    /// 5. The envelope of a record refuses unknown fields and fields given twice, except in `meta`.
    records_are_strict;
    /// A story has a line for every action.
    stories_leave_nothing_out;
    what_goes_without_saying_is_found_whatever_the_cards;
    cards_that_are_used_up_do_not_come_back;
    /// Every action of a random game can be said, in words and not in those of the wire.
    actions_are_said;
    chapters_have_titles;
    /// 9. Random play ends within the bound of the game.
    random_play_ends;
    /// 10. The counted lines of play are those of the source.
    perft_counts_hold;
    /// The odds of a step add up to one, and what really fell is among them.
    odds_add_up_to_one;
}

/// What the laws need to know of one game.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Facts {
    most_plies: Bound,
    /// Events that may tell worlds apart, because a rule reveals something there: a type, or an
    /// object of fields that such an event has (`"*"` for any value).
    reveals: Vec<Value>,
    perft: Vec<Perft>,
    /// Readings under which a game may go on for ever, and why.
    #[serde(default)]
    endless: Vec<Endless>,
    /// Who holds against what an observer was told the worlds that he is thought to be in (`memory.rs`).
    #[serde(default)]
    witness: Option<String>,
    /// What of a view is drawn once each (`scenes.rs`).
    #[serde(default)]
    drawn: Vec<Drawn>,
}

/// Things that a view lists under a JSON pointer, and what their pieces are called in a scene: the id begins with
/// this, or a piece that stands for many has their names under this key of its choice.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Drawn {
    /// Where the view lists them.
    pub of: String,
    /// What their pieces are called.
    pub r#as: String,
}

/// What of a game's view is drawn once each; at least one kind of thing.
pub fn drawn<G: Game>() -> Vec<Drawn> {
    let drawn = facts::<G>().drawn;
    assert!(!drawn.is_empty(), "{}: say what is drawn", G::META.id);
    drawn
}

/// The witness of a game; nobody for a toy.
pub fn witness<G: FullGame>() -> Option<String> {
    let witness = facts::<G>().witness;
    let registered = umpire_engine::games::find(G::META.id).is_some();
    assert_eq!(witness.is_some(), registered, "{}: name a witness", G::META.id);
    witness
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Bound {
    value: usize,
    because: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Endless {
    ruling: String,
    value: String,
    because: String,
}

impl Endless {
    /// Whether options pick this reading.
    fn is_in(&self, options: &str) -> bool {
        assert!(!self.because.is_empty());
        let options: Value = serde_json::from_str(options).expect("options are JSON");
        options["rulings"][&self.ruling] == self.value
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Perft {
    title: String,
    source: String,
    record: Value,
    counts: Vec<u64>,
}

fn facts<G: Game>() -> Facts {
    let path = crate::walk::fixtures(G::META.id).join("laws.json");
    match std::fs::read_to_string(&path) {
        Ok(text) => serde_json::from_str(&text)
            .unwrap_or_else(|error| panic!("fixtures/{}/laws.json: {error}", G::META.id)),
        Err(_) => {
            let registered = umpire_engine::games::find(G::META.id).is_some();
            assert!(!registered, "fixtures/{}/laws.json is missing", G::META.id);
            let most_plies = Bound { value: 2000, because: "a toy".to_owned() };
            Facts {
                most_plies,
                reveals: vec!["shown".into()],
                perft: Vec::new(),
                endless: Vec::new(),
                witness: None,
                drawn: Vec::new(),
            }
        }
    }
}

/// A few games with the default options, and one with each other set of options.
fn some_walks<G: Game>() -> Vec<Walk<G>> {
    let most = facts::<G>().most_plies.value;
    let sets = option_sets::<G>();
    let mut all = walks::<G>(&sets[..1], 3, most);
    all.extend(walks::<G>(&sets[1..], 1, most));
    all
}

pub mod check {
    use super::*;

    pub(crate) fn offered_is_accepted<G: Game>() {
        let mut chooser = Chooser::new("offered");
        for Spot { table, chance, origin } in &spots(&some_walks::<G>(), 500, 400) {
            let deciding = table.decision().seats;
            for seat in G::Setup::players(table.setup()).iter() {
                let menu = menu(table, seat);
                let offers = menu.actions.len() + menu.ranges.len();
                assert_eq!(table.may_act().contains(seat), offers > 0, "{origin} {seat:?}");
                let mut texts: Vec<String> = menu.actions.iter().map(json).collect();
                texts.sort_unstable();
                if let Some(twice) = texts.windows(2).find(|pair| pair[0] == pair[1]) {
                    panic!("{origin}: offered twice: {}", twice[0]);
                }
                let step = (menu.actions.len() / 60).max(1);
                let sampled =
                    (0..8 * menu.ranges.len()).filter_map(|_| menu.pick(table, &mut chooser));
                for action in menu.actions.iter().step_by(step).cloned().chain(sampled) {
                    let mut next = table.clone();
                    let result = next.play(&action, &mut chance.clone());
                    let (id, text) = (origin, json(&action));
                    assert!(result.is_ok(), "{id}: offered {text}, but {}", rendered(&result));
                    assert_eq!(G::Action::seat(&action), seat, "{id}: {text}");
                    let normal = G::Action::canonicalize(&action, table.setup(), table.state());
                    assert_eq!(normal, action, "{id}: offered, but not normal");
                    assert!(menu.offers(table, &action), "{id}: {text} out of range");
                    assert_eq!(next.ply(), table.ply() + 1);
                }
            }
            assert_eq!(deciding.is_empty(), table.outcome().is_some(), "{origin}");
        }
    }

    pub(crate) fn counted_as_listed<G: Game>() {
        for Spot { table, .. } in &spots(&some_walks::<G>(), 500, 400) {
            for seat in G::Setup::players(table.setup()).iter() {
                let menu = menu(table, seat);
                if !menu.whole {
                    continue;
                }
                let mut count = Count::default();
                let _ = table.legal(seat, &mut count);
                let listed = (menu.actions.len() as u64, menu.ranges.len() as u64);
                assert_eq!((count.actions, count.ranges), listed, "{}", G::META.id);
                let step = (menu.actions.len() / 20).max(1);
                for (at, action) in menu.actions.iter().enumerate().step_by(step) {
                    let mut nth = Nth::new(at as u64);
                    let _ = table.legal(seat, &mut nth);
                    assert_eq!(nth.found.as_ref(), Some(action), "{} {at}", G::META.id);
                }
                let mut beyond = Nth::new(listed.0);
                let _ = table.legal(seat, &mut beyond);
                assert_eq!(beyond.found, None, "{}", G::META.id);
            }
        }
    }

    pub(crate) fn accepted_was_offered<G: Game>() {
        let all = some_walks::<G>();
        let pool = Pool::of(&all);
        let mut chooser = Chooser::new("mutations");
        let (mut accepted, mut refused) = (0, 0);
        for Spot { table, chance, origin: id } in &spots(&all, 300, 300) {
            let menus: Vec<_> = G::Setup::players(table.setup())
                .iter()
                .map(|seat| (seat, menu(table, seat)))
                .collect();
            let mut tried = Vec::new();
            for _ in 0..24 {
                let (seat, own) = chooser.one_of(&menus);
                let player = G::META.seat_name(*seat);
                let mut value = match own.pick(table, &mut chooser) {
                    Some(action) if chooser.below(3) > 0 => {
                        serde_json::to_value(&action).expect("actions serialise")
                    }
                    _ => pool.foreign(player, &mut chooser),
                };
                for _ in 0..chooser.below(3) {
                    value = pool.mutated(&value, &mut chooser);
                }
                tried.push(value);
            }
            // Whatever is on, every type of action is tried by everybody.
            for (seat, _) in &menus {
                tried.extend(pool.of_each_type(G::META.seat_name(*seat), &mut chooser));
            }
            for (_, menu) in &menus {
                let offered = (0..2).filter_map(|_| menu.pick(table, &mut chooser));
                for action in offered.collect::<Vec<_>>() {
                    let value = serde_json::to_value(&action).expect("actions serialise");
                    tried.extend(pool.neighbours(&value));
                }
            }
            for value in tried {
                let Ok(action) = serde_json::from_str::<G::Action>(&value.to_string()) else {
                    continue;
                };
                let sender = G::Action::seat(&action);
                let Some((_, menu)) = menus.iter().find(|(seat, _)| *seat == sender) else {
                    continue;
                };
                let mut next = Table::clone(table);
                let result = next.play(&action, &mut chance.clone());
                let offered = menu.offers(table, &action);
                let text = json(&action);
                match &result {
                    Ok(()) => {
                        accepted += 1;
                        let meant =
                            offered || !menu.whole || meant(table, chance, menu, &action, &next);
                        assert!(
                            meant,
                            "{id}: not offered, but accepted: {text}\n{:?}",
                            table.state()
                        );
                    }
                    Err(Stop::Refused(refusal)) => {
                        refused += 1;
                        assert!(!offered, "{id}: offered {text}, but {}", rendered(&result));
                        assert_eq!(next.state(), table.state(), "{id}: {text} left a trace");
                        assert_eq!(next.ply(), table.ply());
                        assert!(refusal.rule.id().starts_with(G::META.prefix));
                        let snake =
                            |it: char| it.is_ascii_lowercase() || "_0123456789".contains(it);
                        assert!(refusal.code.chars().all(snake), "{id}: {}", refusal.code);
                        assert!(!refusal.message.is_empty());
                    }
                    Err(Stop::Chance { .. }) => panic!("{id}: {text}: {}", rendered(&result)),
                }
            }
        }
        let id = G::META.id;
        assert!(accepted > 0 && refused > 100, "{id}: {accepted} accepted, {refused} refused");
    }

    /// Whether the same decision, written in the canonical way, is offered and does the same.
    fn meant<G: Game>(
        table: &Table<G>,
        chance: &Seeded,
        menu: &crate::walk::Menu<G>,
        action: &G::Action,
        after: &Table<G>,
    ) -> bool {
        let normal = G::Action::canonicalize(action, table.setup(), table.state());
        let mut next = table.clone();
        menu.offers(table, &normal)
            && next.play(&normal, &mut chance.clone()).is_ok()
            && next.state() == after.state()
    }

    pub(crate) fn seed_and_tape_agree<G: Game>() {
        for walk in some_walks::<G>() {
            let log = walk.end.log().expect("walks keep a log");
            let entries: Vec<_> = log.tape.iter().map(|drawn| drawn.entry.clone()).collect();
            let mut tape = Tape::new(&entries);
            let opened = Table::<G>::open(walk.end.setup().clone(), &mut tape, Keep::Log);
            let mut table = match opened {
                Ok(table) => table,
                Err(Stop::Chance { halt, .. }) if matches!(*halt, Halt::NoSeed { .. }) => continue,
                Err(stop) => panic!("{}: the tape does not open: {stop:?}", G::META.id),
            };
            for action in &walk.actions {
                let result = table.play(action, &mut tape);
                assert!(result.is_ok(), "{}: {}", G::META.id, rendered(&result));
            }
            assert_eq!(tape.left(), 0, "{}: entries left over", G::META.id);
            let again = table.log().expect("the table keeps a log");
            assert_eq!(again.tape, log.tape, "{}: other draws", G::META.id);
            assert_eq!(again.events.len(), log.events.len(), "{}", G::META.id);
            for (one, two) in again.events.iter().zip(&log.events) {
                assert_eq!(
                    (one.ply, &one.event, one.rules),
                    (two.ply, &two.event, two.rules),
                    "{}",
                    G::META.id
                );
            }
            assert_eq!(table.state(), walk.end.state());
        }
    }

    pub(super) fn the_opening_is_marked<G: FullGame>() {
        for walk in some_walks::<G>() {
            let log = walk.end.log().expect("walks keep a log");
            let mut chance = Seeded::new(&walk.seed, G::META.streams);
            let opened = Table::<G>::open(walk.end.setup().clone(), &mut chance, Keep::Log);
            let Ok(opened) = opened else { continue };
            let dealt = opened.log().expect("the table keeps a log");
            let (events, draws) = (dealt.events.len(), dealt.tape.len());
            for (at, event) in log.events.iter().enumerate() {
                assert_eq!(event.opening, at < events, "{}: event {at}", G::META.id);
            }
            for (at, drawn) in log.tape.iter().enumerate() {
                assert_eq!(drawn.opening, at < draws, "{}: draw {at}", G::META.id);
            }
            let text = walk.record(walk.actions.len(), &walk.seed_chance());
            let record = RawRecord::read(text.as_bytes()).expect("a record");
            let include = Include { events: true, tape: true, ..Include::default() };
            let query = Query { include, ..Query::default() };
            let report = Of::<G>::new().replay(&record, &query).expect("a report");
            let marked = |text: &str| text.contains(r#""opening":true"#);
            let lines = report.events.expect("asked for");
            let shown = lines.iter().filter(|line| marked(line.get())).count();
            let told = |it: &&Logged<G>| {
                it.opening && G::announce(opened.setup(), &it.event, Observer::Referee).is_some()
            };
            assert_eq!(shown, log.events.iter().filter(told).count(), "{}", G::META.id);
            let tape = report.tape.expect("asked for");
            assert_eq!(tape.iter().filter(|line| marked(&json(line))).count(), draws);
        }
    }

    pub(super) fn tape_faults_are_told_apart<G: FullGame>() {
        let game = Of::<G>::new();
        for walk in some_walks::<G>() {
            let judge = |chance: &str| {
                let text = walk.record(walk.actions.len(), chance);
                let record = RawRecord::read(text.as_bytes()).expect("a record");
                game.judge(&record, Limits::default()).expect("a verdict")
            };
            let seeded = judge(&walk.seed_chance());
            let seed = json(&walk.seed);
            let entries: Vec<Value> = serde_json::from_str(&walk.tape(0)).expect("a tape");
            let with =
                |tape: &[Value]| judge(&format!(r#"{{"seed":{seed},"tape":{}}}"#, json(tape)));
            let both = with(&entries);
            assert_eq!(json(&both), json(&seeded), "{}: the tape changes the answer", G::META.id);
            let Some((last, rest)) = entries.split_last() else { continue };
            let short = with(rest);
            assert_eq!(short.verdict.status, Status::BadChance);
            assert_eq!(short.verdict.violation.expect("a fault").code, "tape_exhausted");
            let long = with(&[entries.as_slice(), std::slice::from_ref(last)].concat());
            match walk.end.outcome() {
                Some(_) => {
                    assert_eq!(long.verdict.violation.expect("a fault").code, "tape_leftover");
                }
                None => assert!(long.warnings.iter().any(|it| it.code == "tape_leftover")),
            }
            let foreign = serde_json::json!({"kind": "draw", "side": "nobody", "card": "none"});
            let wrong = with(&[std::slice::from_ref(&foreign), &entries[1..]].concat());
            assert_eq!(wrong.verdict.violation.expect("a fault").code, "tape_mismatch");
        }
    }

    pub(crate) fn events_make_the_state<G: Game>() {
        for walk in some_walks::<G>() {
            let log = walk.end.log().expect("walks keep a log");
            let setup = walk.end.setup();
            let mut state = G::start(setup);
            let mut events = log.events.iter().peekable();
            // The opening has ply 0 like the first action; it is over when the state is reached.
            while state != *walk.tables[0].state() {
                let Some(logged) = events.next() else { panic!("{}: no opening", G::META.id) };
                G::apply(setup, &mut state, &logged.event);
            }
            for (ply, table) in walk.tables.iter().enumerate().skip(1) {
                while let Some(logged) = events.next_if(|logged| (logged.ply as usize) < ply) {
                    G::apply(setup, &mut state, &logged.event);
                }
                assert_eq!(state, *table.state(), "{} at ply {ply}", G::META.id);
            }
            assert!(events.next().is_none());
        }
    }

    fn world<G: FullGame>(table: &Table<G>, viewer: Observer, seed: &str) -> G::State {
        let mut chance = Seeded::new(seed, G::META.streams);
        let view = table.view(viewer);
        G::determinize(table.setup(), &view, &mut chance)
            .unwrap_or_else(|halt| panic!("{}: no world for {viewer:?}: {halt:?}", G::META.id))
    }

    pub(super) fn determinized_looks_the_same<G: FullGame>() {
        for spot in &spots(&some_walks::<G>(), 600, 400) {
            let Spot { table, origin, .. } = spot;
            for viewer in spot.viewers().into_iter().chain([Observer::Referee]) {
                for seed in ["one", "two"] {
                    let state = world(table, viewer, seed);
                    let (is, was) = (G::view(table.setup(), &state, viewer), table.view(viewer));
                    assert!(
                        is == was,
                        "{origin}: {viewer:?} sees\n{}\nin a world made from\n{}",
                        json(&is),
                        json(&was)
                    );
                }
            }
        }
    }

    /// Whatever would be put back with other cards that nobody has shown may be put back here, and is legal; and the cards
    /// with which it is are the same, wherever cards lie that nobody has shown.
    pub(super) fn what_goes_without_saying_is_found_whatever_the_cards<G: FullGame>() {
        for Spot { table, chance, origin } in &spots(&some_walks::<G>(), 600, 400) {
            let (setup, state) = (table.setup(), table.state());
            for omission in 0..G::omissions().len() {
                let mut worlds = vec![state.clone()];
                if G::CARDS_ARE_UNSEEN {
                    let seeds = ["one", "two", "three"];
                    worlds.extend(seeds.map(|seed| world(table, Observer::Spectator, seed)));
                }
                let idle = G::list_idle(setup, state, omission);
                for world in worlds {
                    assert_eq!(G::list_idle(setup, &world, omission), idle, "{origin}");
                    let Some(action) = G::fill_omission(setup, &world, omission) else { continue };
                    let found = G::fill_omission_unseen(setup, state, omission);
                    assert_eq!(found.as_ref(), Some(&action), "{origin}: {}", json(&action));
                    let played = Table::clone(table).play(&action, &mut chance.clone());
                    assert!(played.is_ok(), "{origin}: {}: {}", json(&action), rendered(&played));
                }
            }
        }
    }

    /// From every table on, no more copies of a card are used up than there are.
    pub(super) fn cards_that_are_used_up_do_not_come_back<G: FullGame>() {
        for walk in some_walks::<G>() {
            let mut used: BTreeMap<(Seat, String), u32> = BTreeMap::new();
            for (table, action) in walk.tables.iter().zip(&walk.actions).rev() {
                let (setup, seat) = (table.setup(), G::Action::seat(action));
                for card in G::list_spent(setup, action) {
                    *used.entry((seat, card)).or_default() += 1;
                }
                for ((seat, card), used) in &used {
                    let stock = G::count_stock(setup, table.state(), *seat, card);
                    let said = format!("{}: {used} of {card} and {stock:?}", G::META.id);
                    assert!(stock.is_some_and(|stock| *used <= stock), "{said}");
                }
            }
        }
    }

    pub(super) fn menus_tell_no_secret<G: FullGame>() {
        for Spot { table, origin, .. } in &spots(&some_walks::<G>(), 500, 400) {
            for seat in G::Setup::players(table.setup()).iter() {
                let state = world(table, Observer::Seat(seat), "menu");
                let chance = &mut Seeded::new("menu", G::META.streams);
                let other = Table::<G>::resume(table.setup().clone(), state, chance, Keep::Nothing)
                    .unwrap_or_else(|stop| panic!("{}: {stop:?}", G::META.id));
                assert_eq!(table.decision(), other.decision(), "{origin}");
                let (here, there) = (menu(table, seat), menu(&other, seat));
                assert_eq!(json(&here.actions), json(&there.actions), "{origin}");
                assert_eq!(json(&here.ranges), json(&there.ranges), "{origin}");
            }
        }
    }

    /// All that the seam answers to a viewer about a record.
    fn answers(game: &dyn AnyGame, text: &str, viewer: Observer) -> (Status, Value, String) {
        let record = RawRecord::read(text.as_bytes()).expect("a record");
        let all = Include {
            events: true,
            states: true,
            tape: true,
            fingerprints: true,
            explain: true,
            chapters: true,
            text: true,
            legal: true,
            scene: true,
        };
        let query = Query { viewer, include: all, ..Query::default() };
        let report = game.replay(&record, &query).expect("a report");
        let legal = game.legal(&record, &query, LegalQuery::LIST).expect("legal actions");
        let counts = game.legal(&record, &query, LegalQuery::COUNT).expect("numbers");
        let first = game.replay(&record, &Query { ply: Some(0), ..query }).expect("a report");
        let beyond = game.replay(&record, &Query { ply: Some(99), ..query }).err();
        let answer =
            [json(&report), json(&legal), json(&counts), json(&first), format!("{beyond:?}")];
        let events = serde_json::to_value(&report.events).expect("events serialise");
        (report.verdict.status, events, answer.join("\n"))
    }

    /// What fell in the replay of a record, as a tape.
    fn drawn(game: &dyn AnyGame, text: &str) -> String {
        let record = RawRecord::read(text.as_bytes()).expect("a record");
        let include = Include { tape: true, ..Include::default() };
        let report = game.replay(&record, &Query { include, ..Query::default() });
        let tape = report.expect("a report").tape.expect("a tape was asked for");
        json(&tape)
    }

    fn reveals(events: &Value, reveals: &[Value]) -> bool {
        let fits = |event: &Value, reveal: &Value| match reveal {
            Value::Object(fields) => fields
                .iter()
                .all(|(key, value)| event[key] == *value || *value == "*" && !event[key].is_null()),
            name => event["type"] == *name,
        };
        let mut events = events.as_array().into_iter().flatten();
        events.any(|event| reveals.iter().any(|reveal| fits(event, reveal)))
    }

    /// Another's action as a viewer may read it.
    fn redact<G: FullGame>(
        setup: &G::Setup,
        state: &G::State,
        viewer: Observer,
        action: &mut Value,
    ) {
        let Ok(read) = serde_json::from_str::<G::Action>(&action.to_string()) else { return };
        if viewer == Observer::Seat(G::Action::seat(&read)) {
            return;
        }
        let shown = G::Action::redact(&read, setup, state);
        *action = serde_json::to_value(shown).expect("actions serialise");
    }

    pub(super) fn worlds_alike_answer_alike<G: FullGame>() {
        let game = Of::<G>::new();
        let facts = facts::<G>();
        let all = some_walks::<G>();
        let pool = Pool::of(&all);
        let mut chooser = Chooser::new("worlds");
        let mut compared = [0; 4];
        for spot in &spots(&all, 120, 40) {
            let Spot { table, origin, .. } = spot;
            let claims = r#"{"fingerprint":"00","plies":1,"status":"in_progress"}"#;
            let options = json(&G::Setup::options(table.setup()));
            for viewer in spot.viewers() {
                let worlds = ["left", "right"].map(|seed| world(table, viewer, seed));
                let positions = worlds
                    .each_ref()
                    .map(|state| json(&G::view(table.setup(), state, Observer::Referee)));
                let mut tried = vec!["[]".to_owned()];
                for seat in G::Setup::players(table.setup()).iter() {
                    let menu = menu(table, seat);
                    let name = G::META.seat_name(seat);
                    let offered = (0..4).filter_map(|_| menu.pick(table, &mut chooser));
                    let mut actions: Vec<Value> =
                        offered.map(|it| serde_json::to_value(it).unwrap_or_default()).collect();
                    actions.push(pool.foreign(name, &mut chooser));
                    for _ in 0..3 {
                        let base = chooser.one_of(&actions).clone();
                        actions.push(pool.mutated(&base, &mut chooser));
                    }
                    for action in &mut actions {
                        redact::<G>(table.setup(), table.state(), viewer, action);
                    }
                    // What looks different in the two worlds is not one action to the viewer.
                    actions.retain(|action| {
                        let [left, right] = worlds.each_ref().map(|state| {
                            let mut seen = action.clone();
                            redact::<G>(table.setup(), state, viewer, &mut seen);
                            seen
                        });
                        left == right
                    });
                    tried.extend(actions.iter().map(|action| format!("[{action}]")));
                }
                for actions in tried {
                    let ask = |at: usize, chance: &str| {
                        let position = Some(positions[at].as_str());
                        let text = record::<G>(&options, chance, position, &actions);
                        format!("{},\"claims\":{claims}}}", &text[..text.len() - 1])
                    };
                    let seeded = r#"{"seed":"w"}"#;
                    let left = answers(&game, &ask(0, seeded), viewer);
                    let mut right = answers(&game, &ask(1, seeded), viewer);
                    let own = actions.contains(&format!(
                        r#""player":"{}""#,
                        match viewer {
                            Observer::Seat(seat) => G::META.seat_name(seat),
                            Observer::Referee | Observer::Spectator => "nobody",
                        }
                    ));
                    // Another's action may be legal in one world only: that it was refused
                    // is then all that is learned, and worlds cannot be compared.
                    if !own && left.0 != right.0 {
                        compared[3] += 1;
                        continue;
                    }
                    if reveals(&left.1, &facts.reveals) || reveals(&right.1, &facts.reveals) {
                        compared[2] += 1;
                        continue;
                    }
                    if own && left.2 != right.2 {
                        // His own draws differ from world to world: let the same cards fall.
                        let tape = drawn(&game, &ask(0, seeded));
                        let same = format!(r#"{{"seed":"","tape":{tape}}}"#);
                        right = answers(&game, &ask(1, &same), viewer);
                        if right.0 == Status::BadChance {
                            compared[3] += 1;
                            continue;
                        }
                    }
                    compared[usize::from(left.0 == Status::Illegal)] += 1;
                    assert!(
                        left.2 == right.2,
                        "{origin}: {viewer:?} can tell worlds apart by {actions}\n{}\n{}\n\n{}\n\n{}",
                        positions[0],
                        positions[1],
                        left.2,
                        right.2
                    );
                }
            }
        }
        let id = G::META.id;
        assert!(compared[0] > 20 && compared[1] > 20, "{id}: too few comparisons: {compared:?}");
    }

    /// Wire values of a game as text, with the type that reads them.
    fn wire_values<G: Game>(mut each: impl FnMut(&'static str, &str, &dyn Fn(&str) -> Read)) {
        fn read<T: serde::Serialize + serde::de::DeserializeOwned>(text: &str) -> Read {
            serde_json::from_str::<T>(text).map(|value| json(&value)).map_err(|it| it.to_string())
        }
        for walk in some_walks::<G>() {
            let setup = walk.end.setup();
            each("options", &json(&G::Setup::options(setup)), &read::<G::Options>);
            let viewers: Vec<_> = walk.viewers().into_iter().chain([Observer::Referee]).collect();
            for ply in walk.plies(10) {
                let table = &walk.tables[ply];
                for &viewer in &viewers {
                    each("view", &json(&table.view(viewer)), &read::<G::View>);
                }
                for seat in table.decision().seats.iter() {
                    let menu = menu(table, seat);
                    let step = (menu.actions.len() / 10).max(1);
                    for action in menu.actions.iter().step_by(step) {
                        each("action", &json(action), &read::<G::Action>);
                    }
                    for range in &menu.ranges {
                        each("range", &json(range), &read::<G::Range>);
                    }
                }
            }
            let Log { events, tape } = walk.end.log().expect("walks keep a log");
            for logged in events.iter().step_by((events.len() / 40).max(1)) {
                for &viewer in &viewers {
                    if let Some(notice) = G::announce(setup, &logged.event, viewer) {
                        each("notice", &json(&notice), &read::<G::Notice>);
                    }
                }
            }
            for drawn in tape.iter().take(10) {
                each("tape entry", &json(&drawn.entry), &|text| {
                    serde_json::from_str::<umpire_engine::chance::EntryOf<'_>>(text)
                        .map(|value| json(&value))
                        .map_err(|it| it.to_string())
                });
            }
        }
    }

    type Read = Result<String, String>;

    pub(crate) fn wire_types_round_trip<G: Game>() {
        wire_values::<G>(|what, text, read| {
            assert_eq!(read(text).as_deref(), Ok(text), "{} {what}", G::META.id);
        });
    }

    pub(crate) fn wire_types_are_strict<G: Game>() {
        let id = G::META.id;
        wire_values::<G>(|what, text, read| {
            for at in object_starts(text) {
                let close = if text[at..].starts_with('}') { "" } else { "," };
                let unknown = format!("{}\"zz_unknown\":0{close}{}", &text[..at], &text[at..]);
                assert!(read(&unknown).is_err(), "{id} {what}: accepted {unknown}");
                if close.is_empty() {
                    continue;
                }
                let field = &text[at..at + first_field(&text[at..])];
                let twice = format!("{}{field},{}", &text[..at], &text[at..]);
                assert!(read(&twice).is_err(), "{id} {what}: accepted {twice}");
            }
        });
    }

    /// The places right after every `{` of a compact JSON text.
    fn object_starts(text: &str) -> Vec<usize> {
        let mut starts = Vec::new();
        let (mut quoted, mut escaped) = (false, false);
        for (at, byte) in text.bytes().enumerate() {
            match byte {
                _ if escaped => escaped = false,
                b'\\' if quoted => escaped = true,
                b'"' => quoted = !quoted,
                b'{' if !quoted => starts.push(at + 1),
                _ => {}
            }
        }
        starts
    }

    /// The length of the first `"key":value` of an object's inside.
    fn first_field(text: &str) -> usize {
        let mut depth = 0;
        let (mut quoted, mut escaped) = (false, false);
        for (at, byte) in text.bytes().enumerate() {
            match byte {
                _ if escaped => escaped = false,
                b'\\' if quoted => escaped = true,
                b'"' => quoted = !quoted,
                _ if quoted => {}
                b'{' | b'[' => depth += 1,
                b'}' | b']' | b',' if depth == 0 => return at,
                b'}' | b']' => depth -= 1,
                _ => {}
            }
        }
        text.len()
    }

    pub(super) fn fingerprints_repeat<G: FullGame>() {
        let game = Of::<G>::new();
        for first in some_walks::<G>() {
            let second = walk::<G>(&first.options, &first.seed, first.actions.len());
            let text = first.record(first.actions.len(), &first.seed_chance());
            let record = RawRecord::read(text.as_bytes()).expect("a record");
            let include = Include { fingerprints: true, ..Include::default() };
            let query = Query { include, ..Query::default() };
            let report = game.replay(&record, &query).expect("a report");
            let fingerprints = report.fingerprints.expect("fingerprints were asked for");
            assert_eq!(fingerprints.len(), first.tables.len());
            let mut chain = Chain::default();
            for (at, (one, two)) in first.tables.iter().zip(&second.tables).enumerate() {
                let mark = fingerprint(&one.view(Observer::Referee));
                let untyped = serde_json::to_value(one.view(Observer::Referee)).expect("a view");
                assert_eq!(mark, fingerprint(&untyped), "{}", G::META.id);
                assert_eq!(mark, fingerprint(&two.view(Observer::Referee)), "{}", G::META.id);
                assert_eq!(mark, fingerprints[at].fingerprint, "{} ply {at}", G::META.id);
                assert_eq!(chain.add(mark), fingerprints[at].chain, "{} ply {at}", G::META.id);
            }
            assert_eq!(
                report.fingerprint,
                fingerprints.last().map(|fingerprint| fingerprint.fingerprint)
            );
        }
    }

    pub(super) fn views_are_positions<G: FullGame>() {
        let game = Of::<G>::new();
        for walk in some_walks::<G>() {
            let options = json(&G::Setup::options(walk.end.setup()));
            let last = fingerprint(&walk.end.view(Observer::Referee));
            for (ply, table) in walk.tables.iter().enumerate() {
                let view = table.view(Observer::Referee);
                let judge = |chance: &str, actions: &str| {
                    let text = record::<G>(&options, chance, Some(&json(&view)), actions);
                    let record = RawRecord::read(text.as_bytes()).expect("a record");
                    game.judge(&record, Limits::default()).unwrap_or_else(|fault| {
                        panic!("{} ply {ply}: {fault}\n{}", G::META.id, json(&view))
                    })
                };
                let here = judge(r#"{"tape":[]}"#, "[]");
                assert_eq!(here.fingerprint, fingerprint(&view), "{} ply {ply}", G::META.id);
                assert!(here.verdict.violation.is_none(), "{:?}", here.verdict);
                if ply % 16 == 3 {
                    let chance = format!(r#"{{"seed":"","tape":{}}}"#, walk.tape(ply));
                    let rest = judge(&chance, &json(&walk.actions[ply..]));
                    assert!(rest.verdict.violation.is_none(), "{ply}: {:?}", rest.verdict);
                    assert_eq!(rest.fingerprint, last, "{} from ply {ply}", G::META.id);
                }
            }
        }
    }

    pub(super) fn fixtures_are_positions<G: FullGame>() {
        crate::walk::each_fixture_table::<G>(|name, table| {
            let view = table.view(Observer::Referee);
            let text = json(&view);
            let position = serde_json::from_str(&text).expect("a view reads as a position");
            let state = G::load(table.setup(), position)
                .unwrap_or_else(|it| panic!("{name}: {}: {} in {text}", it.pointer, it.message));
            let mut none = Tape::new(&[]);
            let setup = table.setup().clone();
            let resumed = Table::<G>::resume(setup, state, &mut none, Keep::Nothing);
            let Ok(resumed) = resumed else { panic!("{name}: {text} cannot be gone on with") };
            assert_eq!(resumed.outcome(), table.outcome(), "{name}");
            let again = resumed.view(Observer::Referee);
            assert_eq!(fingerprint(&again), fingerprint(&view), "{name}: {text}");
        });
    }

    pub(super) fn records_are_strict<G: FullGame>() {
        let game = Of::<G>::new();
        let judged = |text: &str| {
            let record = RawRecord::read(text.as_bytes())?;
            game.judge(&record, Limits::default())
        };
        for walk in some_walks::<G>().iter().take(4) {
            let table = &walk.tables[walk.tables.len() / 2];
            let position = json(&table.view(Observer::Referee));
            let seat = G::META.seats[0];
            let text = record::<G>(
                &json(&G::Setup::options(table.setup())),
                r#"{"seed":"s","tape":[]}"#,
                Some(&position),
                "[]",
            );
            let claims = r#"{"outcome":{"winner":null,"reason":"none"},"plies":0}"#;
            let text = format!(
                r#"{},"players":{{"{seat}":"Ann"}},"claims":{claims},"meta":{{"a":"b"}}}}"#,
                &text[..text.len() - 1]
            );
            assert!(judged(&text).is_ok(), "{:?}\n{text}", judged(&text).err());
            for at in object_starts(&text) {
                let meta = text[..at].ends_with(r#""meta":{"#);
                let close = if text[at..].starts_with('}') { "" } else { "," };
                let unknown = format!("{}\"zz\":\"0\"{close}{}", &text[..at], &text[at..]);
                assert_eq!(judged(&unknown).is_ok(), meta, "accepted {unknown}");
                if close.is_empty() {
                    continue;
                }
                let field = &text[at..at + first_field(&text[at..])];
                let twice = format!("{}{field},{}", &text[..at], &text[at..]);
                assert!(judged(&twice).is_err(), "accepted {twice}");
            }
        }
    }

    pub(super) fn stories_leave_nothing_out<G: FullGame>() {
        for walk in &walks::<G>(&option_sets::<G>(), 2, 300) {
            let log = walk.end.log().expect("a log");
            let setup = walk.end.setup();
            for viewer in walk.viewers() {
                for logged in &log.events {
                    let told = |to| logged.tell(setup, to).is_some();
                    let learns = G::announce(setup, &logged.event, viewer).is_some();
                    let left_out = learns && told(Observer::Referee) && !told(viewer);
                    assert!(!left_out, "{:?} is not told of {:?}", viewer, logged.event);
                }
            }
            let rendered =
                log.events.iter().filter(|it| it.tell(setup, Observer::Referee).is_some());
            let rendered: std::collections::BTreeSet<u32> =
                rendered.map(|logged| logged.ply).collect();
            // What the dealing tells has the ply of the first action, too.
            for (ply, action) in walk.actions.iter().enumerate().skip(1) {
                let game = G::META.id;
                assert!(rendered.contains(&(ply as u32)), "{game}: nothing is told of {action:?}");
            }
        }
        let mut seen = 0;
        crate::walk::each_fixture_table::<G>(|name, table| {
            let events = &table.log().expect("a log").events;
            let new = events.get(std::mem::replace(&mut seen, events.len())..).unwrap_or_default();
            let rendered = new.iter().any(|it| it.tell(table.setup(), Observer::Referee).is_some());
            assert!(rendered || table.ply() == 0, "{name}: nothing is told behind {}", table.ply());
        });
    }

    pub(super) fn actions_are_said<G: FullGame>() {
        if umpire_engine::games::find(G::META.id).is_none() {
            // A toy has no words.
            return;
        }
        let said = |setup: &G::Setup, state: Option<&G::State>, action: &G::Action| {
            let text = G::describe_action(setup, state, action).unwrap_or_default();
            let garbled = text.is_empty() || text.contains(['{', '}', '_']) || text.contains("::");
            assert!(!garbled, "{}: {text:?} of {action:?}", G::META.id);
        };
        let mut offered = 0;
        let mut check = |table: &Table<G>| {
            for seat in table.decision().seats.iter() {
                let mut list = Listing { actions: Vec::new(), ranges: Vec::new(), most: 200 };
                let _ = table.legal(seat, &mut list);
                offered += list.actions.len();
                let state = Some(table.state());
                list.actions.iter().for_each(|action| said(table.setup(), state, action));
                let mut random = Random::new("said", table.ply().into());
                for range in &list.ranges {
                    for action in G::propose(table.setup(), table.state(), range, &mut random) {
                        said(table.setup(), state, &action);
                    }
                }
            }
        };
        for walk in &walks::<G>(&option_sets::<G>(), 2, 300) {
            walk.actions.iter().for_each(|action| said(walk.end.setup(), None, action));
            check(&walk.end);
        }
        crate::walk::each_fixture_table::<G>(|_, table| check(table));
        assert!(offered > 1000, "{}: only {offered} actions were looked at", G::META.id);
    }

    pub(crate) fn random_play_ends<G: Game>() {
        let Facts { most_plies: bound, endless, .. } = facts::<G>();
        assert!(!bound.because.is_empty());
        let mut sets = option_sets::<G>();
        sets.retain(|options| !endless.iter().any(|it| it.is_in(options)));
        let mut games = walks::<G>(&sets, 2, bound.value);
        games.extend((0..12).map(|it| walk::<G>("{}", &format!("end {it}"), bound.value)));
        for walk in games {
            let Some(outcome) = walk.end.outcome() else {
                panic!(
                    "{} {} {:?}: no end after {} plies ({})",
                    G::META.id,
                    walk.options,
                    walk.seed,
                    bound.value,
                    bound.because
                );
            };
            assert!(G::META.endings.contains(&outcome.reason), "{outcome:?}");
            assert!(walk.end.decision().seats.is_empty());
        }
    }

    /// Every chapter of the clauses has a title, and every title a chapter.
    pub(super) fn chapters_have_titles<G: FullGame>() {
        use umpire_engine::rules::RuleKind;
        let Some(game) = umpire_engine::games::find(G::META.id) else { return };
        let clauses = game.rules().iter().filter(|entry| entry.kind == RuleKind::Clause);
        let chapter = |id: &'static str| {
            let number = id.split_once('-').and_then(|(_, number)| number.split('.').next());
            number.and_then(|number| number.parse::<usize>().ok()).expect("a clause has a number")
        };
        let chapters: std::collections::BTreeSet<usize> =
            clauses.map(|entry| chapter(entry.id)).collect();
        // A chapter of the document that is no rule of play (a map, a format) may have a title without a clause.
        assert_eq!(chapters.last(), Some(&G::META.chapters.len()), "{}", G::META.id);
        assert!(G::META.chapters.iter().all(|title| !title.is_empty()));
    }

    pub(crate) fn perft_counts_hold<G: Game>() {
        let facts = facts::<G>();
        let registered = umpire_engine::games::find(G::META.id).is_some();
        assert!(!registered || facts.perft.len() >= 2, "{}: give perft counts", G::META.id);
        for case in facts.perft {
            assert!(case.counts.len() >= 2, "{}: at least two depths", case.title);
            assert!(!case.source.is_empty(), "{}: who says so?", case.title);
            let text = case.record.to_string();
            let record = RawRecord::read(text.as_bytes()).expect("a record");
            let loaded = umpire_engine::replay::load::<G>(&record, Limits::default())
                .unwrap_or_else(|fault| panic!("{}: {fault}", case.title));
            let (setup, mut source) = (loaded.setup, loaded.source);
            let table = match loaded.position {
                Some(state) => Table::<G>::resume(setup, state, &mut source, Keep::Nothing),
                None => Table::<G>::open(setup, &mut source, Keep::Nothing),
            };
            let mut table = table.unwrap_or_else(|stop| panic!("{}: {stop:?}", case.title));
            for action in &loaded.actions {
                let result = table.play(action, &mut source);
                assert!(result.is_ok(), "{}: {}", case.title, rendered(&result));
            }
            let counts: Vec<u64> =
                (1..=case.counts.len() as u32).map(|it| perft(&table, &source, it)).collect();
            assert_eq!(counts, case.counts, "{} {}", G::META.id, case.title);
        }
    }

    pub(super) fn odds_add_up_to_one<G: FullGame>() {
        let mut chooser = Chooser::new("odds");
        let mut rendered = 0;
        for Spot { table, chance, origin } in &spots(&some_walks::<G>(), 200, 100) {
            for seat in table.decision().seats.iter() {
                let Some(action) = menu(table, seat).pick(table, &mut chooser) else {
                    continue;
                };
                let branches = match outcomes(table, &action, 400) {
                    Ok(branches) => branches,
                    Err(NoOdds::TooMany) => continue,
                    Err(other) => panic!("{}: {other:?}", G::META.id),
                };
                rendered += 1;
                let sum = branches.iter().fold((0u128, 1u128), |(over, under), branch| {
                    let (a, b) = branch.odds;
                    let (over, under) = (over * b + a * under, under * b);
                    let common = divisor(over, under);
                    (over / common, under / common)
                });
                assert_eq!(sum, (1, 1), "{}: {}", G::META.id, json(&action));
                let mut next = table.clone();
                let result = next.play(&action, &mut chance.clone());
                assert!(result.is_ok());
                let real = branches.iter().filter(|branch| branch.state == *next.state());
                assert_eq!(real.count(), 1, "{origin}: what fell has no odds");
            }
        }
        assert!(rendered > 10, "{}: odds of {rendered} steps only", G::META.id);
    }

    fn divisor(mut a: u128, mut b: u128) -> u128 {
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a
    }
}

#[test]
fn perft_of_a_toy_is_counted_by_hand() {
    // First ply: roll only. The seed shows no one, so then: roll or bank.
    let table = Table::<umpire_testing::toys::race::Race>::open(
        Arc::default(),
        &mut Seeded::new("", &["race.die"]),
        Keep::Nothing,
    )
    .unwrap_or_else(|stop| panic!("{stop:?}"));
    let chance = Seeded::new("perft", &["race.die"]);
    assert_eq!([1, 2].map(|depth| perft(&table, &chance, depth)), [1, 2]);
}
