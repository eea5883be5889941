//! The search for changes of facts that allow an action.
//!
//! A change is found by trying it in a position, never by reading a rule. This module must not know a game.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::Value;

use super::answer::{Allowing, Bounds};
use super::asked::{Asked, Refused, trial_chance};
use super::pool::{Pool, kind, list_items, put, words};
use crate::budget::Budget;
use crate::dispute::explain::{Name, is_scalar, places, view_json};
use crate::dispute::patch::{self, Edit, Op};
use crate::game::{Change, Condition, FullGame, Keep, Observer, Table};
use crate::record::{self, FaultCode};
use crate::rules::Refusal;
use crate::wire::escaped;

/// The most changes that are given.
const CHANGES: usize = 3;

/// What a changed position came to.
pub(super) enum Trial<R> {
    /// It is no position of the game; the place that does not fit, where the game names it.
    None(Option<String>),
    /// The action is accepted there.
    Accepted,
    /// The action is refused there.
    Refused(Refusal<R>),
}

/// A place of the view that can be changed, with what to try there.
pub(super) struct Spot {
    /// How far from what the question names: 0 is near.
    pub(super) rank: u8,
    /// What is tried there.
    pub(super) tries: Tries,
}

/// What is tried at a place, one edit at a time.
pub(super) enum Tries {
    /// Other values at that pointer, under that field; worked out when their turn comes.
    Others(String, String),
    /// These.
    These(Vec<Edit>),
}

/// The search for changes of facts that allow an action.
pub(super) struct Search<'a, G: FullGame> {
    pub(super) setup: Arc<G::Setup>,
    pub(super) asked: &'a Asked<G>,
    pub(super) named: Vec<Name>,
    /// The seats that decide, if the asking seat does not.
    pub(super) deciding: Vec<&'static str>,
    pub(super) view: Value,
    /// Clause and code of the refusal.
    pub(super) first: (G::Rule, &'static str),
    pub(super) left: u32,
    pub(super) budget: Budget<'a>,
    pub(super) found: Vec<Allowing>,
    pub(super) behind: Vec<Refused<G>>,
}

impl<'a, G: FullGame> Search<'a, G> {
    pub(super) fn new(
        table: &Table<G>,
        asked: &'a Asked<G>,
        refusal: &Refusal<G::Rule>,
        budget: Budget<'a>,
    ) -> Self {
        let seats = table.decision().seats;
        let own = asked.seat.is_some_and(|seat| table.may_act().contains(seat));
        let deciding = match own {
            true => Vec::new(),
            false => seats.iter().map(|seat| G::META.seat_name(seat)).collect(),
        };
        Search {
            setup: table.setup().clone(),
            asked,
            named: asked.names(),
            deciding,
            view: view_json::<G>(table.setup(), table.state(), Observer::Referee),
            first: (refusal.rule, refusal.code),
            left: 0,
            budget,
            found: Vec::new(),
            behind: Vec::new(),
        }
    }

    pub(super) fn run(&mut self, bounds: &Bounds) {
        self.left = bounds.loads;
        let view = self.view.clone();
        // A position must stand for the state: refused there as here.
        match self.trial(&view) {
            Trial::Refused(refusal) if (refusal.rule, refusal.code) == self.first => {}
            _ => return,
        }
        // Steps that lead past the first clause, two for each clause behind it.
        let mut steps: Vec<(Edit, Refused<G>)> = Vec::new();
        // Steps after which another place does not fit, with that place.
        let mut broken: Vec<(Edit, String)> = Vec::new();
        let first = self.first;
        self.each(&view, |search, edit, trial| match trial {
            Trial::None(place) => {
                let same = broken.iter().filter(|(had, _)| had.path == edit.path).count();
                let place = place.filter(|it| !it.is_empty() && *it != edit.path && same < 3);
                if let Some(place) = place {
                    broken.push((edit.clone(), place));
                }
                Next::Try
            }
            Trial::Accepted => {
                search.keep(&view, vec![edit.clone()]);
                if search.found.len() < CHANGES { Next::Spot } else { Next::Stop }
            }
            Trial::Refused(refusal) => {
                let same = steps.iter().filter(|(_, had)| had.rule == refusal.rule).count();
                if (refusal.rule, refusal.code) != first && same < 2 {
                    steps.push((edit.clone(), refusal));
                }
                Next::Try
            }
        });
        if !self.found.is_empty() {
            return;
        }
        self.left = bounds.pairs / 3;
        let mut changed = view.clone();
        for (edit, place) in broken {
            let mut edits = Vec::new();
            if let Some(undo) = put(&mut changed, &edit) {
                edits.push(edit);
                self.mend(&view, &mut changed, &mut edits, &place);
                put(&mut changed, &undo);
            }
            if self.found.len() == CHANGES || self.left == 0 {
                break;
            }
        }
        self.left = bounds.pairs / 3;
        if !self.found.is_empty() || self.swaps(&view) {
            self.found.sort_by_key(|change| change.edits.len());
            return;
        }
        let share = bounds.pairs / 3 / (steps.len() as u32).max(1);
        for (one, refusal) in steps {
            let Some(changed) = patch::apply(&view, std::slice::from_ref(&one)) else { continue };
            self.left = share;
            let mut other = None;
            self.each(&changed, |_, edit, trial| match trial {
                Trial::Accepted if edit.path != one.path => {
                    other = Some(edit.clone());
                    Next::Stop
                }
                _ => Next::Try,
            });
            let Some(other) = other else { continue };
            self.left = 1;
            let alone = patch::apply(&view, std::slice::from_ref(&other));
            if alone.is_some_and(|alone| matches!(self.trial(&alone), Trial::Accepted)) {
                self.keep(&view, vec![other]);
                self.found.sort_by_key(|change| change.edits.len());
            } else {
                self.keep(&view, vec![one, other]);
                if self.behind.iter().all(|had| had.rule != refusal.rule) {
                    self.behind.push(refusal);
                }
            }
            if self.found.len() == CHANGES {
                return;
            }
        }
    }

    /// Loads a view as a position, read as a record's text would be. On an error, the place that is refused, if one is.
    fn load(&self, view: &Value) -> Result<G::State, Option<String>> {
        let text = view.to_string();
        let position = record::read::<G::Position>(&text, FaultCode::BadPosition, "");
        let position = position.map_err(|_| None)?;
        G::load(&self.setup, position).map_err(|refusal| Some(refusal.into_parts().pointer))
    }

    /// Loads a view as a position and tries the action there.
    pub(super) fn trial(&mut self, view: &Value) -> Trial<G::Rule> {
        self.left = self.left.saturating_sub(1);
        if self.budget.spend(1).is_err() {
            self.left = 0;
            return Trial::None(None);
        }
        let state = match self.load(view) {
            Ok(state) => state,
            Err(place) => return Trial::None(place),
        };
        let (setup, chance) = (self.setup.clone(), &mut trial_chance::<G>());
        let Ok(table) = Table::resume(setup, state, chance, Keep::Nothing) else {
            return Trial::None(None);
        };
        match self.asked.refused(&table) {
            Some(refusal) => Trial::Refused(refusal),
            None => Trial::Accepted,
        }
    }

    /// Whether none of the edits can be left out.
    pub(super) fn least(&mut self, view: &Value, edits: &[Edit]) -> bool {
        (0..edits.len()).all(|at| {
            let fewer = [&edits[..at], &edits[at + 1..]].concat();
            let changed = patch::apply(view, &fewer);
            changed.is_none_or(|changed| !matches!(self.trial(&changed), Trial::Accepted))
        })
    }

    /// Mends a changed position at the place that does not fit any more, and tries the action
    /// there. The first way is enough.
    pub(super) fn mend(
        &mut self,
        view: &Value,
        changed: &mut Value,
        edits: &mut Vec<Edit>,
        place: &str,
    ) -> bool {
        const DEEPEST: usize = 3;
        let Some(value) = changed.pointer(place) else { return false };
        if !is_scalar(value) || edits.iter().any(|edit| edit.path == place) {
            return false;
        }
        let mut pool = Pool::default();
        pool.note("", changed);
        let key = place.rsplit('/').next().unwrap_or_default();
        let others = self.alternatives(place, key, changed, &pool);
        for other in others {
            if self.left == 0 {
                return false;
            }
            let edit = Edit::replace(place, other);
            let Some(undo) = put(changed, &edit) else { continue };
            edits.push(edit);
            let done = match self.trial(changed) {
                Trial::Accepted => {
                    if self.least(view, edits) {
                        self.keep(view, edits.clone());
                    }
                    true
                }
                Trial::None(Some(next)) if edits.len() < DEEPEST => {
                    self.mend(view, changed, edits, &next)
                }
                Trial::None(_) | Trial::Refused(_) => false,
            };
            edits.pop();
            put(changed, &undo);
            if done {
                return true;
            }
        }
        false
    }

    /// Tries one edit after the other, the nearest places first, until nothing is left to spend.
    /// What nobody at a table could have otherwise is not tried.
    pub(super) fn each(
        &mut self,
        view: &Value,
        mut tell: impl FnMut(&mut Self, &Edit, Trial<G::Rule>) -> Next,
    ) {
        let mut places = self.places(view);
        places.sort_by_key(|place| place.rank);
        let mut pool = Pool::default();
        pool.note("", view);
        let mut changed = view.clone();
        for place in places {
            let edits = match place.tries {
                Tries::These(edits) => edits,
                Tries::Others(..) if self.left == 0 => return,
                Tries::Others(at, key) => {
                    // Asking the game for its words costs about as much as a trial.
                    self.left -= 1;
                    let others = self.alternatives(&at, &key, view, &pool);
                    others.into_iter().map(|value| Edit::replace(at.clone(), value)).collect()
                }
            };
            for edit in &edits {
                if self.left == 0 {
                    return;
                }
                if matches!(self.condition(view, edit), Condition::Idle | Condition::Course(_)) {
                    continue;
                }
                let Some(undo) = put(&mut changed, edit) else { continue };
                let trial = self.trial(&changed);
                put(&mut changed, &undo);
                match tell(self, edit, trial) {
                    Next::Try => {}
                    Next::Spot => break,
                    Next::Stop => return,
                }
            }
        }
    }

    /// Tries to change places of a thing that the action names with another in another list, as
    /// games want it in which nothing gets lost (a card of the hand for one of the deck).
    pub(super) fn swaps(&mut self, view: &Value) -> bool {
        let mut items = Vec::new();
        list_items("", "", view, &mut items);
        let named: BTreeSet<&str> = self.named.iter().filter_map(|it| it.name.as_str()).collect();
        let wanted: Vec<(String, String, String)> =
            items.iter().filter(|(_, _, name)| named.contains(name.as_str())).cloned().collect();
        let mut seen = BTreeSet::new();
        let mut changed = view.clone();
        for (list, at, name) in &wanted {
            for (other_list, other, had) in &items {
                let key = (list.clone(), name.clone(), other_list.clone(), had.clone());
                if list == other_list || name == had || !seen.insert(key) {
                    continue;
                }
                // One swap is much like the next: two examples are enough.
                if self.left == 0 || self.found.len() == 2 {
                    return !self.found.is_empty();
                }
                let there = Edit::replace(other.clone(), name.as_str().into());
                let back = Edit::replace(at.clone(), had.as_str().into());
                let (Some(first), Some(second)) =
                    (put(&mut changed, &there), put(&mut changed, &back))
                else {
                    changed.clone_from(view);
                    continue;
                };
                let accepted = matches!(self.trial(&changed), Trial::Accepted);
                put(&mut changed, &second);
                put(&mut changed, &first);
                if accepted {
                    self.keep(view, vec![there, back]);
                }
            }
        }
        !self.found.is_empty()
    }

    /// The places of a view in pointer order, each with the edits that are worth trying.
    pub(super) fn places(&self, view: &Value) -> Vec<Spot> {
        let near: BTreeSet<String> = places(&self.named, view).into_iter().collect();
        let mut all = Vec::new();
        self.collect("", "", view, &near, &mut all);
        all
    }

    pub(super) fn collect(
        &self,
        at: &str,
        key: &str,
        value: &Value,
        near: &BTreeSet<String>,
        to: &mut Vec<Spot>,
    ) {
        if is_scalar(value) {
            let tries = Tries::Others(at.to_owned(), key.to_owned());
            to.push(Spot { rank: self.rank(at, value, near), tries });
            return;
        }
        match value {
            Value::Object(fields) => {
                let mut sorted: Vec<_> = fields.iter().collect();
                sorted.sort_by_key(|(key, _)| *key);
                for (key, value) in sorted {
                    let here = format!("{at}/{}", escaped(key));
                    self.collect(&here, key, value, near, to);
                    if !value.is_null() {
                        let rank = self.rank(&here, value, near).max(1);
                        to.push(Spot { rank, tries: Tries::These(vec![Edit::remove(here)]) });
                    }
                }
            }
            Value::Array(items) => {
                for (index, value) in items.iter().enumerate() {
                    let here = format!("{at}/{index}");
                    self.collect(&here, key, value, near, to);
                    let id = format!("{here}/id");
                    let rank = match near.contains(&id) {
                        true => 0,
                        false => self.rank(&here, value, near).max(1),
                    };
                    to.push(Spot { rank, tries: Tries::These(vec![Edit::remove(here)]) });
                }
                if items.iter().all(is_scalar) {
                    let like = |name: &&Name| match items.first() {
                        Some(item) => kind(item) == kind(&name.name),
                        None => name.name.is_string(),
                    };
                    let end = format!("{at}/{}", items.len());
                    let added =
                        self.named.iter().filter(like).filter(|it| !items.contains(&it.name));
                    let edits = added.map(|it| Edit::add(end.clone(), it.name.clone())).collect();
                    to.push(Spot { rank: 1, tries: Tries::These(edits) });
                }
            }
            _ => {}
        }
    }

    pub(super) fn rank(&self, at: &str, value: &Value, near: &BTreeSet<String>) -> u8 {
        let turn = value.as_str().is_some_and(|name| self.deciding.contains(&name));
        if turn || near.contains(at) {
            0
        } else if self.named.iter().any(|named| named.name == *value && !value.is_number())
            || at.matches('/').count() < 3
        {
            1
        } else {
            2
        }
    }

    /// Other values for a place, the likeliest first.
    pub(super) fn alternatives(
        &self,
        at: &str,
        key: &str,
        view: &Value,
        pool: &Pool,
    ) -> Vec<Value> {
        const MOST: usize = 24;
        let Some(value) = view.pointer(at) else { return Vec::new() };
        let mut all: Vec<Value> = Vec::new();
        let named = |wanted: &Value| {
            let wanted = kind(wanted);
            self.named.iter().map(|it| &it.name).filter(move |name| kind(name) == wanted).cloned()
        };
        let siblings: Vec<Value> = match at.rsplit_once('/').and_then(|(up, _)| view.pointer(up)) {
            Some(Value::Object(fields)) => {
                let mut sorted: Vec<_> = fields.iter().collect();
                sorted.sort_by_key(|(key, _)| *key);
                sorted.into_iter().map(|(_, value)| value.clone()).collect()
            }
            Some(Value::Array(items)) => items.clone(),
            _ => Vec::new(),
        };
        let like = |other: &&Value| kind(other) == kind(value);
        match value {
            Value::Bool(is) => all.push((!is).into()),
            Value::Number(number) => {
                let number = number.as_i64().unwrap_or(0);
                let near = [1, -1, 2, -2].map(|step| number.saturating_add(step));
                let least = number.min(0);
                all.extend(near.into_iter().chain([0]).filter(|&it| it >= least).map(Value::from));
                all.extend(named(value));
                all.extend(pool.under(key).iter().chain(&siblings).filter(like).take(8).cloned());
            }
            Value::String(_) => {
                all.extend(named(value));
                all.extend(self.variants(at, view));
                all.extend(pool.under(key).iter().chain(&siblings).filter(like).cloned());
                all.extend(pool.keys.iter().map(|key| Value::from(key.as_str())));
            }
            Value::Array(_) => {
                all.extend(named(value));
                let pair = |index: usize| value[index].as_i64().unwrap_or(0);
                let (q, r) = (pair(0), pair(1));
                let round = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)];
                all.extend(round.map(|(dq, dr)| {
                    serde_json::json!([q.saturating_add(dq), r.saturating_add(dr)])
                }));
                all.extend(pool.pairs.iter().cloned());
            }
            Value::Null => {
                all.extend(pool.under(key).iter().filter(|it| is_scalar(it)).take(8).cloned());
                all.extend(self.variants(at, view));
                all.extend(self.named.iter().map(|it| it.name.clone()));
            }
            Value::Object(_) => {}
        }
        if !value.is_null() {
            all.truncate(MOST);
            all.push(Value::Null);
        }
        let mut once: Vec<Value> = Vec::new();
        for other in all {
            if other != *value && !once.contains(&other) {
                once.push(other);
            }
        }
        once
    }

    /// The words that the game knows at a place, if it names them when another stands there.
    pub(super) fn variants(&self, at: &str, view: &Value) -> Vec<Value> {
        let mut wrong = view.clone();
        let Some(place) = wrong.pointer_mut(at) else { return Vec::new() };
        *place = "?".into();
        let Err(error) = G::Position::deserialize(&wrong) else { return Vec::new() };
        let text = error.to_string();
        let Some((_, known)) = text.split_once("expected") else { return Vec::new() };
        known.split('`').skip(1).step_by(2).map(Value::from).collect()
    }

    /// What an edit is to the people at the table. That what the action names were already where the
    /// action names is no condition: nothing would be left to do.
    pub(super) fn condition(&self, view: &Value, edit: &Edit) -> Condition {
        let named = |name: &Value| self.named.iter().any(|it| it.name == *name);
        let (around, _) = edit.path.rsplit_once('/').unwrap_or_default();
        let thing = view.pointer(around).filter(|thing| thing.is_object());
        let there = edit.value.as_ref().is_some_and(|value| !value.is_number() && named(value));
        if let (Some(thing), true) = (thing, there) {
            let mut keys = edit.path.rsplit('/').take(2);
            if keys.any(|key| named(&key.into())) || thing.get("id").is_some_and(named) {
                return Condition::Idle;
            }
        }
        G::describe_change(&self.setup, Change { view, path: &edit.path, to: edit.value.as_ref() })
    }

    /// Whether the fields that the edits take away are not there in the changed position either: to leave a field out can
    /// mean the place where a game begins.
    fn stays_away(&self, view: &Value, edits: &[Edit]) -> bool {
        let mut taken = edits.iter().filter(|edit| edit.op == Op::Remove).peekable();
        if taken.peek().is_none() {
            return true;
        }
        let changed = patch::apply(view, edits).unwrap_or_default();
        let Ok(state) = self.load(&changed) else { return false };
        let shown = view_json::<G>(&self.setup, &state, Observer::Referee);
        taken.all(|edit| {
            let around = edit.path.rsplit_once('/').and_then(|(around, _)| shown.pointer(around));
            around.is_some_and(Value::is_array)
                || shown.pointer(&edit.path).is_none_or(Value::is_null)
        })
    }

    /// Keeps an allowing change with its words, unless it has none, or another says the same.
    pub(super) fn keep(&mut self, view: &Value, edits: Vec<Edit>) {
        let mut rendered: Vec<String> = Vec::new();
        for edit in &edits {
            match self.condition(view, edit) {
                Condition::Words(fact) => {
                    let change = Change { view, path: &edit.path, to: view.pointer(&edit.path) };
                    let now = G::describe_change(&self.setup, change).statement();
                    rendered.push(fact.condition(now.as_ref()));
                }
                Condition::Plain => rendered.push(words(view, edit)),
                Condition::GoesAlong => {}
                // A mended position may contain a change that cannot be proposed.
                Condition::Idle | Condition::Course(_) => return,
            }
        }
        if !self.stays_away(view, &edits) {
            return;
        }
        rendered.dedup();
        let words = rendered.join(", and ");
        if !words.is_empty() && self.found.iter().all(|had| had.words != words) {
            self.found.push(Allowing { edits, words });
        }
    }
}

/// What to do after a trial.
pub(super) enum Next {
    /// Try the next edit.
    Try,
    /// Go on at the next place.
    Spot,
    /// Look no further.
    Stop,
}
