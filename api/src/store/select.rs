//! What the statements that read have in common in each kind of store: their columns, and the part of the order of
//! arrival that they look at.
//!
//! This module must not put a value into the text of a statement.

use super::{Cursor, Filter, StoreError};

/// What both a list and a whole record show.
macro_rules! common_columns {
    () => {
        "r.number, r.id, r.created_at, r.game, r.ruleset, r.status, r.plies, r.winner, r.reason, \
         octet_length(r.meta), "
    };
}

/// What a list shows. The length of a text is known without reading it, so a long one costs nothing.
macro_rules! listed_columns {
    () => {
        concat!(
            $crate::store::select::common_columns!(),
            "CASE WHEN octet_length(r.players) <= 4096 THEN r.players ELSE '[]' END, ",
            "CASE WHEN octet_length(r.meta) <= 4096 THEN r.meta ELSE '[]' END, ''"
        )
    };
}

/// What a whole record is.
macro_rules! stored_columns {
    () => {
        concat!(
            $crate::store::select::common_columns!(),
            "r.players, r.meta, r.verdict, r.record_length, r.record"
        )
    };
}

pub(super) use {common_columns, listed_columns, stored_columns};

/// The number after that of the latest record.
pub(super) const FRONT: &str = "SELECT coalesce(max(number), 0) + 1 FROM record";

/// Which part of the order of arrival to list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Bounds {
    /// The first number that may be listed.
    pub(super) from: i64,
    /// The first number that may not.
    pub(super) before: i64,
}

impl Bounds {
    /// All of it.
    pub(super) const ALL: Self = Self { from: i64::MIN, before: i64::MAX };

    /// The last number that may be listed.
    pub(super) fn last(self) -> i64 {
        self.before.saturating_sub(1)
    }

    /// The bounds that the filter's times and cursor set on the order of arrival; none if nothing can lie between them.
    /// Where the clock was set back (`stepped`), times say nothing about the order; the filter is checked on the rows
    /// anyway. `first_since` is the first number that was given at some time or later.
    ///
    /// # Errors
    /// [`StoreError::Cursor`] if the cursor is not one that a store gave out; what the database says.
    pub(super) fn of(
        filter: &Filter,
        stepped: impl FnOnce() -> Result<bool, StoreError>,
        first_since: impl Fn(i64) -> Result<Option<i64>, StoreError>,
    ) -> Result<Option<Self>, StoreError> {
        let mut bounds = Self::ALL;
        if let Some(Cursor(number)) = filter.cursor {
            bounds.before = i64::try_from(number).map_err(|_| StoreError::Cursor)?;
        }
        if (filter.since.is_none() && filter.until.is_none()) || stepped()? {
            return Ok(Some(bounds));
        }
        if let Some(since) = filter.since {
            match first_since(since)? {
                Some(number) => bounds.from = number,
                None => return Ok(None),
            }
        }
        if let Some(until) = filter.until
            && let Some(number) = first_since(until)?
        {
            bounds.before = bounds.before.min(number);
        }
        Ok(Some(bounds))
    }
}
