//! Reads the pages of a file without SQLite, to recover what a damaged file still contains.
//!
//! Of SQLite's format (<https://sqlite.org/fileformat.html>) it knows the header, the list of free
//! pages, the cells of leaves with their overflow pages, and the log. It ignores trees and schema,
//! so that damage there loses nothing. Deleted data are on free pages and are left alone. This
//! module must not trust what it reads: the caller checks texts against their hash.

use std::{
    collections::{HashMap, HashSet},
    fs::File,
    io::{self, Read, Seek, SeekFrom},
    path::Path,
};

use super::super::body;
use super::super::{RecordId, StoredVerdict};
use super::open::beside;

/// The maximum number of bytes in a row: the largest record, and as much again.
const MOST_ROW_BYTES: usize = 128 << 20;

/// The columns of a row of `record`.
const COLUMNS: usize = 14;

/// The page size of our files, used if the header does not say.
const PAGE_SIZE: usize = 8192;

/// What was found on a page.
pub(super) enum Cell {
    /// A row that looks like a record.
    Row(Row),
    /// A complete sheet.
    Verdict(StoredVerdict),
    /// An id in an index of ids, and its number: of a record, or of a sheet.
    Name(RecordId, i64),
    /// A number in an index.
    Number(i64),
}

/// A row that looks like a record.
pub(super) struct Row {
    pub(super) number: i64,
    pub(super) id: RecordId,
    pub(super) created_at: i64,
    pub(super) length: usize,
    pub(super) packed: Vec<u8>,
}

/// The pages of a file and its log.
pub(super) struct Pages {
    file: File,
    log: Option<File>,
    /// The positions of newer versions of pages in the log.
    later: HashMap<u32, u64>,
    size: usize,
    count: u32,
    free: HashSet<u32>,
    /// Whether the list of free pages could be read completely.
    pub(super) free_known: bool,
}

impl Pages {
    /// The pages of a file, with its log if there is one.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let mut file = File::open(path)?;
        let length = file.metadata()?.len();
        let mut head = [0; 100];
        let size = match file.read_exact(&mut head) {
            Ok(()) if head.starts_with(b"SQLite format 3\0") => {
                let size = usize::from(u16::from_be_bytes([head[16], head[17]]));
                if size == 1 { 1 << 16 } else { size }
            }
            _ => PAGE_SIZE,
        };
        let size = if size.is_power_of_two() && size >= 512 { size } else { PAGE_SIZE };
        let count = u32::try_from(length.div_ceil(size as u64)).unwrap_or(u32::MAX);
        let log = File::open(beside(path, "-wal")).ok();
        let mut pages = Pages {
            file,
            log,
            later: HashMap::new(),
            size,
            count,
            free: HashSet::new(),
            free_known: true,
        };
        // An unreadable log adds nothing.
        let _ = pages.read_log();
        pages.read_free();
        Ok(pages)
    }

    /// Notes which pages have a newer version in the log, up to its last commit.
    fn read_log(&mut self) -> io::Result<()> {
        let Some(log) = &mut self.log else { return Ok(()) };
        let mut head = [0; 32];
        log.read_exact(&mut head)?;
        if !matches!(number(&head, 0), 0x377f_0682 | 0x377f_0683)
            || number(&head, 8) as usize != self.size
        {
            return Ok(());
        }
        let mut open = Vec::new();
        let mut at = 32;
        let mut frame = [0; 24];
        loop {
            log.seek(SeekFrom::Start(at))?;
            // An earlier generation of the log had a different salt.
            if log.read_exact(&mut frame).is_err() || frame[8..16] != head[16..24] {
                return Ok(());
            }
            open.push((number(&frame, 0), at + 24));
            if number(&frame, 4) != 0 {
                self.count = self.count.max(number(&frame, 4));
                self.later.extend(open.drain(..));
            }
            at += 24 + self.size as u64;
        }
    }

    /// Notes which pages are free.
    fn read_free(&mut self) {
        let mut trunk = match self.page(1) {
            Some(page) => number(&page, 32),
            None => return self.free_known = false,
        };
        while trunk != 0 {
            let page = self.page(trunk).filter(|_| self.free.insert(trunk));
            let Some(page) = page else { return self.free_known = false };
            let leaves = number(&page, 4) as usize;
            if leaves > self.size / 4 - 2 {
                return self.free_known = false;
            }
            self.free.extend((0..leaves).map(|at| number(&page, 8 + 4 * at)));
            trunk = number(&page, 0);
        }
    }

    /// A page, if it can be read; missing bytes at the end of the file are zero.
    fn page(&mut self, number: u32) -> Option<Vec<u8>> {
        if number == 0 || number > self.count {
            return None;
        }
        let mut page = vec![0; self.size];
        let (file, at) = match (self.later.get(&number), &mut self.log) {
            (Some(&at), Some(log)) => (log, at),
            _ => (&mut self.file, u64::from(number - 1) * self.size as u64),
        };
        file.seek(SeekFrom::Start(at)).ok()?;
        let mut filled = 0;
        while filled < page.len() {
            match file.read(&mut page[filled..]) {
                Ok(0) => break,
                Ok(read) => filled += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return None,
            }
        }
        Some(page)
    }

    /// Visits everything on pages in use that looks like a record, or like an index entry of one.
    pub(super) fn each(&mut self, visit: &mut dyn FnMut(Cell)) {
        for at in 1..=self.count {
            if self.free.contains(&at) {
                continue;
            }
            let Some(page) = self.page(at) else { continue };
            let head = if at == 1 { 100 } else { 0 };
            let (first, inner, leaf) = match page[head] {
                0x0d => (head + 8, false, true),
                0x0a => (head + 8, false, false),
                0x02 => (head + 12, true, false),
                _ => continue,
            };
            let cells = usize::from(short(&page, head + 3));
            for cell in 0..cells {
                let pointer = first + 2 * cell;
                if pointer + 2 > page.len() {
                    break;
                }
                let start = usize::from(short(&page, pointer)) + if inner { 4 } else { 0 };
                let found = if leaf { self.row(&page, start) } else { self.key(&page, start) };
                found.into_iter().for_each(&mut *visit);
            }
        }
    }

    /// The row that starts there, if it looks like a record.
    fn row(&mut self, page: &[u8], start: usize) -> Option<Cell> {
        let (payload, at) = varint(page, start)?;
        let (number, at) = varint(page, at)?;
        let payload = usize::try_from(payload).ok().filter(|it| *it <= MOST_ROW_BYTES)?;
        // The header of the row says what it is, before its overflow pages are read.
        let columns = head(page.get(at..)?)?;
        let shaped = columns.len() == COLUMNS
            && columns[1].kind == 12 + 2 * 32
            && matches!(columns[2].kind, 1..=6)
            && columns[3].kind >= 13
            && columns[13].kind >= 12
            && columns[13].kind.is_multiple_of(2);
        if !shaped {
            return self.verdict(page, at, payload, &columns);
        }
        let whole = self.payload(page, at, payload, self.size - 35)?;
        Some(Cell::Row(Row {
            number: number.cast_signed(),
            id: columns[1].id(&whole)?,
            created_at: columns[2].integer(&whole)?,
            length: usize::try_from(columns[12].integer(&whole)?).ok()?,
            packed: columns[13].bytes(&whole)?.to_vec(),
        }))
    }

    /// The sheet whose payload starts there, if it looks like one and is complete.
    fn verdict(
        &mut self,
        page: &[u8],
        at: usize,
        payload: usize,
        columns: &[Column],
    ) -> Option<Cell> {
        let [_, id, time, signature, length, sheet] = columns else { return None };
        let blob = |kind: u64| kind >= 12 && kind.is_multiple_of(2);
        let shaped = id.kind == 12 + 2 * 32
            && matches!(time.kind, 1..=6)
            && (signature.kind == 0 || (signature.kind >= 13 && !blob(signature.kind)))
            && blob(sheet.kind);
        if !shaped {
            return None;
        }
        let whole = self.payload(page, at, payload, self.size - 35)?;
        let length = usize::try_from(length.integer(&whole)?).ok()?;
        let signature = match signature.kind {
            0 => None,
            _ => Some(String::from_utf8(signature.bytes(&whole)?.to_vec()).ok()?),
        };
        Some(Cell::Verdict(StoredVerdict {
            id: id.id(&whole)?,
            created_at: time.integer(&whole)?,
            sheet: body::unpack(sheet.bytes(&whole)?, length).ok()?,
            signature,
        }))
    }

    /// The key that starts there, if it is one of a useful index.
    fn key(&mut self, page: &[u8], start: usize) -> Option<Cell> {
        let (payload, at) = varint(page, start)?;
        let payload = usize::try_from(payload).ok().filter(|it| *it <= 64)?;
        let whole = page.get(at..at + payload)?;
        let columns = head(whole)?;
        match columns.as_slice() {
            [id, number] if id.kind == 12 + 2 * 32 => {
                Some(Cell::Name(id.id(whole)?, number.integer(whole)?))
            }
            [time, number] if matches!(time.kind, 5 | 6) => {
                Some(Cell::Number(number.integer(whole)?))
            }
            _ => None,
        }
    }

    /// A complete payload: the part on the page, and the parts on overflow pages.
    fn payload(&mut self, page: &[u8], at: usize, length: usize, most: usize) -> Option<Vec<u8>> {
        if length <= most {
            return page.get(at..at + length).map(<[u8]>::to_vec);
        }
        let least = (self.size - 12) * 32 / 255 - 23;
        let local = least + (length - least) % (self.size - 4);
        let local = if local <= most { local } else { least };
        let mut whole = page.get(at..at + local)?.to_vec();
        let mut next = number(page.get(at + local..at + local + 4)?, 0);
        while whole.len() < length {
            let page = self.page(next)?;
            let part = (length - whole.len()).min(self.size - 4);
            whole.extend_from_slice(&page[4..4 + part]);
            next = number(&page, 0);
        }
        Some(whole)
    }
}

/// A column of a row: its serial type, and where its bytes start.
struct Column {
    kind: u64,
    at: usize,
}

impl Column {
    /// Its number of bytes.
    fn length(&self) -> Option<usize> {
        Some(match self.kind {
            0 | 8 | 9 => 0,
            kind @ 1..=4 => kind as usize,
            5 => 6,
            6 | 7 => 8,
            10 | 11 => return None,
            kind => usize::try_from((kind - 12) / 2).ok()?,
        })
    }

    fn bytes<'a>(&self, whole: &'a [u8]) -> Option<&'a [u8]> {
        whole.get(self.at..self.at.checked_add(self.length()?)?)
    }

    fn integer(&self, whole: &[u8]) -> Option<i64> {
        match self.kind {
            8 => Some(0),
            9 => Some(1),
            1..=6 => {
                let bytes = self.bytes(whole)?;
                let sign = if bytes.first()? & 0x80 == 0 { 0 } else { -1 };
                Some(bytes.iter().fold(sign, |value, &byte| value << 8 | i64::from(byte)))
            }
            _ => None,
        }
    }

    fn id(&self, whole: &[u8]) -> Option<RecordId> {
        self.bytes(whole)?.try_into().ok().map(RecordId::from_bytes)
    }
}

/// The columns of a row, from its header.
fn head(row: &[u8]) -> Option<Vec<Column>> {
    let (length, mut at) = varint(row, 0)?;
    let length = usize::try_from(length).ok().filter(|it| *it <= row.len())?;
    let mut columns = Vec::new();
    let mut place = length;
    while at < length {
        let (kind, next) = varint(row, at)?;
        let column = Column { kind, at: place };
        place = place.checked_add(column.length()?)?;
        columns.push(column);
        at = next;
    }
    (at == length).then_some(columns)
}

/// A variable-length integer of one to nine bytes, and the position after it.
fn varint(bytes: &[u8], at: usize) -> Option<(u64, usize)> {
    let mut value = 0;
    for step in 0..8 {
        let byte = *bytes.get(at + step)?;
        value = value << 7 | u64::from(byte & 0x7f);
        if byte & 0x80 == 0 {
            return Some((value, at + step + 1));
        }
    }
    Some((value << 8 | u64::from(*bytes.get(at + 8)?), at + 9))
}

/// The two-byte number at a position, which must be in the page.
fn short(bytes: &[u8], at: usize) -> u16 {
    u16::from_be_bytes([bytes[at], bytes[at + 1]])
}

/// The four-byte number at a position, which must be in the page.
fn number(bytes: &[u8], at: usize) -> u32 {
    u32::from_be_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}
