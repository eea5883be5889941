//! The thread that writes.
//!
//! It takes the first waiting request and all that are queued behind it, writes them in one
//! transaction, and acknowledges them together once the log is on the disk. While it waits for the
//! disk, the next group accumulates; so the busier the store, the larger the groups.
//!
//! This module must not acknowledge anything before its commit has returned.

use std::{
    io, mem,
    sync::{
        Mutex, PoisonError,
        mpsc::{self, Receiver, Sender},
    },
    thread::{self, JoinHandle},
    time::{SystemTime, UNIX_EPOCH},
};

use rusqlite::{
    Connection, ErrorCode, OptionalExtension, Transaction, TransactionBehavior, params,
};

use super::super::queue::{Changed, Message, Request, Room, gather};
use super::super::row::NewRow;
use super::super::{RecordId, StoreError, StoreFuture, TableId};
use super::faults::plain;
use super::on_disk::OnDisk;
use super::settings::Settings;
use super::tables;
use super::verdicts::{self, VerdictRow};

/// When this many pages of the log (8 MiB) are not yet in the main file, they are copied there.
///
/// Measured with 64 callers and 240 000 records in the file: 12 000 records/s, and the slowest
/// hundredth waits 18 ms. With 4000 pages it is 13 000 records/s and 41 ms.
const CHECKPOINT_PAGES: i64 = 1_000;

/// The work of the writer.
pub(super) enum Work {
    Insert(Vec<NewRow>),
    Delete(RecordId),
    InsertVerdict(Box<VerdictRow>),
    DeleteVerdict(RecordId),
    InsertTable(TableId, String),
    AppendStep(TableId, u32, String),
    DeleteTable(TableId),
    /// Write a dummy value, to check that writing works.
    Nothing,
}

impl Work {
    fn bytes(&self) -> usize {
        match self {
            Self::Insert(rows) => rows.iter().map(NewRow::bytes).sum(),
            Self::InsertVerdict(row) => row.bytes(),
            Self::InsertTable(_, text) | Self::AppendStep(_, _, text) => text.len(),
            Self::Delete(_) | Self::DeleteVerdict(_) | Self::DeleteTable(_) | Self::Nothing => 0,
        }
    }
}

/// The callers' end of the writing thread.
pub(super) struct Writer {
    queue: Sender<Message<Work>>,
    room: Room,
    thread: Mutex<Option<JoinHandle<Result<(), StoreError>>>>,
}

impl Writer {
    /// Starts the thread.
    pub(super) fn start(
        connection: Connection,
        place: OnDisk,
        settings: Settings,
    ) -> io::Result<Self> {
        let (queue, requests) = mpsc::channel();
        let thread = thread::Builder::new()
            .name("store-writer".to_owned())
            .spawn(move || run(connection, &place, &requests))?;
        Ok(Self {
            queue,
            room: Room::new(settings.queue_bytes, settings.busy_after),
            thread: Mutex::new(Some(thread)),
        })
    }

    /// Queues a request as soon as there is room, and waits for its commit.
    pub(super) fn submit(&self, work: Work) -> StoreFuture<Changed> {
        let (queue, bytes) = (self.queue.clone(), work.bytes());
        self.room.submit(work, bytes, move |message| queue.send(message).is_ok())
    }

    /// Whether requests are accepted.
    pub(super) fn is_running(&self) -> bool {
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner);
        !self.room.is_closed() && thread.as_ref().is_some_and(|thread| !thread.is_finished())
    }

    /// Refuses further requests, writes the queued ones, and waits for the thread to end.
    pub(super) fn close(&self) -> Result<(), StoreError> {
        let mut thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(thread) = thread.take() else {
            return Ok(());
        };
        self.room.close();
        // If nobody receives this, the thread has already ended.
        let _ = self.queue.send(Message::Close);
        thread
            .join()
            .map_err(|_| StoreError::Unavailable("the writing thread failed".to_owned()))?
    }
}

/// The thread.
fn run(
    mut connection: Connection,
    place: &OnDisk,
    queue: &Receiver<Message<Work>>,
) -> Result<(), StoreError> {
    // The thread copies the log itself, after acknowledging.
    connection.pragma_update(None, "wal_autocheckpoint", 0).map_err(plain)?;
    let (mut closing, mut strained) = (false, false);
    while !closing {
        let Ok(first) = queue.recv() else { break };
        let group;
        (group, closing) = gather(first, || queue.try_recv().ok());
        write_group(&mut connection, place, group, &mut strained);
        checkpoint_if_due(&connection);
    }
    connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", (), |_| Ok(())).map_err(plain)?;
    connection.close().map_err(|(_, error)| plain(error))
}

/// Writes a group together; if one of its records cannot be written, each request separately. Then
/// answers. `strained` is whether the disk refused what was last written there.
fn write_group(
    connection: &mut Connection,
    place: &OnDisk,
    group: Vec<Request<Work>>,
    strained: &mut bool,
) {
    let works: Vec<&Work> = group.iter().map(|request| &request.work).collect();
    let results: Vec<Result<Changed, StoreError>> =
        match commit(connection, place, &works, *strained) {
            Ok(changed) => {
                *strained = false;
                changed.into_iter().map(Ok).collect()
            }
            Err(Failed::Write(error)) if works.len() > 1 && concerns_one_record(&error) => works
                .iter()
                .map(|work| commit(connection, place, &[work], false))
                .map(|changed| Ok(changed?.concat()))
                .collect(),
            Err(error) => {
                *strained |= matches!(error, Failed::Write(_));
                let error = StoreError::from(error);
                works.iter().map(|_| Err(error.clone())).collect()
            }
        };
    // Durable is not enough: the file must still be where it is expected.
    let lost = place.check().err();
    let results = results.into_iter().map(|result| match &lost {
        Some(why) => result.and(Err(why.clone())),
        None => result,
    });
    for (request, result) in group.into_iter().zip(results) {
        // The caller may have stopped waiting.
        let _ = request.answer.send(result);
    }
}

/// Whether other requests may succeed without the one that caused this error.
fn concerns_one_record(error: &rusqlite::Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(ErrorCode::ConstraintViolation | ErrorCode::TooBig | ErrorCode::TypeMismatch)
    )
}

/// Why nothing was written.
enum Failed {
    Write(rusqlite::Error),
    /// The file is not where it was.
    Lost(StoreError),
}

impl From<rusqlite::Error> for Failed {
    fn from(error: rusqlite::Error) -> Self {
        Failed::Write(error)
    }
}

impl From<Failed> for StoreError {
    fn from(failed: Failed) -> Self {
        match failed {
            Failed::Write(error) => plain(error),
            Failed::Lost(why) => why,
        }
    }
}

/// Writes requests in one transaction. **When this returns without an error, they are durable;**
/// otherwise none of them counts as written.
///
/// After a failed sync, pages that the system considers clean may not be on the disk. That is
/// harmless here, and the connection stays open: SQLite rolls the transaction back, so the next one
/// writes the same frames of the log again; and a failed copy to the main file is restarted.
fn commit(
    connection: &mut Connection,
    place: &OnDisk,
    works: &[&Work],
    strained: bool,
) -> Result<Vec<Changed>, Failed> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let mut clock = Clock::read(&transaction)?;
    let changed = works
        .iter()
        .map(|work| match work {
            Work::Insert(rows) => {
                rows.iter().map(|row| insert(&transaction, row, None, &mut clock)).collect()
            }
            Work::Delete(id) => delete(&transaction, id).map(|changed| vec![changed]),
            Work::InsertVerdict(row) => {
                verdicts::insert(&transaction, row, clock.now).map(|new| vec![new])
            }
            Work::DeleteVerdict(id) => {
                verdicts::delete(&transaction, id).map(|changed| vec![changed])
            }
            Work::InsertTable(id, head) => {
                tables::insert(&transaction, *id, head, clock.now).map(|new| vec![new])
            }
            Work::AppendStep(id, number, step) => {
                tables::append(&transaction, *id, *number, step, clock.now).map(|new| vec![new])
            }
            Work::DeleteTable(id) => tables::delete(&transaction, *id).map(|gone| vec![gone]),
            Work::Nothing => probe(&transaction, strained).map(|()| Vec::new()),
        })
        .collect::<rusqlite::Result<_>>()?;
    // What would be lost with the file is not done either: who is refused need not look what became of it.
    place.check().map_err(Failed::Lost)?;
    transaction.commit()?;
    Ok(changed)
}

/// The current time, and whether it is before the time of the newest record.
pub(super) struct Clock {
    pub(super) now: i64,
    pub(super) stepped_back: bool,
}

impl Clock {
    fn read(transaction: &Transaction<'_>) -> rusqlite::Result<Self> {
        let mut statement = transaction
            .prepare_cached("SELECT created_at FROM record ORDER BY number DESC LIMIT 1")?;
        let latest: Option<i64> = statement.query_row((), |row| row.get(0)).optional()?;
        let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let now = i64::try_from(since_1970.as_millis()).unwrap_or(i64::MAX);
        Ok(Clock { now, stepped_back: latest.is_some_and(|latest| now < latest) })
    }
}

/// Writes a dummy value. After a write that failed it is as long as some records, and gone again: on a disk that is
/// almost full, a short one still finds room.
fn probe(transaction: &Transaction<'_>, strained: bool) -> rusqlite::Result<()> {
    const ROOM: usize = 256 << 10;
    if strained {
        let dummy = TableId::from_bytes([0; 16]);
        // Pages that become free are written only so.
        transaction.pragma_update(None, "secure_delete", true)?;
        let written = tables::insert(transaction, dummy, &"0".repeat(ROOM), 0)
            .and_then(|_| tables::delete(transaction, dummy));
        transaction.pragma_update(None, "secure_delete", false)?;
        written?;
    }
    transaction.prepare_cached("UPDATE probe SET times = times + 1")?.execute(()).map(drop)
}

/// Writes a record if its id is new, and returns whether it did; under a given number or the next
/// one.
pub(super) fn insert(
    transaction: &Connection,
    row: &NewRow,
    number: Option<i64>,
    clock: &mut Clock,
) -> rusqlite::Result<bool> {
    let mut statement = transaction.prepare_cached(
        "INSERT INTO record (number, id, created_at, game, ruleset, status, plies, winner, reason, players, meta, verdict, \
         record_length, record) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING",
    )?;
    let written = statement.execute(params![
        number,
        row.id.as_bytes(),
        clock.now,
        row.game,
        row.ruleset,
        row.status.as_str(),
        row.plies,
        row.winner,
        row.reason,
        row.players,
        row.meta,
        row.verdict,
        row.length as i64,
        row.packed,
    ])?;
    if written == 0 {
        return Ok(false);
    }
    let number = transaction.last_insert_rowid();
    if mem::take(&mut clock.stepped_back) {
        let mut statement =
            transaction.prepare_cached("INSERT OR IGNORE INTO clock_step (number) VALUES (?)")?;
        statement.execute((number,))?;
    }
    let mut statement = transaction.prepare_cached(
        "INSERT INTO record_player (name, record) VALUES (?, ?) ON CONFLICT DO NOTHING",
    )?;
    for name in &row.names {
        statement.execute(params![name, number])?;
    }
    if !row.words.is_empty() {
        let mut statement =
            transaction.prepare_cached("INSERT INTO record_meta (rowid, value) VALUES (?, ?)")?;
        statement.execute(params![number, row.words])?;
    }
    Ok(true)
}

/// Deletes a record, and returns whether it existed.
fn delete(transaction: &Transaction<'_>, id: &RecordId) -> rusqlite::Result<bool> {
    let mut statement =
        transaction.prepare_cached("DELETE FROM record WHERE id = ? RETURNING number")?;
    let number: Option<i64> = statement.query_row((id.as_bytes(),), |row| row.get(0)).optional()?;
    let Some(number) = number else {
        return Ok(false);
    };
    transaction.prepare_cached("DELETE FROM record_meta WHERE rowid = ?")?.execute((number,))?;
    Ok(true)
}

/// Copies the log to the main file once it has grown enough. This comes after the answers, so only
/// later requests wait for it. Readers are not disturbed; and since they read in short steps, the
/// log can restart after the copy.
fn checkpoint_if_due(connection: &Connection) {
    let pages = |mode: &str| -> rusqlite::Result<(i64, i64)> {
        let mut statement = connection.prepare_cached(mode)?;
        statement.query_row((), |row| Ok((row.get(1)?, row.get(2)?)))
    };
    // If copying fails, nothing is lost: the log stays, and the next group tries again.
    if let Ok((logged, copied)) = pages("PRAGMA wal_checkpoint(NOOP)")
        && logged - copied >= CHECKPOINT_PAGES
    {
        let _ = pages("PRAGMA wal_checkpoint(PASSIVE)");
    }
}
