//! Processing many records on all processors, for the commands that take whole directories.
//!
//! One thread reads, all work, and one collects the results in order. Memory use is bounded,
//! however many records there are. This module must not keep a record after it was processed, and
//! must not know what the work is.

use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crossbeam_channel::Sender;
use indicatif::{ProgressBar, ProgressState, ProgressStyle};
use rayon::prelude::*;

use super::notes::begins_notes;
use super::shared::{in_utf8, print};
use super::table;
use crate::http::error::ApiError;
use crate::http::ndjson::{Line, Splitter};
use crate::store::{Cursor, Filter, Page, Store, StoreError, Summary};
use umpire_referee::problem::Problem;

/// The maximum number of records in a batch.
const BATCH_RECORDS: usize = 512;

/// The maximum number of bytes in a batch.
const BATCH_BYTES: usize = 4 << 20;

/// The maximum length of a record.
const LONGEST: usize = 64 << 20;

/// A record, or why it could not be read.
pub(super) struct Item {
    /// The file, or the id of a stored record.
    pub(super) file: String,
    /// The line, starting from 1.
    pub(super) line: u64,
    /// Whether the file has one record per line.
    pub(super) many: bool,
    /// Its text.
    pub(super) text: Result<Vec<u8>, Problem>,
    /// Its stored summary.
    pub(super) kept: Option<Summary>,
}

impl Item {
    /// The file, and the line if the file has several records.
    pub(super) fn name(&self) -> String {
        match self.many {
            true => format!("{}:{}", self.file, self.line),
            false => self.file.clone(),
        }
    }
}

/// The source of records.
#[derive(Clone, Copy)]
pub(super) enum Source<'a> {
    /// Files, directories of files, or standard input.
    Files(&'a [PathBuf]),
    /// A store; the newest record first.
    Store(&'a dyn Store),
}

impl Source<'_> {
    /// Whether output must say which record each line is about.
    pub(super) fn several(&self) -> bool {
        match self {
            Source::Files(files) => files.len() > 1 || files.iter().any(|file| file.is_dir()),
            Source::Store(_) => true,
        }
    }
}

/// A position between two records.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Reached {
    /// How many records come before it.
    pub(super) done: u64,
    /// The name of the last of them.
    pub(super) last: String,
    /// The store's cursor for the position; `None` in files, and after the last record.
    pub(super) cursor: Option<Cursor>,
}

/// Records that are processed together, and the position after them.
struct Batch {
    items: Vec<Item>,
    reached: Reached,
}

/// The progress bar of a walk. It is hidden unless on a terminal.
pub(super) fn bar(source: Source<'_>) -> ProgressBar {
    let style = |template: &str, otherwise: fn() -> ProgressStyle| {
        ProgressStyle::with_template(template).unwrap_or_else(|_| otherwise())
    };
    let count = match source {
        Source::Store(store) => store.count(&Filter::default()).ok(),
        Source::Files(files) => count(files),
    };
    let rate = |state: &ProgressState, to: &mut dyn fmt::Write| {
        let _ = write!(to, "{:.0}/s", state.per_sec());
    };
    let bar = match count {
        Some(count) => ProgressBar::new(count).with_style(
            style(
                "{bar:30} {pos} of {len} records, {rate}, {eta} left",
                ProgressStyle::default_bar,
            )
            .with_key("rate", rate),
        ),
        None => ProgressBar::new_spinner().with_style(
            style("{spinner} {pos} records, {rate}, {elapsed}", ProgressStyle::default_spinner)
                .with_key("rate", rate),
        ),
    };
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

/// The file extension, lower-cased: `json`, `ndjson` or `jsonl`.
fn kind(path: &Path) -> String {
    path.extension().and_then(|end| end.to_str()).unwrap_or("").to_ascii_lowercase()
}

/// The entries of a directory, by name. A link to a directory is left out: it could form a loop.
fn entries(directory: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(directory)?.map(|entry| Ok(entry?.path()));
    let mut entries = entries.collect::<io::Result<Vec<PathBuf>>>()?;
    entries.retain(|entry| !(entry.is_symlink() && entry.is_dir()));
    entries.sort();
    Ok(entries)
}

/// The number of records, if each is in its own file; NDJSON can be counted only by reading it.
fn count(files: &[PathBuf]) -> Option<u64> {
    fn within(path: &Path, named: bool) -> Option<u64> {
        if path.is_dir() {
            // An unreadable directory is an item, too.
            let Ok(entries) = entries(path) else { return Some(1) };
            return entries.iter().map(|entry| within(entry, false)).sum();
        }
        match kind(path).as_str() {
            "json" if named || path.is_file() => Some(1),
            "ndjson" | "jsonl" => None,
            _ if named => None,
            _ => Some(0),
        }
    }
    files.iter().map(|path| within(path, true)).sum()
}

/// Prints some lines above the progress bar.
pub(super) fn print_above(bar: &ProgressBar, text: &[u8]) -> Result<(), String> {
    match text.is_empty() {
        true => Ok(()),
        false => bar.suspend(|| print(text)),
    }
}

/// Processes every record after a position, and hands over the results in order, batch by batch,
/// with the position after each.
pub(super) fn walk<T: Send>(
    source: Source<'_>,
    from: &Reached,
    bar: &ProgressBar,
    work: impl Fn(Item) -> T + Sync,
    mut take: impl FnMut(Vec<T>, &Reached) -> Result<(), String>,
) -> Result<(), String> {
    let (sender, batches) = crossbeam_channel::bounded::<Result<Batch, String>>(2);
    bar.set_position(from.done);
    let taken = std::thread::scope(|scope| {
        scope.spawn(move || {
            let reached = Reached { done: 0, last: String::new(), cursor: from.cursor };
            let reader = Reader { sender, from, items: Vec::new(), bytes: 0, reached };
            reader.read(source);
        });
        for batch in batches {
            let Batch { items, reached } = batch?;
            let done: Vec<T> = items.into_par_iter().map(&work).collect();
            take(done, &reached)?;
            bar.set_position(reached.done);
        }
        Ok(())
    });
    bar.finish_and_clear();
    taken
}

/// Reads records and passes them on in batches.
struct Reader<'a> {
    sender: Sender<Result<Batch, String>>,
    /// Everything before this position was already processed.
    from: &'a Reached,
    items: Vec<Item>,
    bytes: usize,
    /// The position after the last record.
    reached: Reached,
}

/// The receiver wants no more records.
struct ReceiverGone;

impl Reader<'_> {
    fn read(mut self, source: Source<'_>) {
        // The receiver only goes away when it fails, which is reported there.
        let _ = match source {
            Source::Files(files) => files
                .iter()
                .try_for_each(|file| self.path(file, true))
                .and_then(|()| self.reached())
                .and_then(|()| self.flush()),
            Source::Store(store) => self.store(store),
        };
    }

    fn fail(&self, why: String) -> Result<(), ReceiverGone> {
        let _ = self.sender.send(Err(why));
        Err(ReceiverGone)
    }

    /// Fails if the records end before the position to start from.
    fn reached(&self) -> Result<(), ReceiverGone> {
        match self.reached.done < self.from.done {
            true => self.fail(format!(
                "there are only {} records; {} were already processed",
                self.reached.done, self.from.done
            )),
            false => Ok(()),
        }
    }

    /// Reads page by page, so that the position after a batch is one that the store knows.
    fn store(&mut self, store: &dyn Store) -> Result<(), ReceiverGone> {
        self.reached = self.from.clone();
        let mut cursor = self.from.cursor;
        loop {
            let limit = u32::try_from(BATCH_RECORDS / 2).ok();
            let page = store.list(&Filter { cursor, limit, ..Filter::default() });
            let Page { items, next } = match page {
                Ok(page) => page,
                Err(error) => return self.fail(error.to_string()),
            };
            for listed in items {
                let (text, summary) = match store.find(&listed.id) {
                    Ok(Some(stored)) => (Ok(stored.record.into_bytes()), stored.summary),
                    // Records deleted in the meantime are skipped.
                    Ok(None) => continue,
                    // A damaged page loses only its own records.
                    Err(error @ StoreError::Corrupt(_)) => {
                        (Err(ApiError::from(error).into()), listed.summary)
                    }
                    Err(error) => return self.fail(error.to_string()),
                };
                self.reached.done += 1;
                self.reached.last = listed.id.to_string();
                self.items.push(Item {
                    file: self.reached.last.clone(),
                    line: 1,
                    many: false,
                    text,
                    kept: Some(summary),
                });
            }
            self.reached.cursor = next;
            self.flush()?;
            match next {
                Some(_) => cursor = next,
                None => return Ok(()),
            }
        }
    }

    fn path(&mut self, path: &Path, named: bool) -> Result<(), ReceiverGone> {
        if path.as_os_str() == "-" {
            return self.stream("standard input", &mut io::stdin().lock());
        }
        let name = path.display().to_string();
        if path.is_dir() {
            return self.directory(path, named);
        }
        // Read a named pipe or the like only if it was named explicitly.
        if !named && !path.is_file() {
            return Ok(());
        }
        match (kind(path).as_str(), named) {
            // Notes are one record, too.
            ("json", _) | ("txt", true) => {
                // Files that were already processed are not even opened.
                let before = self.reached.done < self.from.done;
                let text = match before {
                    true => Ok(Vec::new()),
                    false => std::fs::read(path).map(in_utf8).map_err(|error| cannot_read(&error)),
                };
                self.item(name, None, text)
            }
            ("parquet", true) => self.table(&name, path),
            ("ndjson" | "jsonl", _) | (_, true) => match File::open(path) {
                Ok(file) => self.stream(&name, &mut BufReader::with_capacity(1 << 16, file)),
                Err(error) => self.item(name, None, Err(cannot_read(&error))),
            },
            _ => Ok(()),
        }
    }

    fn directory(&mut self, path: &Path, named: bool) -> Result<(), ReceiverGone> {
        let before = self.reached.done;
        let entries = match entries(path) {
            Ok(entries) => entries,
            Err(error) => {
                return self.item(path.display().to_string(), None, Err(cannot_read(&error)));
            }
        };
        entries.iter().try_for_each(|entry| self.path(entry, false))?;
        if named && self.reached.done == before {
            let none = Problem::not_found("this directory contains no records".to_owned());
            return self.item(path.display().to_string(), None, Err(none));
        }
        Ok(())
    }

    /// One record per row; rows count as lines.
    fn table(&mut self, name: &str, path: &Path) -> Result<(), ReceiverGone> {
        let before = self.reached.done;
        let texts = match table::records(path) {
            Ok(texts) => texts,
            Err(why) => return self.item(name.to_owned(), None, Err(not_read(&why))),
        };
        for (row, text) in (1..).zip(texts) {
            match text {
                Ok(text) => self.item(name.to_owned(), Some(row), Ok(text))?,
                Err(why) => return self.item(name.to_owned(), None, Err(not_read(&why))),
            }
        }
        if self.reached.done == before {
            let none = Problem::not_found("the file contains no records".to_owned());
            return self.item(name.to_owned(), None, Err(none));
        }
        Ok(())
    }

    /// One record per line; or a single record, if the first line is only its beginning.
    fn stream(&mut self, name: &str, from: &mut dyn BufRead) -> Result<(), ReceiverGone> {
        let before = self.reached.done;
        self.lines(name, from)?;
        if self.reached.done == before {
            let none = Problem::not_found("the input contains no records".to_owned());
            return self.item(name.to_owned(), None, Err(none));
        }
        Ok(())
    }

    fn lines(&mut self, name: &str, from: &mut dyn BufRead) -> Result<(), ReceiverGone> {
        let mut first = Vec::new();
        let begun = from.take(LONGEST as u64).read_until(b'\n', &mut first);
        if let Err(error) = begun {
            return self.item(name.to_owned(), None, Err(cannot_read(&error)));
        }
        let whole = serde_json::from_slice::<serde::de::IgnoredAny>(&first);
        let begun = whole.is_err_and(|error| error.is_eof()) && !first.trim_ascii().is_empty();
        if begun || begins_notes(&first) {
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
        text: Result<Vec<u8>, Problem>,
    ) -> Result<(), ReceiverGone> {
        let many = line.is_some();
        let item = Item { file, line: line.unwrap_or(1), many, text, kept: None };
        self.reached.done += 1;
        if self.reached.done <= self.from.done {
            let name = item.name();
            if self.reached.done == self.from.done && name != self.from.last {
                let (at, before) = (self.reached.done, &self.from.last);
                return self
                    .fail(format!("record {at} is now {name}, but was {before} in the journal"));
            }
            return Ok(());
        }
        self.reached.last = item.name();
        self.bytes += item.text.as_ref().map_or(0, Vec::len);
        self.items.push(item);
        match self.items.len() >= BATCH_RECORDS || self.bytes >= BATCH_BYTES {
            true => self.flush(),
            false => Ok(()),
        }
    }

    fn flush(&mut self) -> Result<(), ReceiverGone> {
        self.bytes = 0;
        match std::mem::take(&mut self.items) {
            empty if empty.is_empty() => Ok(()),
            items => {
                let reached = self.reached.clone();
                self.sender.send(Ok(Batch { items, reached })).map_err(|_| ReceiverGone)
            }
        }
    }
}

fn cannot_read(error: &io::Error) -> Problem {
    not_read(error)
}

fn not_read(why: &dyn fmt::Display) -> Problem {
    Problem::not_found(format!("cannot read: {why}"))
}
