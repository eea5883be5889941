//! The connections for reading.
//!
//! This module must not lend a connection for longer than one short read: an open read keeps the
//! log from shrinking.

use std::{
    sync::{Condvar, Mutex, PoisonError},
    time::Duration,
};

use rusqlite::Connection;

use super::super::StoreError;
use super::faults::plain;

/// The limit of a read in steps of SQLite's virtual machine: some ten seconds, or a count of tens
/// of millions of records. So no filter can occupy a connection forever.
const MOST_STEPS: u32 = 500_000_000;

/// How many steps are counted at a time.
const STEPS: u32 = 10_000;

/// A few connections that are used in turn.
pub(super) struct Readers {
    idle: Mutex<Vec<Connection>>,
    returned: Condvar,
    busy_after: Duration,
}

impl Readers {
    pub(super) fn new(connections: Vec<Connection>, busy_after: Duration) -> Self {
        Self { idle: Mutex::new(connections), returned: Condvar::new(), busy_after }
    }

    /// Reads with one of the connections, as soon as one is free.
    pub(super) fn with<T>(
        &self,
        read: impl FnOnce(&Connection) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        // A list of connections is intact after any panic, so poisoning does not matter.
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut idle, _) = self
            .returned
            .wait_timeout_while(idle, self.busy_after, |idle| idle.is_empty())
            .unwrap_or_else(PoisonError::into_inner);
        let connection = idle.pop().ok_or(StoreError::Busy)?;
        drop(idle);
        let borrowed = ReaderGuard { readers: self, connection: Some(connection) };
        let Some(connection) = borrowed.connection.as_ref() else { return Err(StoreError::Busy) };
        let mut left = MOST_STEPS / STEPS;
        let bound = move || {
            left = left.saturating_sub(1);
            left == 0
        };
        connection.progress_handler(STEPS as i32, Some(bound)).map_err(plain)?;
        read(connection)
    }
}

/// A connection that is given back on drop, even if the reader panics.
struct ReaderGuard<'a> {
    readers: &'a Readers,
    /// Taken out only by `drop`.
    connection: Option<Connection>,
}

impl Drop for ReaderGuard<'_> {
    fn drop(&mut self) {
        let mut idle = self.readers.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.extend(self.connection.take());
        drop(idle);
        self.readers.returned.notify_one();
    }
}
