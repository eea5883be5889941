//! The store in an SQLite file.
//!
//! One thread writes (`writer`), a few connections read (`readers`), and thanks to the write-ahead
//! log they never wait for each other. Queries are built in `query`, and texts are compressed in
//! `store/body.rs`.
//!
//! This module must not put a value into the text of a statement: values are bound.

use std::{ops::ControlFlow, path::Path};

use rusqlite::{Connection, OpenFlags, OptionalExtension, params_from_iter};

pub(super) use self::end::FileEnd;
pub use self::{
    check::{Checked, Damage, Judge, Judges, check},
    copy::{Copied, backup, restore},
    jobs::SqliteJobs,
    salvage::{Found, Rebuilt, Salvaged, Whole, salvage},
    settings::Settings,
};
use self::{
    faults::plain,
    on_disk::OnDisk,
    open::{cannot, connect, create_if_missing, name_the_file, prepare},
    query::Query,
    readers::Readers,
    verdicts::VerdictRow,
    writer::{Work, Writer},
};
use super::passed::Passed;
use super::queue::{self, closed};
use super::row::NewRow;
use super::select::{self, Bounds};
use super::{
    Cursor, DEFAULT_PAGE, Filter, Inserted, KeptTable, KeptVerdict, Listed, MAX_PAGE, NewRecord,
    NewVerdict, Page, RecordId, Store, StoreError, StoreFuture, Stored, StoredTable, StoredVerdict,
    TableId,
};

mod check;
mod copy;
mod damaged;
mod end;
mod faults;
mod jobs;
mod on_disk;
mod open;
mod pages;
mod query;
mod readers;
mod salvage;
mod settings;
mod tables;
#[cfg(test)]
mod tests;
mod verdicts;
mod writer;

/// How many numbers [`Store::each`] reads at a time.
const NUMBERS_AT_A_TIME: u32 = 256;

/// A store in an SQLite file. Dropping it closes it.
///
/// Writes must be awaited within a Tokio runtime that has a timer.
pub struct SqliteStore {
    writer: Writer,
    readers: Readers,
    damaged: Passed,
}

impl SqliteStore {
    /// Opens or creates the file, with the default settings. Blocks.
    ///
    /// # Errors
    ///
    /// As for [`SqliteStore::open_with`].
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        Self::open_with(path, Settings::default())
    }

    /// Opens the file, or creates it with its directories, readable only by its owner. Migrates an
    /// older file to the current schema. Blocks.
    ///
    /// # Errors
    ///
    /// A plain message with the path that says why the file cannot be used: it cannot be created,
    /// is locked, belongs to another program, or is newer than this program.
    pub fn open_with(path: &Path, settings: Settings) -> Result<Self, StoreError> {
        // SQLite interprets some relative names, such as `:memory:` or `file:x?mode=ro`.
        let path = &std::path::absolute(path).map_err(|error| cannot("find", path, &error))?;
        let in_words = |error| name_the_file(path, error);
        create_if_missing(path)?;
        let mut connection = connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE, settings.lock_wait)
            .map_err(plain)
            .map_err(in_words)?;
        prepare(&mut connection).map_err(in_words)?;
        let mut connections = Vec::new();
        for _ in 0..settings.readers.max(1) {
            let reader = connect(path, OpenFlags::SQLITE_OPEN_READ_ONLY, settings.lock_wait)
                .map_err(plain)
                .map_err(in_words)?;
            connections.push(reader);
        }
        let place = OnDisk::of(path).map_err(|error| cannot("find again", path, &error))?;
        let writer = Writer::start(connection, place, settings)
            .map_err(|error| cannot("start a thread for", path, &error))?;
        let readers = Readers::new(connections, settings.busy_after);
        Ok(Self { writer, readers, damaged: Passed::default() })
    }
}

impl SqliteStore {
    /// Continues a list until the page is full or nothing is left; `bounds` shrinks accordingly.
    fn page(
        &self,
        connection: &Connection,
        filter: &Filter,
        bounds: &mut Bounds,
        limit: u32,
        items: &mut Vec<Listed>,
    ) -> Result<Option<Cursor>, StoreError> {
        loop {
            // One more than requested, to know whether there is a next page.
            let asked = limit + 1 - items.len() as u32;
            let query = Query::listed(filter, *bounds, asked);
            let mut statement = connection.prepare_cached(&query.text).map_err(plain)?;
            let mut rows = statement.query(params_from_iter(query.values)).map_err(plain)?;
            let mut seen = 0;
            while let Some(row) = rows.next().map_err(plain)? {
                if items.len() == limit as usize {
                    return Ok(Some(Cursor(bounds.before.cast_unsigned())));
                }
                seen += 1;
                bounds.before = row.get(0).map_err(plain)?;
                match query::listed(row) {
                    Ok((_, listed)) => items.push(listed),
                    Err(why) => self.damaged.pass(bounds.before, &why),
                }
            }
            if seen < asked {
                return Ok(None);
            }
        }
    }

    /// The numbers of the next few matching records, at least one unless nothing is left; `bounds`
    /// shrinks accordingly.
    fn numbers(
        &self,
        connection: &Connection,
        filter: &Filter,
        bounds: &mut Bounds,
        limit: u32,
    ) -> Result<Vec<i64>, StoreError> {
        let mut numbers = Vec::new();
        loop {
            let query = Query::numbers(filter, *bounds, limit);
            let mut statement = connection.prepare_cached(&query.text).map_err(plain)?;
            let mut rows = statement.query(params_from_iter(query.values)).map_err(plain)?;
            let read = (|| {
                while let Some(row) = rows.next().map_err(plain)? {
                    bounds.before = row.get(0).map_err(plain)?;
                    numbers.push(bounds.before);
                }
                Ok(())
            })();
            match read {
                Err(why) if numbers.is_empty() => {
                    match self.damaged.go_on(connection, filter, *bounds, why)? {
                        Some(before) => bounds.before = before,
                        None => return Ok(numbers),
                    }
                }
                // Return what was read; the next call meets the damage again.
                _ => return Ok(numbers),
            }
        }
    }
}

impl Store for SqliteStore {
    fn insert(&self, records: Vec<NewRecord>) -> StoreFuture<Vec<Inserted>> {
        let rows: Result<Vec<NewRow>, StoreError> = records.into_iter().map(NewRow::pack).collect();
        match rows {
            Ok(rows) => queue::each(self.writer.submit(Work::Insert(rows))),
            Err(error) => Box::pin(async { Err(error) }),
        }
    }

    fn delete(&self, id: &RecordId) -> StoreFuture<bool> {
        queue::any(self.writer.submit(Work::Delete(*id)))
    }

    fn find(&self, id: &RecordId) -> Result<Option<Stored>, StoreError> {
        self.readers.with(|connection| find_one(connection, query::BY_ID, (id.as_bytes(),)))
    }

    fn list(&self, filter: &Filter) -> Result<Page, StoreError> {
        let limit = filter.limit.unwrap_or(DEFAULT_PAGE).clamp(1, MAX_PAGE);
        self.readers.with(|connection| {
            let mut items = Vec::new();
            let Some(mut bounds) = bounds(connection, filter)? else {
                return Ok(Page { items, next: None });
            };
            loop {
                match self.page(connection, filter, &mut bounds, limit, &mut items) {
                    Ok(next) => return Ok(Page { items, next }),
                    Err(error) => match self.damaged.go_on(connection, filter, bounds, error)? {
                        Some(before) => bounds.before = before,
                        None => return Ok(Page { items, next: None }),
                    },
                }
            }
        })
    }

    fn front(&self) -> Result<Cursor, StoreError> {
        self.readers.with(|connection| {
            let front = connection.query_row(select::FRONT, (), |row| row.get::<_, i64>(0));
            Ok(Cursor(front.map_err(plain)?.cast_unsigned()))
        })
    }

    fn count(&self, filter: &Filter) -> Result<u64, StoreError> {
        self.readers.with(|connection| {
            let Some(mut bounds) = bounds(connection, filter)? else { return Ok(0) };
            let query = Query::counted(filter, bounds);
            let mut statement = connection.prepare_cached(&query.text).map_err(plain)?;
            let counted = statement
                .query_row(params_from_iter(query.values), |row| row.get::<_, i64>(0))
                .map_err(plain);
            if !matches!(counted, Err(StoreError::Corrupt(_))) {
                return Ok(counted?.cast_unsigned());
            }
            // If a page is damaged, count what can be read.
            let mut count = 0;
            loop {
                let numbers = self.numbers(connection, filter, &mut bounds, NUMBERS_AT_A_TIME)?;
                count += numbers.len() as u64;
                if numbers.is_empty() {
                    return Ok(count);
                }
            }
        })
    }

    fn each(
        &self,
        filter: &Filter,
        visit: &mut dyn FnMut(Stored) -> ControlFlow<()>,
    ) -> Result<(), StoreError> {
        let Some(mut bounds) = self.readers.with(|connection| bounds(connection, filter))? else {
            return Ok(());
        };
        let mut left = filter.limit.unwrap_or(u32::MAX);
        while left > 0 {
            let asked = left.min(NUMBERS_AT_A_TIME);
            let numbers = self
                .readers
                .with(|connection| self.numbers(connection, filter, &mut bounds, asked))?;
            if numbers.is_empty() {
                return Ok(());
            }
            for &number in &numbers {
                // The connection is given back before the visitor works: a slow visitor must not
                // hold a connection, nor an open read that keeps the log from shrinking.
                let found = self
                    .readers
                    .with(|connection| find_one(connection, query::BY_NUMBER, (number,)));
                match found {
                    Ok(Some(stored)) => {
                        if visit(stored).is_break() {
                            return Ok(());
                        }
                    }
                    Ok(None) => {}
                    Err(why @ StoreError::Corrupt(_)) => self.damaged.pass(number, &why),
                    Err(error) => return Err(error),
                }
            }
            left -= numbers.len() as u32;
        }
        Ok(())
    }

    fn insert_verdict(&self, verdict: NewVerdict) -> StoreFuture<Inserted> {
        match VerdictRow::pack(verdict) {
            Ok(row) => queue::one(self.writer.submit(Work::InsertVerdict(Box::new(row)))),
            Err(error) => Box::pin(async { Err(error) }),
        }
    }

    fn delete_verdict(&self, id: &RecordId) -> StoreFuture<bool> {
        queue::any(self.writer.submit(Work::DeleteVerdict(*id)))
    }

    fn find_verdict(&self, id: &RecordId) -> Result<Option<StoredVerdict>, StoreError> {
        self.readers.with(|connection| verdicts::find(connection, id))
    }

    fn insert_table(&self, id: TableId, head: String) -> StoreFuture<Inserted> {
        queue::one(self.writer.submit(Work::InsertTable(id, head)))
    }

    fn append_step(&self, id: TableId, number: u32, step: String) -> StoreFuture<bool> {
        queue::any(self.writer.submit(Work::AppendStep(id, number, step)))
    }

    fn delete_table(&self, id: TableId) -> StoreFuture<bool> {
        queue::any(self.writer.submit(Work::DeleteTable(id)))
    }

    fn find_table(&self, id: TableId) -> Result<Option<StoredTable>, StoreError> {
        self.readers.with(|connection| tables::find(connection, id))
    }

    fn kept_tables(&self, before: i64, most: u32) -> Result<Vec<(i64, KeptTable)>, StoreError> {
        self.readers.with(|connection| tables::before(connection, before, most).map_err(plain))
    }

    fn kept_verdicts(&self, before: i64, most: u32) -> Result<Vec<(i64, KeptVerdict)>, StoreError> {
        let packed = self
            .readers
            .with(|connection| verdicts::before(connection, before, most).map_err(plain))?;
        Ok(packed.into_iter().map(|it| (it.number, it.kept())).collect())
    }

    fn damaged(&self) -> u64 {
        self.damaged.count()
    }

    fn ready(&self) -> StoreFuture<()> {
        if !self.writer.is_running() {
            return Box::pin(async { Err(closed()) });
        }
        let written = self.writer.submit(Work::Nothing);
        Box::pin(async { written.await.map(drop) })
    }

    fn close(&self) -> Result<(), StoreError> {
        self.writer.close()
    }
}

impl Drop for SqliteStore {
    fn drop(&mut self) {
        // Nobody is left to report to; acknowledged writes are in the log.
        let _ = self.writer.close();
    }
}

/// The range of the order of arrival that the filter's times and cursor allow.
fn bounds(connection: &Connection, filter: &Filter) -> Result<Option<Bounds>, StoreError> {
    let stepped = || {
        let statement = connection.prepare_cached(query::CLOCK_STEPS);
        statement.and_then(|mut statement| statement.exists(())).map_err(plain)
    };
    Bounds::of(filter, stepped, |time| {
        let mut statement = connection.prepare_cached(query::FIRST_SINCE).map_err(plain)?;
        statement.query_row((time,), |row| row.get(0)).optional().map_err(plain)
    })
}

/// The single record that a query finds.
fn find_one(
    connection: &Connection,
    statement: &str,
    key: impl rusqlite::Params,
) -> Result<Option<Stored>, StoreError> {
    let mut statement = connection.prepare_cached(statement).map_err(plain)?;
    let mut rows = statement.query(key).map_err(plain)?;
    match rows.next().map_err(plain)? {
        Some(row) => query::stored(row).map(Some),
        None => Ok(None),
    }
}
