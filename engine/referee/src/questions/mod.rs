//! The questions: one function for each, from the text of a request to the text of an answer.
//!
//! What the request is made of stands beside its function. This module must not decide anything,
//! the engine does; and it must not know who asks, nor keep anything.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;
use umpire_engine::any_game::AnyGame;
use umpire_engine::budget::Budget;
use umpire_engine::game::Observer;
use umpire_engine::partial::Partial;
use umpire_engine::record::{self, Fault, FaultCode};
use umpire_engine::replay;
use umpire_engine::replay::answer::Unanswered;

use crate::language::Voice;
use crate::limits::Limits;
use crate::parameters::{Eyes, SENT, Viewer};
use crate::problem::{Problem, shorten};
use crate::reading::{self, Submission, UnknownFields};

pub mod adjudicate;
pub mod analysis;
pub mod compare;
pub mod explain;
pub mod hint;
pub mod legal;
pub mod notes;
pub mod odds;
pub mod remedy;
pub mod repair;
pub mod replays;
pub mod rules;
pub mod scene;
pub mod simulation;
pub mod validate;
pub mod why;

/// The text of an answer in JSON, and the voice of the sentences in it.
pub type Answer = (Vec<u8>, Voice);

/// Records that are kept under their ids.
pub trait Shelf {
    /// The text of a record, and how the caller may view it. `whole`: the answer reveals everything.
    ///
    /// # Errors
    /// There is none, or the caller may not see it (like that).
    fn find(&self, id: &str, whole: bool) -> Result<(String, Eyes), Problem>;
}

/// Where no record is kept.
#[derive(Clone, Copy, Debug)]
pub struct NoShelf;

impl Shelf for NoShelf {
    fn find(&self, _: &str, _: bool) -> Result<(String, Eyes), Problem> {
        Err(Problem::not_found("no records are stored here; send the record itself"))
    }
}

/// What a question is answered with.
#[derive(Clone, Copy)]
pub struct Asked<'a> {
    /// The records that a request may name.
    pub shelf: &'a dyn Shelf,
    /// The limits of the request.
    pub limits: Limits,
    /// Ends the work.
    pub budget: Budget<'a>,
}

impl Asked<'_> {
    /// The limits of the work.
    pub fn limits(&self) -> replay::Limits<'_> {
        self.limits.engine(self.budget)
    }

    /// Works on the record that is sent or stored under an id; the answer reveals everything.
    fn about<T>(
        &self,
        record: Option<&RawValue>,
        id: Option<&str>,
        at: &str,
        work: impl FnOnce(&Submission<'_>) -> Result<T, Problem>,
    ) -> Result<T, Problem> {
        let text = self.text_of(record, id, at, true)?;
        Self::work(&text.0, fields_of(id), at, work)
    }

    /// Works on the record that is sent or stored under an id; the answer reveals only what the
    /// caller's viewer may know.
    fn view_of<T>(
        &self,
        record: Option<&RawValue>,
        id: Option<&str>,
        work: impl FnOnce(&Submission<'_>, Eyes) -> Result<T, Problem>,
    ) -> Result<T, Problem> {
        let (text, eyes) = self.text_of(record, id, "/record", false)?;
        Self::work(&text, fields_of(id), "/record", |submission| work(submission, eyes))
    }

    /// The text of the record that is sent at a place of the request or stored under an id, and how
    /// the caller may view it.
    fn text_of<'r>(
        &self,
        record: Option<&'r RawValue>,
        id: Option<&str>,
        at: &str,
        whole: bool,
    ) -> Result<(Cow<'r, [u8]>, Eyes), Problem> {
        match (record, id) {
            (Some(record), None) => Ok((Cow::Borrowed(record.get().as_bytes()), SENT.into())),
            (None, Some(id)) => {
                let (text, eyes) = self.shelf.find(id, whole)?;
                Ok((Cow::Owned(text.into_bytes()), eyes))
            }
            _ => {
                let more = if at == "/other" { ", or `fingerprints`" } else { "" };
                let detail = format!("expected either a record or the id of a stored one{more}");
                Err(Fault::new(FaultCode::BadRecord, at, detail).into())
            }
        }
    }

    /// Works on the text of the record at a place of the request.
    fn work<T>(
        text: &[u8],
        unknown: UnknownFields,
        at: &str,
        work: impl FnOnce(&Submission<'_>) -> Result<T, Problem>,
    ) -> Result<T, Problem> {
        // Only what is wrong with the record itself is at that place.
        enum Failed {
            Reading(Fault),
            Working(Problem),
        }
        impl From<Fault> for Failed {
            fn from(fault: Fault) -> Self {
                Failed::Reading(fault)
            }
        }
        let work = |submission: &Submission<'_>| work(submission).map_err(Failed::Working);
        reading::with_fields(text, unknown, work).map_err(|failed| match failed {
            Failed::Reading(fault) => within(fault, at).into(),
            Failed::Working(problem) => problem,
        })
    }
}

/// What to do about unknown fields: those of a stored record were accepted when it was stored.
fn fields_of(id: Option<&str>) -> UnknownFields {
    if id.is_some() { UnknownFields::Keep } else { UnknownFields::Refuse }
}

/// The record that is sent, if it has unknowns. Stored records have none.
fn incomplete(
    record: Option<&RawValue>,
    id: Option<&str>,
) -> Result<Option<(&'static dyn AnyGame, Partial)>, Problem> {
    let sent = record.filter(|_| id.is_none());
    let found = sent.map(|it| reading::partial(it.get().as_bytes())).transpose();
    Ok(found.map_err(|fault| within(fault, "/record"))?.flatten())
}

/// The viewer that a request names, or the default one.
fn viewer(game: &dyn AnyGame, name: Option<&str>, eyes: Eyes) -> Result<Observer, Problem> {
    if let Some(name) = name.filter(|name| !Viewer::names().contains(name)) {
        let names = Viewer::names().join(", ");
        let detail = format!("unknown viewer {:?}; expected one of {names}", shorten(name));
        return Err(Fault::new(FaultCode::BadRecord, "/viewer", detail).into());
    }
    Viewer::named(name).of(game, eyes)
}

/// Parses the body of a request.
///
/// # Errors
/// It is not UTF-8, not JSON, or not such a request.
pub fn read<'a, T: Deserialize<'a>>(text: &'a [u8]) -> Result<T, Problem> {
    Ok(record::read(record::utf8(text)?, FaultCode::BadRecord, "")?)
}

/// A fault of a record inside a larger body.
pub fn within(fault: Fault, at: &str) -> Fault {
    Fault { pointer: format!("{at}{}", fault.pointer), ..fault }
}

/// Why the engine returned no result. The pointers of faults in readings are those of the request.
fn unanswered(error: Unanswered) -> Problem {
    match error {
        Unanswered::Fault(fault) if !fault.pointer.starts_with("/readings") => {
            within(fault, "/record").into()
        }
        other => other.into(),
    }
}

/// Checks a number of the request against its bounds.
///
/// # Errors
/// It is outside; the pointer names it.
pub fn within_bounds(name: &str, value: u32, most: u32) -> Result<(), Problem> {
    if (1..=most).contains(&value) {
        return Ok(());
    }
    let detail = format!("expected a number from 1 to {most}, not {value}");
    Err(Fault::new(FaultCode::BadRecord, format!("/{name}"), detail).into())
}

/// The default seed.
pub const SEED: &str = "umpire";

/// The maximum number of simulations of one request: what can be done while someone waits, even if
/// simulations are slow.
pub const MOST_SIMULATIONS: u32 = 20_000;

/// The maximum length of a seed, in characters.
const LONGEST_SEED: usize = 200;

/// The seed of a request, or the default one.
///
/// # Errors
/// It is too long.
pub fn seed_of(seed: Option<&str>) -> Result<&str, Problem> {
    let seed = seed.unwrap_or(SEED);
    if seed.chars().count() > LONGEST_SEED {
        let detail = format!("expected text of at most {LONGEST_SEED} characters");
        return Err(Fault::new(FaultCode::BadRecord, "/seed", detail).into());
    }
    Ok(seed)
}
