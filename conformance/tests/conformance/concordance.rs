//! The concordance: per clause its gist, the functions of the engine that name it, and the
//! fixtures that show it.
//!
//! A clause that nothing shows, or a prohibition that no refusal cites, is a fault unless it is
//! waived with a reason. Which clauses are prohibitions is read out of the source: those that a
//! refusal names.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use umpire_engine::any_game::AnyGame;
use umpire_engine::game::{FullGame, Visitor};
use umpire_engine::games::visit;
use umpire_engine::record::RawRecord;
use umpire_engine::replay::answer::Unanswered;
use umpire_engine::rules::{Rule, RuleKind};

use umpire_conformance::fixture::{Case, Kind, Parts};
use umpire_conformance::folders::{files, folder, root};

use crate::run::replay;

/// What is known of one clause or ruling.
#[derive(Debug, Default)]
pub struct Line {
    /// Functions that name it, as `file::function`.
    pub source: BTreeSet<String>,
    /// Whether a refusal in the source names it first.
    pub forbids: bool,
    /// Fixtures that say they show it.
    pub shown: BTreeSet<String>,
    /// Fixtures in which the engine cites it.
    pub cited: BTreeSet<String>,
    /// Fixtures in which a refusal cites it.
    pub refused: BTreeSet<String>,
}

/// Every clause and ruling of a game, in the order of the document.
pub struct Concordance {
    game: &'static dyn AnyGame,
    lines: Vec<(&'static str, Line)>,
}

/// Clauses that no fixture can show, each with the reason.
#[derive(Debug, Default, Deserialize)]
#[serde(transparent)]
pub struct Waivers(pub BTreeMap<String, String>);

impl Waivers {
    /// The waivers of a game; none if it has no such file.
    pub fn of(game: &dyn AnyGame) -> Result<Waivers, String> {
        match std::fs::read_to_string(folder(game).join("waivers.json")) {
            Ok(text) => serde_json::from_str(&text).map_err(|error| error.to_string()),
            Err(_) => Ok(Waivers::default()),
        }
    }
}

/// The names of the rule variants of every game: game, id, variant.
fn variants() -> Vec<(&'static str, &'static str, String)> {
    struct Names(Vec<(&'static str, &'static str, String)>);
    impl Visitor for Names {
        fn game<G: FullGame>(&mut self) {
            let all = G::Rule::all().iter();
            self.0.extend(all.map(|rule| (G::META.id, rule.id(), format!("{rule:?}"))));
        }
    }
    let mut names = Names(Vec::new());
    visit(&mut names);
    names.0
}

impl Concordance {
    /// Collects all that is known.
    pub fn of(game: &'static dyn AnyGame, cases: &[Case]) -> Concordance {
        let mut lines: Vec<(&'static str, Line)> =
            game.rules().iter().map(|entry| (entry.id, Line::default())).collect();
        let mut at = |id: &str, note: &mut dyn FnMut(&mut Line)| {
            if let Some((_, line)) = lines.iter_mut().find(|(had, _)| *had == id) {
                note(line);
            }
        };
        for found in scan(game) {
            at(found.id, &mut |line| {
                line.source.insert(found.place.clone());
                line.forbids |= found.refusal;
            });
        }
        for case in cases {
            let Some(fixture) = case.good() else { continue };
            let name = match case.kind {
                Kind::Rule => case.name.clone(),
                Kind::Game => format!("games/{}", case.name),
            };
            for id in &fixture.shows {
                at(id, &mut |line| line.shown.extend([name.clone()]));
            }
            let parts = Parts::of(&fixture.record);
            let tries = fixture.expect.tries.iter();
            let tried = parts.iter().flat_map(|parts| tries.clone().map(|it| parts.attempt(it)));
            for text in [fixture.record.get().to_owned()].into_iter().chain(tried) {
                let (cited, refused) = citations(game, &text);
                for id in cited {
                    at(id, &mut |line| line.cited.extend([name.clone()]));
                }
                for id in refused {
                    at(&id, &mut |line| line.refused.extend([name.clone()]));
                }
            }
        }
        Concordance { game, lines }
    }

    /// Clauses that nothing shows, prohibitions that no refusal cites, and waivers that are not
    /// needed.
    pub fn faults(&self, waivers: &Waivers) -> Vec<String> {
        let mut faults = Vec::new();
        for (id, line) in &self.lines {
            let fault = if line.shown.is_empty() && line.cited.is_empty() {
                Some("is shown by no fixture")
            } else if line.forbids && line.refused.is_empty() {
                Some("forbids something, but no fixture has a refusal that cites it")
            } else {
                None
            };
            match (fault, waivers.0.get(*id)) {
                (Some(fault), None) => faults.push(format!("{id} {fault}")),
                (None, Some(_)) => faults.push(format!("{id} is waived, but it is shown")),
                (Some(_), Some(reason)) if reason.len() < 20 => {
                    faults.push(format!("{id} is waived without a reason"));
                }
                (Some(_), Some(_)) | (None, None) => {}
            }
        }
        for id in waivers.0.keys() {
            if self.lines.iter().all(|(had, _)| had != id) {
                faults.push(format!("{id} is waived, but there is no such rule"));
            }
        }
        faults
    }

    /// The fixtures that show a rule best: those that say so, or else those that cite it.
    fn best(line: &Line) -> Vec<&str> {
        const MOST: usize = 12;
        let names = if line.shown.is_empty() { &line.cited } else { &line.shown };
        let (rules, games): (Vec<&str>, Vec<&str>) =
            names.iter().map(String::as_str).partition(|name| !name.starts_with("games/"));
        let names = if rules.is_empty() { games } else { rules };
        names.into_iter().take(MOST).collect()
    }

    /// The concordance for people.
    pub fn text(&self, waivers: &Waivers) -> String {
        let meta = self.game.meta();
        let mut text = format!(
            "# {}: concordance\n\nGenerated. Per rule: what it says, the functions that name it, the fixtures that show it.\n",
            meta.title
        );
        for (entry, (id, line)) in self.game.rules().iter().zip(&self.lines) {
            let _ = write!(text, "\n## {id}\n\n{}\n\n", entry.gist);
            if entry.kind == RuleKind::Ruling {
                let readings = entry.readings.iter().map(|it| match it.value {
                    "" => it.gist.to_owned(),
                    value => format!("`{value}` {}", it.gist),
                });
                let _ = writeln!(text, "- readings: {}", readings.collect::<Vec<_>>().join("; "));
                let _ = writeln!(text, "- settles: {}", entry.settles.join(", "));
            }
            for place in &line.source {
                let _ = writeln!(text, "- source: {place}");
            }
            for name in Self::best(line) {
                let mark = if line.refused.contains(name) { " (refusal)" } else { "" };
                let _ = writeln!(text, "- fixture: {name}{mark}");
            }
            let _ = writeln!(text, "- cited in {} fixtures", line.cited.len());
            if let Some(reason) = waivers.0.get(*id) {
                let _ = writeln!(text, "- waived: {reason}");
            }
        }
        text
    }

    /// The concordance for programs: id to names of fixtures.
    pub fn json(&self) -> String {
        let mut text = "{".to_owned();
        for (at, (id, line)) in self.lines.iter().enumerate() {
            let names = serde_json::json!(Self::best(line));
            let _ = write!(text, "{}\n  \"{id}\": {names}", if at == 0 { "" } else { "," });
        }
        text.push_str("\n}\n");
        text
    }
}

/// What a record makes the engine cite, and what its refusal cites.
fn citations(game: &dyn AnyGame, text: &str) -> (Vec<&'static str>, Vec<String>) {
    let Ok(record) = RawRecord::read(text.as_bytes()) else { return Default::default() };
    match (game.cited(&record), replay(game, text)) {
        (Ok(cited), Ok(report)) => {
            let refused = report.verdict.violation.map(|it| it.rules).unwrap_or_default();
            (cited, refused)
        }
        (Err(fault), _) | (_, Err(Unanswered::Fault(fault))) => {
            let rule: Vec<&'static str> = fault.rule.into_iter().collect();
            (rule.clone(), rule.into_iter().map(str::to_owned).collect())
        }
        (Ok(cited), Err(Unanswered::NoSuchPly { .. })) => (cited, Vec::new()),
    }
}

/// A rule named in the source.
struct Found {
    id: &'static str,
    place: String,
    refusal: bool,
}

/// Every place of a game's folder that names a rule, its rulebook, invariants and tests left out.
fn scan(game: &dyn AnyGame) -> Vec<Found> {
    let meta = game.meta();
    let names: Vec<_> = variants().into_iter().filter(|(id, ..)| *id == meta.id).collect();
    let mut found = Vec::new();
    let source = root().join("engine").join(meta.id).join("src");
    for path in files_below(&source) {
        let file = path.strip_prefix(&source).unwrap_or(&path);
        let file = file.to_string_lossy().replace('\\', "/");
        let tests = file == "tests.rs" || file.starts_with("tests/");
        if !file.ends_with(".rs")
            || matches!(file.as_str(), "rulebook.rs" | "invariants.rs")
            || tests
        {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        let mut function = String::new();
        let mut refusing = false;
        for line in text.lines().take_while(|line| !line.starts_with("#[cfg(test)]")) {
            let code = line.split("//").next().unwrap_or_default();
            if let Some(name) = function_name(code) {
                function = format!("::{name}");
            }
            for token in code.split(|it: char| !it.is_alphanumeric() && it != '_') {
                match token {
                    "Refusal" | "refuse" | "require" => refusing = true,
                    _ => {}
                }
                let Some((_, id, _)) = names.iter().find(|(.., variant)| variant == token) else {
                    continue;
                };
                found.push(Found { id, place: format!("{file}{function}"), refusal: refusing });
                refusing = false;
            }
            if code.trim_end().ends_with([';', '{', '}']) {
                refusing = false;
            }
        }
    }
    found
}

/// The files of a folder and of the folders in it, in order of their paths.
fn files_below(folder: &Path) -> Vec<PathBuf> {
    let below = |path: PathBuf| match path.is_dir() {
        true => files_below(&path),
        false => vec![path],
    };
    files(folder).into_iter().flat_map(below).collect()
}

fn function_name(line: &str) -> Option<&str> {
    let words = line.trim_start();
    let words = words.strip_prefix("pub").map_or(words, |rest| match rest.strip_prefix('(') {
        Some(inside) => inside.split_once(')').map_or(rest, |(_, rest)| rest),
        None => rest,
    });
    let words = words.trim_start();
    let words = words.strip_prefix("const ").unwrap_or(words);
    let name = words.strip_prefix("fn ")?;
    name.split(|it: char| !it.is_alphanumeric() && it != '_').next()
}
