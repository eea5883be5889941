//! The sheet of a settled dispute: the question, the referee's answer, and everything that a reader
//! needs to check it, in one document that can be stored, printed, signed and verified.
//!
//! [`Draft`] makes the sheet, [`seal`] signs it, [`Document`] is the result, as JSON, Markdown
//! ([`markdown`]) or a page ([`html`]). Both of those are written from the [`contents`] of the
//! JSON, so a sheet of another version can be shown too. [`verify`] checks a document without
//! trusting it.
//!
//! This module must not decide anything: the engine does. It must not read a clock, and must not
//! store anything.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use umpire_conformance::precedent::{self, Precedent};
use umpire_engine::dispute::readings::{Adjudication, Dispute, PartingKind, ReadingChoice};
use umpire_engine::game::Observer;
use umpire_engine::record::{Fault, FaultCode};
use umpire_engine::replay::Limits;
use umpire_engine::replay::answer::{ENGINE, Line};
use umpire_engine::rules::{RuleEntry, RuleKind};

use self::seal::Signature;
use crate::store::RecordId;
use umpire_referee::json;
use umpire_referee::reading::Submission;
use umpire_referee::record_id::{self, canonical};

pub mod contents;
pub mod html;
pub mod markdown;
pub mod seal;
pub mod verify;

/// The version of the sheet format.
pub const FORMAT: &str = "umpire-verdict/1";

/// How many plies before the one in question are shown.
const BEFORE: u32 = 4;

/// How many plies after it are shown.
const AFTER: u32 = 2;

/// The maximum number of lines of the story that are shown.
const MOST_LINES: usize = 80;

/// The maximum number of precedents that are shown.
const MOST_PRECEDENTS: usize = 12;

/// The question about the record, with which the dispute can be settled again.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Asked {
    /// The ply in question.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub ply: Option<u32>,
    /// The proposed action at that ply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = umpire_referee::schemas::SentAction, required = false))]
    pub action: Option<Value>,
    /// The readings to compare; every other reading by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub readings: Option<Vec<ReadingChoice>>,
    /// The seed for draws that never happened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub seed: Option<String>,
    /// Whether the converted record was wanted with each reading.
    #[serde(default)]
    pub records: bool,
}

/// A cited clause or ruling.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SheetRule {
    /// The id.
    pub id: &'static str,
    /// Clause or ruling.
    pub kind: RuleKind,
    /// The rule, or the question that the ruling answers, in our words.
    pub gist: &'static str,
    /// Its section in the rulebook of the edition in force.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub section: Option<&'static str>,
    /// For a ruling: why its default is the default.
    #[serde(skip_serializing_if = "str::is_empty")]
    #[cfg_attr(feature = "openapi", schema(required = false))]
    pub because: &'static str,
}

/// A settled dispute that depends on the same ruling or clause.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SheetPrecedent {
    /// Its name among the precedents of the game.
    pub name: String,
    /// The case in one sentence.
    pub title: String,
    /// What the players disagreed about.
    pub question: String,
    /// The ruling or clauses that it depends on.
    pub turns_on: Vec<String>,
    /// Why it was settled like that.
    pub reasoning: String,
}

/// The contents of a sheet. Its canonical JSON (RFC 8785) is hashed and signed.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = VerdictSheet))]
pub struct Sheet<'a> {
    /// The version of this format: `umpire-verdict/1`.
    pub format: &'static str,
    /// The version of the engine that settled the dispute.
    pub engine: &'static str,
    /// The game.
    #[cfg_attr(feature = "openapi", schema(value_type = umpire_referee::schemas::GameName))]
    pub game: &'static str,
    /// The game's name for people.
    pub title: &'static str,
    /// The rules that were applied.
    pub ruleset: String,
    /// The BLAKE3 hash of the record in canonical JSON.
    #[cfg_attr(feature = "openapi", schema(value_type = String, pattern = "^[0-9a-f]{64}$"))]
    pub record_blake3: String,
    /// The record, in canonical JSON with its ruleset filled in.
    #[cfg_attr(feature = "openapi", schema(value_type = umpire_referee::schemas::StoredRecord))]
    pub record: Value,
    /// The question about it.
    pub asked: Asked,
    /// The settled dispute: the response of `POST /v1/adjudicate`.
    #[cfg_attr(feature = "openapi", schema(value_type = umpire_referee::schemas::Adjudication))]
    pub adjudication: &'a Adjudication,
    /// Every cited clause and ruling, in the order of the rules document.
    pub clauses: Vec<SheetRule>,
    /// The story of the record around the ply in question, as the referee knows it.
    pub course: Vec<SheetLine>,
    /// Settled disputes that depend on the same rulings, or on the clause that forbids the action.
    pub precedents: Vec<SheetPrecedent>,
}

/// One line of the story around the ply in question.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SheetLine {
    /// Number of actions accepted before the action that caused it.
    pub ply: u32,
    /// Whether it happened before the first action.
    pub opening: bool,
    /// Whether it belongs to the ply in question.
    pub here: bool,
    /// What happened, as plain text.
    pub text: String,
    /// The clauses that it follows from, the deciding one first.
    pub rules: Vec<&'static str>,
}

impl SheetLine {
    fn of(line: &Line, here: u32) -> Self {
        let Line { ply, opening, text, rules, .. } = line.clone();
        SheetLine { ply, opening, here: !opening && ply == here, text, rules }
    }
}

/// An unsigned sheet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Draft {
    /// Its canonical JSON.
    pub text: String,
    /// The BLAKE3 hash of that.
    pub id: RecordId,
}

fn fault(error: impl std::fmt::Display) -> Fault {
    Fault::new(FaultCode::BadRecord, "", format!("no sheet can be made of this record: {error}"))
}

impl Draft {
    /// The sheet of a settled dispute about a record.
    ///
    /// # Errors
    /// The record or the action has no canonical form, or the time limit was exceeded.
    pub fn of(
        submission: &Submission<'_>,
        dispute: &Dispute<'_>,
        settled: &Adjudication,
        limits: Limits<'_>,
    ) -> Result<Self, Fault> {
        let game = submission.game;
        submission
            .record
            .meta
            .as_ref()
            .map_or(Ok(()), |meta| record_id::check_numbers(meta.text))?;
        let (id, record) = canonical(submission.text, &settled.ruleset, None)?;
        let record = serde_json::from_str(&record).map_err(fault)?;
        let action = dispute.action.map(|action| record_id::unique(action.get().as_bytes()));
        let asked = Asked {
            ply: dispute.ply,
            action: action.transpose().map_err(fault)?,
            readings: dispute.readings.map(<[ReadingChoice]>::to_vec),
            seed: dispute.seed.map(str::to_owned),
            records: dispute.records,
        };
        let course = course(&submission.story(Observer::Referee, limits)?, dispute, settled);
        let sheet = Sheet {
            format: FORMAT,
            engine: ENGINE,
            game: game.meta().id,
            title: game.meta().title,
            ruleset: settled.ruleset.clone(),
            record_blake3: id.to_string(),
            record,
            asked,
            clauses: clauses(game.rules(), settled, &course),
            precedents: precedents(precedent::embedded(settled.game), settled),
            course,
            adjudication: settled,
        };
        let value = serde_json::to_value(&sheet).map_err(fault)?;
        Draft::of_value(&value).map_err(fault)
    }

    /// The sheet for a JSON value.
    ///
    /// # Errors
    /// It has no canonical form.
    pub fn of_value(value: &Value) -> Result<Self, serde_json::Error> {
        let text = serde_json_canonicalizer::to_string(value)?;
        let id = RecordId::from_bytes(*blake3::hash(text.as_bytes()).as_bytes());
        Ok(Draft { text, id })
    }
}

/// The ply that a dispute is about: the one in question, that of the violation, or the first one at
/// which the most important other reading diverges; `None` if it is about the whole game.
fn centre(settled: &Adjudication) -> Option<u32> {
    if let Some(question) = &settled.question {
        return Some(question.ply);
    }
    if let Some(violation) = &settled.recorded.violation {
        return Some(violation.ply);
    }
    let parting = &settled.readings.first()?.parting;
    Some(if parting.how == PartingKind::Opening { 0 } else { parting.ply })
}

/// The story around the ply in question. A proposed action never happened, so its events are left
/// out.
fn course(story: &[Line], dispute: &Dispute<'_>, settled: &Adjudication) -> Vec<SheetLine> {
    let here = centre(settled).unwrap_or(settled.recorded.plies);
    let last = match dispute.action {
        Some(_) => here,
        None => here.saturating_add(AFTER).saturating_add(1),
    };
    let first = here.saturating_sub(BEFORE);
    let near = |line: &&Line| match line.opening {
        true => here == 0 && first == 0,
        false => (first..last).contains(&line.ply),
    };
    story.iter().filter(near).map(|line| SheetLine::of(line, here)).take(MOST_LINES).collect()
}

/// The rules cited by a settled dispute and by the story around it.
fn clauses(
    table: &'static [RuleEntry],
    settled: &Adjudication,
    course: &[SheetLine],
) -> Vec<SheetRule> {
    #[derive(Deserialize)]
    struct Options {
        #[serde(default)]
        edition: String,
    }
    let Options { edition } = serde_json::from_str(settled.options.get())
        .unwrap_or_else(|_| Options { edition: String::new() });
    let mut cited: BTreeSet<&str> = BTreeSet::new();
    let courses = settled.readings.iter().map(|it| &it.course).chain([&settled.recorded]);
    for violation in courses.filter_map(|it| it.violation.as_ref()) {
        cited.insert(&violation.rule);
        cited.extend(violation.rules.iter().map(String::as_str));
    }
    cited.extend(settled.question.iter().flat_map(|it| &it.clauses).map(|clause| clause.id));
    for ruling in settled.cited.iter().filter(|ruling| ruling.at_question) {
        cited.insert(ruling.id);
        cited.extend(ruling.settles.iter().map(|clause| clause.id));
    }
    for reading in &settled.readings {
        cited.extend(reading.reading.rulings.keys().map(String::as_str));
        cited.extend(reading.parting.rules.iter().map(|rule| rule.id));
        cited.extend(reading.carried.iter().filter_map(|line| line.rule));
    }
    cited
        .extend(course.iter().filter(|line| line.here).flat_map(|line| line.rules.iter().copied()));
    let entries = table.iter().filter(|entry| cited.contains(entry.id));
    let rule = |entry: &'static RuleEntry| SheetRule {
        id: entry.id,
        kind: entry.kind,
        gist: entry.gist,
        section: entry.section(&edition),
        because: entry.because,
    };
    entries.map(rule).collect()
}

/// The precedents that depend on a ruling whose readings diverge here, or on the clause that
/// forbids the action.
fn precedents(all: &[Precedent], settled: &Adjudication) -> Vec<SheetPrecedent> {
    let rulings = settled.readings.iter().flat_map(|it| it.reading.rulings.keys());
    let mut at_stake: Vec<&str> = rulings.map(String::as_str).collect();
    let courses = settled.readings.iter().map(|it| &it.course).chain([&settled.recorded]);
    let forbids = courses.filter_map(|it| it.violation.as_ref()).map(|it| it.rule.as_str());
    at_stake.extend(forbids);
    let turns = |it: &&Precedent| match &it.ruling {
        Some(ruling) => at_stake.contains(&ruling.as_str()),
        None => it.clauses.first().is_some_and(|clause| at_stake.contains(&clause.as_str())),
    };
    let shown = |it: &Precedent| SheetPrecedent {
        name: it.name.clone(),
        title: it.title.clone(),
        question: it.question.clone(),
        turns_on: it.ruling.iter().chain(&it.clauses).cloned().collect(),
        reasoning: it.reasoning.clone(),
    };
    all.iter().filter(turns).map(shown).take(MOST_PRECEDENTS).collect()
}

/// A sheet with the hash of its text, and its signature if it was signed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Document {
    /// The canonical JSON of the sheet.
    pub sheet: String,
    /// The hash that it claims to have.
    pub blake3: String,
    /// The signature, if it was signed.
    pub signature: Option<Signature>,
}

/// The written form of a document.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct DocumentJson<'a> {
    blake3: String,
    #[serde(borrow)]
    sheet: &'a RawValue,
    #[serde(default)]
    signature: Option<Signature>,
}

/// The delimiters of the JSON in a page.
const IN_PAGE: (&str, &str) = ("<script type=\"application/json\" id=\"verdict\">", "</script>");

impl Document {
    /// The document for a draft, signed if there is a key.
    pub fn of(draft: &Draft, key: Option<&seal::Key>) -> Self {
        let signature = key.map(|key| key.sign(draft.text.as_bytes()));
        Document { sheet: draft.text.clone(), blake3: draft.id.to_string(), signature }
    }

    /// As JSON on a single line, with the sheet in canonical form.
    pub fn json(&self) -> String {
        let signature = json::text(&self.signature);
        let signature = String::from_utf8_lossy(&signature);
        let Document { sheet, blake3, .. } = self;
        format!("{{\"blake3\":\"{blake3}\",\"sheet\":{sheet},\"signature\":{signature}}}")
    }

    /// Parses a document: JSON, or a page that contains it.
    ///
    /// # Errors
    /// A plain message that says why it is not a document.
    pub fn parse(text: &[u8]) -> Result<Self, String> {
        let text = std::str::from_utf8(text).map_err(|_| "it is not UTF-8".to_owned())?;
        let json = match text.trim_start().starts_with('<') {
            false => text,
            true => {
                let (_, rest) = text.split_once(IN_PAGE.0).ok_or("the page contains no verdict")?;
                rest.split_once(IN_PAGE.1).ok_or("the verdict in the page is incomplete")?.0
            }
        };
        let no_verdict = |error: serde_json::Error| format!("it is not a verdict: {error}");
        let written: DocumentJson<'_> = serde_json::from_str(json).map_err(no_verdict)?;
        let value = record_id::unique(written.sheet.get().as_bytes()).map_err(no_verdict)?;
        if value["format"] != FORMAT {
            return Err(format!("its format is {}; expected \"{FORMAT}\"", value["format"]));
        }
        // Whitespace and the order of fields do not matter.
        let draft = Draft::of_value(&value).map_err(no_verdict)?;
        Ok(Document { sheet: draft.text, blake3: written.blake3, signature: written.signature })
    }
}
