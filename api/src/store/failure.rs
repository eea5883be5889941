//! Why a store did not do what it was asked for.
//!
//! This module must not know any kind of store.

use std::fmt;

/// Why the store could not do what was asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StoreError {
    /// Too much is going on; the same request may succeed later.
    Busy,
    /// The store cannot be reached, written or opened.
    Unavailable(String),
    /// What was read is not what was written.
    Corrupt(String),
    /// The store was made by a newer version of this program.
    Newer(String),
    /// This record cannot be kept; others can.
    Rejected(String),
    /// The cursor is not one that the store gave out.
    Cursor,
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Busy => f.write_str("the store is busy; try again later"),
            Self::Unavailable(why) => write!(f, "the store is unavailable: {why}"),
            Self::Corrupt(what) => write!(f, "the store is damaged: {what}"),
            Self::Newer(what) => write!(f, "the store is too new: {what}"),
            Self::Rejected(why) => write!(f, "the record cannot be stored: {why}"),
            Self::Cursor => f.write_str("the cursor is not one that this service gave out"),
        }
    }
}

impl std::error::Error for StoreError {}
