//! The connections that read.
//!
//! This module must not hand a connection out for longer than one short read: an open read holds
//! back the end of the log.

use std::{
    sync::{Condvar, Mutex, PoisonError},
    time::Duration,
};

use rusqlite::Connection;

use super::super::StoreError;
use super::faults::plain;

/// One read takes at most so many steps of SQLite's machine: some ten seconds, or a count of tens of
/// millions of records. So no filter can keep a connection for ever.
const MOST_STEPS: u32 = 500_000_000;

/// After so many steps they are counted.
const STEPS: u32 = 10_000;

/// A few connections that are used in turns.
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
        // A list of connections is whole after any panic, so poisoning means nothing here.
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut idle, _) = self
            .returned
            .wait_timeout_while(idle, self.busy_after, |idle| idle.is_empty())
            .unwrap_or_else(PoisonError::into_inner);
        let connection = idle.pop().ok_or(StoreError::Busy)?;
        drop(idle);
        let borrowed = Borrowed { readers: self, connection: Some(connection) };
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

/// A connection that returns by itself, even if the reader panics.
struct Borrowed<'a> {
    readers: &'a Readers,
    /// Taken out only by `drop`.
    connection: Option<Connection>,
}

impl Drop for Borrowed<'_> {
    fn drop(&mut self) {
        let mut idle = self.readers.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.extend(self.connection.take());
        drop(idle);
        self.readers.returned.notify_one();
    }
}
