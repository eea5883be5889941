//! An action at a table: one job that plays it and writes every answer, one entry in the journal, one message to all
//! watchers.
//!
//! Nobody is told of an action before it would survive a loss of power. This module must not know HTTP or a game.

use std::sync::Arc;

use serde_json::Value;
use serde_json::value::RawValue;
use umpire_engine::budget::Budget;
use umpire_engine::chance::Entry;
use umpire_engine::game::Observer;
use umpire_engine::live::{Sender, SentAction, Tried};
use umpire_engine::record::{Fault, FaultCode};
use umpire_engine::replay::Limits;
use umpire_engine::wire::escaped;

use super::answer::{Known, LegalWanted, Sight, Since};
use super::journal::{Draws, Step, Taken, stored_text};
use super::now;
use super::session::{TableSession, Who, not_begun, to_the_end};
use super::table::{Table, Version};
use super::watch::{Locked, Place, Prepared, lost};
use crate::http::error::{ApiError, shorten};
use crate::limits::cpu::{Claim, Turn};
use umpire_referee::json;
use umpire_referee::language::{Language, Voice};
use umpire_referee::reading::canonical;

/// For which moment of a table a request is meant, and what its sender calls it.
#[derive(Clone, Debug, Default)]
pub struct Precondition {
    /// The moments that are named; none if the request names none.
    pub at: Option<Moments>,
    /// The name of the request.
    pub key: Option<String>,
}

/// Moments of a table.
#[derive(Clone, Debug)]
pub enum Moments {
    /// Whatever the moment is.
    Any,
    /// One of these versions.
    Some(Vec<String>),
}

impl Precondition {
    /// The moment that is meant, if an action may still be taken that is meant for it.
    ///
    /// # Errors
    /// None is named, or the table has moved on.
    fn check(&self, table: &Table, seat: Option<&str>) -> Result<Version, ApiError> {
        let present = table.version();
        let versions = match &self.at {
            None => return Err(ApiError::no_precondition(present.to_string())),
            Some(Moments::Any) => return Ok(present),
            Some(Moments::Some(versions)) => versions,
        };
        let fits = |sent: &Version| {
            let beside = |seat| {
                sent.undos == present.undos
                    && sent.ply < present.ply
                    && table.still_asked(seat, sent.ply)
            };
            *sent == present || seat.is_some_and(beside)
        };
        let sent = versions.iter().filter_map(|text| text.parse::<Version>().ok()).find(fits);
        sent.ok_or_else(|| {
            let sent = versions.first().map_or("", String::as_str);
            ApiError::stale(&shorten(sent), present.to_string())
        })
    }
}

/// An action that was sent to a table.
pub struct ActionSent {
    /// The action, as a record has it.
    pub action: Box<RawValue>,
    /// What fell for it, if what falls is entered by hand.
    pub tape: Vec<Entry>,
    /// For which moment it is meant.
    pub precondition: Precondition,
    /// With whose eyes the answer looks: the sender's own if nobody is named.
    pub viewer: Option<String>,
    /// In which language.
    pub lang: Language,
    /// What the answer says of the legal actions.
    pub legal: LegalWanted,
    /// The maximum length of the record of the table, in bytes.
    pub longest_record: usize,
}

/// The maximum length of a text in an action, such as a promise, in characters.
const LONGEST_TEXT: usize = 500;

/// What an action came to.
pub struct ActionAnswer {
    /// A `TableStep` in JSON.
    pub text: Vec<u8>,
    /// The version of the table now.
    pub version: Version,
    /// The language of the text.
    pub voice: Voice,
    /// Whether the same request had been taken before.
    pub replayed: bool,
}

/// How far the job of an action has come.
enum Performed {
    /// Nothing has changed.
    Unchanged(Result<ActionAnswer, ApiError>),
    /// It was played: it is the next step of the journal once that is stored, and this is what everybody is told.
    Played { step: String, step_number: u32, frames: Vec<Prepared>, answer: ActionAnswer },
    /// It was played, but cannot be answered: the table is of no use any more.
    Spoilt(ApiError),
}

impl TableSession {
    /// Takes an action.
    ///
    /// # Errors
    /// It may not be sent, is refused, or cannot be stored; then it was not taken. [`super::session::OVERTAKEN`] if another
    /// server was first.
    pub async fn act(self, sent: &Arc<ActionSent>) -> Result<ActionAnswer, ApiError> {
        self.who.taking_part()?;
        let turn = self.tables.cpu.wait(Claim::light(self.peer)).await?;
        to_the_end(self.act_at(turn, sent.clone())).await
    }

    async fn act_at(self, turn: Turn, sent: Arc<ActionSent>) -> Result<ActionAnswer, ApiError> {
        let TableSession { tables, locked: Locked { table: mut guard, place }, who, peer } = self;
        let (limits, watched) = (tables.limits, place.clone());
        let job = move |budget: Budget<'_>| {
            let mut table = guard.take().ok_or_else(lost)?;
            let performed = sent.perform(&mut table, who, &watched, limits.engine(budget));
            Ok((guard, table, performed))
        };
        let (mut guard, table, performed) = tables.cpu.run_at(turn, job).await?;
        match performed {
            Performed::Unchanged(answer) => {
                *guard = Some(table);
                answer
            }
            Performed::Spoilt(error) => Err(error),
            Performed::Played { step, step_number, frames, answer } => {
                // The table is not put back before its step is stored: otherwise it is loaded again.
                tables.append(table.id, step_number, step).await?;
                place.send(&table, frames);
                *guard = Some(table);
                let locked = Locked { table: guard, place };
                TableSession { tables, locked, who, peer }.wake_programs();
                Ok(answer)
            }
        }
    }
}

impl ActionSent {
    /// Plays the action and writes what everybody is told of it.
    fn perform(&self, table: &mut Table, who: Who, place: &Place, limits: Limits<'_>) -> Performed {
        let (seen, viewer, known, action, stored, key) = match self.admit(table, who, limits) {
            Ok(Admitted::New { seen, viewer, known, action, stored, key }) => {
                (seen, viewer, known, action, stored, key)
            }
            Ok(Admitted::Again { ply, viewer }) => {
                let answer = self.answer(table, viewer, Since::Ply(ply), true, limits);
                return Performed::Unchanged(answer);
            }
            Err(error) => return Performed::Unchanged(Err(error)),
        };
        let seat = match who {
            Who::Seat(seat) | Who::Program(seat) => table.game.meta().seat(seat),
            Who::Host | Who::Onlooker => None,
        };
        if let Err(error) = self.play(table, &action, Sender { seat, viewer }) {
            return Performed::Unchanged(Err(error));
        }
        let taken = Taken { action: stored, at: now(), tape: self.tape.clone(), key };
        let step = Step::Action(taken);
        let (text, step_number) = (json::string(&step), table.steps);
        if let Err(fault) = table.take(step, action.player, limits) {
            return Performed::Spoilt(fault.into());
        }
        let since = known.as_ref().map_or(Since::Ply(seen.ply), Since::Known);
        match self.answer(table, viewer, since, false, limits) {
            Ok(answer) => {
                let frames = place.prepare(table, false);
                Performed::Played { step: text, step_number, frames, answer }
            }
            Err(error) => Performed::Spoilt(error),
        }
    }

    /// Checks whether the action may be taken at all, and reads it.
    fn admit(&self, table: &Table, who: Who, limits: Limits<'_>) -> Result<Admitted, ApiError> {
        let viewer = who.viewer(table, self.viewer.as_deref())?;
        let live = table.live.as_deref();
        let action = live.map(|live| live.read(&self.action)).transpose().map_err(in_action)?;
        let player =
            action.as_ref().map_or_else(|| table.player_of(&self.action), |action| action.player);
        let name = match who {
            Who::Host => "host",
            Who::Seat(seat) | Who::Program(seat) if player.is_none_or(|player| player == seat) => {
                seat
            }
            Who::Seat(_) | Who::Program(_) => {
                return Err(ApiError::forbidden("this token plays for another seat"));
            }
            Who::Onlooker => return Err(ApiError::unauthorized()),
        };
        let by_program = player.is_some_and(|player| table.head.programs.contains_key(player));
        if by_program && !matches!(who, Who::Program(_)) {
            return Err(ApiError::conflict("a program plays that seat".to_owned()));
        }
        let key = self.precondition.key.as_ref().map(|key| format!("{name} {key}"));
        if let Some((ply, taken, fallen)) = key.as_ref().and_then(|key| table.keyed(key)) {
            if !same(taken, &self.action) || self.tape != fallen {
                let detail = "this Idempotency-Key was used for another action";
                return Err(ApiError::conflict(detail.to_owned()));
            }
            return Ok(Admitted::Again { ply, viewer });
        }
        table.check_open()?;
        let seen = self.precondition.check(table, player)?;
        let (Some(live), Some(action)) = (live, action) else { return Err(not_begun()) };
        if table.ply() as usize >= limits.actions {
            let detail = format!("a game may have at most {} actions", limits.actions);
            return Err(Fault::new(FaultCode::TooManyActions, "/action", detail).into());
        }
        check_texts(&self.action)?;
        let stored = stored_text(&self.action);
        let length = stored.get().len() + json::text(&self.tape).len();
        if table.length() + length > self.longest_record {
            return Err(ApiError::too_large("record of this table", self.longest_record));
        }
        if !self.tape.is_empty() && !matches!(table.head.chance, Draws::Tape(_)) {
            let detail = "chance does not come from a tape at this table";
            return Err(Fault::new(FaultCode::BadRecord, "/tape", detail).into());
        }
        let sight = Sight { table, viewer, voice: self.lang.of(table.game) };
        let known = (seen == table.version()).then(|| sight.known(live));
        Ok(Admitted::New { seen, viewer, known, action, stored, key })
    }

    /// Plays the action, or says why it is refused; then nothing has changed.
    fn play(&self, table: &mut Table, action: &SentAction, sender: Sender) -> Result<(), ApiError> {
        let (fallen, version) = (table.fallen(), table.version().to_string());
        let voice = self.lang.of(table.game);
        let Some(live) = &mut table.live else { return Err(not_begun()) };
        match live.play(action, self.tape.clone(), sender)? {
            Tried::Taken => Ok(()),
            Tried::Refused(mut violation) => {
                violation.message = voice.said(&violation.message);
                let raw = serde_json::value::to_raw_value(&violation)
                    .map_err(|error| ApiError::internal(error.to_string()))?;
                let pointer = in_request(&violation.pointer, fallen);
                Err(ApiError::refused(raw, pointer, violation.message, version))
            }
        }
    }

    /// What the sender is told.
    fn answer(
        &self,
        table: &Table,
        viewer: Observer,
        since: Since<'_>,
        replayed: bool,
        limits: Limits<'_>,
    ) -> Result<ActionAnswer, ApiError> {
        let voice = self.lang.of(table.game);
        let sight = Sight { table, viewer, voice };
        let live = table.live.as_deref().ok_or_else(not_begun)?;
        let mut view = sight.step(live, since);
        view.legal = Some(sight.legal(live, &self.legal, limits.budget)?);
        view.legal_actions = self.legal.count_only.then(|| sight.link(self.viewer.as_deref()));
        Ok(ActionAnswer { text: json::text(&view), version: table.version(), voice, replayed })
    }
}

/// An action that may be taken.
enum Admitted {
    /// For the first time.
    New {
        /// The moment that its sender saw.
        seen: Version,
        viewer: Observer,
        /// What the viewer knew then, if that is the present moment.
        known: Option<Known>,
        action: SentAction,
        /// The action as the journal keeps it.
        stored: Box<RawValue>,
        key: Option<String>,
    },
    /// It was taken before, at this ply.
    Again { ply: u32, viewer: Observer },
}

/// Checks that no text in an action is too long: every later request about the table carries it.
fn check_texts(action: &RawValue) -> Result<(), ApiError> {
    fn too_long(value: &Value, at: &str) -> Option<String> {
        match value {
            Value::String(text) => (text.chars().count() > LONGEST_TEXT).then(|| at.to_owned()),
            Value::Array(items) => {
                let mut items = items.iter().enumerate();
                items.find_map(|(number, item)| too_long(item, &format!("{at}/{number}")))
            }
            Value::Object(fields) => fields
                .iter()
                .find_map(|(name, field)| too_long(field, &format!("{at}/{}", escaped(name)))),
            Value::Null | Value::Bool(_) | Value::Number(_) => None,
        }
    }
    if action.get().len() <= LONGEST_TEXT {
        return Ok(());
    }
    let value = serde_json::from_str(action.get()).unwrap_or_default();
    match too_long(&value, "/action") {
        None => Ok(()),
        Some(at) => {
            let detail = format!("expected at most {LONGEST_TEXT} characters");
            Err(Fault::new(FaultCode::BadRecord, at, detail).into())
        }
    }
}

/// Whether two texts are the same JSON value, however they are written.
fn same(one: &RawValue, other: &RawValue) -> bool {
    let value = |text: &RawValue| {
        serde_json::from_slice::<serde_json::Value>(&canonical(text.get().as_bytes())).ok()
    };
    one.get() == other.get() || value(one).is_some_and(|it| Some(it) == value(other))
}

/// A fault of the only action of a list, at its place in the request.
fn in_action(fault: Fault) -> ApiError {
    let pointer = match fault.pointer.strip_prefix("/actions/0") {
        Some(below) => format!("/action{below}"),
        None => "/action".to_owned(),
    };
    Fault { pointer, ..fault }.into()
}

/// Where in the request something is that is at this place of a record with the action at its end, on whose tape so
/// many entries had fallen before.
fn in_request(pointer: &str, fallen: usize) -> String {
    if let Some(below) = pointer.strip_prefix("/actions/") {
        return format!("/action{}", below.trim_start_matches(|it: char| it.is_ascii_digit()));
    }
    match pointer.strip_prefix("/chance/tape/").and_then(|at| at.parse::<usize>().ok()) {
        Some(at) => format!("/tape/{}", at.saturating_sub(fallen)),
        None => "/tape".to_owned(),
    }
}
