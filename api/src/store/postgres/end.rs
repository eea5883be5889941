//! One end of a copy of a whole store: a database.
//!
//! This module must not write to a database that a server writes to, and must not put a value into
//! the text of a statement.

use std::future::Future;

use tokio::runtime::{Builder, Runtime};
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, Row};

use super::super::row::NewRow;
use super::super::select::stored_columns;
use super::super::whole::{AT_ONCE, BYTES_AT_ONCE, Item, Kept, Kind, Part, Whole};
use super::super::{
    NewRecord, NewVerdict, RecordId, StoreError, Stored, StoredStep, StoredTable, StoredVerdict,
    TableId, body,
};
use super::address::Address;
use super::faults::plain;
use super::open;
use super::query::{column, id, stored};
use super::settings::Settings;
use super::writer::{Columns, LOCK, Prepared, PreparedVerdict};

/// Records by number.
const RECORDS: &str = concat!(
    "SELECT ",
    stored_columns!(),
    " FROM record r WHERE r.number = ANY($1) ORDER BY r.number"
);

/// Sheets by number.
const VERDICTS: &str = "SELECT number, id, created_at, signature, sheet_length, sheet FROM verdict \
     WHERE number = ANY($1) ORDER BY number";

/// Tables by number, with their steps.
const TABLES: &str = "SELECT number, id, created_at, head, \
     ARRAY(SELECT taken_at FROM live_step WHERE live_table = number ORDER BY step), \
     ARRAY(SELECT text FROM live_step WHERE live_table = number ORDER BY step) \
     FROM live_table WHERE number = ANY($1) ORDER BY number";

/// Writes records with their numbers and times.
const WRITE: &str = "WITH new AS ( \
       INSERT INTO record (number, created_at, plies, record_length, id, game, ruleset, status, winner, reason, \
                           players, meta, verdict, names, words, lexemes, record) \
       SELECT g.number, g.created_at, g.plies, g.length, g.id, g.game, g.ruleset, g.status, g.winner, g.reason, \
              g.players, g.meta, g.verdict, g.names::bytea[], g.words, \
              array_to_tsvector(string_to_array(g.lexemes, ' ')), g.record \
       FROM unnest($1::integer[], $2::integer[], $3::bytea[], $4::text[], $5::text[], $6::text[], \
                   $7::text[], $8::text[], $9::text[], $10::text[], $11::text[], $12::text[], $13::text[], \
                   $14::text[], $15::bytea[], $16::bigint[], $17::bigint[]) \
            AS g (plies, length, id, game, ruleset, status, winner, reason, players, meta, verdict, names, words, \
                  lexemes, record, number, created_at) \
       RETURNING number, names) \
     INSERT INTO record_player (name, record) SELECT unnest(names), number FROM new";

/// Records before which the clock was set back, from the one before a number.
const CLOCK_STEPS: &str = "INSERT INTO clock_step SELECT number FROM \
     (SELECT number, created_at, lag(created_at) OVER (ORDER BY number) AS before FROM record \
      WHERE number >= coalesce((SELECT max(number) FROM record WHERE number < $1), $1)) AS r \
     WHERE created_at < before ON CONFLICT DO NOTHING";

const WRITE_VERDICT: &str = "INSERT INTO verdict (number, created_at, id, signature, sheet_length, sheet) \
     VALUES ($1, $2, $3, $4, $5, $6)";

const WRITE_TABLE: &str = "WITH made AS ( \
       INSERT INTO live_table (number, created_at, id, head) VALUES ($1, $2, $3, $4) RETURNING number) \
     INSERT INTO live_step (live_table, step, taken_at, text) \
     SELECT made.number, s.at - 1, s.taken_at, s.text \
     FROM made, unnest($5::bigint[], $6::text[]) WITH ORDINALITY AS s (taken_at, text, at)";

/// The queries for one kind of item: how many there are, which are next and how long they are, the
/// items themselves, and the number that the next one will get.
struct KindQueries {
    count: &'static str,
    next: &'static str,
    these: &'static str,
    number: &'static str,
}

const fn asked(kind: Kind) -> KindQueries {
    match kind {
        Kind::Record => KindQueries {
            count: "SELECT count(*) FROM record",
            next: "SELECT number, octet_length(record)::bigint FROM record \
                   WHERE number > $1 ORDER BY number LIMIT $2",
            these: RECORDS,
            number: "SELECT setval('record_number_seq', greatest($1, last_value)) FROM record_number_seq",
        },
        Kind::Verdict => KindQueries {
            count: "SELECT count(*) FROM verdict",
            next: "SELECT number, octet_length(sheet)::bigint FROM verdict \
                   WHERE number > $1 ORDER BY number LIMIT $2",
            these: VERDICTS,
            number: "SELECT setval('verdict_number_seq', greatest($1, last_value)) FROM verdict_number_seq",
        },
        Kind::Table => KindQueries {
            count: "SELECT count(*) FROM live_table",
            next: "SELECT number, coalesce((SELECT sum(octet_length(text)) FROM live_step \
                   WHERE live_table = number), 0)::bigint FROM live_table \
                   WHERE number > $1 ORDER BY number LIMIT $2",
            these: TABLES,
            number: "SELECT setval('live_table_number_seq', greatest($1, last_value)) FROM live_table_number_seq",
        },
    }
}

/// A database that is the source or the destination of a copy.
pub(in super::super) struct DatabaseEnd {
    runtime: Runtime,
    client: Client,
}

impl DatabaseEnd {
    /// The database to copy. Nobody can write to it while this value exists.
    ///
    /// # Errors
    /// A [`StoreError`]: it cannot be reached, contains no store, is too new, or a server is
    /// writing to it.
    pub(in super::super) fn source(address: &str) -> Result<Self, StoreError> {
        Self::open(address, false)
    }

    /// The database to copy into; the store is created if there is none. Nobody else can write to
    /// it while this value exists.
    ///
    /// # Errors
    /// A [`StoreError`]: it cannot be reached or written, is too new, or a server is writing to it.
    pub(in super::super) fn target(address: &str) -> Result<Self, StoreError> {
        Self::open(address, true)
    }

    fn open(address: &str, make: bool) -> Result<Self, StoreError> {
        let address = Address::read(address)?;
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| StoreError::Unavailable(error.to_string()))?;
        let client = runtime.block_on(async {
            let mut client = open::connect(&address, &[], Settings::default().connect_wait).await?;
            if !make && !open::has_store(&client).await? {
                return Err(StoreError::Unavailable("it contains no store".to_owned()));
            }
            open::prepare(&mut client).await?;
            open::keep_others_out(&client).await?;
            open::make_durable(&client).await.map_err(|error| plain(&error))?;
            Ok(client)
        })?;
        Ok(DatabaseEnd { runtime, client })
    }

    fn wait<T>(
        &self,
        asked: impl Future<Output = Result<T, tokio_postgres::Error>>,
    ) -> Result<T, StoreError> {
        self.runtime.block_on(asked).map_err(|error| plain(&error))
    }

    /// Reads items by number; one by one if the database cannot read them together.
    fn these(&self, kind: Kind, numbers: &[i64], items: &mut Vec<Item>) -> Result<(), StoreError> {
        match self.wait(self.client.query(asked(kind).these, &[&numbers])) {
            Ok(rows) => {
                for row in &rows {
                    let number = column(row, 0)?;
                    let kept = self.read(kind, row).map_err(|error| match id(row, 1) {
                        Ok(id) if kind != Kind::Table => format!("{} {id}: {error}", kind.name()),
                        _ => format!("{} {number}: {error}", kind.name()),
                    });
                    items.push(Item { number, kept });
                }
                Ok(())
            }
            Err(StoreError::Corrupt(_)) if numbers.len() > 1 => {
                numbers.iter().try_for_each(|number| self.these(kind, &[*number], items))
            }
            Err(error @ StoreError::Corrupt(_)) => {
                let named = |number: &i64| format!("{} {number}: {error}", kind.name());
                items.extend(numbers.iter().map(|it| Item { number: *it, kept: Err(named(it)) }));
                Ok(())
            }
            Err(error) => Err(error),
        }
    }

    #[allow(clippy::unused_self, reason = "called like the other functions that read items")]
    fn read(&self, kind: Kind, row: &Row) -> Result<Kept, StoreError> {
        Ok(match kind {
            Kind::Record => Kept::Record(stored(row)?),
            Kind::Verdict => {
                let length: i32 = column(row, 4)?;
                let length = usize::try_from(length)
                    .map_err(|_| StoreError::Corrupt(format!("a sheet has the length {length}")))?;
                Kept::Verdict(StoredVerdict {
                    id: id(row, 1)?,
                    created_at: column(row, 2)?,
                    signature: column(row, 3)?,
                    sheet: body::unpack(column(row, 5)?, length)?,
                })
            }
            Kind::Table => {
                let bytes: &[u8] = column(row, 1)?;
                let bytes = <[u8; 16]>::try_from(bytes)
                    .map_err(|_| StoreError::Corrupt("a table has no id".to_owned()))?;
                let (times, texts): (Vec<i64>, Vec<String>) = (column(row, 4)?, column(row, 5)?);
                let steps = times.into_iter().zip(texts);
                Kept::Table(StoredTable {
                    id: TableId::from_bytes(bytes),
                    created_at: column(row, 2)?,
                    head: column(row, 3)?,
                    steps: steps.map(|(taken_at, text)| StoredStep { taken_at, text }).collect(),
                })
            }
        })
    }
}

/// Items that are ready to be written.
#[derive(Default)]
struct Batch<'a> {
    records: Vec<(i64, i64, Prepared)>,
    verdicts: Vec<(i64, i64, RecordId, PreparedVerdict)>,
    tables: Vec<(i64, &'a StoredTable)>,
}

impl<'a> Batch<'a> {
    fn of(items: &'a [(i64, Kept)]) -> Result<Self, StoreError> {
        let mut ready = Batch::default();
        for (number, kept) in items {
            match kept {
                Kept::Record(it) => {
                    let Stored { id, created_at, summary, record } = it.clone();
                    let row = NewRow::pack(NewRecord { id, record, summary })?;
                    ready.records.push((*number, created_at, Prepared::of(row)));
                }
                Kept::Verdict(it) => {
                    let StoredVerdict { id, created_at, sheet, signature } = it.clone();
                    let row = PreparedVerdict::of(NewVerdict { id, sheet, signature })?;
                    ready.verdicts.push((*number, created_at, id, row));
                }
                Kept::Table(it) => ready.tables.push((*number, it)),
            }
        }
        Ok(ready)
    }
}

impl Whole for DatabaseEnd {
    fn count(&mut self, kind: Kind) -> Result<u64, StoreError> {
        let row = self.wait(self.client.query_one(asked(kind).count, &[]))?;
        column::<i64>(&row, 0).map(i64::cast_unsigned)
    }

    fn after(&mut self, kind: Kind, number: i64) -> Result<Part, StoreError> {
        let most = AT_ONCE as i64;
        let rows = self.wait(self.client.query(asked(kind).next, &[&number, &most]))?;
        let mut part = Part {
            items: Vec::new(),
            holes: Vec::new(),
            last: number,
            ended: rows.len() < AT_ONCE,
        };
        let (mut numbers, mut bytes) = (Vec::new(), 0);
        for row in &rows {
            if bytes >= BYTES_AT_ONCE as i64 {
                part.ended = false;
                break;
            }
            part.last = column(row, 0)?;
            numbers.push(part.last);
            bytes += column::<i64>(row, 1)?;
        }
        self.these(kind, &numbers, &mut part.items)?;
        Ok(part)
    }

    fn write(&mut self, items: &[(i64, Kept)]) -> Result<(), StoreError> {
        let ready = Batch::of(items)?;
        let mut columns = Columns::default();
        ready.records.iter().for_each(|(_, _, it)| columns.add(it));
        let numbers: Vec<i64> = ready.records.iter().map(|(number, _, _)| *number).collect();
        let times: Vec<i64> = ready.records.iter().map(|(_, time, _)| *time).collect();
        let client = &mut self.client;
        let written = async {
            let transaction = client.transaction().await?;
            transaction.query(LOCK, &[]).await?;
            if let Some(first) = numbers.first() {
                let mut values = columns.values();
                values.extend([&numbers as &(dyn ToSql + Sync), &times]);
                transaction.execute(WRITE, &values).await?;
                transaction.execute(CLOCK_STEPS, &[first]).await?;
            }
            for (number, time, id, row) in &ready.verdicts {
                let id = id.as_bytes().as_slice();
                let values: [&(dyn ToSql + Sync); 6] =
                    [number, time, &id, &row.signature, &row.length, &row.packed];
                transaction.execute(WRITE_VERDICT, &values).await?;
            }
            for (number, table) in &ready.tables {
                let id = table.id.as_bytes().as_slice();
                let taken: Vec<i64> = table.steps.iter().map(|step| step.taken_at).collect();
                let texts: Vec<&str> = table.steps.iter().map(|it| it.text.as_str()).collect();
                let values: [&(dyn ToSql + Sync); 6] =
                    [number, &table.created_at, &id, &table.head, &taken, &texts];
                transaction.execute(WRITE_TABLE, &values).await?;
            }
            // The next insertion must not get a number that is already used.
            let last =
                |numbers: Option<i64>, kind| numbers.map(|number| (number, asked(kind).number));
            let next = [
                last(numbers.last().copied(), Kind::Record),
                last(ready.verdicts.last().map(|it| it.0), Kind::Verdict),
                last(ready.tables.last().map(|it| it.0), Kind::Table),
            ];
            for (number, text) in next.into_iter().flatten() {
                transaction.query(text, &[&number]).await?;
            }
            transaction.commit().await
        };
        self.runtime.block_on(written).map_err(|error| plain(&error))
    }

    fn close(self: Box<Self>) -> Result<(), StoreError> {
        // Update the statistics after a bulk insertion.
        self.wait(self.client.batch_execute("ANALYZE record, record_player, live_step"))
    }
}
