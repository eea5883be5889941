//! Why a ply went as it did: the action, its events, the clauses behind each, and the facts in the
//! state that made it so.
//!
//! Everything is taken from what the viewer sees: a fact is a place of the viewer's view. Changes
//! are measured only where the viewer is told an event; what an untold event changes counts to the
//! next one told, so that the number of hidden events never shows. This module must not know a
//! game, and must not state a fact that it did not read in a view.

use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::patch::{self, Edit, Op};
use crate::game::{Change, Condition, FullGame, Logged, Observer, PlayerAction, Table, TableSetup};
use crate::people::{Sentences, sentences};
use crate::record::Fault;
use crate::replay::answer::{Cited, PendingDecision, cite, event_line, pending_at, raw};
use crate::replay::{Limits, Room};
use crate::rules::Rule;
#[cfg(feature = "schema")]
use crate::schema::{GameAction, GameEvent, GameId, GameSeat};
use crate::wire::escaped;

/// The most unchanged facts that are given beside one event.
pub const CONTEXT: usize = 12;

/// What stands at one place of a view, before and after.
///
/// The facts of a ply, in order, lead from the view before it to the view after it. A fact without
/// `before` puts a value in: a new field, or in a list before the element at that index. One
/// without `after` takes the value out. One with both puts `after` in the place of `before`; where
/// they are equal nothing changed, and the fact is told because the event or the action names the
/// thing that it is about.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = StateFact))]
pub struct ViewChange {
    /// The place in the viewer's view, a JSON pointer.
    pub pointer: String,
    /// What stood there; left out where there was nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(value_type = serde_json::Value, required = false))]
    pub before: Option<Value>,
    /// What stands there now; left out where there is nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(value_type = serde_json::Value, required = false))]
    pub after: Option<Value>,
    /// The same in plain words: how it is then. Left out of what only goes along with another change.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(required = false, nullable = false))]
    pub words: Option<String>,
}

/// One event with the clauses it follows from and the facts around it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = GAME::Explained))]
pub struct Explained {
    /// The event, as the viewer learns of it.
    #[cfg_attr(feature = "schema", schema(value_type = GameEvent))]
    pub event: Box<RawValue>,
    /// The clauses it follows from, the deciding one first.
    pub clauses: Vec<Cited>,
    /// First some unchanged facts about what the event names, then what changed; for the referee
    /// only. A viewer is told what changed over the whole ply, because the steps in between would
    /// tell what is hidden.
    pub facts: Vec<ViewChange>,
    /// What happened, in plain words; for the referee only.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub words: Option<String>,
}

/// Why one ply went as it did: action, events, clauses, facts.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = GAME::Explanation))]
pub struct Explanation {
    /// Number of actions accepted before it.
    pub ply: u32,
    /// The seat that acted; `null` for what happened by itself before the first decision, and where the record ends.
    #[cfg_attr(feature = "schema", schema(value_type = Option<GameSeat>))]
    pub player: Option<&'static str>,
    /// The action, for its own player and the referee. Others learn of it by the events alone,
    /// because a choice may be secret.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(value_type = GameAction, required = false))]
    pub action: Option<Box<RawValue>>,
    /// The same in plain words.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(required = false, nullable = false))]
    pub text: Option<String>,
    /// What was to be decided; `null` before the first decision.
    pub decision: Option<PendingDecision>,
    /// The events that the viewer learned of, in order.
    pub events: Vec<Explained>,
    /// What changed in the view of a viewer over the whole ply, behind some unchanged facts about
    /// what the viewer's own action names; for the referee, what changed without an event.
    pub facts: Vec<ViewChange>,
}

impl Explanation {
    /// About how many bytes it has in an answer.
    fn bytes(&self) -> usize {
        let words = |words: &Option<String>| words.as_ref().map_or(0, String::len);
        let fact = |fact: &ViewChange| {
            let value = |value: &Option<Value>| value.as_ref().map_or(4, |it| it.to_string().len());
            64 + fact.pointer.len() + words(&fact.words) + value(&fact.before) + value(&fact.after)
        };
        let event = |event: &Explained| {
            let clauses: usize = event.clauses.iter().map(|it| 64 + it.gist.len()).sum();
            event.event.get().len()
                + words(&event.words)
                + clauses
                + event.facts.iter().map(fact).sum::<usize>()
        };
        let events: usize = self.events.iter().map(event).sum();
        events + self.facts.iter().map(fact).sum::<usize>() + words(&self.text)
    }

    /// Where a record ends: nobody has acted yet.
    pub(crate) fn of_the_end(ply: u32, decision: PendingDecision) -> Self {
        let decision = Some(decision);
        let (events, facts) = Default::default();
        Explanation { ply, player: None, action: None, text: None, decision, events, facts }
    }
}

/// The answer to why a game, or one ply of it, went as it did.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = GAME::Account))]
pub struct Account {
    /// The version of the engine.
    pub engine: &'static str,
    /// The game.
    #[cfg_attr(feature = "schema", schema(value_type = GameId))]
    pub game: &'static str,
    /// The rules that were applied.
    pub ruleset: String,
    /// Who looks: `referee`, `spectator`, or a seat.
    pub viewer: &'static str,
    /// The opening and the plies, in order; only what belongs to the ply that was asked for.
    pub explanations: Vec<Explanation>,
}

sentences! {
    Account: explanations;
    Explained: words, facts;
    Explanation: text, events, facts;
    ViewChange: words;
}

/// What a replay keeps so that it can be explained: where it began and where each ply ends.
pub(crate) struct Steps<G: FullGame> {
    /// The state before anything happened.
    pub(crate) begin: G::State,
    /// The actions that were sent, the accepted ones in front.
    pub(crate) actions: Vec<G::Action>,
    /// The number of events after the opening, and after each accepted action.
    pub(crate) ends: Vec<usize>,
}

impl<G: FullGame> Steps<G> {
    /// Nothing played yet.
    pub(crate) fn new(begin: G::State, actions: Vec<G::Action>) -> Self {
        Steps { begin, actions, ends: Vec::new() }
    }

    /// Notes that the opening or an action is over.
    pub(crate) fn note(&mut self, table: &Table<G>) {
        self.ends.push(table.log().map_or(0, |log| log.events.len()));
    }
}

/// Explains the opening and every ply, or the one that is asked for (0 with the opening).
///
/// # Errors
/// The budget ends before the last ply, or the explanations have too many bytes together.
pub(crate) fn explain<G: FullGame>(
    table: &Table<G>,
    steps: &Steps<G>,
    viewer: Observer,
    only: Option<u32>,
    limits: Limits<'_>,
) -> Result<Vec<Explanation>, Fault> {
    let setup = table.setup();
    let events = table.log().map(|log| log.events.as_slice()).unwrap_or_default();
    let mut all = Vec::new();
    let mut state = steps.begin.clone();
    // The view as the last explained ply left it, so that no view is built twice.
    let mut known: Option<Value> = None;
    let (mut from, mut room) = (0, Room::new("explanations", limits));
    for (at, &to) in steps.ends.iter().enumerate() {
        let ply = at.saturating_sub(1) as u32;
        let these = events.get(from..to).unwrap_or_default();
        from = to;
        match only {
            Some(only) if only < ply => break,
            Some(only) if only != ply => {
                these.iter().for_each(|logged| G::apply(setup, &mut state, &logged.event));
                continue;
            }
            _ => {}
        }
        // Comparing two views is worth many actions.
        limits.budget.spend(16).map_err(Fault::from)?;
        let action = at.checked_sub(1).and_then(|at| steps.actions.get(at));
        let before = known.take().unwrap_or_else(|| view_json::<G>(setup, &state, viewer));
        let (one, after) = ply_of::<G>(setup, &mut state, these, action, ply, viewer, before);
        room.take(one.bytes())?;
        all.push(one);
        known = Some(after);
    }
    Ok(all)
}

/// A viewer's view as a value.
pub(crate) fn view_json<G: FullGame>(
    setup: &G::Setup,
    state: &G::State,
    viewer: Observer,
) -> Value {
    serde_json::to_value(G::view(setup, state, viewer)).unwrap_or_default()
}

/// Explains one ply and gives the view after it.
fn ply_of<G: FullGame>(
    setup: &G::Setup,
    state: &mut G::State,
    events: &[Logged<G>],
    action: Option<&G::Action>,
    ply: u32,
    viewer: Observer,
    before: Value,
) -> (Explanation, Value) {
    let player = action.map(G::Action::seat);
    let decision = action.map(|_| pending_at::<G>(setup, state));
    let shown = action.filter(|_| match viewer {
        Observer::Referee => true,
        Observer::Seat(own) => player == Some(own),
        Observer::Spectator => false,
    });
    let text = shown.and_then(|action| G::describe_action(setup, Some(state), action));
    let mut asked = Vec::new();
    if let Some(action) = shown {
        names("", &serde_json::to_value(action).unwrap_or_default(), &mut asked);
    }
    let edition = G::Setup::edition(setup);
    let mut explained = Vec::new();
    let mut view = before;
    for logged in events {
        G::apply(setup, state, &logged.event);
        let Some(event) = event_line::<G>(setup, logged, viewer) else { continue };
        let clauses = cite(logged.rules.as_slice().iter().map(|rule| rule.entry()), edition);
        if viewer != Observer::Referee {
            // What vanishes from a view event by event tells more than the view before and after:
            // a counter that is laid down in secret goes out of the reserve by name.
            let (facts, words) = (Vec::new(), logged.tell(setup, viewer));
            explained.push(Explained { event, clauses, facts, words });
            continue;
        }
        let now = view_json::<G>(setup, state, viewer);
        let mut named = Vec::new();
        let notice = G::announce(setup, &logged.event, viewer);
        names("", &serde_json::to_value(&notice).unwrap_or_default(), &mut named);
        // What the action names is told once, with the first that came of it.
        if explained.is_empty() {
            named.extend(asked.iter().cloned());
        }
        // Who sits where is known; what else is called like a seat has nothing to do with the ply.
        named.retain(|name| !name.is_seat(G::META.seats));
        let mut facts = facts_about(&named, &view, &now, say::<G>(setup));
        facts.extend(changes(view, &now, say::<G>(setup)));
        let words = logged.tell(setup, viewer);
        explained.push(Explained { event, clauses, facts, words });
        view = now;
    }
    // What changed without an event; for a viewer, all that changed.
    let now = view_json::<G>(setup, state, viewer);
    let mut facts = match viewer {
        Observer::Referee => Vec::new(),
        _ => facts_about(&asked, &view, &now, say::<G>(setup)),
    };
    facts.extend(changes(view, &now, say::<G>(setup)));
    let view = now;
    let one = Explanation {
        ply,
        player: player.map(|seat| G::META.seat_name(seat)),
        action: shown.map(raw),
        text,
        decision,
        events: explained,
        facts,
    };
    (one, view)
}

/// How a place of a view is said, with what stands there then.
pub(crate) fn say<G: FullGame>(
    setup: &G::Setup,
) -> impl Fn(&Value, &str, Option<&Value>) -> Option<String> {
    |view, path, to| match G::describe_change(setup, Change { view, path, to }) {
        Condition::Words(fact) | Condition::Course(fact) => Some(fact.stands()),
        Condition::GoesAlong | Condition::Idle => None,
        Condition::Plain => {
            let place = patch::place(view, path);
            Some(match to {
                Some(to) => format!("{place}: {}", patch::short(to)),
                None => format!("{place}: gone"),
            })
        }
    }
}

/// How a difference of two views is said, as far as there are words for it, at most `most` lines: what is so on the one side, what on the
/// other, in the game's words where it has any.
pub(crate) fn say_difference<G: FullGame>(
    setup: &G::Setup,
    before: &Value,
    edits: &[Edit],
    [one, other]: [&str; 2],
    most: usize,
) -> Vec<String> {
    let is = |view: &Value, path: &str| {
        let to = view.pointer(path)?;
        Some(match G::describe_change(setup, Change { view, path, to: Some(to) }) {
            Condition::Course(fact) => Condition::Words(fact),
            other => other,
        })
    };
    let mut running = before.clone();
    let mut lines: Vec<String> = Vec::new();
    let around = |edit: &'_ Edit| edit.path.rsplit_once('/').map(|(around, _)| around.to_owned());
    let mut left = edits;
    while let Some(edit) = left.first() {
        // A place on a map is said as a whole, whichever half of it differs, and once.
        let place = around(edit).unwrap_or_default();
        let pair = running.pointer(&place).is_some_and(is_pair);
        let halves = left.iter().take_while(|it| pair && around(it).as_ref() == Some(&place));
        let (these, rest) = left.split_at(halves.count().max(1));
        left = rest;
        let around = place.as_str();
        let path = if pair { around } else { edit.path.as_str() };
        // Around a thing that stands elsewhere by now, it is said of it as it was.
        let as_it_was = before.pointer(path) == running.pointer(path);
        let had = is(if as_it_was { before } else { &running }, path);
        let had = had.filter(|_| edit.op != Op::Add);
        let plain = patch::line(&running, edit, one, other);
        if patch::apply_to(&mut running, these).is_none() {
            continue;
        }
        let has = is(&running, path).filter(|_| edit.op != Op::Remove);
        let line = match (had, has) {
            (Some(Condition::Words(had)), Some(Condition::Words(has))) => {
                Some(format!("{} {one}, {} {other}", had.stands(), has.stands()))
            }
            (Some(Condition::Words(had)), None) => Some(format!("{} {one} only", had.stands())),
            (None, Some(Condition::Words(has))) => Some(format!("{} {other} only", has.stands())),
            (Some(Condition::GoesAlong), _) | (_, Some(Condition::GoesAlong)) => None,
            (Some(Condition::Idle), None | Some(Condition::Idle))
            | (None, Some(Condition::Idle)) => None,
            _ => Some(plain),
        };
        lines.extend(line.filter(|line| !lines.contains(line)));
    }
    if lines.len() > most {
        let more = lines.len() - most;
        lines.truncate(most);
        lines.push(format!("and {more} more"));
    }
    lines
}

/// The parts of a view in which a difference lies. It is for differences that have no words of their own.
pub(crate) fn name_wholes(edits: &[Edit]) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for edit in edits {
        let mut keys = edit.path.split('/').skip(1).filter(|key| *key != "state");
        let whole = keys.next().unwrap_or("course").replace('_', " ");
        let differ = if whole.ends_with('s') { "differ" } else { "differs" };
        let line = format!("the {whole} {differ} in a detail");
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    lines.truncate(3);
    lines
}

/// What changed between two views, in the order in which it can be applied.
fn changes(
    before: Value,
    after: &Value,
    say: impl Fn(&Value, &str, Option<&Value>) -> Option<String>,
) -> Vec<ViewChange> {
    let edits = patch::difference(&before, after);
    let mut running = before;
    let mut facts = Vec::with_capacity(edits.len());
    for edit in edits {
        // A place on a map is said as a whole, whichever half of it changed.
        let around = edit.path.rsplit_once('/').map_or("", |(around, _)| around);
        let words = match after.pointer(around).filter(|pair| is_pair(pair)) {
            Some(pair) => say(&running, around, Some(pair)),
            None => say(&running, &edit.path, edit.value.as_ref()),
        };
        let old = match (edit.op, &edit.value) {
            (Op::Remove, _) => patch::take(&mut running, &edit.path),
            (Op::Replace, Some(new)) => {
                running.pointer_mut(&edit.path).map(|place| std::mem::replace(place, new.clone()))
            }
            (Op::Add, Some(new)) => {
                let _ = patch::put(&mut running, &edit.path, new.clone());
                None
            }
            // A difference moves nothing, and what it puts in has a value.
            (Op::Add | Op::Replace | Op::Move, _) => continue,
        };
        facts.push(ViewChange { pointer: edit.path, before: old, after: edit.value, words });
    }
    facts
}

/// Something that an action or an event names: the field it stands in, and the name.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Name {
    field: String,
    pub(crate) name: Value,
}

/// Whether a value is a place on a map of hexes: a pair of whole numbers.
pub(crate) fn is_pair(value: &Value) -> bool {
    value.as_array().is_some_and(|pair| pair.len() == 2 && pair.iter().all(Value::is_i64))
}

/// Whether a value is told as one: no list or object but a pair.
pub(crate) fn is_scalar(value: &Value) -> bool {
    is_pair(value) || !(value.is_object() || value.is_array())
}

/// Collects what a value names, each once, by the order of its keys, up to a bound.
pub(crate) fn names(field: &str, value: &Value, found: &mut Vec<Name>) {
    const MOST: usize = 64;
    match value {
        Value::Object(fields) => {
            let mut sorted: Vec<_> = fields.iter().collect();
            sorted.sort_by_key(|(key, _)| *key);
            for (key, value) in sorted {
                // The kind of an event or action is no thing.
                if !(field.is_empty() && key == "type") {
                    names(key, value, found);
                }
            }
        }
        Value::Array(items) if !is_pair(value) => {
            items.iter().for_each(|item| names(field, item, found));
        }
        Value::Null | Value::Bool(_) => {}
        _ => {
            let name = Name { field: field.to_owned(), name: value.clone() };
            if found.len() < MOST && !found.contains(&name) {
                found.push(name);
            }
        }
    }
}

/// The singular of a field's name, so that a `unit` is looked for among `units`.
fn stem(field: &str) -> String {
    match field.strip_suffix("ies") {
        Some(stem) => format!("{stem}y"),
        None => field.strip_suffix('s').unwrap_or(field).to_owned(),
    }
}

impl Name {
    /// Whether this names the thing called `name` in the collection `within`. A word may stand in
    /// any field; a number only in one that is called like the collection.
    fn is(&self, name: &Value, within: &str) -> bool {
        match (&self.name, name) {
            (Value::String(own), Value::String(name)) => own == name,
            (Value::Number(own), Value::Number(id)) => own == id && self.fits(within),
            (Value::Number(own), Value::String(key)) => {
                self.fits(within) && own.to_string() == *key
            }
            _ => false,
        }
    }

    /// Whether it is the name of a seat.
    fn is_seat(&self, seats: &[&str]) -> bool {
        self.name.as_str().is_some_and(|name| seats.contains(&name))
    }

    fn fits(&self, within: &str) -> bool {
        stem(&self.field) == stem(within)
    }
}

/// The places of a view that belong to what is named: the pointer of each, by name.
pub(crate) fn places(named: &[Name], view: &Value) -> Vec<String> {
    fn fields(at: &str, thing: &Value, to: &mut Vec<String>) {
        if is_scalar(thing) {
            to.push(at.to_owned());
            return;
        }
        let mut sorted: Vec<_> = thing.as_object().into_iter().flatten().collect();
        sorted.sort_by_key(|(key, _)| *key);
        for (key, _) in sorted.into_iter().filter(|(_, value)| is_scalar(value)) {
            to.push(format!("{at}/{}", escaped(key)));
        }
    }
    fn walk(named: &[Name], within: &str, at: &str, value: &Value, to: &mut [Vec<String>]) {
        match value {
            Value::Object(map) => {
                let mut sorted: Vec<_> = map.iter().collect();
                sorted.sort_by_key(|(key, _)| *key);
                for (key, value) in sorted {
                    let here = format!("{at}/{}", escaped(key));
                    let name = Value::String(key.clone());
                    for (nth, wanted) in named.iter().enumerate() {
                        if wanted.is(&name, within) || wanted.name == *value && is_pair(value) {
                            fields(&here, value, &mut to[nth]);
                        }
                    }
                    walk(named, key, &here, value, to);
                }
            }
            Value::Array(items) if !is_pair(value) => {
                for (index, value) in items.iter().enumerate() {
                    let here = format!("{at}/{index}");
                    let there = |wanted: &Name| {
                        let mut inside = value.as_object().into_iter().flatten();
                        is_pair(&wanted.name) && inside.any(|(_, value)| *value == wanted.name)
                    };
                    let thing = value.get("id");
                    for (nth, wanted) in named.iter().enumerate() {
                        if thing.is_some_and(|id| wanted.is(id, within) || there(wanted)) {
                            fields(&here, value, &mut to[nth]);
                        }
                    }
                    walk(named, within, &here, value, to);
                }
            }
            _ => {}
        }
    }
    let mut by_name = vec![Vec::new(); named.len()];
    walk(named, "", "", view, &mut by_name);
    let mut all: Vec<String> = Vec::new();
    for place in by_name.into_iter().flatten() {
        if !all.contains(&place) {
            all.push(place);
        }
    }
    all
}

/// Facts about what is named that hold both before and after.
pub(crate) fn facts_about(
    named: &[Name],
    before: &Value,
    after: &Value,
    say: impl Fn(&Value, &str, Option<&Value>) -> Option<String>,
) -> Vec<ViewChange> {
    let holds = |pointer: String| {
        let value = before.pointer(&pointer)?;
        (after.pointer(&pointer) == Some(value)).then(|| ViewChange {
            before: Some(value.clone()),
            after: Some(value.clone()),
            words: say(after, &pointer, Some(value)),
            pointer,
        })
    };
    places(named, before).into_iter().filter_map(holds).take(CONTEXT).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_named_is_found_by_key_by_id_and_by_place() {
        let view = json!({
            "gold": {"north": 4, "south": 2},
            "cities": {"2": {"owner": "north", "goods": []}, "3": {"owner": "south"}},
            "units": [{"id": 2, "at": [0, 1]}, {"id": 7, "at": [2, -1], "moved": true}],
            "hexes": {"king": [2, -1]},
            "round": 2
        });
        let notice = json!({"type": "moved", "unit": 2, "player": "south", "to": [2, -1]});
        let mut named = Vec::new();
        names("", &notice, &mut named);
        let say = |_: &Value, path: &str, _: Option<&Value>| Some(path.to_owned());
        let facts = facts_about(&named, &view, &view, say);
        let pointers: Vec<&str> = facts.iter().map(|fact| fact.pointer.as_str()).collect();
        assert_eq!(
            pointers,
            [
                "/gold/south",
                "/hexes/king",
                "/units/1/at",
                "/units/1/id",
                "/units/1/moved",
                "/units/0/at",
                "/units/0/id"
            ]
        );
        assert!(facts.iter().all(|fact| fact.before.as_ref() == view.pointer(&fact.pointer)));
        let mut city = Vec::new();
        names("", &json!({"city": 3}), &mut city);
        assert_eq!(places(&city, &view), ["/cities/3/owner"]);
        let mut king = Vec::new();
        names("", &json!({"figures": ["king"]}), &mut king);
        assert_eq!(places(&king, &view), ["/hexes/king"]);
    }

    #[test]
    fn changes_tell_what_was_there() {
        let before = json!({"hand": ["a", "b", "c"], "turn": 1, "last": null});
        let after = json!({"hand": ["a", "c"], "turn": 2, "card": "b", "last": null});
        let facts = changes(before, &after, |_, path, _| Some(path.to_owned()));
        let fact = |pointer: &str, before: Option<Value>, after: Option<Value>| ViewChange {
            pointer: pointer.to_owned(),
            before,
            after,
            words: Some(pointer.to_owned()),
        };
        assert_eq!(
            facts,
            [
                fact("/card", None, Some(json!("b"))),
                fact("/hand/1", Some(json!("b")), None),
                fact("/turn", Some(json!(1)), Some(json!(2))),
            ]
        );
    }
}
