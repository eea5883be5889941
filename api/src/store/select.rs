//! What the queries of all kinds of stores share: their columns, and the range of the order of
//! arrival that they scan.
//!
//! This module must not put a value into the text of a statement.

use super::{Cursor, Filter, StoreError};

/// The columns of both a list entry and a whole record.
macro_rules! common_columns {
    () => {
        "r.number, r.id, r.created_at, r.game, r.ruleset, r.status, r.plies, r.winner, r.reason, \
         octet_length(r.meta), "
    };
}

/// The columns of a list entry. The length of a text is known without reading it, so a long one
/// costs nothing.
macro_rules! listed_columns {
    () => {
        concat!(
            $crate::store::select::common_columns!(),
            "CASE WHEN octet_length(r.players) <= 4096 THEN r.players ELSE '[]' END, ",
            "CASE WHEN octet_length(r.meta) <= 4096 THEN r.meta ELSE '[]' END, ''"
        )
    };
}

/// The columns of a whole record.
macro_rules! stored_columns {
    () => {
        concat!(
            $crate::store::select::common_columns!(),
            "r.players, r.meta, r.verdict, r.record_length, r.record"
        )
    };
}

pub(super) use {common_columns, listed_columns, stored_columns};

/// The number after that of the newest record.
pub(super) const FRONT: &str = "SELECT coalesce(max(number), 0) + 1 FROM record";

/// A range of the order of arrival.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Bounds {
    /// The first number in the range.
    pub(super) from: i64,
    /// The first number after the range.
    pub(super) before: i64,
}

impl Bounds {
    /// The whole range.
    pub(super) const ALL: Self = Self { from: i64::MIN, before: i64::MAX };

    /// The last number in the range.
    pub(super) fn last(self) -> i64 {
        self.before.saturating_sub(1)
    }

    /// The range of the order of arrival that the filter's times and cursor allow; `None` if it is
    /// empty. If the clock was set back (`stepped`), times say nothing about the order; the filter
    /// is checked on the rows anyway. `first_since` returns the first number assigned at a time or
    /// later.
    ///
    /// # Errors
    /// [`StoreError::Cursor`] if the cursor was not issued by a store; or a database error.
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
