//! The same record under other readings: is it legal there, who wins, and where do they part?
//!
//! Chance stays the same: what the record's own replay drew is the tape of every reading. Where a
//! reading asks for a draw that never happened, it stops with a tape fault, or goes on from a seed
//! and is marked as hypothetical. Everything here is the referee's knowledge and must not be shown
//! to a player of an unfinished game.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use super::compare::same_game;
use super::explain::{say_difference, view_json};
use super::patch::{self, Edit};
use super::transcribe::{Carried, Transcript, transcribe};
use super::voice::{self, CitedRuling, Voices};
use super::why::trial_chance;
use crate::budget::Budget;
use crate::chance::fallen::Fallen;
use crate::chance::seeded::Seeded;
use crate::chance::source::Source;
use crate::chance::tape::{Both, Tape};
use crate::chance::{Ask, Chance, Entry, EntryOf, Halt, What};
use crate::digest::{Fingerprint, fingerprint};
use crate::game::{Game, Keep, Logged, Observer, Stop, Table};
use crate::record::{self, Fault, FaultCode, Malformed, RawRecord};
use crate::replay::answer::{
    Cited, ENGINE, Ending, Status, Unanswered, Violation, cite, ending, raw,
};
use crate::replay::verdict::{
    TapeFault, action_text, left_over, refusal_violation, tape_violation,
};
use crate::replay::{End, Limits, Loaded, begin, load, malformed_at, prepare, run};
use crate::rules::{Refusal, Rule, RuleEntry, editions};
#[cfg(feature = "schema")]
use crate::schema::{GameId, GameOptions};
use crate::wire::{NOTE, escaped};

/// Another reading of the rules: an edition, values of rulings, or both. What it does not name
/// stays as the record has it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = OtherReading))]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct ReadingChoice {
    /// The edition of the printed book.
    #[serde(default, deserialize_with = "crate::wire::present")]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub edition: Option<String>,
    /// Values of selectable rulings by id.
    #[serde(default, deserialize_with = "crate::wire::string_map")]
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub rulings: BTreeMap<String, String>,
}

/// What is disputed about a record.
#[derive(Clone, Copy, Debug, Default)]
pub struct Dispute<'a> {
    /// The readings to compare with the record's own; every other reading of every selectable
    /// ruling, one at a time, and every other edition where it is left out.
    pub readings: Option<&'a [ReadingChoice]>,
    /// The ply that is asked about.
    pub ply: Option<u32>,
    /// An action proposed at that ply (after the last action without one); it stands in the
    /// place of what the record has there and after.
    pub action: Option<&'a RawValue>,
    /// A seed that answers draws which never happened.
    pub seed: Option<&'a str>,
    /// Whether the record, carried over, is wanted with each reading that needs another form.
    pub records: bool,
    /// Whether only the readings are wanted, without the clauses and rulings behind the record's own
    /// course: for many records at once.
    pub brief: bool,
}

/// What a reading makes of a record, by meaning.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = ReadingClass))]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// The same course, by the same clauses.
    Identical,
    /// The same course, by other clauses.
    OtherClause,
    /// The decisions, carried over, give the same course.
    FormOnly,
    /// The rule changes the course.
    Parts,
    /// A decision cannot be carried over.
    Illegal,
    /// Something is needed that never happened.
    MissingChance,
    /// This reading cannot be run.
    NotRun,
}

/// The answer about one action.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Answered {
    /// It is accepted.
    Legal,
    /// It is refused.
    Illegal,
    /// The record stops before it.
    NotReached,
    /// It needs a draw that never happened.
    NoDraw,
}

/// How the draws of a reading relate to those that really happened.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Draws {
    /// The same draws, all of them used.
    Same,
    /// The same draws, some of them not needed.
    LeftOver,
    /// It stops at a draw that never happened, or at one that happened for something else.
    Missing,
    /// From `hypothetical_from` on the draws come from a seed.
    Hypothetical,
}

/// What becomes of the record under one reading.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = GAME::Course))]
pub struct Course {
    /// How the record stands.
    pub status: Status,
    /// Number of accepted actions.
    pub plies: u32,
    /// The first fault, if there is one.
    pub violation: Option<Violation>,
    /// How the game ended, if it is over.
    pub outcome: Option<Ending>,
    /// Whether its draws are those that happened.
    pub draws: Draws,
    /// The ply of the first draw that comes from a seed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub hypothetical_from: Option<u32>,
    /// The answer about the action in question, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub answer: Option<Answered>,
    /// The fingerprint of the last good state.
    #[cfg_attr(feature = "schema", schema(value_type = String, pattern = "^[0-9a-f]{64}$"))]
    pub fingerprint: Fingerprint,
}

/// How two readings part.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = PartingKind))]
#[serde(rename_all = "snake_case")]
pub enum PartingKind {
    /// Already the state before the first action differs.
    Opening,
    /// Both accept the action, and the states after it differ.
    State,
    /// The action is refused under this reading only.
    Refused,
    /// The action is refused as recorded and accepted under this reading.
    Allowed,
    /// Both refuse the action, for different reasons.
    OtherClause,
    /// The action needs a draw that never happened.
    Chance,
}

/// Where two readings part, and why.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Parting {
    /// The ply of the action at which they part.
    pub ply: u32,
    /// How.
    pub how: PartingKind,
    /// The ruling, and the clauses cited there under one reading only.
    pub rules: Vec<Cited>,
    /// What happened there as recorded and not under this reading, in plain words.
    pub recorded: Vec<String>,
    /// What happened there under this reading only, in plain words.
    pub instead: Vec<String>,
    /// What differs then, in plain words; the first twenty differences.
    pub words: Vec<String>,
    /// What makes this reading's state (the referee's view) of the recorded one, together with
    /// `bookkeeping`.
    pub difference: Vec<Edit>,
    /// What else differs there that only keeps books and is no difference to anybody at the table.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schema(required = false))]
    pub bookkeeping: Vec<Edit>,
    /// The fingerprints of the two states: as recorded, and under this reading.
    #[cfg_attr(feature = "schema", schema(value_type = Vec<String>, min_items = 2, max_items = 2))]
    pub fingerprints: [Fingerprint; 2],
}

/// What a reading changes; nothing of it is known where draws are `missing`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Changes {
    /// Who wins. A record that stops at a fault has no winner, but no other one either.
    pub winner: bool,
    /// Whether and how the game ends.
    pub result: bool,
    /// Whether the record is legal.
    pub legality: bool,
    /// Whether the action in question is legal.
    pub answer: bool,
    /// Where or why the record is refused, if it is refused either way.
    pub fault: bool,
}

/// A reading that makes a difference to the record.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = GAME::Compared))]
pub struct Compared {
    /// The reading.
    pub reading: ReadingChoice,
    /// What it says, in plain words.
    pub gist: String,
    /// What it makes of the record.
    pub class: Class,
    /// What it changes once the decisions are carried over.
    pub changes: Changes,
    /// What becomes of the record once the decisions are carried over. The place of a violation is
    /// that in the record as it stands.
    pub course: Course,
    /// What was carried over in another form, line by line; empty where the record can stand as it is.
    pub carried: Vec<Carried>,
    /// The record, carried over, where it was asked for and has another form. Its chance is a tape of
    /// what was drawn.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(value_type = serde_json::Value, required = false))]
    pub record: Option<Box<RawValue>>,
    /// Where the record as it stands parts from its own reading.
    pub parting: Parting,
}

/// A reading that changes nothing, or that the record's options or position rule out.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Aside {
    /// The reading.
    pub reading: ReadingChoice,
    /// `identical` or `other_clause`; `not_run` where it cannot be.
    pub class: Class,
    /// What it says, or why it cannot be, in plain words.
    pub gist: String,
    /// What differs in the last state that only keeps books.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schema(required = false))]
    pub bookkeeping: Vec<Edit>,
}

impl Aside {
    /// A reading that cannot be, and why.
    fn not_run(reading: ReadingChoice, gist: String) -> Self {
        Aside { reading, class: Class::NotRun, gist, bookkeeping: Vec::new() }
    }
}

/// The action in question.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = GAME::Question))]
pub struct Question {
    /// Number of actions before it.
    pub ply: u32,
    /// The action as it was asked or recorded; it need not be an action of the game.
    #[cfg_attr(feature = "schema", schema(value_type = serde_json::Value))]
    pub action: Box<RawValue>,
    /// The answer under the record's own readings.
    pub answer: Answered,
    /// The clauses it follows from: those by which the action does what it does, or those that forbid
    /// it; empty where it is not reached.
    pub clauses: Vec<Cited>,
}

/// A dispute, settled.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = GAME::Adjudication))]
pub struct Adjudication {
    /// The version of the engine.
    pub engine: &'static str,
    /// The game.
    #[cfg_attr(feature = "schema", schema(value_type = GameId))]
    pub game: &'static str,
    /// The rules that were applied.
    pub ruleset: String,
    /// The options of the record, defaults included.
    #[cfg_attr(feature = "schema", schema(value_type = GameOptions))]
    pub options: Box<RawValue>,
    /// What a club secretary reads aloud, sentence by sentence.
    pub summary: Vec<String>,
    /// The action in question, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub question: Option<Question>,
    /// What becomes of the record under its own readings.
    pub recorded: Course,
    /// The rulings behind that course: those at the ply in question first. Also those whose other
    /// readings cannot be run.
    pub cited: Vec<CitedRuling>,
    /// The readings that make a difference, the gravest first.
    pub readings: Vec<Compared>,
    /// The readings that make no difference to this game.
    pub same: Vec<Aside>,
    /// The readings under which the record's options or position cannot be.
    pub impossible: Vec<Aside>,
}

/// The draws that happened, and after them those of a seed, if there is one and if they may go on.
#[derive(Clone)]
pub(super) struct RecordedChance<'a> {
    tape: Happened<'a>,
    /// What shapes the setup comes from the record's own seed, whichever seed goes on.
    own: Option<Seeded>,
    /// Whether the seed may answer what the tape cannot.
    go_on: bool,
    /// Whether it did.
    off: bool,
}

#[derive(Clone)]
enum Happened<'a> {
    Tape(Tape<'a>),
    Both(Box<Both<'a>>),
    /// For a record that is carried over, with the seed that may go on.
    Fallen(Box<(Fallen<'a>, Option<Seeded>)>),
}

impl<'a> RecordedChance<'a> {
    fn of<G: Game>(case: &'a Case<'a, G>, go_on: bool) -> Self {
        let tape = Tape::new(&case.tape);
        let seeded = |seed: &str| Seeded::new(seed, G::META.streams);
        let own = case.record.chance.seed.as_deref();
        let tape = match case.seed.or(own) {
            Some(seed) => Happened::Both(Box::new(Both::new(tape, seeded(seed)))),
            None => Happened::Tape(tape),
        };
        RecordedChance { tape, own: case.seed.and(own).map(seeded), go_on, off: false }
    }

    fn left(&self) -> usize {
        match &self.tape {
            Happened::Tape(tape) => tape.left(),
            Happened::Both(both) => both.tape().left(),
            Happened::Fallen(fallen) => fallen.0.left(),
        }
    }

    /// The same draws for a record that is carried over: in whatever order they are asked for.
    fn fallen<G: Game>(case: &'a Case<'a, G>) -> Self {
        let chance = RecordedChance::of(case, true);
        let seed = match chance.tape {
            Happened::Both(mut both) => Some(both.seeded().clone()),
            Happened::Tape(_) | Happened::Fallen(_) => None,
        };
        let tape = Happened::Fallen(Box::new((Fallen::new(&case.tape), seed)));
        RecordedChance { tape, own: chance.own, go_on: true, off: false }
    }

    /// Whether draws were asked for in another order than that in which they fell.
    pub(super) fn is_reordered(&self) -> bool {
        matches!(&self.tape, Happened::Fallen(fallen) if fallen.0.is_reordered())
    }

    /// Asks the tape, and the seed from the first question on that the tape cannot answer.
    fn ask<T>(
        &mut self,
        mut tape: impl FnMut(&mut dyn Chance) -> Result<T, Halt>,
    ) -> Result<T, Halt> {
        let both = match &mut self.tape {
            Happened::Tape(only) => return tape(only),
            Happened::Both(both) => both,
            Happened::Fallen(fallen) => {
                let (fallen, seed) = &mut **fallen;
                return match (tape(fallen), seed) {
                    (Err(Halt::Exhausted { .. }), Some(seed)) if self.go_on => {
                        self.off = true;
                        tape(seed)
                    }
                    (answer, _) => answer,
                };
            }
        };
        if !self.off {
            match tape(both.as_mut()) {
                Err(Halt::Exhausted { .. } | Halt::Mismatch { .. }) if self.go_on => {
                    self.off = true;
                }
                answer => return answer,
            }
        }
        tape(both.seeded())
    }
}

impl Chance for RecordedChance<'_> {
    fn answer(&mut self, ask: &Ask<'_>) -> Result<u32, Halt> {
        if let What::Hidden { .. } = ask.what {
            return match (&mut self.own, &mut self.tape) {
                (Some(own), _) => own.answer(ask),
                (None, Happened::Both(both)) => both.seeded().answer(ask),
                (None, Happened::Tape(tape)) => tape.answer(ask),
                (None, Happened::Fallen(fallen)) => match &mut fallen.1 {
                    Some(seed) => seed.answer(ask),
                    None => fallen.0.answer(ask),
                },
            };
        }
        self.ask(|chance| chance.answer(ask))
    }

    fn order(&mut self, ask: &Ask<'_>) -> Result<Option<Vec<u32>>, Halt> {
        self.ask(|chance| chance.order(ask))
    }

    fn known(&mut self, ask: &Ask<'_>, row: u32) {
        if let (Happened::Both(both), false) = (&mut self.tape, self.off) {
            both.known(ask, row);
        }
    }

    fn shuffle(&mut self, ask: &Ask<'_>) -> Result<Vec<u32>, Halt> {
        self.ask(|chance| chance.shuffle(ask))
    }
}

/// What is replayed under each reading.
pub(super) struct Case<'a, G: Game> {
    record: &'a RawRecord<'a>,
    options: G::Options,
    pub(super) actions: Vec<G::Action>,
    pub(super) malformed: Option<Malformed>,
    /// The action in question stands here.
    pub(super) asked: Option<(u32, &'a RawValue)>,
    /// Whether it is proposed and not the record's own.
    proposed: bool,
    tape: Vec<EntryOf<'a>>,
    /// A seed given for the dispute.
    seed: Option<&'a str>,
    pub(super) budget: Budget<'a>,
}

/// A table at its opening, or what kept it from opening.
pub(super) struct OpenedTable<'a, G: Game> {
    table: Table<G>,
    chance: RecordedChance<'a>,
    failed: Option<End<G::Rule>>,
}

impl<G: Game> Clone for OpenedTable<'_, G> {
    fn clone(&self) -> Self {
        let OpenedTable { table, chance, failed } = self;
        OpenedTable { table: table.clone(), chance: chance.clone(), failed: failed.clone() }
    }
}

fn ruling(table: &'static [RuleEntry], id: &str) -> Option<&'static RuleEntry> {
    table.iter().find(|entry| entry.id == id)
}

/// Refuses a reading that names an unknown edition, ruling or value.
fn check<G: Game>(readings: &[ReadingChoice]) -> Result<(), Fault> {
    for (at, reading) in readings.iter().enumerate() {
        let fault = |part: &str, detail: String| {
            let pointer = format!("/readings/{at}{part}");
            Err(Fault::new(FaultCode::OptionsRefused, pointer, detail))
        };
        if reading.edition.is_none() && reading.rulings.is_empty() {
            return fault("", "an edition or a ruling is expected".to_owned());
        }
        let known = editions(G::Rule::TABLE);
        match &reading.edition {
            Some(edition) if !known.contains(&edition.as_str()) => {
                let detail = match known.is_empty() {
                    true => format!("{} has one edition", G::META.title),
                    false => format!("{edition:?} is no edition; there is {}", known.join(", ")),
                };
                return fault("/edition", detail);
            }
            _ => {}
        }
        for (id, value) in &reading.rulings {
            let part = format!("/rulings/{}", escaped(id));
            let Some(def) = G::rulings().iter().find(|def| def.id == id) else {
                return fault(
                    &part,
                    format!("{id:?} is no selectable ruling of {}", G::META.title),
                );
            };
            if !def.values.contains(&value.as_str()) {
                let values = def.values.join(", ");
                return fault(&part, format!("{id} has no reading {value:?}; it has {values}"));
            }
        }
    }
    Ok(())
}

impl ReadingChoice {
    /// The reading in plain words.
    fn gist(&self, table: &'static [RuleEntry]) -> String {
        let mut parts = Vec::new();
        if let Some(edition) = &self.edition {
            parts.push(format!("the edition `{edition}`"));
        }
        for (id, value) in &self.rulings {
            let entry = ruling(table, id);
            let reading = entry
                .and_then(|entry| entry.readings.iter().find(|reading| reading.value == value));
            let question = entry.map_or("", |entry| entry.gist);
            let says = reading.map_or("", |reading| reading.gist);
            parts.push(format!("{id} = {value} ({question} {says})"));
        }
        parts.join(", and ")
    }

    /// The reading in a few words.
    fn name(&self) -> String {
        let edition = self.edition.iter().map(|edition| format!("the edition {edition}"));
        let rulings = self.rulings.iter().map(|(id, value)| format!("{id} = {value}"));
        edition.chain(rulings).collect::<Vec<_>>().join(" and ")
    }
}

impl<'a, G: Game> Case<'a, G> {
    /// Options of the record under a reading, as the game reads them.
    fn options(&self, reading: &ReadingChoice) -> G::Options {
        let pick = |(id, value): (&String, &String)| {
            let ruling = G::rulings().iter().position(|def| def.id == id)?;
            let value = G::rulings()[ruling].values.iter().position(|known| known == value)?;
            Some((ruling, value))
        };
        let picks: Vec<_> = reading.rulings.iter().filter_map(pick).collect();
        let mut options = self.options.clone();
        G::reread(&mut options, reading.edition.as_deref(), &picks);
        options
    }

    /// The table at its opening, under a reading. `go_on`: whether a seed may answer draws of the
    /// opening that never happened.
    fn open(&'a self, reading: &ReadingChoice, go_on: bool) -> Result<OpenedTable<'a, G>, Fault> {
        self.open_keeping(reading, go_on, Keep::Nothing)
    }

    /// The same with a choice of what is kept.
    fn open_keeping(
        &'a self,
        reading: &ReadingChoice,
        go_on: bool,
        keep: Keep,
    ) -> Result<OpenedTable<'a, G>, Fault> {
        let mut chance = RecordedChance::of(self, go_on);
        let (setup, position) =
            prepare::<G>(self.options(reading), self.record.position, &mut chance)?;
        let (table, failed) = begin(&setup, position.as_ref(), &mut chance, keep);
        Ok(OpenedTable { table, chance, failed })
    }

    /// The same for a record that is carried over.
    fn open_carried(&'a self, reading: &ReadingChoice, keep: Keep) -> Option<OpenedTable<'a, G>> {
        let mut chance = RecordedChance::fallen(self);
        let options = self.options(reading);
        let (setup, position) = prepare::<G>(options, self.record.position, &mut chance).ok()?;
        let (table, failed) = begin(&setup, position.as_ref(), &mut chance, keep);
        Some(OpenedTable { table, chance, failed })
    }

    /// Whether the action at a ply is one that never was on the table, so that nothing can be
    /// known of what it draws.
    pub(super) fn never_played(&self, ply: u32) -> bool {
        self.proposed && self.asked.is_some_and(|(at, _)| at == ply)
    }

    /// The text that was sent at a ply.
    fn sent(&self, ply: u32) -> &'a str {
        match self.asked {
            Some((at, action)) if at == ply => action.get(),
            _ => action_text(self.record, ply as usize).map_or("null", RawValue::get),
        }
    }

    /// The answer about the action at which the draws end: a proposed one is judged by its rule, and
    /// what it would draw is another matter.
    fn by_its_rule(&self, table: &Table<G>) -> Answered {
        let ply = table.ply();
        let Some(action) = self.actions.get(ply as usize).filter(|_| self.never_played(ply)) else {
            return Answered::NoDraw;
        };
        match table.bare().play(action, &mut trial_chance::<G>()) {
            Err(Stop::Refused(_)) => Answered::Illegal,
            Ok(()) | Err(Stop::Chance { .. }) => Answered::Legal,
        }
    }

    /// What became of a replay.
    fn course(&self, run: &Run<'_, G>, recorded: bool) -> Course {
        let Run { table, end, chance, hypothetical_from } = run;
        let played = End::Played;
        let end = end.as_ref().unwrap_or(&played);
        let outcome = table.outcome();
        let mut violation = match end {
            End::Played => None,
            End::Refused(refusal) => {
                let sent = self.sent(table.ply());
                Some(refusal_violation(table, refusal, sent, Observer::Referee))
            }
            End::Chance { halt, rule } => {
                Some(tape_violation(table, halt, *rule, Observer::Referee))
            }
        };
        let mut status = match (end, outcome) {
            (End::Refused(_), _) => Status::Illegal,
            (End::Chance { .. }, _) => Status::BadChance,
            (End::Played, Some(_)) => Status::Complete,
            (End::Played, None) => Status::InProgress,
        };
        let left = chance.left();
        let used = matches!(end, End::Played) && left > 0;
        // Only the record as it stands can be blamed for a tape that is too long.
        if recorded && used && status == Status::Complete {
            status = Status::BadChance;
            let entry = self.tape.len() - left;
            violation = Some(left_over(table, entry, left, Observer::Referee));
        }
        let draws = match end {
            End::Chance { .. } => Draws::Missing,
            _ if hypothetical_from.is_some() => Draws::Hypothetical,
            _ if left > 0 => Draws::LeftOver,
            _ => Draws::Same,
        };
        let answer = self.asked.map(|(ply, _)| match (table.ply().cmp(&ply), end) {
            (std::cmp::Ordering::Greater, _) => Answered::Legal,
            (std::cmp::Ordering::Equal, End::Refused(_)) => Answered::Illegal,
            (std::cmp::Ordering::Equal, End::Chance { .. }) => self.by_its_rule(table),
            _ => Answered::NotReached,
        });
        Course {
            status,
            plies: table.ply(),
            violation,
            outcome: outcome.map(ending::<G>),
            draws,
            hypothetical_from: *hypothetical_from,
            answer,
            fingerprint: fingerprint(&table.view(Observer::Referee)),
        }
    }

    /// What became of a record that was carried over.
    fn carried_course(&self, transcript: &Transcript<'_, G>) -> Course {
        let mut course = self.course(&transcript.run, false);
        let at = transcript.stuck.unwrap_or(self.actions.len());
        if let Some(violation) = &mut course.violation {
            let there = format!("/actions/{}", violation.ply);
            if let Some(rest) = violation.pointer.strip_prefix(&there) {
                violation.pointer = format!("/actions/{at}{rest}");
            }
            violation.ply = at as u32;
        }
        if self.asked.is_some() {
            course.answer = Some(transcript.answer.unwrap_or(Answered::NotReached));
        }
        course
    }

    /// The record as it was carried over to a reading, with the draws in the order in which it asks
    /// for them.
    fn carried_record(
        &'a self,
        reading: &ReadingChoice,
        transcript: &Transcript<'_, G>,
    ) -> Option<Box<RawValue>> {
        let OpenedTable { mut table, mut chance, .. } = self.open_carried(reading, Keep::Log)?;
        for action in &transcript.actions {
            table.play(action, &mut chance).ok()?;
        }
        let tape: Vec<&Entry> = table.log()?.tape.iter().map(|drawn| &drawn.entry).collect();
        let mut draws = serde_json::json!({ "tape": tape });
        if let Some(seed) = self.record.chance.seed.as_deref() {
            draws["seed"] = seed.into();
        }
        let mut actions = serde_json::to_value(&transcript.actions).ok()?;
        for (at, note) in record::notes(self.record.actions) {
            let place = transcript.places.iter().position(|it| *it == Some(at));
            if let Some(action) = place.and_then(|place| actions.get_mut(place)) {
                action[NOTE] = note.into();
            }
        }
        // What was not carried over stands at the end as it was sent.
        let rest = match (transcript.stuck, &self.malformed) {
            (Some(at), _) => Some(at),
            (None, malformed) => malformed.as_ref().map(|_| self.actions.len()),
        };
        if let (Some(list), Some(rest)) = (actions.as_array_mut(), rest) {
            let sent = (rest..).map_while(|at| action_text(self.record, at));
            list.extend(sent.filter_map(|text| serde_json::from_str(text.get()).ok()));
        }
        let mut record = serde_json::json!({
            "format": "umpire/1",
            "game": G::META.id,
            "ruleset": G::META.ruleset(),
            "options": self.options(reading),
            "chance": draws,
            "actions": actions,
        });
        if let Some(position) = self.record.position {
            record["position"] = serde_json::from_str(position.get()).ok()?;
        }
        if let Some(players) = &self.record.players {
            record["players"] = serde_json::to_value(players).ok()?;
        }
        if let Some(note) = &self.record.note {
            record[NOTE] = (*note.0).into();
        }
        RawValue::from_string(record.to_string()).ok()
    }

    /// Plays on from an opening for some actions, with a log of the last of them. `go_on`: before
    /// which of them a seed may answer draws that never happened.
    fn last(
        &self,
        mut from: OpenedTable<'_, G>,
        plies: usize,
        go_on: impl Fn(u32) -> bool,
    ) -> LastStep<G> {
        let actions = &self.actions[..plies.min(self.actions.len())];
        let mut end = from.failed.take();
        let (mut rendered, mut cited) = (Vec::new(), Vec::new());
        for (at, action) in actions.iter().enumerate() {
            if end.is_some() {
                break;
            }
            from.chance.go_on = go_on(at as u32);
            if at + 1 < actions.len() {
                end = from.table.play(action, &mut from.chance).err().map(End::from);
                continue;
            }
            match from.table.play_logged(action, &mut from.chance) {
                Ok(log) => {
                    for Logged { event, rules, .. } in &log.events {
                        cited.push((format!("{event:?}"), rules.as_slice().to_vec()));
                        rendered.extend(G::tell(from.table.setup(), event));
                    }
                }
                Err(stop) => end = Some(stop.into()),
            }
        }
        LastStep { table: from.table, rendered, cited, end }
    }
}

/// The last action of a replay, with what it caused.
struct LastStep<G: Game> {
    table: Table<G>,
    rendered: Vec<String>,
    /// Each event and its clauses.
    cited: Vec<(String, Vec<G::Rule>)>,
    end: Option<End<G::Rule>>,
}

/// A replay under one reading, as far as it has come.
pub(super) struct Run<'a, G: Game> {
    pub(super) table: Table<G>,
    pub(super) chance: RecordedChance<'a>,
    /// Why it goes no further.
    pub(super) end: Option<End<G::Rule>>,
    hypothetical_from: Option<u32>,
}

impl<G: Game> Clone for Run<'_, G> {
    fn clone(&self) -> Self {
        let Run { table, chance, end, hypothetical_from } = self;
        Run {
            table: table.clone(),
            chance: chance.clone(),
            end: end.clone(),
            hypothetical_from: *hypothetical_from,
        }
    }
}

impl<'a, G: Game> Run<'a, G> {
    pub(super) fn from(submission: &OpenedTable<'a, G>) -> Self {
        let OpenedTable { table, chance, failed } = submission.clone();
        let hypothetical_from = chance.off.then_some(0);
        Run { table, chance, end: failed, hypothetical_from }
    }

    /// Plays the next action. `go_on`: whether a seed may answer a draw that never happened.
    pub(super) fn step(&mut self, action: &G::Action, go_on: bool) {
        let ply = self.table.ply();
        self.chance.go_on = go_on;
        self.end = self.table.play(action, &mut self.chance).err().map(End::from);
        if self.chance.off {
            self.hypothetical_from.get_or_insert(ply);
        }
    }

    /// Behind the last action that can be read.
    pub(super) fn finish(&mut self, case: &Case<'_, G>) {
        if let (None, Some(fault)) = (&self.end, &case.malformed) {
            self.end = Some(End::Refused(malformed_at(&self.table, fault)));
        }
    }

    /// An opening, played to the end of the case by itself.
    fn alone(case: &Case<'_, G>, submission: &OpenedTable<'a, G>) -> Self {
        let mut run = Run::from(submission);
        for action in &case.actions {
            if run.end.is_some() || case.budget.spend(1).is_err() {
                break;
            }
            run.step(action, case.never_played(run.table.ply()));
        }
        run.finish(case);
        run
    }
}

/// Replays an opening to the end of the case; beside it, for as long as they agree, the recorded
/// reading. Says where they part. A seed goes on only where the recorded reading got further or
/// has parted before, so that a reading is not told more than the record itself.
fn race<'a, G: Game>(
    case: &Case<'_, G>,
    recorded: &OpenedTable<'a, G>,
    other: &OpenedTable<'a, G>,
    thorough: bool,
) -> (Run<'a, G>, Option<(u32, PartingKind)>) {
    let (mut beside, mut run) = (Run::from(recorded), Run::from(other));
    let mut parts = match (&beside.end, &run.end) {
        (None, Some(End::Chance { .. })) => Some((0, PartingKind::Chance)),
        (None, Some(_)) => Some((0, PartingKind::Refused)),
        (Some(_), None) => Some((0, PartingKind::Allowed)),
        _ if same_game(&beside.table, &run.table, false) => None,
        _ => Some((0, PartingKind::Opening)),
    };
    for action in &case.actions {
        if run.end.is_some() || case.budget.spend(1).is_err() {
            break;
        }
        let ply = run.table.ply();
        let together = parts.is_none();
        if together {
            beside.step(action, case.never_played(ply));
        }
        let further = !together || beside.end.is_none();
        run.step(action, further || case.never_played(ply));
        if together {
            let how = match (&beside.end, &run.end) {
                (None, None) if same_game(&beside.table, &run.table, !thorough) => None,
                (None, None) => Some(PartingKind::State),
                (None, Some(End::Chance { .. })) => Some(PartingKind::Chance),
                (None, Some(_)) => Some(PartingKind::Refused),
                (Some(_), None) => Some(PartingKind::Allowed),
                (Some(End::Refused(one)), Some(End::Refused(two))) => {
                    (reason(one) != reason(two)).then_some(PartingKind::OtherClause)
                }
                (Some(End::Chance { .. }), Some(End::Chance { .. })) => None,
                (Some(_), Some(_)) => Some(PartingKind::OtherClause),
            };
            parts = how.map(|how| (ply, how));
        }
    }
    run.finish(case);
    if parts.is_none() && !thorough && !same_game(&beside.table, &run.table, false) {
        return race(case, recorded, other, true);
    }
    (run, parts)
}

fn reason<R: Rule>(refusal: &Refusal<R>) -> (R, &'static str, &str) {
    (refusal.rule, refusal.code, &refusal.pointer)
}

/// The lines of the one that the other has not.
fn only<T: PartialEq + Clone>(one: &[T], other: &[T]) -> Vec<T> {
    let mut left: Vec<&T> = other.iter().collect();
    let mut lines = Vec::new();
    for line in one {
        match left.iter().position(|had| *had == line) {
            Some(at) => drop(left.swap_remove(at)),
            None => lines.push(line.clone()),
        }
    }
    lines
}

fn parting<G: Game>(
    case: &Case<'_, G>,
    reading: &ReadingChoice,
    recorded: &OpenedTable<'_, G>,
    other: &OpenedTable<'_, G>,
    (ply, how): (u32, PartingKind),
) -> Parting {
    let opening =
        how == PartingKind::Opening || recorded.failed.is_some() || other.failed.is_some();
    let plies = if opening { 0 } else { ply as usize + 1 };
    let one = case.last(recorded.clone(), plies, |ply| case.never_played(ply));
    let accepted = one.end.is_none();
    let two = case.last(other.clone(), plies, |at| at < ply || accepted || case.never_played(at));
    let view = |table: &Table<G>| view_json::<G>(table.setup(), table.state(), Observer::Referee);
    let (one_view, two_view) = (view(&one.table), view(&two.table));
    // Without its draws nothing is known of the other state.
    let (difference, bookkeeping) = match how {
        PartingKind::Chance => Default::default(),
        _ => differences(&one.table, &two.table, Some([&one_view, &two_view])),
    };
    let mut words = Vec::new();
    for end in [&one.end, &two.end].into_iter().flatten() {
        if let End::Refused(refusal) = end {
            let whose =
                if one.end.as_ref() == Some(end) { "as recorded" } else { "under this reading" };
            words.push(format!("refused {whose}: {}", refusal.message));
        }
        if let End::Chance { halt, rule } = end {
            let text = TapeFault::of::<G>(halt, *rule).message;
            words.push(format!("no draw under this reading: {text}"));
        }
    }
    let sides = ["as recorded", "under this reading"];
    words.extend(say_difference::<G>(one.table.setup(), &one_view, &difference, sides, 20));
    // The ruling first, then the clauses it settles among those cited, then the other clauses.
    let mut cited: Vec<G::Rule> = Vec::new();
    let sides = [only(&one.cited, &two.cited), only(&two.cited, &one.cited)];
    for end in [&one.end, &two.end].into_iter().flatten() {
        match end {
            End::Refused(refusal) => cited.extend(refusal.all()),
            End::Chance { rule, .. } => cited.extend(rule),
            End::Played => {}
        }
    }
    cited.extend(sides.iter().flatten().flat_map(|(_, rules)| rules));
    let named = |id: &str| reading.rulings.contains_key(id);
    let settled: Vec<&str> = G::Rule::TABLE
        .iter()
        .filter(|entry| named(entry.id))
        .flat_map(|entry| entry.settles.iter().copied())
        .collect();
    let entries = || cited.iter().map(|rule| rule.entry());
    let table = || G::Rule::TABLE.iter();
    let hit = entries().any(|entry| settled.contains(&entry.id));
    // Where neither cites a clause that the ruling settles, the clauses it settles are the cause.
    let order = table()
        .filter(|entry| named(entry.id))
        .chain(entries().filter(|entry| settled.contains(&entry.id)))
        .chain(table().filter(|entry| !hit && settled.contains(&entry.id)))
        .chain(entries());
    Parting {
        ply,
        how,
        rules: cite(order, G::edition(two.table.setup())),
        recorded: only(&one.rendered, &two.rendered),
        instead: only(&two.rendered, &one.rendered),
        words,
        difference,
        bookkeeping,
        fingerprints: [fingerprint(&one_view), fingerprint(&two_view)],
    }
}

/// What makes one table's view (the referee's) of the other's: the game, and what only keeps books.
/// `seen` are those views as JSON, where they are at hand.
fn differences<G: Game>(
    one: &Table<G>,
    two: &Table<G>,
    seen: Option<[&Value; 2]>,
) -> (Vec<Edit>, Vec<Edit>) {
    let json = |view: &G::View| serde_json::to_value(view).unwrap_or_default();
    let (first, second) = (one.view(Observer::Referee), two.view(Observer::Referee));
    if first == second {
        return Default::default();
    }
    let all = match seen {
        Some([one, two]) => patch::difference(one, two),
        None => patch::difference(&json(&first), &json(&second)),
    };
    let (mut one, mut two) = (first.clone(), second.clone());
    G::put_books_aside(&mut one);
    G::put_books_aside(&mut two);
    if one == two {
        return (Vec::new(), all);
    }
    if one == first && two == second {
        return (all, Vec::new());
    }
    let game = patch::difference(&json(&one), &json(&two));
    all.into_iter().partition(|edit| game.contains(edit))
}

/// Every other reading of every selectable ruling, one at a time, and every other edition.
fn all_readings<G: Game>(setup: &G::Setup) -> Vec<ReadingChoice> {
    let mut all = Vec::new();
    for edition in editions(G::Rule::TABLE) {
        if edition != G::edition(setup) {
            all.push(ReadingChoice {
                edition: Some(edition.to_owned()),
                ..ReadingChoice::default()
            });
        }
    }
    for (ruling, def) in G::rulings().iter().enumerate() {
        let now = G::reading(setup, ruling);
        for (_, value) in def.values.iter().enumerate().filter(|&(value, _)| value != now) {
            let rulings = BTreeMap::from([(def.id.to_owned(), (*value).to_owned())]);
            all.push(ReadingChoice { edition: None, rulings });
        }
    }
    all
}

/// What is asked of a record, and the course that answers: the actions up to a proposed one, which
/// takes the place of what follows.
fn case_of<'a, G: Game>(
    record: &'a RawRecord<'a>,
    dispute: &Dispute<'a>,
    loaded: Loaded<'a, G>,
) -> Result<Case<'a, G>, Unanswered> {
    let options = match record.options {
        Some(text) => record::read(text.get(), FaultCode::BadOptions, "/options")?,
        None => G::Options::default(),
    };
    let (mut actions, mut malformed) = (loaded.actions.clone(), loaded.malformed.clone());
    let budget = loaded.budget;
    // What the record's own replay draws is the tape of every reading.
    let tape: Vec<EntryOf<'_>> = match (&record.chance.tape, &loaded.source) {
        (Some(tape), _) => tape.clone(),
        (None, Source::Seed(_)) => drawn(loaded)?,
        (None, _) => Vec::new(),
    };
    let sent = actions.len() + usize::from(malformed.is_some());
    let at = dispute.ply.map_or(sent, |ply| ply as usize);
    if at > sent || (dispute.action.is_none() && dispute.ply.is_some() && at == sent) {
        let last = if dispute.action.is_some() { sent } else { sent.saturating_sub(1) };
        return Err(Unanswered::NoSuchPly { asked: at as u32, plies: last as u32 });
    }
    let mut asked = None;
    if let Some(action) = dispute.action {
        if at <= actions.len() {
            actions.truncate(at);
            malformed = None;
            match record::action::<G::Action>(action.get()) {
                Ok(action) => actions.push(action),
                Err(fault) => malformed = Some(Malformed::new(action.get(), fault)),
            }
        }
        asked = Some((at as u32, action));
    } else if let (Some(ply), Some(action)) = (dispute.ply, action_text(record, at)) {
        asked = Some((ply, action));
    }
    let proposed = dispute.action.is_some();
    let seed = dispute.seed;
    Ok(Case { record, options, actions, malformed, asked, proposed, tape, seed, budget })
}

/// Settles a dispute: the record under its own readings and under others.
pub(crate) fn adjudicate<G: Game>(
    record: &RawRecord<'_>,
    dispute: &Dispute<'_>,
    limits: Limits<'_>,
) -> Result<Adjudication, Unanswered> {
    if let Some(readings) = dispute.readings {
        check::<G>(readings)?;
    }
    let loaded = load::<G>(record, limits)?;
    let setup = loaded.setup.clone();
    let case = case_of(record, dispute, loaded)?;
    let base = case.open(&ReadingChoice::default(), false)?;
    // With a log, for what it cites.
    let own = Run::alone(&case, &case.open_keeping(&ReadingChoice::default(), false, Keep::Log)?);
    let recorded = case.course(&own, !case.proposed);
    let voices = (!dispute.brief).then(|| voices(&own));
    let clauses = |ply: u32| match &voices {
        Some(voices) => cite(voices.at(ply), G::edition(&setup)),
        None => Vec::new(),
    };
    let question = case.asked.zip(recorded.answer).map(|((ply, action), answer)| Question {
        ply,
        action: action.to_owned(),
        answer,
        clauses: clauses(ply),
    });
    let at = question.as_ref().map(|question| question.ply);
    let at = at.or(recorded.violation.as_ref().map(|violation| violation.ply));
    let cited = voices.as_ref().map(|voices| voices.rulings::<G>(&setup, at));
    let list = match dispute.readings {
        Some(list) => once(list),
        None => all_readings::<G>(&setup),
    };
    let (mut readings, mut same, mut impossible) = (Vec::new(), Vec::new(), Vec::new());
    for reading in list {
        limits.budget.spend(0).map_err(Fault::from)?;
        let gist = reading.gist(G::Rule::TABLE);
        let submission = match case.open(&reading, base.failed.is_none()) {
            Ok(submission) => submission,
            Err(fault) => {
                let gist = fault.to_string();
                impossible.push(Aside::not_run(reading, gist));
                continue;
            }
        };
        let (run, parts) = race(&case, &base, &submission, false);
        let Some(parts) = parts else {
            let class = match same_clauses(&case, &own, &submission) {
                true => Class::Identical,
                false => Class::OtherClause,
            };
            let (_, bookkeeping) = differences(&own.table, &run.table, None);
            same.push(Aside { reading, class, gist, bookkeeping });
            continue;
        };
        let (how, mut parting) = (parts.1, parting(&case, &reading, &base, &submission, parts));
        let plain = case.course(&run, false);
        let carried = carry_over(&case, &own, &base, &reading, &run, &mut parting.words);
        let (course, class, carried, record) = match carried {
            None => {
                let class = plain_class(&run, how);
                (plain, class, Vec::new(), None)
            }
            Some((transcript, class)) => {
                let course = case.carried_course(&transcript);
                let record = dispute.records.then(|| case.carried_record(&reading, &transcript));
                (course, class, transcript.carried, record.flatten())
            }
        };
        let changes = changes(&recorded, &course);
        readings.push(Compared { reading, gist, class, changes, course, carried, record, parting });
    }
    // A replay that was stopped halfway says nothing.
    limits.budget.spend(0).map_err(Fault::from)?;
    readings.sort_by_key(|it| {
        (std::cmp::Reverse((it.changes, it.class != Class::FormOnly)), it.parting.ply)
    });
    let mut adjudication = Adjudication {
        engine: ENGINE,
        game: G::META.id,
        ruleset: G::META.ruleset(),
        options: raw(&G::options(&setup)),
        summary: Vec::new(),
        question,
        recorded,
        cited: cited.unwrap_or_default(),
        readings,
        same,
        impossible,
    };
    adjudication.summary = summary(record, &adjudication);
    Ok(adjudication)
}

/// What the record's own replay cites.
fn voices<G: Game>(own: &Run<'_, G>) -> Voices<G::Rule> {
    let mut voices = own.table.log().map_or_else(Voices::silent, |log| Voices::of::<G>(log));
    let ply = own.table.ply();
    match &own.end {
        Some(End::Refused(refusal)) => voices.add(ply, refusal.all().collect()),
        Some(End::Chance { rule, .. }) => voices.add(ply, rule.iter().copied().collect()),
        Some(End::Played) | None => {}
    }
    voices
}

/// What a reading makes of a record that nothing was carried over of.
fn plain_class<G: Game>(run: &Run<'_, G>, how: PartingKind) -> Class {
    match (&run.end, how) {
        (_, PartingKind::OtherClause) => Class::OtherClause,
        // The game ends sooner: no decision is wrong.
        (Some(End::Refused(_)), _) if run.table.outcome().is_some() => Class::Parts,
        (Some(End::Refused(_)), _) => Class::Illegal,
        (Some(End::Chance { .. }), _) => Class::MissingChance,
        _ => Class::Parts,
    }
}

/// Carries the record over where the reading refuses it as it stands, if anything of it can be.
fn carry_over<'a, G: Game>(
    case: &'a Case<'a, G>,
    own: &Run<'a, G>,
    recorded: &OpenedTable<'a, G>,
    reading: &ReadingChoice,
    plain: &Run<'a, G>,
    words: &mut Vec<String>,
) -> Option<(Transcript<'a, G>, Class)> {
    let good = own.table.ply();
    // What the record's own reading refuses is not mended here.
    let stopped = plain.end.as_ref().is_some_and(|end| *end != End::Played);
    let asked = case.asked.is_some_and(|(ply, _)| ply <= plain.table.ply());
    if !stopped || asked || plain.table.ply() >= good {
        return None;
    }
    let other = case.open_carried(reading, Keep::Nothing)?;
    let mut transcript = transcribe(case, recorded, &other, good as usize);
    if transcript.run.chance.is_reordered() {
        transcript.carried.insert(0, Carried::chance());
    }
    // Only the form is refused, and every other form is, too: why, stands first.
    if let Some(behind) = &transcript.behind {
        words.insert(0, format!("{} by {}", behind.message, behind.rule.id()));
    }
    if transcript.carried.is_empty() {
        return None;
    }
    let run = &transcript.run;
    let class = match &run.end {
        Some(End::Chance { .. }) => Class::MissingChance,
        Some(End::Refused(_)) if run.table.outcome().is_some() => Class::Parts,
        Some(End::Refused(_)) if transcript.stuck.is_some_and(|at| at < good as usize) => {
            Class::Illegal
        }
        _ if run.table.outcome() == own.table.outcome()
            && run.hypothetical_from.is_none()
            && same_game(&own.table, &run.table, false) =>
        {
            Class::FormOnly
        }
        _ => Class::Parts,
    };
    Some((transcript, class))
}

/// Whether a reading under which the record takes the same course cites the same clauses all along.
fn same_clauses<G: Game>(case: &Case<'_, G>, own: &Run<'_, G>, other: &OpenedTable<'_, G>) -> bool {
    let mut other = other.clone();
    let Some(log) = own.table.log().filter(|_| other.failed.is_none()) else { return true };
    let mut recorded = log.events.iter().skip_while(|logged| logged.opening);
    for action in case.actions.iter().take(own.table.ply() as usize) {
        if case.budget.spend(1).is_err() {
            return true;
        }
        let Ok(step) = other.table.play_logged(action, &mut other.chance) else { return true };
        for Logged { rules, .. } in step.events {
            let same = recorded.next().is_some_and(|had| had.rules.as_slice() == rules.as_slice());
            if !same {
                return false;
            }
        }
    }
    true
}

/// Readings without those that are named twice.
fn once(list: &[ReadingChoice]) -> Vec<ReadingChoice> {
    let mut once: Vec<ReadingChoice> = Vec::with_capacity(list.len());
    for reading in list {
        if !once.contains(reading) {
            once.push(reading.clone());
        }
    }
    once
}

/// What a course changes against the recorded one.
fn changes(recorded: &Course, course: &Course) -> Changes {
    if course.draws == Draws::Missing && recorded.draws != Draws::Missing {
        return Changes::default();
    }
    let winner = |course: &Course| course.outcome.as_ref().and_then(|end| end.winner);
    let faults = recorded.violation.as_ref().zip(course.violation.as_ref());
    let place = |fault: &Violation| (fault.ply, fault.rule.clone(), fault.code.clone());
    // Only the recorded course is blamed for draws left over.
    let legal = |course: &Course| course.violation.is_none();
    let over = |course: &Course| course.outcome.is_some() && course.draws == Draws::LeftOver;
    let as_before = over(recorded) && over(course);
    let stopped = course.violation.is_some() || recorded.violation.is_some();
    let both = course.outcome.is_some() && recorded.outcome.is_some();
    Changes {
        winner: winner(course) != winner(recorded) && (both || !stopped),
        result: course.outcome != recorded.outcome,
        legality: legal(course) != legal(recorded) && !as_before,
        answer: course.answer != recorded.answer,
        fault: faults.is_some_and(|(one, two)| place(one) != place(two)),
    }
}

/// All draws of a replay.
fn drawn<G: Game>(loaded: Loaded<'_, G>) -> Result<Vec<Entry>, Fault> {
    let played = run(loaded, Keep::Log, &mut |_| {})?;
    let log = played.table.log();
    Ok(log.into_iter().flat_map(|log| &log.tape).map(|drawn| drawn.entry.clone()).collect())
}

/// By what the action in question is legal: the deciding clause, and how the rulings that it rests on
/// are read. Empty where nothing is cited.
fn by_its_clauses(all: &Adjudication) -> String {
    let clauses = all.question.iter().flat_map(|question| &question.clauses);
    let ids: Vec<&str> = clauses.map(|cited| cited.id).collect();
    let rests = |id: &&&str| all.cited.iter().any(|ruling| ruling.id == **id);
    let Some(first) = ids.iter().find(|id| !rests(id)) else { return String::new() };
    let mut by = format!(" by {first}");
    let rulings = all.cited.iter().filter(|ruling| ids.contains(&ruling.id));
    for (at, ruling) in rulings.enumerate() {
        let joint = if at == 0 { ", with" } else { " and" };
        by.push_str(&format!("{joint} {} read as “{}”", ruling.id, voice::in_force(ruling)));
    }
    by
}

/// What is said of the rulings that bear on the ply in question and have readings that cannot be run.
fn not_run(cited: &[CitedRuling]) -> Option<String> {
    let open = |ruling: &&CitedRuling| {
        ruling.at_question && ruling.readings.iter().any(|reading| !reading.runs)
    };
    let ids: Vec<&str> = cited.iter().filter(open).map(|ruling| ruling.id).collect();
    let (last, others) = ids.split_last()?;
    let (list, bear) = match others {
        [] => ((*last).to_owned(), "bears"),
        _ => (format!("{} and {last}", others.join(", ")), "bear"),
    };
    Some(format!(
        "{list} {bear} on it too, with readings that cannot be run: of those nothing is said."
    ))
}

/// What is read aloud.
fn summary(record: &RawRecord<'_>, all: &Adjudication) -> Vec<String> {
    let who = |seat: &str| match record.players.as_ref().and_then(|names| names.get(seat)) {
        Some(name) => format!("{name} ({})", seat.replace('_', " ")),
        None => seat.replace('_', " "),
    };
    let result = |course: &Course| match (&course.outcome, &course.violation) {
        (Some(Ending { winner: Some(winner), reason }), _) => {
            format!("{} wins ({})", who(winner), reason.replace('_', " "))
        }
        (Some(Ending { winner: None, reason }), _) => {
            format!("the game ends without a winner ({})", reason.replace('_', " "))
        }
        (None, None) => "the game goes on".to_owned(),
        (None, Some(_)) => "the game is not finished".to_owned(),
    };
    let fault = |Violation { ply, rule, message, .. }: &Violation| {
        format!("the action at ply {ply} is refused by {rule}: {message}")
    };
    let stands = |course: &Course| match (&course.violation, course.draws) {
        (Some(Violation { ply, message, .. }), Draws::Missing) => {
            format!("the action at ply {ply} needs a draw that never happened ({message})")
        }
        (Some(violation), _) if violation.code == "tape_leftover" => violation.message.clone(),
        (Some(violation), _) => fault(violation),
        (None, _) => match course.plies {
            0 => format!("no action is recorded, and {}", result(course)),
            1 => format!("the one action is legal, and {}", result(course)),
            plies => format!("all {plies} actions are legal, and {}", result(course)),
        },
    };
    let answer = |answer: Answered| match answer {
        Answered::Legal => "legal",
        Answered::Illegal => "illegal",
        Answered::NotReached => "never reached",
        Answered::NoDraw => "in need of a draw that never happened",
    };
    let mut lines = Vec::new();
    let maybe = |course: &Course| match course.hypothetical_from {
        Some(ply) => {
            format!(" (with draws from a seed from ply {ply} on, so hypothetically)")
        }
        None => String::new(),
    };
    let by = by_its_clauses(all);
    let asked = |ply: u32, course: &Course| {
        let now = course.answer.map_or("", answer);
        let own = std::ptr::eq(course, &raw const all.recorded);
        let by = if own && course.answer == Some(Answered::Legal) { by.as_str() } else { "" };
        let line = format!("the action at ply {ply} is {now}{by}");
        match (course.answer, &course.violation) {
            (Some(Answered::Illegal), Some(violation)) => {
                format!("{line} by {}: {}", violation.rule, violation.message)
            }
            (Some(Answered::NotReached), Some(_)) => format!("{line}: {}", stands(course)),
            _ => line,
        }
    };
    let recorded = &all.recorded;
    let own = match &all.question {
        Some(question)
            if recorded.draws == Draws::Missing && recorded.answer == Some(Answered::Legal) =>
        {
            format!("{}; what it draws is another matter", asked(question.ply, recorded))
        }
        Some(question) if recorded.outcome.is_some() => {
            format!("{}, and {}", asked(question.ply, recorded), result(recorded))
        }
        Some(question) => asked(question.ply, recorded),
        None => stands(recorded),
    };
    lines.push(format!("Under the readings of the record {own}{}.", maybe(recorded)));
    for compared in &all.readings {
        let Compared { reading, changes, course, parting, .. } = compared;
        let name = reading.name();
        let from = match parting.how {
            PartingKind::Opening => "from the opening on".to_owned(),
            _ => format!("from ply {} on", parting.ply),
        };
        let maybe = maybe(course);
        let line = match &all.question {
            _ if compared.class == Class::FormOnly => {
                "the game is the same, in another form".to_owned()
            }
            _ if course.draws == Draws::Missing && course.answer != Some(Answered::Legal) => {
                stands(course)
            }
            Some(question) if changes.answer && changes.result => {
                format!("{}; {}", asked(question.ply, course), result(course))
            }
            Some(question) if changes.answer => asked(question.ply, course),
            _ if changes.winner || changes.result || changes.legality || changes.fault => {
                stands(course)
            }
            _ => format!("the game differs {from}, but not in its result"),
        };
        let carried = match (compared.carried.len(), compared.carried.iter().any(|it| it.assumed)) {
            (0, _) => String::new(),
            (1, false) => " (1 line of the record is carried over)".to_owned(),
            (1, true) => " (1 line of the record is carried over, by assumption)".to_owned(),
            (lines, false) => format!(" ({lines} lines of the record are carried over)"),
            (lines, true) => {
                format!(" ({lines} lines of the record are carried over, some by assumption)")
            }
        };
        lines.push(format!("Under {name} {line}{carried}{maybe}."));
    }
    let count = |count: usize| match count {
        1 => "1 other reading".to_owned(),
        count => format!("{count} other readings"),
    };
    if !all.same.is_empty() {
        let makes = if all.same.len() == 1 { "makes" } else { "make" };
        lines.push(format!("{} {makes} no difference to this game.", count(all.same.len())));
    }
    lines.extend(not_run(&all.cited));
    if !all.impossible.is_empty() {
        let fits = if all.impossible.len() == 1 { "does" } else { "do" };
        let size = count(all.impossible.len());
        lines.push(format!("{size} {fits} not fit the options or the position of the record."));
    }
    lines
}
