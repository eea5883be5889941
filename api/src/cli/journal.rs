//! The journal of a long run, from which an interrupted run resumes.
//!
//! An append-only file with one JSON value per line: first what identifies the run, then its
//! progress, again and again. An incomplete last line is cut off. This module must not know what
//! the run does.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::marker::PhantomData;
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;

use umpire_referee::json;

/// An open journal, locked against other runs.
pub(super) struct Journal<S> {
    file: File,
    name: String,
    steps: PhantomData<fn(&S)>,
}

impl<S: Serialize + DeserializeOwned> Journal<S> {
    /// Opens or creates a journal, and returns the last step in it. A journal of a different run is
    /// refused.
    pub(super) fn open<H: Serialize>(path: &Path, about: &H) -> Result<(Self, Option<S>), String> {
        let name = path.display().to_string();
        let cannot = |error: std::io::Error| format!("cannot use the journal {name}: {error}");
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let mut file = options.open(path).map_err(cannot)?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => {
                return Err(format!("another run is using the journal {name}"));
            }
            // If files cannot be locked, the user must take care to start only one run at a time.
            Ok(()) | Err(TryLockError::Error(_)) => {}
        }
        let mut text = Vec::new();
        file.read_to_end(&mut text).map_err(cannot)?;
        let mut first = Vec::new();
        json::line(&mut first, about);
        let whole = text.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        let fits = match whole {
            // This may be the beginning of an incomplete first line.
            0 => first.starts_with(&text),
            _ => text.starts_with(&first),
        };
        if !fits {
            return Err(format!(
                "{name} is not a journal of this run (other arguments, or another engine version); choose another file"
            ));
        }
        let mut journal = Journal { file, name, steps: PhantomData };
        if whole == 0 {
            journal.cut(0)?;
            journal.append(&first)?;
            return Ok((journal, None));
        }
        journal.cut(whole as u64)?;
        let steps = text[first.len()..whole].trim_ascii_end();
        let last = steps.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
        if last.is_empty() {
            return Ok((journal, None));
        }
        match serde_json::from_slice(last) {
            Ok(step) => Ok((journal, Some(step))),
            Err(error) => Err(format!("the journal {} cannot be read: {error}", journal.name)),
        }
    }

    /// Records the progress of the run, durably.
    pub(super) fn note(&mut self, step: &S) -> Result<(), String> {
        let mut line = Vec::new();
        json::line(&mut line, step);
        self.append(&line)
    }

    fn cut(&mut self, length: u64) -> Result<(), String> {
        let cut = self.file.set_len(length).and_then(|()| self.file.seek(SeekFrom::Start(length)));
        cut.map(drop).map_err(|error| format!("cannot write the journal {}: {error}", self.name))
    }

    fn append(&mut self, line: &[u8]) -> Result<(), String> {
        let written = self.file.write_all(line).and_then(|()| self.file.sync_data());
        written.map_err(|error| format!("cannot write the journal {}: {error}", self.name))
    }
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::Journal;

    #[test]
    fn a_journal_goes_on_behind_its_last_whole_line() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("journal");
        let open = || Journal::<u32>::open(&path, &"about");
        let (mut journal, last) = open().unwrap();
        assert_eq!(last, None);
        journal.note(&1).unwrap();
        journal.note(&2).unwrap();
        assert!(open().is_err(), "two at once");
        drop(journal);
        let text = std::fs::read_to_string(&path).unwrap();
        for torn in [text.clone(), format!("{text}3"), format!("{text}\"")] {
            std::fs::write(&path, torn).unwrap();
            assert_eq!(open().unwrap().1, Some(2));
        }
        std::fs::write(&path, "\"ab").unwrap();
        assert_eq!(open().unwrap().1, None);
        assert!(Journal::<u32>::open(&path, &"other").is_err());
        std::fs::write(&path, "a letter to Anna\n").unwrap();
        assert!(open().is_err());
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "a letter to Anna\n");
    }
}
