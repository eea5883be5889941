//! The contents of a verdict sheet, extracted from its JSON: plain texts in reading order.
//!
//! Missing parts are left out, so that a sheet of another version can be shown. Invisible
//! characters, which could hide or reorder the text around them, are removed. This module must not
//! know a game, nor the output format.

use serde_json::Value;

use super::Document;
use crate::documents::phrase::{action, short, spaced, wins};

/// A label and a text.
pub type Pair = (String, String);

/// A course of the game: as recorded, or under another reading.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Column {
    /// The reading.
    pub reading: String,
    /// The effect of the reading on the record.
    pub class: String,
    /// Whether the record, or the action in question, is legal.
    pub answer: String,
    /// How the game ends.
    pub result: String,
    /// Where it diverges from the record's own reading, and what differs then.
    pub details: Vec<String>,
    /// The rules because of which it diverges.
    pub rules: Vec<String>,
}

/// A cited rule.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Rule {
    /// The id.
    pub id: String,
    /// Its gist.
    pub gist: String,
    /// Its section in the rulebook.
    pub section: String,
    /// Why this reading is the default.
    pub because: String,
    /// Its other readings.
    pub readings: Vec<String>,
    /// Precedents that depend on it.
    pub precedents: Vec<String>,
}

/// A line of the story.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Step {
    /// The ply, or a substitute for it.
    pub ply: String,
    /// Whether it belongs to the ply in question.
    pub here: bool,
    /// What happened.
    pub text: String,
    /// The rules that it follows from.
    pub rules: String,
}

/// A settled dispute.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Case {
    /// Its name.
    pub name: String,
    /// The case in one sentence.
    pub title: String,
    /// What the players disagreed about.
    pub question: String,
    /// Why it was settled like that.
    pub reasoning: String,
    /// The rules that it depends on.
    pub turns_on: String,
}

/// The whole contents of a sheet.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Contents {
    /// The game.
    pub title: String,
    /// The players.
    pub players: Vec<Pair>,
    /// The summary, which can be read aloud.
    pub summary: Vec<String>,
    /// The question.
    pub question: Vec<Pair>,
    /// The readings side by side; the first one is the record's own.
    pub columns: Vec<Column>,
    /// Readings that make no difference.
    pub same: Vec<String>,
    /// Readings that are impossible.
    pub impossible: Vec<String>,
    /// Rulings that something at the ply in question depends on, as listed by the engine.
    pub cited: Vec<Rule>,
    /// The other rulings that the course depends on, one line each.
    pub behind: Vec<String>,
    /// Every rule that the sheet cites.
    pub clauses: Vec<Rule>,
    /// The story around the ply.
    pub course: Vec<Step>,
    /// Settled disputes.
    pub precedents: Vec<Case>,
    /// The notes in the record.
    pub notes: Vec<Pair>,
    /// The options in force.
    pub options: Vec<Pair>,
    /// Versions and fingerprints.
    pub imprint: Vec<Pair>,
    /// The signature, if any: the key and the signature.
    pub signature: Option<Pair>,
}

/// A text without invisible characters.
pub fn clean(text: &str) -> String {
    let hidden = |it: char| {
        it.is_control()
            || matches!(it, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
    };
    text.chars().map(|it| if hidden(it) { ' ' } else { it }).collect()
}

/// A value as text for people; empty if there is none.
fn text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => clean(text),
        other => clean(&short(other)),
    }
}

/// The items of a list; empty for anything else.
fn items(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// A list of texts.
fn texts(value: &Value) -> Vec<String> {
    items(value).iter().map(text).filter(|text| !text.is_empty()).collect()
}

/// The first of these fields that exists.
fn first<'a>(value: &'a Value, names: &[&str]) -> &'a Value {
    names.iter().map(|name| &value[*name]).find(|it| !it.is_null()).unwrap_or(&Value::Null)
}

/// The fields of an object by name, with numbers in numerical order: R2 before R10.
fn in_order(value: &Value) -> Vec<(&String, &Value)> {
    let mut fields: Vec<(&String, &Value)> = value.as_object().into_iter().flatten().collect();
    let key = |name: &str| {
        let parts = name.split_inclusive(|it: char| !it.is_ascii_digit());
        parts.map(|part| format!("{part:>12}")).collect::<String>()
    };
    fields.sort_by_cached_key(|(name, _)| key(name));
    fields
}

/// The fields of an object as text, without empty ones.
fn pairs(value: &Value) -> Vec<Pair> {
    let said = |value: &Value| match value {
        Value::Object(fields) => {
            let one = |(name, value): (&String, &Value)| match value {
                Value::String(said) => format!("{name} = {said}"),
                other => format!("{name} = {}", short(other)),
            };
            let each: Vec<String> = match fields.is_empty() {
                true => Vec::new(),
                false => in_order(value).into_iter().map(one).collect(),
            };
            clean(&each.join(", "))
        }
        other => text(other),
    };
    let fields = in_order(value).into_iter();
    let pairs = fields.map(|(name, value)| (clean(&spaced(name)), said(value)));
    pairs.filter(|(_, said)| !said.is_empty()).collect()
}

/// A labelled text, if it is not empty.
fn pair(name: &str, value: String) -> Option<Pair> {
    (!value.is_empty()).then(|| (name.to_owned(), value))
}

/// The effect of a reading as text.
fn class(value: &Value) -> &'static str {
    match value.as_str().unwrap_or_default() {
        "identical" => "the same course under the same clauses",
        "other_clause" => "the same course under other clauses",
        "form_only" => "the same course in another notation",
        "parts" => "a different course",
        "illegal" => "a decision is impossible",
        "missing_chance" => "needs a draw that never happened",
        "not_run" => "not supported",
        _ => "",
    }
}

fn answer(course: &Value) -> String {
    let by = text(&course["violation"]["rule"]);
    match course["answer"].as_str() {
        Some("legal") => "the action is legal".to_owned(),
        Some("illegal") => format!("the action is illegal ({by})"),
        Some("not_reached") => "the record stops before the action".to_owned(),
        Some("no_draw") => "the action needs a draw that never happened".to_owned(),
        _ => match course["status"].as_str() {
            Some("illegal") => {
                format!("illegal at ply {} ({by})", text(&course["violation"]["ply"]))
            }
            Some("bad_chance") => {
                format!("the draws do not match at ply {}", text(&course["violation"]["ply"]))
            }
            Some("complete" | "in_progress") => "legal".to_owned(),
            _ => String::new(),
        },
    }
}

fn result(record: &Value, course: &Value) -> String {
    let outcome = &course["outcome"];
    let reason = spaced(&text(&outcome["reason"]));
    let result = match (outcome.is_object(), outcome["winner"].is_null()) {
        (false, _) => format!("not finished after {} actions", text(&course["plies"])),
        (true, true) => format!("no winner ({reason})"),
        (true, false) => {
            let seat = text(&outcome["winner"]);
            let name = record["players"][seat.as_str()].as_str().map(clean);
            format!("{} ({reason})", wins(&text(&record["game"]), &seat, name.as_deref()))
        }
    };
    match course["hypothetical_from"].as_u64() {
        Some(ply) => format!("{result}; hypothetical from ply {ply}"),
        None => result,
    }
}

fn column(record: &Value, compared: &Value) -> Column {
    let (course, parting) = (&compared["course"], &compared["parting"]);
    let place = match parting["how"].as_str() {
        None => None,
        Some("opening") => Some("It diverges in the opening.".to_owned()),
        Some(_) => Some(format!("It diverges at ply {}.", text(&parting["ply"]))),
    };
    let lines = |name: &str, before: &str| -> Vec<String> {
        texts(&parting[name]).iter().map(|line| format!("{before}{line}")).collect()
    };
    let carried = items(&compared["carried"])
        .iter()
        .map(|line| format!("Converted at {}: {}", text(&line["pointer"]), text(&line["text"])));
    let refused =
        pair("", text(&course["violation"]["message"])).map(|(_, it)| format!("Illegal: {it}"));
    let details = place.into_iter().chain(refused).chain(carried);
    let details = details.chain(lines("recorded", "Only as recorded: "));
    let details = details.chain(lines("instead", "Only under this reading: "));
    Column {
        reading: text(&compared["gist"]),
        class: class(&compared["class"]).to_owned(),
        answer: answer(course),
        result: result(record, course),
        details: details.chain(lines("words", "Then: ")).collect(),
        rules: items(&parting["rules"]).iter().map(|rule| text(&rule["id"])).collect(),
    }
}

/// A rule or ruling in any list; missing fields are left out.
fn rule(value: &Value) -> Rule {
    let sections = match first(value, &["section", "sections"]) {
        Value::Array(all) => {
            let at = |it: &Value| match it["edition"].as_str() {
                Some(edition) => format!("{} ({})", text(&it["at"]), clean(edition)),
                None => text(first(it, &["at"])),
            };
            let each = all.iter().map(|it| if it.is_string() { text(it) } else { at(it) });
            each.filter(|it| !it.is_empty()).collect::<Vec<_>>().join(", ")
        }
        other => text(other),
    };
    let reading = |it: &Value| {
        let says = match (it["value"].as_str(), first(it, &["gist", "text"])) {
            (Some(value), gist) if !value.is_empty() => format!("{}: {}", clean(value), text(gist)),
            (_, Value::Null) => text(it),
            (_, gist) => text(gist),
        };
        match (it["in_force"] == true, it["runs"] == false) {
            (true, _) => format!("{says} (in force)"),
            (false, true) => format!("{says} (not supported by this engine)"),
            (false, false) => says,
        }
    };
    let settles = items(&value["settles"]).iter().map(|it| match it["section"].as_str() {
        Some(section) => format!("{} ({})", text(&it["id"]), clean(section)),
        None => text(if it.is_object() { &it["id"] } else { it }),
    });
    let settles = settles.collect::<Vec<_>>().join(", ");
    let sections = if sections.is_empty() { settles } else { sections };
    let name = |it: &Value| text(if it.is_object() { first(it, &["name", "title"]) } else { it });
    Rule {
        id: text(first(value, &["id", "ruling", "rule"])),
        gist: text(first(value, &["question", "gist"])),
        section: sections,
        because: text(first(value, &["because", "reason"])),
        readings: items(&value["readings"]).iter().map(reading).collect(),
        precedents: items(&value["precedents"]).iter().map(name).collect(),
    }
}

/// A ruling in one line: the question, and its reading in force.
fn in_a_line(value: &Value) -> String {
    let in_force = items(&value["readings"]).iter().find(|it| it["in_force"] == true);
    let says = in_force.map(|it| format!(" {}", text(&it["gist"]))).unwrap_or_default();
    format!("{}: {}{says}", text(&value["id"]), text(&value["question"]))
}

fn step(value: &Value) -> Step {
    Step {
        ply: match value["opening"].as_bool() {
            Some(true) => "start".to_owned(),
            _ => text(&value["ply"]),
        },
        here: value["here"] == true,
        text: text(&value["text"]),
        rules: texts(&value["rules"]).join(", "),
    }
}

/// The proposed action, which never happened: it comes after the actions that led to it.
fn proposed(sheet: &Value) -> Option<Step> {
    let wanted = &sheet["asked"]["action"];
    let text = clean(&format!("In question: {}", action(&wanted.to_string())));
    let ply = self::text(&sheet["adjudication"]["question"]["ply"]);
    (!wanted.is_null()).then(|| Step { ply, here: true, text, rules: String::new() })
}

fn case(value: &Value) -> Case {
    Case {
        name: text(&value["name"]),
        title: text(&value["title"]),
        question: text(&value["question"]),
        reasoning: text(&value["reasoning"]),
        turns_on: texts(&value["turns_on"]).join(", "),
    }
}

/// The question.
fn question(sheet: &Value) -> Vec<Pair> {
    let (asked, settled) = (&sheet["asked"], &sheet["adjudication"]);
    let question = &settled["question"];
    let ply = first(question, &["ply"]);
    let ply = if ply.is_null() { &asked["ply"] } else { ply };
    let wanted = match first(question, &["action"]) {
        Value::Null => String::new(),
        wanted => clean(&action(&wanted.to_string())),
    };
    let compared = match items(&asked["readings"]).len() {
        0 => "every other reading of every selectable ruling, and every other edition".to_owned(),
        1 => "one other reading".to_owned(),
        count => format!("{count} other readings"),
    };
    let seed = text(&asked["seed"]);
    [
        pair("ply", text(ply)),
        pair("action in question", wanted),
        pair("compared with", compared),
        pair("seed for draws that never happened", seed),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// The notes in the record: free text that nobody has checked.
fn notes(record: &Value) -> Vec<Pair> {
    let noted = items(&record["actions"])
        .iter()
        .zip(0..)
        .filter_map(|(action, ply)| pair(&format!("note at ply {ply}"), text(&action["note"])));
    let own = pair("note", text(&record["note"])).into_iter();
    own.chain(pairs(&record["meta"])).chain(noted.take(20)).collect()
}

impl Contents {
    /// The contents of a document.
    ///
    /// # Errors
    /// Its sheet is not valid JSON.
    pub fn of(document: &Document) -> Result<Self, serde_json::Error> {
        let sheet: Value = serde_json::from_str(&document.sheet)?;
        let (record, settled) = (&sheet["record"], &sheet["adjudication"]);
        let own = Column {
            reading: "As recorded".to_owned(),
            class: "the record itself".to_owned(),
            ..column(record, &serde_json::json!({"course": settled["recorded"]}))
        };
        let others = items(&settled["readings"]).iter().map(|it| column(record, it));
        let gists = |name: &str| -> Vec<String> {
            items(&settled[name]).iter().map(|it| text(&it["gist"])).collect()
        };
        let here = |wanted: bool| {
            let cited = items(&settled["cited"]).iter();
            cited.filter(move |it| it["at_question"].as_bool().unwrap_or(true) == wanted)
        };
        let cited: Vec<Rule> = here(true).map(rule).collect();
        let clauses = items(&sheet["clauses"]).iter().map(rule);
        let seats = record["players"].as_object().into_iter().flatten();
        let imprint = [
            ("engine", &sheet["engine"]),
            ("rules", &sheet["ruleset"]),
            ("BLAKE3 of the record", &sheet["record_blake3"]),
            ("fingerprint of the last legal position", &settled["recorded"]["fingerprint"]),
        ];
        let imprint = imprint.into_iter().filter_map(|(name, value)| pair(name, text(value)));
        let hash = pair("BLAKE3 of this sheet", clean(&document.blake3));
        Ok(Contents {
            title: text(first(&sheet, &["title", "game"])),
            players: seats.map(|(seat, name)| (clean(&spaced(seat)), text(name))).collect(),
            summary: texts(&settled["summary"]),
            question: question(&sheet),
            columns: std::iter::once(own).chain(others).collect(),
            same: gists("same"),
            impossible: gists("impossible"),
            behind: here(false).map(in_a_line).collect(),
            // Rules that are already listed among the rulings at the ply are not repeated.
            clauses: clauses.filter(|it| cited.iter().all(|had| had.id != it.id)).collect(),
            cited,
            course: items(&sheet["course"]).iter().map(step).chain(proposed(&sheet)).collect(),
            precedents: items(&sheet["precedents"]).iter().map(case).collect(),
            notes: notes(record),
            options: pairs(&settled["options"]),
            imprint: imprint.chain(hash).collect(),
            signature: document
                .signature
                .as_ref()
                .map(|it| (clean(&it.public_key), clean(&it.signature))),
        })
    }
}

/// The text below an unsigned sheet.
pub const UNSIGNED: &str = "This sheet is not signed.";
