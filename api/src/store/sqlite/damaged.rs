//! What a list does where something cannot be read: it passes over that, and goes on.
//!
//! This module must not pass over anything in silence: every record is told once in the log, and
//! counted.

use std::{
    collections::BTreeSet,
    sync::{Mutex, PoisonError},
};

use rusqlite::{Connection, params_from_iter};

use super::super::{Filter, StoreError};
use super::check::ends;
use super::faults::plain;
use super::query::{self, Bounds, Query};

/// How many numbers are tried one by one behind a page that cannot be read: as many as stand on
/// some hundred leaves, or below a damaged inner page. Where more is lost, the list fails.
const ONE_BY_ONE: i64 = 4_096;

/// The most numbers that are remembered as told.
const MOST_REMEMBERED: usize = 100_000;

/// What was passed over since the store was opened.
#[derive(Default)]
pub(super) struct Damaged {
    told: Mutex<BTreeSet<i64>>,
}

impl Damaged {
    /// How many records were passed over.
    pub(super) fn count(&self) -> u64 {
        self.told.lock().unwrap_or_else(PoisonError::into_inner).len() as u64
    }

    /// Tells that a record is passed over, if that was not told yet.
    pub(super) fn pass(&self, number: i64, why: &StoreError) {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        if told.len() < MOST_REMEMBERED && told.insert(number) {
            tracing::error!(number, %why, "a damaged record is passed over; see umpire salvage");
        }
    }

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
        let (last, stopped) = self.culprit(connection, filter, bounds)?;
        match (last, stopped) {
            (Some(number), Stopped::ByRow) => {
                self.pass(number, &why);
                Ok(Some(number))
            }
            // Whatever cannot be read is no record.
            (_, Stopped::AtEnd) => Err(why),
            (last, Stopped::ByPage) => {
                let from = match last {
                    Some(last) => last,
                    None if bounds.before == i64::MAX => ends(connection).1.saturating_add(1),
                    None => bounds.before,
                };
                self.behind_page(connection, filter, Bounds { before: from, ..bounds }, why)
            }
        }
    }

    /// Walks the index of a list until something cannot be read.
    fn culprit(
        &self,
        connection: &Connection,
        filter: &Filter,
        bounds: Bounds,
    ) -> Result<(Option<i64>, Stopped), StoreError> {
        let Query { text, values } = Query::walked(filter, bounds, u32::MAX);
        let mut statement = connection.prepare_cached(&text).map_err(plain)?;
        let mut row = connection.prepare_cached(query::READABLE).map_err(plain)?;
        let mut rows = statement.query(params_from_iter(values)).map_err(plain)?;
        let mut last = None;
        loop {
            let number: i64 = match rows.next().map_err(plain) {
                Ok(Some(row)) => row.get(0).map_err(plain)?,
                Ok(None) => return Ok((last, Stopped::AtEnd)),
                Err(StoreError::Corrupt(_)) => return Ok((last, Stopped::ByPage)),
                Err(error) => return Err(error),
            };
            last = Some(number);
            match row.exists((number,)).map_err(plain) {
                Ok(_) => {}
                Err(StoreError::Corrupt(_)) => return Ok((last, Stopped::ByRow)),
                Err(error) => return Err(error),
            }
        }
    }

    /// Tries number by number until the index can be read again.
    fn behind_page(
        &self,
        connection: &Connection,
        filter: &Filter,
        bounds: Bounds,
        why: StoreError,
    ) -> Result<Option<i64>, StoreError> {
        for step in 1..=ONE_BY_ONE {
            let before = bounds.before.saturating_sub(step);
            let Query { text, values } = Query::walked(filter, Bounds { before, ..bounds }, 1);
            let mut statement = connection.prepare_cached(&text).map_err(plain)?;
            match statement.exists(params_from_iter(values)).map_err(plain) {
                Ok(more) => {
                    (before..bounds.before).for_each(|number| self.pass(number, &why));
                    return Ok(more.then_some(before));
                }
                Err(StoreError::Corrupt(_)) => {}
                Err(error) => return Err(error),
            }
        }
        Err(why)
    }
}

/// Why a walk along an index ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stopped {
    /// Nothing is left, and all could be read.
    AtEnd,
    /// The last row cannot be read.
    ByRow,
    /// The index, or the table in its order, cannot be read behind the last row.
    ByPage,
}
