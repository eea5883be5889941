//! The job board of a single server: a SQLite file of its own beside the store, or memory.
//!
//! Everything in the file can be recomputed from the records, so it needs no backup and may be deleted at any time; a
//! damaged one, or one of another version of this module, is replaced by an empty one. Leases are not stored: a job that
//! was running when its server ended is read as cancelled. Impacts are not kept over a restart. This module must not put
//! a value into the text of a statement.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};

use super::super::StoreError;
use super::super::jobs::{
    JobBoard, JobKind, JobState, JobTakeover, JobUpdate, Lease, NewJob, PutOutcome, StoredJob,
    state_columns,
};
use super::open::{beside, cannot, create_if_missing};

/// The version of the file. A file of another version is replaced.
const VERSION: i64 = 3;

const SCHEMA: &str = "
CREATE TABLE job (
    id       BLOB    PRIMARY KEY,
    kind     INTEGER NOT NULL,
    state    INTEGER NOT NULL,
    used     INTEGER NOT NULL,
    version  TEXT    NOT NULL,
    request  TEXT    NOT NULL,
    progress TEXT,
    result   TEXT,
    problem  TEXT
) STRICT;
CREATE TABLE part (
    job  BLOB    NOT NULL REFERENCES job (id) ON DELETE CASCADE,
    part INTEGER NOT NULL,
    text TEXT    NOT NULL,
    PRIMARY KEY (job, part)
) STRICT, WITHOUT ROWID;
";

const TOUCH: &str = "UPDATE job SET used = (SELECT max(used) + 1 FROM job) WHERE id = ?1
    RETURNING state";

const PUT: &str = "INSERT INTO job (id, kind, state, used, version, request)
    VALUES (?1, ?2, ?3, (SELECT coalesce(max(used), 0) + 1 FROM job), ?4, ?5)
    ON CONFLICT (id) DO UPDATE SET state = excluded.state, used = excluded.used,
      version = excluded.version, request = excluded.request, problem = NULL";

const OLDEST_LAST: &str = "SELECT id FROM job WHERE (kind = 0) = (?1 = 0) ORDER BY used DESC";

const FIND: &str = "SELECT kind, state, version, request, progress,
    (SELECT count(*) FROM part WHERE job = id), result, problem FROM job WHERE id = ?1";

const SAVE: &str = "UPDATE job SET state = ?2, progress = coalesce(?3, progress), result = ?4,
    problem = ?5 WHERE id = ?1";

/// The job board of a single server.
pub struct SqliteJobs {
    /// The file; memory if there is none.
    path: Option<PathBuf>,
    inner: Mutex<Inner>,
}

#[derive(Default)]
struct Inner {
    /// Opened when the first job is put on the board, so that no file is made without need.
    connection: Option<Connection>,
    /// The jobs that are running, with the numbers of their leases.
    running: BTreeMap<Vec<u8>, (JobKind, i64)>,
    /// The number of the last lease.
    last: i64,
}

impl Inner {
    fn holds(&self, lease: &Lease) -> bool {
        self.running.get(&lease.id).is_some_and(|&(_, number)| number == lease.number)
    }

    fn release(&mut self, lease: &Lease) {
        if self.holds(lease) {
            self.running.remove(&lease.id);
        }
    }
}

impl SqliteJobs {
    /// A board in this file, which is made when it is needed.
    pub fn at(path: PathBuf) -> Self {
        SqliteJobs { path: Some(path), inner: Mutex::default() }
    }

    /// A board that lasts as long as the process.
    pub fn in_memory() -> Self {
        SqliteJobs { path: None, inner: Mutex::default() }
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        // A transaction is whole or not at all, so a panic leaves nothing half done.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads and writes in one transaction. The file is made if need be.
    fn write<T>(
        &self,
        connection: &mut Option<Connection>,
        work: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        let connection = match connection {
            Some(connection) => connection,
            none => none.insert(open(self.path.as_deref())?),
        };
        let transaction = connection.transaction().map_err(unusable)?;
        let answer = work(&transaction).map_err(unusable)?;
        transaction.commit().map_err(unusable)?;
        Ok(answer)
    }

    /// Reads; returns `None` if there is no file yet.
    fn read<T>(
        &self,
        connection: &mut Option<Connection>,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<Option<T>, StoreError> {
        match connection.is_some() || self.path.as_ref().is_some_and(|path| path.exists()) {
            true => self.write(connection, |transaction| work(transaction)).map(Some),
            false => Ok(None),
        }
    }
}

impl JobBoard for SqliteJobs {
    fn lease(&self) -> Option<Duration> {
        None
    }

    fn put(&self, new: NewJob) -> Result<PutOutcome, StoreError> {
        let mut guard = self.inner();
        let inner = &mut *guard;
        let running = &inner.running;
        let same = running.values().filter(|(kind, _)| kind.shares_limits_with(new.kind)).count();
        let outcome = self.write(&mut inner.connection, |transaction| {
            let state = transaction.query_row(TOUCH, [&new.id], |row| row.get(0)).optional()?;
            if running.contains_key(&new.id) || state == Some(JobState::Done.number()) {
                return Ok(PutOutcome::Exists);
            }
            if same >= new.most_running as usize {
                return Ok(PutOutcome::Full);
            }
            // It is read as running as long as it is leased.
            let state = JobState::Cancelled.number();
            let values = params![new.id, new.kind.number(), state, new.version, new.request];
            transaction.execute(PUT, values)?;
            let mut ids = transaction.prepare_cached(OLDEST_LAST)?;
            let ids = ids.query_map([new.kind.number()], |row| row.get::<_, Vec<u8>>(0))?;
            let ids = ids.collect::<Result<Vec<_>, _>>()?;
            let ended = ids.iter().filter(|id| **id != new.id && !running.contains_key(*id));
            for id in ended.skip((new.most_kept as usize).saturating_sub(same + 1)) {
                transaction.execute("DELETE FROM job WHERE id = ?1", [id])?;
            }
            Ok(PutOutcome::Leased(Lease { id: new.id.clone(), number: inner.last + 1 }))
        })?;
        if let PutOutcome::Leased(Lease { id, number }) = &outcome {
            inner.last = *number;
            inner.running.insert(id.clone(), (new.kind, *number));
        }
        Ok(outcome)
    }

    fn find(&self, id: &[u8]) -> Result<Option<StoredJob>, StoreError> {
        let mut inner = self.inner();
        let find = |connection: &Connection| {
            connection.query_row(FIND, [id], |row| Ok(job(row))).optional()
        };
        let found = self.read(&mut inner.connection, find)?.flatten().transpose()?;
        let state = |job: &StoredJob| match inner.running.contains_key(id) {
            true => JobState::Running,
            false => job.state,
        };
        Ok(found.map(|job| StoredJob { state: state(&job), ..job }))
    }

    fn parts(&self, id: &[u8], from: u32, most: u32) -> Result<Vec<(u32, String)>, StoreError> {
        let parts = self.read(&mut self.inner().connection, |connection| {
            let sql =
                "SELECT part, text FROM part WHERE job = ?1 AND part >= ?2 ORDER BY part LIMIT ?3";
            let mut statement = connection.prepare_cached(sql)?;
            let rows = statement
                .query_map(params![id, from, most], |row| Ok((row.get(0)?, row.get(1)?)))?;
            rows.collect()
        })?;
        Ok(parts.unwrap_or_default())
    }

    fn numbers(&self, id: &[u8]) -> Result<Vec<u32>, StoreError> {
        let numbers = self.read(&mut self.inner().connection, |connection| {
            let sql = "SELECT part FROM part WHERE job = ?1 ORDER BY part";
            connection.prepare_cached(sql)?.query_map([id], |row| row.get(0))?.collect()
        })?;
        Ok(numbers.unwrap_or_default())
    }

    fn save(&self, lease: &Lease, update: JobUpdate) -> Result<bool, StoreError> {
        let mut inner = self.inner();
        if !inner.holds(lease) {
            return Ok(false);
        }
        let (state, result, problem) = state_columns(update.end);
        let ends = state != JobState::Running;
        let stored = if ends { state } else { JobState::Cancelled };
        self.write(&mut inner.connection, |transaction| {
            let values = params![lease.id, stored.number(), update.progress, result, problem];
            transaction.execute(SAVE, values)?;
            let sql = "INSERT OR IGNORE INTO part (job, part, text) VALUES (?1, ?2, ?3)";
            let mut insert = transaction.prepare_cached(sql)?;
            for (number, text) in update.parts {
                insert.execute(params![lease.id, number, text])?;
            }
            Ok(())
        })?;
        if ends {
            inner.release(lease);
        }
        Ok(true)
    }

    fn beat(&self, leases: &[Lease]) -> Result<Vec<Lease>, StoreError> {
        let inner = self.inner();
        Ok(leases.iter().filter(|lease| inner.holds(lease)).cloned().collect())
    }

    fn take(&self, _: &str) -> Result<Option<JobTakeover>, StoreError> {
        Ok(None)
    }

    fn give_back(&self, leases: &[Lease]) -> Result<(), StoreError> {
        let mut inner = self.inner();
        leases.iter().for_each(|lease| inner.release(lease));
        Ok(())
    }

    fn abandon(&self, lease: &Lease) {
        self.inner().release(lease);
    }

    fn cancel(&self, id: &[u8]) -> Result<bool, StoreError> {
        Ok(self.inner().running.remove(id).is_some())
    }

    fn forget(&self, id: &[u8]) -> Result<bool, StoreError> {
        let mut guard = self.inner();
        let inner = &mut *guard;
        if inner.running.contains_key(id) {
            return Ok(false);
        }
        let delete =
            |connection: &Connection| connection.execute("DELETE FROM job WHERE id = ?1", [id]);
        Ok(self.read(&mut inner.connection, delete)?.is_some_and(|deleted| deleted > 0))
    }
}

fn unusable(error: rusqlite::Error) -> StoreError {
    StoreError::Unavailable(format!("the file of jobs cannot be used: {error}"))
}

/// A job as it is stored.
fn job(row: &Row<'_>) -> Result<StoredJob, StoreError> {
    Ok(StoredJob {
        kind: JobKind::from_number(row.get(0).map_err(unusable)?)?,
        state: JobState::from_number(row.get(1).map_err(unusable)?)?,
        version: row.get(2).map_err(unusable)?,
        request: row.get(3).map_err(unusable)?,
        progress: row.get(4).map_err(unusable)?,
        parts: row.get(5).map_err(unusable)?,
        result: row.get(6).map_err(unusable)?,
        problem: row.get(7).map_err(unusable)?,
    })
}

/// Opens the file, or memory; a damaged file or one of another version is replaced.
fn open(path: Option<&Path>) -> Result<Connection, StoreError> {
    let Some(path) = path else {
        return Connection::open_in_memory().and_then(prepare).map_err(unusable);
    };
    let path = &std::path::absolute(path).map_err(|error| cannot("find", path, &error))?;
    create_if_missing(path)?;
    if let Ok(connection) = Connection::open(path).and_then(prepare) {
        // The ids in impacts are those of the server before this one, whose keys may have changed.
        connection.execute("DELETE FROM job WHERE kind = 0", ()).map_err(unusable)?;
        return Ok(connection);
    }
    tracing::warn!("the file of jobs is damaged or of another version; it is replaced");
    for end in ["", "-wal", "-shm"] {
        // If it cannot be removed, opening it says why.
        let _ = std::fs::remove_file(beside(path, end));
    }
    create_if_missing(path)?;
    Connection::open(path).and_then(prepare).map_err(unusable)
}

fn prepare(connection: Connection) -> rusqlite::Result<Connection> {
    connection.pragma_update(None, "journal_mode", "wal")?;
    // What a power failure takes is computed again.
    connection.pragma_update(None, "synchronous", "normal")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    match connection.pragma_query_value(None, "user_version", |row| row.get(0))? {
        0 => {
            connection.execute_batch(SCHEMA)?;
            connection.pragma_update(None, "user_version", VERSION)?;
        }
        VERSION => connection
            .query_row("SELECT count(*) FROM job", (), |row| row.get::<_, i64>(0).map(drop))?,
        _ => return Err(rusqlite::Error::InvalidQuery),
    }
    Ok(connection)
}

#[cfg(test)]
mod tests {
    use super::super::super::jobs::JobEnd;
    use super::*;

    fn new(id: &[u8], kind: JobKind) -> NewJob {
        NewJob {
            id: id.to_vec(),
            kind,
            version: "one".to_owned(),
            request: "{}".to_owned(),
            payer: None,
            lease: true,
            most_running: 4,
            most_kept: 9,
        }
    }

    fn leased(jobs: &SqliteJobs, id: &[u8], kind: JobKind) -> Lease {
        match jobs.put(new(id, kind)).unwrap() {
            PutOutcome::Leased(lease) => lease,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn what_is_saved_survives_a_restart_but_for_impacts() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("jobs");
        let jobs = SqliteJobs::at(path.clone());
        assert_eq!((jobs.find(b"a").unwrap(), jobs.forget(b"a").unwrap()), (None, false));
        assert!(!path.exists(), "a file that nobody needs");
        let lease = leased(&jobs, b"a", JobKind::Analysis);
        let parts = vec![(2, "two".to_owned())];
        assert!(jobs.save(&lease, JobUpdate { parts, ..JobUpdate::default() }).unwrap());
        let done = leased(&jobs, b"b", JobKind::Simulation);
        let end = Some(JobEnd::Done(Some("sum".to_owned())));
        assert!(jobs.save(&done, JobUpdate { end, ..JobUpdate::default() }).unwrap());
        leased(&jobs, b"c", JobKind::Impact);
        drop(jobs);
        let jobs = SqliteJobs::at(path);
        let found = jobs.find(b"a").unwrap().unwrap();
        assert_eq!((found.state, found.parts), (JobState::Cancelled, 1));
        assert_eq!(jobs.find(b"b").unwrap().unwrap().result.as_deref(), Some("sum"));
        assert_eq!(jobs.find(b"c").unwrap(), None);
        leased(&jobs, b"a", JobKind::Analysis);
        assert_eq!(jobs.parts(b"a", 0, 9).unwrap(), [(2, "two".to_owned())]);
        assert_eq!(jobs.put(new(b"b", JobKind::Simulation)).unwrap(), PutOutcome::Exists);
    }

    #[test]
    fn a_file_may_have_a_relative_name() {
        let name = PathBuf::from(format!("jobs-of-{}", std::process::id()));
        let put = SqliteJobs::at(name.clone()).put(new(b"a", JobKind::Analysis));
        let removed = std::fs::remove_file(name);
        assert!(
            matches!(put, Ok(PutOutcome::Leased(_))) && removed.is_ok(),
            "{put:?}, {removed:?}"
        );
    }

    #[test]
    fn a_damaged_file_and_one_of_another_version_are_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("jobs");
        std::fs::write(
            &path,
            "this is not a database, but long enough to look like one".repeat(99),
        )
        .unwrap();
        leased(&SqliteJobs::at(path.clone()), b"a", JobKind::Analysis);
        assert!(SqliteJobs::at(path.clone()).find(b"a").unwrap().is_some());
        let old = folder.path().join("old");
        let before = "CREATE TABLE analysis (id BLOB PRIMARY KEY); PRAGMA user_version = 2";
        Connection::open(&old).unwrap().execute_batch(before).unwrap();
        leased(&SqliteJobs::at(old.clone()), b"a", JobKind::Analysis);
        assert!(SqliteJobs::at(old).find(b"a").unwrap().is_some());
    }
}
