//! What a list does where something cannot be read: it passes over that, and goes on.
//!
//! This module must not pass over anything in silence: every record is told once in the log, and
//! counted.

use rusqlite::{Connection, params_from_iter};

use super::super::passed::Passed;
use super::super::select::Bounds;
use super::super::{Filter, StoreError};
use super::check::ends;
use super::faults::plain;
use super::query::{self, Query};

/// How many numbers are tried one by one behind a page that cannot be read: as many as stand on
/// some hundred leaves, or below a damaged inner page. Where more is lost, the list fails.
const ONE_BY_ONE: i64 = 4_096;

impl Passed {
    /// Where a list goes on that cannot be read at the end of its bounds: the first number that
    /// may not be listed. None if nothing is left.
    ///
    /// # Errors
    /// The same error, if nothing that can be passed over explains it.
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
            Stopped::ByRow(number) => {
                self.pass(number, &why);
                return Ok(Some(number));
            }
            // Whatever cannot be read is no record.
            Stopped::AtEnd => return Err(why),
            Stopped::ByPage(last) => last,
        };
        let (least, most) = ends(connection);
        let whole = last.is_none() && bounds.before > most;
        let before = last.unwrap_or(bounds.before).min(most.saturating_add(1));
        let from = bounds.from.max(least);
        match self.behind_page(connection, filter, Bounds { from, before }, &why)? {
            // Nothing at all can be read: that is no empty list.
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

/// Walks the index of a list until something cannot be read.
fn culprit(
    connection: &Connection,
    filter: &Filter,
    bounds: Bounds,
) -> Result<Stopped, StoreError> {
    let Query { text, values } = Query::walked(filter, bounds, u32::MAX);
    let mut statement = connection.prepare_cached(&text).map_err(plain)?;
    let mut row = connection.prepare_cached(query::READABLE).map_err(plain)?;
    let mut rows = statement.query(params_from_iter(values)).map_err(plain)?;
    let mut last = None;
    loop {
        let number: i64 = match rows.next().map_err(plain) {
            Ok(Some(row)) => row.get(0).map_err(plain)?,
            Ok(None) => return Ok(Stopped::AtEnd),
            Err(StoreError::Corrupt(_)) => return Ok(Stopped::ByPage(last)),
            Err(error) => return Err(error),
        };
        last = Some(number);
        match row.exists((number,)).map_err(plain) {
            Ok(_) => {}
            Err(StoreError::Corrupt(_)) => return Ok(Stopped::ByRow(number)),
            Err(error) => return Err(error),
        }
    }
}

/// Why a walk along an index ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stopped {
    /// Nothing is left, and all could be read.
    AtEnd,
    /// The row of this number cannot be read.
    ByRow(i64),
    /// The index, or the table in its order, cannot be read behind this number.
    ByPage(Option<i64>),
}
