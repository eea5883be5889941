//! `umpire impact`: what another reading, or this version of the rules, changes in many records.
//!
//! Reads files, directories, NDJSON, or a store, on all processors, and keeps the order of the
//! input. With a journal, an interrupted run is resumed. This module must not change a record or
//! the store, and must not know a rule of any game.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use serde::{Deserialize, Serialize};
use umpire_engine::dispute::readings::{PartingKind, ReadingChoice};
use umpire_engine::replay::answer::{ENGINE, Status};

use super::journal::Journal;
use super::shared::{Exit, limits, print, stored};
use super::walk::{self, Item, Reached, Source};
use super::words;
use crate::documents::phrase;
use crate::http::ndjson::SummaryLine;
use crate::jobs::change::{self, Found, ImpactChange, ImpactCounts, ImpactKind, ImpactStand};
use crate::store::Cursor;
use crate::store::place::Place;
use umpire_referee::call::guarded;
use umpire_referee::json;
use umpire_referee::problem::Problem;

/// The reading to compare with, and the records.
#[derive(Args, Debug)]
pub(super) struct Impact {
    /// Records (*.json), NDJSON with one record per line (*.ndjson), or directories of both; -
    /// reads standard input.
    #[arg(value_name = "FILE", required_unless_present = "store", conflicts_with = "store")]
    files: Vec<PathBuf>,
    /// Read the records of this store instead.
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
    /// A value of a ruling to compare with. Without any reading, the stored verdicts, or the claims
    /// of the records, are compared with this version of the rules.
    #[arg(long, value_name = "ID=VALUE", value_delimiter = ',', value_parser = ruling)]
    rulings: Vec<(String, String)>,
    /// A version of a game's ruleset to compare with: `drako@1`. Records of that version stay as they are.
    #[arg(long, value_name = "RULESET")]
    ruleset: Option<String>,
    /// An edition of the rulebook to compare with.
    #[arg(long, value_name = "EDITION")]
    edition: Option<String>,
    /// Print one JSON value per line: the changed records, the unreadable ones, then a summary.
    #[arg(long)]
    json: bool,
    /// Keep a journal in this file; if the command is interrupted, running it again resumes.
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
}

/// Reads `ID=VALUE`.
fn ruling(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((id, value)) => Ok((id.trim().to_owned(), value.trim().to_owned())),
        None => Err("expected a ruling and its value: ID=VALUE".to_owned()),
    }
}

/// What identifies the run of a journal.
#[derive(Serialize)]
struct About<'a> {
    journal: &'static str,
    engine: &'static str,
    reading: Option<&'a ReadingChoice>,
    files: &'a [PathBuf],
    store: Option<String>,
    json: bool,
}

/// The progress of a run.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Step {
    /// Number of records processed.
    done: u64,
    /// The last one of them.
    last: String,
    /// The store's cursor after them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    next: Option<String>,
    /// Whether the run is complete.
    over: bool,
    counts: ImpactCounts,
}

/// Compares records.
pub(super) fn run(args: &Impact) -> Result<Exit, String> {
    let reading = args.reading()?;
    let store = args.store.as_deref().map(stored).transpose()?;
    let source = match &store {
        Some(store) => Source::Store(&**store),
        None => Source::Files(&args.files),
    };
    let (mut journal, step) = match &args.state {
        Some(path) => {
            let (journal, step) = Journal::<Step>::open(path, &args.about(reading.as_ref()))?;
            (Some(journal), step)
        }
        None => (None, None),
    };
    let mut counts = step.as_ref().map_or_else(ImpactCounts::default, |step| step.counts);
    let (before, begun) = (counts.records, Instant::now());
    let mut reached = step.as_ref().map_or_else(|| Ok(Reached::default()), Step::reached)?;
    if step.is_none_or(|step| !step.over) {
        let bar = walk::bar(source);
        let several = source.several();
        let work = |item| look(item, args, reading.as_ref(), several);
        let from = reached.clone();
        walk::walk(source, &from, &bar, work, |looked, behind| {
            let mut text = Vec::new();
            for (line, found) in looked {
                text.extend_from_slice(&line);
                counts.count(found.as_ref());
            }
            reached = behind.clone();
            walk::print_above(&bar, &text)?;
            // Print first: only what was printed may be noted as done.
            match &mut journal {
                Some(journal) => journal.note(&Step::at(&reached, false, counts)),
                None => Ok(()),
            }
        })?;
        if let Some(journal) = &mut journal {
            journal.note(&Step::at(&reached, true, counts))?;
        }
    }
    let rate = (counts.records - before) as f64 / begun.elapsed().as_secs_f64().max(1e-9);
    if args.json {
        let mut text = Vec::new();
        json::line(&mut text, &SummaryLine { summary: counts });
        print(&text)?;
        eprintln!("{rate:.0} records/s");
    } else {
        print(format!("{}; {rate:.0} records/s\n", summary(&counts)).as_bytes())?;
    }
    Ok(match counts {
        ImpactCounts { unreadable: 1.., .. } => Exit::Unreadable,
        ImpactCounts { changed: 1.., .. } => Exit::Illegal,
        _ => Exit::Good,
    })
}

impl Impact {
    fn reading(&self) -> Result<Option<ReadingChoice>, String> {
        let mut rulings = BTreeMap::new();
        for (id, value) in &self.rulings {
            if rulings.insert(id.clone(), value.clone()).is_some() {
                return Err(format!("{id} is given twice"));
            }
        }
        let (ruleset, edition) = (self.ruleset.clone(), self.edition.clone());
        let reading = ReadingChoice { ruleset, edition, rulings };
        if reading.is_empty() {
            return Ok(None);
        }
        change::check(&reading, "").map_err(|fault| fault.detail)?;
        Ok(Some(reading))
    }

    fn about<'a>(&'a self, reading: Option<&'a ReadingChoice>) -> About<'a> {
        About {
            journal: "umpire impact/1",
            engine: ENGINE,
            reading,
            files: &self.files,
            // Without the password that an address may contain.
            store: self.store.as_deref().map(|path| Place::from(path).to_string()),
            json: self.json,
        }
    }
}

impl Step {
    fn at(reached: &Reached, over: bool, counts: ImpactCounts) -> Self {
        let Reached { done, last, cursor } = reached.clone();
        Step { done, last, next: cursor.map(|cursor| cursor.to_string()), over, counts }
    }

    fn reached(&self) -> Result<Reached, String> {
        let cursor = match self.next.as_deref().map(str::parse::<Cursor>) {
            None => None,
            Some(Ok(cursor)) => Some(cursor),
            Some(Err(error)) => return Err(error.to_string()),
        };
        Ok(Reached { done: self.done, last: self.last.clone(), cursor })
    }
}

/// A changed record, and its name.
#[derive(Serialize)]
struct ChangedRecord<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u64>,
    #[serde(flatten)]
    change: &'a ImpactChange,
}

/// A problem with a record, and its name.
#[derive(Serialize)]
struct UnreadableRecord<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a str>,
    #[serde(flatten)]
    problem: umpire_referee::problem::Problem,
}

fn look(
    item: Item,
    args: &Impact,
    reading: Option<&ReadingChoice>,
    several: bool,
) -> (Vec<u8>, Option<Found>) {
    let name = item.name();
    let Item { file, line, many, text, kept } = item;
    let found: Result<Found, Problem> =
        text.and_then(|text| guarded(|| Ok(change::of(&text, kept.as_ref(), reading, limits())?)));
    let (id, file) = match kept {
        Some(_) => (Some(file.as_str()), None),
        None => (None, several.then_some(file.as_str())),
    };
    let mut out = Vec::new();
    match &found {
        Ok(Found::NotConcerned | Found::Unchanged(_)) => {}
        Ok(Found::Changed(change)) if args.json => {
            let line = many.then_some(line);
            json::line(&mut out, &ChangedRecord { id, file, line, change });
        }
        Ok(Found::Changed(change)) => {
            out = format!("{name}: {}\n", render(change, reading.is_some())).into_bytes();
        }
        Err(error) if args.json => {
            let mut problem = error.clone().in_line(line);
            problem.line = problem.line.filter(|_| many);
            json::line(&mut out, &UnreadableRecord { id, file, problem });
        }
        Err(error) => {
            out = format!("{name}: unreadable: {}\n", words::problem(error)).into_bytes();
        }
    }
    // Keep only what is counted.
    (out, found.ok())
}

/// Describes the change of a record in one line.
fn render(change: &ImpactChange, reading: bool) -> String {
    let ImpactChange {
        game,
        changes,
        ply,
        how,
        rules,
        before,
        after,
        hypothetical_from,
        words,
        ..
    } = change;
    let is = |kind: ImpactKind| changes.contains(&kind);
    let (was, would) = match reading {
        true => ("as recorded", "under this reading"),
        false => ("before", "now"),
    };
    let mut text = match changes.as_slice() {
        [ImpactKind::Impossible] => format!("its options or position are impossible {would}"),
        [ImpactKind::State] => "only the state changes".to_owned(),
        [ImpactKind::Form] => "only the form changes".to_owned(),
        [ImpactKind::Chance, ..] => "its draws do not match".to_owned(),
        _ if is(ImpactKind::Legality) => match before.status {
            Status::Illegal => format!("becomes legal {would}"),
            _ => format!("becomes illegal {would}"),
        },
        [ImpactKind::Clause] => "is illegal for another reason".to_owned(),
        _ if after.as_ref().is_some_and(|it| it.status == Status::InProgress) => {
            format!("is not over {would}")
        }
        _ if is(ImpactKind::Winner) => "has another winner".to_owned(),
        _ => "has another result".to_owned(),
    };
    match (how, ply) {
        (Some(PartingKind::Opening), _) => text.push_str(", from the opening"),
        (_, Some(ply)) => {
            let _ = write!(text, ", from ply {ply}");
        }
        _ => {}
    }
    if !rules.is_empty() {
        let ids: Vec<&str> = rules.iter().take(4).map(|rule| rule.id).collect();
        let _ = write!(text, ", due to {}", ids.join(", "));
    }
    if let Some(after) = after
        && !is(ImpactKind::State)
        && !is(ImpactKind::Form)
    {
        let _ = write!(text, ": {was} {}, {would} {}", stands(game, before), stands(game, after));
    }
    if let Some(ply) = hypothetical_from {
        let _ = write!(text, " (with draws from its seed from ply {ply})");
    }
    if let Some(first) = words.first() {
        let _ = write!(text, "; {first}");
    }
    if !text.ends_with('.') {
        text.push('.');
    }
    text
}

/// Describes the status of a record in a few words.
fn stands(game: &str, stand: &ImpactStand) -> String {
    let reason = || words::spaced(stand.reason.as_deref().unwrap_or("?"));
    let ply = stand.plies;
    match (stand.status, &stand.winner) {
        (Status::Complete, Some(winner)) => {
            format!("{} ({})", phrase::wins(game, winner, None), reason())
        }
        (Status::Complete, None) => format!("the game ends without a winner ({})", reason()),
        (Status::InProgress, _) => {
            format!("the game goes on after {}", words::actions(stand.plies))
        }
        (Status::Illegal, _) => match &stand.rule {
            Some(rule) => format!("the action at ply {ply} is illegal ({rule})"),
            None => format!("the action at ply {ply} is illegal"),
        },
        // Records with unknowns are not compared.
        (Status::Possible | Status::Impossible | Status::Undecided, _) => "not decided".to_owned(),
        (Status::BadChance, _) => {
            format!("it stops at a draw after {}", words::actions(stand.plies))
        }
    }
}

fn summary(counts: &ImpactCounts) -> String {
    let records = if counts.records == 1 { "record" } else { "records" };
    let mut text = format!("{} {records}: {} unchanged", counts.records, counts.unchanged);
    for (count, what) in [
        (counts.changed, "changed"),
        (counts.not_concerned, "not concerned"),
        (counts.unreadable, "unreadable"),
    ] {
        if count > 0 {
            let _ = write!(text, ", {count} {what}");
        }
    }
    let parts = [
        (counts.winner, "winner"),
        (counts.result, "result"),
        (counts.legality, "legality"),
        (counts.clause, "clause"),
        (counts.chance, "draws"),
        (counts.state, "state only"),
        (counts.form, "form only"),
        (counts.impossible, "impossible"),
    ];
    let parts: Vec<String> = parts
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{what} {count}"))
        .collect();
    if !parts.is_empty() {
        let _ = write!(text, " ({})", parts.join(", "));
    }
    let classes = counts.classes.words();
    if !classes.is_empty() {
        let _ = write!(text, "; {}", classes.join(", "));
    }
    text
}
