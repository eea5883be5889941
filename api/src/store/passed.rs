//! Damaged records that lists and visits skip.
//!
//! This module must not skip anything silently: every record is logged once, and counted.

use std::{
    collections::BTreeSet,
    sync::{Mutex, PoisonError},
};

use super::StoreError;

/// The maximum number of record numbers that are remembered as logged.
const MOST_REMEMBERED: usize = 100_000;

/// The records skipped since the store was opened.
#[derive(Default)]
pub(super) struct Passed {
    shown: Mutex<BTreeSet<i64>>,
}

impl Passed {
    /// The number of records that were skipped.
    pub(super) fn count(&self) -> u64 {
        self.shown.lock().unwrap_or_else(PoisonError::into_inner).len() as u64
    }

    /// Logs that a record is skipped, unless it was already logged.
    pub(super) fn pass(&self, number: i64, why: &StoreError) {
        let mut shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        if shown.len() < MOST_REMEMBERED && shown.insert(number) {
            tracing::error!(number, %why, "skipping a damaged record; see docs/operations.md");
        }
    }
}
