//! The queries.
//!
//! Every list is in order of arrival, the newest first. The database decides which index to use, by
//! its statistics. This module must not put a value into the text of a statement.

use serde::de::DeserializeOwned;
use tokio_postgres::Row;
use tokio_postgres::types::{FromSql, ToSql};

use super::super::name::folded;
use super::super::select::{Bounds, listed_columns, stored_columns};
use super::super::{Filter, Listed, RecordId, StoreError, Stored, Summary, body};
use super::faults::corrupt;
use super::words;

/// Whether the clock was ever set back.
pub(super) const CLOCK_STEPS: &str = "SELECT 1 FROM clock_step LIMIT 1";

/// The first number assigned at a time or later.
pub(super) const FIRST_SINCE: &str =
    "SELECT number FROM record WHERE created_at >= $1 ORDER BY created_at, number LIMIT 1";

/// One record by its id.
pub(super) const BY_ID: &str =
    concat!("SELECT ", stored_columns!(), " FROM record r WHERE r.id = $1");

/// Some whole records by number, the newest first.
pub(super) const BY_NUMBERS: &str = concat!(
    "SELECT ",
    stored_columns!(),
    " FROM record r WHERE r.number = ANY($1) ORDER BY r.number DESC"
);

/// One sheet by its id.
pub(super) const VERDICT: &str =
    "SELECT created_at, signature, sheet_length, sheet FROM verdict WHERE id = $1";

/// One table by its id, with its steps from a number on, in a single query.
pub(super) const TABLE: &str = "SELECT created_at, head, \
     ARRAY(SELECT taken_at FROM live_step WHERE live_table = number AND step >= $2 ORDER BY step), \
     ARRAY(SELECT text FROM live_step WHERE live_table = number AND step >= $2 ORDER BY step) \
     FROM live_table WHERE id = $1";

/// Some tables with a number below another, the newest first.
pub(super) const TABLES_BEFORE: &str = "SELECT number, id, created_at, head, count(step)::integer, \
     coalesce(max(taken_at), created_at), octet_length(head) + coalesce(sum(octet_length(text)), 0)::bigint \
     FROM (SELECT * FROM live_table WHERE number < $1 ORDER BY number DESC LIMIT $2) page \
     LEFT JOIN live_step ON live_table = number GROUP BY number, id, created_at, head ORDER BY number DESC";

/// Some sheets with a number below another, the newest first.
pub(super) const VERDICTS_BEFORE: &str = "SELECT created_at, signature, sheet_length, sheet, number, id FROM verdict \
     WHERE number < $1 ORDER BY number DESC LIMIT $2";

/// A value bound to a statement.
pub(super) type Value = Box<dyn ToSql + Sync + Send>;

/// A statement and the values bound to it.
pub(super) struct Query {
    pub(super) text: String,
    pub(super) values: Vec<Value>,
}

impl Query {
    /// Lists the entries of the matching records; `None` if nothing can match.
    pub(super) fn listed(filter: &Filter, bounds: Bounds, limit: u32) -> Option<Self> {
        Self::new(listed_columns!(), filter, bounds, Some(limit))
    }

    /// Lists the numbers and compressed sizes of the matching records.
    pub(super) fn numbers(filter: &Filter, bounds: Bounds, limit: u32) -> Option<Self> {
        Self::new("r.number, octet_length(r.record)", filter, bounds, Some(limit))
    }

    /// Counts the matching records.
    pub(super) fn counted(filter: &Filter, bounds: Bounds) -> Option<Self> {
        Self::new("count(*)", filter, bounds, None)
    }

    fn new(columns: &str, filter: &Filter, bounds: Bounds, limit: Option<u32>) -> Option<Self> {
        let mut text = format!("SELECT {columns} FROM record r");
        let mut values: Vec<Value> = Vec::new();
        let mut conditions = Vec::new();
        let mut require = |condition: &str, value: Value| {
            values.push(value);
            conditions.push(condition.replace('?', &format!("${}", values.len())));
        };
        if let Some(player) = &filter.player {
            text.push_str(" JOIN record_player p ON p.record = r.number");
            require("p.name = ?", Box::new(name(&folded(player))));
        }
        if let Some(text) = &filter.text
            && let Some(wanted) = words::wanted(text).ok()?
        {
            require("r.lexemes @@ ?::text::tsquery", Box::new(wanted.index));
            require(
                "NOT EXISTS (SELECT FROM unnest(?::text[]) part WHERE position(part IN r.words) = 0)",
                Box::new(wanted.parts),
            );
        }
        let columns_asked = [
            ("r.winner = ?", filter.winner.clone()),
            ("r.ruleset = ?", filter.ruleset.clone()),
            ("r.status = ?", filter.status.map(|status| status.as_str().to_owned())),
            ("r.game = ?", filter.game.clone()),
        ];
        for (condition, value) in columns_asked {
            let Some(value) = value else { continue };
            // No text in the database contains a NUL.
            if value.contains('\0') {
                return None;
            }
            require(condition, Box::new(value));
        }
        if let Some(since) = filter.since {
            require("r.created_at >= ?", Box::new(since));
        }
        if let Some(until) = filter.until {
            require("r.created_at < ?", Box::new(until));
        }
        require("r.number >= ?", Box::new(bounds.from));
        require("r.number < ?", Box::new(bounds.before));
        text.push_str(" WHERE ");
        text.push_str(&conditions.join(" AND "));
        if let Some(limit) = limit {
            values.push(Box::new(i64::from(limit)));
            text.push_str(&format!(" ORDER BY r.number DESC LIMIT ${}", values.len()));
        }
        Some(Self { text, values })
    }
}

/// The indexed form of a name: its bytes or, if they are too long for an index, their hash after a
/// byte that no name starts with.
pub(super) fn name(folded: &str) -> Vec<u8> {
    match folded.len() {
        0..=255 => folded.as_bytes().to_vec(),
        _ => [&[0xff][..], blake3::hash(folded.as_bytes()).as_bytes()].concat(),
    }
}

/// A column of a row.
pub(super) fn column<'a, T: FromSql<'a>>(row: &'a Row, at: usize) -> Result<T, StoreError> {
    row.try_get(at).map_err(|error| corrupt(&error))
}

/// A column that contains no negative number.
fn natural(row: &Row, at: usize) -> Result<u32, StoreError> {
    let number: i32 = column(row, at)?;
    u32::try_from(number)
        .map_err(|_| StoreError::Corrupt(format!("a record has the number {number}")))
}

/// Reads the id of a record.
pub(super) fn id(row: &Row, at: usize) -> Result<RecordId, StoreError> {
    let bytes: &[u8] = column(row, at)?;
    bytes
        .try_into()
        .map(RecordId::from_bytes)
        .map_err(|_| StoreError::Corrupt("a record has no id".to_owned()))
}

/// Reads a list entry.
pub(super) fn listed(row: &Row) -> Result<Listed, StoreError> {
    let status: &str = column(row, 5)?;
    let status = status
        .parse()
        .map_err(|_| StoreError::Corrupt(format!("a record has the status {status}")))?;
    Ok(Listed {
        id: id(row, 1)?,
        created_at: column(row, 2)?,
        summary: Summary {
            game: column(row, 3)?,
            ruleset: column(row, 4)?,
            status,
            plies: natural(row, 6)?,
            winner: column(row, 7)?,
            reason: column(row, 8)?,
            players: pairs(row, 10)?,
            meta: pairs(row, 11)?,
            verdict: column(row, 12)?,
        },
        meta_bytes: natural(row, 9)?,
    })
}

/// Reads a whole record.
pub(super) fn stored(row: &Row) -> Result<Stored, StoreError> {
    let Listed { id, created_at, summary, .. } = listed(row)?;
    let record = body::unpack(column(row, 14)?, natural(row, 13)? as usize)?;
    Ok(Stored { id, created_at, summary, record })
}

/// Reads a column of pairs.
fn pairs<T: DeserializeOwned>(row: &Row, at: usize) -> Result<Vec<(String, T)>, StoreError> {
    let text: &str = column(row, at)?;
    serde_json::from_str(text).map_err(|error| StoreError::Corrupt(error.to_string()))
}
