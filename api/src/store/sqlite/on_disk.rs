//! Whether the file is still where it was opened.
//!
//! Data written to a file that was removed or moved are on the disk, but nobody finds them again.
//! So the file and its log are looked up by path before anything is acknowledged. This module must
//! not open anything.

use std::path::{Path, PathBuf};
use std::{fs, io};

use super::super::StoreError;

/// The file and its write-ahead log, as they were when the store was opened.
pub(super) struct OnDisk {
    files: Vec<(PathBuf, Identity)>,
}

/// What distinguishes a file from another one with the same name: its device and inode.
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
    /// The location of an open file and its log.
    pub(super) fn of(path: &Path) -> io::Result<Self> {
        let mut log = path.as_os_str().to_owned();
        log.push("-wal");
        let found = |path: PathBuf| identity(&path).map(|identity| (path, identity));
        Ok(OnDisk { files: vec![found(path.to_owned())?, found(log.into())?] })
    }

    /// Checks that both still exist there.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`]: one of them was removed, moved or replaced.
    pub(super) fn check(&self) -> Result<(), StoreError> {
        for (path, known) in &self.files {
            let lost = |why: &str| StoreError::Unavailable(format!("{}: {why}", path.display()));
            match identity(path) {
                Ok(found) if found == *known => {}
                Ok(_) => return Err(lost("it was replaced by another file")),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    return Err(lost("it was removed or moved"));
                }
                Err(error) => return Err(lost(&error.to_string())),
            }
        }
        Ok(())
    }
}
