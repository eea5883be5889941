//! The conformance pack: the fixtures with what this engine makes of them, for another engine to
//! run.
//!
//! The fixtures are part of the binary; what is expected is computed when the pack is made, and
//! computed again when one is checked. This module must not read or write files, and must not name
//! a game.

use std::collections::BTreeMap;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use umpire_engine::any_game::AnyGame;
use umpire_engine::dispute::readings::{Answered, Course, Dispute, Draws, ReadingChoice, Supposed};
use umpire_engine::games::{self, GAMES};
use umpire_engine::partial::Partial;
use umpire_engine::record::{Fault, RawRecord};
use umpire_engine::replay::answer::{ENGINE, Ending, Status, Unanswered, Verdict, Violation};
use umpire_engine::replay::completion::Bounds;
use umpire_engine::replay::{Include, Limits, Query};
use umpire_engine::report::Report;

use crate::embedded;
use crate::fixture::{Fixture, Parts, Try};
use crate::precedent::Precedent;

pub mod chance;

/// The version of the form of a pack.
pub const FORMAT: &str = "umpire-conformance/1";

/// Where the golden vectors of chance lie.
pub const VECTORS: &str = "chance/vectors.json";

/// Where the list of files lies.
pub const MANIFEST: &str = "manifest.json";

const README: &str = include_str!("README.md");

/// A file of a pack.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct File {
    /// Its path in the pack.
    pub path: String,
    /// Its text.
    pub text: String,
}

/// What lies in a pack.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The version of this form.
    pub format: String,
    /// The version of the engine that computed what is expected.
    pub engine: String,
    /// The ruleset of each game.
    pub rulesets: BTreeMap<String, String>,
    /// Every file with something to check.
    pub files: Vec<Listed>,
}

/// A file that a manifest lists.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Listed {
    /// Its path.
    pub path: String,
    /// What it is.
    pub kind: Kind,
    /// BLAKE3 of its bytes.
    pub blake3: String,
}

/// What a file of a pack is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Golden vectors of chance and fingerprint.
    Chance,
    /// The smallest case of a clause.
    Rule,
    /// A whole game.
    Game,
    /// A question that was settled.
    Precedent,
}

impl Kind {
    /// By the path of a fixture: the kind, and the game it is about.
    fn of(path: &str) -> Option<(Kind, &str)> {
        if path == VECTORS {
            return Some((Kind::Chance, ""));
        }
        let (game, rest) = path.split_once('/')?;
        let (folder, _) = rest.split_once('/')?;
        let kind = match folder {
            "rules" => Kind::Rule,
            "games" => Kind::Game,
            "precedents" => Kind::Precedent,
            _ => return None,
        };
        Some((kind, game))
    }
}

/// A case: a record, what is expected of it, and actions tried on the way.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PackedCase {
    title: String,
    shows: Vec<String>,
    record: Box<RawValue>,
    expect: Expect,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    refusals: Vec<Attempt>,
}

/// What the replay of a record gives.
#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum Expect {
    Unreadable(Unreadable),
    Replayed(Replayed),
    Incomplete(Incomplete),
}

/// What becomes of a record with unknowns, whatever was not written down.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Incomplete {
    status: String,
    plies: u32,
    violation: Option<PackedViolation>,
    /// How it ends in every completion, where that is known.
    outcome: Option<Ended>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Unreadable {
    fault: PackedFault,
}

/// Why a record cannot be replayed.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PackedFault {
    code: String,
    pointer: String,
    rule: Option<String>,
    invariant: Option<String>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Replayed {
    status: String,
    plies: u32,
    fingerprints: Vec<String>,
    chain: String,
    violation: Option<PackedViolation>,
    outcome: Option<Ended>,
}

/// The first fault of a record, without the words.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PackedViolation {
    ply: u32,
    code: String,
    rule: String,
    rules: Vec<String>,
    pointer: String,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Ended {
    winner: Option<String>,
    reason: String,
}

/// An action tried at a ply.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Attempt {
    ply: u32,
    action: Box<RawValue>,
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    rulings: Map<String, Value>,
    expect: Tried,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Tried {
    accepted: bool,
    fingerprint: Option<String>,
    violation: Option<PackedViolation>,
}

/// A question that was settled.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PackedPrecedent {
    title: String,
    question: String,
    clauses: Vec<String>,
    ruling: Option<String>,
    record: Box<RawValue>,
    /// The action in question, after the last one of the record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ask: Option<Box<RawValue>>,
    answer: Value,
    expect: Expect,
    /// What becomes of the record with the action in question, under its own readings.
    asked: Option<Became>,
    readings: Vec<Read>,
}

/// What becomes of a record under one reading.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Read {
    reading: ReadingChoice,
    /// `null` where the record's options or position cannot be under it.
    expect: Option<Became>,
}

/// What becomes of a record, or of all completions of one.
#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum Became {
    Went(Went),
    Incomplete(Incomplete),
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Went {
    status: String,
    plies: u32,
    fingerprint: String,
    violation: Option<PackedViolation>,
    outcome: Option<Ended>,
    draws: Value,
    answer: Option<Value>,
}

/// Every file of a pack: of all games, or of one.
///
/// # Errors
///
/// Says which fixture this engine cannot run.
pub fn export(only: Option<&str>) -> Result<Vec<File>, String> {
    let wanted: Vec<(&String, &String, Kind, &str)> = embedded::all()
        .iter()
        .filter_map(|(path, text)| Kind::of(path).map(|(kind, game)| (path, text, kind, game)))
        .filter(|(.., kind, game)| *kind == Kind::Chance || only.is_none_or(|only| only == *game))
        .collect();
    let made: Result<Vec<(Kind, File)>, String> = wanted
        .into_par_iter()
        .map(|(path, text, kind, game)| {
            let named = |why: String| format!("fixtures/{path}: {why}");
            let text = match kind {
                Kind::Chance => text.clone(),
                Kind::Rule | Kind::Game => pretty(&case(game, text).map_err(named)?),
                Kind::Precedent => pretty(&precedent(game, text).map_err(named)?),
            };
            Ok((kind, File { path: path.clone(), text }))
        })
        .collect();
    let made = made?;
    let rulesets = GAMES.iter().filter(|game| only.is_none_or(|only| only == game.meta().id));
    let manifest = Manifest {
        format: FORMAT.to_owned(),
        engine: ENGINE.to_owned(),
        rulesets: rulesets.map(|game| (game.meta().id.to_owned(), game.meta().ruleset())).collect(),
        files: made
            .iter()
            .map(|(kind, file)| Listed {
                path: file.path.clone(),
                kind: *kind,
                blake3: hash(file.text.as_bytes()),
            })
            .collect(),
    };
    let mut files = vec![
        File { path: "README.md".to_owned(), text: README.to_owned() },
        File { path: MANIFEST.to_owned(), text: pretty(&manifest) },
    ];
    files.extend(made.into_iter().map(|(_, file)| file));
    Ok(files)
}

/// BLAKE3 of a file's bytes, as a manifest gives it.
pub fn hash(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex().as_str().to_owned()
}

/// Checks this engine against a file of a pack: what comes out otherwise.
///
/// # Errors
///
/// Says why the file is none of a pack.
pub fn check(listed: &Listed, text: &str) -> Result<Vec<String>, String> {
    let (kind, game) = Kind::of(&listed.path).ok_or("its place is not one of a pack's")?;
    if kind != listed.kind {
        return Err("it lies in the folder of another kind".to_owned());
    }
    match kind {
        Kind::Chance => chance::check(text),
        Kind::Rule | Kind::Game => {
            let had: PackedCase = serde_json::from_str(text).map_err(|error| error.to_string())?;
            let game = known(game)?;
            let mut faults = Vec::new();
            compare("expect", &had.expect, &replayed(game, &had.record), &mut faults);
            let parts = match had.refusals.is_empty() {
                true => None,
                false => Some(taken_apart(&had.record)?),
            };
            for (at, had) in had.refusals.iter().enumerate() {
                let place = format!("refusals/{at}/expect");
                let Some(parts) = &parts else { break };
                match attempt(game, parts, had.ply, &had.action, &had.rulings) {
                    Ok(found) => compare(&place, &had.expect, &found, &mut faults),
                    Err(why) => faults.push(format!("{place}: {why}")),
                }
            }
            Ok(faults)
        }
        Kind::Precedent => {
            let had: PackedPrecedent =
                serde_json::from_str(text).map_err(|error| error.to_string())?;
            let game = known(game)?;
            let mut faults = Vec::new();
            compare("expect", &had.expect, &replayed(game, &had.record), &mut faults);
            let readings: Vec<ReadingChoice> =
                had.readings.iter().map(|it| it.reading.clone()).collect();
            match under(game, &had.record, had.ask.as_deref(), readings) {
                Ok((asked, found)) => {
                    let asked = had.ask.is_some().then_some(asked);
                    compare("asked", &had.asked, &asked, &mut faults);
                    // Each by itself: what one reading says is not the next one's fault.
                    for (at, (had, found)) in had.readings.iter().zip(&found).enumerate() {
                        compare(&format!("readings/{at}"), had, found, &mut faults);
                    }
                }
                Err(why) => faults.push(format!("readings: {why}")),
            }
            Ok(faults)
        }
    }
}

fn known(id: &str) -> Result<&'static dyn AnyGame, String> {
    games::find(id).ok_or_else(|| format!("there is no game {id:?}"))
}

fn pretty<T: Serialize>(value: &T) -> String {
    // What is written here are plain structs, lists and string-keyed maps, which always serialise.
    let mut text = serde_json::to_string_pretty(value).unwrap_or_else(|_| "null".to_owned());
    text.push('\n');
    text
}

fn case(game: &str, text: &str) -> Result<PackedCase, String> {
    let game = known(game)?;
    let Fixture { title, shows, record, expect } =
        serde_json::from_str(text).map_err(|error| error.to_string())?;
    let found = replayed(game, &record);
    let mut refusals = Vec::new();
    if !expect.tries.is_empty() {
        let parts = taken_apart(&record)?;
        for Try { ply, action, rulings, .. } in expect.tries {
            let expect = attempt(game, &parts, ply, &action, &rulings)?;
            refusals.push(Attempt { ply, action, rulings, expect });
        }
    }
    Ok(PackedCase { title, shows, record, expect: found, refusals })
}

fn taken_apart(record: &RawValue) -> Result<Parts, String> {
    Parts::of(record).ok_or_else(|| "its record cannot be taken apart".to_owned())
}

fn precedent(game: &str, text: &str) -> Result<PackedPrecedent, String> {
    let game = known(game)?;
    /// The answer as it is written, which is for people.
    #[derive(Deserialize)]
    struct Written {
        answer: Value,
    }
    let Precedent { title, question, clauses, ruling, record, ask, readings, .. } =
        serde_json::from_str(text).map_err(|error| error.to_string())?;
    let Written { answer } = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let def = game.rulings().iter().find(|def| Some(def.id) == ruling.as_deref());
    let values = def.into_iter().flat_map(|def| {
        def.values.iter().map(|value| ReadingChoice {
            rulings: BTreeMap::from([(def.id.to_owned(), (*value).to_owned())]),
            ..ReadingChoice::default()
        })
    });
    let editions = readings.into_iter().filter(|it| it.edition.is_some());
    let editions =
        editions.map(|it| ReadingChoice { edition: it.edition, ..ReadingChoice::default() });
    let expect = replayed(game, &record);
    let (asked, readings) = match expect {
        Expect::Unreadable(_) => (None, Vec::new()),
        Expect::Replayed(_) | Expect::Incomplete(_) => {
            let readings = values.chain(editions).collect();
            let (asked, readings) = under(game, &record, ask.as_deref(), readings)?;
            (ask.is_some().then_some(asked), readings)
        }
    };
    Ok(PackedPrecedent {
        title,
        question,
        clauses,
        ruling,
        record,
        ask,
        answer,
        expect,
        asked,
        readings,
    })
}

fn packed_violation(violation: &Violation) -> PackedViolation {
    let Violation { ply, pointer, code, rule, rules, .. } = violation.clone();
    PackedViolation { ply, code, rule, rules, pointer }
}

fn report(game: &dyn AnyGame, text: &str, fingerprints: bool) -> Result<Report, Fault> {
    let record = RawRecord::read(text.as_bytes())?;
    let include = Include { fingerprints, ..Include::default() };
    let query = Query { include, limits: Limits::default(), ..Query::default() };
    match game.replay(&record, &query) {
        Ok(report) => Ok(report),
        Err(Unanswered::Fault(fault)) => Err(fault),
        // No ply is asked for.
        Err(Unanswered::NoSuchPly { .. }) => {
            Err(Fault::new(umpire_engine::record::FaultCode::BadRecord, "", "no such ply"))
        }
    }
}

fn replayed(game: &dyn AnyGame, record: &RawValue) -> Expect {
    if let Some(partial) = incomplete(record) {
        let judged = game.judge_partial(&partial, Bounds::default(), Limits::default());
        return match judged {
            Ok(judged) => {
                let Verdict { status, plies, violation, outcome, .. } = judged.verdict;
                Expect::Incomplete(stands(status, plies, violation.as_ref(), outcome.as_ref()))
            }
            Err(fault) => unreadable(fault),
        };
    }
    let report = match report(game, record.get(), true) {
        Ok(report) => report,
        Err(fault) => return unreadable(fault),
    };
    let verdict = &report.verdict;
    let fingerprints = report.fingerprints.unwrap_or_default();
    Expect::Replayed(Replayed {
        status: verdict.status.name().to_owned(),
        plies: verdict.plies,
        chain: fingerprints.last().map(|last| last.chain.to_string()).unwrap_or_default(),
        fingerprints: fingerprints
            .iter()
            .map(|fingerprint| fingerprint.fingerprint.to_string())
            .collect(),
        violation: verdict.violation.as_ref().map(packed_violation),
        outcome: verdict.outcome.as_ref().map(ended),
    })
}

/// A record with unknowns; `None` for any other.
fn incomplete(record: &RawValue) -> Option<Partial> {
    Partial::read(record.get().as_bytes()).ok().flatten().filter(Partial::is_open)
}

fn unreadable(Fault { code, pointer, rule, invariant, .. }: Fault) -> Expect {
    let code = serde_json::to_value(code).unwrap_or_default();
    let code = code.as_str().unwrap_or_default().to_owned();
    let rule = rule.map(str::to_owned);
    Expect::Unreadable(Unreadable { fault: PackedFault { code, pointer, rule, invariant } })
}

fn ended(end: &Ending) -> Ended {
    Ended { winner: end.winner.map(str::to_owned), reason: end.reason.to_owned() }
}

fn stands(
    status: Status,
    plies: u32,
    violation: Option<&Violation>,
    outcome: Option<&Ending>,
) -> Incomplete {
    Incomplete {
        status: status.name().to_owned(),
        plies,
        violation: violation.map(packed_violation),
        outcome: outcome.map(ended),
    }
}

/// What becomes of an action at a ply.
fn attempt(
    game: &dyn AnyGame,
    parts: &Parts,
    ply: u32,
    action: &RawValue,
    rulings: &Map<String, Value>,
) -> Result<Tried, String> {
    let text = parts.text(ply as usize, Some(action), rulings);
    let report = report(game, &text, false).map_err(|fault| fault.to_string())?;
    Ok(Tried {
        accepted: report.verdict.plies > ply,
        fingerprint: report.fingerprint.map(|fingerprint| fingerprint.to_string()),
        violation: report.verdict.violation.as_ref().map(packed_violation),
    })
}

/// What becomes of a record under some readings.
fn under(
    game: &dyn AnyGame,
    record: &RawValue,
    ask: Option<&RawValue>,
    readings: Vec<ReadingChoice>,
) -> Result<(Became, Vec<Read>), String> {
    let dispute = Dispute { readings: Some(&readings), action: ask, ..Dispute::default() };
    if let Some(partial) = incomplete(record) {
        let settled = game.adjudicate_partial(&partial, &dispute, Limits::default());
        let completions = settled.map_err(not_settled)?.completions;
        let completions = completions.ok_or("nothing is said of its completions")?;
        let all = |it: &Supposed| {
            let (violation, outcome) = (it.violation.as_ref(), it.outcome.as_ref());
            Became::Incomplete(stands(it.status, it.plies, violation, outcome))
        };
        let of = |reading: &ReadingChoice| {
            let found = completions.readings.iter().find(|it| it.reading.as_ref() == Some(reading));
            found.map(all)
        };
        let reads = readings.iter().map(|it| Read { reading: it.clone(), expect: of(it) });
        return Ok((all(&completions.recorded), reads.collect()));
    }
    let record = RawRecord::read(record.get().as_bytes()).map_err(|fault| fault.to_string())?;
    let settled = game.adjudicate(&record, &dispute, Limits::default()).map_err(not_settled)?;
    let course = |reading: &ReadingChoice| {
        let other = settled.readings.iter().find(|it| it.reading == *reading);
        let same = settled.same.iter().any(|it| it.reading == *reading);
        other.map(|it| &it.course).or(same.then_some(&settled.recorded)).map(went)
    };
    let reads = readings.iter().map(|it| Read { reading: it.clone(), expect: course(it) });
    Ok((went(&settled.recorded), reads.collect()))
}

fn not_settled(error: Unanswered) -> String {
    match error {
        Unanswered::Fault(fault) => fault.to_string(),
        Unanswered::NoSuchPly { asked, .. } => format!("its record has no ply {asked}"),
    }
}

fn went(course: &Course) -> Became {
    let Course { status, plies, violation, outcome, fingerprint, .. } = course;
    let draws = |draws: &Draws| serde_json::to_value(draws).unwrap_or_default();
    let answer = |answer: &Answered| serde_json::to_value(answer).unwrap_or_default();
    Became::Went(Went {
        status: status.name().to_owned(),
        plies: *plies,
        fingerprint: fingerprint.to_string(),
        violation: violation.as_ref().map(packed_violation),
        outcome: outcome.as_ref().map(ended),
        draws: draws(&course.draws),
        answer: course.answer.as_ref().map(answer),
    })
}

/// Adds where something differs from what is expected.
fn compare<T: Serialize, U: Serialize>(at: &str, had: &T, found: &U, faults: &mut Vec<String>) {
    let value = |value: Result<Value, serde_json::Error>| value.unwrap_or_default();
    differ(at, &value(serde_json::to_value(had)), &value(serde_json::to_value(found)), faults);
}

fn differ(at: &str, had: &Value, found: &Value, faults: &mut Vec<String>) {
    match (had, found) {
        (Value::Object(one), Value::Object(two)) if one.keys().eq(two.keys()) => {
            for (name, value) in one {
                differ(&format!("{at}/{name}"), value, &two[name], faults);
            }
        }
        (Value::Array(one), Value::Array(two)) if one.len() == two.len() => {
            // The first that differs says where; what follows from it is not listed.
            let pairs = one.iter().zip(two).enumerate();
            if let Some((index, (one, two))) = pairs.into_iter().find(|(_, (one, two))| one != two)
            {
                differ(&format!("{at}/{index}"), one, two, faults);
            }
        }
        _ if had == found => {}
        _ => faults.push(format!("{at}: expected {had}, found {found}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_precedent_is_answered_under_each_reading_of_its_ruling() {
        for game in GAMES.iter() {
            let def = &game.rulings()[0];
            let record = embedded::records(game.meta().id).next().unwrap();
            let text = format!(
                r#"{{"title":"T.","question":"Q?","clauses":[],"ruling":"{}","record":{record},"answer":{{}},"readings":[],"reasoning":"R"}}"#,
                def.id
            );
            let made = precedent(game.meta().id, &text).unwrap();
            assert_eq!(made.readings.len(), def.values.len());
            let path = format!("{}/precedents/one.json", game.meta().id);
            let listed = Listed { path, kind: Kind::Precedent, blake3: String::new() };
            assert_eq!(check(&listed, &pretty(&made)), Ok(Vec::new()));
        }
    }

    #[test]
    fn the_first_difference_of_a_list_is_named() {
        let mut faults = Vec::new();
        compare("a", &[1, 2, 3], &[1, 5, 6], &mut faults);
        assert_eq!(faults, ["a/1: expected 2, found 5"]);
    }
}
