//! One end of a copy: all that a store keeps, in the order of arrival, under its numbers and times.
//!
//! The same for each kind of store. This module must not say SQL, and must not decide what is copied.

use super::{StoreError, Stored, StoredTable, StoredVerdict};

/// How many things are read at a time.
pub(super) const AT_ONCE: usize = 256;

/// The most packed bytes that are read at a time, unless one thing has more.
pub(super) const BYTES_AT_ONCE: usize = 8 << 20;

/// The kinds of things that a store keeps. What else lies in it follows from these.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Record,
    Verdict,
    Table,
}

impl Kind {
    pub(super) const ALL: [Kind; 3] = [Kind::Record, Kind::Verdict, Kind::Table];

    /// What one of it is called.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Kind::Record => "record",
            Kind::Verdict => "verdict",
            Kind::Table => "table",
        }
    }
}

/// Something that a store keeps.
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

/// Something under its number.
pub(super) struct Item {
    pub(super) number: i64,
    /// What it is; or why it cannot be read, with its id where that is known.
    pub(super) kept: Result<Kept, String>,
}

/// Some things that follow each other.
pub(super) struct Part {
    pub(super) items: Vec<Item>,
    /// What cannot be read and has no number, in plain words.
    pub(super) holes: Vec<String>,
    /// The last number that was looked at.
    pub(super) last: i64,
    /// Whether nothing stands behind it.
    pub(super) ended: bool,
}

/// A store that nobody else writes to, as long as this lives.
pub(super) trait Whole {
    /// How many things of a kind there are; about as many, where it is damaged.
    fn count(&mut self, kind: Kind) -> Result<u64, StoreError>;

    /// The next things of a kind behind a number; what cannot be read is told in its place.
    ///
    /// # Errors
    /// [`StoreError`] if no more can be read at all.
    fn after(&mut self, kind: Kind, number: i64) -> Result<Part, StoreError>;

    /// Writes things of one kind under their numbers and times, all or none. When this returns without error, they
    /// are durable.
    ///
    /// # Errors
    /// [`StoreError`] if one cannot be written: its id or its number is taken, for example.
    fn write(&mut self, items: &[(i64, Kept)]) -> Result<(), StoreError>;

    /// Tidies up, where something was written.
    ///
    /// # Errors
    /// [`StoreError`] if that cannot be done; what was written is durable all the same.
    fn close(self: Box<Self>) -> Result<(), StoreError>;
}
