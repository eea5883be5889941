//! The connection that writes.
//!
//! As in the SQLite store, requests that are queued while a group is being written form the next
//! group, and a group is one transaction: the busier the store, the larger the groups. A group is
//! sent to the database in one go, including its commit, so it costs one round trip. Of all servers
//! only one writes at a time, under a transaction lock, so that numbers are assigned in the order
//! in which they become visible.
//!
//! This module must not acknowledge anything before the database has confirmed the commit.

use std::collections::HashSet;
use std::pin::Pin;
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Mutex, PoisonError};
use std::task::Poll;
use std::time::Duration;

use data_encoding::HEXLOWER;
use futures_util::poll;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::timeout;
use tokio_postgres::error::SqlState;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, Error, Row, Statement};

use super::super::queue::{Changed, Message, Request, Room, closed, gather};
use super::super::row::NewRow;
use super::super::{NewVerdict, RecordId, StoreError, StoreFuture, TableId, body};
use super::address::Address;
use super::faults::{concerns_one_record, plain};
use super::query::name;
use super::settings::Settings;
use super::{open, words};

/// The notification channel between servers.
pub(super) const CHANNEL: &str = "umpire_tables";

/// Settings of the writing connection: one that hangs must not block the others.
const SETTINGS: [&str; 3] =
    ["lock_timeout=15s", "statement_timeout=60s", "idle_in_transaction_session_timeout=15s"];

macro_rules! lock {
    () => {
        "SELECT pg_advisory_xact_lock(6147086208158105602)"
    };
}

/// The lock of a transaction that writes.
pub(super) const LOCK: &str = lock!();

/// The start of a transaction that writes: a single statement with a single response.
const BEGIN: &str = concat!("BEGIN; ", lock!());

/// Inserts the records that do not exist yet, in order, and returns their ids. The order is that of
/// the arrays, which a scan of a single function keeps without sorting. `stepped`: the clock was
/// set back.
const INSERT: &str = "WITH clock AS MATERIALIZED ( \
       SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now, \
              (SELECT created_at FROM record ORDER BY number DESC LIMIT 1) AS latest), \
     new AS ( \
       INSERT INTO record (created_at, plies, record_length, id, game, ruleset, status, winner, reason, players, meta, \
                           verdict, names, words, lexemes, record) \
       SELECT (SELECT now FROM clock), g.plies, g.length, g.id, g.game, g.ruleset, g.status, g.winner, g.reason, \
              g.players, g.meta, g.verdict, g.names::bytea[], g.words, \
              array_to_tsvector(string_to_array(g.lexemes, ' ')), g.record \
       FROM unnest($1::integer[], $2::integer[], $3::bytea[], $4::text[], $5::text[], $6::text[], \
                   $7::text[], $8::text[], $9::text[], $10::text[], $11::text[], $12::text[], $13::text[], \
                   $14::text[], $15::bytea[]) \
            AS g (plies, length, id, game, ruleset, status, winner, reason, players, meta, verdict, names, words, \
                  lexemes, record) \
       ON CONFLICT (id) DO NOTHING RETURNING number, id, names, created_at), \
     named AS ( \
       INSERT INTO record_player (name, record) SELECT unnest(names), number FROM new), \
     stepped AS ( \
       INSERT INTO clock_step SELECT min(number) FROM new, clock WHERE new.created_at < clock.latest \
       HAVING min(number) IS NOT NULL ON CONFLICT DO NOTHING) \
     SELECT id FROM new";

/// Deletes a record, and returns whether it existed.
const DELETE: &str = "WITH gone AS (DELETE FROM record WHERE id = $1 RETURNING number, names), \
     unnamed AS ( \
       DELETE FROM record_player p USING (SELECT DISTINCT unnest(names) AS name, number FROM gone) g \
       WHERE p.name = g.name AND p.record = g.number) \
     SELECT 1 FROM gone";

const INSERT_VERDICT: &str = "INSERT INTO verdict (created_at, id, signature, sheet_length, sheet) \
     VALUES ((extract(epoch FROM clock_timestamp()) * 1000)::bigint, $1, $2, $3, $4) \
     ON CONFLICT (id) DO NOTHING RETURNING 1";

const DELETE_VERDICT: &str = "DELETE FROM verdict WHERE id = $1 RETURNING 1";

const INSERT_TABLE: &str = "INSERT INTO live_table (created_at, id, head) \
     VALUES ((extract(epoch FROM clock_timestamp()) * 1000)::bigint, $1, $2) \
     ON CONFLICT (id) DO NOTHING RETURNING 1";

/// Writes the next step of a table, and notifies the other servers.
const APPEND: &str = "WITH done AS ( \
       INSERT INTO live_step (live_table, step, taken_at, text) \
       SELECT number, $2, (extract(epoch FROM clock_timestamp()) * 1000)::bigint, $3 FROM live_table WHERE id = $1 \
       AND (SELECT coalesce(max(step), -1) FROM live_step WHERE live_table = number) = $2 - 1 RETURNING 1) \
     SELECT pg_notify('umpire_tables', $4) FROM done";

const DELETE_TABLE: &str = "WITH gone AS (DELETE FROM live_table WHERE id = $1 RETURNING 1) \
     SELECT pg_notify('umpire_tables', $2) FROM gone";

const PROBE: &str = "UPDATE probe SET times = times + 1";

/// After the disk was full: writes a row of 256 kB that cannot be compressed, and deletes it. On a disk that is almost full, a
/// short row still finds room.
const PROBE_FOR_ROOM: &str = "INSERT INTO live_table (created_at, id, head) \
       SELECT 0, decode(repeat('00', 16), 'hex'), string_agg(encode(sha256(convert_to(i::text, 'UTF8')), 'hex'), '') \
       FROM generate_series(1, 4096) AS i; \
     DELETE FROM live_table WHERE id = decode(repeat('00', 16), 'hex')";

/// A record to write, and its words.
pub(super) struct Prepared {
    row: NewRow,
    words: Option<(String, String)>,
    names: String,
}

impl Prepared {
    /// Does everything that needs no database, so that the single writer need not.
    pub(super) fn of(row: NewRow) -> Self {
        let words = words::kept(&row.words);
        let names = array(row.names.iter().map(|it| name(it)));
        Prepared { row, words, names }
    }

    fn bytes(&self) -> usize {
        let words = self.words.as_ref().map_or(0, |(all, index)| all.len() + index.len());
        self.row.bytes() + words + self.names.len()
    }
}

/// A sheet to write.
pub(super) struct PreparedVerdict {
    pub(super) id: RecordId,
    pub(super) signature: Option<String>,
    pub(super) length: i32,
    pub(super) packed: Vec<u8>,
}

impl PreparedVerdict {
    pub(super) fn of(new: NewVerdict) -> Result<Self, StoreError> {
        let NewVerdict { id, sheet, signature } = new;
        let packed = body::pack(&sheet)?;
        Ok(PreparedVerdict { id, signature, length: number(sheet.len()), packed })
    }
}

/// The work of the writer.
pub(super) enum Work {
    Insert(Vec<Prepared>),
    Delete(RecordId),
    InsertVerdict(PreparedVerdict),
    DeleteVerdict(RecordId),
    InsertTable(TableId, String),
    /// The last field is the notification for other servers.
    AppendStep(TableId, i32, String, String),
    DeleteTable(TableId, String),
    /// Write a dummy value, to check that writing works.
    Nothing,
}

impl Work {
    fn bytes(&self) -> usize {
        match self {
            Self::Insert(rows) => rows.iter().map(Prepared::bytes).sum(),
            Self::InsertVerdict(row) => row.packed.len(),
            Self::InsertTable(_, text) | Self::AppendStep(_, _, text, _) => text.len(),
            Self::Delete(_) | Self::DeleteVerdict(_) | Self::DeleteTable(..) | Self::Nothing => 0,
        }
    }
}

/// The callers' end of the writing connection.
pub(super) struct Writer {
    queue: UnboundedSender<Message<Work>>,
    room: Room,
    /// Disconnects when the queue has been written.
    finished: Mutex<Receiver<()>>,
}

impl Writer {
    /// A writer, and the future that runs it until it is closed.
    pub(super) fn new(
        address: Address,
        settings: Settings,
    ) -> (Self, impl Future<Output = ()> + Send + 'static) {
        let (queue, requests) = unbounded_channel();
        let (ends, finished) = mpsc::channel();
        let room = Room::new(settings.queue_bytes, settings.busy_after);
        let writer = Writer { queue, room, finished: Mutex::new(finished) };
        (writer, run(address, settings, requests, ends))
    }

    /// Queues a request as soon as there is room, and waits for its commit.
    pub(super) fn submit(&self, work: Work) -> StoreFuture<Changed> {
        let (queue, bytes) = (self.queue.clone(), work.bytes());
        self.room.submit(work, bytes, move |message| queue.send(message).is_ok())
    }

    /// Refuses further requests, and waits until the queued ones are written. Blocks.
    pub(super) fn close(&self) {
        self.room.close();
        // If nobody receives this, it has already ended.
        let _ = self.queue.send(Message::Close);
        let finished = self.finished.lock().unwrap_or_else(PoisonError::into_inner);
        // Nothing is ever sent: the channel closes at the end.
        let _ = finished.recv();
    }
}

/// A connection with its prepared statements.
struct Connection {
    client: Client,
    insert: Statement,
    delete: Statement,
    insert_verdict: Statement,
    delete_verdict: Statement,
    insert_table: Statement,
    append: Statement,
    delete_table: Statement,
    probe: Statement,
    /// Whether the disk was full at the last write.
    strained: bool,
}

impl Connection {
    async fn open(address: &Address, within: Duration) -> Result<Self, StoreError> {
        let client = open::connect(address, &SETTINGS, within).await?;
        open::begin_writing(&client).await?;
        let prepared = async {
            open::make_durable(&client).await?;
            Ok::<_, Error>(Connection {
                insert: client.prepare(INSERT).await?,
                delete: client.prepare(DELETE).await?,
                insert_verdict: client.prepare(INSERT_VERDICT).await?,
                delete_verdict: client.prepare(DELETE_VERDICT).await?,
                insert_table: client.prepare(INSERT_TABLE).await?,
                append: client.prepare(APPEND).await?,
                delete_table: client.prepare(DELETE_TABLE).await?,
                probe: client.prepare(PROBE).await?,
                strained: false,
                client,
            })
        };
        timeout(within, prepared)
            .await
            .map_err(|_| StoreError::Unavailable("the database does not answer".to_owned()))?
            .map_err(|error| plain(&error))
    }
}

/// The loop of the writer. `_ends` is dropped with it.
async fn run(
    address: Address,
    settings: Settings,
    mut queue: UnboundedReceiver<Message<Work>>,
    _ends: Sender<()>,
) {
    let mut connection: Option<Connection> = None;
    let mut closing = false;
    while !closing {
        let Some(first) = queue.recv().await else { return };
        let group;
        (group, closing) = gather(first, || queue.try_recv().ok());
        if !group.is_empty() {
            write_group(&address, settings, &mut connection, group).await;
        }
    }
}

/// Writes a group together; if one of its records cannot be written, each request separately. Then
/// answers.
async fn write_group(
    address: &Address,
    settings: Settings,
    connection: &mut Option<Connection>,
    group: Vec<Request<Work>>,
) {
    let works: Vec<&Work> = group.iter().map(|request| &request.work).collect();
    let results = match write(address, settings, connection, &works).await {
        Ok(changed) => changed.into_iter().map(Ok).collect(),
        Err(WriteError { each: true, .. }) if works.len() > 1 => {
            let mut results = Vec::new();
            for work in &works {
                let result = write(address, settings, connection, &[work]).await;
                results.push(result.map(|changed| changed.concat()).map_err(|failed| failed.why));
            }
            results
        }
        Err(WriteError { why, .. }) => works.iter().map(|_| Err(why.clone())).collect::<Vec<_>>(),
    };
    for (request, result) in group.into_iter().zip(results) {
        // The caller may have stopped waiting.
        let _ = request.answer.send(result);
    }
}

/// Why nothing was written, and whether parts of it can be written separately.
struct WriteError {
    why: StoreError,
    each: bool,
}

/// Writes requests in one transaction, on a new connection if there is none. **When this returns
/// without an error, they are durable.** Otherwise the result is unknown only if the connection was
/// lost during the commit; then the same request may be repeated.
async fn write(
    address: &Address,
    settings: Settings,
    kept: &mut Option<Connection>,
    works: &[&Work],
) -> Result<Vec<Changed>, WriteError> {
    let whole = |why| WriteError { why, each: false };
    if kept.as_ref().is_none_or(|connection| connection.client.is_closed()) {
        *kept = None;
        *kept = Some(Connection::open(address, settings.connect_wait).await.map_err(whole)?);
    }
    let Some(connection) = kept.as_mut() else { return Err(whole(closed())) };
    match commit(connection, works).await {
        Ok(changed) => {
            connection.strained = false;
            Ok(changed)
        }
        Err(error) => {
            connection.strained |= error.code() == Some(&SqlState::DISK_FULL);
            if connection.client.is_closed() || error.as_db_error().is_none() {
                *kept = None;
            }
            Err(WriteError { why: plain(&error), each: concerns_one_record(&error) })
        }
    }
}

type Answer<'a> = Pin<Box<dyn Future<Output = Result<Vec<Row>, Error>> + Send + 'a>>;

/// The parameters of one statement.
enum Parameters<'a> {
    Records(Box<Columns<'a>>),
    Id(&'a [u8]),
    Verdict(&'a PreparedVerdict, &'a [u8]),
    Table(&'a [u8], &'a str),
    Step(&'a [u8], i32, &'a str, &'a str),
    Nothing,
}

/// Sends a whole transaction, from its start to its commit, and waits for the results.
///
/// If a statement fails, the database rejects those after it, including the commit.
async fn commit(connection: &Connection, works: &[&Work]) -> Result<Vec<Changed>, Error> {
    let client = &connection.client;
    if connection.strained && works.iter().any(|work| matches!(work, Work::Nothing)) {
        client.batch_execute(PROBE_FOR_ROOM).await?;
    }
    // Consecutive records are written by a single statement.
    let mut statements: Vec<(&Statement, Parameters<'_>)> = Vec::new();
    let mut left = works;
    while let Some((work, rest)) = left.split_first() {
        left = rest;
        statements.push(match work {
            Work::Insert(rows) => {
                let mut columns = Columns::default();
                rows.iter().for_each(|row| columns.add(row));
                while let Some((Work::Insert(rows), rest)) = left.split_first() {
                    rows.iter().for_each(|row| columns.add(row));
                    left = rest;
                }
                (&connection.insert, Parameters::Records(Box::new(columns)))
            }
            Work::Delete(id) => (&connection.delete, Parameters::Id(id.as_bytes())),
            Work::InsertVerdict(row) => {
                (&connection.insert_verdict, Parameters::Verdict(row, row.id.as_bytes()))
            }
            Work::DeleteVerdict(id) => (&connection.delete_verdict, Parameters::Id(id.as_bytes())),
            Work::InsertTable(id, head) => {
                (&connection.insert_table, Parameters::Table(id.as_bytes(), head))
            }
            Work::AppendStep(id, step, text, news) => {
                (&connection.append, Parameters::Step(id.as_bytes(), *step, text, news))
            }
            Work::DeleteTable(id, news) => {
                (&connection.delete_table, Parameters::Table(id.as_bytes(), news))
            }
            Work::Nothing => (&connection.probe, Parameters::Nothing),
        });
    }
    let values: Vec<Vec<&(dyn ToSql + Sync)>> =
        statements.iter().map(|(_, bound)| bound.values()).collect();
    let asked = statements.iter().zip(&values).map(|((statement, _), values)| -> Answer<'_> {
        Box::pin(client.query(*statement, values))
    });
    let begun: Answer<'_> =
        Box::pin(async { client.batch_execute(BEGIN).await.map(|()| Vec::new()) });
    let ended: Answer<'_> =
        Box::pin(async { client.batch_execute("COMMIT").await.map(|()| Vec::new()) });
    let mut pending = Vec::new();
    for mut answer in [begun].into_iter().chain(asked).chain([ended]) {
        // Polling sends the statement, so they are sent in order; the results arrive in order, too.
        pending.push((poll!(&mut answer), answer));
    }
    let mut answers = Vec::new();
    let mut failed = None;
    for (first, answer) in pending {
        let result = match first {
            Poll::Ready(result) => result,
            Poll::Pending => answer.await,
        };
        match result {
            Ok(rows) => answers.push(rows),
            // The first error is the cause; the later ones only say that there was one.
            Err(error) => failed = failed.or(Some(error)),
        }
    }
    if let Some(error) = failed {
        return Err(error);
    }
    let mut answers = answers.into_iter().skip(1);
    let mut changed = Vec::new();
    let mut left = works;
    while let Some((work, rest)) = left.split_first() {
        let rows = answers.next().unwrap_or_default();
        match work {
            Work::Insert(_) => {
                let of = left.iter().take_while(|work| matches!(work, Work::Insert(_))).count();
                let mut new: HashSet<&[u8]> = rows.iter().map(|row| row.get(0)).collect();
                for work in &left[..of] {
                    let Work::Insert(rows) = work else { continue };
                    // If a record occurs twice, the first occurrence is the new one.
                    let ids = rows.iter().map(|row| row.row.id.as_bytes().as_slice());
                    changed.push(ids.map(|id| new.remove(id)).collect());
                }
                left = &left[of..];
                continue;
            }
            Work::Nothing => changed.push(Vec::new()),
            _ => changed.push(vec![!rows.is_empty()]),
        }
        left = rest;
    }
    Ok(changed)
}

impl Parameters<'_> {
    fn values(&self) -> Vec<&(dyn ToSql + Sync)> {
        match self {
            Parameters::Records(columns) => columns.values(),
            Parameters::Id(id) => vec![id],
            Parameters::Verdict(row, id) => {
                vec![id, &row.signature, &row.length, &row.packed]
            }
            Parameters::Table(id, text) => vec![id, text],
            Parameters::Step(id, number, text, news) => vec![id, number, text, news],
            Parameters::Nothing => Vec::new(),
        }
    }
}

/// Byte strings as the text of an array: each record's names are a single value, for a simple
/// insertion.
fn array(all: impl Iterator<Item = Vec<u8>>) -> String {
    let mut text = String::new();
    for bytes in all {
        text.push(if text.is_empty() { '{' } else { ',' });
        text.push_str(r"\\x");
        HEXLOWER.encode_append(&bytes, &mut text);
    }
    if text.is_empty() { "{}".to_owned() } else { text + "}" }
}

/// A number that is known to be small.
fn number(number: usize) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

/// Records column by column, each record once.
#[derive(Default)]
pub(super) struct Columns<'a> {
    known: HashSet<&'a [u8]>,
    plies: Vec<i32>,
    length: Vec<i32>,
    id: Vec<&'a [u8]>,
    game: Vec<&'a str>,
    ruleset: Vec<&'a str>,
    status: Vec<&'a str>,
    winner: Vec<Option<&'a str>>,
    reason: Vec<Option<&'a str>>,
    players: Vec<&'a str>,
    meta: Vec<&'a str>,
    verdict: Vec<&'a str>,
    names: Vec<&'a str>,
    words: Vec<Option<&'a str>>,
    lexemes: Vec<Option<&'a str>>,
    record: Vec<&'a [u8]>,
}

impl<'a> Columns<'a> {
    pub(super) fn add(&mut self, prepared: &'a Prepared) {
        let Prepared { row, words, names } = prepared;
        if !self.known.insert(row.id.as_bytes()) {
            return;
        }
        self.plies.push(i32::try_from(row.plies).unwrap_or(i32::MAX));
        self.length.push(number(row.length));
        self.id.push(row.id.as_bytes());
        self.game.push(&row.game);
        self.ruleset.push(&row.ruleset);
        self.status.push(row.status.as_str());
        self.winner.push(row.winner.as_deref());
        self.reason.push(row.reason.as_deref());
        self.players.push(&row.players);
        self.meta.push(&row.meta);
        self.verdict.push(&row.verdict);
        self.names.push(names);
        self.words.push(words.as_ref().map(|(all, _)| all.as_str()));
        self.lexemes.push(words.as_ref().map(|(_, index)| index.as_str()));
        self.record.push(&row.packed);
    }

    pub(super) fn values(&self) -> Vec<&(dyn ToSql + Sync)> {
        vec![
            &self.plies,
            &self.length,
            &self.id,
            &self.game,
            &self.ruleset,
            &self.status,
            &self.winner,
            &self.reason,
            &self.players,
            &self.meta,
            &self.verdict,
            &self.names,
            &self.words,
            &self.lexemes,
            &self.record,
        ]
    }
}
