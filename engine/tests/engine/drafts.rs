//! What actions that are put together choice by choice promise: no choice is a dead end, and every legal action can be
//! reached.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Value, json};
use umpire_engine::chance::seeded::Seeded;
use umpire_engine::game::{ActionRange, Draft, FullGame, Observer, Seat, Step, Table, Visitor};
use umpire_engine::replay::Limits;
use umpire_engine::replay::answer::{Choices, LegalQuery};
use umpire_engine::report::choices;

use crate::walk::{
    Chooser, Spot, each_fixture_table, every_game, json as text, menu, option_sets, spots, walks,
};

/// What may be chosen of an action of a seat.
fn next<G: FullGame>(table: &Table<G>, seat: Seat, draft: &str) -> (Draft, Option<Choices>) {
    let draft = Draft::read(draft).expect("a draft");
    let wanted = LegalQuery { partial: Some(&draft), ..LegalQuery::LIST };
    let all = choices(table, Observer::Seat(seat), wanted, Limits::default()).expect("choices");
    let own = all.into_iter().find(|it| it.player == G::META.seat_name(seat));
    (draft, own)
}

/// A value that a step offers, chosen at random.
fn any(step: &Step, chooser: &mut Chooser) -> Box<RawValue> {
    if let Some(values) = &step.values {
        return chooser.one_of(values).clone();
    }
    match step.least.zip(step.most) {
        Some((least, most)) => {
            let at = chooser.below((most - least + 1).min(1 << 20) as usize);
            raw(&(least + at as u64))
        }
        None => raw("words"),
    }
}

fn raw<T: serde::Serialize + ?Sized>(value: &T) -> Box<RawValue> {
    to_raw_value(value).expect("JSON")
}

fn grown(draft: &Draft, step: &Step, value: &RawValue, so_far: &Value) -> Value {
    draft.with(&step.pointer, value).unwrap_or_else(|why| panic!("{so_far} with {step:?}: {why}"));
    let mut grown = so_far.clone();
    let value: Value = serde_json::from_str(value.get()).expect("JSON");
    match step.pointer.strip_suffix("/-") {
        Some(list) => {
            let (above, key) = list.rsplit_once('/').expect("a pointer");
            let holder =
                grown.pointer_mut(above).and_then(Value::as_object_mut).expect("it is there");
            let list = holder.entry(key).or_insert_with(|| Value::Array(Vec::new()));
            list.as_array_mut().expect("a list").push(value);
        }
        None => {
            let (above, key) = step.pointer.rsplit_once('/').expect("a pointer");
            grown.pointer_mut(above).expect("it is there")[key] = value;
        }
    }
    grown
}

/// Chooses at random until an action is whole, which must then be legal.
fn wander<G: FullGame>(
    spot: &Spot<G>,
    seat: Seat,
    from: Value,
    chooser: &mut Chooser,
    seen: &mut Seen,
) {
    let mut draft = from;
    for _ in 0..400 {
        let (read, own) = next(&spot.table, seat, &draft.to_string());
        let own = own.unwrap_or_else(|| panic!("{}: nothing for {draft}", spot.origin));
        let steps = own.next.expect("there is a draft");
        let complete = own.complete.expect("there is a draft");
        if complete && (steps.is_empty() || chooser.below(4) == 0) {
            let action: G::Action = read.whole().expect("a whole action");
            let (mut table, mut chance) = (spot.table.clone(), spot.chance.clone());
            if let Err(stop) = table.play(&action, &mut chance) {
                panic!("{}: put together, not accepted: {draft}\n{stop:?}", spot.origin);
            }
            *seen.entry((G::META.id, type_of(&draft))).or_default() += 1;
            return;
        }
        assert!(!steps.is_empty(), "{}: a dead end: {draft}", spot.origin);
        let step = chooser.one_of(&steps);
        draft = grown(&read, step, &any(step, chooser), &draft);
    }
    panic!("{}: no end of {draft}", spot.origin);
}

type Seen = BTreeMap<(&'static str, String), usize>;

fn type_of(action: &Value) -> String {
    action["type"].as_str().unwrap_or_default().to_owned()
}

/// Whether what is offered is what is wanted, or what that begins with.
fn is_of(offered: &Value, wanted: &Value) -> bool {
    match (offered, wanted) {
        (Value::Object(offered), Value::Object(wanted)) => {
            offered.iter().all(|(key, value)| wanted.get(key) == Some(value))
        }
        _ => offered == wanted,
    }
}

/// What a step must be given on the way to an action.
fn wanted(step: &Step, draft: &Value, action: &Value) -> Option<Box<RawValue>> {
    let wanted = match step.pointer.strip_suffix("/-") {
        Some(list) => {
            let had = draft.pointer(list).and_then(Value::as_array).map_or(0, Vec::len);
            action.pointer(list)?.get(had)?
        }
        None => action.pointer(&step.pointer)?,
    };
    if let Some(values) = &step.values {
        let parsed = |value: &RawValue| serde_json::from_str(value.get()).unwrap_or(Value::Null);
        return values.iter().find(|value| is_of(&parsed(value), wanted)).cloned();
    }
    let number = || Some(step.least? <= wanted.as_u64()? && wanted.as_u64()? <= step.most?);
    (step.text && wanted.is_string() || number() == Some(true)).then(|| raw(wanted))
}

/// Puts a legal action together.
fn reach<G: FullGame>(
    table: &Table<G>,
    origin: &str,
    seat: Seat,
    action: &G::Action,
    seen: &mut Seen,
) {
    let action = serde_json::to_value(action).expect("actions serialise");
    let mut draft = json!({});
    loop {
        let (read, own) = next(table, seat, &draft.to_string());
        let own = own.unwrap_or_else(|| panic!("{origin}: nothing for {draft}"));
        if draft == action {
            assert_eq!(own.complete, Some(true), "{origin}: {draft}");
            *seen.entry((G::META.id, type_of(&draft))).or_default() += 1;
            return;
        }
        let steps = own.next.expect("there is a draft");
        let step = steps.iter().find_map(|step| Some((step, wanted(step, &draft, &action)?)));
        let Some((step, value)) = step else {
            panic!("{origin}: {action} is out of reach from {draft}: {}", text(&steps));
        };
        draft = grown(&read, step, &value, &draft);
    }
}

struct Law {
    wandered: Seen,
    reached: Seen,
    /// The types of actions of which there are ranges in the fixtures.
    ranged: BTreeSet<(&'static str, String)>,
}

impl Law {
    fn look<G: FullGame>(&mut self, spot: &Spot<G>, chooser: &mut Chooser) {
        for seat in spot.table.may_act().iter() {
            for _ in 0..3 {
                wander(spot, seat, json!({}), chooser, &mut self.wandered);
            }
            let menu = menu(&spot.table, seat);
            for _ in 0..4 {
                let Some(action) = menu.pick(&spot.table, chooser) else { continue };
                reach(&spot.table, &spot.origin, seat, &action, &mut self.reached);
            }
            for range in &menu.ranges {
                let r#type = serde_json::to_value(range).expect("ranges serialise")["type"].clone();
                for _ in 0..3 {
                    wander(spot, seat, json!({ "type": r#type }), chooser, &mut self.wandered);
                }
                let mut chance = Seeded::new("draft", G::META.streams);
                let (setup, state) = (spot.table.setup(), spot.table.state());
                let action = G::Range::sample(range, setup, state, &mut chance).expect("a sample");
                reach(&spot.table, &spot.origin, seat, &action, &mut self.reached);
            }
        }
    }
}

impl Visitor for Law {
    fn game<G: FullGame>(&mut self) {
        let sets = option_sets::<G>();
        let mut chooser = Chooser::new("drafts");
        for spot in spots(&walks::<G>(&sets, 1, 200), 400, 60) {
            self.look(&spot, &mut chooser);
        }
        // What is rare in random games is in the fixtures.
        each_fixture_table::<G>(|origin, table| {
            let rare = table.decision().seats.iter().any(|seat| {
                menu(table, seat).ranges.iter().any(|range| {
                    let range = serde_json::to_value(range).expect("ranges serialise");
                    let key = (G::META.id, type_of(&range));
                    let seen = self.reached.get(&key).copied().unwrap_or(0);
                    self.ranged.insert(key);
                    seen < 60
                })
            });
            if rare {
                let chance = Seeded::new("fixture", G::META.streams);
                let spot = Spot { table: table.bare(), chance, origin: origin.to_owned() };
                self.look(&spot, &mut chooser);
            }
        });
    }
}

#[test]
fn every_action_is_put_together_choice_by_choice_and_no_choice_is_a_dead_end() {
    let mut law = Law { wandered: Seen::new(), reached: Seen::new(), ranged: BTreeSet::new() };
    every_game(&mut law);
    for key in &law.ranged {
        let seen = |all: &Seen| all.get(key).copied().unwrap_or(0);
        println!("{key:?}: wandered {} reached {}", seen(&law.wandered), seen(&law.reached));
        assert!(seen(&law.reached) > 0, "{key:?} was not reached");
    }
    // Those of the rules documents: ten of one game, one of another.
    assert_eq!(law.ranged.len(), 11, "{:?}", law.ranged);
    assert!(law.wandered.values().sum::<usize>() > 1000);
}

#[test]
fn what_begins_like_no_legal_action_leads_nowhere() {
    struct Nowhere;
    impl Visitor for Nowhere {
        fn game<G: FullGame>(&mut self) {
            for spot in spots(&walks::<G>(&["{}".to_owned()], 1, 60), 8, 0) {
                for seat in spot.table.may_act().iter() {
                    let name = text(G::META.seat_name(seat));
                    let wrong = [
                        r#"{"type":"no such type"}"#.to_owned(),
                        format!(r#"{{"player":{name},"type":["draw"]}}"#),
                        format!(r#"{{"player":{name},"no such field":1}}"#),
                    ];
                    for draft in wrong {
                        let (_, own) = next(&spot.table, seat, &draft);
                        let own = own.expect("the seat may act");
                        assert_eq!((own.complete, own.count), (Some(false), 0), "{draft}");
                        assert!(own.next.is_some_and(|it| it.is_empty()), "{draft}");
                        assert!(own.ranges.is_empty(), "{draft}");
                    }
                    assert!(next(&spot.table, seat, r#"{"player":"nobody"}"#).1.is_none());
                    assert!(next(&spot.table, seat, r#"{"player":7}"#).1.is_none());
                }
            }
        }
    }
    every_game(&mut Nowhere);
}
