//! Explanations must be true: every stated fact is checked against the states of the same replay,
//! for every game and every viewer.

#[allow(dead_code, reason = "shared with the laws, which need more of it")]
mod toys;
#[allow(dead_code, reason = "shared with the laws, which need more of it")]
mod walk;

use std::collections::BTreeSet;

use serde_json::Value;
use umpire_engine::erased::{self, AnyGame, Include, Limits, Of, Query, Unanswered};
use umpire_engine::game::{Game, Observer};
use umpire_engine::games::Visitor;
use umpire_engine::record::RawRecord;
use umpire_engine::rules::Rule as _;
use walk::{Chooser, Spot, Walk, json, menu, option_sets, record, spots, walks};

/// A law over every game as one test.
macro_rules! laws {
    ($($(#[$doc:meta])* $name:ident;)*) => {
        $(
            $(#[$doc])*
            #[test]
            fn $name() {
                struct Law;
                impl Visitor for Law {
                    fn game<G: Game>(&mut self) {
                        check::$name::<G>();
                    }
                }
                walk::every_game(&mut Law);
            }
        )*
    };
}

laws! {
    /// Every fact of an explanation is true, and the facts make the states.
    explanations_are_true;
    /// Asked for one ply, the answer is that part of the whole.
    one_ply_is_a_part_of_the_whole;
    /// From a position as well, whoever looks.
    explanations_from_a_position_are_true;
    /// An explanation in which anything is wrong is found out.
    a_wrong_explanation_is_found_out;
}

/// A few games, none of them long.
fn some_walks<G: Game>() -> Vec<Walk<G>> {
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
    fn of<G: Game>(text: &str, viewer: Observer) -> Told {
        let game = Of::<G>::new();
        let record = RawRecord::read(text.as_bytes()).expect("a record");
        let loaded = erased::load::<G>(&record, Limits::default()).expect("a record of the game");
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
        for (at, (told, state)) in self.explain.iter().zip(&self.states).enumerate() {
            if told["ply"] != at.saturating_sub(1) || told["decision"].is_null() != (at == 0) {
                return Err(format!("explanation {at} is not of its ply"));
            }
            for explained in told["events"].as_array().ok_or("no events")? {
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
            list(&told["facts"]).try_for_each(|fact| fold(&mut running, fact, &mut count))?;
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

    pub(super) fn explanations_are_true<G: Game>() {
        let (mut changed, mut unchanged) = (0, 0);
        for walk in some_walks::<G>() {
            let text = walk.record(walk.actions.len(), &walk.seed_chance());
            for viewer in walk.viewers().into_iter().chain([Observer::Referee]) {
                let told = Told::of::<G>(&text, viewer);
                let count = told.check().unwrap_or_else(|why| {
                    panic!("{} {} {:?} {viewer:?}: {why}", G::META.id, walk.options, walk.seed)
                });
                changed += count.changed;
                unchanged += count.unchanged;
                for (told, action) in told.explain[1..].iter().zip(&walk.actions) {
                    let player = G::player(action);
                    assert_eq!(told["player"], G::META.seat_name(player));
                    match told.get("action") {
                        Some(shown) => assert_eq!(shown.to_string(), value(action).to_string()),
                        None => assert!(!viewer.sees(player), "{told}"),
                    }
                    assert!(viewer.sees(player) || told.get("action").is_none(), "{told}");
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

    pub(super) fn one_ply_is_a_part_of_the_whole<G: Game>() {
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
                        let plies = ply as u32;
                        let none = Unanswered::NoSuchPly { asked: plies, plies };
                        assert_eq!(part.err(), Some(none));
                        continue;
                    }
                    let from = if ply == 0 { 0 } else { ply + 1 };
                    let part = part.expect("an explanation").explanations;
                    assert_eq!(json(&part), json(&whole[from..ply + 2]), "{} {ply}", G::META.id);
                }
            }
        }
    }

    pub(super) fn explanations_from_a_position_are_true<G: Game>() {
        let mut chooser = Chooser::new("explained");
        for spot in &spots(&some_walks::<G>(), 60, 80) {
            let Spot { table, origin, .. } = spot;
            let Some(seat) = table.may_act().iter().next() else { continue };
            let Some(action) = menu(table, seat).pick(table, &mut chooser) else { continue };
            let options = json(&G::options(table.setup()));
            let view = json(&table.view(Observer::Referee));
            let actions = format!("[{}]", json(&action));
            let text = record::<G>(&options, r#"{"seed":"e"}"#, Some(&view), &actions);
            for viewer in spot.viewers().into_iter().chain([Observer::Referee]) {
                let told = Told::of::<G>(&text, viewer);
                told.check().unwrap_or_else(|why| panic!("{origin} {viewer:?}: {why}"));
            }
        }
    }

    pub(super) fn a_wrong_explanation_is_found_out<G: Game>() {
        let walk = &some_walks::<G>()[0];
        let text = walk.record(walk.actions.len().min(40), &walk.seed_chance());
        for viewer in [Observer::Referee, Observer::Spectator] {
            let mut told = Told::of::<G>(&text, viewer);
            assert!(told.check().is_ok());
            let mut tried = 0;
            for at in 0..told.explain.len() {
                let events = list(&told.explain[at]["events"]).count();
                for event in 0..events {
                    let whole = told.explain[at].clone();
                    let facts = list(&whole["events"][event]["facts"]).count();
                    for fact in 0..facts {
                        let path = format!("/events/{event}/facts/{fact}");
                        let was = whole.pointer(&path).expect("a fact");
                        for wrong in wrong_facts(was) {
                            *told.explain[at].pointer_mut(&path).expect("a fact") = wrong.clone();
                            assert!(told.check().is_err(), "{}: {was} as {wrong}", G::META.id);
                            tried += 1;
                        }
                        told.explain[at] = whole.clone();
                        if was.get("before") != was.get("after") {
                            let path = format!("/events/{event}/facts");
                            let facts = told.explain[at].pointer_mut(&path);
                            let facts = facts.and_then(Value::as_array_mut).expect("facts");
                            facts.remove(fact);
                            assert!(told.check().is_err(), "{}: without {was}", G::META.id);
                            told.explain[at] = whole.clone();
                        }
                        if tried > 600 {
                            return;
                        }
                    }
                    told.explain[at]["events"][event]["clauses"][0]["id"] = "XYZ-0.0".into();
                    assert!(told.check().is_err(), "{}: a clause of no book", G::META.id);
                    told.explain[at] = whole.clone();
                    let list = told.explain[at]["events"].as_array_mut().expect("events");
                    list.remove(event);
                    assert!(told.check().is_err(), "{}: an event left out", G::META.id);
                    told.explain[at] = whole;
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
