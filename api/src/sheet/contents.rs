//! What a sheet tells, taken from its JSON: plain texts in the order in which they are read.
//!
//! Whatever is not there is left out, so that a sheet of another version can be shown. Every text is
//! cleaned of characters that nobody sees, which could hide or turn round what stands beside them. This
//! module must not know a game, and must not know how the texts are written.

use serde_json::Value;

use super::Document;
use crate::phrase::{action, short, spaced};

/// Words beside each other: what it is, and what it says.
pub type Pair = (String, String);

/// One course of the record: as recorded, or under another reading.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Column {
    /// The reading.
    pub reading: String,
    /// What it makes of the record, by meaning.
    pub class: String,
    /// Whether the record, or the action in question, is legal.
    pub answer: String,
    /// How the game ends.
    pub result: String,
    /// Where it parts from the record's own reading, and what differs then.
    pub details: Vec<String>,
    /// The rules by which it parts.
    pub rules: Vec<String>,
}

/// A rule that is cited.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Rule {
    /// The id.
    pub id: String,
    /// What it says.
    pub gist: String,
    /// Where it is printed.
    pub section: String,
    /// Why it is read so.
    pub because: String,
    /// How else it may be read.
    pub readings: Vec<String>,
    /// Precedents that turn on it.
    pub precedents: Vec<String>,
}

/// A line of the story.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Step {
    /// The ply, or what stands for it.
    pub ply: String,
    /// Whether it belongs to the ply in question.
    pub here: bool,
    /// What happened.
    pub text: String,
    /// By which rules.
    pub rules: String,
}

/// A decided dispute.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Case {
    /// Its name.
    pub name: String,
    /// The case in one sentence.
    pub title: String,
    /// What the players disagreed about.
    pub question: String,
    /// Why it was decided so.
    pub reasoning: String,
    /// What it turns on.
    pub turns_on: String,
}

/// Everything that a sheet tells.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Contents {
    /// The game.
    pub title: String,
    /// Who played.
    pub players: Vec<Pair>,
    /// What can be read aloud.
    pub summary: Vec<String>,
    /// What was asked.
    pub question: Vec<Pair>,
    /// The readings beside each other; the first is the record's own.
    pub columns: Vec<Column>,
    /// Readings that make no difference.
    pub same: Vec<String>,
    /// Readings that cannot be.
    pub impossible: Vec<String>,
    /// Rulings on which something at the ply in question rests, where the engine lists them.
    pub cited: Vec<Rule>,
    /// The other rulings behind the course, each in a line.
    pub behind: Vec<String>,
    /// Every rule that the sheet cites.
    pub clauses: Vec<Rule>,
    /// The story around the ply.
    pub course: Vec<Step>,
    /// Decided disputes.
    pub precedents: Vec<Case>,
    /// What the record says of itself.
    pub notes: Vec<Pair>,
    /// The options in force.
    pub options: Vec<Pair>,
    /// Versions and fingerprints.
    pub imprint: Vec<Pair>,
    /// The signature, if there is one: the key and the signature.
    pub signature: Option<Pair>,
}

/// A text without characters that nobody sees.
pub fn clean(text: &str) -> String {
    let hidden = |it: char| {
        it.is_control()
            || matches!(it, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
    };
    text.chars().map(|it| if hidden(it) { ' ' } else { it }).collect()
}

/// A value as a text for people; nothing where there is nothing.
fn text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => clean(text),
        other => clean(&short(other)),
    }
}

/// The items of a list; none where it is none.
fn items(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// A list of texts.
fn texts(value: &Value) -> Vec<String> {
    items(value).iter().map(text).filter(|text| !text.is_empty()).collect()
}

/// The first of some fields that is there.
fn first<'a>(value: &'a Value, names: &[&str]) -> &'a Value {
    names.iter().map(|name| &value[*name]).find(|it| !it.is_null()).unwrap_or(&Value::Null)
}

/// The fields of an object in the order of their names, numbers in theirs: R2 before R10.
fn in_order(value: &Value) -> Vec<(&String, &Value)> {
    let mut fields: Vec<(&String, &Value)> = value.as_object().into_iter().flatten().collect();
    let key = |name: &str| {
        let parts = name.split_inclusive(|it: char| !it.is_ascii_digit());
        parts.map(|part| format!("{part:>12}")).collect::<String>()
    };
    fields.sort_by_cached_key(|(name, _)| key(name));
    fields
}

/// The fields of an object in words, but for those that say nothing.
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

/// A pair of what was found under a name, if something was.
fn pair(name: &str, value: String) -> Option<Pair> {
    (!value.is_empty()).then(|| (name.to_owned(), value))
}

/// Who sits at a seat: the player's name with the seat behind it.
fn who(record: &Value, seat: &Value) -> String {
    let seat = text(seat);
    match record["players"][seat.as_str()].as_str() {
        Some(name) => format!("{} ({})", clean(name), spaced(&seat)),
        None => spaced(&seat),
    }
}

/// The class of a reading in words.
fn class(value: &Value) -> &'static str {
    match value.as_str().unwrap_or_default() {
        "identical" => "the same course by the same clauses",
        "other_clause" => "the same course by other clauses",
        "form_only" => "the same course, written otherwise",
        "parts" => "another course",
        "illegal" => "a decision cannot be carried over",
        "missing_chance" => "needs a draw that never happened",
        "not_run" => "cannot be run",
        _ => "",
    }
}

fn answer(course: &Value) -> String {
    let by = text(&course["violation"]["rule"]);
    match course["answer"].as_str() {
        Some("legal") => "the action is legal".to_owned(),
        Some("illegal") => format!("the action is illegal by {by}"),
        Some("not_reached") => "the record stops before the action".to_owned(),
        Some("no_draw") => "the action needs a draw that never happened".to_owned(),
        _ => match course["status"].as_str() {
            Some("illegal") => {
                format!("illegal at ply {} by {by}", text(&course["violation"]["ply"]))
            }
            Some("bad_chance") => {
                format!("the draws do not fit at ply {}", text(&course["violation"]["ply"]))
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
        (true, false) => format!("{} wins ({reason})", who(record, &outcome["winner"])),
    };
    match course["hypothetical_from"].as_u64() {
        Some(ply) => format!("{result}; hypothetical from ply {ply} on"),
        None => result,
    }
}

fn column(record: &Value, compared: &Value) -> Column {
    let (course, parting) = (&compared["course"], &compared["parting"]);
    let place = match parting["how"].as_str() {
        None => None,
        Some("opening") => Some("It parts in the opening.".to_owned()),
        Some(_) => Some(format!("It parts at ply {}.", text(&parting["ply"]))),
    };
    let lines = |name: &str, before: &str| -> Vec<String> {
        texts(&parting[name]).iter().map(|line| format!("{before}{line}")).collect()
    };
    let carried = items(&compared["carried"])
        .iter()
        .map(|line| format!("Carried over at {}: {}", text(&line["pointer"]), text(&line["text"])));
    let refused =
        pair("", text(&course["violation"]["message"])).map(|(_, it)| format!("Refused: {it}"));
    let details = place.into_iter().chain(refused).chain(carried);
    let details = details.chain(lines("recorded", "As recorded only: "));
    let details = details.chain(lines("instead", "Under this reading only: "));
    Column {
        reading: text(&compared["gist"]),
        class: class(&compared["class"]).to_owned(),
        answer: answer(course),
        result: result(record, course),
        details: details.chain(lines("words", "Then: ")).collect(),
        rules: items(&parting["rules"]).iter().map(|rule| text(&rule["id"])).collect(),
    }
}

/// A rule or ruling however it is listed: what is not there is left out.
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
            (false, true) => format!("{says} (this engine cannot play by it)"),
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

/// A ruling in a line: the question, and how it is read.
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

/// The action in question where it never happened: it stands behind the course that led to it.
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

/// What was asked, and what the answer is.
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

/// What the record says of itself: free text, that nobody has checked.
fn notes(record: &Value) -> Vec<Pair> {
    let noted = items(&record["actions"])
        .iter()
        .zip(0..)
        .filter_map(|(action, ply)| pair(&format!("note at ply {ply}"), text(&action["note"])));
    let own = pair("note", text(&record["note"])).into_iter();
    own.chain(pairs(&record["meta"])).chain(noted.take(20)).collect()
}

impl Contents {
    /// What a document tells.
    ///
    /// # Errors
    /// Its sheet is no JSON.
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
            ("fingerprint of the last good position", &settled["recorded"]["fingerprint"]),
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
            // What stands among the rulings of the place need not be said twice.
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

/// What stands below a sheet that nobody signed.
pub const UNSIGNED: &str = "This sheet is not signed.";
