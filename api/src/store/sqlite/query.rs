//! The queries.
//!
//! Each list uses exactly one index, chosen here and not by SQLite: that of the filter that is
//! likely to leave the fewest rows. All indexes deliver rows by descending number, so nothing is
//! sorted and reading stops at the limit. The other filters are checked on the rows.
//!
//! This module must not put a value into the text of a statement, nor let a user's words reach the
//! full-text search as operators.

use rusqlite::{Row, types::Value};
use serde::de::DeserializeOwned;

use super::super::name::folded;
use super::super::row::asked;
use super::super::select::{Bounds, listed_columns, stored_columns};
use super::super::{Filter, Listed, RecordId, Status, StoreError, Stored, Summary, body};
use super::faults::plain;

/// Whether the clock was ever set back.
pub(super) const CLOCK_STEPS: &str = "SELECT 1 FROM clock_step LIMIT 1";

/// The first number assigned at a time or later.
pub(super) const FIRST_SINCE: &str =
    "SELECT number FROM record WHERE created_at >= ? ORDER BY created_at, number LIMIT 1";

/// One record by its id.
pub(super) const BY_ID: &str =
    concat!("SELECT ", stored_columns!(), " FROM record r WHERE r.id = ?");

/// One record by its number.
pub(super) const BY_NUMBER: &str =
    concat!("SELECT ", stored_columns!(), " FROM record r WHERE r.number = ?");

/// Whether the list entry of a record can be read.
pub(super) const READABLE: &str =
    concat!("SELECT ", listed_columns!(), " FROM record r NOT INDEXED WHERE r.number = ?");

/// Some whole records by number, in order, from one on.
pub(super) const AFTER: &str = concat!(
    "SELECT ",
    stored_columns!(),
    " FROM record r NOT INDEXED WHERE r.number >= ? ORDER BY r.number LIMIT ?"
);

/// A statement and the values bound to it.
pub(super) struct Query {
    pub(super) text: String,
    pub(super) values: Vec<Value>,
}

impl Query {
    /// Lists the entries of the matching records.
    pub(super) fn listed(filter: &Filter, bounds: Bounds, limit: u32) -> Self {
        Self::new(listed_columns!(), filter, bounds, limit)
    }

    /// Lists the numbers of the matching records.
    pub(super) fn numbers(filter: &Filter, bounds: Bounds, limit: u32) -> Self {
        Self::new("r.number", filter, bounds, limit)
    }

    /// Counts the matching records.
    pub(super) fn counted(filter: &Filter, bounds: Bounds) -> Self {
        Self::new("count(*)", filter, bounds, 1)
    }

    /// Lists the numbers in the index of a list, whether or not the other filters match. The
    /// records themselves are not read, unless the list walks along them.
    pub(super) fn walked(filter: &Filter, bounds: Bounds, limit: u32) -> Self {
        let driver = Driver::of(filter);
        let (from, number) = driver.source();
        let condition: Option<(&str, Value)> = match driver {
            Driver::Text => words(filter).map(|words| ("m.record_meta MATCH ?", words.into())),
            Driver::Player => {
                filter.player.as_deref().map(|name| ("p.name = ?", folded(name).into()))
            }
            Driver::Status => {
                filter.status.map(|it| ("r.status = ?", it.as_str().to_owned().into()))
            }
            Driver::Winner => filter.winner.clone().map(|it| ("r.winner = ?", it.into())),
            Driver::Ruleset => filter.ruleset.clone().map(|it| ("r.ruleset = ?", it.into())),
            Driver::Game => filter.game.clone().map(|it| ("r.game = ?", it.into())),
            Driver::Arrival => None,
        };
        let (condition, mut values) = match condition {
            Some((condition, value)) => (format!("{condition} AND "), vec![value]),
            None => (String::new(), Vec::new()),
        };
        values.extend([bounds.from.into(), bounds.last().into(), limit.into()]);
        let text = format!(
            "SELECT {number} FROM {from} WHERE {condition}{number} >= ? AND {number} <= ? ORDER BY {number} DESC LIMIT ?"
        );
        Self { text, values }
    }

    fn new(columns: &str, filter: &Filter, bounds: Bounds, limit: u32) -> Self {
        let driver = Driver::of(filter);
        let (mut from, number) = driver.source();
        let mut conditions = Vec::new();
        let mut values = Vec::new();
        let mut require = |condition: &str, value: Value| {
            conditions.push(condition.to_owned());
            values.push(value);
        };
        if let Some(words) = words(filter) {
            require("m.record_meta MATCH ?", words.into());
        }
        if let Some(player) = &filter.player {
            let condition = match driver {
                Driver::Player => "p.name = ?".to_owned(),
                _ => {
                    from.push_str(" CROSS JOIN record_player q");
                    format!("q.name = ? AND q.record = {number}")
                }
            };
            require(&condition, folded(player).into());
        }
        let columns_asked = [
            ("winner", filter.winner.clone()),
            ("ruleset", filter.ruleset.clone()),
            ("status", filter.status.map(|status| status.as_str().to_owned())),
            ("game", filter.game.clone()),
        ];
        for (column, value) in columns_asked {
            let Some(value) = value else { continue };
            let condition = match driver {
                Driver::Text | Driver::Player => {
                    from.push_str(&format!(
                        " CROSS JOIN record {column}_of INDEXED BY record_by_{column}"
                    ));
                    format!("{column}_of.{column} = ? AND {column}_of.number = {number}")
                }
                _ => format!("r.{column} = ?"),
            };
            require(&condition, value.into());
        }
        if matches!(driver, Driver::Text | Driver::Player) {
            from.push_str(&format!(" CROSS JOIN record r ON r.number = {number}"));
        }
        if let Some(since) = filter.since {
            require("r.created_at >= ?", since.into());
        }
        if let Some(until) = filter.until {
            require("r.created_at < ?", until.into());
        }
        require(&format!("{number} >= ?"), bounds.from.into());
        // Not `<`, which would start on the page of the excluded number.
        require(&format!("{number} <= ?"), bounds.last().into());
        values.push(limit.into());
        let conditions = conditions.join(" AND ");
        let text = format!(
            "SELECT {columns} FROM {from} WHERE {conditions} ORDER BY {number} DESC LIMIT ?"
        );
        Self { text, values }
    }
}

/// The index that a list walks along.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Driver {
    Text,
    Player,
    Status,
    Winner,
    Ruleset,
    Game,
    Arrival,
}

impl Driver {
    /// The one that is likely to leave the fewest rows.
    fn of(filter: &Filter) -> Self {
        let rare = matches!(filter.status, Some(Status::Illegal | Status::BadChance));
        match filter {
            _ if words(filter).is_some() => Self::Text,
            Filter { player: Some(_), .. } => Self::Player,
            _ if rare => Self::Status,
            Filter { winner: Some(_), .. } => Self::Winner,
            Filter { ruleset: Some(_), .. } => Self::Ruleset,
            Filter { game: Some(_), .. } => Self::Game,
            Filter { status: Some(_), .. } => Self::Status,
            _ => Self::Arrival,
        }
    }

    /// What to walk along, and the name of the record's number there. `INDEXED BY` makes it an
    /// error if a statement cannot use its index.
    ///
    /// Words and players are outside of the records. The other filters on such a row are joined
    /// from indexes, before the record itself (`CROSS JOIN` keeps the order), so that a record's
    /// page is read only if it matches.
    fn source(self) -> (String, &'static str) {
        let (from, number) = match self {
            Self::Text => ("record_meta m", "m.rowid"),
            Self::Player => ("record_player p", "p.record"),
            Self::Status => ("record r INDEXED BY record_by_status", "r.number"),
            Self::Winner => ("record r INDEXED BY record_by_winner", "r.number"),
            Self::Ruleset => ("record r INDEXED BY record_by_ruleset", "r.number"),
            Self::Game => ("record r INDEXED BY record_by_game", "r.number"),
            Self::Arrival => ("record r NOT INDEXED", "r.number"),
        };
        (from.to_owned(), number)
    }
}

/// The filter's words as a full-text query: each is a quoted string, so that nothing in it is an
/// operator, and each is a prefix of a word; all must occur.
fn words(filter: &Filter) -> Option<String> {
    let words = asked(filter.text.as_deref()?);
    let quoted: Vec<String> =
        words.iter().map(|word| format!("\"{}\" *", word.replace('"', "\"\""))).collect();
    if quoted.is_empty() { None } else { Some(quoted.join(" AND ")) }
}

/// Reads the number and the list entry.
pub(super) fn listed(row: &Row<'_>) -> Result<(i64, Listed), StoreError> {
    let number = row.get(0).map_err(plain)?;
    let status: String = row.get(5).map_err(plain)?;
    let listed = Listed {
        id: RecordId::from_bytes(row.get(1).map_err(plain)?),
        created_at: row.get(2).map_err(plain)?,
        summary: Summary {
            game: row.get(3).map_err(plain)?,
            ruleset: row.get(4).map_err(plain)?,
            status: status
                .parse()
                .map_err(|_| StoreError::Corrupt(format!("a record has the status {status}")))?,
            plies: row.get(6).map_err(plain)?,
            winner: row.get(7).map_err(plain)?,
            reason: row.get(8).map_err(plain)?,
            players: pairs(row, 10)?,
            meta: pairs(row, 11)?,
            verdict: row.get(12).map_err(plain)?,
        },
        meta_bytes: row.get(9).map_err(plain)?,
    };
    Ok((number, listed))
}

/// A whole record whose text is still compressed.
pub(super) struct Packed {
    pub(super) number: i64,
    listed: Listed,
    length: u32,
    packed: Vec<u8>,
}

impl Packed {
    /// Reads a whole record.
    pub(super) fn read(row: &Row<'_>) -> Result<Self, StoreError> {
        let (number, listed) = listed(row)?;
        let length: u32 = row.get(13).map_err(plain)?;
        Ok(Self { number, listed, length, packed: row.get(14).map_err(plain)? })
    }

    /// The compressed length in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.packed.len()
    }

    /// The record's id.
    pub(super) fn id(&self) -> RecordId {
        self.listed.id
    }

    /// Its list entry.
    pub(super) fn summary(&self) -> &Summary {
        &self.listed.summary
    }

    /// The record.
    pub(super) fn unpack(self) -> Result<Stored, StoreError> {
        let Listed { id, created_at, summary, .. } = self.listed;
        let record = body::unpack(&self.packed, self.length as usize)?;
        Ok(Stored { id, created_at, summary, record })
    }
}

/// Reads a whole record.
pub(super) fn stored(row: &Row<'_>) -> Result<Stored, StoreError> {
    Packed::read(row)?.unpack()
}

/// Reads a column of pairs.
fn pairs<T: DeserializeOwned>(
    row: &Row<'_>,
    column: usize,
) -> Result<Vec<(String, T)>, StoreError> {
    let text = row.get_ref(column).map_err(plain)?;
    let text = text.as_str().map_err(|error| StoreError::Corrupt(error.to_string()))?;
    serde_json::from_str(text).map_err(|error| StoreError::Corrupt(error.to_string()))
}
