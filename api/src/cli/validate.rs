//! `umpire validate`: many records, on all processors.
//!
//! One thread reads, all judge, one prints, in order. What is in memory at once is bounded,
//! however many records there are. This module must not hold on to a record after its line is
//! printed.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;
use crossbeam_channel::Sender;
use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;
use serde::Serialize;
use umpire_engine::erased::{Judgement, Status};
use umpire_engine::games;

use super::{Exit, limits, print, words};
use crate::cpu;
use crate::error::ApiError;
use crate::json;
use crate::ndjson::{Last, Line, Splitter, problem};
use crate::referee;
use crate::routes::validate::ValidationCounts;

/// The most records that are judged together.
const BATCH_RECORDS: usize = 512;

/// The most bytes that are judged together.
const BATCH_BYTES: usize = 4 << 20;

/// The longest record.
const LONGEST: usize = 64 << 20;

/// What to validate.
#[derive(Args, Debug)]
pub(super) struct Validate {
    /// Records (*.json), records one a line (*.ndjson), directories of both; - reads standard
    /// input.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Print what the service would answer, a line for each record; with several files or a
    /// directory, each line begins with the file and, where it has many records, the line.
    #[arg(long)]
    json: bool,
    /// Name the legal records, too.
    #[arg(long, short)]
    verbose: bool,
}

/// One record, or why there is none.
struct Item {
    /// The file.
    file: String,
    /// The line, from 1.
    line: u64,
    /// Whether the file has a record a line.
    many: bool,
    text: Result<Vec<u8>, ApiError>,
}

/// Judges records.
pub(super) fn run(args: &Validate) -> Result<Exit, String> {
    let begun = Instant::now();
    let bar = ProgressBar::new_spinner().with_style(
        ProgressStyle::with_template("{spinner} {pos} records, {per_sec}, {elapsed}")
            .unwrap_or_else(|_| ProgressStyle::default_spinner()),
    );
    // On anything but a terminal the bar stays hidden.
    bar.enable_steady_tick(Duration::from_millis(200));
    let mut counts = ValidationCounts::default();
    let several = args.several();
    let (sender, batches) = crossbeam_channel::bounded::<Vec<Item>>(2);
    let printed = std::thread::scope(|scope| {
        scope.spawn(move || {
            Reader { sender, batch: Vec::new(), bytes: 0, items: 0 }.read(&args.files)
        });
        for batch in batches {
            let lines: Vec<(Vec<u8>, Option<Status>)> =
                batch.into_par_iter().map(|item| judge(item, args, several)).collect();
            let mut text = Vec::new();
            for (line, status) in lines {
                text.extend_from_slice(&line);
                counts.count(status);
            }
            bar.inc(counts.records - bar.position());
            bar.suspend(|| print(&text))?;
        }
        Ok::<(), String>(())
    });
    bar.finish_and_clear();
    printed?;
    let seconds = begun.elapsed().as_secs_f64();
    let rate = counts.records as f64 / seconds.max(1e-9);
    if args.json {
        let mut text = Vec::new();
        json::line(&mut text, &Last { summary: counts });
        print(&text)?;
        eprintln!("{rate:.0} records/s");
    } else {
        print(format!("{}; {rate:.0} records/s\n", summary(&counts)).as_bytes())?;
    }
    Ok(match counts {
        ValidationCounts { unreadable: 1.., .. } => Exit::Unreadable,
        ValidationCounts { illegal: 1.., .. } | ValidationCounts { bad_chance: 1.., .. } => {
            Exit::Illegal
        }
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
        (counts.bad_chance, "with a tape that does not fit"),
        (counts.unreadable, "unreadable"),
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

impl Item {
    /// The file, and the line where it has several records.
    fn name(&self) -> String {
        match self.many {
            true => format!("{}:{}", self.file, self.line),
            false => self.file.clone(),
        }
    }
}

impl Validate {
    /// Whether somebody who reads the answers has to be told which file each is about.
    fn several(&self) -> bool {
        self.files.len() > 1 || self.files.iter().any(|file| file.is_dir())
    }
}

/// An answer, and which record it is about.
#[derive(Serialize)]
struct Placed<'a, T> {
    file: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u64>,
    #[serde(flatten)]
    answer: &'a T,
}

/// The line of an answer; with its place where records of several files are judged.
fn answer<T: Serialize>(place: Option<(&str, Option<u64>)>, answer: &T) -> Vec<u8> {
    let mut text = Vec::new();
    match place {
        Some((file, line)) => json::line(&mut text, &Placed { file, line, answer }),
        None => json::line(&mut text, answer),
    }
    text
}

fn judge(item: Item, args: &Validate, several: bool) -> (Vec<u8>, Option<Status>) {
    let name = item.name();
    let judged: Result<Judgement, ApiError> = item
        .text
        .and_then(|text| cpu::here(|| referee::judge(&text, limits()).map_err(ApiError::from)));
    let mut text = Vec::new();
    let status = judged.as_ref().ok().map(|judgement| judgement.verdict.status);
    match judged {
        Ok(judgement) if args.json => {
            let line = item.many.then_some(item.line);
            text = answer(several.then_some((&item.file, line)), &judgement);
        }
        Err(error) if args.json => {
            let mut problem = problem(&error, item.line);
            problem.line = problem.line.filter(|_| item.many || !several);
            text = answer(several.then_some((&item.file, None)), &problem);
        }
        Ok(judgement) => {
            let good = Exit::from(judgement.verdict.status) == Exit::Good;
            let claims = judgement.verdict.claims.iter().all(|claim| claim.holds);
            if !good || !claims || args.verbose {
                text = told(&name, &judgement).into_bytes();
            }
        }
        Err(error) => {
            text = format!("{name}: unreadable: {}\n", words::problem(&error)).into_bytes();
        }
    }
    (text, status)
}

fn told(name: &str, judgement: &Judgement) -> String {
    let verdict = &judgement.verdict;
    let Some(game) = games::find(judgement.game) else { return String::new() };
    let mut text = format!("{name}: {}\n", words::headline(game, &judgement.ruleset, verdict));
    if let Some(violation) = &verdict.violation {
        text.push_str(&words::violation(game, violation));
    }
    text.push_str(&words::remarks(verdict, &judgement.warnings));
    text
}

/// Reads records and passes them on, some at a time.
struct Reader {
    sender: Sender<Vec<Item>>,
    batch: Vec<Item>,
    bytes: usize,
    /// How many there were in all.
    items: u64,
}

/// Nobody wants any more records.
struct Gone;

impl Reader {
    fn read(mut self, files: &[PathBuf]) {
        // The receiver goes only when printing has failed, which is reported there.
        let _ = files.iter().try_for_each(|file| self.path(file, true));
        let _ = self.flush();
    }

    fn path(&mut self, path: &Path, named: bool) -> Result<(), Gone> {
        if path.as_os_str() == "-" {
            return self.stream("standard input", &mut io::stdin().lock());
        }
        let name = path.display().to_string();
        if path.is_dir() {
            return self.directory(path, named);
        }
        let kind = path.extension().and_then(|end| end.to_str()).unwrap_or("");
        match (kind, named) {
            ("json", _) => {
                let text = std::fs::read(path).map_err(|error| cannot_read(&error));
                self.item(name, None, text)
            }
            ("ndjson" | "jsonl", _) | (_, true) => match File::open(path) {
                Ok(file) => self.stream(&name, &mut BufReader::with_capacity(1 << 16, file)),
                Err(error) => self.item(name, None, Err(cannot_read(&error))),
            },
            _ => Ok(()),
        }
    }

    fn directory(&mut self, path: &Path, named: bool) -> Result<(), Gone> {
        let before = self.items;
        let entries = std::fs::read_dir(path)
            .and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>());
        let mut entries: Vec<PathBuf> = match entries {
            Ok(entries) => entries,
            Err(error) => {
                return self.item(path.display().to_string(), None, Err(cannot_read(&error)));
            }
        };
        entries.sort();
        // A link to a directory could lead round in circles.
        let entries = entries.iter().filter(|entry| !(entry.is_symlink() && entry.is_dir()));
        entries.into_iter().try_for_each(|entry| self.path(entry, false))?;
        if named && self.items == before {
            let none = ApiError::NotFound("no record is in this directory".to_owned());
            return self.item(path.display().to_string(), None, Err(none));
        }
        Ok(())
    }

    /// Records one a line; or one record, if its first line is only its beginning.
    fn stream(&mut self, name: &str, from: &mut dyn BufRead) -> Result<(), Gone> {
        let mut first = Vec::new();
        let begun = from.take(LONGEST as u64).read_until(b'\n', &mut first);
        if let Err(error) = begun {
            return self.item(name.to_owned(), None, Err(cannot_read(&error)));
        }
        let whole = serde_json::from_slice::<serde::de::IgnoredAny>(&first);
        if whole.is_err_and(|error| error.is_eof()) && !first.trim_ascii().is_empty() {
            let rest = from.take(LONGEST as u64).read_to_end(&mut first);
            let text = rest.map(|_| first).map_err(|error| cannot_read(&error));
            return self.item(name.to_owned(), None, text);
        }
        let mut splitter = Splitter::new(LONGEST);
        let mut lines = Vec::new();
        splitter.push(&first, &mut lines);
        loop {
            for Line { number, text } in lines.drain(..) {
                self.item(name.to_owned(), Some(number), text)?;
            }
            let length = match from.fill_buf() {
                Ok([]) => break,
                Ok(piece) => {
                    splitter.push(piece, &mut lines);
                    piece.len()
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => 0,
                Err(error) => {
                    self.item(name.to_owned(), None, Err(cannot_read(&error)))?;
                    break;
                }
            };
            from.consume(length);
        }
        match splitter.finish() {
            Some(Line { number, text }) => self.item(name.to_owned(), Some(number), text),
            None => Ok(()),
        }
    }

    fn item(
        &mut self,
        file: String,
        line: Option<u64>,
        text: Result<Vec<u8>, ApiError>,
    ) -> Result<(), Gone> {
        self.items += 1;
        self.bytes += text.as_ref().map_or(0, Vec::len);
        let many = line.is_some();
        self.batch.push(Item { file, line: line.unwrap_or(1), many, text });
        match self.batch.len() >= BATCH_RECORDS || self.bytes >= BATCH_BYTES {
            true => self.flush(),
            false => Ok(()),
        }
    }

    fn flush(&mut self) -> Result<(), Gone> {
        self.bytes = 0;
        match std::mem::take(&mut self.batch) {
            empty if empty.is_empty() => Ok(()),
            batch => self.sender.send(batch).map_err(|_| Gone),
        }
    }
}

fn cannot_read(error: &io::Error) -> ApiError {
    ApiError::NotFound(format!("cannot read: {error}"))
}
