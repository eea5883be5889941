//! Checks a whole store: its pages, its indexes, every record, every sheet.
//!
//! This module must not change anything, and must not compute an id: the caller judges whether a
//! text matches its id, and everything else about contents.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
    time::Duration,
};

use rayon::prelude::*;
use rusqlite::{Connection, ErrorCode};

use super::super::row::{are_names, searched};
use super::super::{RecordId, StoreError, Stored, StoredTable, StoredVerdict};
use super::faults::plain;
use super::open::look;
use super::query::{self, Packed};
use super::tables;
use super::verdicts;

/// How long to wait for a program that has locked the file.
const LOCK_WAIT: Duration = Duration::from_secs(5);

/// How many records are read at once. Between two reads nothing is locked.
const AT_ONCE: usize = 256;

/// The maximum number of bytes read at once, unless one record has more.
const BYTES_AT_ONCE: usize = 16 << 20;

/// How many numbers after an unreadable place are tried one by one: as many as a damaged inner page
/// may lead to. After that the steps grow.
const ONE_BY_ONE: i64 = 4_096;

/// The maximum number of faults that are described; all are counted.
const MOST_TOLD: usize = 1_000;

/// A fault in a store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Damage {
    /// The record that it concerns, if that is known.
    pub id: Option<RecordId>,
    /// The number of that record in the order of arrival.
    pub number: Option<i64>,
    /// What is wrong, as plain text.
    pub what: String,
}

/// The result of checking a store.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Checked {
    /// The version of the store's schema.
    pub version: usize,
    /// Records that could be read, intact or not.
    pub records: u64,
    /// Records without a fault.
    pub good: u64,
    /// Sheets of disputes that could be read, intact or not.
    pub verdicts: u64,
    /// Live tables that could be read.
    pub tables: u64,
    /// The number of faults.
    pub faults: u64,
    /// The faults; the first 1,000 only.
    pub shown: Vec<Damage>,
}

impl Checked {
    fn fault(&mut self, id: Option<RecordId>, number: Option<i64>, what: String) {
        self.faults += 1;
        if self.shown.len() < MOST_TOLD {
            self.shown.push(Damage { id, number, what });
        }
    }
}

/// Returns what is wrong with a record's content, if anything. Called on all processors.
pub type Judge<'a> = &'a (dyn Fn(&Stored) -> Result<(), String> + Sync);

/// Functions that return what is wrong with the contents of a store.
#[derive(Clone, Copy)]
pub struct Judges<'a> {
    /// For a record.
    pub record: Judge<'a>,
    /// For a sheet.
    pub verdict: &'a (dyn Fn(&StoredVerdict) -> Result<(), String> + Sync),
    /// For a table.
    pub table: &'a (dyn Fn(&StoredTable) -> Result<(), String> + Sync),
}

/// Checks a store, even while a server runs on it. Blocks; `tell` is called with the number of
/// records checked so far, and their total.
///
/// # Errors
/// A [`StoreError`] if it cannot be read at all: it does not exist, is not a store, or is too new.
pub fn check(
    path: &Path,
    judges: Judges<'_>,
    tell: &mut dyn FnMut(u64, u64),
) -> Result<Checked, StoreError> {
    let (connection, version) = look(path, LOCK_WAIT)?;
    let mut checked = Checked { version, ..Checked::default() };
    let count = "SELECT count(*) FROM record INDEXED BY record_by_game";
    let all: i64 = connection.query_row(count, (), |row| row.get(0)).unwrap_or(0);
    structure(&connection, &mut checked);
    let mut last = i64::MIN;
    while let Some(batch) = Batch::read(&connection, last, AT_ONCE, BYTES_AT_ONCE)? {
        last = batch.last;
        for hole in batch.holes {
            checked.fault(hole.id, hole.number, hole.what);
        }
        for (number, what) in batch.strays {
            checked.fault(None, Some(number), what);
        }
        let judged: Vec<_> =
            batch.rows.into_par_iter().map(|row| row.judge(judges.record)).collect();
        for (id, number, wrong) in judged {
            checked.records += 1;
            checked.good += u64::from(wrong.is_empty());
            for what in wrong {
                checked.fault(Some(id), Some(number), what);
            }
        }
        tell(checked.records, all.cast_unsigned());
    }
    check_verdicts(&connection, judges, &mut checked)?;
    check_tables(&connection, judges, &mut checked)?;
    Ok(checked)
}

/// Checks the tables, as far as they can be read.
fn check_tables(
    connection: &Connection,
    judges: Judges<'_>,
    checked: &mut Checked,
) -> Result<(), StoreError> {
    let mut last = i64::MIN;
    while tables::has_tables(connection).unwrap_or(false) {
        match tables::after(connection, last) {
            Ok(Some((number, table))) => {
                last = number;
                checked.tables += 1;
                if let Err(why) = (judges.table)(&table) {
                    checked.fault(None, None, format!("table {}: {why}", table.id));
                }
            }
            Ok(None) => break,
            Err(error) if is_damage(&error) => {
                checked.fault(None, None, "a page of tables cannot be read".to_owned());
                break;
            }
            Err(error) => return Err(plain(error)),
        }
    }
    Ok(())
}

/// Checks the sheets. If one of their pages cannot be read, the index of ids says what is missing
/// after it.
fn check_verdicts(
    connection: &Connection,
    judges: Judges<'_>,
    checked: &mut Checked,
) -> Result<(), StoreError> {
    if !verdicts::has_table(connection).unwrap_or(false) {
        return Ok(());
    }
    let mut holes = Vec::new();
    let mut visit = |packed: verdicts::PackedVerdict| {
        let id = packed.id;
        checked.verdicts += 1;
        if let Err(why) =
            packed.unpack().map_err(|error| error.to_string()).and_then(|it| (judges.verdict)(&it))
        {
            checked.fault(None, None, format!("verdict {id}: {why}"));
        }
        Ok(())
    };
    read_verdicts(connection, &mut holes, &mut visit)?;
    holes.into_iter().for_each(|what| checked.fault(None, None, what));
    Ok(())
}

/// Reads every readable sheet; the others are reported as holes.
pub(super) fn read_verdicts(
    connection: &Connection,
    holes: &mut Vec<String>,
    visit: &mut dyn FnMut(verdicts::PackedVerdict) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let known = match verdicts::names(connection) {
        Ok(known) => known,
        Err(error) if is_damage(&error) => {
            holes.push("the index of verdicts cannot be read".to_owned());
            Vec::new()
        }
        Err(error) => return Err(plain(error)),
    };
    let mut missing: BTreeMap<i64, RecordId> =
        known.into_iter().map(|(id, number)| (number, id)).collect();
    let mut last = i64::MIN;
    loop {
        match verdicts::after(connection, last) {
            Ok(Some(packed)) => {
                last = packed.number;
                missing.remove(&last);
                visit(packed)?;
            }
            Ok(None) => break,
            Err(error) if is_damage(&error) => {
                // The next one in the index is the one that cannot be read.
                let Some((&number, _)) = missing.range(last.saturating_add(1)..).next() else {
                    holes.push("a page of verdicts cannot be read".to_owned());
                    break;
                };
                last = number;
            }
            Err(error) => return Err(plain(error)),
        }
    }
    holes.extend(missing.values().map(|id| format!("verdict {id}: its text cannot be read")));
    Ok(())
}

/// The faults that SQLite finds: pages, indexes that do not match their tables, orphaned rows.
fn structure(connection: &Connection, checked: &mut Checked) {
    let found = (|| -> rusqlite::Result<Vec<String>> {
        let mut statement = connection.prepare("PRAGMA integrity_check(100)")?;
        let mut found: Vec<String> =
            statement.query_map((), |row| row.get(0))?.collect::<Result<_, _>>()?;
        found.retain(|line| line != "ok");
        let mut statement = connection.prepare("PRAGMA foreign_key_check")?;
        let strays = statement.query_map((), |row| {
            let (table, number): (String, Option<i64>) = (row.get(0)?, row.get(1)?);
            Ok(format!("{table}: row {number:?} belongs to no record"))
        })?;
        found.extend(strays.collect::<Result<Vec<_>, _>>()?);
        Ok(found)
    })();
    match found {
        Ok(found) => found.into_iter().for_each(|what| checked.fault(None, None, what)),
        Err(error) => checked.fault(None, None, plain(error).to_string()),
    }
}

/// A record, with what the indexes contain about it.
struct Row {
    packed: Packed,
    names: BTreeSet<String>,
    searched: bool,
}

impl Row {
    /// The faults of the record.
    fn judge(self, judge: Judge<'_>) -> (RecordId, i64, Vec<String>) {
        let (id, number) = (self.packed.id(), self.packed.number);
        let mut wrong = Vec::new();
        let summary = self.packed.summary();
        if !are_names(summary, &self.names) {
            wrong.push(format!("the index of players has {:?} instead", self.names));
        }
        match (searched(summary).is_empty(), self.searched) {
            (false, false) => {
                wrong.push("the words of its metadata are missing from the index".to_owned())
            }
            (true, true) => {
                wrong.push("the index has words for it, but it has no metadata".to_owned())
            }
            _ => {}
        }
        match self.packed.unpack() {
            Ok(stored) => wrong.extend(judge(&stored).err()),
            Err(error) => wrong.push(error.to_string()),
        }
        (id, number, wrong)
    }
}

/// Some records, ordered by number.
struct Batch {
    rows: Vec<Row>,
    holes: Vec<Damage>,
    /// Index entries that belong to no record.
    strays: Vec<(i64, String)>,
    /// The last number that was read.
    last: i64,
}

impl Batch {
    /// Reads the records after a number, all in one snapshot of the store; `None` at the end.
    fn read(
        connection: &Connection,
        after: i64,
        most: usize,
        bytes: usize,
    ) -> Result<Option<Self>, StoreError> {
        if after == i64::MAX {
            return Ok(None);
        }
        let view = connection.unchecked_transaction().map_err(plain)?;
        let mut holes = Vec::new();
        let Read { packed, last, ended } = read(&view, after, most, bytes, &mut holes)?;
        let up_to = if ended { i64::MAX } else { last };
        let mut names: BTreeMap<i64, BTreeSet<String>> = BTreeMap::new();
        let mut searched = BTreeSet::new();
        let mut note = |error| {
            let what = format!("an index cannot be read: {}", plain(error));
            holes.push(Damage { id: None, number: None, what });
        };
        names_of(&view, after, up_to, &mut names).unwrap_or_else(&mut note);
        words_of(&view, after, up_to, &mut searched).unwrap_or_else(&mut note);
        let rows: Vec<Row> = packed
            .into_iter()
            .map(|packed| Row {
                names: names.remove(&packed.number).unwrap_or_default(),
                searched: searched.remove(&packed.number),
                packed,
            })
            .collect();
        // For an unreadable record, nobody knows whether these are right.
        let known = |number: &i64| holes.iter().all(|hole| hole.number != Some(*number));
        let mut strays = Vec::new();
        if holes.is_empty() || holes.iter().all(|hole| hole.number.is_some()) {
            let players = names.into_keys().filter(known);
            strays.extend(players.map(|it| (it, "players of no record".to_owned())));
            let words = searched.into_iter().filter(known);
            strays.extend(words.map(|it| (it, "words of no record".to_owned())));
        }
        Ok(Some(Self { rows, holes, strays, last: up_to }))
    }
}

/// The indexed players of the records after a number, up to another.
fn names_of(
    view: &Connection,
    after: i64,
    up_to: i64,
    to: &mut BTreeMap<i64, BTreeSet<String>>,
) -> rusqlite::Result<()> {
    let mut statement = view.prepare_cached(
        "SELECT record, name FROM record_player INDEXED BY record_player_by_record WHERE record > ? AND record <= ?",
    )?;
    let mut rows = statement.query((after, up_to))?;
    while let Some(row) = rows.next()? {
        to.entry(row.get(0)?).or_default().insert(row.get(1)?);
    }
    Ok(())
}

/// The records after a number, up to another, that have indexed words.
fn words_of(
    view: &Connection,
    after: i64,
    up_to: i64,
    to: &mut BTreeSet<i64>,
) -> rusqlite::Result<()> {
    let mut statement =
        view.prepare_cached("SELECT id FROM record_meta_docsize WHERE id > ? AND id <= ?")?;
    let mut rows = statement.query((after, up_to))?;
    while let Some(row) = rows.next()? {
        to.insert(row.get(0)?);
    }
    Ok(())
}

/// Whole records that could be read.
pub(super) struct Read {
    pub(super) packed: Vec<Packed>,
    /// The last number that was read.
    pub(super) last: i64,
    /// Whether there is no record after it.
    pub(super) ended: bool,
}

/// Reads some records after a number; unreadable ones are skipped and reported as holes.
pub(super) fn read(
    connection: &Connection,
    after: i64,
    most: usize,
    bytes: usize,
    holes: &mut Vec<Damage>,
) -> Result<Read, StoreError> {
    let mut read = Read { packed: Vec::new(), last: after, ended: false };
    let mut size = 0;
    while read.packed.len() < most && size < bytes {
        match read_on(connection, &mut read, most, bytes, &mut size, holes) {
            Ok(()) => return Ok(read),
            Err(error) if is_damage(&error) => {}
            Err(error) => return Err(plain(error)),
        }
        pass(connection, &mut read, holes)?;
        if read.ended {
            break;
        }
    }
    Ok(read)
}

/// Whether a page contains something that SQLite never wrote there.
pub(super) fn is_damage(error: &rusqlite::Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::SystemIoFailure | ErrorCode::NotADatabase)
    )
}

/// Reads on until there is enough, or something is unreadable.
fn read_on(
    connection: &Connection,
    read: &mut Read,
    most: usize,
    bytes: usize,
    size: &mut usize,
    holes: &mut Vec<Damage>,
) -> rusqlite::Result<()> {
    let mut statement = connection.prepare_cached(query::AFTER)?;
    let mut rows = statement.query((read.last.saturating_add(1), most as i64))?;
    let mut seen = 0;
    while *size < bytes {
        let Some(row) = rows.next()? else {
            read.ended = seen < most;
            return Ok(());
        };
        seen += 1;
        read.last = row.get(0)?;
        match Packed::read(row) {
            Ok(packed) => {
                *size += packed.bytes();
                read.packed.push(packed);
            }
            Err(error) => holes.push(Damage {
                id: row.get(1).ok().map(RecordId::from_bytes),
                number: Some(read.last),
                what: error.to_string(),
            }),
        }
    }
    Ok(())
}

/// Skips what is unreadable after the last number.
fn pass(
    connection: &Connection,
    read: &mut Read,
    holes: &mut Vec<Damage>,
) -> Result<(), StoreError> {
    // If the row can be found, only its overflow pages are damaged.
    let next = |from: i64| {
        let next =
            "SELECT number, id FROM record NOT INDEXED WHERE number >= ? ORDER BY number LIMIT 1";
        let mut statement = connection.prepare_cached(next)?;
        let mut rows = statement.query((from,))?;
        match rows.next()? {
            Some(row) => Ok(Some((row.get(0)?, row.get(1)?))),
            None => Ok(None),
        }
    };
    let first: rusqlite::Result<Option<(i64, [u8; 32])>> = next(read.last.saturating_add(1));
    match first {
        Ok(Some((number, id))) => {
            let id = Some(RecordId::from_bytes(id));
            let what = "its text cannot be read".to_owned();
            holes.push(Damage { id, number: Some(number), what });
            read.last = number;
            return Ok(());
        }
        Ok(None) => {
            read.ended = true;
            return Ok(());
        }
        Err(error) if is_damage(&error) => {}
        Err(error) => return Err(plain(error)),
    }
    let (least, most) = ends(connection);
    let begin = read.last.saturating_add(1).max(least);
    let mut at = begin;
    let found = loop {
        let step = ((at - begin) / ONE_BY_ONE).max(1);
        at = at.saturating_add(step);
        if at > most {
            break false;
        }
        match next(at) {
            Ok(found) => break found.is_some(),
            Err(error) if is_damage(&error) => {}
            Err(error) => return Err(plain(error)),
        }
    };
    let last = if found { at - 1 } else { most.max(begin) };
    let what = format!("numbers {begin} to {last} cannot be read");
    holes.push(Damage { id: None, number: None, what });
    read.last = last;
    read.ended = !found;
    Ok(())
}

/// The lowest and the highest number in an index; if none can be read, a range that is likely to
/// contain them.
pub(super) fn ends(connection: &Connection) -> (i64, i64) {
    let mut known: Option<(i64, i64)> = None;
    for index in ["record_by_game", "record_by_created_at", "record_by_status"] {
        let text = format!("SELECT min(number), max(number) FROM record INDEXED BY {index}");
        let asked = connection.query_row(&text, (), |row| Ok((row.get(0)?, row.get(1)?)));
        if let Ok((least, most)) = asked {
            let (low, high) = known.unwrap_or((least, most));
            known = Some((least.min(low), most.max(high)));
        }
    }
    known.unwrap_or((0, 1 << 22))
}
