//! What lists and visits have passed over because it is damaged.
//!
//! This module must not pass over anything in silence: every record is told once in the log, and counted.

use std::{
    collections::BTreeSet,
    sync::{Mutex, PoisonError},
};

use super::StoreError;

/// The most numbers that are remembered as told.
const MOST_REMEMBERED: usize = 100_000;

/// What was passed over since the store was opened.
#[derive(Default)]
pub(super) struct Passed {
    shown: Mutex<BTreeSet<i64>>,
}

impl Passed {
    /// How many records were passed over.
    pub(super) fn count(&self) -> u64 {
        self.shown.lock().unwrap_or_else(PoisonError::into_inner).len() as u64
    }

    /// Tells that a record is passed over, if that was not told yet.
    pub(super) fn pass(&self, number: i64, why: &StoreError) {
        let mut shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        if shown.len() < MOST_REMEMBERED && shown.insert(number) {
            tracing::error!(number, %why, "a damaged record is passed over; see docs/operations.md");
        }
    }
}
