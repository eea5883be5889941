//! One end of a copy: all items of a store in order of arrival, with their numbers and times.
//!
//! The trait is the same for every kind of store. This module must not contain SQL, and must not
//! decide what is copied.

use super::{StoreError, Stored, StoredTable, StoredVerdict};

/// How many items are read at a time.
pub(super) const AT_ONCE: usize = 256;

/// The maximum number of compressed bytes that are read at a time, unless one item has more.
pub(super) const BYTES_AT_ONCE: usize = 8 << 20;

/// The kinds of items in a store. Everything else follows from these.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Record,
    Verdict,
    Table,
}

impl Kind {
    pub(super) const ALL: [Kind; 3] = [Kind::Record, Kind::Verdict, Kind::Table];

    /// The name of an item of this kind.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Kind::Record => "record",
            Kind::Verdict => "verdict",
            Kind::Table => "table",
        }
    }
}

/// An item of a store.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Kept {
    Record(Stored),
    Verdict(StoredVerdict),
    Table(StoredTable),
}

impl Kept {
    /// Its id.
    pub(super) fn id(&self) -> String {
        match self {
            Kept::Record(it) => it.id.to_string(),
            Kept::Verdict(it) => it.id.to_string(),
            Kept::Table(it) => it.id.to_string(),
        }
    }
}

/// An item with its number.
pub(super) struct Item {
    pub(super) number: i64,
    /// The item, or why it cannot be read, with its id if that is known.
    pub(super) kept: Result<Kept, String>,
}

/// Consecutive items.
pub(super) struct Part {
    pub(super) items: Vec<Item>,
    /// Unreadable data without a number, described in plain text.
    pub(super) holes: Vec<String>,
    /// The last number that was read.
    pub(super) last: i64,
    /// Whether there is nothing after it.
    pub(super) ended: bool,
}

/// A store that nobody else writes to while this value exists.
pub(super) trait Whole {
    /// The number of items of a kind; approximate if the store is damaged.
    fn count(&mut self, kind: Kind) -> Result<u64, StoreError>;

    /// The next items of a kind after a number; unreadable ones are reported in their place.
    ///
    /// # Errors
    /// [`StoreError`] if nothing more can be read at all.
    fn after(&mut self, kind: Kind, number: i64) -> Result<Part, StoreError>;

    /// Writes items of one kind with their numbers and times, all or none. When this returns
    /// without an error, they are durable.
    ///
    /// # Errors
    /// [`StoreError`] if one cannot be written, for example because its id or its number is taken.
    fn write(&mut self, items: &[(i64, Kept)]) -> Result<(), StoreError>;

    /// Cleans up after writing.
    ///
    /// # Errors
    /// [`StoreError`] if cleaning up failed; what was written is durable regardless.
    fn close(self: Box<Self>) -> Result<(), StoreError>;
}
