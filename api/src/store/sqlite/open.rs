//! Connections to the file, and its schema.
//!
//! This module must not read or write a record.

use std::{
    fs,
    io::{self, ErrorKind},
    path::{Path, PathBuf},
    time::Duration,
};

use rusqlite::{Connection, OpenFlags};
use rusqlite_migration::{M, Migrations, SchemaVersion};

use super::super::StoreError;
use super::faults::plain;

/// The migrations from an empty file to the current schema, in order. **Never edit a released
/// one:** add the next.
pub(super) const MIGRATIONS: &[M<'static>] = &[
    M::up(include_str!("../migrations/001-records.sql")),
    M::up(include_str!("../migrations/002-clock.sql")),
    M::up(include_str!("../migrations/003-verdicts.sql")),
    M::up(include_str!("../migrations/004-tables.sql")),
];

/// Distinguishes our files from those of other programs: "UMPR".
pub(super) const APPLICATION_ID: i64 = 0x554d_5052;

/// Creates the file and its directories if they do not exist, readable only by their owner.
pub(super) fn create_if_missing(path: &Path) -> Result<(), StoreError> {
    // Only the root directory has no parent, and it exists.
    let directory = path.parent().unwrap_or(path);
    fs::create_dir_all(directory).map_err(|error| cannot("make the directory of", path, &error))?;
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(path) {
        // The name must be as durable as the contents.
        Ok(_) => fs::File::open(directory)
            .and_then(|directory| directory.sync_all())
            .map_err(|error| cannot("make", path, &error)),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(cannot("make", path, &error)),
    }
}

/// Opens one connection.
pub(super) fn connect(
    path: &Path,
    mode: OpenFlags,
    lock_wait: Duration,
) -> rusqlite::Result<Connection> {
    // Each connection is used by one thread at a time, so SQLite's own mutexes are not needed.
    let connection = Connection::open_with_flags(path, mode | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    connection.busy_timeout(lock_wait)?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "trusted_schema", false)?;
    connection.set_prepared_statement_cache_capacity(64);
    Ok(connection)
}

/// What a file contains according to its header.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// Nothing.
    Empty,
    /// A store of this version.
    Store(usize),
}

/// What the file contains. This first read notices if the file is not a database.
///
/// # Errors
/// [`StoreError::Corrupt`] if it is not a database, or one of another program;
/// [`StoreError::Newer`].
pub(super) fn form(connection: &Connection) -> Result<Form, StoreError> {
    let objects: i64 = connection
        .query_row("SELECT count(*) FROM sqlite_schema", (), |row| row.get(0))
        .map_err(plain)?;
    let application: i64 =
        connection.pragma_query_value(None, "application_id", |row| row.get(0)).map_err(plain)?;
    if objects > 0 && application != APPLICATION_ID {
        return Err(StoreError::Corrupt("it is a database of another program".to_owned()));
    }
    match Migrations::from_slice(MIGRATIONS).current_version(connection).map_err(migration)? {
        SchemaVersion::Outside(found) => Err(StoreError::Newer(format!(
            "it has version {found}, but this program supports versions up to {}; use a newer program",
            MIGRATIONS.len()
        ))),
        SchemaVersion::NoneSet => Ok(Form::Empty),
        SchemaVersion::Inside(version) => Ok(Form::Store(version.get())),
    }
}

/// The name of a file that belongs to a store: `-wal`, `-shm`, `-journal`.
pub(super) fn beside(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    name.into()
}

/// Opens a store for reading only. Nothing is written: if there is no log, none is created.
///
/// # Errors
/// As for [`form`]; [`StoreError::Unavailable`] if there is no such file, and
/// [`StoreError::Corrupt`] if it is empty, as a copy of a running store without its log may be.
pub(super) fn look(path: &Path, lock_wait: Duration) -> Result<(Connection, usize), StoreError> {
    let path = &std::path::absolute(path).map_err(|error| cannot("find", path, &error))?;
    let in_words = |error| name_the_file(path, error);
    // Open the file directly first: SQLite does not say why it cannot.
    let file = fs::File::open(path).map_err(|error| cannot("read", path, &error))?;
    let known = file.metadata().map_err(|error| cannot("read", path, &error))?;
    drop(file);
    if !known.is_file() {
        return Err(in_words(StoreError::Unavailable("it is not a file".to_owned())));
    }
    let read_only = OpenFlags::SQLITE_OPEN_READ_ONLY;
    let opened = match in_use_or_left(path) {
        true => connect(path, read_only, lock_wait),
        // Nobody has it open, so it will not change. Otherwise SQLite would create a log.
        false => {
            let address = format!("file://{}?immutable=1", percent(path));
            connect(Path::new(&address), read_only | OpenFlags::SQLITE_OPEN_URI, lock_wait)
        }
    };
    let connection = opened.map_err(plain).map_err(in_words)?;
    match form(&connection).map_err(in_words)? {
        Form::Store(version) => Ok((connection, version)),
        Form::Empty => Err(in_words(StoreError::Corrupt(
            "it is empty: not a store, or a copy of a running store without its -wal file"
                .to_owned(),
        ))),
    }
}

/// Whether there is a log: then a program has the store open, or was killed.
pub(super) fn in_use_or_left(path: &Path) -> bool {
    beside(path, "-wal").exists() || beside(path, "-journal").exists()
}

/// A path in percent-encoding, as in a URL.
fn percent(path: &Path) -> String {
    let mut text = String::new();
    for &byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => {
                text.push(char::from(byte));
            }
            _ => text.push_str(&format!("%{byte:02X}")),
        }
    }
    text
}

/// Checks that the file is ours, and migrates it to the current schema.
pub(super) fn prepare(connection: &mut Connection) -> Result<(), StoreError> {
    // SQLite silently opens a file without write permission as read-only.
    if connection.is_readonly("main").map_err(plain)? {
        return Err(StoreError::Unavailable("it is not writable".to_owned()));
    }
    let found = form(connection)?;
    let pages: i64 =
        connection.pragma_query_value(None, "page_count", |row| row.get(0)).map_err(plain)?;
    if found == Form::Empty && pages > 0 {
        tracing::warn!(
            "the file is a database without any tables: was it copied from a running \
             store without its -wal file? Use `umpire backup` to copy a running store"
        );
    }
    // This only affects an empty file. Two or three compressed records fit into such a page, while
    // one of the default 4096 bytes holds a single record and wastes the rest: measured, 2960
    // instead of 4330 bytes per record in the file, and a tenth more records per second.
    connection.pragma_update(None, "page_size", 8192).map_err(plain)?;
    let mode: String = connection
        .pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get(0))
        .map_err(plain)?;
    if mode != "wal" {
        return Err(StoreError::Unavailable(
            "its file system does not support a write-ahead log".to_owned(),
        ));
    }
    // With the log, FULL means one sync of the log per commit: acknowledged writes survive a power
    // failure. NORMAL would not guarantee that.
    connection.pragma_update(None, "synchronous", "FULL").map_err(plain)?;
    Migrations::from_slice(MIGRATIONS).to_latest(connection).map_err(migration)?;
    // The schema must not be in the log alone, so that a copy of the main file is at least a store.
    if found != Form::Store(MIGRATIONS.len()) {
        connection.query_row("PRAGMA wal_checkpoint(FULL)", (), |_| Ok(())).map_err(plain)?;
    }
    Ok(())
}

/// A migration error as a store error.
fn migration(error: rusqlite_migration::Error) -> StoreError {
    match error {
        rusqlite_migration::Error::RusqliteError { err, .. } => plain(err),
        other => StoreError::Unavailable(other.to_string()),
    }
}

/// The same error, with the path of the file that could not be opened.
pub(super) fn name_the_file(path: &Path, error: StoreError) -> StoreError {
    let path = path.display();
    match error {
        StoreError::Busy => {
            StoreError::Unavailable(format!("{path}: another program has locked it"))
        }
        StoreError::Unavailable(why) => StoreError::Unavailable(format!("{path}: {why}")),
        StoreError::Corrupt(what) => StoreError::Corrupt(format!("{path}: {what}")),
        StoreError::Newer(what) => StoreError::Newer(format!("{path}: {what}")),
        StoreError::Rejected(why) => StoreError::Unavailable(format!("{path}: {why}")),
        StoreError::Cursor => StoreError::Cursor,
    }
}

/// A file system error as plain text.
pub(super) fn cannot(what: &str, path: &Path, error: &io::Error) -> StoreError {
    StoreError::Unavailable(format!("cannot {what} {}: {error}", path.display()))
}
