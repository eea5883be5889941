//! Copies of a whole store: backups made while a server runs on it, and their restoration.
//!
//! This module must not leave a partial copy under its final name: a copy is written next to its
//! destination, checked, and only then renamed.

use std::{
    ffi::OsStr,
    fs, io,
    path::{Path, PathBuf},
    time::Duration,
};

use rusqlite::OpenFlags;

use super::super::StoreError;
use super::check::{Checked, Judges, check};
use super::faults::plain;
use super::open::{
    Form, beside, cannot, connect, create_if_missing, form, in_use_or_left, look, name_the_file,
};

/// How long to wait for a program that has locked the file.
const LOCK_WAIT: Duration = Duration::from_secs(5);

/// The result of a copy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Copied {
    /// The copy is in place, and every record in it is intact.
    Done(Checked),
    /// There is no copy: the store, or the copy of it, is damaged.
    Damaged(Checked),
}

/// Copies a store, even while a server runs on it, to a single synced file without a log. Blocks.
/// Records stored in the meantime are not included.
///
/// # Errors
/// A [`StoreError`] if the store cannot be read, or the copy cannot be written: `to` exists and
/// must not be replaced, or a program has it open.
pub fn backup(
    from: &Path,
    to: &Path,
    replace: bool,
    judges: Judges<'_>,
    tell: &mut dyn FnMut(u64, u64),
) -> Result<Copied, StoreError> {
    let place = Place::of(from, to, replace)?;
    place.copy(from)?;
    let checked = check(&place.draft, judges, tell)?;
    if checked.faults > 0 {
        return Ok(Copied::Damaged(checked));
    }
    place.settle()?;
    Ok(Copied::Done(checked))
}

/// Restores a store from a backup: checks it, copies it, and replaces the store atomically. Blocks.
///
/// # Errors
/// As for [`backup`].
pub fn restore(
    backup: &Path,
    store: &Path,
    replace: bool,
    judges: Judges<'_>,
    tell: &mut dyn FnMut(u64, u64),
) -> Result<Copied, StoreError> {
    let place = Place::of(backup, store, replace)?;
    let checked = check(backup, judges, tell)?;
    if checked.faults > 0 {
        return Ok(Copied::Damaged(checked));
    }
    place.copy(backup)?;
    let copied = check(&place.draft, judges, tell)?;
    let all = |of: &Checked| (of.records, of.verdicts, of.tables);
    if copied.faults > 0 || all(&copied) != all(&checked) {
        return Ok(Copied::Damaged(copied));
    }
    place.settle()?;
    Ok(Copied::Done(copied))
}

/// The destination of a store, and the draft file next to it that is written first.
pub(super) struct Place {
    to: PathBuf,
    replace: bool,
    /// Removed when this is dropped.
    pub(super) draft: PathBuf,
}

impl Place {
    /// A destination that may be replaced by a copy of that file.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] if it may not: `to` exists and must not be replaced, is the
    /// source, or a program has it open; or nothing can be written there.
    pub(super) fn of(from: &Path, to: &Path, replace: bool) -> Result<Self, StoreError> {
        let to = std::path::absolute(to).map_err(|error| cannot("find", to, &error))?;
        let refuse = |why: &str| Err(StoreError::Unavailable(format!("{}: {why}", to.display())));
        let (Some(name), Some(directory)) = (to.file_name(), to.parent()) else {
            return refuse("it is not a file name");
        };
        if !directory.is_dir() {
            return refuse("its directory does not exist");
        }
        if same(from, &to) {
            return refuse("it is the file to copy");
        }
        if to.is_dir() {
            return refuse("it is a directory");
        }
        if to.symlink_metadata().is_ok() {
            if !replace {
                return refuse("it already exists; use --force to replace it");
            }
            nobody_has_it_open(&to).map_err(|error| name_the_file(&to, error))?;
        }
        let mut draft = name.to_owned();
        draft.push(OsStr::new(&format!(".{}.partial", std::process::id())));
        let draft = directory.join(draft);
        sweep_leftovers(directory, name);
        let place = Place { draft, to, replace };
        // A leftover of a killed process with the same id.
        place.sweep();
        create_if_missing(&place.draft)?;
        Ok(place)
    }

    /// Writes a copy of a store to the draft, from one snapshot.
    fn copy(&self, from: &Path) -> Result<(), StoreError> {
        let (source, _) = look(from, LOCK_WAIT)?;
        let Some(draft) = self.draft.to_str() else {
            return Err(StoreError::Unavailable(format!(
                "{}: the name is not UTF-8",
                self.draft.display()
            )));
        };
        // Not page by page: `VACUUM INTO` reads every row, so an unreadable page is never copied
        // silently; it leaves out deleted data; and its file needs no log.
        let copied = source.execute("VACUUM INTO ?", (draft,)).map_err(plain);
        copied.map(drop).map_err(|error| match error {
            StoreError::Corrupt(_) => name_the_file(from, error),
            other => name_the_file(&self.to, other),
        })
    }

    /// Syncs the draft and renames it.
    pub(super) fn settle(self) -> Result<(), StoreError> {
        let failed = |error| cannot("write", &self.to, &error);
        fs::File::open(&self.draft).and_then(|file| file.sync_all()).map_err(failed)?;
        if self.replace {
            // The log of a replaced file would be applied to the copy: remove it first.
            for end in ["-wal", "-shm", "-journal"] {
                gone(&beside(&self.to, end)).map_err(failed)?;
            }
            fs::rename(&self.draft, &self.to).map_err(failed)?;
        } else {
            for end in ["-wal", "-journal"] {
                if beside(&self.to, end).exists() {
                    return Err(StoreError::Unavailable(format!(
                        "{}: there is a leftover log of another file; remove it, or use --force",
                        beside(&self.to, end).display()
                    )));
                }
            }
            // Unlike renaming, this never replaces a file created in the meantime.
            match fs::hard_link(&self.draft, &self.to) {
                Ok(()) => {}
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    return Err(failed(error));
                }
                // A file system without hard links.
                Err(_) => fs::rename(&self.draft, &self.to).map_err(failed)?,
            }
        }
        gone(&self.draft).map_err(failed)?;
        let directory = self.to.parent().unwrap_or(&self.to);
        fs::File::open(directory).and_then(|it| it.sync_all()).map_err(failed)
    }

    /// Removes the draft and the files that SQLite may have put next to it.
    fn sweep(&self) {
        // A leftover draft is never mistaken for a copy.
        let _ = gone(&self.draft);
        for end in ["-wal", "-shm", "-journal"] {
            let _ = gone(&beside(&self.draft, end));
        }
    }
}

/// A draft that was not written for so long belongs to a process that was killed.
const LEFT_OVER: Duration = Duration::from_secs(3600);

/// Removes the drafts of copies with this name that killed processes have left.
fn sweep_leftovers(directory: &Path, name: &OsStr) {
    let Ok(entries) = directory.read_dir() else { return };
    for entry in entries.flatten() {
        let (found, wanted) = (entry.file_name(), name.to_string_lossy());
        let found = found.to_string_lossy();
        let draft = found.strip_prefix(&*wanted).and_then(|rest| rest.strip_prefix('.'));
        let (process, end) = draft.and_then(|rest| rest.split_once('.')).unwrap_or_default();
        let is_draft = process.parse::<u32>().is_ok()
            && ["partial", "partial-wal", "partial-shm", "partial-journal"].contains(&end);
        let written = entry.metadata().and_then(|it| it.modified()).ok();
        let age = written.and_then(|it| it.elapsed().ok()).unwrap_or_default();
        if is_draft && age > LEFT_OVER {
            let _ = gone(&entry.path());
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.sweep();
    }
}

/// Removes a file, if it exists.
fn gone(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Whether two paths refer to the same file.
pub(super) fn same(one: &Path, other: &Path) -> bool {
    match (fs::canonicalize(one), fs::canonicalize(other)) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}

/// Checks that no program has a store open. Its log is merged into the file.
///
/// # Errors
/// [`StoreError::Unavailable`] if one has it open; [`StoreError::Corrupt`] if it is a database of
/// another program, which was probably not meant to be replaced.
pub(super) fn nobody_has_it_open(path: &Path) -> Result<(), StoreError> {
    let taken = || StoreError::Unavailable("a program has it open; stop it first".to_owned());
    if locked(path) {
        return Err(taken());
    }
    let asked = connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE, Duration::ZERO)
        .map_err(plain)
        .and_then(|connection| {
            if form(&connection)? == Form::Empty {
                return Ok(());
            }
            // The log can be removed only while nobody else has the file open.
            let mode: String = connection
                .pragma_update_and_check(None, "journal_mode", "DELETE", |row| row.get(0))
                .map_err(plain)?;
            if mode == "delete" { Ok(()) } else { Err(taken()) }
        });
    match asked {
        Err(StoreError::Busy) => Err(taken()),
        Err(StoreError::Corrupt(why)) if why.contains("another program") => {
            Err(StoreError::Corrupt(why))
        }
        Err(error @ StoreError::Unavailable(_)) => Err(error),
        // Replacing a damaged store is fine.
        _ => Ok(()),
    }
}

/// Whether a program has a store open, as far as the system can tell; nothing is changed.
pub(super) fn in_use(path: &Path) -> bool {
    in_use_or_left(path) && locked(path)
}

/// Whether a process has locked the file, as far as the system can tell: on Linux, even if the file
/// is too damaged for SQLite.
#[cfg(target_os = "linux")]
fn locked(path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let Ok(number) = fs::metadata(path).map(|found| found.ino()) else { return false };
    let locks = fs::read_to_string("/proc/locks").unwrap_or_default();
    // `1: POSIX  ADVISORY  READ 4711 08:01:1234 128 128`: the last number of the sixth word.
    locks.lines().any(|line| {
        let place = line.split_whitespace().find(|word| word.matches(':').count() == 2);
        let found = place.and_then(|place| place.rsplit(':').next());
        found.and_then(|it| it.parse::<u64>().ok()) == Some(number)
    })
}

#[cfg(not(target_os = "linux"))]
fn locked(_: &Path) -> bool {
    false
}
