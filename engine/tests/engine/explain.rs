//! Explanations must be true: every stated fact is checked against the states of the same replay,
//! for every game and every viewer. What is said of a refusal is tried again, and tells no secret.

use std::collections::BTreeSet;

use crate::walk::{Chooser, Pool, Spot, Walk, json, menu, option_sets, record, spots, walks};
use serde_json::Value;
use umpire_engine::any_game::{AnyGame, Of};
use umpire_engine::chance::seeded::Seeded;
use umpire_engine::dispute::patch::{Edit, apply};
use umpire_engine::dispute::why::Bounds;
use umpire_engine::game::{FullGame, Keep, Observer, PlayerAction, Table, TableSetup};
use umpire_engine::record::{FaultCode, RawRecord};
use umpire_engine::replay::answer::Unanswered;
use umpire_engine::replay::{Include, Limits, Query};
use umpire_engine::rules::Rule as _;

laws! {
    /// Every fact of an explanation is true, and the facts make the states.
    explanations_are_true;
    /// Asked for one ply, the answer is that part of the whole.
    one_ply_is_a_part_of_the_whole;
    /// The states, the events and the explanations of an answer have no more bytes than they may.
    a_part_has_a_bounded_length;
    /// From a position as well, whoever looks.
    explanations_from_a_position_are_true;
    /// An explanation in which anything is wrong is found out.
    a_wrong_explanation_is_found_out;
    /// Asked why not, the referee says what a replay says.
    why_not_says_what_a_replay_says;
    /// A change that is said to allow an action does so.
    allowing_changes_allow;
    /// Worlds that a viewer cannot tell apart give the same answer, byte for byte.
    why_not_tells_no_secret;
    /// A seat is told of its own actions what is so.
    why_not_is_true_for_every_viewer;
}

/// Whether a condition reads as one at the table: with a verb, without a path, an id or fields of the record. The kind of
/// a card may stand in brackets behind its name.
fn is_sentence(words: &str) -> bool {
    let verb = words
        .split(", and ")
        .all(|it| it.contains(" were ") || it.contains(" had ") || it.starts_with("there "));
    let brackets = words.match_indices('(').all(|(at, _)| {
        let inside = words[at + 1..].split(')').next().unwrap_or_default();
        inside.len() == 4 && (inside.starts_with("dg") || inside.starts_with("dw"))
    });
    verb && brackets && !words.contains(['_', '/', '{', '"'])
}

/// A few games, none of them long.
fn some_walks<G: FullGame>() -> Vec<Walk<G>> {
    let sets = option_sets::<G>();
    let mut all = walks::<G>(&sets[..1], 2, 300);
    let step = (sets.len() / 4).max(1);
    let others: Vec<String> = sets[1..].iter().step_by(step).cloned().collect();
    all.extend(walks::<G>(&others, 1, 120));
    all
}

/// What a report says, as anybody reads it.
struct Told {
    /// The view before anything happened.
    begin: Value,
    /// The view after the opening and after each ply.
    states: Vec<Value>,
    events: Vec<Value>,
    explain: Vec<Value>,
    rules: BTreeSet<&'static str>,
}

impl Told {
    fn of<G: FullGame>(text: &str, viewer: Observer) -> Told {
        let game = Of::<G>::new();
        let record = RawRecord::read(text.as_bytes()).expect("a record");
        let loaded = umpire_engine::replay::load::<G>(&record, Limits::default())
            .expect("a record of the game");
        let begin = loaded.position.unwrap_or_else(|| G::start(&loaded.setup));
        let begin = G::view(&loaded.setup, &begin, viewer);
        let include = Include { events: true, states: true, explain: true, ..Include::default() };
        let report = game.replay(&record, &Query { viewer, include, ..Query::default() });
        let report = serde_json::to_value(report.expect("a report")).expect("reports serialise");
        let list = |key: &str| report[key].as_array().expect("it was asked for").clone();
        Told {
            begin: serde_json::to_value(begin).expect("views serialise"),
            states: list("states").into_iter().map(|mut it| it["state"].take()).collect(),
            events: list("events"),
            explain: list("explain"),
            rules: G::Rule::TABLE.iter().map(|entry| entry.id).collect(),
        }
    }

    /// Whether everything that is told is so.
    fn check(&self) -> Result<Count, String> {
        if self.explain.len() != self.states.len() {
            return Err("a ply is missing".to_owned());
        }
        let mut count = Count::default();
        let mut running = self.begin.clone();
        let mut events = self.events.iter();
        for (at, (rendered, state)) in self.explain.iter().zip(&self.states).enumerate() {
            if rendered["ply"] != at.saturating_sub(1)
                || rendered["decision"].is_null() != (at == 0)
            {
                return Err(format!("explanation {at} is not of its ply"));
            }
            for explained in rendered["events"].as_array().ok_or("no events")? {
                if Some(&explained["event"]) != events.next() {
                    return Err(format!("another event at ply {at}: {explained}"));
                }
                let clauses: Vec<&str> = list(&explained["clauses"])
                    .filter_map(|clause| clause["id"].as_str())
                    .filter(|id| self.rules.contains(id))
                    .collect();
                if clauses.len() != list(&explained["clauses"]).count()
                    || clauses.first().copied() != explained["event"]["rule"].as_str()
                {
                    return Err(format!("clauses at ply {at}: {explained}"));
                }
                list(&explained["facts"])
                    .try_for_each(|fact| fold(&mut running, fact, &mut count))?;
            }
            list(&rendered["facts"]).try_for_each(|fact| fold(&mut running, fact, &mut count))?;
            if running != *state {
                return Err(format!("the facts of explanation {at} make\n{running}\nnot\n{state}"));
            }
        }
        match events.next() {
            None => Ok(count),
            Some(event) => Err(format!("an event is missing: {event}")),
        }
    }
}

/// How many facts were looked at.
#[derive(Default)]
struct Count {
    changed: usize,
    unchanged: usize,
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// Applies one fact to what is known so far, or says why it is not true.
fn fold(running: &mut Value, fact: &Value, count: &mut Count) -> Result<(), String> {
    let pointer = fact["pointer"].as_str().ok_or("no pointer")?;
    let wrong = |why: &str| Err(format!("{why}: {fact}"));
    let (before, after) = (fact.get("before"), fact.get("after"));
    if before.is_some() && before == after {
        count.unchanged += 1;
        return match running.pointer(pointer) == before {
            true => Ok(()),
            false => wrong("this is not so"),
        };
    }
    count.changed += 1;
    if before.is_some() && running.pointer(pointer) != before {
        return wrong("this was not so");
    }
    let Some((parent, last)) = pointer.rsplit_once('/') else { return wrong("no place") };
    let last = last.replace("~1", "/").replace("~0", "~");
    match (running.pointer_mut(parent), before, after) {
        (Some(Value::Object(fields)), None, Some(new)) if !fields.contains_key(&last) => {
            fields.insert(last, new.clone());
        }
        (Some(Value::Object(fields)), Some(_), None) => drop(fields.remove(&last)),
        (Some(Value::Object(fields)), Some(_), Some(new)) => {
            fields.insert(last, new.clone());
        }
        (Some(Value::Array(items)), before, after) => {
            let Ok(index) = last.parse::<usize>() else { return wrong("no index") };
            match (before, after) {
                (None, Some(new)) if index <= items.len() => items.insert(index, new.clone()),
                (Some(_), None) => drop(items.remove(index)),
                (Some(_), Some(new)) => items[index] = new.clone(),
                _ => return wrong("no change"),
            }
        }
        _ => return wrong("no change"),
    }
    Ok(())
}

mod check {
    use super::*;

    pub(super) fn explanations_are_true<G: FullGame>() {
        let (mut changed, mut unchanged) = (0, 0);
        for walk in some_walks::<G>() {
            let text = walk.record(walk.actions.len(), &walk.seed_chance());
            for viewer in walk.viewers().into_iter().chain([Observer::Referee]) {
                let rendered = Told::of::<G>(&text, viewer);
                let count = rendered.check().unwrap_or_else(|why| {
                    panic!("{} {} {:?} {viewer:?}: {why}", G::META.id, walk.options, walk.seed)
                });
                changed += count.changed;
                unchanged += count.unchanged;
                for (rendered, action) in rendered.explain[1..].iter().zip(&walk.actions) {
                    let player = G::Action::seat(action);
                    assert_eq!(rendered["player"], G::META.seat_name(player));
                    match rendered.get("action") {
                        Some(shown) => assert_eq!(shown.to_string(), value(action).to_string()),
                        None => assert!(!viewer.sees(player), "{rendered}"),
                    }
                    assert!(viewer.sees(player) || rendered.get("action").is_none(), "{rendered}");
                }
            }
        }
        let id = G::META.id;
        assert!(changed > 100, "{id}: {changed} changes");
        let registered = umpire_engine::games::find(id).is_some();
        assert!(!registered || unchanged > 100, "{id}: {unchanged} other facts");
    }

    fn value<T: serde::Serialize>(value: &T) -> Value {
        serde_json::to_value(value).expect("wire types serialise")
    }

    pub(super) fn one_ply_is_a_part_of_the_whole<G: FullGame>() {
        let game = Of::<G>::new();
        for walk in some_walks::<G>().iter().take(2) {
            let text = walk.record(walk.actions.len(), &walk.seed_chance());
            let record = RawRecord::read(text.as_bytes()).expect("a record");
            for viewer in [Observer::Referee, Observer::Spectator] {
                let ask = |ply| game.explain(&record, &Query { viewer, ply, ..Query::default() });
                let whole = ask(None).expect("explanations").explanations;
                assert_eq!(whole.len(), walk.actions.len() + 1);
                for ply in walk.plies(10) {
                    let part = ask(Some(ply as u32));
                    if ply == walk.actions.len() {
                        // Where the record ends it is only said what is to be decided, and beyond nothing.
                        let end = json(&part.expect("an explanation").explanations);
                        assert!(end.contains("\"events\":[],\"facts\":[]"), "{end}");
                        assert!(end.contains("\"player\":null,\"decision\":{"), "{end}");
                        let (asked, plies) = (ply as u32 + 1, ply as u32);
                        let none = Unanswered::NoSuchPly { asked, plies };
                        assert_eq!(ask(Some(asked)).err(), Some(none));
                        continue;
                    }
                    let from = if ply == 0 { 0 } else { ply + 1 };
                    let part = part.expect("an explanation").explanations;
                    assert_eq!(json(&part), json(&whole[from..ply + 2]), "{} {ply}", G::META.id);
                }
            }
        }
    }

    pub(super) fn a_part_has_a_bounded_length<G: FullGame>() {
        let game = Of::<G>::new();
        let walk = &some_walks::<G>()[0];
        let text = walk.record(walk.actions.len(), &walk.seed_chance());
        let record = RawRecord::read(text.as_bytes()).expect("a record");
        let (none, all) = (Include::default(), usize::MAX);
        for include in [
            Include { events: true, ..none },
            Include { states: true, ..none },
            Include { explain: true, ..none },
        ] {
            let ask = |part| {
                let limits = Limits { part, ..Limits::default() };
                game.replay(&record, &Query { include, limits, ..Query::default() })
            };
            let short = serde_json::to_value(ask(all).expect("a report")).expect("JSON");
            let part = ["events", "states", "explain"].map(|name| short[name].to_string().len());
            let length = part.into_iter().max().unwrap_or(0);
            assert!(ask(2 * length).is_ok(), "{include:?}: {length}");
            let Err(Unanswered::Fault(fault)) = ask(length / 3) else { panic!("{include:?}") };
            assert_eq!(fault.code, FaultCode::TooManyActions);
        }
    }

    pub(super) fn explanations_from_a_position_are_true<G: FullGame>() {
        let mut chooser = Chooser::new("explained");
        for spot in &spots(&some_walks::<G>(), 60, 80) {
            let Spot { table, origin, .. } = spot;
            let Some(seat) = table.may_act().iter().next() else { continue };
            let Some(action) = menu(table, seat).pick(table, &mut chooser) else { continue };
            let options = json(&G::Setup::options(table.setup()));
            let view = json(&table.view(Observer::Referee));
            let actions = format!("[{}]", json(&action));
            let text = record::<G>(&options, r#"{"seed":"e"}"#, Some(&view), &actions);
            for viewer in spot.viewers().into_iter().chain([Observer::Referee]) {
                let rendered = Told::of::<G>(&text, viewer);
                rendered.check().unwrap_or_else(|why| panic!("{origin} {viewer:?}: {why}"));
            }
        }
    }

    const BOUNDS: Bounds = Bounds { loads: 600, pairs: 900, worlds: 6 };

    /// Asks about an action at the beginning of a record.
    fn ask<G: FullGame>(text: &str, action: &str, viewer: Observer, bounds: &Bounds) -> Value {
        let record = RawRecord::read(text.as_bytes()).expect("a record");
        let query = Query { viewer, ply: Some(0), ..Query::default() };
        let answer = Of::<G>::new().why(&record, action, &query, bounds);
        value(&answer.unwrap_or_else(|fault| panic!("{}: {fault:?}", G::META.id)))
    }

    /// The spot as a record with some actions.
    fn at<G: FullGame>(spot: &Spot<G>, actions: &str) -> String {
        let options = json(&G::Setup::options(spot.table.setup()));
        let view = json(&spot.table.view(Observer::Referee));
        record::<G>(&options, r#"{"seed":"why"}"#, Some(&view), actions)
    }

    /// Actions to ask about, legal ones and others: offered, of other seats, with a fault.
    fn proposals<G: FullGame>(spot: &Spot<G>, pool: &Pool, chooser: &mut Chooser) -> Vec<Value> {
        let mut all = Vec::new();
        for seat in G::Setup::players(spot.table.setup()).iter() {
            let menu = menu(&spot.table, seat);
            let mut own: Vec<Value> = (0..2)
                .filter_map(|_| menu.pick(&spot.table, chooser))
                .map(|it| value(&it))
                .collect();
            own.push(pool.foreign(G::META.seat_name(seat), chooser));
            own.push(pool.foreign(G::META.seat_name(seat), chooser));
            let mutated = pool.mutated(chooser.one_of(&own), chooser);
            own.push(mutated);
            all.extend(own);
        }
        all
    }

    fn verdict<G: FullGame>(text: &str) -> Value {
        let record = RawRecord::read(text.as_bytes()).expect("a record");
        let judged = Of::<G>::new().judge(&record, Limits::default());
        value(&judged.unwrap_or_else(|fault| panic!("{}: {fault}\n{text}", G::META.id)).verdict)
    }

    pub(super) fn why_not_says_what_a_replay_says<G: FullGame>() {
        let all = some_walks::<G>();
        let pool = Pool::of(&all);
        let mut chooser = Chooser::new("why");
        let bounds = Bounds { loads: 0, pairs: 0, worlds: 0 };
        let mut rendered = [0; 2];
        for spot in &spots(&all, 120, 120) {
            for action in proposals(spot, &pool, &mut chooser) {
                let text = action.to_string();
                let answer = ask::<G>(&at(spot, "[]"), &text, Observer::Referee, &bounds);
                let verdict = verdict::<G>(&at(spot, &format!("[{text}]")));
                let mut violation = verdict["violation"].clone();
                let legal = violation.is_null();
                rendered[usize::from(legal)] += 1;
                assert_eq!(answer["answer"], if legal { "legal" } else { "illegal" }, "{text}");
                assert_eq!(answer["action"], action);
                if legal {
                    assert_eq!(list(&answer["violations"]).count(), 0, "{text}");
                    continue;
                }
                assert_eq!(answer["nearest"], violation["nearest"], "{} {text}", spot.origin);
                violation["nearest"] = Value::Array(Vec::new());
                assert_eq!(answer["violations"][0], violation, "{} {text}", spot.origin);
                assert_eq!(answer["message"], violation["message"]);
                assert_eq!(answer["clauses"][0]["id"], violation["rule"]);
            }
        }
        assert!(rendered[0] > 50 && rendered[1] > 50, "{}: {rendered:?}", G::META.id);
    }

    pub(super) fn allowing_changes_allow<G: FullGame>() {
        let all = some_walks::<G>();
        let pool = Pool::of(&all);
        let mut chooser = Chooser::new("allowing");
        let registered = umpire_engine::games::find(G::META.id).is_some();
        let (mut illegal, mut helped, mut two, mut behind) = (0, 0, 0, 0);
        for spot in &spots(&all, 20, 120) {
            for action in proposals(spot, &pool, &mut chooser) {
                let text = action.to_string();
                if spot.table.outcome().is_some() {
                    continue;
                }
                let answer = ask::<G>(&at(spot, "[]"), &text, Observer::Referee, &BOUNDS);
                let view = value(&spot.table.view(Observer::Referee));
                illegal += usize::from(answer["answer"] == "illegal");
                helped += usize::from(list(&answer["changes"]).count() > 0);
                behind += usize::from(list(&answer["violations"]).count() > 1);
                for change in list(&answer["changes"]) {
                    let edits: Vec<Edit> =
                        serde_json::from_value(change["edits"].clone()).expect("edits");
                    two += usize::from(edits.len() > 1);
                    let words = change["words"].as_str().unwrap_or_default();
                    assert!(words.len() > 10, "{change}");
                    assert!(!registered || is_sentence(words), "{text}: {words}");
                    let position = apply(&view, &edits).expect("edits that fit");
                    let options = json(&G::Setup::options(spot.table.setup()));
                    let chance = r#"{"seed":"why"}"#;
                    let position = position.to_string();
                    let with = format!("[{text}]");
                    let verdict =
                        verdict::<G>(&record::<G>(&options, chance, Some(&position), &with));
                    assert_eq!(verdict["plies"], 1, "{} {text}: {change}", spot.origin);
                }
            }
        }
        assert!(!registered || helped > 10, "{}: {helped} of {illegal}", G::META.id);
        // In this toy an action can break two clauses, each to be mended by itself.
        assert!(G::META.id != "race" || two > 5 && behind > 5, "{two} by two, {behind} behind");
    }

    fn world<G: FullGame>(spot: &Spot<G>, viewer: Observer, seed: &str) -> Spot<G> {
        let mut chance = Seeded::new(seed, G::META.streams);
        let (setup, view) = (spot.table.setup(), spot.table.view(viewer));
        let state = G::determinize(setup, &view, &mut chance).expect("a world");
        let table = Table::resume(setup.clone(), state, &mut chance, Keep::Nothing);
        let Ok(table) = table else { panic!("{}: no table", spot.origin) };
        Spot { table, chance, origin: spot.origin.clone() }
    }

    pub(super) fn why_not_tells_no_secret<G: FullGame>() {
        let all = some_walks::<G>();
        let pool = Pool::of(&all);
        let mut chooser = Chooser::new("secrets");
        let (mut differ, mut open) = (0, 0);
        for spot in &spots(&all, 30, 20) {
            let asked = proposals(spot, &pool, &mut chooser);
            for viewer in spot.viewers() {
                let worlds = ["left", "right"].map(|seed| world(spot, viewer, seed));
                differ += usize::from(worlds[0].table.state() != worlds[1].table.state());
                let texts = [at(spot, "[]"), at(&worlds[0], "[]"), at(&worlds[1], "[]")];
                for action in asked.iter().step_by(1 + asked.len() / 12) {
                    let action = action.to_string();
                    let [here, left, right] =
                        [0, 1, 2].map(|at| ask::<G>(&texts[at], &action, viewer, &BOUNDS));
                    assert_eq!(left.to_string(), right.to_string(), "{} {viewer:?}", spot.origin);
                    assert_eq!(left.to_string(), here.to_string(), "{} {viewer:?}", spot.origin);
                    assert_eq!(list(&here["changes"]).count(), 0);
                    open += usize::from(here["answer"] == "undecidable");
                }
            }
        }
        assert!(G::META.id != "bids" || differ > 0 && open > 0, "{differ} {open}");
    }

    pub(super) fn why_not_is_true_for_every_viewer<G: FullGame>() {
        let all = some_walks::<G>();
        let pool = Pool::of(&all);
        let mut chooser = Chooser::new("own");
        let bounds = Bounds { loads: 0, pairs: 0, ..BOUNDS };
        let (mut sure, mut near) = ([0; 2], 0);
        for spot in &spots(&all, 60, 40) {
            let record = at(spot, "[]");
            let truth = |text: &str| ask::<G>(&record, text, Observer::Referee, &bounds);
            for action in proposals(spot, &pool, &mut chooser) {
                let seat = action["player"].as_str().and_then(|it| G::META.seat(it));
                let text = action.to_string();
                let truly = truth(&text);
                for viewer in spot.viewers() {
                    let rendered = ask::<G>(&record, &text, viewer, &bounds);
                    let own = seat.is_some_and(|seat| viewer == Observer::Seat(seat));
                    let decided = rendered["answer"] != "undecidable";
                    let guessed = serde_json::from_str::<G::Action>(&text).is_ok_and(|action| {
                        let (setup, state) = (spot.table.setup(), spot.table.state());
                        G::Action::cite_guess(&action, setup, state, viewer).is_some()
                    });
                    assert!(decided || !own || guessed, "{} {text}: {rendered}", spot.origin);
                    if decided {
                        assert_eq!(rendered["answer"], truly["answer"], "{} {text}", spot.origin);
                        sure[usize::from(own)] += 1;
                    }
                    for action in list(&rendered["nearest"]) {
                        let text = action.to_string();
                        assert_eq!(truth(&text)["answer"], "legal", "{} {text}", spot.origin);
                        near += 1;
                    }
                }
            }
        }
        assert!(sure[0] > 0 && sure[1] > 0 && near > 0, "{}: {sure:?} {near}", G::META.id);
    }

    pub(super) fn a_wrong_explanation_is_found_out<G: FullGame>() {
        let walk = &some_walks::<G>()[0];
        let text = walk.record(walk.actions.len().min(40), &walk.seed_chance());
        for viewer in [Observer::Referee, Observer::Spectator] {
            let mut rendered = Told::of::<G>(&text, viewer);
            assert!(rendered.check().is_ok());
            let mut tried = 0;
            for at in 0..rendered.explain.len() {
                let whole = rendered.explain[at].clone();
                let events = list(&whole["events"]).count();
                let of_events = (0..events).map(|event| format!("/events/{event}/facts"));
                for place in of_events.chain(["/facts".to_owned()]) {
                    let facts = list(whole.pointer(&place).expect("facts")).count();
                    for fact in 0..facts {
                        let path = format!("{place}/{fact}");
                        let was = whole.pointer(&path).expect("a fact");
                        for wrong in wrong_facts(was) {
                            *rendered.explain[at].pointer_mut(&path).expect("a fact") =
                                wrong.clone();
                            assert!(rendered.check().is_err(), "{}: {was} as {wrong}", G::META.id);
                            tried += 1;
                        }
                        rendered.explain[at] = whole.clone();
                        if was.get("before") != was.get("after") {
                            let facts = rendered.explain[at].pointer_mut(&place);
                            let facts = facts.and_then(Value::as_array_mut).expect("facts");
                            facts.remove(fact);
                            assert!(rendered.check().is_err(), "{}: without {was}", G::META.id);
                            rendered.explain[at] = whole.clone();
                        }
                        if tried > 600 {
                            return;
                        }
                    }
                }
                for event in 0..events {
                    rendered.explain[at]["events"][event]["clauses"][0]["id"] = "XYZ-0.0".into();
                    assert!(rendered.check().is_err(), "{}: a clause of no book", G::META.id);
                    rendered.explain[at] = whole.clone();
                    let list = rendered.explain[at]["events"].as_array_mut().expect("events");
                    list.remove(event);
                    assert!(rendered.check().is_err(), "{}: an event left out", G::META.id);
                    rendered.explain[at] = whole.clone();
                }
            }
            assert!(tried > 20, "{}: {tried} lies only", G::META.id);
        }
    }

    /// The fact with one thing wrong, in several ways.
    fn wrong_facts(fact: &Value) -> Vec<Value> {
        let mut all = Vec::new();
        for key in ["before", "after"] {
            let mut wrong = fact.clone();
            wrong[key] = "no such thing".into();
            all.push(wrong);
        }
        let mut both = fact.clone();
        both["before"] = "no such thing".into();
        both["after"] = "no such thing".into();
        all.push(both);
        let mut elsewhere = fact.clone();
        elsewhere["pointer"] = "/no/such/place".into();
        all.push(elsewhere);
        all
    }
}
