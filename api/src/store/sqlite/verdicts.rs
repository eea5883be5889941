//! Sheets of settled disputes: the statements that write and read them.
//!
//! The single writer writes them in the same transactions as records, so they are as durable. This
//! module must not parse a sheet.

use rusqlite::{Connection, OptionalExtension, Row, params};

use super::super::body;
use super::super::{KeptVerdict, NewVerdict, RecordId, StoreError, StoredVerdict};
use super::faults::plain;

/// A sheet, ready to be written.
pub(super) struct VerdictRow {
    id: RecordId,
    signature: Option<String>,
    length: usize,
    packed: Vec<u8>,
}

impl VerdictRow {
    /// Does everything that needs no database.
    pub(super) fn pack(new: NewVerdict) -> Result<Self, StoreError> {
        let NewVerdict { id, sheet, signature } = new;
        Ok(Self { id, signature, length: sheet.len(), packed: body::pack(&sheet)? })
    }

    /// The approximate size in bytes.
    pub(super) fn bytes(&self) -> usize {
        size_of::<Self>() + self.packed.len() + self.signature.as_ref().map_or(0, String::len)
    }
}

/// Inserts a sheet if its id is new, and returns whether it did.
pub(super) fn insert(
    connection: &Connection,
    row: &VerdictRow,
    now: i64,
) -> rusqlite::Result<bool> {
    let mut statement = connection.prepare_cached(
        "INSERT INTO verdict (id, created_at, signature, sheet_length, sheet) \
         VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING",
    )?;
    let length = row.length as i64;
    let written =
        statement.execute(params![row.id.as_bytes(), now, row.signature, length, row.packed])?;
    Ok(written > 0)
}

/// Writes a sheet with an old number and time.
pub(super) fn restore(
    connection: &Connection,
    number: i64,
    row: &VerdictRow,
    created_at: i64,
) -> rusqlite::Result<()> {
    let mut statement = connection.prepare_cached(
        "INSERT INTO verdict (number, id, created_at, signature, sheet_length, sheet) \
         VALUES (?, ?, ?, ?, ?, ?)",
    )?;
    let length = row.length as i64;
    statement
        .execute(params![number, row.id.as_bytes(), created_at, row.signature, length, row.packed])
        .map(drop)
}

/// Deletes a sheet, and returns whether it existed.
pub(super) fn delete(connection: &Connection, id: &RecordId) -> rusqlite::Result<bool> {
    let mut statement = connection.prepare_cached("DELETE FROM verdict WHERE id = ?")?;
    Ok(statement.execute((id.as_bytes(),))? > 0)
}

/// Whether the store has sheets: one with an older schema, opened for reading only, has none.
pub(super) fn has_table(connection: &Connection) -> rusqlite::Result<bool> {
    let asked = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'verdict'";
    connection.prepare_cached(asked)?.exists(())
}

/// One sheet by its id.
pub(super) fn find(
    connection: &Connection,
    id: &RecordId,
) -> Result<Option<StoredVerdict>, StoreError> {
    let asked = "SELECT number, id, created_at, signature, sheet_length, sheet \
                 FROM verdict WHERE id = ?";
    let mut statement = connection.prepare_cached(asked).map_err(plain)?;
    let packed =
        statement.query_row((id.as_bytes(),), PackedVerdict::read).optional().map_err(plain)?;
    packed.map(PackedVerdict::unpack).transpose()
}

/// The next sheet after a number; `None` at the end.
pub(super) fn after(
    connection: &Connection,
    number: i64,
) -> rusqlite::Result<Option<PackedVerdict>> {
    let asked = "SELECT number, id, created_at, signature, sheet_length, sheet \
                 FROM verdict NOT INDEXED WHERE number > ? ORDER BY number LIMIT 1";
    connection.prepare_cached(asked)?.query_row((number,), PackedVerdict::read).optional()
}

/// Some sheets with a number below this one, the newest first.
pub(super) fn before(
    connection: &Connection,
    number: i64,
    most: u32,
) -> rusqlite::Result<Vec<PackedVerdict>> {
    let asked = "SELECT number, id, created_at, signature, sheet_length, sheet \
                 FROM verdict WHERE number < ? ORDER BY number DESC LIMIT ?";
    let mut statement = connection.prepare_cached(asked)?;
    statement.query_map((number, most), PackedVerdict::read)?.collect()
}

/// Every id in the index of sheets, with its number.
pub(super) fn names(connection: &Connection) -> rusqlite::Result<Vec<(RecordId, i64)>> {
    let mut statement = connection.prepare("SELECT id, number FROM verdict ORDER BY id")?;
    let name = |row: &Row<'_>| Ok((RecordId::from_bytes(row.get(0)?), row.get(1)?));
    statement.query_map((), name)?.collect()
}

/// A sheet whose text is still compressed.
pub(super) struct PackedVerdict {
    pub(super) number: i64,
    pub(super) id: RecordId,
    created_at: i64,
    signature: Option<String>,
    length: u32,
    packed: Vec<u8>,
}

impl PackedVerdict {
    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            number: row.get(0)?,
            id: RecordId::from_bytes(row.get(1)?),
            created_at: row.get(2)?,
            signature: row.get(3)?,
            length: row.get(4)?,
            packed: row.get(5)?,
        })
    }

    /// The sheet in a list.
    pub(super) fn kept(self) -> KeptVerdict {
        let (id, created_at) = (self.id, self.created_at);
        KeptVerdict { id, created_at, sheet: self.unpack().ok().map(|it| it.sheet) }
    }

    /// The sheet.
    pub(super) fn unpack(self) -> Result<StoredVerdict, StoreError> {
        let sheet = body::unpack(&self.packed, self.length as usize)?;
        let Self { id, created_at, signature, .. } = self;
        Ok(StoredVerdict { id, created_at, sheet, signature })
    }
}
