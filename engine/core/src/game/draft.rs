//! An action that is being put together: what is chosen of it, and what may be chosen next.
//!
//! Must not judge an action, and must not know any game: untyped because an action that is not whole has no type yet.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

#[cfg(feature = "schema")]
use crate::schema::AnyValue;

/// What is chosen of an action so far: a JSON object with some of an action's fields.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Draft(Map<String, Value>);

/// One way to go on with an action that is not whole: a place in it and what may stand there.
///
/// A place is a JSON pointer (RFC 6901) into the action; `-` at its end appends to a list, which is made where there
/// is none. Exactly one of `values`, `least` with `most`, and `text` is there.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = ActionStep))]
pub struct Step {
    /// The place.
    pub pointer: String,
    /// What may stand there, each value once: a name, a number, a hex, or an object with parts of its own to be chosen.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(value_type = Vec<AnyValue>, required = false))]
    pub values: Option<Vec<Box<RawValue>>>,
    /// The least number that may stand there.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(required = false, nullable = false))]
    pub least: Option<u64>,
    /// The greatest number that may stand there.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(required = false, nullable = false))]
    pub most: Option<u64>,
    /// Whether any words may stand there.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "schema", schema(required = false))]
    pub text: bool,
}

impl Step {
    /// One of these values; `None` where there is none.
    pub fn values<T: Serialize>(
        pointer: impl Into<String>,
        values: impl IntoIterator<Item = T>,
    ) -> Option<Step> {
        let mut step = Step::at(pointer.into());
        for value in values {
            step.offer(serde_json::value::to_raw_value(&value).ok()?);
        }
        step.values.is_some().then_some(step)
    }

    /// A number from `least` to `most`; `None` where there is none.
    pub fn number(pointer: impl Into<String>, least: u64, most: u64) -> Option<Step> {
        let step = Step::at(pointer.into());
        (least <= most).then_some(Step { least: Some(least), most: Some(most), ..step })
    }

    /// Any words.
    pub fn text(pointer: impl Into<String>) -> Step {
        Step { text: true, ..Step::at(pointer.into()) }
    }

    /// Some of what may stand there: the values, or numbers over the whole span, at most so many. Words are not made up.
    pub(crate) fn some(&self, most: usize) -> Vec<Box<RawValue>> {
        let raw = |number: u64| serde_json::value::to_raw_value(&number).ok();
        let numbers = self.least.zip(self.most).into_iter().flat_map(|(least, last)| {
            let span = (last - least).saturating_add(1);
            let count = span.min(most as u64).max(1);
            (0..count).map(move |at| {
                let share = u128::from(at) * u128::from(span - 1) / u128::from((count - 1).max(1));
                least + share as u64
            })
        });
        let values = self.values.iter().flatten().take(most).cloned();
        values.chain(numbers.filter_map(raw)).collect()
    }

    fn at(pointer: String) -> Step {
        Step { pointer, values: None, least: None, most: None, text: false }
    }

    /// One more value, if it is not there yet.
    fn offer(&mut self, value: Box<RawValue>) {
        let values = self.values.get_or_insert_default();
        if !values.iter().any(|it| it.get() == value.get()) {
            values.push(value);
        }
    }

    /// Adds what another step offers at the same place.
    fn join(&mut self, other: Step) {
        other.values.into_iter().flatten().for_each(|value| self.offer(value));
        self.least = self.least.into_iter().chain(other.least).min();
        self.most = self.most.into_iter().chain(other.most).max();
        self.text |= other.text;
    }
}

/// Adds steps to others, those at one place as one.
pub(crate) fn join(steps: &mut Vec<Step>, more: impl IntoIterator<Item = Step>) {
    for step in more {
        match steps.iter_mut().find(|it| it.pointer == step.pointer) {
            Some(known) => known.join(step),
            None => steps.push(step),
        }
    }
}

impl Draft {
    /// Reads a draft, a JSON object. A note in it, which any action may have, is passed over.
    ///
    /// # Errors
    /// The text is none; it is said where.
    pub fn read(text: &str) -> Result<Draft, String> {
        let mut fields: Map<String, Value> =
            serde_json::from_str(text).map_err(|error| error.to_string())?;
        if fields.get("note").is_some_and(Value::is_string) {
            fields.remove("note");
        }
        Ok(Draft(fields))
    }

    /// What is chosen, the player aside: first the type, then the rest.
    pub(crate) fn parts(&self) -> Parts {
        let of = |key: &str| Some((key.to_owned(), self.0.get(key)?.clone()));
        let rest = self.0.keys().filter(|key| !["type", "player"].contains(&key.as_str()));
        let fields = of("type").into_iter().chain(rest.filter_map(|key| of(key)));
        // An empty list is begun by nothing.
        let chosen = fields.filter(|(_, value)| value.as_array().is_none_or(|it| !it.is_empty()));
        Parts { left: chosen.map(|(key, value)| (key, value, 0)).collect() }
    }

    /// A draft with these fields.
    pub(crate) fn of(fields: Map<String, Value>) -> Draft {
        Draft(fields)
    }

    /// A part of it: `None` where it is nothing that can stand there, `Some(None)` where it is not chosen yet.
    pub fn part<T: DeserializeOwned>(&self, key: &str) -> Option<Option<T>> {
        match self.0.get(key) {
            None => Some(None),
            Some(value) => T::deserialize(value).ok().map(Some),
        }
    }

    /// The members of a list in it, each of which may be a draft itself; none where the list is not begun.
    pub fn members(&self, key: &str) -> Option<Vec<Draft>> {
        let members: Option<Vec<Map<String, Value>>> = self.part(key)?;
        Some(members.unwrap_or_default().into_iter().map(Draft).collect())
    }

    /// Whether nothing else is chosen but some of these, the type and the player.
    pub fn has_only(&self, keys: &[&str]) -> bool {
        self.0.keys().all(|key| ["type", "player"].contains(&&**key) || keys.contains(&&**key))
    }

    /// What it is, where it is whole.
    pub fn whole<T: DeserializeOwned>(&self) -> Option<T> {
        T::deserialize(&Value::Object(self.0.clone())).ok()
    }

    /// The same with one part more, if that is not chosen.
    pub(crate) fn or(&self, key: &str, value: &str) -> Draft {
        let mut draft = self.clone();
        draft.0.entry(key).or_insert_with(|| value.into());
        draft
    }

    /// Goes on by a value at a place of a [`Step`].
    ///
    /// # Errors
    /// There is no such place in it, or something stands there.
    pub fn with(&self, pointer: &str, value: &RawValue) -> Result<Draft, String> {
        let wrong = || format!("{pointer} is no place in it that is still open");
        let value: Value = serde_json::from_str(value.get()).map_err(|error| error.to_string())?;
        let (above, key) = pointer.rsplit_once('/').ok_or_else(wrong)?;
        let mut whole = Value::Object(self.0.clone());
        if key == "-" {
            let (over, name) = above.rsplit_once('/').ok_or_else(wrong)?;
            let holder = whole.pointer_mut(over).and_then(Value::as_object_mut);
            let list =
                holder.ok_or_else(wrong)?.entry(name).or_insert_with(|| Vec::<Value>::new().into());
            list.as_array_mut().ok_or_else(wrong)?.push(value);
        } else {
            let holder =
                whole.pointer_mut(above).and_then(Value::as_object_mut).ok_or_else(wrong)?;
            if holder.insert(key.to_owned(), value).is_some() {
                return Err(wrong());
            }
        }
        match whole {
            Value::Object(map) => Ok(Draft(map)),
            _ => Err(wrong()),
        }
    }

    /// Whether an action begins so.
    fn begins(&self, action: &Value, loose: bool) -> bool {
        let Some(action) = action.as_object() else { return false };
        self.0.iter().all(|(key, value)| action.get(key).is_some_and(|it| begins(value, it, loose)))
    }
}

/// Whether what is chosen begins what is there; lists of names and numbers are chosen as one or, loosely, one by one in
/// any order.
fn begins(chosen: &Value, there: &Value, loose: bool) -> bool {
    match (chosen, there) {
        (Value::Array(chosen), Value::Array(there)) if is_list(there) || is_list(chosen) => {
            let Some((last, whole)) = chosen.split_last() else { return true };
            chosen.len() <= there.len()
                && whole.iter().zip(there).all(|(one, other)| one == other)
                && begins(last, &there[whole.len()], loose)
        }
        (Value::Array(chosen), Value::Array(there)) if loose => {
            chosen.iter().all(|one| there.contains(one))
        }
        (Value::Object(chosen), Value::Object(there)) => chosen
            .iter()
            .all(|(key, one)| there.get(key).is_some_and(|other| begins(one, other, loose))),
        _ => chosen == there,
    }
}

/// Whether something is a list of things that have parts: it is chosen thing by thing.
fn is_list(values: &[Value]) -> bool {
    values.first().is_some_and(|it| it.is_array() || it.is_object())
}

/// Legal actions of one seat against a draft: which of them begin so, and how they go on.
pub(crate) struct Continued<'a> {
    draft: &'a Draft,
    /// How to go on.
    pub(crate) steps: Vec<Step>,
    /// Whether the draft is one of the actions.
    pub(crate) complete: bool,
}

impl<'a> Continued<'a> {
    /// Nothing looked at yet.
    pub(crate) fn new(draft: &'a Draft) -> Self {
        Continued { draft, steps: Vec::new(), complete: false }
    }

    /// Looks at an action; says whether it begins like the draft. `ranged` is whether a range speaks for its type.
    pub(crate) fn note(&mut self, action: &RawValue, ranged: bool) -> bool {
        let Ok(action) = serde_json::from_str::<Value>(action.get()) else { return false };
        if !self.draft.begins(&action, ranged) {
            return false;
        }
        if let Some(fields) = action.as_object() {
            match fields.get("type").filter(|_| !self.draft.0.contains_key("type")) {
                Some(r#type) => join(&mut self.steps, Step::values("/type", [r#type])),
                None if ranged => {}
                None => {
                    self.complete |= *fields == self.draft.0;
                    self.go_on(fields);
                }
            }
        }
        true
    }

    /// The places of an action that the draft leaves open.
    fn go_on(&mut self, fields: &Map<String, Value>) {
        for (key, there) in fields {
            let list = there.as_array().filter(|it| is_list(it));
            let step = match (self.draft.0.get(key), list) {
                (None, None) => Step::values(format!("/{key}"), [there]),
                (None, Some(list)) => Step::values(format!("/{key}/-"), list.first()),
                (Some(Value::Array(chosen)), Some(list)) => {
                    Step::values(format!("/{key}/-"), list.get(chosen.len()))
                }
                _ => None,
            };
            join(&mut self.steps, step);
        }
    }

    /// Looks at a range of actions of that type, which tells how a draft goes on in it and whether it covers an action;
    /// says whether it begins like the draft.
    pub(crate) fn note_range<A: DeserializeOwned>(
        &mut self,
        r#type: &str,
        steps: impl FnOnce(&Draft) -> Option<Vec<Step>>,
        covers: impl FnOnce(&A) -> bool,
    ) -> bool {
        match self.draft.part::<String>("type") {
            Some(None) if self.draft.has_only(&[]) => {
                join(&mut self.steps, Step::values("/type", [r#type]));
                true
            }
            Some(Some(chosen)) if chosen == r#type => {
                let Some(steps) = steps(self.draft) else { return false };
                join(&mut self.steps, steps);
                self.complete |= self.draft.whole::<A>().is_some_and(|it| covers(&it));
                true
            }
            _ => false,
        }
    }
}

/// The parts of a draft that have not been chosen anew yet: the key, the value, and how much of a list is done.
#[derive(Debug)]
pub(crate) struct Parts {
    left: Vec<(String, Value, usize)>,
}

impl Parts {
    /// Takes the part at a place in the list, or of a list its next member where a step appends to it: where it
    /// stands in the draft, and what it is.
    pub(crate) fn take(&mut self, at: usize, step: &Step) -> (String, Box<RawValue>) {
        let (key, value, done) = &mut self.left[at];
        let name = crate::wire::escaped(key);
        let member = match (value.as_array(), step.pointer.ends_with("/-")) {
            (Some(list), true) => list.get(*done).map(|it| (it.clone(), *done + 1 == list.len())),
            _ => None,
        };
        let (pointer, value, last) = match member {
            Some((member, last)) => (format!("/{name}/{done}"), member, last),
            None => (format!("/{name}"), value.clone(), true),
        };
        *done += 1;
        if last {
            self.left.remove(at);
        }
        // What was read as JSON is written as such.
        let value = serde_json::value::to_raw_value(&value).unwrap_or_default();
        (pointer, value)
    }
}

/// Where a draft leaves the legal actions, so that none begins like it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = StrayAction))]
pub struct Stray {
    /// The place in what is chosen: a JSON pointer.
    pub pointer: String,
    /// Why no legal action goes on there, in words.
    pub message: String,
    /// What may be chosen there; or, where there is no such place, the places where something may be chosen.
    pub known: Vec<Step>,
}

impl Stray {
    /// The first part that may be chosen next, and the step that offers its place.
    pub(crate) fn offered(left: &Parts, next: &[Step]) -> Option<(usize, Step)> {
        left.left.iter().enumerate().find_map(|(at, (key, value, done))| {
            let name = crate::wire::escaped(key);
            let whole = format!("/{name}");
            let (appends, list) = (format!("/{name}/-"), value.as_array().is_some());
            let fits = |step: &&Step| {
                (step.pointer == whole && *done == 0) || (step.pointer == appends && list)
            };
            next.iter().find(fits).map(|step| (at, step.clone()))
        })
    }

    /// A part has no place among those where something may be chosen.
    pub(crate) fn place(left: &Parts, next: Vec<Step>) -> Stray {
        let Some((key, _, done)) = left.left.first() else {
            let message = "no legal action begins so".to_owned();
            return Stray { pointer: String::new(), message, known: next };
        };
        let name = crate::wire::escaped(key);
        let pointer = if *done == 0 { format!("/{name}") } else { format!("/{name}/{done}") };
        let places = next.iter().map(|step| step.pointer.as_str());
        let message = match next.is_empty() {
            true => format!("nothing more is chosen here, {} is one too many", short(&pointer)),
            false => format!(
                "there is no place {} here; something may be chosen at {}",
                short(&pointer),
                some(places)
            ),
        };
        Stray { pointer, message, known: next }
    }

    /// A value may not stand at a place.
    pub(crate) fn value(pointer: &str, value: &RawValue, step: &Step) -> Stray {
        let known = match (&step.values, step.least, step.most) {
            (Some(values), ..) => format!("it may be {}", some(values.iter().map(|it| it.get()))),
            (None, Some(least), Some(most)) => format!("it may be {least} to {most}"),
            _ => "words are expected".to_owned(),
        };
        let message = format!("no legal action has {} at {pointer}; {known}", short(value.get()));
        Stray { pointer: pointer.to_owned(), message, known: vec![step.clone()] }
    }

    /// A draft names a player who is none of those that may act.
    pub fn player(draft: &Draft, seats: impl Iterator<Item = &'static str>) -> Stray {
        let known: Vec<&str> = seats.collect();
        let pointer = if draft.0.contains_key("player") { "/player" } else { "" };
        let message = match known.as_slice() {
            [] => "there is nobody whose actions this viewer may see".to_owned(),
            names => format!("the actions that this viewer may see are of {}", names.join(", ")),
        };
        let known = Step::values("/player", known).into_iter().collect();
        Stray { pointer: pointer.to_owned(), message, known }
    }
}

/// Some texts in a row, cut where they are many.
fn some<'a>(texts: impl Iterator<Item = &'a str>) -> String {
    const MOST: usize = 8;
    let mut texts = texts.map(short);
    let mut shown: Vec<String> = texts.by_ref().take(MOST).collect();
    shown.extend(texts.next().map(|_| "…".to_owned()));
    shown.join(", ")
}

/// A text, cut where it is long.
fn short(text: &str) -> String {
    const LONGEST: usize = 60;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn continued(draft: &str, actions: &[&str]) -> (Vec<String>, bool, usize) {
        let draft = Draft::read(draft).expect("a draft");
        let mut all = Continued::new(&draft);
        let raw = |text: &&str| RawValue::from_string((*text).to_owned()).expect("JSON");
        let fit = actions.iter().filter(|it| all.note(&raw(it), false)).count();
        let words = all.steps.iter().map(|it| serde_json::to_string(it).expect("JSON"));
        (words.collect(), all.complete, fit)
    }

    const PLAYS: [&str; 4] = [
        r#"{"type":"draw","player":"a"}"#,
        r#"{"type":"play","player":"a","card":"k","moves":[{"who":1,"to":[0,1]}]}"#,
        r#"{"type":"play","player":"a","card":"k","moves":[{"who":1,"to":[0,1]},{"who":2,"to":[1,1]}]}"#,
        r#"{"type":"play","player":"a","card":"q","cost":["x","y"]}"#,
    ];

    #[test]
    fn listed_actions_are_chosen_part_by_part() {
        let (steps, complete, fit) = continued(r#"{"player":"a"}"#, &PLAYS);
        assert_eq!(steps, [r#"{"pointer":"/type","values":["draw","play"]}"#]);
        assert!(!complete && fit == 4);
        let (steps, ..) = continued(r#"{"player":"a","type":"play"}"#, &PLAYS);
        assert_eq!(
            steps,
            [
                r#"{"pointer":"/card","values":["k","q"]}"#,
                r#"{"pointer":"/moves/-","values":[{"who":1,"to":[0,1]}]}"#,
                r#"{"pointer":"/cost","values":[["x","y"]]}"#,
            ]
        );
        let begun = r#"{"player":"a","type":"play","card":"k","moves":[{"who":1,"to":[0,1]}]}"#;
        let (steps, complete, fit) = continued(begun, &PLAYS);
        assert_eq!(steps, [r#"{"pointer":"/moves/-","values":[{"who":2,"to":[1,1]}]}"#]);
        assert!(complete && fit == 2);
        let (steps, complete, fit) = continued(r#"{"player":"a","type":"draw"}"#, &PLAYS);
        assert!(steps.is_empty() && complete && fit == 1);
        let (steps, complete, fit) = continued(r#"{"player":"a","type":"fly"}"#, &PLAYS);
        assert!(steps.is_empty() && !complete && fit == 0);
    }

    #[test]
    fn a_draft_grows_at_open_places_only() {
        let draft = Draft::read(r#"{"type":"play"}"#).expect("a draft");
        let value = RawValue::from_string("[1]".to_owned()).expect("JSON");
        let draft = draft.with("/path/-", &value).expect("a list is made");
        let draft = draft.with("/path/-", &value).expect("a list grows");
        assert_eq!(draft.part::<Vec<[u8; 1]>>("path"), Some(Some(vec![[1], [1]])));
        assert!(draft.with("/path", &value).is_err());
        assert!(draft.with("/path/0/x", &value).is_err());
        assert!(draft.with("/a/b", &value).is_err() && draft.with("", &value).is_err());
        assert!(Draft::read("[]").is_err() && Draft::read("{").is_err());
    }
}
