//! Settings of the SQLite store.
//!
//! This module must not open anything.

use std::time::Duration;

/// The settings. The defaults are fine for most uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// How many bytes may wait to be written before callers have to wait.
    pub queue_bytes: u32,
    /// How long a caller waits for room in the queue or for a connection before it gets the error
    /// that the store is busy.
    pub busy_after: Duration,
    /// How long to wait for another program that has locked the file.
    pub lock_wait: Duration,
    /// The maximum number of concurrent reads.
    pub readers: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            queue_bytes: 64 << 20,
            busy_after: Duration::from_secs(5),
            lock_wait: Duration::from_secs(5),
            readers: 4,
        }
    }
}
