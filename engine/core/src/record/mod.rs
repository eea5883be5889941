//! The stored form of a game, `umpire/1`, and the faults of a record that cannot be read.
//!
//! The envelope is read here; what depends on the game (options, position, actions) stays raw
//! text until the game reads it with its own types. This module must not know any game, and must
//! not decide anything about legality: an illegal record is a result, not a [`Fault`].

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::wire::Trail;

mod checkpoint;
mod envelope;
mod fault;
mod meta;
mod reading;
mod unknown;
mod words;

pub use checkpoint::{Checkpoint, Checkpoints};
pub use envelope::{ChanceField, ClaimedOutcome, Claims, FORMAT, RawRecord};
pub use fault::{Fault, FaultCode};
pub use meta::{Fields, META_DEEPEST, META_MOST_VALUES, Meta};
use reading::{DEEPEST, nested};
pub use reading::{action, read, utf8};
pub use unknown::{FIELDS, Sieved};

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
