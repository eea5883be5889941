//! Where the file lies, and whether it still does.
//!
//! What is written into a file that was removed or moved is on the disk, and yet nobody finds it
//! again. So the file and its log are looked for by their path before anything is acknowledged.
//! This module must not open anything.

use std::path::{Path, PathBuf};
use std::{fs, io};

use super::super::StoreError;

/// The file and its write-ahead log, as they were when the store was opened.
pub(super) struct OnDisk {
    files: Vec<(PathBuf, Identity)>,
}

/// What tells a file from another one of the same name: its device and its number there.
#[cfg(unix)]
type Identity = (u64, u64);

#[cfg(unix)]
fn identity(path: &Path) -> io::Result<Identity> {
    use std::os::unix::fs::MetadataExt;
    fs::metadata(path).map(|found| (found.dev(), found.ino()))
}

#[cfg(not(unix))]
type Identity = ();

#[cfg(not(unix))]
fn identity(path: &Path) -> io::Result<Identity> {
    fs::metadata(path).map(drop)
}

impl OnDisk {
    /// The place of a file that is open, with its log.
    pub(super) fn of(path: &Path) -> io::Result<Self> {
        let mut log = path.as_os_str().to_owned();
        log.push("-wal");
        let found = |path: PathBuf| identity(&path).map(|identity| (path, identity));
        Ok(OnDisk { files: vec![found(path.to_owned())?, found(log.into())?] })
    }

    /// That both still lie there.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`]: one of them was removed, moved or replaced.
    pub(super) fn check(&self) -> Result<(), StoreError> {
        for (path, known) in &self.files {
            let lost = |why: &str| StoreError::Unavailable(format!("{}: {why}", path.display()));
            match identity(path) {
                Ok(found) if found == *known => {}
                Ok(_) => return Err(lost("another file lies in its place")),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    return Err(lost("it was removed or moved"));
                }
                Err(error) => return Err(lost(&error.to_string())),
            }
        }
        Ok(())
    }
}
