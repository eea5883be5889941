//! Running a precedent: everything that it says, and everything that is wrong.
//!
//! A precedent whose answers differ nowhere from the default is a fault.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

use serde_json::Value;
use umpire_conformance::fixture::Parts;
use umpire_conformance::folders::{files, folder};
use umpire_conformance::precedent::{Answer, OtherAnswer, Outcome, Precedent};
use umpire_engine::any_game::AnyGame;
use umpire_engine::dispute::readings::{
    Adjudication, Answered, Class, Completions, Course, Dispute, ReadingChoice, Supposed,
};
use umpire_engine::record::RawRecord;
use umpire_engine::replay::answer::{Status, Violation};
use umpire_engine::replay::{Limits, Query};

use crate::json::missing;
use crate::run::unanswered;

/// A precedent with the place where it lies.
pub struct Decided {
    /// The game by whose folder it was found.
    pub game: &'static dyn AnyGame,
    /// The file name without `.json`.
    pub name: String,
    /// The file.
    pub path: PathBuf,
    /// What it says, or why it cannot be read.
    pub precedent: Result<Precedent, String>,
}

/// Every precedent of a game, in order of their names.
pub fn precedents(game: &'static dyn AnyGame) -> Vec<Decided> {
    let folder = folder(game).join("precedents");
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let precedent = strictly(&text);
        Decided { game, name, path, precedent }
    };
    files(&folder).into_iter().map(read).collect()
}

/// Reads a precedent in which there is nothing that nobody reads.
fn strictly(text: &str) -> Result<Precedent, String> {
    let given: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let precedent: Precedent = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let read = serde_json::to_value(&precedent).map_err(|error| error.to_string())?;
    match missing(&given, &read).as_slice() {
        [] => Ok(precedent),
        unknown => Err(format!("is not read in full: {}", unknown.join("; "))),
    }
}

impl Decided {
    /// The file as messages name it.
    pub fn place(&self) -> String {
        format!("fixtures/{}/precedents/{}.json", self.game.meta().id, self.name)
    }

    /// The dispute, settled by the engine under the readings that the precedent names.
    pub fn settle(&self, precedent: &Precedent) -> Result<Adjudication, String> {
        precedent.settle(self.game, Limits::default()).map_err(|it| unanswered(&it))
    }

    /// Everything that is wrong with it.
    pub fn faults(&self) -> Vec<String> {
        let precedent = match &self.precedent {
            Ok(precedent) => precedent,
            Err(error) => return vec![format!("cannot be read: {error}")],
        };
        let mut faults = self.form(precedent);
        let settled = match self.settle(precedent) {
            Ok(settled) => settled,
            Err(error) => {
                faults.push(error);
                return faults;
            }
        };
        if let Some(completions) = &settled.completions {
            self.check_all(precedent, completions, &mut faults);
            return faults;
        }
        self.check("", precedent, None, &settled.recorded, &mut faults);
        for other in &precedent.readings {
            let reading = other.reading();
            let name = format!("{reading:?}: ");
            match settled.readings.iter().find(|it| it.reading == reading) {
                Some(found) => {
                    self.check(&name, precedent, Some(other), &found.course, &mut faults);
                    let ruling = precedent.ruling.as_deref();
                    let rules = &found.parting.rules;
                    let named = |id| rules.iter().any(|cited| cited.id == id);
                    if ruling.is_some_and(|id| other.rulings.contains_key(id) && !named(id)) {
                        faults.push(format!("{name}the ruling is not named as the cause"));
                    }
                }
                None => faults.push(format!("{name}makes no difference")),
            }
        }
        faults
    }

    /// Of a record with unknowns: what is so of all completions.
    fn check_all(
        &self,
        precedent: &Precedent,
        completions: &Completions,
        faults: &mut Vec<String>,
    ) {
        let witness = completions.witness.record.get();
        if RawRecord::read(witness.as_bytes()).is_err() {
            faults.push("the witness is no record".to_owned());
        }
        supposed("", &precedent.answer, &completions.recorded, faults);
        for other in &precedent.readings {
            let reading = other.reading();
            let name = format!("{reading:?}: ");
            let found =
                completions.readings.iter().find(|it| it.reading.as_ref() == Some(&reading));
            match found {
                Some(found) => supposed(&name, &other.answer, found, faults),
                None => faults.push(format!("{name}is not judged")),
            }
        }
    }

    fn form(&self, precedent: &Precedent) -> Vec<String> {
        let mut faults = Vec::new();
        if !precedent.name.is_empty() {
            faults.push("its name is that of its file".to_owned());
        }
        let known = |id: &str| self.game.rules().iter().any(|entry| entry.id == id);
        for id in precedent.clauses.iter().chain(&precedent.ruling) {
            if !known(id) {
                faults.push(format!("{id} is no rule"));
            }
        }
        if precedent.clauses.is_empty() {
            faults.push("names no clause".to_owned());
        }
        for (what, text) in [("title", &precedent.title), ("reasoning", &precedent.reasoning)] {
            if !text.ends_with('.') || text.len() < 10 {
                faults.push(format!("the {what} is no sentence"));
            }
        }
        if !precedent.question.contains('?') {
            faults.push("the question asks nothing".to_owned());
        }
        let selects = |other: &OtherAnswer| match &precedent.ruling {
            Some(id) => other.rulings.contains_key(id) || other.edition.is_some(),
            None => other.edition.is_some(),
        };
        if !precedent.readings.iter().all(selects) {
            faults.push("a reading is not one of the ruling".to_owned());
        }
        if precedent.ruling.is_some() && precedent.readings.is_empty() {
            faults.push("gives no answer under another reading".to_owned());
        }
        if precedent.answer == Answer::default() {
            faults.push("answers nothing".to_owned());
        }
        if precedent.readings.iter().any(|other| other.answer == precedent.answer) {
            faults.push("a reading gives the same answer".to_owned());
        }
        faults
    }

    fn check(
        &self,
        name: &str,
        precedent: &Precedent,
        other: Option<&OtherAnswer>,
        course: &Course,
        faults: &mut Vec<String>,
    ) {
        let answer = other.map_or(&precedent.answer, |other| &other.answer);
        let violation = course.violation.as_ref();
        let legal = match course.answer {
            Some(answer) => answer == Answered::Legal,
            None => violation.is_none(),
        };
        let json = |ended: &Option<Outcome>| serde_json::to_value(ended).unwrap_or_default();
        let outcome = serde_json::to_value(&course.outcome).unwrap_or_default();
        let pairs = [
            ("legal", answer.legal.map(Value::from), Value::from(legal)),
            ("status", text(&answer.status), course.status.name().into()),
            ("plies", answer.plies.map(Value::from), course.plies.into()),
            ("rule", text(&answer.rule), violation.map(|it| it.rule.clone()).into()),
            ("code", text(&answer.code), violation.map(|it| it.code.clone()).into()),
            ("outcome", answer.outcome.as_ref().map(json), outcome),
        ];
        answered(name, answer, &pairs, violation, faults);
        if !answer.state.is_empty() {
            match self.state(precedent, other) {
                Err(error) => faults.push(format!("{name}{error}")),
                Ok(state) => {
                    for (pointer, expected) in &answer.state {
                        let found = state.pointer(pointer);
                        if found != Some(expected) {
                            let found = found.map(Value::to_string).unwrap_or_default();
                            faults.push(format!(
                                "{name}{pointer}: expected {expected}, found {found}"
                            ));
                        }
                    }
                }
            }
        }
    }

    /// The state after the record and the asked action, by a replay of its own.
    fn state(&self, precedent: &Precedent, other: Option<&OtherAnswer>) -> Result<Value, String> {
        let parts = Parts::of(&precedent.record).ok_or("the record cannot be taken apart")?;
        let mut options = serde_json::Map::new();
        if let Some(other) = other {
            options
                .extend(other.edition.iter().map(|it| ("edition".to_owned(), it.clone().into())));
            if !other.rulings.is_empty() {
                let rulings = serde_json::to_value(&other.rulings).unwrap_or_default();
                options.insert("rulings".to_owned(), rulings);
            }
        }
        let text = parts.under(usize::MAX, precedent.ask.as_deref(), &options);
        let record = RawRecord::read(text.as_bytes()).map_err(|it| it.to_string())?;
        let report = self.game.replay(&record, &Query::default());
        let report = report.map_err(|it| unanswered(&it))?;
        serde_json::from_str(report.state.get()).map_err(|it| it.to_string())
    }

    /// The dispute as a text to be read.
    pub fn render(&self) -> String {
        let Ok(precedent) = &self.precedent else { return String::new() };
        let mut text = format!("{}\n  \"{}\"\n", self.name, precedent.question);
        let settled = match self.settle(precedent) {
            Ok(settled) => settled,
            Err(error) => return text + &error,
        };
        for line in &settled.summary {
            let _ = writeln!(text, "  {line}");
        }
        for compared in &settled.readings {
            let parting = &compared.parting;
            let _ = writeln!(text, "  - {}", compared.gist);
            let ids: Vec<&str> = parting.rules.iter().map(|cited| cited.id).collect();
            let how = serde_json::to_value(parting.how).unwrap_or_default();
            let how = how.as_str().unwrap_or_default();
            let _ = writeln!(text, "    parts at {} ({how}) by {}", parting.ply, ids.join(", "));
            for line in &parting.recorded {
                let _ = writeln!(text, "    as recorded only: {line}");
            }
            for line in &parting.instead {
                let _ = writeln!(text, "    under it only: {line}");
            }
            for line in &parting.words {
                let _ = writeln!(text, "    * {line}");
            }
        }
        let _ = writeln!(text, "  {}", precedent.reasoning);
        text
    }
}

/// What an answer says of all completions, held against what is found.
fn supposed(name: &str, answer: &Answer, found: &Supposed, faults: &mut Vec<String>) {
    let violation = found.violation.as_ref();
    let json = |ended: &Option<Outcome>| serde_json::to_value(ended).unwrap_or_default();
    let outcome = serde_json::to_value(&found.outcome).unwrap_or_default();
    let pairs = [
        ("status", text(&answer.status), found.status.name().into()),
        ("plies", answer.plies.map(Value::from), found.plies.into()),
        ("rule", text(&answer.rule), violation.map(|it| it.rule.clone()).into()),
        ("code", text(&answer.code), violation.map(|it| it.code.clone()).into()),
        ("outcome", answer.outcome.as_ref().map(json), outcome),
    ];
    answered(name, answer, &pairs, violation, faults);
    // Legal or not whatever was not written down; what is only possible is neither.
    let legal = match found.status {
        Status::Complete | Status::InProgress => Some(true),
        Status::Impossible => Some(false),
        _ => None,
    };
    if answer.legal.is_some() && answer.legal != legal {
        faults.push(format!("{name}legal: expected {:?}, found {legal:?}", answer.legal));
    }
    if !answer.state.is_empty() {
        faults.push(format!("{name}says what is known of whole records only"));
    }
}

/// What an answer says and is not so: of the parts that it names, and of the clauses that are cited.
fn answered(
    name: &str,
    answer: &Answer,
    parts: &[(&str, Option<Value>, Value)],
    violation: Option<&Violation>,
    faults: &mut Vec<String>,
) {
    for (what, expected, found) in parts {
        if let Some(expected) = expected.as_ref().filter(|expected| *expected != found) {
            faults.push(format!("{name}{what}: expected {expected}, found {found}"));
        }
    }
    for id in &answer.rules {
        if violation.is_none_or(|it| !it.rules.contains(id)) {
            faults.push(format!("{name}{id} is not cited"));
        }
    }
}

fn text(value: &Option<String>) -> Option<Value> {
    value.clone().map(Value::from)
}

/// What every other reading makes of the whole games of a game, by class: a line each, and below it what
/// was carried over in the first game in which something was.
pub fn classes(game: &'static dyn AnyGame) -> String {
    let mut counts: BTreeMap<String, BTreeMap<&'static str, usize>> = BTreeMap::new();
    let mut shown: BTreeMap<String, String> = BTreeMap::new();
    for path in files(&folder(game).join("games")) {
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        let fixture: Value = serde_json::from_str(&text).expect("a fixture");
        let text = fixture["record"].to_string();
        let record = RawRecord::read(text.as_bytes()).expect("a record");
        let settled = game.adjudicate(&record, &Dispute::default(), Limits::default());
        let settled = settled.unwrap_or_else(|_| panic!("{} cannot be settled", path.display()));
        let asides = settled.same.iter().chain(&settled.impossible);
        let asides = asides.map(|aside| (&aside.reading, aside.class));
        for (reading, class) in
            asides.chain(settled.readings.iter().map(|it| (&it.reading, it.class)))
        {
            *counts.entry(name(reading)).or_default().entry(class_name(class)).or_default() += 1;
        }
        for compared in settled.readings.iter().filter(|it| !it.carried.is_empty()) {
            shown.entry(name(&compared.reading)).or_insert_with(|| {
                let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
                let mut text = format!("    {stem}, {}:", class_name(compared.class));
                for line in compared.carried.iter().take(4) {
                    let _ = write!(text, "\n      {} {}", line.pointer, line.text);
                }
                text
            });
        }
    }
    let mut text = String::new();
    for (reading, counts) in counts {
        let counts: Vec<String> =
            counts.iter().map(|(class, count)| format!("{class} {count}")).collect();
        let _ = writeln!(text, "{reading}: {}", counts.join(", "));
        if let Some(lines) = shown.get(&reading) {
            let _ = writeln!(text, "{lines}");
        }
    }
    text
}

fn name(reading: &ReadingChoice) -> String {
    let edition = reading.edition.iter().map(|edition| format!("edition {edition}"));
    let rulings = reading.rulings.iter().map(|(id, value)| format!("{id} = {value}"));
    edition.chain(rulings).collect::<Vec<_>>().join(", ")
}

fn class_name(class: Class) -> &'static str {
    match class {
        Class::Identical => "identical",
        Class::OtherClause => "other clause",
        Class::FormOnly => "form only",
        Class::Parts => "parts",
        Class::Illegal => "illegal",
        Class::MissingChance => "missing chance",
        Class::NotRun => "not run",
    }
}
