//! Lists in a damaged store: unreadable records are skipped.
//!
//! This module must not skip anything silently: every record is logged once, and counted.

use rusqlite::{Connection, params_from_iter};

use super::super::passed::Passed;
use super::super::select::Bounds;
use super::super::{Filter, StoreError};
use super::check::ends;
use super::faults::plain;
use super::query::{self, Query};

/// How many numbers after an unreadable page are tried one by one: as many as there are on some
/// hundred leaves, or below a damaged inner page. If more is lost, the list fails.
const ONE_BY_ONE: i64 = 4_096;

impl Passed {
    /// Where to continue a list that cannot be read at the end of its range: the first number to
    /// exclude. `None` if nothing is left.
    ///
    /// # Errors
    /// The same error, if no unreadable record explains it.
    pub(super) fn go_on(
        &self,
        connection: &Connection,
        filter: &Filter,
        bounds: Bounds,
        why: StoreError,
    ) -> Result<Option<i64>, StoreError> {
        if !matches!(why, StoreError::Corrupt(_)) {
            return Err(why);
        }
        let last = match culprit(connection, filter, bounds)? {
            WalkEnd::ByRow(number) => {
                self.pass(number, &why);
                return Ok(Some(number));
            }
            // Then the error is not about a record.
            WalkEnd::AtEnd => return Err(why),
            WalkEnd::ByPage(last) => last,
        };
        let (least, most) = ends(connection);
        let whole = last.is_none() && bounds.before > most;
        let before = last.unwrap_or(bounds.before).min(most.saturating_add(1));
        let from = bounds.from.max(least);
        match self.behind_page(connection, filter, Bounds { from, before }, &why)? {
            // Nothing at all can be read: do not return an empty list.
            None if whole => Err(why),
            behind => Ok(behind),
        }
    }

    /// Tries number by number until the index can be read again.
    fn behind_page(
        &self,
        connection: &Connection,
        filter: &Filter,
        bounds: Bounds,
        why: &StoreError,
    ) -> Result<Option<i64>, StoreError> {
        for step in 1..=ONE_BY_ONE {
            let before = bounds.before.saturating_sub(step);
            let passed = before..bounds.before;
            if before <= bounds.from {
                passed.for_each(|number| self.pass(number, why));
                return Ok(None);
            }
            let Query { text, values } = Query::walked(filter, Bounds { before, ..bounds }, 1);
            let mut statement = connection.prepare_cached(&text).map_err(plain)?;
            match statement.exists(params_from_iter(values)).map_err(plain) {
                Ok(more) => {
                    passed.for_each(|number| self.pass(number, why));
                    return Ok(more.then_some(before));
                }
                Err(StoreError::Corrupt(_)) => {}
                Err(error) => return Err(error),
            }
        }
        Err(why.clone())
    }
}

/// Walks the index of a list until something is unreadable.
fn culprit(
    connection: &Connection,
    filter: &Filter,
    bounds: Bounds,
) -> Result<WalkEnd, StoreError> {
    let Query { text, values } = Query::walked(filter, bounds, u32::MAX);
    let mut statement = connection.prepare_cached(&text).map_err(plain)?;
    let mut row = connection.prepare_cached(query::READABLE).map_err(plain)?;
    let mut rows = statement.query(params_from_iter(values)).map_err(plain)?;
    let mut last = None;
    loop {
        let number: i64 = match rows.next().map_err(plain) {
            Ok(Some(row)) => row.get(0).map_err(plain)?,
            Ok(None) => return Ok(WalkEnd::AtEnd),
            Err(StoreError::Corrupt(_)) => return Ok(WalkEnd::ByPage(last)),
            Err(error) => return Err(error),
        };
        last = Some(number);
        match row.exists((number,)).map_err(plain) {
            Ok(_) => {}
            Err(StoreError::Corrupt(_)) => return Ok(WalkEnd::ByRow(number)),
            Err(error) => return Err(error),
        }
    }
}

/// Why a walk along an index ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum WalkEnd {
    /// Everything was read.
    AtEnd,
    /// The row with this number is unreadable.
    ByRow(i64),
    /// The index, or the table in its order, is unreadable after this number.
    ByPage(Option<i64>),
}
