//! Errors of a store.
//!
//! This module must not know any kind of store.

use std::fmt;

/// Why the store failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StoreError {
    /// The store is overloaded; a retry may succeed later.
    Busy,
    /// The store cannot be reached, written or opened.
    Unavailable(String),
    /// Data read differs from the data that was written.
    Corrupt(String),
    /// The store was made by a newer version of this program.
    Newer(String),
    /// This record cannot be stored; others can.
    Rejected(String),
    /// The cursor was not issued by the store.
    Cursor,
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Busy => f.write_str("the store is busy; try again later"),
            Self::Unavailable(why) => write!(f, "the store is unavailable: {why}"),
            Self::Corrupt(what) => write!(f, "the store is damaged: {what}"),
            Self::Newer(what) => write!(f, "the store was made by a newer version: {what}"),
            Self::Rejected(why) => write!(f, "the record cannot be stored: {why}"),
            Self::Cursor => {
                f.write_str("the cursor was not issued by this service; use the `next` of a page")
            }
        }
    }
}

impl std::error::Error for StoreError {}
