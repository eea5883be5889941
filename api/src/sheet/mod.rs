//! The sheet of a settled dispute: what was asked, what the referee answers, and what a reader needs
//! to believe it, in one document that can be kept, printed, signed and checked again.
//!
//! [`Draft`] makes the sheet, [`seal`] signs it, [`Document`] is what is handed out, as JSON, Markdown
//! ([`markdown`]) or a page ([`html`]); both are written from what [`contents`] finds in the JSON, so a sheet
//! of another version can be shown too. [`verify`] checks a document without believing it.
//!
//! This module must not decide anything: the engine does. It must not read a clock, and must not store
//! anything.

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
use crate::archive::{self, canonical};
use crate::json;
use crate::referee::Submission;
use crate::store::RecordId;

pub mod contents;
pub mod html;
pub mod markdown;
pub mod seal;
pub mod verify;

/// The version of the form of a sheet.
pub const FORMAT: &str = "umpire-verdict/1";

/// How many plies of the course are told before the one in question.
const BEFORE: u32 = 4;

/// How many are told after it.
const AFTER: u32 = 2;

/// The most lines of the course that are told.
const MOST_LINES: usize = 80;

/// The most precedents that are told.
const MOST_PRECEDENTS: usize = 12;

/// What was asked about the record: with it, the dispute can be settled again.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Asked {
    /// The ply that was asked about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub ply: Option<u32>,
    /// The action that somebody wanted to make at that ply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = crate::schemas::SentAction, required = false))]
    pub action: Option<Value>,
    /// The readings that were to be compared; every other one where it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub readings: Option<Vec<ReadingChoice>>,
    /// The seed for draws that never happened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub seed: Option<String>,
    /// Whether the record, carried over, was wanted with each reading.
    #[serde(default)]
    pub records: bool,
}

/// A clause or ruling that the sheet cites.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SheetRule {
    /// The id.
    pub id: &'static str,
    /// Clause or ruling.
    pub kind: RuleKind,
    /// The rule, or the question that the ruling answers, in our words.
    pub gist: &'static str,
    /// Where it stands in the printed book of the edition in force.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub section: Option<&'static str>,
    /// Of a ruling: why its default is the default.
    #[serde(skip_serializing_if = "str::is_empty")]
    #[cfg_attr(feature = "openapi", schema(required = false))]
    pub because: &'static str,
}

/// A decided dispute that turns on the same ruling or clause.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SheetPrecedent {
    /// Its name among the precedents of the game.
    pub name: String,
    /// The case in one sentence.
    pub title: String,
    /// What the players disagreed about.
    pub question: String,
    /// The ruling or clauses that it turns on.
    pub turns_on: Vec<String>,
    /// Why it was decided so.
    pub reasoning: String,
}

/// What a sheet says. Its canonical JSON (RFC 8785) is what is hashed and signed.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = VerdictSheet))]
pub struct Sheet<'a> {
    /// The version of this form: `umpire-verdict/1`.
    pub format: &'static str,
    /// The version of the engine that settled the dispute.
    pub engine: &'static str,
    /// The game.
    #[cfg_attr(feature = "openapi", schema(value_type = crate::schemas::GameName))]
    pub game: &'static str,
    /// The game's name for people.
    pub title: &'static str,
    /// The rules that were applied.
    pub ruleset: String,
    /// BLAKE3 of the record in canonical JSON.
    #[cfg_attr(feature = "openapi", schema(value_type = String, pattern = "^[0-9a-f]{64}$"))]
    pub record_blake3: String,
    /// The record, in canonical JSON with its ruleset filled in.
    #[cfg_attr(feature = "openapi", schema(value_type = crate::schemas::StoredRecord))]
    pub record: Value,
    /// What was asked about it.
    pub asked: Asked,
    /// How the dispute is settled: the answer of `POST /v1/adjudicate`.
    #[cfg_attr(feature = "openapi", schema(value_type = crate::schemas::Adjudication))]
    pub adjudication: &'a Adjudication,
    /// Every clause and ruling that the sheet cites, in the order of the rules document.
    pub clauses: Vec<SheetRule>,
    /// The story of the record around the ply in question, as the referee knows it.
    pub course: Vec<SheetLine>,
    /// Decided disputes that turn on the same rulings, or on the clause that forbids the action.
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
    /// What happened, in plain words.
    pub text: String,
    /// The clauses it follows from, the deciding one first.
    pub rules: Vec<&'static str>,
}

impl SheetLine {
    fn of(line: &Line, here: u32) -> Self {
        let Line { ply, opening, text, rules, .. } = line.clone();
        SheetLine { ply, opening, here: !opening && ply == here, text, rules }
    }
}

/// A sheet that is not signed yet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Draft {
    /// Its canonical JSON.
    pub text: String,
    /// BLAKE3 of that.
    pub id: RecordId,
}

fn fault(error: impl std::fmt::Display) -> Fault {
    Fault::new(FaultCode::BadRecord, "", format!("no sheet can be made of it: {error}"))
}

impl Draft {
    /// The sheet of a dispute about a record that was settled.
    ///
    /// # Errors
    /// The record or the action has no canonical form, or the time for the work was up.
    pub fn of(
        submission: &Submission<'_>,
        dispute: &Dispute<'_>,
        settled: &Adjudication,
        limits: Limits<'_>,
    ) -> Result<Self, Fault> {
        let game = submission.game;
        let (id, record) = canonical(submission.text, &settled.ruleset, None)?;
        let record = serde_json::from_str(&record).map_err(fault)?;
        let action = dispute.action.map(|action| archive::unique(action.get().as_bytes()));
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

    /// The sheet that a JSON value is.
    ///
    /// # Errors
    /// It has no canonical form.
    pub fn of_value(value: &Value) -> Result<Self, serde_json::Error> {
        let text = serde_json_canonicalizer::to_string(value)?;
        let id = RecordId::from_bytes(*blake3::hash(text.as_bytes()).as_bytes());
        Ok(Draft { text, id })
    }
}

/// The ply that a dispute is about: the one that is asked for, that of the fault, or the first at which
/// the gravest other reading parts; none where all is about the whole game.
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

/// The story around the ply in question. Of an action that stands in the place of a recorded one, nothing
/// is told: it never happened.
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

/// The rules that a settled dispute and the course around it cite.
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

/// The precedents that turn on a ruling whose readings part here, or on the clause that forbids.
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

/// What is handed out of a sheet: its text, the hash of that, and the signature if it was signed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Document {
    /// The canonical JSON of the sheet.
    pub sheet: String,
    /// What its hash is said to be.
    pub blake3: String,
    /// The signature, if it was signed.
    pub signature: Option<Signature>,
}

/// A document as it is written.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written<'a> {
    blake3: String,
    #[serde(borrow)]
    sheet: &'a RawValue,
    #[serde(default)]
    signature: Option<Signature>,
}

/// What begins the JSON in a page, and what ends it.
const IN_PAGE: (&str, &str) = ("<script type=\"application/json\" id=\"verdict\">", "</script>");

impl Document {
    /// The document of a draft, signed if there is a key.
    pub fn of(draft: &Draft, key: Option<&seal::Key>) -> Self {
        let signature = key.map(|key| key.sign(draft.text.as_bytes()));
        Document { sheet: draft.text.clone(), blake3: draft.id.to_string(), signature }
    }

    /// As JSON, on one line, the sheet in canonical form.
    pub fn json(&self) -> String {
        let signature = json::text(&self.signature);
        let signature = String::from_utf8_lossy(&signature);
        let Document { sheet, blake3, .. } = self;
        format!("{{\"blake3\":\"{blake3}\",\"sheet\":{sheet},\"signature\":{signature}}}")
    }

    /// Reads a document: JSON, or a page that holds it.
    ///
    /// # Errors
    /// Says in plain words why it is none.
    pub fn parse(text: &[u8]) -> Result<Self, String> {
        let text = std::str::from_utf8(text).map_err(|_| "it is not UTF-8".to_owned())?;
        let json = match text.trim_start().starts_with('<') {
            false => text,
            true => {
                let (_, rest) = text.split_once(IN_PAGE.0).ok_or("the page holds no verdict")?;
                rest.split_once(IN_PAGE.1).ok_or("the verdict in the page has no end")?.0
            }
        };
        let no_verdict = |error: serde_json::Error| format!("it is no verdict: {error}");
        let written: Written<'_> = serde_json::from_str(json).map_err(no_verdict)?;
        let value = archive::unique(written.sheet.get().as_bytes()).map_err(no_verdict)?;
        if value["format"] != FORMAT {
            return Err(format!("its format is {}; \"{FORMAT}\" is expected", value["format"]));
        }
        // What a program wrote with other blanks or another order is the same sheet.
        let draft = Draft::of_value(&value).map_err(no_verdict)?;
        Ok(Document { sheet: draft.text, blake3: written.blake3, signature: written.signature })
    }
}
