//! `umpire validate`: validates many records on all processors.
//!
//! This module must not keep a record in memory after its line is printed.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use serde::Serialize;
use umpire_engine::games;
use umpire_engine::notation;
use umpire_engine::record::{Fault, FaultCode};
use umpire_engine::replay::answer::{Judgement, Status};

use super::notes::{self, begins_notes, notes_of};
use super::shared::{Exit, limits, print};
use super::table::{PlacedRow, VerdictTable};
use super::walk::{self, Item, Reached, Source};
use super::words;
use crate::http::ndjson::SummaryLine;
use crate::routes::validate::{Stands, ValidationCounts};
use umpire_referee::call::guarded;
use umpire_referee::json;
use umpire_referee::problem::Problem;
use umpire_referee::questions::notes::dialects;
use umpire_referee::reading::{self, UnknownFields};

/// What to validate.
#[derive(Args, Debug)]
pub(super) struct Validate {
    /// Records (*.json), NDJSON (*.ndjson), directories of both, Parquet files with a column
    /// `record` (*.parquet), or notes (*.txt, docs/notation.md); - reads standard input.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Print what the service would return, one line per record. With several files or a directory,
    /// each line begins with the file and, if it has many records, the line number.
    #[arg(long)]
    json: bool,
    /// List the legal records, too.
    #[arg(long, short)]
    verbose: bool,
    /// Write the verdicts to this Parquet file (docs/archives.md), and print only the summary.
    #[arg(long, value_name = "FILE", conflicts_with = "verbose")]
    to: Option<PathBuf>,
    /// Replace an existing file, once the new one is complete.
    #[arg(long, requires = "to")]
    force: bool,
    /// Validate records with unknown fields, with a warning, instead of reporting them as
    /// unreadable.
    #[arg(long)]
    allow_unknown_fields: bool,
}

impl Validate {
    /// What to do about unknown fields.
    fn unknown(&self) -> UnknownFields {
        if self.allow_unknown_fields { UnknownFields::Keep } else { UnknownFields::Refuse }
    }
}

/// Validates records.
pub(super) fn run(args: &Validate) -> Result<Exit, String> {
    let begun = Instant::now();
    let mut counts = ValidationCounts::default();
    let source = Source::Files(&args.files);
    let several = source.several();
    let bar = walk::bar(source);
    let mut table =
        args.to.as_deref().map(|to| VerdictTable::create(to, args.force)).transpose()?;
    let work = |item| judge(item, args, several);
    walk::walk(source, &Reached::default(), &bar, work, |lines, _| {
        let mut text = Vec::new();
        for RecordOutput { line, stands, row } in lines {
            text.extend_from_slice(&line);
            counts.count(stands);
            if let (Some(table), Some(row)) = (&mut table, row) {
                table.add(row)?;
            }
        }
        walk::print_above(&bar, &text)
    })?;
    table.map(VerdictTable::finish).transpose()?;
    let seconds = begun.elapsed().as_secs_f64();
    let rate = counts.records as f64 / seconds.max(1e-9);
    if args.json {
        let mut text = Vec::new();
        json::line(&mut text, &SummaryLine { summary: counts });
        print(&text)?;
        eprintln!("{rate:.0} records/s");
    } else {
        print(format!("{}; {rate:.0} records/s\n", summary(&counts)).as_bytes())?;
    }
    Ok(match counts {
        ValidationCounts { unreadable: 1.., .. } => Exit::Unreadable,
        ValidationCounts { illegal: 1.., .. }
        | ValidationCounts { bad_chance: 1.., .. }
        | ValidationCounts { impossible: 1.., .. } => Exit::Illegal,
        ValidationCounts { undecided: 1.., .. } => Exit::Undecidable,
        _ => Exit::Good,
    })
}

fn summary(counts: &ValidationCounts) -> String {
    let records = if counts.records == 1 { "record" } else { "records" };
    let mut text = format!("{} {records}", counts.records);
    let parts = [
        (counts.complete, "complete"),
        (counts.in_progress, "in progress"),
        (counts.illegal, "illegal"),
        (counts.bad_chance, "with a tape that does not match"),
        (counts.possible, "possible"),
        (counts.impossible, "impossible"),
        (counts.undecided, "undecided"),
        (counts.unreadable, "unreadable"),
        (counts.contradicted, "legal but with claims that do not hold"),
    ];
    let mut join = ": ";
    for (count, what) in parts {
        if count > 0 {
            let _ = write!(text, "{join}{count} {what}");
            join = ", ";
        }
    }
    text
}

/// A response, and the record that it is about.
#[derive(Serialize)]
struct WithPlace<'a, T> {
    file: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u64>,
    #[serde(flatten)]
    answer: &'a T,
}

/// The line of a response, with the place of the record if there are several files.
fn answer<T: Serialize>(reached: Option<(&str, Option<u64>)>, answer: &T) -> Vec<u8> {
    let mut text = Vec::new();
    match reached {
        Some((file, line)) => json::line(&mut text, &WithPlace { file, line, answer }),
        None => json::line(&mut text, answer),
    }
    text
}

/// The contents of a file: a record, or notes.
enum FileContents {
    /// A record, or text to be read as one.
    Record(Vec<u8>),
    /// Notes that cannot be read.
    Mistakes {
        /// All mistakes, each with its line.
        shown: String,
        /// The first one.
        fault: Fault,
    },
}

/// Reads notes (docs/notation.md); any other text is returned unchanged.
fn noted(name: &str, text: Vec<u8>) -> FileContents {
    let begun = text.split(|&byte| byte == b'\n').find(|line| !line.trim_ascii().is_empty());
    let notes =
        notes_of(&text).filter(|_| begun.is_some_and(begins_notes) || name.ends_with(".txt"));
    let Some(notes) = notes else { return FileContents::Record(text) };
    match notation::read_record(notes, &dialects()) {
        Ok(noted) => FileContents::Record(noted.record.into_bytes()),
        Err(mistakes) => {
            let first = mistakes.first().map(ToString::to_string).unwrap_or_default();
            let shown = notes::render(name.as_ref(), notes, &mistakes);
            let fault = Fault::new(FaultCode::BadRecord, "", first);
            FileContents::Mistakes { shown, fault }
        }
    }
}

/// The output for a record.
struct RecordOutput {
    /// What is printed.
    line: Vec<u8>,
    /// Its status, if it could be validated.
    stands: Option<Stands>,
    /// Its row in a table of verdicts, if one is written.
    row: Option<PlacedRow>,
}

fn judge(item: Item, args: &Validate, several: bool) -> RecordOutput {
    let name = item.name();
    let whole = item.text.map(|text| match item.many {
        true => FileContents::Record(text),
        false => noted(&name, text),
    });
    let text = match whole {
        Err(error) => Err(error),
        Ok(FileContents::Record(text)) => Ok(text),
        Ok(FileContents::Mistakes { shown, .. }) if !args.json && args.to.is_none() => {
            return RecordOutput { line: shown.into_bytes(), stands: None, row: None };
        }
        Ok(FileContents::Mistakes { fault, .. }) => Err(fault.into()),
    };
    let (record, judged): (Vec<u8>, Result<Judgement, Problem>) = match text {
        Ok(text) => {
            let judged = guarded(|| Ok(reading::judge_fields(&text, args.unknown(), limits())?));
            (text, judged)
        }
        Err(error) => (Vec::new(), Err(error)),
    };
    let mut text = Vec::new();
    let stands = judged.as_ref().ok().map(|judgement| Stands::of(&judgement.verdict));
    if args.to.is_some() {
        let line = item.many.then_some(item.line);
        let row = PlacedRow::of(item.file, line, &judged, item.line);
        return RecordOutput { line: text, stands, row: Some(row) };
    }
    match judged {
        Ok(judgement) if args.json => {
            let line = item.many.then_some(item.line);
            text = answer(several.then_some((&item.file, line)), &judgement);
        }
        Err(error) if args.json => {
            let mut problem = error.in_line(item.line);
            problem.line = problem.line.filter(|_| item.many || !several);
            text = answer(several.then_some((&item.file, None)), &problem);
        }
        Ok(judgement) => {
            let good = Exit::from(judgement.verdict.status) == Exit::Good;
            let claims = judgement.verdict.claims.iter().all(|claim| claim.holds);
            // What the reader of the verdict must know.
            let said = ["unknown_field", "defaulted"];
            let unknown = judgement.warnings.iter().any(|it| said.contains(&it.code));
            let possible = judgement.verdict.status == Status::Possible;
            if !good || !claims || unknown || possible || args.verbose {
                text = render(&name, &judgement, &record, args.unknown()).into_bytes();
            }
        }
        Err(error) => {
            text = format!("{name}: unreadable: {}\n", words::problem(&error)).into_bytes();
        }
    }
    RecordOutput { line: text, stands, row: None }
}

fn render(name: &str, judgement: &Judgement, record: &[u8], unknown: UnknownFields) -> String {
    let verdict = &judgement.verdict;
    let Some(game) = games::find(judgement.game) else { return String::new() };
    let mut text = format!("{name}: {}\n", words::headline(game, &judgement.ruleset, verdict));
    if let Some(violation) = &verdict.violation {
        let said: Result<String, Fault> =
            reading::with_fields(record, unknown, |it| Ok(words::violation(it, violation)));
        text.push_str(&said.unwrap_or_else(|_| words::violation_alone(game, violation)));
    }
    text.push_str(&words::unknowns(verdict));
    text.push_str(&words::remarks(verdict, &judgement.warnings));
    text
}
