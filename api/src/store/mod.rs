//! Where records are kept.
//!
//! The service sees the trait [`Store`] and plain types; what lies behind it may be an SQLite file
//! (`sqlite`) or, for several servers, a PostgreSQL database (`postgres`). The store keeps text and
//! the few fields that a list can be filtered by.
//!
//! This module must not read a record, compute an id, or know a game; and outside of it nobody may
//! say SQL.

use std::{
    fmt, future::Future, ops::ControlFlow, pin::Pin, str::FromStr, sync::Arc, time::Duration,
};

use data_encoding::HEXLOWER;
use serde_json::Value;

use crate::digits::bytes;

mod body;
pub mod carry;
mod failure;
pub mod jobs;
mod passed;
pub mod place;
#[cfg(feature = "postgres")]
pub mod postgres;
mod queue;
mod row;
mod select;
pub mod sqlite;
mod whole;

pub use failure::StoreError;

/// The most items in one page of a list.
pub const MAX_PAGE: u32 = 500;

/// The items in one page of a list where the filter does not say.
pub const DEFAULT_PAGE: u32 = 50;

/// The longest record that can be kept, in bytes of its text.
pub const MAX_RECORD_BYTES: usize = 64 << 20;

/// The latest time that can be asked for, in milliseconds since 1970: the end of the year 9999.
pub const LAST_TIME: i64 = 253_402_300_799_999;

/// An answer that is still to come.
///
/// It borrows nothing, so it may be awaited anywhere. It does nothing until it is first polled;
/// once the store has taken the request, dropping it withdraws nothing.
pub type StoreFuture<T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send>>;

/// What another server did at a table, or may have done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableNews {
    /// This table has another step, or is no more.
    Changed(TableId),
    /// Nobody knows at which.
    Missed,
}

/// A place where records are kept.
///
/// Writing is asynchronous, because it waits for the disk together with other writers. Reading
/// blocks for as long as the disk needs, so a server calls it from a thread that may block.
/// Readers never wait for writers.
pub trait Store: Send + Sync {
    /// Keeps records: all of them, or in case of an error none.
    ///
    /// The answer comes only when the records would survive a loss of power. It says for each
    /// record, in order, whether it is new. The records are compressed during the call itself, so
    /// pass very many of them in several calls, from a thread that may block.
    ///
    /// # Errors
    ///
    /// [`StoreError::Busy`] if there was no room in the queue for too long, and
    /// [`StoreError::Rejected`] if one of the records cannot be kept.
    fn insert(&self, records: Vec<NewRecord>) -> StoreFuture<Vec<Inserted>>;

    /// Removes a record, and says whether there was one. It may be inserted again later.
    ///
    /// # Errors
    ///
    /// As for [`Store::insert`].
    fn delete(&self, id: &RecordId) -> StoreFuture<bool>;

    /// Finds one record.
    ///
    /// # Errors
    ///
    /// [`StoreError::Corrupt`] if what was kept is no longer what was given.
    fn find(&self, id: &RecordId) -> Result<Option<Stored>, StoreError>;

    /// Lists what matches the filter, the latest first, a page at a time.
    ///
    /// A record that was there before the first page is shown exactly once, whatever is inserted
    /// meanwhile; one that comes later is not shown. One that can no longer be read is passed over.
    ///
    /// # Errors
    ///
    /// [`StoreError::Cursor`] if the cursor is not one that this store gave out.
    fn list(&self, filter: &Filter) -> Result<Page, StoreError>;

    /// A place in front of the latest record: a list from there on shows what there is now, and nothing that is stored
    /// later. Only where the latest is deleted, a file may give its place to another.
    ///
    /// # Errors
    ///
    /// What the database says.
    fn front(&self) -> Result<Cursor, StoreError>;

    /// Counts what matches the filter, from its cursor on; its limit does not matter. Where a record
    /// can no longer be read, it may be counted all the same.
    ///
    /// # Errors
    ///
    /// As for [`Store::list`].
    fn count(&self, filter: &Filter) -> Result<u64, StoreError>;

    /// Visits all records that match the filter, the latest first, until the visitor breaks.
    ///
    /// One record at a time is held in memory, and nothing is locked while the visitor works, so
    /// it may be as slow as a network. What is deleted meanwhile may be skipped. Here the filter's
    /// limit bounds the whole, and no limit means all. What can no longer be read is passed over.
    ///
    /// # Errors
    ///
    /// As for [`Store::list`].
    fn each(
        &self,
        filter: &Filter,
        visit: &mut dyn FnMut(Stored) -> ControlFlow<()>,
    ) -> Result<(), StoreError>;

    /// Keeps the sheet of a settled dispute, and says whether it is new. What lies there under the
    /// same name stays as it is, with its signature.
    ///
    /// # Errors
    ///
    /// As for [`Store::insert`].
    fn insert_verdict(&self, verdict: NewVerdict) -> StoreFuture<Inserted>;

    /// Removes a sheet, and says whether there was one. It may be inserted again later.
    ///
    /// # Errors
    ///
    /// As for [`Store::insert`].
    fn delete_verdict(&self, id: &RecordId) -> StoreFuture<bool>;

    /// Finds one sheet.
    ///
    /// # Errors
    ///
    /// As for [`Store::find`].
    fn find_verdict(&self, id: &RecordId) -> Result<Option<StoredVerdict>, StoreError>;

    /// Keeps a table at which a game begins, and says whether it is new. `head` says what it is.
    ///
    /// # Errors
    /// As for [`Store::insert`].
    fn insert_table(&self, id: TableId, head: String) -> StoreFuture<Inserted>;

    /// Keeps the next step of a table, `number` from 0 on; `false` if there is no such table, or its next step has
    /// another number: then somebody else was first, and nothing was changed. The answer comes only when the step
    /// would survive a loss of power.
    ///
    /// # Errors
    /// As for [`Store::insert`].
    fn append_step(&self, id: TableId, number: u32, step: String) -> StoreFuture<bool>;

    /// Removes a table with all its steps, and says whether there was one.
    ///
    /// # Errors
    /// As for [`Store::insert`].
    fn delete_table(&self, id: TableId) -> StoreFuture<bool>;

    /// Finds a table with all its steps.
    ///
    /// # Errors
    /// As for [`Store::find`].
    fn find_table(&self, id: TableId) -> Result<Option<StoredTable>, StoreError>;

    /// Finds the steps of a table from a number on; nothing if there is no such table.
    ///
    /// # Errors
    /// As for [`Store::find`].
    fn find_steps(&self, id: TableId, from: u32) -> Result<Option<Vec<StoredStep>>, StoreError> {
        let table = self.find_table(id)?;
        Ok(table.map(|table| table.steps.into_iter().skip(from as usize).collect()))
    }

    /// Whether other servers may write to it at the same time.
    fn is_shared(&self) -> bool {
        false
    }

    /// Where the servers that share this store share their jobs, with leases of this length; none if it is not shared.
    fn jobs(&self, lease: Duration) -> Option<Arc<dyn jobs::JobBoard>> {
        let _ = lease;
        None
    }

    /// Has somebody told what other servers do at tables, soon after they did it. Whoever is told must not wait for
    /// the store.
    fn watch(&self, watcher: Box<dyn Fn(TableNews) + Send + Sync>) {
        drop(watcher);
    }

    /// How many damaged records lists and visits have passed over since the store was opened; each
    /// counts once.
    fn damaged(&self) -> u64 {
        0
    }

    /// Whether requests can be served now: something is written, to where it would be found again.
    ///
    /// # Errors
    ///
    /// Says why not.
    fn ready(&self) -> StoreFuture<()>;

    /// Stops taking what would write, finishes what was taken, and tidies up. Blocks until done.
    /// Further calls do nothing; reading goes on.
    ///
    /// # Errors
    ///
    /// If tidying up failed. Records that were acknowledged are safe all the same.
    fn close(&self) -> Result<(), StoreError>;
}

/// The name of a record, or of a sheet: the hash of its canonical text, which the store does not
/// compute.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RecordId([u8; 32]);

impl RecordId {
    /// The id with these bytes.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The bytes of the id.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Display for RecordId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        HEXLOWER.encode_display(&self.0).fmt(f)
    }
}

impl fmt::Debug for RecordId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RecordId({self})")
    }
}

impl FromStr for RecordId {
    type Err = RecordIdError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        bytes(text).map(Self).ok_or(RecordIdError)
    }
}

/// The name of a table: 16 bytes at random.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TableId([u8; 16]);

impl TableId {
    /// The id with these bytes.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(bytes)
    }

    /// The bytes of the id.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 16] {
        &self.0
    }
}

impl fmt::Display for TableId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        HEXLOWER.encode_display(&self.0).fmt(f)
    }
}

impl fmt::Debug for TableId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TableId({self})")
    }
}

impl FromStr for TableId {
    type Err = TableIdError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        bytes(text).map(Self).ok_or(TableIdError)
    }
}

/// The text is not the id of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TableIdError;

impl fmt::Display for TableIdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the id of a table is 32 lower-case hexadecimal digits")
    }
}

impl std::error::Error for TableIdError {}

/// A table as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredTable {
    /// Its name.
    pub id: TableId,
    /// When the store took it, in milliseconds since 1970.
    pub created_at: i64,
    /// What it is, as it was given.
    pub head: String,
    /// What happened at it, in order.
    pub steps: Vec<StoredStep>,
}

/// Something that happened at a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredStep {
    /// When the store took it, in milliseconds since 1970.
    pub taken_at: i64,
    /// What, as it was given.
    pub text: String,
}

/// The text is not the id of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordIdError;

impl fmt::Display for RecordIdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a record id is 64 lower-case hexadecimal digits")
    }
}

impl std::error::Error for RecordIdError {}

/// How the replay of a record ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Status {
    /// The game is over.
    Complete,
    /// All actions are legal, and more are to come.
    InProgress,
    /// An action is illegal.
    Illegal,
    /// The tape does not fit the game.
    BadChance,
}

impl Status {
    /// The name on the wire and in the database.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::InProgress => "in_progress",
            Self::Illegal => "illegal",
            Self::BadChance => "bad_chance",
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Status {
    type Err = StatusError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "complete" => Ok(Self::Complete),
            "in_progress" => Ok(Self::InProgress),
            "illegal" => Ok(Self::Illegal),
            "bad_chance" => Ok(Self::BadChance),
            _ => Err(StatusError),
        }
    }
}

/// The text is not a status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StatusError;

impl fmt::Display for StatusError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a status is complete, in_progress, illegal or bad_chance")
    }
}

impl std::error::Error for StatusError {}

/// What a list shows of a record, and can be filtered by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    /// The game's id.
    pub game: String,
    /// The rule set that the record is pinned to.
    pub ruleset: String,
    /// How the replay ended.
    pub status: Status,
    /// The number of actions that were accepted.
    pub plies: u32,
    /// Who won, if somebody did.
    pub winner: Option<String>,
    /// Why the game ended, if it did.
    pub reason: Option<String>,
    /// Seats and the names of their players, in the record's order.
    pub players: Vec<(String, String)>,
    /// The record's own notes, in the record's order.
    pub meta: Vec<(String, Value)>,
    /// The verdict as JSON text, kept so that an illegal record does not lose it.
    pub verdict: String,
}

/// A record to be kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewRecord {
    /// Its name; the same name means the same record.
    pub id: RecordId,
    /// Its text, kept byte for byte.
    pub record: String,
    /// What a list shows of it.
    pub summary: Summary,
}

/// What became of a record that was given to the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Inserted {
    /// It was not there before.
    New,
    /// It was there already, and nothing was changed.
    Existing,
}

/// A record as a list shows it: without its verdict, without notes or names that are longer than
/// 4096 bytes (they are empty then).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// The record's name.
    pub id: RecordId,
    /// When the store took it by its clock, in milliseconds since 1970. A list is in the order of
    /// arrival, which is another one where the clock was set back.
    pub created_at: i64,
    /// What it is about.
    pub summary: Summary,
    /// The length of its notes as they are kept, in bytes, shown or not.
    pub meta_bytes: u32,
}

/// A whole record as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stored {
    /// The record's name.
    pub id: RecordId,
    /// As in [`Listed`].
    pub created_at: i64,
    /// What it is about.
    pub summary: Summary,
    /// Its text, byte for byte as it was given.
    pub record: String,
}

/// The sheet of a settled dispute, to be kept. It is a document of its own: it holds the record that
/// it is about, whether that is stored or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewVerdict {
    /// Its name; the same name means the same sheet.
    pub id: RecordId,
    /// Its text, kept byte for byte.
    pub sheet: String,
    /// A signature of the text, as JSON, if it was signed.
    pub signature: Option<String>,
}

/// A sheet as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredVerdict {
    /// Its name.
    pub id: RecordId,
    /// When the store took it, as in [`Listed`].
    pub created_at: i64,
    /// Its text, byte for byte as it was given.
    pub sheet: String,
    /// Its signature, as it was given.
    pub signature: Option<String>,
}

/// Which records to list. Fields that are set must all match.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// The game's id.
    pub game: Option<String>,
    /// The rule set.
    pub ruleset: Option<String>,
    /// The name of a player, at any seat, whole, in upper or lower case.
    pub player: Option<String>,
    /// How the replay ended.
    pub status: Option<Status>,
    /// Who won.
    pub winner: Option<String>,
    /// Words, or beginnings of words, that all occur in the values of `meta`, in upper or lower
    /// case and with or without accents. Nothing in it is an operator. Text of blanks only does
    /// not filter; text without a letter or digit matches nothing.
    pub text: Option<String>,
    /// Only records taken at this time or later, in milliseconds since 1970.
    pub since: Option<i64>,
    /// Only records taken before this time, in milliseconds since 1970.
    pub until: Option<i64>,
    /// The most items; see [`DEFAULT_PAGE`] and [`MAX_PAGE`].
    pub limit: Option<u32>,
    /// Where the page before ended.
    pub cursor: Option<Cursor>,
}

/// One page of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// The records, the latest first.
    pub items: Vec<Listed>,
    /// Where the next page starts, if there is one.
    pub next: Option<Cursor>,
}

/// A place in a list. What it says is the store's business; it is written and read as text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cursor(u64);

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl FromStr for Cursor {
    type Err = StoreError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        bytes(text).map(|it| Self(u64::from_be_bytes(it))).ok_or(StoreError::Cursor)
    }
}

#[cfg(test)]
mod tests {
    use super::{Cursor, RecordId, RecordIdError, Status, StoreError};

    #[test]
    fn a_record_id_is_64_lower_case_digits() {
        let text = "0123456789abcdef".repeat(4);
        let id: RecordId = text.parse().unwrap();
        assert_eq!(id.to_string(), text);
        assert_eq!(RecordId::from_bytes(*id.as_bytes()), id);
        for bad in [
            &text[1..],
            &text.to_uppercase(),
            &"g".repeat(64),
            "",
            &format!("{text}0"),
            &"é".repeat(32),
        ] {
            assert_eq!(bad.parse::<RecordId>(), Err(RecordIdError), "{bad}");
        }
    }

    #[test]
    fn a_cursor_is_parsed_or_refused() {
        let cursor = Cursor(41);
        assert_eq!(cursor.to_string().parse(), Ok(cursor));
        for bad in [
            "",
            "41",
            "+00000000000000a",
            "000000000000002G",
            "00000000000000290",
            "' OR 1=1 --     ",
        ] {
            assert_eq!(bad.parse::<Cursor>(), Err(StoreError::Cursor), "{bad}");
        }
    }

    #[test]
    fn a_status_has_one_name() {
        for status in [Status::Complete, Status::InProgress, Status::Illegal, Status::BadChance] {
            assert_eq!(status.as_str().parse(), Ok(status));
        }
        assert!("Complete".parse::<Status>().is_err());
    }
}
