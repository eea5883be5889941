//! A record as it was written down at a table: with unknowns, or with things left out.
//!
//! Read as strictly as a whole record; only what may be unknown is kept as it is written. Must not know a game, and
//! must not decide what is possible.

use std::borrow::Cow;
use std::collections::BTreeMap;

use memchr::memmem;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_json::value::RawValue;

use super::hole::{Known, ONE_OF, UNKNOWN, has_unknown, one_of};
use crate::record::{Fault, FaultCode, read, utf8};
use crate::wire::present;

/// The fields of a record, each still text.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
struct Fields<'a> {
    #[serde(borrow)]
    format: &'a RawValue,
    #[serde(borrow)]
    game: &'a RawValue,
    #[serde(borrow, default)]
    ruleset: Option<&'a RawValue>,
    #[serde(borrow, default)]
    options: Option<&'a RawValue>,
    #[serde(borrow, default)]
    players: Option<&'a RawValue>,
    #[serde(borrow)]
    chance: &'a RawValue,
    #[serde(borrow, default)]
    position: Option<&'a RawValue>,
    #[serde(borrow)]
    actions: &'a RawValue,
    #[serde(borrow, default)]
    claims: Option<&'a RawValue>,
    #[serde(borrow, default)]
    checkpoints: Option<&'a RawValue>,
    #[serde(borrow, default)]
    note: Option<&'a RawValue>,
    #[serde(borrow, default)]
    meta: Option<&'a RawValue>,
    /// What was left out throughout, by the names that the game has for it.
    #[serde(default, deserialize_with = "present")]
    omitted: Option<Vec<String>>,
}

/// The chance of a record.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
struct ChanceFields<'a> {
    #[serde(borrow, default)]
    seed: Option<&'a RawValue>,
    #[serde(borrow, default)]
    tape: Option<&'a RawValue>,
    #[serde(borrow, default)]
    fair: Option<&'a RawValue>,
}

/// A tape of which entries may be missing.
#[derive(Deserialize)]
#[serde(
    deny_unknown_fields,
    expecting = "a list of entries, or an object with partial and entries"
)]
struct PartialTape<'a> {
    partial: bool,
    #[serde(borrow, default)]
    entries: Vec<&'a RawValue>,
}

/// An entry of a tape, as far as it is known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Entry {
    /// Its place in the record.
    pub(super) pointer: String,
    /// The number of actions before the one that asked for it, where that is noted on a tape of which entries are
    /// missing.
    pub(super) ply: Option<u32>,
    /// What fell.
    pub(super) fell: Fell,
}

/// What fell, as far as it is known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Fell {
    /// Something: a card or a die.
    Something,
    /// A card.
    Card { side: Known<String>, card: Known<String> },
    /// A die.
    Die { at: Known<String>, value: Known<u32> },
    /// The order of a deck, or its top part.
    Order { side: String, cards: Vec<Known<String>> },
}

/// A tape, as far as it is known. Dice of one entry stand one by one.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Tape {
    pub(super) entries: Vec<Entry>,
    /// Whether entries may be missing anywhere.
    pub(super) partial: bool,
}

/// A record with unknowns, its envelope read.
#[derive(Clone, Debug)]
pub struct Partial {
    /// The game that it names.
    pub game: String,
    /// The record without actions, tape and position.
    pub(super) base: String,
    pub(super) tape: Option<Tape>,
    /// The actions, each as it was sent.
    pub(super) actions: Vec<Value>,
    /// The position, with or without unknowns.
    pub(super) position: Option<Value>,
    /// What was left out throughout.
    pub(super) omitted: Vec<String>,
    /// The place of an action that was never on the table: it is only asked whether it could be, and whatever it
    /// draws may fall.
    pub(super) asked: Option<usize>,
    /// Whether it is the beginning of a record: what is left on the tape is for the rest of it.
    pub(super) part: bool,
    open: bool,
}

/// How deep lists and objects may stand in one another in what may be unknown.
const DEEPEST: usize = 60;

impl Partial {
    /// Reads a record in which something is unknown or left out; `None` where nothing is, so that it is read as any
    /// other record.
    ///
    /// # Errors
    /// Why the text is no record, and where.
    pub fn read(text: &[u8]) -> Result<Option<Partial>, Fault> {
        if !may_be_partial(text) {
            return Ok(None);
        }
        let text = utf8(text)?;
        let Ok(fields) = read::<Fields<'_>>(text, FaultCode::BadRecord, "") else {
            // What is no record at all is refused where records are read.
            return Ok(None);
        };
        let chance: ChanceFields<'_> = read(fields.chance.get(), FaultCode::BadRecord, "/chance")?;
        let tape = chance.tape.map(read_tape).transpose()?;
        let actions = read_actions(fields.actions)?;
        let position = fields.position.map(|it| deep(it, "/position")).transpose()?;
        let position = position.filter(|it| !it.is_null());
        let omitted = fields.omitted.clone().unwrap_or_default();
        let open = tape.as_ref().is_some_and(|(_, open)| *open)
            || position.as_ref().is_some_and(has_unknown)
            || fields.omitted.is_some()
            || actions.iter().any(has_unknown);
        if !open && position.is_none() {
            return Ok(None);
        }
        let Ok(game) = serde_json::from_str::<Cow<'_, str>>(fields.game.get()) else {
            return Ok(None);
        };
        let base = base(&fields, &chance);
        let tape = tape.map(|(tape, _)| tape);
        let game = game.into_owned();
        Ok(Some(Partial {
            game,
            base,
            tape,
            actions,
            position,
            omitted,
            asked: None,
            part: false,
            open,
        }))
    }

    /// Who plays, by seat.
    pub(crate) fn players(&self) -> Option<BTreeMap<String, String>> {
        #[derive(Deserialize)]
        struct Players {
            players: Option<BTreeMap<String, String>>,
        }
        serde_json::from_str::<Players>(&self.base).ok()?.players
    }

    /// Whether it says by itself that something is unknown or left out. Where it does not, it has a position, which
    /// may be what one player saw.
    pub fn is_open(&self) -> bool {
        self.open
    }

    /// The position, JSON text.
    pub fn position(&self) -> Option<String> {
        self.position.as_ref().map(ToString::to_string)
    }

    /// The record before the action at a place: nothing is said of what came later.
    #[must_use]
    pub fn before(mut self, at: usize) -> Self {
        self.actions.truncate(at);
        self.part = true;
        self.change(|base| {
            base.remove("claims");
            if let Some(list) = base.get_mut("checkpoints").and_then(Value::as_array_mut) {
                let ply = |it: &Value| it.get("ply").and_then(Value::as_u64).unwrap_or(0);
                list.retain(|it| ply(it) <= at as u64);
            }
        });
        self
    }

    /// The record before the action at a place, and there an action (JSON text) that was never on the table.
    ///
    /// # Errors
    /// The text is no JSON, or too deep.
    pub fn asking(self, at: usize, action: &str) -> Result<Self, Fault> {
        let action: Value = read(action, FaultCode::BadJson, "")?;
        if depth(&action) > DEEPEST {
            let detail = format!("this is nested more than {DEEPEST} levels deep");
            return Err(Fault::new(FaultCode::BadRecord, "", detail));
        }
        let mut asking = self.before(at);
        asking.actions.push(action);
        asking.asked = Some(at);
        Ok(asking)
    }

    /// The record under other options. What it claims and states was seen under its own, and is forgotten; more may
    /// have fallen than is needed.
    #[must_use]
    pub(crate) fn under(mut self, options: Value) -> Self {
        self.change(|base| {
            base.remove("claims");
            base.remove("checkpoints");
            base.insert("options".to_owned(), options);
        });
        self.part = true;
        self
    }

    /// Changes the record but for its actions, tape and position.
    fn change(&mut self, how: impl FnOnce(&mut serde_json::Map<String, Value>)) {
        if let Ok(mut fields) = serde_json::from_str(&self.base) {
            how(&mut fields);
            self.base = Value::Object(fields).to_string();
        }
    }

    /// The action at a place, as it was sent.
    pub(crate) fn action(&self, at: usize) -> Option<&Value> {
        self.actions.get(at)
    }

    /// How many actions it has.
    pub fn plies(&self) -> usize {
        self.actions.len()
    }
}

/// Whether a text has a word in it that a record has only where something may be unknown. Looked for before anything is
/// read, so that whole records lose no time.
pub fn may_be_partial(text: &[u8]) -> bool {
    let words: [&[u8]; 5] =
        [b"\"?\"", b"\"one_of\"", b"\"partial\"", b"\"omitted\"", b"\"position\""];
    words.into_iter().any(|word| memmem::find(text, word).is_some())
}

/// The record with nothing in it that may be unknown.
fn base(fields: &Fields<'_>, chance: &ChanceFields<'_>) -> String {
    let mut base = format!(
        r#"{{"format":{},"game":{},"actions":[],"chance":{{"tape":[]"#,
        fields.format.get(),
        fields.game.get()
    );
    let put = |base: &mut String, name: &str, value: Option<&RawValue>| {
        if let Some(value) = value {
            base.push_str(&format!(",\"{name}\":{}", value.get()));
        }
    };
    put(&mut base, "seed", chance.seed);
    put(&mut base, "fair", chance.fair);
    base.push('}');
    put(&mut base, "ruleset", fields.ruleset);
    put(&mut base, "options", fields.options);
    put(&mut base, "players", fields.players);
    put(&mut base, "claims", fields.claims);
    put(&mut base, "checkpoints", fields.checkpoints);
    put(&mut base, "note", fields.note);
    put(&mut base, "meta", fields.meta);
    base.push('}');
    base
}

/// A value that is not too deep to be walked through.
fn deep(text: &RawValue, at: &str) -> Result<Value, Fault> {
    let value: Value = read(text.get(), FaultCode::BadRecord, at)?;
    if depth(&value) > DEEPEST {
        let detail = format!("this is nested more than {DEEPEST} levels deep");
        return Err(Fault::new(FaultCode::BadRecord, at, detail));
    }
    Ok(value)
}

fn depth(value: &Value) -> usize {
    let inside = match value {
        Value::Array(items) => items.iter().map(depth).max(),
        Value::Object(fields) => fields.values().map(depth).max(),
        _ => return 0,
    };
    1 + inside.unwrap_or(0)
}

fn read_actions(text: &RawValue) -> Result<Vec<Value>, Fault> {
    let list: Vec<&RawValue> = read(text.get(), FaultCode::BadRecord, "/actions")?;
    list.into_iter().enumerate().map(|(at, text)| deep(text, &format!("/actions/{at}"))).collect()
}

/// A tape, and whether anything of it is unknown.
fn read_tape(text: &RawValue) -> Result<(Tape, bool), Fault> {
    const AT: &str = "/chance/tape";
    let object = text.get().trim_start().starts_with('{');
    let (list, partial): (Vec<&RawValue>, bool) = if object {
        let tape: PartialTape<'_> = read(text.get(), FaultCode::BadRecord, AT)?;
        (tape.entries, tape.partial)
    } else {
        (read(text.get(), FaultCode::BadRecord, AT)?, false)
    };
    let base = if object { format!("{AT}/entries") } else { AT.to_owned() };
    let mut entries = Vec::with_capacity(list.len());
    let mut open = partial;
    for (at, text) in list.into_iter().enumerate() {
        let pointer = format!("{base}/{at}");
        let value = deep(text, &pointer)?;
        open |= has_unknown(&value);
        read_entry(&value, pointer, partial, &mut entries)?;
    }
    Ok((Tape { entries, partial }, open))
}

/// Adds an entry, its dice one by one.
fn read_entry(
    value: &Value,
    pointer: String,
    partial: bool,
    to: &mut Vec<Entry>,
) -> Result<(), Fault> {
    if value.as_str() == Some(UNKNOWN) {
        to.push(Entry { pointer, ply: None, fell: Fell::Something });
        return Ok(());
    }
    let wrong = |at: &str, detail: String| {
        Fault::new(FaultCode::BadRecord, format!("{pointer}{at}"), detail)
    };
    let Some(fields) = value.as_object() else {
        return Err(wrong("", format!("a tape entry or {UNKNOWN:?} is expected")));
    };
    let kind = fields.get("kind").and_then(Value::as_str).unwrap_or_default();
    let own: &[&str] = match kind {
        "draw" => &["side", "card"],
        "die" => &["at", "value"],
        "dice" => &["at", "values"],
        "shuffle" => &["side", "order"],
        _ => {
            let detail = "the kind of a tape entry is expected: draw, shuffle, die or dice";
            return Err(wrong("/kind", detail.to_owned()));
        }
    };
    for key in fields.keys().map(String::as_str) {
        if key != "kind"
            && !own.contains(&key)
            && !["ply", "opening", "stream", "rule"].contains(&key)
        {
            return Err(wrong(&format!("/{key}"), format!("there is no such field in a {kind}")));
        }
    }
    let field = |name: &str| {
        fields.get(name).ok_or_else(|| wrong("", format!("the field {name:?} is missing")))
    };
    let ply = match fields.get("ply") {
        None => None,
        Some(ply) => {
            let ply = ply.as_u64().and_then(|ply| u32::try_from(ply).ok());
            Some(ply.ok_or_else(|| wrong("/ply", "a number of actions is expected".to_owned()))?)
        }
    }
    .filter(|_| partial);
    let text = |name: &str, value: &Value| {
        known::<String>(value).ok_or_else(|| wrong(&format!("/{name}"), expected("a name")))
    };
    let number = |name: String, value: &Value| {
        known::<u32>(value).ok_or_else(|| wrong(&name, expected("a number")))
    };
    match kind {
        "draw" => {
            let fell = Fell::Card {
                side: text("side", field("side")?)?,
                card: text("card", field("card")?)?,
            };
            to.push(Entry { pointer: format!("{pointer}/card"), ply, fell });
        }
        "die" => {
            let fell = Fell::Die {
                at: text("at", field("at")?)?,
                value: number("/value".to_owned(), field("value")?)?,
            };
            to.push(Entry { pointer: format!("{pointer}/value"), ply, fell });
        }
        "dice" => {
            let at = text("at", field("at")?)?;
            let Some(values) = field("values")?.as_array() else {
                return Err(wrong("/values", "a list is expected".to_owned()));
            };
            for (index, value) in values.iter().enumerate() {
                let value = number(format!("/values/{index}"), value)?;
                let fell = Fell::Die { at: at.clone(), value };
                to.push(Entry { pointer: format!("{pointer}/values/{index}"), ply, fell });
            }
        }
        _ => {
            let side = field("side")?.as_str().map(str::to_owned);
            let side = side.ok_or_else(|| wrong("/side", "a name is expected".to_owned()))?;
            let Some(order) = field("order")?.as_array() else {
                return Err(wrong("/order", "a list is expected".to_owned()));
            };
            let cards = order.iter().enumerate();
            let cards = cards.map(|(at, card)| text(&format!("order/{at}"), card));
            let fell = Fell::Order { side, cards: cards.collect::<Result<_, _>>()? };
            to.push(Entry { pointer: format!("{pointer}/order"), ply, fell });
        }
    }
    Ok(())
}

fn expected(what: &str) -> String {
    format!("{what}, {UNKNOWN:?} or {{{ONE_OF:?}: […]}} is expected")
}

fn known<T: DeserializeOwned>(value: &Value) -> Option<Known<T>> {
    if value.as_str() == Some(UNKNOWN) {
        return Some(Known::Unknown);
    }
    if let Some(values) = one_of(value) {
        let values = values.iter().map(T::deserialize).collect::<Result<Vec<T>, _>>();
        return values.ok().map(Known::OneOf);
    }
    T::deserialize(value).ok().map(Known::Is)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(chance: &str, actions: &str, more: &str) -> String {
        format!(
            r#"{{"format":"umpire/1","game":"any","chance":{chance},"actions":{actions}{more}}}"#
        )
    }

    fn is_partial(text: &str) -> bool {
        Partial::read(text.as_bytes()).unwrap().is_some_and(|it| it.is_open())
    }

    #[test]
    fn a_record_without_unknowns_is_read_as_any_other() {
        assert!(!is_partial(&record(r#"{"seed":"?"}"#, "[]", r#","meta":{"who":"?"}"#)));
        let position = record(r#"{"tape":[]}"#, "[]", r#","position":{"turn":3}"#);
        assert!(!Partial::read(position.as_bytes()).unwrap().unwrap().is_open());
        assert!(!is_partial(&record(r#"{"tape":[]}"#, "[]", r#","partial":true"#)));
        assert!(!is_partial("\"partial\""));
    }

    #[test]
    fn each_kind_of_unknown_makes_a_record_partial() {
        let none = r#"{"tape":[]}"#;
        assert!(is_partial(&record(r#"{"tape":{"partial":true}}"#, "[]", "")));
        assert!(is_partial(&record(r#"{"tape":["?"]}"#, "[]", "")));
        assert!(is_partial(&record(none, r#"[{"type":"bid","amount":"?"}]"#, "")));
        assert!(is_partial(&record(none, "[]", r#","omitted":[]"#)));
        assert!(is_partial(&record(none, "[]", r#","position":{"hand":["?"]}"#)));
    }

    #[test]
    fn dice_stand_one_by_one_and_keep_their_places() {
        let text = record(
            r#"{"tape":[{"kind":"dice","at":"rain","values":[1,"?",{"one_of":[2,3]}]}]}"#,
            "[]",
            "",
        );
        let partial = Partial::read(text.as_bytes()).unwrap().unwrap();
        let entries = partial.tape.unwrap().entries;
        let pointers: Vec<_> = entries.iter().map(|entry| entry.pointer.as_str()).collect();
        let at = "/chance/tape/0/values/";
        assert_eq!(pointers, [format!("{at}0"), format!("{at}1"), format!("{at}2")]);
        let Fell::Die { value, .. } = &entries[2].fell else { panic!("a die") };
        assert!(value.admits(&3) && !value.admits(&1));
    }

    #[test]
    fn what_is_wrong_with_an_entry_is_said_where_it_is() {
        let refused = |entry: &str| {
            let text = record(&format!(r#"{{"tape":["?",{entry}]}}"#), "[]", "");
            Partial::read(text.as_bytes()).unwrap_err().pointer
        };
        assert_eq!(refused("7"), "/chance/tape/1");
        assert_eq!(refused(r#"{"kind":"coin"}"#), "/chance/tape/1/kind");
        assert_eq!(refused(r#"{"kind":"die","at":"rain"}"#), "/chance/tape/1");
        assert_eq!(refused(r#"{"kind":"die","at":"rain","value":"x"}"#), "/chance/tape/1/value");
        assert_eq!(
            refused(r#"{"kind":"draw","side":"cat","card":"a","colour":1}"#),
            "/chance/tape/1/colour"
        );
        assert_eq!(
            refused(r#"{"kind":"shuffle","side":"cat","order":["a",{"one_of":[1]}]}"#),
            "/chance/tape/1/order/1"
        );
    }
}
