//! Recovers what a damaged store still contains.
//!
//! SQLite is used first, row by row; if it cannot read something, every page in use is read without
//! it. A record counts only if its text matches its id, so that nothing is made up. This module
//! must not change the damaged file, and must not compute an id: the caller says what matches.

use std::{
    collections::{BTreeMap, BTreeSet, HashSet},
    path::Path,
    time::Duration,
};

use rusqlite::{Connection, OpenFlags};

use super::super::body;
use super::super::row::NewRow;
use super::super::{
    NewRecord, NewVerdict, RecordId, StoreError, StoredTable, StoredVerdict, Summary,
};
use super::check::{Read, is_damage, read, read_verdicts};
use super::copy::Place;
use super::faults::plain;
use super::open::{cannot, connect, look, prepare};
use super::pages::{Cell, Pages};
use super::tables;
use super::verdicts::{self, VerdictRow};
use super::writer::{Clock, insert};

/// How long to wait for a program that has locked the file.
const LOCK_WAIT: Duration = Duration::from_secs(5);

/// How many records are read at once.
const AT_ONCE: usize = 256;

/// The maximum number of bytes read at once, unless one record has more.
const BYTES_AT_ONCE: usize = 16 << 20;

/// A record that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Its number in the order of arrival.
    pub number: i64,
    /// When it was stored, as in [`super::super::Stored`].
    pub created_at: i64,
    /// Its id, according to the row.
    pub id: RecordId,
    /// Its text.
    pub record: String,
    /// Its list entry, if that can be read.
    pub summary: Option<Summary>,
}

/// Something that was found, judging by its format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Whole {
    /// A record.
    Record(Found),
    /// A sheet of a settled dispute.
    Verdict(StoredVerdict),
    /// A live table.
    Table(StoredTable),
}

/// The result of recovering a damaged store.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Salvaged {
    /// Records that are intact.
    pub kept: u64,
    /// Sheets of settled disputes that are intact.
    pub verdicts: u64,
    /// Tables that are intact.
    pub tables: u64,
    /// Records and sheets that an index lists, or whose row was found, but that are not intact.
    pub lost: Vec<RecordId>,
    /// How many more an index counts, with unknown ids.
    pub lost_unnamed: u64,
    /// What could not be read, as plain text.
    pub troubles: Vec<String>,
}

/// Called with what was found; returns whether its text matches its id.
pub(super) type Keep<'a> = &'a mut dyn FnMut(Whole) -> Result<bool, StoreError>;

/// Searches for every record and every sheet in a damaged store. Blocks.
///
/// # Errors
/// [`StoreError::Unavailable`] if the file cannot be read at all; and errors of `keep`.
pub fn salvage(from: &Path, keep: Keep<'_>) -> Result<Salvaged, StoreError> {
    let mut search = Search::default();
    let asked = match look(from, LOCK_WAIT) {
        Ok((connection, _)) => search.ask(&connection, keep),
        Err(error @ (StoreError::Corrupt(_) | StoreError::Newer(_))) => {
            search.found.troubles.push(error.to_string());
            Ok(())
        }
        Err(error) => Err(error),
    };
    match asked {
        Err(StoreError::Corrupt(what)) => search.found.troubles.push(what),
        other => other?,
    }
    if !search.found.troubles.is_empty() {
        search.turn_pages(from, keep)?;
    }
    Ok(search.end())
}

#[derive(Default)]
struct Search {
    found: Salvaged,
    kept: HashSet<RecordId>,
    numbers: HashSet<i64>,
    /// Sheets that were kept.
    verdicts: HashSet<RecordId>,
    /// Sheets whose id is known.
    named_verdicts: HashSet<RecordId>,
    /// Known ids, and their numbers.
    named: BTreeMap<RecordId, i64>,
    /// Known numbers.
    counted: BTreeSet<i64>,
}

impl Search {
    fn take(&mut self, found: Found, keep: Keep<'_>) -> Result<(), StoreError> {
        let (id, number) = (found.id, found.number);
        self.named.insert(id, number);
        if self.kept.contains(&id) || self.numbers.contains(&number) || !keep(Whole::Record(found))?
        {
            return Ok(());
        }
        self.kept.insert(id);
        self.numbers.insert(number);
        self.found.kept += 1;
        Ok(())
    }

    fn take_verdict(&mut self, found: StoredVerdict, keep: Keep<'_>) -> Result<(), StoreError> {
        let id = found.id;
        if !self.verdicts.contains(&id) && keep(Whole::Verdict(found))? {
            self.verdicts.insert(id);
            self.found.verdicts += 1;
        }
        Ok(())
    }

    /// Reads the sheets that SQLite can read.
    fn ask_verdicts(&mut self, connection: &Connection, keep: Keep<'_>) -> Result<(), StoreError> {
        if !verdicts::has_table(connection).unwrap_or(false) {
            return Ok(());
        }
        let mut holes = Vec::new();
        let mut broken = Vec::new();
        let mut visit = |packed: verdicts::PackedVerdict| {
            let id = packed.id;
            match packed.unpack() {
                Ok(found) => self.take_verdict(found, &mut *keep)?,
                Err(error) => broken.push((id, error.to_string())),
            }
            Ok(())
        };
        let read = read_verdicts(connection, &mut holes, &mut visit);
        for (id, what) in broken {
            self.named_verdicts.insert(id);
            self.found.troubles.push(what);
        }
        let named = verdicts::names(connection).unwrap_or_default();
        self.named_verdicts.extend(named.into_iter().map(|(id, _)| id));
        self.found.troubles.extend(holes);
        read
    }

    /// Reads the records that SQLite can read.
    fn ask(&mut self, connection: &Connection, keep: Keep<'_>) -> Result<(), StoreError> {
        let mut last = i64::MIN;
        loop {
            let mut holes = Vec::new();
            let Read { packed, last: reached, ended } =
                read(connection, last, AT_ONCE, BYTES_AT_ONCE, &mut holes)?;
            for hole in holes {
                self.named.extend(hole.id.zip(hole.number));
                self.found.troubles.push(hole.what);
            }
            for packed in packed {
                let (id, number) = (packed.id(), packed.number);
                match packed.unpack() {
                    Ok(stored) => {
                        let found = Found {
                            number,
                            created_at: stored.created_at,
                            id,
                            record: stored.record,
                            summary: Some(stored.summary),
                        };
                        self.take(found, keep)?;
                    }
                    Err(error) => {
                        self.named.insert(id, number);
                        self.found.troubles.push(error.to_string());
                    }
                }
            }
            last = reached;
            if ended {
                break;
            }
        }
        self.ask_names(connection);
        self.ask_verdicts(connection, keep)?;
        self.ask_tables(connection, keep)
    }

    /// Reads the tables as far as they can be read; whatever comes after an unreadable page is
    /// lost.
    fn ask_tables(&mut self, connection: &Connection, keep: Keep<'_>) -> Result<(), StoreError> {
        let mut last = i64::MIN;
        while tables::has_tables(connection).unwrap_or(false) {
            match tables::after(connection, last) {
                Ok(Some((number, table))) => {
                    last = number;
                    self.found.tables += u64::from(keep(Whole::Table(table))?);
                }
                Ok(None) => break,
                Err(error) => {
                    let what = format!("a page of tables cannot be read: {}", plain(error));
                    self.found.troubles.push(what);
                    break;
                }
            }
        }
        Ok(())
    }

    /// Reads the index of ids, from both ends as far as possible.
    fn ask_names(&mut self, connection: &Connection) {
        for order in ["ASC", "DESC"] {
            let text = format!("SELECT id, number FROM record ORDER BY id {order}");
            let asked = connection.prepare(&text).and_then(|mut statement| {
                let mut rows = statement.query(())?;
                while let Some(row) = rows.next()? {
                    self.named.insert(RecordId::from_bytes(row.get(0)?), row.get(1)?);
                }
                Ok(())
            });
            match asked {
                Ok(()) => return,
                Err(error) if is_damage(&error) => {
                    self.found.troubles.push(format!("the index of ids: {}", plain(error)));
                }
                Err(error) => self.found.troubles.push(plain(error).to_string()),
            }
        }
    }

    /// Reads every page in use.
    fn turn_pages(&mut self, from: &Path, keep: Keep<'_>) -> Result<(), StoreError> {
        let mut pages = Pages::open(from).map_err(|error| cannot("read", from, &error))?;
        if !pages.free_known {
            let what = "the list of free pages cannot be read: deleted records may reappear";
            self.found.troubles.push(what.to_owned());
        }
        let mut result = Ok(());
        pages.each(&mut |cell| match cell {
            Cell::Name(id, number) => drop(self.named.entry(id).or_insert(number)),
            Cell::Number(number) => drop(self.counted.insert(number)),
            Cell::Row(row) if result.is_ok() => {
                self.named.entry(row.id).or_insert(row.number);
                if let Ok(record) = body::unpack(&row.packed, row.length) {
                    let (number, created_at, id) = (row.number, row.created_at, row.id);
                    let found = Found { number, created_at, id, record, summary: None };
                    result = self.take(found, keep);
                }
            }
            Cell::Verdict(found) if result.is_ok() => {
                self.named_verdicts.insert(found.id);
                result = self.take_verdict(found, keep);
            }
            Cell::Row(_) | Cell::Verdict(_) => {}
        });
        result
    }

    fn end(mut self) -> Salvaged {
        // Pages do not tell whether an index of ids is that of the records.
        let verdicts = &self.named_verdicts | &self.verdicts;
        self.named.retain(|id, _| !verdicts.contains(id));
        let lost = self.named.keys().filter(|id| !self.kept.contains(id));
        let lost = lost.chain(verdicts.iter().filter(|id| !self.verdicts.contains(id)));
        self.found.lost = lost.copied().collect();
        self.found.lost.sort_unstable();
        let named: HashSet<i64> = self.named.values().copied().collect();
        let unnamed = self.counted.iter().filter(|number| !named.contains(number));
        self.found.lost_unnamed = unnamed.filter(|it| !self.numbers.contains(it)).count() as u64;
        self.found
    }
}

/// A new store that is filled with records under their old numbers and times. Its file gets its
/// name only in [`Rebuilt::settle`].
pub struct Rebuilt {
    place: Place,
    connection: Connection,
}

impl Rebuilt {
    /// A new store, rebuilt from that file.
    ///
    /// # Errors
    /// A [`StoreError`] if there is no place for it; as for [`super::backup`].
    pub fn new(from: &Path, to: &Path, replace: bool) -> Result<Self, StoreError> {
        let place = Place::of(from, to, replace)?;
        let mut connection =
            connect(&place.draft, OpenFlags::SQLITE_OPEN_READ_WRITE, LOCK_WAIT).map_err(plain)?;
        prepare(&mut connection)?;
        // Synced once, at the end.
        connection.pragma_update(None, "journal_mode", "MEMORY").map_err(plain)?;
        connection.pragma_update(None, "synchronous", "OFF").map_err(plain)?;
        connection.execute_batch("BEGIN").map_err(plain)?;
        Ok(Self { place, connection })
    }

    /// Adds a record, with its old number and time.
    ///
    /// # Errors
    /// A [`StoreError`] if it cannot be written.
    pub fn take(
        &mut self,
        record: NewRecord,
        number: i64,
        created_at: i64,
    ) -> Result<(), StoreError> {
        let row = NewRow::pack(record)?;
        let mut clock = Clock { now: created_at, stepped_back: false };
        insert(&self.connection, &row, Some(number), &mut clock).map(drop).map_err(plain)
    }

    /// Adds a sheet, with its old time.
    ///
    /// # Errors
    /// A [`StoreError`] if it cannot be written.
    pub fn take_verdict(&mut self, found: StoredVerdict) -> Result<(), StoreError> {
        let StoredVerdict { id, created_at, sheet, signature } = found;
        let row = VerdictRow::pack(NewVerdict { id, sheet, signature })?;
        verdicts::insert(&self.connection, &row, created_at).map(drop).map_err(plain)
    }

    /// Adds a table with its steps, with their old times.
    ///
    /// # Errors
    /// A [`StoreError`] if it cannot be written.
    pub fn take_table(&mut self, found: &StoredTable) -> Result<(), StoreError> {
        tables::restore(&self.connection, None, found).map_err(plain)
    }

    /// Syncs the store and renames its file.
    ///
    /// # Errors
    /// A [`StoreError`] if it cannot be written.
    pub fn settle(self) -> Result<(), StoreError> {
        let Self { place, connection } = self;
        let steps = "INSERT INTO clock_step SELECT number FROM \
             (SELECT number, created_at, lag(created_at) OVER (ORDER BY number) AS before FROM record) \
             WHERE created_at < before";
        connection.execute(steps, ()).map_err(plain)?;
        connection.execute_batch("COMMIT").map_err(plain)?;
        connection.close().map_err(|(_, error)| plain(error))?;
        place.settle()
    }
}
