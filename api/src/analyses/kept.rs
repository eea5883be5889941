//! What analyses found out, ply by ply, so that nothing is thought twice and a run that was broken off goes on.
//!
//! A file of its own beside the store: everything in it follows from records, so it needs no backup and may be
//! deleted at any time; a damaged one is begun anew. Where servers share a store, it is kept there instead, and written
//! under the lease of a job. The least recently used analyses go when there are too many. This module must not think,
//! and must not touch a record.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rusqlite::{Connection, OptionalExtension, params};
use umpire_engine::replay::answer::ENGINE;

use crate::cost::Cost;
use crate::error::ApiError;
use crate::json;
use crate::store::RecordId;
use crate::store::jobs::{Found as Piece, Hold, JobBoard, JobEnd, JobKind, JobState, NewJob, Put};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// How many analyses are kept.
const KEPT: u32 = 1_000;

/// The form of the file; another one is begun anew.
const FORM: i64 = 2;

const SCHEMA: &str = "
CREATE TABLE analysis (
    id      BLOB    PRIMARY KEY,
    used    INTEGER NOT NULL,
    task    TEXT    NOT NULL,
    summary TEXT
) STRICT;
CREATE TABLE ply (
    analysis BLOB    NOT NULL REFERENCES analysis (id) ON DELETE CASCADE,
    ply      INTEGER NOT NULL,
    text     TEXT    NOT NULL,
    PRIMARY KEY (analysis, ply)
) STRICT, WITHOUT ROWID;
";

/// What is kept of all analyses.
pub struct Kept {
    /// The file; in memory where there is none.
    path: Option<PathBuf>,
    /// Opened when something is kept for the first time, so that nobody has a file that nobody needs.
    opened: Mutex<Option<Connection>>,
    /// Where servers share jobs, in the place of a file.
    board: Option<Arc<dyn JobBoard>>,
}

/// An analysis that is wanted.
pub struct Wanted<'a> {
    /// Its name.
    pub id: &'a RecordId,
    /// What kind of work it is.
    pub kind: JobKind,
    /// What was asked, as JSON, to be shown.
    pub task: &'a str,
    /// What another server needs to do the work, as JSON.
    pub sent: &'a str,
    /// Whether this server does it.
    pub hold: bool,
    /// How many may run on all servers.
    pub most_running: u32,
}

/// What is kept of the request where servers share it.
#[derive(Serialize, Deserialize)]
struct Written<'a> {
    #[serde(borrow)]
    task: &'a RawValue,
    #[serde(borrow)]
    sent: &'a RawValue,
}

impl<'a> Written<'a> {
    fn read(text: &'a str) -> Result<Self, ApiError> {
        serde_json::from_str(text).map_err(|error| {
            ApiError::Internal(format!("a job that is kept cannot be read: {error}"))
        })
    }
}

/// What another server needs to do a job, of the text that is kept.
///
/// # Errors
/// It is not what was kept.
pub fn sent(request: &str) -> Result<&str, ApiError> {
    Ok(Written::read(request)?.sent.get())
}

/// What is kept of one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// What was asked, as JSON.
    pub task: String,
    /// How many plies are done.
    pub done: u32,
    /// What they come to, once all are done, as JSON.
    pub summary: Option<String>,
    /// How it stands and why it failed, where servers share it.
    pub shared: Option<(JobState, Option<String>)>,
}

impl Kept {
    /// Analyses in this file. It is opened, and made if need be, when something is kept for the first time; one of
    /// another form or a damaged one is then begun anew.
    pub fn at(path: PathBuf) -> Self {
        Kept { path: Some(path), opened: Mutex::default(), board: None }
    }

    /// Keeps them for as long as the process runs.
    pub fn in_memory() -> Self {
        Kept { path: None, opened: Mutex::default(), board: None }
    }

    /// Keeps them where servers share jobs.
    pub fn shared(board: Arc<dyn JobBoard>) -> Self {
        Kept { path: None, opened: Mutex::default(), board: Some(board) }
    }

    /// Where servers share jobs, if they do.
    pub fn board(&self) -> Option<&Arc<dyn JobBoard>> {
        self.board.as_ref()
    }

    /// Closes the file.
    pub fn close(&self) {
        drop(self.locked().take());
    }

    fn locked(&self) -> MutexGuard<'_, Option<Connection>> {
        // Every statement is whole or not at all, so nothing half done is left behind by a panic.
        self.opened.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Works with the file; gives `nothing` where nothing was ever kept.
    fn look<T>(
        &self,
        nothing: T,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, ApiError> {
        let kept = match &self.path {
            Some(path) => path.exists(),
            None => self.locked().is_some(),
        };
        if kept { self.with(work) } else { Ok(nothing) }
    }

    /// Works with the file, which is made if need be.
    fn with<T>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, ApiError> {
        let mut opened = self.locked();
        let connection = match &mut *opened {
            Some(connection) => connection,
            none => {
                let connection = match &self.path {
                    Some(path) => open(path),
                    None => Connection::open_in_memory().and_then(ready),
                };
                none.insert(connection.map_err(cannot)?)
            }
        };
        work(connection).map_err(cannot)
    }

    /// Notes on the board that an analysis is wanted; what is already kept of it stays.
    ///
    /// # Errors
    /// There is none, or it cannot be written.
    pub fn put(&self, wanted: &Wanted<'_>) -> Result<Put, ApiError> {
        let Some(board) = &self.board else {
            return Err(ApiError::Internal("jobs are not shared here".to_owned()));
        };
        let raw = |text: &str| {
            RawValue::from_string(text.to_owned())
                .map_err(|error| ApiError::Internal(format!("a job cannot be kept: {error}")))
        };
        let (task, sent) = (raw(wanted.task)?, raw(wanted.sent)?);
        let request = json::text(&Written { task: &task, sent: &sent });
        Ok(board.put(NewJob {
            id: wanted.id.as_bytes().to_vec(),
            kind: wanted.kind,
            version: ENGINE.to_owned(),
            request: String::from_utf8(request).unwrap_or_default(),
            payer: Cost::payer(),
            hold: wanted.hold,
            most_running: wanted.most_running,
            most_kept: KEPT,
        })?)
    }

    /// Notes that an analysis is wanted; what is already kept of it stays. Makes room for it.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn want(&self, id: &RecordId, task: &str) -> Result<(), ApiError> {
        self.with(|connection| {
            connection.execute(
                "INSERT INTO analysis (id, used, task)
                 VALUES (?1, (SELECT coalesce(max(used), 0) + 1 FROM analysis), ?2)
                 ON CONFLICT (id) DO UPDATE SET used = excluded.used",
                params![id.as_bytes(), task],
            )?;
            connection.execute(
                "DELETE FROM analysis WHERE id IN
                 (SELECT id FROM analysis ORDER BY used DESC LIMIT -1 OFFSET ?1)",
                params![KEPT],
            )?;
            Ok(())
        })
    }

    /// What is kept of an analysis.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn find(&self, id: &RecordId) -> Result<Option<Found>, ApiError> {
        if let Some(board) = &self.board {
            let found = board.find(id.as_bytes())?.filter(|job| job.kind != JobKind::Impact);
            let Some(job) = found else { return Ok(None) };
            return Ok(Some(Found {
                task: Written::read(&job.request)?.task.get().to_owned(),
                done: job.parts,
                summary: job.result,
                shared: Some((job.state, job.problem)),
            }));
        }
        self.look(None, |connection| {
            connection
                .query_row(
                    "SELECT task, summary, (SELECT count(*) FROM ply WHERE analysis = id)
                     FROM analysis WHERE id = ?1",
                    params![id.as_bytes()],
                    |row| {
                        Ok(Found {
                            task: row.get(0)?,
                            summary: row.get(1)?,
                            done: row.get(2)?,
                            shared: None,
                        })
                    },
                )
                .optional()
        })
    }

    /// Which plies are done.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn done(&self, id: &RecordId) -> Result<Vec<u32>, ApiError> {
        if let Some(board) = &self.board {
            return Ok(board.numbers(id.as_bytes())?);
        }
        self.look(Vec::new(), |connection| {
            let sql = "SELECT ply FROM ply WHERE analysis = ?1 ORDER BY ply";
            let mut statement = connection.prepare_cached(sql)?;
            statement.query_map(params![id.as_bytes()], |row| row.get(0))?.collect()
        })
    }

    /// The plies from a number on, at most so many, as JSON with their numbers.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn plies(
        &self,
        id: &RecordId,
        from: u32,
        most: u32,
    ) -> Result<Vec<(u32, String)>, ApiError> {
        if let Some(board) = &self.board {
            return Ok(board.parts(id.as_bytes(), from, most)?);
        }
        self.look(Vec::new(), |connection| {
            let sql =
                "SELECT ply, text FROM ply WHERE analysis = ?1 AND ply >= ?2 ORDER BY ply LIMIT ?3";
            let mut statement = connection.prepare_cached(sql)?;
            let rows = statement.query_map(params![id.as_bytes(), from, most], |row| {
                Ok((row.get(0)?, row.get(1)?))
            })?;
            rows.collect()
        })
    }

    /// Keeps something on the board, under the lease.
    ///
    /// # Errors
    /// The board cannot be written, or somebody else has the lease.
    fn save(&self, hold: Option<&Hold>, piece: Piece) -> Result<(), ApiError> {
        match (&self.board, hold) {
            (Some(board), Some(hold)) if board.save(hold, piece)? => Ok(()),
            _ => {
                Err(ApiError::Unavailable("this server does not hold the job any more".to_owned()))
            }
        }
    }

    /// Keeps a ply, on a board under the lease. Says nothing if the analysis has been forgotten meanwhile.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn keep_ply(
        &self,
        id: &RecordId,
        hold: Option<&Hold>,
        ply: u32,
        text: &str,
    ) -> Result<(), ApiError> {
        if self.board.is_some() {
            let parts = vec![(ply, text.to_owned())];
            return self.save(hold, Piece { parts, ..Piece::default() });
        }
        let sql = "INSERT OR IGNORE INTO ply (analysis, ply, text)
                   SELECT id, ?2, ?3 FROM analysis WHERE id = ?1";
        self.look((), |connection| {
            connection.execute(sql, params![id.as_bytes(), ply, text]).map(drop)
        })
    }

    /// Keeps what all plies come to, on a board under the lease.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn keep_summary(
        &self,
        id: &RecordId,
        hold: Option<&Hold>,
        summary: &str,
    ) -> Result<(), ApiError> {
        if self.board.is_some() {
            let end = Some(JobEnd::Done(Some(summary.to_owned())));
            return self.save(hold, Piece { end, ..Piece::default() });
        }
        let sql = "UPDATE analysis SET summary = ?2 WHERE id = ?1";
        self.look((), |connection| {
            connection.execute(sql, params![id.as_bytes(), summary]).map(drop)
        })
    }

    /// Forgets an analysis; says whether there was one.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn forget(&self, id: &RecordId) -> Result<bool, ApiError> {
        if let Some(board) = &self.board {
            return Ok(board.forget(id.as_bytes())?);
        }
        let sql = "DELETE FROM analysis WHERE id = ?1";
        self.look(false, |connection| {
            connection.execute(sql, params![id.as_bytes()]).map(|gone| gone > 0)
        })
    }
}

/// Opens a file; one of another form or a damaged one is begun anew.
fn open(path: &Path) -> Result<Connection, rusqlite::Error> {
    if let Ok(opened) = Connection::open(path).and_then(ready) {
        return Ok(opened);
    }
    tracing::warn!("the file of analyses is damaged or of another form; it is begun anew");
    for end in ["", "-wal", "-shm"] {
        let mut name = path.as_os_str().to_owned();
        name.push(end);
        // What cannot be removed is told by the next attempt to open it.
        let _ = std::fs::remove_file(&name);
    }
    Connection::open(path).and_then(ready)
}

fn ready(connection: Connection) -> Result<Connection, rusqlite::Error> {
    connection.pragma_update(None, "journal_mode", "wal")?;
    // What is lost by a loss of power is thought again.
    connection.pragma_update(None, "synchronous", "normal")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    let form: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    match form {
        0 => {
            connection.execute_batch(SCHEMA)?;
            connection.pragma_update(None, "user_version", FORM)?;
        }
        FORM => {
            let sql = "SELECT count(*) FROM analysis";
            connection.query_row(sql, (), |row| row.get(0)).map(|_: i64| ())?;
        }
        _ => return Err(rusqlite::Error::InvalidQuery),
    }
    Ok(connection)
}

fn cannot(error: rusqlite::Error) -> ApiError {
    tracing::warn!(%error, "the file of analyses");
    ApiError::Unavailable("the file of analyses cannot be used right now".to_owned())
}

/// The id of an analysis: of what it is made from, and of nothing else.
pub fn id_of(record: &RecordId, viewer: &str, simulations: u32, seed: &str) -> RecordId {
    let mut hasher = of_parts(&[ENGINE, viewer, &simulations.to_string(), seed]);
    hasher.update(record.as_bytes());
    RecordId::from_bytes(*hasher.finalize().as_bytes())
}

/// The id of a series of games: of what it is made from. Those of analyses are made of fewer parts.
pub fn id_of_series(parts: &[&str; 6]) -> RecordId {
    let mut hasher = of_parts(&[ENGINE, "series"]);
    hasher.update(of_parts(parts).finalize().as_bytes());
    RecordId::from_bytes(*hasher.finalize().as_bytes())
}

fn of_parts(parts: &[&str]) -> blake3::Hasher {
    let mut hasher = blake3::Hasher::new();
    for part in parts {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    hasher
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: RecordId = RecordId::from_bytes([7; 32]);

    #[test]
    fn what_is_kept_survives_and_can_be_forgotten() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("analyses");
        let kept = Kept::at(path.clone());
        kept.keep_ply(&ID, None, 0, "{}").unwrap();
        assert_eq!(kept.find(&ID).unwrap(), None, "nobody wanted it");
        assert!(!path.exists(), "a file that nobody needs");
        kept.want(&ID, "task").unwrap();
        kept.keep_ply(&ID, None, 2, "two").unwrap();
        kept.keep_ply(&ID, None, 0, "nought").unwrap();
        drop(kept);
        let kept = Kept::at(path.clone());
        kept.want(&ID, "another").unwrap();
        let found = Found { task: "task".to_owned(), done: 2, summary: None, shared: None };
        assert_eq!(kept.find(&ID).unwrap(), Some(found));
        assert_eq!(kept.done(&ID).unwrap(), [0, 2]);
        assert_eq!(kept.plies(&ID, 1, 9).unwrap(), [(2, "two".to_owned())]);
        kept.keep_summary(&ID, None, "sum").unwrap();
        assert_eq!(kept.find(&ID).unwrap().unwrap().summary.as_deref(), Some("sum"));
        assert!(kept.forget(&ID).unwrap() && !kept.forget(&ID).unwrap());
        assert!(kept.plies(&ID, 0, 9).unwrap().is_empty());
    }

    #[test]
    fn a_damaged_file_is_begun_anew() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("analyses");
        std::fs::write(
            &path,
            "this is no database, but it is long enough to be taken for one".repeat(99),
        )
        .unwrap();
        let kept = Kept::at(path.clone());
        kept.want(&ID, "task").unwrap();
        assert!(kept.find(&ID).unwrap().is_some());
    }

    #[test]
    fn ids_tell_all_parts_apart() {
        let base = id_of(&ID, "referee", 100, "a");
        for other in [
            id_of(&RecordId::from_bytes([8; 32]), "referee", 100, "a"),
            id_of(&ID, "spectator", 100, "a"),
            id_of(&ID, "referee", 101, "a"),
            id_of(&ID, "referee", 100, "b"),
        ] {
            assert_ne!(base, other);
        }
        assert_eq!(base, id_of(&ID, "referee", 100, "a"));
    }
}
