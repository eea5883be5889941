//! Storing records.
//!
//! The service sees the trait [`Store`] and plain types; behind it is an SQLite file (`sqlite`) or,
//! for several servers, a PostgreSQL database (`postgres`). The store keeps texts and the few
//! fields by which a list can be filtered.
//!
//! This module must not parse a record, compute an id, or know a game; SQL must not occur outside
//! of it.

use std::{
    fmt, future::Future, ops::ControlFlow, pin::Pin, str::FromStr, sync::Arc, time::Duration,
};

use data_encoding::HEXLOWER;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use umpire_engine::record::{Fault, FaultCode};
pub use umpire_referee::record_id::{RecordId, RecordIdError};

use umpire_referee::digits::bytes;

use crate::http::error::ApiError;

mod body;
pub mod carry;
mod failure;
pub mod jobs;
pub mod name;
mod passed;
pub mod place;
#[cfg(feature = "postgres")]
pub mod postgres;
mod queue;
mod row;
mod select;
pub mod sqlite;
pub mod when;
mod whole;

pub use failure::StoreError;

/// The maximum number of items in a page of a list.
pub const MAX_PAGE: u32 = 500;

/// The default number of items in a page of a list.
pub const DEFAULT_PAGE: u32 = 50;

/// The maximum length of a record, in bytes of its text.
pub const MAX_RECORD_BYTES: usize = 64 << 20;

/// The latest time in a query, in milliseconds since 1970: the end of the year 9999.
pub const LAST_TIME: i64 = 253_402_300_799_999;

/// A result that is still pending.
///
/// It borrows nothing, so it may be awaited anywhere. It does nothing until it is first polled;
/// once the store has accepted the request, dropping it cancels nothing.
pub type StoreFuture<T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send>>;

/// What another server did at a table, or may have done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableNews {
    /// This table has a new step, or was deleted.
    Changed(TableId),
    /// Notifications were lost: any table may have changed.
    Missed,
}

/// A store of records.
///
/// Writing is asynchronous, because it waits for the disk together with other writers. Reading
/// blocks for as long as the disk needs, so a server must call it from a blocking thread. Readers
/// never wait for writers.
pub trait Store: Send + Sync {
    /// Stores records: all of them or, in case of an error, none.
    ///
    /// Completes only when the records are durable. Returns for each record, in order, whether it
    /// is new. The records are compressed during the call itself, so pass very many of them in
    /// several calls, from a blocking thread.
    ///
    /// # Errors
    ///
    /// [`StoreError::Busy`] if there was no room in the queue for too long, and
    /// [`StoreError::Rejected`] if one of the records cannot be stored.
    fn insert(&self, records: Vec<NewRecord>) -> StoreFuture<Vec<Inserted>>;

    /// Deletes a record, and returns whether it existed. It may be inserted again later.
    ///
    /// # Errors
    ///
    /// As for [`Store::insert`].
    fn delete(&self, id: &RecordId) -> StoreFuture<bool>;

    /// Finds one record.
    ///
    /// # Errors
    ///
    /// [`StoreError::Corrupt`] if the stored data differ from what was inserted.
    fn find(&self, id: &RecordId) -> Result<Option<Stored>, StoreError>;

    /// Lists the records that match the filter, the newest first, page by page.
    ///
    /// A record that existed before the first page is shown exactly once, whatever is inserted in
    /// the meantime; a later one is not shown. An unreadable record is skipped.
    ///
    /// # Errors
    ///
    /// [`StoreError::Cursor`] if the cursor was not issued by this store.
    fn list(&self, filter: &Filter) -> Result<Page, StoreError>;

    /// A position before the newest record: a list from there shows what exists now, and nothing
    /// that is stored later. Only if the newest record is deleted, a file may reuse its position.
    ///
    /// # Errors
    ///
    /// A database error.
    fn front(&self) -> Result<Cursor, StoreError>;

    /// Counts the records that match the filter, from its cursor on; its limit is ignored.
    /// Unreadable records may be counted.
    ///
    /// # Errors
    ///
    /// As for [`Store::list`].
    fn count(&self, filter: &Filter) -> Result<u64, StoreError>;

    /// Visits all records that match the filter, the newest first, until the visitor breaks.
    ///
    /// Only one record at a time is held in memory, and nothing is locked while the visitor works,
    /// so it may be as slow as a network. Records deleted in the meantime may be skipped. The
    /// filter's limit applies to the whole visit, and no limit means all. Unreadable records are
    /// skipped.
    ///
    /// # Errors
    ///
    /// As for [`Store::list`].
    fn each(
        &self,
        filter: &Filter,
        visit: &mut dyn FnMut(Stored) -> ControlFlow<()>,
    ) -> Result<(), StoreError>;

    /// Stores the sheet of a settled dispute, and returns whether it is new. An existing sheet with
    /// the same id stays as it is, with its signature.
    ///
    /// # Errors
    ///
    /// As for [`Store::insert`].
    fn insert_verdict(&self, verdict: NewVerdict) -> StoreFuture<Inserted>;

    /// Deletes a sheet, and returns whether it existed. It may be inserted again later.
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

    /// Stores a new table, and returns whether it is new. `head` describes it.
    ///
    /// # Errors
    /// As for [`Store::insert`].
    fn insert_table(&self, id: TableId, head: String) -> StoreFuture<Inserted>;

    /// Stores the next step of a table, with `number` starting from 0. Returns `false` if there is
    /// no such table, or if its next step has another number: then someone else was first, and
    /// nothing was changed. Completes only when the step is durable.
    ///
    /// # Errors
    /// As for [`Store::insert`].
    fn append_step(&self, id: TableId, number: u32, step: String) -> StoreFuture<bool>;

    /// Deletes a table with all its steps, and returns whether it existed.
    ///
    /// # Errors
    /// As for [`Store::insert`].
    fn delete_table(&self, id: TableId) -> StoreFuture<bool>;

    /// Finds a table with all its steps.
    ///
    /// # Errors
    /// As for [`Store::find`].
    fn find_table(&self, id: TableId) -> Result<Option<StoredTable>, StoreError>;

    /// Finds the steps of a table from a number on; `None` if there is no such table.
    ///
    /// # Errors
    /// As for [`Store::find`].
    fn find_steps(&self, id: TableId, from: u32) -> Result<Option<Vec<StoredStep>>, StoreError> {
        let table = self.find_table(id)?;
        Ok(table.map(|table| table.steps.into_iter().skip(from as usize).collect()))
    }

    /// At most `most` tables with a number below `before`, the newest first, each with its number.
    ///
    /// # Errors
    /// A database error.
    fn kept_tables(&self, before: i64, most: u32) -> Result<Vec<(i64, KeptTable)>, StoreError>;

    /// At most `most` sheets with a number below `before`, the newest first, each with its number.
    ///
    /// # Errors
    /// A database error.
    fn kept_verdicts(&self, before: i64, most: u32) -> Result<Vec<(i64, KeptVerdict)>, StoreError>;

    /// Whether other servers may write to it at the same time.
    fn is_shared(&self) -> bool {
        false
    }

    /// The job board of the servers that share this store, with leases of this length; `None` if it
    /// is not shared.
    fn jobs(&self, lease: Duration) -> Option<Arc<dyn jobs::JobBoard>> {
        let _ = lease;
        None
    }

    /// Calls the watcher soon after another server did something at a table. The watcher must not
    /// wait for the store.
    fn watch(&self, watcher: Box<dyn Fn(TableNews) + Send + Sync>) {
        drop(watcher);
    }

    /// How many damaged records lists and visits have skipped since the store was opened; each
    /// counts once.
    fn damaged(&self) -> u64 {
        0
    }

    /// Checks whether requests can be served now, by a durable write.
    ///
    /// # Errors
    ///
    /// Why not.
    fn ready(&self) -> StoreFuture<()>;

    /// Stops accepting writes, completes those in progress, and cleans up. Blocks until done.
    /// Further calls do nothing; reading still works.
    ///
    /// # Errors
    ///
    /// Cleaning up failed. Acknowledged records are safe regardless.
    fn close(&self) -> Result<(), StoreError>;
}

/// The id of a table: 16 random bytes.
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

/// The text is not a table id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TableIdError;

impl fmt::Display for TableIdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a table id is 32 lowercase hexadecimal digits")
    }
}

impl std::error::Error for TableIdError {}

/// A stored table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredTable {
    /// Its name.
    pub id: TableId,
    /// When it was stored, in milliseconds since 1970.
    pub created_at: i64,
    /// Its description, as it was inserted.
    pub head: String,
    /// What happened at it, in order.
    pub steps: Vec<StoredStep>,
}

/// A stored table, in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptTable {
    /// Its id.
    pub id: TableId,
    /// When it was stored, in milliseconds since 1970.
    pub created_at: i64,
    /// When its last step was stored; without steps, when the table was stored.
    pub played_at: i64,
    /// Number of its steps.
    pub steps: u32,
    /// The bytes of its description and its steps.
    pub bytes: u64,
    /// Its description, as it was inserted.
    pub head: String,
}

/// A stored sheet, in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptVerdict {
    /// Its id.
    pub id: RecordId,
    /// When it was stored, as in [`Listed`].
    pub created_at: i64,
    /// Its text, as it was inserted; `None` if it is damaged.
    pub sheet: Option<String>,
}

/// Something that happened at a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredStep {
    /// When it was stored, in milliseconds since 1970.
    pub taken_at: i64,
    /// Its text, as it was inserted.
    pub text: String,
}

/// The status of a record after its replay.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Status {
    /// The game is over.
    Complete,
    /// All actions are legal, and the game is not over.
    InProgress,
    /// An action is illegal.
    Illegal,
    /// The tape does not match the game.
    BadChance,
}

impl Status {
    /// The name in JSON and in the database.
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

/// The fields of a record that lists show and filter by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    /// The game's id.
    pub game: String,
    /// The ruleset that the record is pinned to.
    pub ruleset: String,
    /// How the replay ended.
    pub status: Status,
    /// The number of actions that were accepted.
    pub plies: u32,
    /// The winner, if there is one.
    pub winner: Option<String>,
    /// Why the game ended, if it did.
    pub reason: Option<String>,
    /// Seats and the names of their players, in the record's order.
    pub players: Vec<(String, String)>,
    /// The record's metadata, in the record's order.
    pub meta: Vec<(String, Value)>,
    /// The verdict as JSON text, stored so that an illegal record keeps it.
    pub verdict: String,
}

/// A record to store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewRecord {
    /// Its id; the same id means the same record.
    pub id: RecordId,
    /// Its text, stored byte for byte.
    pub record: String,
    /// Its list entry.
    pub summary: Summary,
}

/// The result of inserting something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Inserted {
    /// It was not there before.
    New,
    /// It already existed, and nothing was changed.
    Existing,
}

/// A record in a list: without its verdict, and with metadata and names left empty if they are
/// longer than 4096 bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// The record's id.
    pub id: RecordId,
    /// When it was stored by the clock of the store, in milliseconds since 1970. Lists are in order
    /// of arrival, which differs if the clock was set back.
    pub created_at: i64,
    /// Its list entry.
    pub summary: Summary,
    /// The length of its stored metadata in bytes, whether or not they are shown.
    pub meta_bytes: u32,
}

/// A stored record with its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stored {
    /// The record's id.
    pub id: RecordId,
    /// As in [`Listed`].
    pub created_at: i64,
    /// Its list entry.
    pub summary: Summary,
    /// Its text, byte for byte as it was inserted.
    pub record: String,
}

/// The sheet of a settled dispute to store. It is a document of its own: it contains the record
/// that it is about, whether that is stored or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewVerdict {
    /// Its id; the same id means the same sheet.
    pub id: RecordId,
    /// Its text, stored byte for byte.
    pub sheet: String,
    /// A signature of the text, as JSON, if it was signed.
    pub signature: Option<String>,
}

/// A stored sheet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredVerdict {
    /// Its id.
    pub id: RecordId,
    /// When it was stored, as in [`Listed`].
    pub created_at: i64,
    /// Its text, byte for byte as it was inserted.
    pub sheet: String,
    /// Its signature, as it was inserted.
    pub signature: Option<String>,
}

/// Which records to list. Fields that are set must all match.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// The game's id.
    pub game: Option<String>,
    /// The ruleset.
    pub ruleset: Option<String>,
    /// The full name of a player at any seat, in any case.
    pub player: Option<String>,
    /// How the replay ended.
    pub status: Option<Status>,
    /// The winner.
    pub winner: Option<String>,
    /// Words, or prefixes of words, that must all occur in the values of `meta`, ignoring case and
    /// accents. There are no operators. Blank text does not filter; text without a letter or digit
    /// matches nothing.
    pub text: Option<String>,
    /// Only records stored at this time or later, in milliseconds since 1970.
    pub since: Option<i64>,
    /// Only records stored before this time, in milliseconds since 1970.
    pub until: Option<i64>,
    /// The maximum number of items; see [`DEFAULT_PAGE`] and [`MAX_PAGE`].
    pub limit: Option<u32>,
    /// The end of the previous page.
    pub cursor: Option<Cursor>,
}

/// One page of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// The records, the newest first.
    pub items: Vec<Listed>,
    /// Where the next page starts, if there is one.
    pub next: Option<Cursor>,
}

/// A position in a list. It is opaque, and has a text form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Cursor(u64);

impl From<Cursor> for String {
    fn from(cursor: Cursor) -> Self {
        cursor.to_string()
    }
}

impl TryFrom<String> for Cursor {
    type Error = StoreError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

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

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Busy | StoreError::Unavailable(_) => {
                tracing::warn!(%error, "store");
                ApiError::unavailable("the store is unavailable; try again later")
            }
            StoreError::Rejected(_) => {
                Fault::new(FaultCode::BadRecord, "", error.to_string()).into()
            }
            StoreError::Cursor => ApiError::not_found(error.to_string()),
            StoreError::Corrupt(_) | StoreError::Newer(_) => ApiError::internal(error.to_string()),
        }
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
