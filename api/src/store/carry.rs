//! Copying a whole store to another one of any kind.
//!
//! Everything keeps its number, and so its place in lists, and its time. What was written is read
//! back and compared with the original; an interrupted copy is resumed. This module must not
//! contain SQL, and must not write to a store with contents from elsewhere.

use rayon::prelude::*;
use serde::Serialize;

use super::StoreError;
use super::place::Place;
use super::sqlite::{FileEnd, Judges};
use super::whole::{Item, Kept, Kind, Part, Whole};

/// The maximum number of damaged items that are described; all are counted.
const MOST_TOLD: usize = 1_000;

/// The number of items of a kind that were copied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Count {
    /// Items that were written.
    pub written: u64,
    /// Items that already existed and are the same.
    pub there: u64,
}

/// The result of a copy.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Carried {
    /// Records.
    pub records: Count,
    /// Stored verdicts.
    pub verdicts: Count,
    /// Tables, each with all its steps.
    pub tables: Count,
    /// How many items could not be read, or do not match their ids. They were left out.
    pub lost: u64,
    /// What is wrong with them, as plain text; the first 1,000 only.
    pub shown: Vec<String>,
}

impl Carried {
    fn count(&mut self, kind: Kind) -> &mut Count {
        match kind {
            Kind::Record => &mut self.records,
            Kind::Verdict => &mut self.verdicts,
            Kind::Table => &mut self.tables,
        }
    }

    fn lose(&mut self, what: String) {
        self.lost += 1;
        if self.shown.len() < MOST_TOLD {
            self.shown.push(what);
        }
    }
}

/// Copies everything in a store to another one, which is created if it does not exist. Blocks.
/// `tell` is called with the number of items processed, and their total.
///
/// Existing items in the destination must all come from the source: a second run resumes an
/// interrupted one. Damaged items of the source are left out and reported.
///
/// # Errors
/// A [`StoreError`] in plain words, with the name of the store: one cannot be read or written, a
/// server is writing to it, the destination contains something else, or what was read back differs
/// from what was written. Whatever was written until then stays.
pub fn copy(
    from: &Place,
    to: &Place,
    judges: Judges<'_>,
    tell: &mut dyn FnMut(u64, u64),
) -> Result<Carried, StoreError> {
    if from == to {
        let why = format!("{to}: the destination is the store to copy");
        return Err(StoreError::Unavailable(why));
    }
    let mut here = source(from)?;
    let mut there = target(from, to)?;
    let named = |place: &Place, error| named(place, error);
    let mut all = 0;
    for kind in Kind::ALL {
        all += here.count(kind).map_err(|error| named(from, error))?;
    }
    let mut copy = Copy { from, to, judges, carried: Carried::default(), done: 0, all, tell };
    let mut known = Vec::new();
    // Check everything that already exists before writing anything.
    for kind in Kind::ALL {
        known.push(copy.compare(&mut *here, &mut *there, kind)?);
    }
    for (kind, known) in Kind::ALL.into_iter().zip(known) {
        copy.carry(&mut *here, &mut *there, kind, &known)?;
    }
    let carried = copy.carried;
    there.close().map_err(|error| named(to, error))?;
    Ok(carried)
}

fn source(place: &Place) -> Result<Box<dyn Whole>, StoreError> {
    match place {
        Place::File(path) => Ok(Box::new(FileEnd::source(path)?)),
        #[cfg(feature = "postgres")]
        Place::Postgres(address) => {
            let end = super::postgres::DatabaseEnd::source(address);
            Ok(Box::new(end.map_err(|error| named(place, error))?))
        }
        #[cfg(not(feature = "postgres"))]
        Place::Postgres(_) => Err(place.closed()),
        Place::Unknown(_) => Err(place.closed()),
    }
}

fn target(from: &Place, place: &Place) -> Result<Box<dyn Whole>, StoreError> {
    match place {
        Place::File(path) => Ok(Box::new(FileEnd::target(from.file(), path)?)),
        #[cfg(feature = "postgres")]
        Place::Postgres(address) => {
            let end = super::postgres::DatabaseEnd::target(address);
            Ok(Box::new(end.map_err(|error| named(place, error))?))
        }
        #[cfg(not(feature = "postgres"))]
        Place::Postgres(_) => Err(place.closed()),
        Place::Unknown(_) => Err(place.closed()),
    }
}

/// The same error, with the name of the store.
fn named(place: &Place, error: StoreError) -> StoreError {
    match error {
        StoreError::Busy => {
            StoreError::Unavailable(format!("{place}: another program is using it"))
        }
        StoreError::Unavailable(why) => StoreError::Unavailable(format!("{place}: {why}")),
        StoreError::Corrupt(what) => StoreError::Corrupt(format!("{place}: {what}")),
        StoreError::Newer(what) => StoreError::Newer(format!("{place}: {what}")),
        StoreError::Rejected(why) => StoreError::Unavailable(format!("{place}: {why}")),
        StoreError::Cursor => StoreError::Cursor,
    }
}

/// Consecutive numbers in the source, from the first to the last.
type Run = (i64, i64);

struct Copy<'a> {
    from: &'a Place,
    to: &'a Place,
    judges: Judges<'a>,
    carried: Carried,
    done: u64,
    all: u64,
    tell: &'a mut dyn FnMut(u64, u64),
}

impl Copy<'_> {
    /// The next items to copy; an item that does not match its id counts as damaged.
    fn read(&self, here: &mut dyn Whole, kind: Kind, last: i64) -> Result<Part, StoreError> {
        let mut part = here.after(kind, last).map_err(|error| named(self.from, error))?;
        let judges = self.judges;
        let judged = part.items.into_par_iter().map(|Item { number, kept }| {
            let kept = kept.and_then(|kept| {
                let judged = match &kept {
                    Kept::Record(it) => (judges.record)(it),
                    Kept::Verdict(it) => (judges.verdict)(it),
                    Kept::Table(it) => (judges.table)(it),
                };
                judged.map_err(|why| format!("{} {}: {why}", kind.name(), kept.id()))?;
                Ok(kept)
            });
            Item { number, kept }
        });
        part.items = judged.collect();
        Ok(part)
    }

    /// The error for an item that must not be there.
    fn foreign(&self, kind: Kind, item: &Item) -> StoreError {
        let what = match &item.kept {
            Ok(kept) => format!("{} {}", kind.name(), kept.id()),
            Err(what) => what.clone(),
        };
        StoreError::Unavailable(format!(
            "{}: it contains items that are not from {}: {what}. Nothing was written; copy into \
             an empty store",
            self.to, self.from
        ))
    }

    /// Compares the existing items with those to copy, and returns the numbers of the equal ones.
    fn compare(
        &mut self,
        here: &mut dyn Whole,
        there: &mut dyn Whole,
        kind: Kind,
    ) -> Result<Vec<Run>, StoreError> {
        let mut runs = Runs::default();
        let mut last = i64::MIN;
        loop {
            let theirs = there.after(kind, last).map_err(|error| named(self.to, error))?;
            let broken = theirs.items.iter().find_map(|item| item.kept.as_ref().err());
            if let Some(what) = theirs.holes.first().or(broken) {
                let what = format!("{what}. Nothing was written; copy into an empty store");
                return Err(named(self.to, StoreError::Corrupt(what)));
            }
            if theirs.items.is_empty() {
                return Ok(runs.end());
            }
            let ours = self.read(here, kind, last)?;
            let end = |part: &Part| if part.ended { i64::MAX } else { part.last };
            let up_to = end(&theirs).min(end(&ours));
            // An unreadable item of the source could be anything.
            let known = ours.holes.is_empty();
            let mut theirs = theirs.items.iter().filter(|it| it.number <= up_to).peekable();
            for item in ours.items.iter().filter(|it| it.number <= up_to) {
                while let Some(other) = theirs.next_if(|it| it.number < item.number) {
                    if known {
                        return Err(self.foreign(kind, other));
                    }
                }
                match (theirs.next_if(|it| it.number == item.number), &item.kept) {
                    (Some(other), Ok(_)) if other.kept == item.kept => {
                        runs.add(item.number);
                        self.carried.count(kind).there += 1;
                        self.done += 1;
                    }
                    (Some(other), Ok(_)) => return Err(self.foreign(kind, other)),
                    _ => runs.part(),
                }
            }
            if let Some(other) = theirs.next().filter(|_| known) {
                return Err(self.foreign(kind, other));
            }
            (self.tell)(self.done, self.all);
            if up_to == i64::MAX {
                return Ok(runs.end());
            }
            last = up_to;
        }
    }

    /// Copies the missing items.
    fn carry(
        &mut self,
        here: &mut dyn Whole,
        there: &mut dyn Whole,
        kind: Kind,
        known: &[Run],
    ) -> Result<(), StoreError> {
        let mut last = i64::MIN;
        let mut known = known.iter().peekable();
        loop {
            let part = self.read(here, kind, last)?;
            part.holes.into_iter().for_each(|what| self.carried.lose(what));
            let mut missing = Vec::new();
            for Item { number, kept } in part.items {
                while known.next_if(|(_, end)| *end < number).is_some() {}
                if known.peek().is_some_and(|(begin, _)| *begin <= number) {
                    continue;
                }
                self.done += 1;
                match kept {
                    Ok(kept) => missing.push((number, kept)),
                    Err(what) => self.carried.lose(what),
                }
            }
            if !missing.is_empty() {
                there.write(&missing).map_err(|error| named(self.to, error))?;
                self.verify(there, kind, &missing)?;
                self.carried.count(kind).written += missing.len() as u64;
            }
            (self.tell)(self.done, self.all);
            if part.ended {
                return Ok(());
            }
            // Items that were compared are not read again.
            let over = known.peek().filter(|(begin, _)| *begin <= part.last);
            last = over.map_or(part.last, |(_, end)| part.last.max(*end));
        }
    }

    /// Reads back what was written.
    fn verify(
        &self,
        there: &mut dyn Whole,
        kind: Kind,
        written: &[(i64, Kept)],
    ) -> Result<(), StoreError> {
        let mut written = written.iter().peekable();
        let mut last = written.peek().map_or(0, |(first, _)| first.saturating_sub(1));
        while let Some((_, kept)) = written.peek() {
            let other = || {
                let what = format!("{} {} differs from what was written", kind.name(), kept.id());
                named(self.to, StoreError::Corrupt(what))
            };
            let part = there.after(kind, last).map_err(|error| named(self.to, error))?;
            for item in &part.items {
                let Some((number, kept)) = written.peek() else { return Ok(()) };
                match (item.number.cmp(number), &item.kept) {
                    (std::cmp::Ordering::Less, _) => {}
                    (std::cmp::Ordering::Equal, Ok(found)) if found == kept => {
                        written.next();
                    }
                    _ => return Err(other()),
                }
            }
            if part.ended && written.peek().is_some() {
                return Err(other());
            }
            last = part.last;
        }
        Ok(())
    }
}

/// A set of ascending numbers, as runs.
#[derive(Default)]
struct Runs {
    all: Vec<Run>,
    open: Option<Run>,
}

impl Runs {
    /// Adds the next number.
    fn add(&mut self, number: i64) {
        self.open = Some((self.open.map_or(number, |(begin, _)| begin), number));
    }

    /// Ends the current run.
    fn part(&mut self) {
        self.all.extend(self.open.take());
    }

    fn end(mut self) -> Vec<Run> {
        self.part();
        self.all
    }
}
