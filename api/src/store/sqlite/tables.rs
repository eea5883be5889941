//! Live tables: the statements that write and read them.
//!
//! The single writer writes them in the same transactions as records, so they are as durable. This
//! module must not parse a head or a step.

use rusqlite::{Connection, OptionalExtension, params};

use super::super::{KeptTable, StoreError, StoredStep, StoredTable, TableId};
use super::faults::plain;

/// Inserts a table if its id is new, and returns whether it did.
pub(super) fn insert(
    connection: &Connection,
    id: TableId,
    head: &str,
    now: i64,
) -> rusqlite::Result<bool> {
    let mut statement = connection.prepare_cached(
        "INSERT INTO live_table (id, created_at, head) VALUES (?, ?, ?) ON CONFLICT (id) DO NOTHING",
    )?;
    Ok(statement.execute(params![id.as_bytes(), now, head])? > 0)
}

/// Writes the next step of a table, and returns whether it did: not if there is no such table, if
/// that step already exists, or if the one before it does not.
pub(super) fn append(
    connection: &Connection,
    id: TableId,
    step: u32,
    text: &str,
    now: i64,
) -> rusqlite::Result<bool> {
    let mut statement = connection.prepare_cached(
        "INSERT INTO live_step (live_table, step, taken_at, text) \
         SELECT number, ?2, ?3, ?4 FROM live_table WHERE id = ?1 \
         AND (SELECT coalesce(max(step), -1) FROM live_step WHERE live_table = number) = ?2 - 1",
    )?;
    Ok(statement.execute(params![id.as_bytes(), step, now, text])? > 0)
}

/// Deletes a table with its steps, and returns whether it existed.
pub(super) fn delete(connection: &Connection, id: TableId) -> rusqlite::Result<bool> {
    let mut statement = connection.prepare_cached("DELETE FROM live_table WHERE id = ?")?;
    Ok(statement.execute((id.as_bytes(),))? > 0)
}

/// Whether the store has tables: one with an older schema, opened for reading only, has none.
pub(super) fn has_tables(connection: &Connection) -> rusqlite::Result<bool> {
    let asked = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'live_table'";
    connection.prepare_cached(asked)?.exists(())
}

/// One table by its id.
pub(super) fn find(
    connection: &Connection,
    id: TableId,
) -> Result<Option<StoredTable>, StoreError> {
    let asked = "SELECT number, id, created_at, head FROM live_table WHERE id = ?";
    found(connection, asked, id.as_bytes()).map_err(plain)
}

/// The next table after a number, with its number; `None` at the end.
pub(super) fn after(
    connection: &Connection,
    number: i64,
) -> rusqlite::Result<Option<(i64, StoredTable)>> {
    let asked = "SELECT number FROM live_table WHERE number > ? ORDER BY number LIMIT 1";
    let next: Option<i64> =
        connection.prepare_cached(asked)?.query_row((number,), |row| row.get(0)).optional()?;
    let Some(number) = next else { return Ok(None) };
    let asked = "SELECT number, id, created_at, head FROM live_table WHERE number = ?";
    Ok(found(connection, asked, number)?.map(|table| (number, table)))
}

/// Some tables with a number below this one, the newest first, each with its number.
pub(super) fn before(
    connection: &Connection,
    number: i64,
    most: u32,
) -> rusqlite::Result<Vec<(i64, KeptTable)>> {
    let mut statement = connection.prepare_cached(
        "SELECT number, id, created_at, head, count(step), coalesce(max(taken_at), created_at), \
         octet_length(head) + coalesce(sum(octet_length(text)), 0) \
         FROM (SELECT * FROM live_table WHERE number < ? ORDER BY number DESC LIMIT ?) \
         LEFT JOIN live_step ON live_table = number GROUP BY number ORDER BY number DESC",
    )?;
    let kept = |row: &rusqlite::Row<'_>| {
        let kept = KeptTable {
            id: TableId::from_bytes(row.get(1)?),
            created_at: row.get(2)?,
            head: row.get(3)?,
            steps: row.get(4)?,
            played_at: row.get(5)?,
            bytes: row.get::<_, i64>(6)?.cast_unsigned(),
        };
        Ok((row.get(0)?, kept))
    };
    statement.query_map((number, most), kept)?.collect()
}

fn found(
    connection: &Connection,
    asked: &str,
    key: impl rusqlite::ToSql,
) -> rusqlite::Result<Option<StoredTable>> {
    let head = connection
        .prepare_cached(asked)?
        .query_row((key,), |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))
        .optional()?;
    let Some((number, id, created_at, head)): Option<(i64, [u8; 16], i64, String)> = head else {
        return Ok(None);
    };
    let mut statement = connection.prepare_cached(
        "SELECT taken_at, text FROM live_step WHERE live_table = ? ORDER BY step",
    )?;
    let step =
        |row: &rusqlite::Row<'_>| Ok(StoredStep { taken_at: row.get(0)?, text: row.get(1)? });
    let steps = statement.query_map((number,), step)?.collect::<rusqlite::Result<_>>()?;
    Ok(Some(StoredTable { id: TableId::from_bytes(id), created_at, head, steps }))
}

/// Writes a table with its steps with their old times, under a given number or the next one.
pub(super) fn restore(
    connection: &Connection,
    number: Option<i64>,
    table: &StoredTable,
) -> rusqlite::Result<()> {
    let mut statement = connection.prepare_cached(
        "INSERT INTO live_table (number, id, created_at, head) VALUES (?, ?, ?, ?) ON CONFLICT (id) DO NOTHING",
    )?;
    statement.execute(params![number, table.id.as_bytes(), table.created_at, table.head])?;
    for (number, step) in (0..).zip(&table.steps) {
        append(connection, table.id, number, &step.text, step.taken_at)?;
    }
    Ok(())
}
