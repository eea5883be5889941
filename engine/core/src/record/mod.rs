//! The stored form of a game, `umpire/1`, and the faults of a record that cannot be read.
//!
//! The envelope is read here; what depends on the game (options, position, actions) stays raw
//! text until the game reads it with its own types. This module must not know any game, and must
//! not decide anything about legality: an illegal record is a result, not a [`Fault`].

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::budget::Spent;
use crate::chance::EntryOf;
use crate::chance::fair::Transcript;
use crate::wire::{Note, Trail};

mod checkpoint;
mod meta;
mod unknown;
mod words;

pub use checkpoint::{Checkpoint, Checkpoints};
pub use meta::{Fields, META_DEEPEST, META_MOST_VALUES, Meta};
pub use unknown::{FIELDS, Sieved};

/// The only version of the record's shape.
pub const FORMAT: &str = "umpire/1";

/// Why a record cannot be replayed at all.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FaultCode {
    /// The text is no JSON (or no UTF-8).
    BadJson,
    /// The JSON is no record: a field is missing, unknown, given twice or of the wrong type.
    BadRecord,
    /// `format` is not `umpire/1`.
    UnknownFormat,
    /// `game` is not registered.
    UnknownGame,
    /// `ruleset` is no released version of that game's rules.
    UnknownRuleset,
    /// `options` has a wrong type, an unknown field, an unknown ruling or reading.
    BadOptions,
    /// `options` is well formed, but its data break a rule (a deck of 37 cards).
    OptionsRefused,
    /// `position` has a wrong type or an unknown field.
    BadPosition,
    /// `position` is well formed, but breaks an invariant.
    PositionRefused,
    /// The record has more actions than this engine was told to replay.
    TooManyActions,
    /// The work was ended before its end ([`crate::budget::Budget`]): nobody waits any more, or it may cost no more.
    Stopped,
}

impl FaultCode {
    /// Every code.
    pub const ALL: [FaultCode; 11] = [
        FaultCode::BadJson,
        FaultCode::BadRecord,
        FaultCode::UnknownFormat,
        FaultCode::UnknownGame,
        FaultCode::UnknownRuleset,
        FaultCode::BadOptions,
        FaultCode::OptionsRefused,
        FaultCode::BadPosition,
        FaultCode::PositionRefused,
        FaultCode::TooManyActions,
        FaultCode::Stopped,
    ];
}

/// A record that cannot be replayed, and why, in plain words.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Fault {
    /// The kind of fault.
    pub code: FaultCode,
    /// The place in the record, a JSON pointer; empty for the whole.
    pub pointer: String,
    /// What is wrong and what was expected.
    pub detail: String,
    /// The clause that refuses options or position, where one does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<&'static str>,
    /// The invariant that a position breaks, as `DRK invariant 6`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub invariant: Option<String>,
}

impl Fault {
    /// A fault without a clause.
    pub fn new(code: FaultCode, pointer: impl Into<String>, detail: impl Into<String>) -> Self {
        Fault { code, pointer: pointer.into(), detail: detail.into(), rule: None, invariant: None }
    }
}

impl From<Spent> for Fault {
    fn from(_: Spent) -> Self {
        Fault::new(FaultCode::Stopped, "", "the work was stopped before its end")
    }
}

impl std::fmt::Display for Fault {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.pointer.is_empty() {
            to.write_str(&self.detail)
        } else {
            write!(to, "{}: {}", self.pointer, self.detail)
        }
    }
}

impl std::error::Error for Fault {}

/// A record whose envelope has been read; the parts of the game are still text.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct RawRecord<'a> {
    /// Version of this shape.
    #[serde(borrow)]
    pub format: Cow<'a, str>,
    /// A registered game.
    #[serde(borrow)]
    pub game: Cow<'a, str>,
    /// Game and version of its rules.
    #[serde(borrow, default, deserialize_with = "crate::wire::present")]
    pub ruleset: Option<Cow<'a, str>>,
    /// Edition, rulings, and what the game's setup needs.
    #[serde(borrow, default, deserialize_with = "crate::wire::present")]
    pub options: Option<&'a RawValue>,
    /// Names by seat.
    #[serde(default, deserialize_with = "players")]
    pub players: Option<BTreeMap<String, String>>,
    /// Seed, tape, or both.
    #[serde(borrow)]
    pub chance: ChanceField<'a>,
    /// Where to start from, instead of a new game.
    #[serde(borrow, default)]
    pub position: Option<&'a RawValue>,
    /// The decisions, in order.
    #[serde(borrow)]
    pub actions: &'a RawValue,
    /// What the record says of itself.
    #[serde(default, deserialize_with = "crate::wire::present")]
    pub claims: Option<Claims>,
    /// What is said of moments of the game; checked as claims are.
    #[serde(borrow, default, deserialize_with = "crate::wire::present")]
    pub checkpoints: Option<Checkpoints<'a>>,
    /// Free text, kept byte for byte and never judged.
    #[serde(borrow, default, deserialize_with = "crate::wire::present")]
    pub note: Option<Note<'a>>,
    /// Values that nobody judges, kept byte for byte.
    #[serde(borrow, default, deserialize_with = "crate::wire::present")]
    pub meta: Option<Meta<'a>>,
    /// The names of fields that nobody knows, where they are allowed ([`Sieved`]).
    #[serde(skip)]
    pub unknown: Vec<String>,
}

fn players<'de, D: serde::Deserializer<'de>>(
    from: D,
) -> Result<Option<BTreeMap<String, String>>, D::Error> {
    crate::wire::string_map(from).map(Some)
}

/// The `chance` of a record.
#[derive(Debug, Default)]
pub struct ChanceField<'a> {
    /// The seed.
    pub seed: Option<Cow<'a, str>>,
    /// The tape.
    pub tape: Option<Vec<EntryOf<'a>>>,
    /// How the seed was drawn, where all at a table drew it together; checked as claims are.
    pub fair: Option<Transcript>,
}

impl<'de: 'a, 'a> Deserialize<'de> for ChanceField<'a> {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields, expecting = "an object")]
        struct Fields<'a> {
            #[serde(borrow, default, deserialize_with = "crate::wire::present")]
            seed: Option<Cow<'a, str>>,
            #[serde(borrow, default, deserialize_with = "crate::wire::present")]
            tape: Option<Vec<EntryOf<'a>>>,
            #[serde(default, deserialize_with = "crate::wire::present")]
            fair: Option<Transcript>,
        }
        let Fields { seed, tape, fair } = Fields::deserialize(from)?;
        if seed.is_none() && tape.is_none() {
            return Err(serde::de::Error::custom("a seed, a tape, or both are expected"));
        }
        Ok(ChanceField { seed, tape, fair })
    }
}

/// What a record says of itself.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct Claims {
    /// How the game ended.
    #[serde(
        default,
        deserialize_with = "crate::wire::present",
        skip_serializing_if = "Option::is_none"
    )]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub outcome: Option<ClaimedOutcome>,
    /// The fingerprint of the last state.
    #[serde(
        default,
        deserialize_with = "crate::wire::present",
        skip_serializing_if = "Option::is_none"
    )]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub fingerprint: Option<String>,
    /// The status: `complete`, `in_progress`, `illegal` or `bad_chance`.
    #[serde(
        default,
        deserialize_with = "crate::wire::present",
        skip_serializing_if = "Option::is_none"
    )]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub status: Option<String>,
    /// The number of accepted actions.
    #[serde(
        default,
        deserialize_with = "crate::wire::present",
        skip_serializing_if = "Option::is_none"
    )]
    #[cfg_attr(feature = "schema", schema(nullable = false, minimum = 0))]
    pub plies: Option<u32>,
}

/// The claimed end of a game.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct ClaimedOutcome {
    /// The winner's seat, or `null` for a game without one.
    #[serde(
        default,
        deserialize_with = "crate::wire::present",
        skip_serializing_if = "Option::is_none"
    )]
    pub winner: Option<Option<String>>,
    /// The reason.
    #[serde(
        default,
        deserialize_with = "crate::wire::present",
        skip_serializing_if = "Option::is_none"
    )]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub reason: Option<String>,
}

impl<'a> RawRecord<'a> {
    /// Reads the envelope of a record.
    pub fn read(text: &'a [u8]) -> Result<RawRecord<'a>, Fault> {
        let text = utf8(text)?;
        let record: RawRecord<'a> =
            read(text, FaultCode::BadRecord, "").map_err(|fault| below(text, fault))?;
        if record.format != FORMAT {
            let detail = format!("format {:?} is unknown; {FORMAT:?} is expected", record.format);
            return Err(Fault::new(FaultCode::UnknownFormat, "/format", detail));
        }
        Ok(record)
    }
}

/// A fault of `meta` or `checkpoints`, which are read as one text each, at the entry that it is about.
fn below(text: &str, fault: Fault) -> Fault {
    #[derive(Deserialize)]
    struct Only<'a> {
        #[serde(borrow)]
        meta: Option<&'a RawValue>,
        #[serde(borrow)]
        checkpoints: Option<&'a RawValue>,
    }
    let Ok(only) = serde_json::from_str::<Only<'_>>(text) else { return fault };
    let inner = match &*fault.pointer {
        "/meta" => only.meta.and_then(|it| meta::entries(it.get()).err()),
        "/checkpoints" => only.checkpoints.and_then(|it| checkpoint::list(it.get()).err()),
        _ => None,
    };
    inner.filter(|inner| inner.code == fault.code).unwrap_or(fault)
}

/// Bytes as text, if they are UTF-8.
pub fn utf8(bytes: &[u8]) -> Result<&str, Fault> {
    std::str::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to();
        Fault::new(FaultCode::BadJson, "", format!("the text is no UTF-8 from byte {at} on"))
    })
}

/// Reads one value strictly. The fault names the place below `base`; its code is `data` unless
/// the text is no JSON at all.
pub fn read<'a, T: Deserialize<'a>>(
    text: &'a str,
    data: FaultCode,
    base: &str,
) -> Result<T, Fault> {
    read_along(text, data, base, Trail::default())
}

/// Reads an action strictly. It may have a `note`, of which the game does not know.
///
/// # Errors
/// What is wrong with it, [`FaultCode::BadRecord`], at the place below the action.
pub fn action<'a, A: Deserialize<'a>>(text: &'a str) -> Result<A, Fault> {
    read_along(text, FaultCode::BadRecord, "", Trail::noted())
}

fn read_along<'a, T: Deserialize<'a>>(
    text: &'a str,
    data: FaultCode,
    base: &str,
    trail: Trail,
) -> Result<T, Fault> {
    let error = match from_str(text, &trail) {
        Ok(value) => return Ok(value),
        Err(error) => error,
    };
    // serde_json calls a list that is too long for its type a fault of syntax.
    let no_json = || serde_json::from_str::<serde::de::IgnoredAny>(text).is_err();
    if !error.is_data() && no_json() {
        return Err(Fault::new(FaultCode::BadJson, "", format!("this is no JSON: {error}")));
    }
    let detail = words::plain(&error.to_string());
    Err(Fault::new(data, format!("{base}{}", trail.pointer()), detail))
}

/// Reads one value strictly, and nothing after it.
fn from_str<'a, T: Deserialize<'a>>(text: &'a str, trail: &Trail) -> serde_json::Result<T> {
    let mut reader = serde_json::Deserializer::from_str(text);
    let value = crate::wire::strict(&mut reader, trail)?;
    reader.end()?;
    Ok(value)
}

/// How deep lists and objects may stand in one another inside an action that cannot be read.
const DEEPEST: usize = 100;

/// How deep lists and objects stand in one another in a JSON text.
fn nested(text: &str) -> usize {
    let (mut depth, mut most) = (0_usize, 0);
    let (mut in_string, mut escaped) = (false, false);
    for byte in text.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b'[' | b'{' if !in_string => {
                depth += 1;
                most = most.max(depth);
            }
            b']' | b'}' if !in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    most
}

/// The actions that could be read, and what could not.
#[derive(Debug)]
pub struct Actions<A> {
    /// The actions up to the first that is none.
    pub list: Vec<A>,
    /// What is wrong with the one after them, if it could not be read.
    pub malformed: Option<Malformed>,
}

/// An element of `actions` that is no action of the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Malformed {
    /// The place below the element, a JSON pointer.
    pub pointer: String,
    /// What is wrong.
    pub detail: String,
    /// Its type, if it names one, known or not.
    pub kind: Option<String>,
    /// The player that it says it comes from, known or not.
    pub player: Option<String>,
}

impl Malformed {
    /// What is to be told of a text that could not be read as an action.
    pub fn new(text: &str, fault: Fault) -> Self {
        let value: serde_json::Value = serde_json::from_str(text).unwrap_or_default();
        let word = |field: &str| value.get(field).and_then(|it| it.as_str()).map(str::to_owned);
        let Fault { pointer, detail, .. } = fault;
        Malformed { pointer, detail, kind: word("type"), player: word("player") }
    }
}

/// Reads the actions of a record in one pass; only a faulty one is read a second time.
pub fn actions<'a, A: Deserialize<'a>>(
    text: &'a RawValue,
    most: usize,
) -> Result<Actions<A>, Fault> {
    struct Strictly<A>(A);
    impl<'de, A: Deserialize<'de>> Deserialize<'de> for Strictly<A> {
        fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
            // A faulty action is read a second time, to learn where it is wrong.
            crate::wire::strict(from, &Trail::noted()).map(Strictly)
        }
    }
    struct List<'l, A> {
        list: &'l mut Vec<A>,
        most: usize,
        full: &'l mut bool,
    }
    impl<'de, A: Deserialize<'de>> serde::de::Visitor<'de> for List<'_, A> {
        type Value = ();

        fn expecting(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            to.write_str("a list of actions")
        }

        fn visit_seq<S: serde::de::SeqAccess<'de>>(self, mut seq: S) -> Result<(), S::Error> {
            while let Some(Strictly(action)) = seq.next_element()? {
                if self.list.len() == self.most {
                    *self.full = true;
                    return Err(serde::de::Error::custom("too many"));
                }
                self.list.push(action);
            }
            Ok(())
        }
    }

    let mut list = Vec::with_capacity((text.get().len() / 64).min(most).min(4096));
    let mut full = false;
    let mut reader = serde_json::Deserializer::from_str(text.get());
    let visitor = List { list: &mut list, most, full: &mut full };
    let result = serde::Deserializer::deserialize_seq(&mut reader, visitor);
    let too_many = || {
        let detail = format!("more than {most} actions; this engine replays at most that many");
        Err(Fault::new(FaultCode::TooManyActions, "/actions", detail))
    };
    if full {
        return too_many();
    }
    if result.is_ok() {
        return Ok(Actions { list, malformed: None });
    }
    let raw: Vec<&RawValue> = read(text.get(), FaultCode::BadRecord, "/actions")?;
    if raw.len() > most {
        return too_many();
    }
    // What can be read is flat; only after the first that cannot anything may stand.
    let deep = raw.iter().skip(list.len()).position(|element| nested(element.get()) > DEEPEST);
    if let Some(behind) = deep {
        let pointer = format!("/actions/{}", list.len() + behind);
        let detail = format!("this is nested more than {DEEPEST} levels deep");
        return Err(Fault::new(FaultCode::BadRecord, pointer, detail));
    }
    let Some(element) = raw.get(list.len()) else { return Ok(Actions { list, malformed: None }) };
    let fault = match action::<A>(element.get()) {
        Err(fault) => fault,
        Ok(_) => Fault::new(FaultCode::BadRecord, "", "no action of this game"),
    };
    // A note is no part of the game: a wrong one is a fault of the record, not of a player.
    if fault.pointer == "/note" {
        let pointer = format!("/actions/{}/note", list.len());
        return Err(Fault { pointer, ..fault });
    }
    let malformed = Some(Malformed::new(element.get(), fault));
    Ok(Actions { list, malformed })
}

/// The notes on the actions of a record, each with the place of its action. What could not be read as
/// an action may have one, too, if it is text.
pub fn notes(actions: &RawValue) -> Vec<(usize, String)> {
    #[derive(Deserialize)]
    struct Noted {
        note: String,
    }
    // Most records have none: they are not read a second time.
    if !actions.get().contains(crate::wire::NOTE) && !actions.get().contains('\\') {
        return Vec::new();
    }
    let all: Vec<&RawValue> = serde_json::from_str(actions.get()).unwrap_or_default();
    let note = |text: &RawValue| serde_json::from_str::<Noted>(text.get()).ok().map(|it| it.note);
    all.iter().enumerate().filter_map(|(at, text)| Some((at, note(text)?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_never_read_as_an_object() {
        let whole = r#"["umpire/1","any",null,null,null,{"seed":"x"},null,[],null,null,null,null]"#;
        let fault = RawRecord::read(whole.as_bytes()).unwrap_err();
        assert_eq!(fault.code, FaultCode::BadRecord);
        for chance in [r#"["x",[]]"#, r#"{"tape":[["draw"]]}"#] {
            let text =
                format!(r#"{{"format":"umpire/1","game":"any","chance":{chance},"actions":[]}}"#);
            let fault = RawRecord::read(text.as_bytes()).unwrap_err();
            assert!(fault.pointer.starts_with("/chance"), "{fault:?}");
        }
    }
}
