//! A journal of a long run, so that one that was broken off goes on where it stood.
//!
//! A file with a JSON value a line, only ever appended to: first what the run is about, then how
//! far it has come, again and again. A last line that was torn off is cut away. This module must
//! not know what the run does.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::marker::PhantomData;
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::json;

/// An open journal of steps; nobody else has it.
pub(super) struct Journal<S> {
    file: File,
    name: String,
    steps: PhantomData<fn(&S)>,
}

impl<S: Serialize + DeserializeOwned> Journal<S> {
    /// Opens a journal, or makes it, and returns the last step in it. One that is about something
    /// else is refused.
    pub(super) fn open<H: Serialize>(path: &Path, about: &H) -> Result<(Self, Option<S>), String> {
        let name = path.display().to_string();
        let cannot = |error: std::io::Error| format!("cannot use the journal {name}: {error}");
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let mut file = options.open(path).map_err(cannot)?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => {
                return Err(format!("another run is writing the journal {name}"));
            }
            // Where files cannot be locked, one run at a time is the user's care.
            Ok(()) | Err(TryLockError::Error(_)) => {}
        }
        let mut text = Vec::new();
        file.read_to_end(&mut text).map_err(cannot)?;
        let mut first = Vec::new();
        json::line(&mut first, about);
        let whole = text.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        let fits = match whole {
            // Perhaps the beginning of the first line, torn off.
            0 => first.starts_with(&text),
            _ => text.starts_with(&first),
        };
        if !fits {
            return Err(format!(
                "{name} is no journal of this run (same arguments, same engine); choose another file"
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

    /// Notes how far the run has come. It would survive a loss of power.
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
