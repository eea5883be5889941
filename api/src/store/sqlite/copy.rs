//! Copies of a whole store: made while a server runs on it, and put back.
//!
//! This module must not leave half a copy under a name that somebody trusts: a copy is written
//! beside its place, looked over, and only then given its name.

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

/// How long to wait for a program that has the file locked.
const LOCK_WAIT: Duration = Duration::from_secs(5);

/// How a copy ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Copied {
    /// It lies in its place, and every record in it is good.
    Done(Checked),
    /// It does not: the store, or the copy of it, is damaged.
    Damaged(Checked),
}

/// Copies a store, also while a server runs on it: one file, without a log, synced, with its name.
/// Blocks. Records that are stored meanwhile are not in it.
///
/// # Errors
/// [`StoreError`] if the store cannot be read, or the copy cannot be written or has no place: `to`
/// is there and not to be replaced, or a program has it open.
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

/// Puts a backup in the place of a store: looks it over, copies it, and takes the place at once.
/// Blocks.
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

/// A place for a store, and the file beside it in which it is written first.
pub(super) struct Place {
    to: PathBuf,
    replace: bool,
    /// Removed when this is dropped.
    pub(super) draft: PathBuf,
}

impl Place {
    /// A place that may be taken by a copy of that file.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] if it may not: `to` is there and is not to be replaced, is what
    /// is copied, or a program has it open; or nothing can be written there.
    pub(super) fn of(from: &Path, to: &Path, replace: bool) -> Result<Self, StoreError> {
        let to = std::path::absolute(to).map_err(|error| cannot("find", to, &error))?;
        let refuse = |why: &str| Err(StoreError::Unavailable(format!("{}: {why}", to.display())));
        let (Some(name), Some(directory)) = (to.file_name(), to.parent()) else {
            return refuse("it is no name of a file");
        };
        if !directory.is_dir() {
            return refuse("its directory is not there");
        }
        if same(from, &to) {
            return refuse("it is the file that is to be read");
        }
        if to.is_dir() {
            return refuse("it is a directory");
        }
        if to.symlink_metadata().is_ok() {
            if !replace {
                return refuse("it is there already; --force replaces it");
            }
            nobody_has_it_open(&to).map_err(|error| name_the_file(&to, error))?;
        }
        let mut draft = name.to_owned();
        draft.push(OsStr::new(&format!(".{}.partial", std::process::id())));
        let place = Place { draft: directory.join(draft), to, replace };
        // One of a process of the same number that was killed.
        place.sweep();
        create_if_missing(&place.draft)?;
        Ok(place)
    }

    /// Writes a copy of a store into the draft, in one view of it.
    fn copy(&self, from: &Path) -> Result<(), StoreError> {
        let (source, _) = look(from, LOCK_WAIT)?;
        let Some(draft) = self.draft.to_str() else {
            return Err(StoreError::Unavailable(format!(
                "{}: the name is not UTF-8",
                self.draft.display()
            )));
        };
        // Not page by page: this reads every row on the way, so that a page that cannot be read
        // is not copied for good; it leaves out what was deleted; and its file needs no log.
        let copied = source.execute("VACUUM INTO ?", (draft,)).map_err(plain);
        copied.map(drop).map_err(|error| match error {
            StoreError::Corrupt(_) => name_the_file(from, error),
            other => name_the_file(&self.to, other),
        })
    }

    /// Syncs the draft and gives it its name.
    pub(super) fn settle(self) -> Result<(), StoreError> {
        let failed = |error| cannot("write", &self.to, &error);
        fs::File::open(&self.draft).and_then(|file| file.sync_all()).map_err(failed)?;
        if self.replace {
            // A log of what lay there would be taken for one of the copy: it goes first.
            for end in ["-wal", "-shm", "-journal"] {
                gone(&beside(&self.to, end)).map_err(failed)?;
            }
            fs::rename(&self.draft, &self.to).map_err(failed)?;
        } else {
            for end in ["-wal", "-journal"] {
                if beside(&self.to, end).exists() {
                    return Err(StoreError::Unavailable(format!(
                        "{}: a log of another file lies there; remove it, or say --force",
                        beside(&self.to, end).display()
                    )));
                }
            }
            // Unlike renaming, this never replaces what came there meanwhile.
            match fs::hard_link(&self.draft, &self.to) {
                Ok(()) => {}
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    return Err(failed(error));
                }
                // A file system without links.
                Err(_) => fs::rename(&self.draft, &self.to).map_err(failed)?,
            }
        }
        gone(&self.draft).map_err(failed)?;
        let directory = self.to.parent().unwrap_or(&self.to);
        fs::File::open(directory).and_then(|it| it.sync_all()).map_err(failed)
    }

    /// Removes the draft and what SQLite may have put beside it.
    fn sweep(&self) {
        // What cannot be removed is no copy that anybody trusts.
        let _ = gone(&self.draft);
        for end in ["-wal", "-shm", "-journal"] {
            let _ = gone(&beside(&self.draft, end));
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.sweep();
    }
}

/// Removes a file, if it is there.
fn gone(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Whether two paths lead to one file.
pub(super) fn same(one: &Path, other: &Path) -> bool {
    match (fs::canonicalize(one), fs::canonicalize(other)) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}

/// That no program has a store open. What its log held is in the file afterwards.
///
/// # Errors
/// [`StoreError::Unavailable`] if one has it open; [`StoreError::Corrupt`] if it is a database of
/// another program, which nobody meant to replace.
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
            // The log can be taken away only by one who is alone.
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
        // A damaged store is what is replaced.
        _ => Ok(()),
    }
}

/// Whether a program has a store open, as far as the system tells; nothing is changed.
pub(super) fn in_use(path: &Path) -> bool {
    in_use_or_left(path) && locked(path)
}

/// Whether a process holds a lock on the file, as far as the system tells: on Linux, also where the
/// file is too damaged for SQLite to look.
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
