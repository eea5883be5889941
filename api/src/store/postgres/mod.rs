//! The store in a PostgreSQL database, for several servers.
//!
//! It makes the same promises as the store in a file and gives the same results in the same order;
//! in addition, several servers may use it at once. Everything is in a schema of its own, `umpire`.
//! One connection writes (`writer`), a few read (`open::pool`), one listens to what other servers
//! do (`listen`).
//!
//! This module must not put a value into the text of a statement: values are bound.

use std::ops::ControlFlow;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use deadpool_postgres::Pool;
use tokio_postgres::Row;

use self::address::Address;
pub(super) use self::end::DatabaseEnd;
use self::faults::plain;
use self::listen::{Told, news};
use self::query::{Query, column};
pub use self::settings::Settings;
use self::thread::Thread;
use self::writer::{Prepared, PreparedVerdict, Work, Writer};
use super::jobs::JobBoard;
use super::passed::Passed;
use super::queue;
use super::row::NewRow;
use super::select::{self, Bounds};
use super::{
    Cursor, DEFAULT_PAGE, Filter, Inserted, KeptTable, KeptVerdict, MAX_PAGE, NewRecord,
    NewVerdict, Page, RecordId, Store, StoreError, StoreFuture, Stored, StoredStep, StoredTable,
    StoredVerdict, TableId, TableNews, body,
};

mod address;
mod end;
mod faults;
mod jobs;
mod listen;
mod open;
mod query;
mod settings;
mod thread;
mod words;
mod writer;

/// How many numbers [`Store::each`] reads at a time.
const NUMBERS_AT_A_TIME: u32 = 256;

/// How many bytes of compressed records [`Store::each`] reads at a time, unless one has more.
const BYTES_AT_A_TIME: i64 = 1 << 20;

/// A store in a PostgreSQL database. Dropping it closes it.
///
/// Writes must be awaited within a Tokio runtime that has a timer.
pub struct PostgresStore {
    writer: Writer,
    pool: Pool,
    /// Connections for jobs.
    jobs: Pool,
    passed: Passed,
    watcher: Told,
    /// Distinguishes this server from others.
    mark: String,
    /// Last, so that it is dropped after everything that runs on it.
    thread: Arc<Thread>,
}

impl PostgresStore {
    /// Opens the database at an address, `postgres://USER:PASSWORD@HOST:PORT/DATABASE`, with the
    /// default settings, and migrates it to the current schema. Blocks.
    ///
    /// # Errors
    /// As for [`PostgresStore::open_with`].
    pub fn open(address: &str) -> Result<Self, StoreError> {
        Self::open_with(address, Settings::default())
    }

    /// Opens the database with these settings. Blocks.
    ///
    /// # Errors
    /// A plain message that says why the database cannot be used: it cannot be reached, belongs to
    /// another program, or is newer than this program.
    pub fn open_with(address: &str, settings: Settings) -> Result<Self, StoreError> {
        let address = Address::read(address)?;
        let named = |error: StoreError| match error {
            StoreError::Unavailable(why) => StoreError::Unavailable(format!("{address}: {why}")),
            StoreError::Corrupt(what) => StoreError::Corrupt(format!("{address}: {what}")),
            StoreError::Newer(what) => StoreError::Newer(format!("{address}: {what}")),
            StoreError::Busy => {
                StoreError::Unavailable(format!("{address}: it accepts no more connections"))
            }
            other => other,
        };
        let thread = Thread::start().map_err(|error| StoreError::Unavailable(error.to_string()))?;
        let thread = Arc::new(thread);
        let first = address.clone();
        let opened = async move {
            let mut client = open::connect(&first, &[], settings.connect_wait).await?;
            open::prepare(&mut client).await?;
            let safe = "SELECT current_setting('fsync') = 'on' AND current_setting('full_page_writes') = 'on'";
            let row = client.query_one(safe, &[]).await.map_err(|error| plain(&error))?;
            if !row.get::<_, bool>(0) {
                tracing::warn!(
                    "the database does not wait for its disk (fsync or full_page_writes is off): a power failure may \
                     lose acknowledged writes"
                );
            }
            Ok(())
        };
        thread.wait(opened).map_err(named)?;
        let pool = open::pool(&address, settings)?;
        let jobs = open::pool_for_jobs(&address, settings)?;
        let (writer, writing) = Writer::new(address.clone(), settings);
        thread.spawn(writing);
        let mut mark = [0; 8];
        getrandom::fill(&mut mark).map_err(|error| StoreError::Unavailable(error.to_string()))?;
        let mark = format!("{:016x}", u64::from_le_bytes(mark));
        let watcher = Told::default();
        thread.spawn(listen::listen(address, mark.clone(), watcher.clone()));
        Ok(Self { writer, pool, jobs, passed: Passed::default(), watcher, mark, thread })
    }

    /// Reads with one of the connections, as soon as one is free. If it was lost, retries with
    /// another.
    fn rows(&self, text: &str, values: Vec<query::Value>) -> Result<Vec<Row>, StoreError> {
        let (pool, text) = (self.pool.clone(), text.to_owned());
        self.thread.wait(async move { open::rows(&pool, &text, &values).await })
    }

    fn asked(&self, query: Query) -> Result<Vec<Row>, StoreError> {
        self.rows(&query.text, query.values)
    }

    /// The range of the order of arrival that the filter's times and cursor allow.
    fn bounds(&self, filter: &Filter) -> Result<Option<Bounds>, StoreError> {
        let stepped = || Ok(!self.rows(query::CLOCK_STEPS, Vec::new())?.is_empty());
        Bounds::of(filter, stepped, |time| {
            let rows = self.rows(query::FIRST_SINCE, vec![Box::new(time)])?;
            rows.first().map(|row| column(row, 0)).transpose()
        })
    }

    /// A table, with its steps from a number on.
    fn table(&self, id: TableId, from: u32) -> Result<Option<StoredTable>, StoreError> {
        let from = i32::try_from(from).unwrap_or(i32::MAX);
        let rows =
            self.rows(query::TABLE, vec![Box::new(id.as_bytes().to_vec()), Box::new(from)])?;
        let Some(row) = rows.first() else { return Ok(None) };
        let (times, texts): (Vec<i64>, Vec<String>) = (column(row, 2)?, column(row, 3)?);
        let steps =
            times.into_iter().zip(texts).map(|(taken_at, text)| StoredStep { taken_at, text });
        Ok(Some(StoredTable {
            id,
            created_at: column(row, 0)?,
            head: column(row, 1)?,
            steps: steps.collect(),
        }))
    }
}

/// The sheet in a row of [`query::VERDICT`].
fn sheet(id: RecordId, row: &Row) -> Result<StoredVerdict, StoreError> {
    let length: i32 = column(row, 2)?;
    let length = usize::try_from(length)
        .map_err(|_| StoreError::Corrupt(format!("a sheet has the length {length}")))?;
    let text = body::unpack(column(row, 3)?, length)?;
    Ok(StoredVerdict { id, created_at: column(row, 0)?, sheet: text, signature: column(row, 1)? })
}

impl Store for PostgresStore {
    fn insert(&self, records: Vec<NewRecord>) -> StoreFuture<Vec<Inserted>> {
        let rows: Result<Vec<Prepared>, StoreError> =
            records.into_iter().map(|new| Ok(Prepared::of(NewRow::pack(new)?))).collect();
        match rows {
            Ok(rows) => queue::each(self.writer.submit(Work::Insert(rows))),
            Err(error) => Box::pin(async { Err(error) }),
        }
    }

    fn delete(&self, id: &RecordId) -> StoreFuture<bool> {
        queue::any(self.writer.submit(Work::Delete(*id)))
    }

    fn find(&self, id: &RecordId) -> Result<Option<Stored>, StoreError> {
        let rows = self.rows(query::BY_ID, vec![Box::new(id.as_bytes().to_vec())])?;
        rows.first().map(query::stored).transpose()
    }

    fn list(&self, filter: &Filter) -> Result<Page, StoreError> {
        let limit = filter.limit.unwrap_or(DEFAULT_PAGE).clamp(1, MAX_PAGE) as usize;
        let mut items = Vec::new();
        let Some(mut bounds) = self.bounds(filter)? else { return Ok(Page { items, next: None }) };
        loop {
            // One more than requested, to know whether there is a next page.
            let asked = limit + 1 - items.len();
            let Some(query) = Query::listed(filter, bounds, asked as u32) else {
                return Ok(Page { items, next: None });
            };
            let rows = self.asked(query)?;
            for row in &rows {
                if items.len() == limit {
                    return Ok(Page { items, next: Some(Cursor(bounds.before.cast_unsigned())) });
                }
                bounds.before = column(row, 0)?;
                match query::listed(row) {
                    Ok(listed) => items.push(listed),
                    Err(why) => self.passed.pass(bounds.before, &why),
                }
            }
            if rows.len() < asked {
                return Ok(Page { items, next: None });
            }
        }
    }

    fn front(&self) -> Result<Cursor, StoreError> {
        let rows = self.rows(select::FRONT, Vec::new())?;
        let front: Option<i64> = rows.first().map(|row| column(row, 0)).transpose()?;
        Ok(Cursor(front.unwrap_or_default().cast_unsigned()))
    }

    fn count(&self, filter: &Filter) -> Result<u64, StoreError> {
        let Some(bounds) = self.bounds(filter)? else { return Ok(0) };
        let Some(query) = Query::counted(filter, bounds) else { return Ok(0) };
        let rows = self.asked(query)?;
        let count: Option<i64> = rows.first().map(|row| column(row, 0)).transpose()?;
        Ok(count.unwrap_or_default().cast_unsigned())
    }

    fn each(
        &self,
        filter: &Filter,
        visit: &mut dyn FnMut(Stored) -> ControlFlow<()>,
    ) -> Result<(), StoreError> {
        let Some(mut bounds) = self.bounds(filter)? else { return Ok(()) };
        let mut left = filter.limit.unwrap_or(u32::MAX);
        while left > 0 {
            let Some(query) = Query::numbers(filter, bounds, left.min(NUMBERS_AT_A_TIME)) else {
                return Ok(());
            };
            let mut numbers: Vec<(i64, i32)> = Vec::new();
            for row in self.asked(query)? {
                numbers.push((column(&row, 0)?, column(&row, 1)?));
            }
            let Some(&(last, _)) = numbers.last() else { return Ok(()) };
            bounds.before = last;
            left -= numbers.len() as u32;
            let mut numbers = numbers.into_iter().peekable();
            while numbers.peek().is_some() {
                // The connection is given back before the visitor works, so that a slow one holds
                // none.
                let (mut some, mut bytes) = (Vec::new(), 0);
                while let Some((number, length)) =
                    numbers.next_if(|_| some.is_empty() || bytes < BYTES_AT_A_TIME)
                {
                    some.push(number);
                    bytes += i64::from(length);
                }
                for row in self.rows(query::BY_NUMBERS, vec![Box::new(some)])? {
                    match query::stored(&row) {
                        Ok(stored) => {
                            if visit(stored).is_break() {
                                return Ok(());
                            }
                        }
                        Err(why) => self.passed.pass(column(&row, 0)?, &why),
                    }
                }
            }
        }
        Ok(())
    }

    fn insert_verdict(&self, verdict: NewVerdict) -> StoreFuture<Inserted> {
        match PreparedVerdict::of(verdict) {
            Ok(row) => queue::one(self.writer.submit(Work::InsertVerdict(row))),
            Err(error) => Box::pin(async { Err(error) }),
        }
    }

    fn delete_verdict(&self, id: &RecordId) -> StoreFuture<bool> {
        queue::any(self.writer.submit(Work::DeleteVerdict(*id)))
    }

    fn find_verdict(&self, id: &RecordId) -> Result<Option<StoredVerdict>, StoreError> {
        let rows = self.rows(query::VERDICT, vec![Box::new(id.as_bytes().to_vec())])?;
        rows.first().map(|row| sheet(*id, row)).transpose()
    }

    fn kept_verdicts(&self, before: i64, most: u32) -> Result<Vec<(i64, KeptVerdict)>, StoreError> {
        let most = i64::from(most);
        let rows = self.rows(query::VERDICTS_BEFORE, vec![Box::new(before), Box::new(most)])?;
        let kept = |row: &Row| {
            let id: Vec<u8> = column(row, 5)?;
            let id: [u8; 32] =
                id.try_into().map_err(|_| StoreError::Corrupt("the id of a sheet".to_owned()))?;
            let id = RecordId::from_bytes(id);
            let text = sheet(id, row).ok().map(|it| it.sheet);
            Ok((column(row, 4)?, KeptVerdict { id, created_at: column(row, 0)?, sheet: text }))
        };
        rows.iter().map(kept).collect()
    }

    fn kept_tables(&self, before: i64, most: u32) -> Result<Vec<(i64, KeptTable)>, StoreError> {
        let most = i64::from(most);
        let rows = self.rows(query::TABLES_BEFORE, vec![Box::new(before), Box::new(most)])?;
        let kept = |row: &Row| {
            let (id, steps, bytes): (Vec<u8>, i32, i64) =
                (column(row, 1)?, column(row, 4)?, column(row, 6)?);
            let id: [u8; 16] =
                id.try_into().map_err(|_| StoreError::Corrupt("the id of a table".to_owned()))?;
            let kept = KeptTable {
                id: TableId::from_bytes(id),
                created_at: column(row, 2)?,
                head: column(row, 3)?,
                steps: steps.cast_unsigned(),
                played_at: column(row, 5)?,
                bytes: bytes.cast_unsigned(),
            };
            Ok((column(row, 0)?, kept))
        };
        rows.iter().map(kept).collect()
    }

    fn insert_table(&self, id: TableId, head: String) -> StoreFuture<Inserted> {
        queue::one(self.writer.submit(Work::InsertTable(id, head)))
    }

    fn append_step(&self, id: TableId, number: u32, step: String) -> StoreFuture<bool> {
        match i32::try_from(number) {
            Ok(number) => queue::any(self.writer.submit(Work::AppendStep(
                id,
                number,
                step,
                news(&self.mark, id),
            ))),
            Err(_) => Box::pin(async { Ok(false) }),
        }
    }

    fn delete_table(&self, id: TableId) -> StoreFuture<bool> {
        queue::any(self.writer.submit(Work::DeleteTable(id, news(&self.mark, id))))
    }

    fn find_table(&self, id: TableId) -> Result<Option<StoredTable>, StoreError> {
        self.table(id, 0)
    }

    fn find_steps(&self, id: TableId, from: u32) -> Result<Option<Vec<StoredStep>>, StoreError> {
        Ok(self.table(id, from)?.map(|table| table.steps))
    }

    fn is_shared(&self) -> bool {
        true
    }

    fn jobs(&self, lease: Duration) -> Option<Arc<dyn JobBoard>> {
        let (pool, thread) = (self.jobs.clone(), self.thread.clone());
        Some(Arc::new(jobs::Board::new(pool, thread, self.mark.clone(), lease)))
    }

    fn watch(&self, watcher: Box<dyn Fn(TableNews) + Send + Sync>) {
        *self.watcher.lock().unwrap_or_else(PoisonError::into_inner) = Some(watcher);
    }

    fn damaged(&self) -> u64 {
        self.passed.count()
    }

    fn ready(&self) -> StoreFuture<()> {
        let written = self.writer.submit(Work::Nothing);
        Box::pin(async { written.await.map(drop) })
    }

    fn close(&self) -> Result<(), StoreError> {
        self.writer.close();
        Ok(())
    }
}

impl Drop for PostgresStore {
    fn drop(&mut self) {
        self.writer.close();
    }
}
