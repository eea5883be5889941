//! The store in one SQLite file.
//!
//! One thread writes (`writer`), a few connections read (`readers`), and thanks to the
//! write-ahead log neither waits for the other. Statements are put together in `query`, and
//! texts are packed in `body`.
//!
//! This module must not put a value into the text of a statement: values are bound.

use std::{
    fs,
    io::{self, ErrorKind},
    ops::ControlFlow,
    path::Path,
    time::Duration,
};

use rusqlite::{Connection, OpenFlags, OptionalExtension, params_from_iter};
use rusqlite_migration::{M, Migrations, SchemaVersion};

pub use self::settings::Settings;
use self::{
    faults::{closed, plain},
    on_disk::OnDisk,
    query::{Bounds, Query},
    readers::Readers,
    writer::{NewRow, Work, Writer},
};
use super::{
    Cursor, DEFAULT_PAGE, Filter, Inserted, MAX_PAGE, NewRecord, Page, RecordId, Store, StoreError,
    StoreFuture, Stored,
};

mod body;
mod faults;
mod on_disk;
mod query;
mod readers;
mod settings;
#[cfg(test)]
mod tests;
mod writer;

/// The steps from an empty file to the present form, in order. **Never edit one that was released:**
/// add the next.
const MIGRATIONS: &[M<'static>] = &[
    M::up(include_str!("../migrations/001-records.sql")),
    M::up(include_str!("../migrations/002-clock.sql")),
];

/// Tells our files from those of other programs: "UMPR".
const APPLICATION_ID: i64 = 0x554d_5052;

/// How many numbers [`Store::each`] reads at a time.
const NUMBERS_AT_A_TIME: u32 = 256;

/// A store in one SQLite file. Dropping it closes it.
///
/// What writes must be awaited within a Tokio runtime that has a timer.
pub struct SqliteStore {
    writer: Writer,
    readers: Readers,
}

impl SqliteStore {
    /// Opens the file, or makes it, with the default settings. Blocks.
    ///
    /// # Errors
    ///
    /// As for [`SqliteStore::open_with`].
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        Self::open_with(path, Settings::default())
    }

    /// Opens the file, or makes it and the directories it lies in, readable by its owner only.
    /// Brings an older file to the present form. Blocks.
    ///
    /// # Errors
    ///
    /// Says in plain words, with the path, why the file cannot be used: it cannot be made, it is
    /// locked, it is not ours, or it is newer than this program.
    pub fn open_with(path: &Path, settings: Settings) -> Result<Self, StoreError> {
        // SQLite reads meaning into some relative names, such as `:memory:` or `file:x?mode=ro`.
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
        Ok(Self { writer, readers: Readers::new(connections, settings.busy_after) })
    }
}

impl Store for SqliteStore {
    fn insert(&self, records: Vec<NewRecord>) -> StoreFuture<Vec<Inserted>> {
        let rows: Result<Vec<NewRow>, StoreError> = records.iter().map(NewRow::pack).collect();
        let changed = match rows {
            Ok(rows) => self.writer.submit(Work::Insert(rows)),
            Err(error) => return Box::pin(async { Err(error) }),
        };
        Box::pin(async {
            let changed = changed.await?;
            Ok(changed
                .into_iter()
                .map(|new| if new { Inserted::New } else { Inserted::Existing })
                .collect())
        })
    }

    fn delete(&self, id: &RecordId) -> StoreFuture<bool> {
        let changed = self.writer.submit(Work::Delete(*id));
        Box::pin(async { Ok(changed.await?.contains(&true)) })
    }

    fn find(&self, id: &RecordId) -> Result<Option<Stored>, StoreError> {
        self.readers.with(|connection| find_one(connection, query::BY_ID, (id.as_bytes(),)))
    }

    fn list(&self, filter: &Filter) -> Result<Page, StoreError> {
        let limit = filter.limit.unwrap_or(DEFAULT_PAGE).clamp(1, MAX_PAGE);
        self.readers.with(|connection| {
            let Some(bounds) = bounds(connection, filter)? else {
                return Ok(Page { items: Vec::new(), next: None });
            };
            // One more than asked for tells whether there is a next page.
            let query = Query::listed(filter, bounds, limit + 1);
            let mut statement = connection.prepare_cached(&query.text).map_err(plain)?;
            let mut rows = statement.query(params_from_iter(query.values)).map_err(plain)?;
            let mut items = Vec::new();
            let mut last = 0;
            while let Some(row) = rows.next().map_err(plain)? {
                if items.len() == limit as usize {
                    return Ok(Page { items, next: Some(Cursor(last)) });
                }
                let (number, listed) = query::listed(row)?;
                items.push(listed);
                last = number.cast_unsigned();
            }
            Ok(Page { items, next: None })
        })
    }

    fn count(&self, filter: &Filter) -> Result<u64, StoreError> {
        self.readers.with(|connection| {
            let Some(bounds) = bounds(connection, filter)? else { return Ok(0) };
            let query = Query::counted(filter, bounds);
            let mut statement = connection.prepare_cached(&query.text).map_err(plain)?;
            let count: i64 = statement
                .query_row(params_from_iter(query.values), |row| row.get(0))
                .map_err(plain)?;
            Ok(count.cast_unsigned())
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
            let numbers =
                self.readers.with(|connection| numbers(connection, filter, bounds, asked))?;
            for &number in &numbers {
                // The connection goes back before the visitor works, so that a slow one holds
                // neither the connection nor, by an open read, the end of the log.
                let found = self
                    .readers
                    .with(|connection| find_one(connection, query::BY_NUMBER, (number,)))?;
                if let Some(stored) = found
                    && visit(stored).is_break()
                {
                    return Ok(());
                }
            }
            match numbers.last() {
                Some(&last) if numbers.len() == asked as usize => bounds.before = last,
                _ => return Ok(()),
            }
            left -= asked;
        }
        Ok(())
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
        // Nobody is left to be told; what was acknowledged is in the log.
        let _ = self.writer.close();
    }
}

/// The bounds that the filter's times and cursor set on the order of arrival; none if nothing can
/// lie between them. Where the clock was set back, times say nothing about the order; the filter
/// is checked on the rows anyway.
fn bounds(connection: &Connection, filter: &Filter) -> Result<Option<Bounds>, StoreError> {
    let first_since = |time: i64| -> Result<Option<i64>, StoreError> {
        let mut statement = connection.prepare_cached(query::FIRST_SINCE).map_err(plain)?;
        statement.query_row((time,), |row| row.get(0)).optional().map_err(plain)
    };
    let mut bounds = Bounds::ALL;
    let steady = !connection
        .prepare_cached(query::CLOCK_STEPS)
        .and_then(|mut statement| statement.exists(()))
        .map_err(plain)?;
    if let (Some(since), true) = (filter.since, steady) {
        match first_since(since)? {
            Some(number) => bounds.from = number,
            None => return Ok(None),
        }
    }
    if let (Some(until), true) = (filter.until, steady)
        && let Some(number) = first_since(until)?
    {
        bounds.before = number;
    }
    if let Some(Cursor(number)) = filter.cursor {
        let number = i64::try_from(number).map_err(|_| StoreError::Cursor)?;
        bounds.before = bounds.before.min(number);
    }
    Ok(Some(bounds))
}

/// The numbers of the next few records that match.
fn numbers(
    connection: &Connection,
    filter: &Filter,
    bounds: Bounds,
    limit: u32,
) -> Result<Vec<i64>, StoreError> {
    let query = Query::numbers(filter, bounds, limit);
    let mut statement = connection.prepare_cached(&query.text).map_err(plain)?;
    let rows =
        statement.query_map(params_from_iter(query.values), |row| row.get(0)).map_err(plain)?;
    rows.collect::<Result<_, _>>().map_err(plain)
}

/// The one record that a statement finds.
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

/// Makes the file and its directories, readable by the owner only, if they are not there.
fn create_if_missing(path: &Path) -> Result<(), StoreError> {
    // Only the root has no parent, and it is there.
    let directory = path.parent().unwrap_or(path);
    fs::create_dir_all(directory).map_err(|error| cannot("make the directory of", path, &error))?;
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(path) {
        // The name must be as durable as what will be written into the file.
        Ok(_) => fs::File::open(directory)
            .and_then(|directory| directory.sync_all())
            .map_err(|error| cannot("make", path, &error)),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(cannot("make", path, &error)),
    }
}

/// Opens one connection.
fn connect(path: &Path, mode: OpenFlags, lock_wait: Duration) -> rusqlite::Result<Connection> {
    // Each connection is used by one thread at a time, so SQLite's own mutexes are not needed.
    let connection = Connection::open_with_flags(path, mode | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    connection.busy_timeout(lock_wait)?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "trusted_schema", false)?;
    connection.set_prepared_statement_cache_capacity(64);
    Ok(connection)
}

/// Checks that the file is ours, and brings it to the present form.
fn prepare(connection: &mut Connection) -> Result<(), StoreError> {
    // SQLite opens a file that it may not write for reading, without a word.
    if connection.is_readonly("main").map_err(plain)? {
        return Err(StoreError::Unavailable("it may not be written".to_owned()));
    }
    // The first read, which notices that the file is no database.
    let objects: i64 = connection
        .query_row("SELECT count(*) FROM sqlite_schema", (), |row| row.get(0))
        .map_err(plain)?;
    let application: i64 =
        connection.pragma_query_value(None, "application_id", |row| row.get(0)).map_err(plain)?;
    if objects > 0 && application != APPLICATION_ID {
        return Err(StoreError::Corrupt("it is a database of another program".to_owned()));
    }
    let migrations = Migrations::from_slice(MIGRATIONS);
    match migrations.current_version(connection).map_err(migration)? {
        SchemaVersion::Outside(found) => {
            return Err(StoreError::Newer(format!(
                "it has version {found}, and this program knows versions up to {}; use a newer program",
                MIGRATIONS.len()
            )));
        }
        SchemaVersion::NoneSet | SchemaVersion::Inside(_) => {}
    }
    // Takes effect in an empty file only. Two or three packed records fit into such a page, where
    // the usual 4096 bytes hold one and waste the rest: measured, 2960 instead of 4330 bytes a
    // record in the file, and a tenth more records a second.
    connection.pragma_update(None, "page_size", 8192).map_err(plain)?;
    let mode: String = connection
        .pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get(0))
        .map_err(plain)?;
    if mode != "wal" {
        return Err(StoreError::Unavailable(
            "its file system cannot hold a write-ahead log".to_owned(),
        ));
    }
    // With the log, FULL means one sync of the log at each commit: what is acknowledged survives a
    // loss of power. NORMAL would not promise that.
    connection.pragma_update(None, "synchronous", "FULL").map_err(plain)?;
    migrations.to_latest(connection).map_err(migration)
}

/// An error of a migration in the store's words.
fn migration(error: rusqlite_migration::Error) -> StoreError {
    match error {
        rusqlite_migration::Error::RusqliteError { err, .. } => plain(err),
        other => StoreError::Unavailable(other.to_string()),
    }
}

/// The same error, with the path of the file that could not be opened.
fn name_the_file(path: &Path, error: StoreError) -> StoreError {
    let path = path.display();
    match error {
        StoreError::Busy => {
            StoreError::Unavailable(format!("{path}: another program has it locked"))
        }
        StoreError::Unavailable(why) => StoreError::Unavailable(format!("{path}: {why}")),
        StoreError::Corrupt(what) => StoreError::Corrupt(format!("{path}: {what}")),
        StoreError::Newer(what) => StoreError::Newer(format!("{path}: {what}")),
        StoreError::Rejected(why) => StoreError::Unavailable(format!("{path}: {why}")),
        StoreError::Cursor => StoreError::Cursor,
    }
}

/// An error of the file system, in plain words.
fn cannot(what: &str, path: &Path, error: &io::Error) -> StoreError {
    StoreError::Unavailable(format!("cannot {what} {}: {error}", path.display()))
}
