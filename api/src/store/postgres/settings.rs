//! What can be tuned of the store in a PostgreSQL database.
//!
//! This module must not open anything.

use std::time::Duration;

/// What can be tuned. The defaults serve.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// How many bytes may wait to be written before submitters are held back.
    pub queue_bytes: u32,
    /// How long a submitter is held back, or a reader waits for a connection, before it is told
    /// that the store is busy.
    pub busy_after: Duration,
    /// How long to wait for a connection to the database to be made.
    pub connect_wait: Duration,
    /// How many reads go on at the same time. With the one that writes and the one that listens, a
    /// server has two connections more.
    pub readers: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            queue_bytes: 64 << 20,
            busy_after: Duration::from_secs(5),
            connect_wait: Duration::from_secs(5),
            readers: 8,
        }
    }
}
