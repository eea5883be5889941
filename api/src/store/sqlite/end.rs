//! One end of a copy of a whole store: a file.
//!
//! This module must not change the source file, and must not write while a server has the
//! destination open.

use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, params};

use super::super::row::NewRow;
use super::super::whole::{AT_ONCE, BYTES_AT_ONCE, Item, Kept, Kind, Part, Whole};
use super::super::{NewRecord, NewVerdict, StoreError, Stored};
use super::check::{Read, is_damage, read};
use super::copy::{in_use, nobody_has_it_open, same};
use super::faults::plain;
use super::open::{connect, create_if_missing, look, name_the_file, prepare};
use super::tables;
use super::verdicts::{self, VerdictRow};
use super::writer::{Clock, insert};

/// How long to wait for a program that has locked the file.
const LOCK_WAIT: Duration = Duration::from_secs(5);

/// Records before which the clock was set back, from the one before a number.
const CLOCK_STEPS: &str = "INSERT OR IGNORE INTO clock_step SELECT number FROM \
     (SELECT number, created_at, lag(created_at) OVER (ORDER BY number) AS before FROM record \
      WHERE number >= coalesce((SELECT max(number) FROM record WHERE number < ?1), ?1)) \
     WHERE created_at < before";

/// A file that is the source or the destination of a copy.
pub(in super::super) struct FileEnd {
    path: PathBuf,
    connection: Connection,
}

impl FileEnd {
    /// The file to copy. Nothing in it is changed.
    ///
    /// # Errors
    /// A [`StoreError`]: it does not exist, is not a store, is too new, or a program has it open.
    pub(in super::super) fn source(path: &Path) -> Result<Self, StoreError> {
        if in_use(path) {
            return Err(StoreError::Unavailable(format!(
                "{0}: a program has it open; stop it first, or copy a backup of it: `umpire backup {0} TO`",
                path.display()
            )));
        }
        let (connection, _) = look(path, LOCK_WAIT)?;
        // A single snapshot until the end, whoever opens the file in the meantime.
        let view = connection.execute_batch("BEGIN; SELECT 1 FROM sqlite_schema LIMIT 1");
        view.map_err(plain).map_err(|error| name_the_file(path, error))?;
        Ok(FileEnd { path: path.to_owned(), connection })
    }

    /// The file to copy into, which is created if it does not exist. While this value exists, no
    /// other program can open it.
    ///
    /// # Errors
    /// A [`StoreError`]: it cannot be created or written, is not a store, is the file `from`, or a
    /// program has it open.
    pub(in super::super) fn target(from: Option<&Path>, path: &Path) -> Result<Self, StoreError> {
        let named = |error| name_the_file(path, error);
        if from.is_some_and(|from| same(from, path)) {
            let what = "it is the store to copy".to_owned();
            return Err(named(StoreError::Unavailable(what)));
        }
        if path.is_file() {
            nobody_has_it_open(path).map_err(named)?;
        }
        let absolute = std::path::absolute(path)
            .map_err(|error| named(StoreError::Unavailable(error.to_string())))?;
        create_if_missing(&absolute)?;
        let mut connection = connect(&absolute, OpenFlags::SQLITE_OPEN_READ_WRITE, LOCK_WAIT)
            .map_err(plain)
            .map_err(named)?;
        connection
            .pragma_update(None, "locking_mode", "EXCLUSIVE")
            .map_err(plain)
            .map_err(named)?;
        prepare(&mut connection).map_err(named)?;
        // The first write takes the lock.
        connection
            .execute_batch("BEGIN IMMEDIATE; UPDATE probe SET times = times + 1; COMMIT")
            .map_err(plain)
            .map_err(named)?;
        Ok(FileEnd { path: path.to_owned(), connection })
    }

    fn records(&self, number: i64) -> Result<Part, StoreError> {
        let mut holes = Vec::new();
        let Read { packed, last, ended } =
            read(&self.connection, number, AT_ONCE, BYTES_AT_ONCE, &mut holes)?;
        let mut part = Part { items: Vec::new(), holes: Vec::new(), last, ended };
        for packed in packed {
            let (number, id) = (packed.number, packed.id());
            let kept = packed.unpack().map(Kept::Record);
            let kept = kept.map_err(|error| format!("record {id}: {error}"));
            part.items.push(Item { number, kept });
        }
        for hole in holes {
            let Some(number) = hole.number else {
                part.holes.push(hole.what);
                continue;
            };
            let name = hole.id.map_or_else(|| number.to_string(), |id| id.to_string());
            part.items.push(Item { number, kept: Err(format!("record {name}: {}", hole.what)) });
        }
        part.items.sort_by_key(|item| item.number);
        Ok(part)
    }

    fn verdicts(&self, number: i64) -> Result<Part, StoreError> {
        let mut part = Part { items: Vec::new(), holes: Vec::new(), last: number, ended: false };
        if !verdicts::has_table(&self.connection).map_err(plain)? {
            return Ok(Part { ended: true, ..part });
        }
        let mut bytes = 0;
        while part.items.len() < AT_ONCE && bytes < BYTES_AT_ONCE {
            match verdicts::after(&self.connection, part.last) {
                Ok(Some(packed)) => {
                    let (number, id) = (packed.number, packed.id);
                    let kept = packed.unpack().map_err(|error| format!("verdict {id}: {error}"));
                    bytes += kept.as_ref().map_or(0, |it| it.sheet.len());
                    part.last = number;
                    part.items.push(Item { number, kept: kept.map(Kept::Verdict) });
                }
                Ok(None) => {
                    part.ended = true;
                    break;
                }
                Err(error) if is_damage(&error) => {
                    // The next one in the index of ids is the one that cannot be read.
                    let known = verdicts::names(&self.connection).unwrap_or_default();
                    let next = known.into_iter().filter(|(_, it)| *it > part.last);
                    let Some((id, number)) = next.min_by_key(|(_, it)| *it) else {
                        part.holes.push("a page of verdicts cannot be read".to_owned());
                        part.ended = true;
                        break;
                    };
                    part.last = number;
                    let what = format!("verdict {id}: its text cannot be read");
                    part.items.push(Item { number, kept: Err(what) });
                }
                Err(error) => return Err(plain(error)),
            }
        }
        Ok(part)
    }

    fn tables(&self, number: i64) -> Result<Part, StoreError> {
        let mut part = Part { items: Vec::new(), holes: Vec::new(), last: number, ended: false };
        if !tables::has_tables(&self.connection).map_err(plain)? {
            return Ok(Part { ended: true, ..part });
        }
        let mut bytes = 0;
        while part.items.len() < AT_ONCE && bytes < BYTES_AT_ONCE {
            match tables::after(&self.connection, part.last) {
                Ok(Some((number, table))) => {
                    part.last = number;
                    bytes += table.steps.iter().map(|step| step.text.len()).sum::<usize>();
                    part.items.push(Item { number, kept: Ok(Kept::Table(table)) });
                }
                Ok(None) => {
                    part.ended = true;
                    break;
                }
                Err(error) if is_damage(&error) => {
                    part.holes.push("a page of tables cannot be read".to_owned());
                    part.ended = true;
                    break;
                }
                Err(error) => return Err(plain(error)),
            }
        }
        Ok(part)
    }
}

impl Whole for FileEnd {
    fn count(&mut self, kind: Kind) -> Result<u64, StoreError> {
        let (there, text) = match kind {
            Kind::Record => (Ok(true), "SELECT count(*) FROM record INDEXED BY record_by_game"),
            Kind::Verdict => {
                (verdicts::has_table(&self.connection), "SELECT count(*) FROM verdict")
            }
            Kind::Table => {
                (tables::has_tables(&self.connection), "SELECT count(*) FROM live_table")
            }
        };
        if !there.map_err(plain)? {
            return Ok(0);
        }
        // The number of readable items in a damaged store is only known after reading them.
        let count = self.connection.query_row(text, (), |row| row.get::<_, i64>(0));
        Ok(count.map_or(0, i64::cast_unsigned))
    }

    fn after(&mut self, kind: Kind, number: i64) -> Result<Part, StoreError> {
        match kind {
            Kind::Record => self.records(number),
            Kind::Verdict => self.verdicts(number),
            Kind::Table => self.tables(number),
        }
    }

    fn write(&mut self, items: &[(i64, Kept)]) -> Result<(), StoreError> {
        let transaction = self.connection.transaction().map_err(plain)?;
        let taken = |what: &str| StoreError::Unavailable(format!("{what} already exists"));
        let mut first_record = None;
        for (number, kept) in items {
            match kept {
                Kept::Record(it) => {
                    let Stored { id, created_at, summary, record } = it.clone();
                    let row = NewRow::pack(NewRecord { id, record, summary })?;
                    let mut clock = Clock { now: created_at, stepped_back: false };
                    if !insert(&transaction, &row, Some(*number), &mut clock).map_err(plain)? {
                        return Err(taken(&format!("record {id} (with another number)")));
                    }
                    first_record = first_record.or(Some(*number));
                }
                Kept::Verdict(it) => {
                    let row = VerdictRow::pack(NewVerdict {
                        id: it.id,
                        sheet: it.sheet.clone(),
                        signature: it.signature.clone(),
                    })?;
                    verdicts::restore(&transaction, *number, &row, it.created_at).map_err(plain)?;
                }
                Kept::Table(it) => {
                    tables::restore(&transaction, Some(*number), it).map_err(plain)?;
                }
            }
        }
        if let Some(first) = first_record {
            transaction.execute(CLOCK_STEPS, params![first]).map_err(plain)?;
        }
        transaction.commit().map_err(plain)
    }

    fn close(self: Box<Self>) -> Result<(), StoreError> {
        let FileEnd { path, connection } = *self;
        let named = |error| name_the_file(&path, error);
        let copied = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", (), |_| Ok(()));
        copied.map_err(plain).map_err(named)?;
        connection.close().map_err(|(_, error)| named(plain(error)))
    }
}
