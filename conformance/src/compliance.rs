//! Which readings of each ruling an engine runs, and by which cases that is shown: one table per game.
//!
//! Of this engine every case holds, because each runs in every build. Of another engine the run of its
//! pack says for each reading whether its cases agree. Nothing here knows a game, and this module must
//! not run a case.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::Serialize;
use serde_json::Value;
use umpire_engine::any_game::AnyGame;
use umpire_engine::replay::answer::ENGINE;
use umpire_engine::rules::{RuleEntry, RuleKind};

use crate::embedded;

/// Which readings of a game's rulings an engine runs.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Compliance {
    /// The game.
    pub game: &'static str,
    /// The game's name for people.
    pub title: &'static str,
    /// The ruleset.
    pub ruleset: String,
    /// The version of the engine.
    pub engine: String,
    /// Every ruling, in the order of the rules document.
    pub rulings: Vec<ComplianceRuling>,
}

/// A ruling, and what the engine makes of it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ComplianceRuling {
    /// The id.
    pub id: &'static str,
    /// The question.
    pub question: &'static str,
    /// The clauses that it settles.
    pub settles: &'static [&'static str],
    /// Whether a record may choose the reading.
    pub selectable: bool,
    /// Why the default is the default.
    pub because: &'static str,
    /// The readings, the default first.
    pub readings: Vec<ComplianceReading>,
}

/// One reading of a ruling.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ComplianceReading {
    /// The value that selects it, empty for a reading that cannot be selected.
    pub value: &'static str,
    /// What it means, in our words.
    pub gist: &'static str,
    /// Whether the engine can play by it.
    pub runs: bool,
    /// Whether it is in force where a record chooses nothing.
    pub default: bool,
    /// The cases that show it: paths below the fixtures of the game, or in a pack.
    pub shown_by: Vec<String>,
    /// What the cases of another engine's pack say; left out of the table of this engine.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub result: Option<Agreement>,
    /// The cases that differ.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schema(required = false))]
    pub differs_in: Vec<String>,
}

/// What the cases of a reading say of another engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Agreement {
    /// All say what this engine says.
    Agrees,
    /// Some say otherwise.
    Differs,
    /// No case shows the reading.
    NotShown,
}

impl Agreement {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Agreement::Agrees => "agrees",
            Agreement::Differs => "differs",
            Agreement::NotShown => "not shown",
        }
    }
}

/// A case of a pack, and what came out otherwise when it was run.
#[derive(Clone, Debug)]
pub struct CaseRun<'a> {
    /// Its path in the pack.
    pub path: &'a str,
    /// Its text, if it could be read.
    pub text: &'a str,
    /// What came out otherwise, each with its place in the file before a colon.
    pub faults: Vec<String>,
}

/// A part of a case that shows a reading.
struct Part {
    ruling: String,
    /// The value; none where the default is shown.
    value: Option<String>,
    /// The place in the file at which its faults begin.
    place: String,
}

/// The values of rulings that an object of a case chooses.
fn chosen(value: &Value) -> BTreeMap<String, String> {
    let fields = value.as_object().into_iter().flatten();
    fields.filter_map(|(id, value)| Some((id.clone(), value.as_str()?.to_owned()))).collect()
}

/// Which readings a case shows, and where. The case is a fixture, or a file of a pack.
fn parts(case: &Value) -> Vec<Part> {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let own = chosen(&case["record"]["options"]["rulings"]);
    let mut parts = Vec::new();
    let mut add = |ruling: &str, rulings: &BTreeMap<String, String>, place: String| {
        let value = rulings.get(ruling).or_else(|| own.get(ruling)).cloned();
        parts.push(Part { ruling: ruling.to_owned(), value, place });
    };
    if let Some(ruling) = case["ruling"].as_str() {
        for place in ["expect", "asked"] {
            add(ruling, &own, place.to_owned());
        }
        for (at, reading) in list(&case["readings"]).iter().enumerate() {
            // A pack has the answer beside the reading, a fixture in it.
            let reading =
                if reading["reading"].is_object() { &reading["reading"] } else { reading };
            let rulings = chosen(&reading["rulings"]);
            if rulings.contains_key(ruling) {
                add(ruling, &rulings, format!("readings/{at}"));
            }
        }
    }
    let shows = list(&case["shows"]);
    let shows: Vec<&str> = shows.iter().filter_map(Value::as_str).collect();
    for id in &shows {
        add(id, &own, "expect".to_owned());
    }
    let tries =
        if case["refusals"].is_array() { &case["refusals"] } else { &case["expect"]["tries"] };
    for (at, attempt) in list(tries).iter().enumerate() {
        let rulings = chosen(&attempt["rulings"]);
        for id in shows.iter().copied().chain(rulings.keys().map(String::as_str)) {
            add(id, &rulings, format!("refusals/{at}"));
        }
    }
    parts
}

/// Whether a fault lies in a part of a file. What has no place concerns the whole of it.
fn concerns(fault: &str, place: &str) -> bool {
    let known = ["expect", "asked", "readings", "refusals"];
    let at = fault.split(": ").next().unwrap_or_default();
    if !known.contains(&at.split('/').next().unwrap_or_default()) {
        return true;
    }
    // What is wrong with a list as a whole is wrong with each of its items.
    let inside = |outer: &str, inner: &str| {
        inner.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    inside(place, at) || inside(at, place)
}

impl Compliance {
    /// The table of this engine.
    pub fn of(game: &dyn AnyGame) -> Self {
        let id = game.meta().id;
        let mut table = Compliance::empty(game, ENGINE.to_owned());
        for kind in ["rules", "games", "precedents"] {
            for (name, text) in embedded::texts(id, kind) {
                let case = serde_json::from_str(text).unwrap_or_default();
                table.add(&format!("{kind}/{name}"), &case, None);
            }
        }
        table
    }

    /// The table of the engine that made a pack, by how its cases of the game ran.
    pub fn of_run<'a>(
        game: &dyn AnyGame,
        engine: &str,
        ran: impl IntoIterator<Item = &'a CaseRun<'a>>,
    ) -> Self {
        let mut table = Compliance::empty(game, engine.to_owned());
        let readings = table.rulings.iter_mut().flat_map(|it| &mut it.readings);
        readings.for_each(|it| it.result = Some(Agreement::NotShown));
        let folder = format!("{}/", game.meta().id);
        for CaseRun { path, text, faults } in ran {
            let Some(name) = path.strip_prefix(&folder) else { continue };
            let name = name.strip_suffix(".json").unwrap_or(name);
            let case = serde_json::from_str(text).unwrap_or_default();
            table.add(name, &case, Some(faults));
        }
        table
    }

    fn empty(game: &dyn AnyGame, engine: String) -> Self {
        let rulings = game.rules().iter().filter(|entry| entry.kind == RuleKind::Ruling);
        let ruling = |entry: &'static RuleEntry| {
            let selectable = entry.selectable();
            let readings =
                entry.readings.iter().enumerate().map(|(at, reading)| ComplianceReading {
                    value: reading.value,
                    gist: reading.gist,
                    runs: at == 0 || (selectable && !reading.value.is_empty()),
                    default: at == 0,
                    shown_by: Vec::new(),
                    result: None,
                    differs_in: Vec::new(),
                });
            ComplianceRuling {
                id: entry.id,
                question: entry.gist,
                settles: entry.settles,
                selectable,
                because: entry.because,
                readings: readings.collect(),
            }
        };
        let (meta, rulings) = (game.meta(), rulings.map(ruling).collect());
        Compliance { game: meta.id, title: meta.title, ruleset: meta.ruleset(), engine, rulings }
    }

    /// Adds what a case shows; `faults` where it was run for another engine.
    fn add(&mut self, name: &str, case: &Value, faults: Option<&Vec<String>>) {
        for Part { ruling, value, place } in parts(case) {
            let Some(found) = self.rulings.iter_mut().find(|it| it.id == ruling) else { continue };
            let reading = match &value {
                None => found.readings.first_mut(),
                Some(value) => found.readings.iter_mut().find(|it| it.value == value),
            };
            let Some(reading) = reading else { continue };
            let note = |list: &mut Vec<String>| {
                if list.last().is_none_or(|last| last != name) {
                    list.push(name.to_owned());
                }
            };
            note(&mut reading.shown_by);
            let Some(faults) = faults else { continue };
            if faults.iter().any(|fault| concerns(fault, &place)) {
                note(&mut reading.differs_in);
                reading.result = Some(Agreement::Differs);
            } else if reading.result == Some(Agreement::NotShown) {
                reading.result = Some(Agreement::Agrees);
            }
        }
    }

    /// How an engine stands to a reading, in a few words.
    fn standing(reading: &ComplianceReading) -> String {
        let own = match (reading.default, reading.runs) {
            (true, _) => "default",
            (false, true) => "runs",
            (false, false) => "not run",
        };
        match reading.result {
            None => own.to_owned(),
            Some(result) => format!("{own}; {}", result.words()),
        }
    }

    /// How many cases show a reading, in words.
    fn shown(reading: &ComplianceReading) -> String {
        let cases = match reading.shown_by.len() {
            0 => "no case".to_owned(),
            1 => "1 case".to_owned(),
            count => format!("{count} cases"),
        };
        match reading.differs_in.len() {
            0 => cases,
            count => format!("{cases}, {count} differ"),
        }
    }

    fn heading(&self) -> String {
        // What this engine runs says its binary; the name of another one belongs to the table.
        let foreign = self.rulings.iter().flat_map(|it| &it.readings).any(|it| it.result.is_some());
        match foreign {
            true => format!("Rulings of {}, engine {}", self.ruleset, self.engine),
            false => format!("Rulings of {}", self.ruleset),
        }
    }

    /// The table as plain text.
    pub fn text(&self) -> String {
        let mut out = format!("{}\n", self.heading());
        for ruling in &self.rulings {
            let settles = match ruling.settles {
                [] => String::new(),
                settles => format!(" (settles {})", settles.join(", ")),
            };
            let _ = writeln!(out, "\n{}  {}{settles}", ruling.id, ruling.question);
            for reading in &ruling.readings {
                let value = if reading.value.is_empty() { "-" } else { reading.value };
                let (standing, shown) = (Self::standing(reading), Self::shown(reading));
                let _ = writeln!(out, "  {value:<16} {} [{standing}; {shown}]", reading.gist);
                for case in &reading.differs_in {
                    let _ = writeln!(out, "  {:<16} differs in {case}", "");
                }
            }
            let _ = writeln!(out, "  because {}", ruling.because);
        }
        out
    }

    /// The table as Markdown: a row for each reading.
    pub fn markdown(&self) -> String {
        let mut out = format!("# {}\n\n", self.heading());
        out.push_str(
            "Per ruling: what is unclear, how it can be read, what this engine does, how many cases show \
             it, and why the default is the default.\n\n\
             | ruling | reading | what it means | engine | shown by |\n|---|---|---|---|---|\n",
        );
        // Texts of a rulebook, which hold no mark of Markdown but this one.
        let cell = |text: &str| text.replace('|', "\\|");
        for ruling in &self.rulings {
            let _ = writeln!(
                out,
                "| **{}** | | **{}** | | {} |",
                ruling.id,
                cell(ruling.question),
                ruling.settles.join(", ")
            );
            for reading in &ruling.readings {
                let value = match reading.value {
                    "" => String::new(),
                    value => format!("`{value}`"),
                };
                let (standing, shown) = (Self::standing(reading), Self::shown(reading));
                let gist = cell(reading.gist);
                let _ = writeln!(out, "| | {value} | {gist} | {standing} | {shown} |");
            }
            let _ = writeln!(out, "| | | because {} | | |", cell(ruling.because));
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use umpire_engine::games::GAMES;

    use super::*;

    #[test]
    fn every_ruling_has_one_default_that_runs() {
        for game in GAMES.iter() {
            let table = Compliance::of(*game);
            assert!(!table.rulings.is_empty());
            for ruling in &table.rulings {
                let defaults = ruling.readings.iter().filter(|it| it.default && it.runs).count();
                assert_eq!(defaults, 1, "{}", ruling.id);
                let def = game.rulings().iter().find(|def| def.id == ruling.id);
                let runs = ruling.readings.iter().filter(|it| it.runs).count();
                assert_eq!(runs, def.map_or(1, |def| def.values.len()), "{}", ruling.id);
            }
        }
    }

    /// A pack in which one reading of one precedent comes out otherwise.
    #[test]
    fn a_fault_is_told_of_the_reading_in_which_it_lies() {
        let game = GAMES[0];
        let def = &game.rulings()[0];
        let [one, two] = [def.values[0], def.values[1]];
        let reading = |value| json!({"reading": {"rulings": {def.id: value}}, "expect": null});
        let case =
            json!({"ruling": def.id, "record": {}, "readings": [reading(one), reading(two)]});
        let (path, text) = (format!("{}/precedents/a.json", game.meta().id), case.to_string());
        let table = |faults: &[&str]| {
            let faults = faults.iter().map(|it| (*it).to_owned()).collect();
            let ran = [CaseRun { path: &path, text: &text, faults }];
            let table = Compliance::of_run(game, "other", &ran);
            let found = table.rulings.into_iter().find(|it| it.id == def.id).unwrap();
            found.readings.iter().map(|it| it.result.unwrap()).collect::<Vec<_>>()
        };
        assert_eq!(table(&[])[..2], [Agreement::Agrees; 2]);
        let second = table(&["readings/1/expect/plies: expected 1, found 2"]);
        assert_eq!(second[..2], [Agreement::Agrees, Agreement::Differs]);
        assert_eq!(table(&["readings: it cannot be settled"])[..2], [Agreement::Differs; 2]);
        assert_eq!(
            table(&["its BLAKE3 is not that of the manifest"])[..2],
            [Agreement::Differs; 2]
        );
        let none = Compliance::of_run(game, "other", []);
        let results = none.rulings.iter().flat_map(|it| &it.readings).map(|it| it.result);
        assert!(results.into_iter().all(|it| it == Some(Agreement::NotShown)));
    }
}
