//! Secrets: generating random ones, and the files that contain them.
//!
//! This module must not log or print a secret, nor reveal the contents of a file.

use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Read as _, Write as _};
use std::path::Path;

/// A secret of 32 bytes, too long to be guessed. Its `Debug` output reveals nothing.
#[derive(Clone)]
pub struct Secret([u8; 32]);

impl fmt::Debug for Secret {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("Secret(…)")
    }
}

impl Secret {
    /// A random secret, from the operating system.
    ///
    /// # Errors
    /// A plain message that the system has no source of random numbers.
    pub fn random() -> Result<Self, String> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes)
            .map_err(|error| format!("the system cannot provide random numbers: {error}"))?;
        Ok(Secret(bytes))
    }

    /// Parses a secret of 64 hexadecimal digits.
    pub fn parse(text: &str) -> Option<Self> {
        blake3::Hash::from_hex(text).ok().map(|bytes| Secret(bytes.into()))
    }

    /// The text that [`Secret::parse`] reads. Show it only to the owner of the secret.
    pub fn reveal(&self) -> String {
        blake3::Hash::from(self.0).to_hex().to_string()
    }

    /// The bytes. Use them only to make a key.
    pub fn bytes(&self) -> [u8; 32] {
        self.0
    }

    /// Derives a key for one purpose. It reveals nothing about the secret or about keys for other
    /// purposes. The text of a purpose must never change after a release.
    pub fn derive(&self, purpose: &str) -> [u8; 32] {
        blake3::derive_key(purpose, &self.0)
    }
}

/// Reads a file with secrets. `what` names it in errors, for example "the token file".
///
/// # Errors
/// A plain message with the path: the file cannot be read, or everyone can read it.
pub fn read(file: &Path, what: &str) -> Result<String, String> {
    let cannot = |error| format!("cannot read {what} {}: {error}", file.display());
    let mut open = File::open(file).map_err(cannot)?;
    // Check the open file rather than the path, which may lead elsewhere by now.
    refuse_if_open_to_others(&open, file, what)?;
    let mut text = String::new();
    open.read_to_string(&mut text).map_err(cannot)?;
    Ok(text)
}

/// Creates a file with a text, readable only by its owner and durable when this returns. Returns
/// `false` if the file already exists; it is then left unchanged.
///
/// # Errors
/// A plain message with the path that says why the file cannot be created.
pub fn make(file: &Path, what: &str, text: &str) -> Result<bool, String> {
    let cannot = |error| format!("cannot make {what} {}: {error}", file.display());
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    // Write to a temporary name first, so that a half-written file is never used.
    let some = &Secret::random()?.reveal()[..16];
    let name = format!(".{}.{some}", file.file_name().unwrap_or_default().display());
    let part = folder.join(name);
    let made = owners_own().write(true).create_new(true).open(&part).map_err(cannot)?;
    let written = write_whole(made, text).and_then(|()| fs::hard_link(&part, file));
    let removed = fs::remove_file(&part);
    match written {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => return Ok(false),
        written => written.and(removed).map_err(cannot)?,
    }
    // The name must be as durable as the contents.
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(cannot)?;
    Ok(true)
}

/// Appends a line to a file, which is created, readable only by its owner, if it does not exist.
/// `fits` first checks the text of the file with the new line.
///
/// # Errors
/// A plain message with the path: the file cannot be read or written, everyone can read it, or
/// `fits` rejected the text. Nothing is written then.
pub fn append(
    file: &Path,
    what: &str,
    line: &str,
    fits: impl FnOnce(&str) -> Result<(), String>,
) -> Result<(), String> {
    let cannot = |error| format!("cannot write {what} {}: {error}", file.display());
    let mut options = owners_own();
    let mut open = options.read(true).append(true).create(true).open(file).map_err(cannot)?;
    // Two concurrent writers must not produce a single line.
    open.lock().or_else(|error| match error.kind() {
        ErrorKind::Unsupported => Ok(()),
        _ => Err(cannot(error)),
    })?;
    refuse_if_open_to_others(&open, file, what)?;
    let mut text = String::new();
    open.read_to_string(&mut text).map_err(cannot)?;
    let gap = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    let added = format!("{gap}{line}\n");
    fits(&format!("{text}{added}"))?;
    write_whole(open, &added).map_err(cannot)
}

fn write_whole(mut file: File, text: &str) -> std::io::Result<()> {
    file.write_all(text.as_bytes()).and_then(|()| file.sync_all())
}

/// Options that create a file readable only by its owner.
fn owners_own() -> OpenOptions {
    #[allow(unused_mut, reason = "mutated only on systems whose files have owners")]
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// Rejects a file that anyone but its owner and group can read or write.
fn refuse_if_open_to_others(open: &File, file: &Path, what: &str) -> Result<(), String> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let meta = open.metadata();
        let meta =
            meta.map_err(|error| format!("cannot read {what} {}: {error}", file.display()))?;
        if meta.permissions().mode() & 0o007 != 0 {
            let file = file.display();
            return Err(format!("everyone can read {what} {file}; run chmod o= {file}"));
        }
    }
    #[cfg(not(unix))]
    let _ = (open, file, what);
    Ok(())
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;

    #[test]
    fn a_secret_is_read_as_it_was_revealed_and_never_printed() {
        let secret = Secret::random().unwrap();
        let text = secret.reveal();
        assert_eq!(text.len(), 64);
        assert_eq!(Secret::parse(&text).unwrap().reveal(), text);
        assert_ne!(Secret::random().unwrap().reveal(), text);
        assert_eq!(format!("{secret:?}"), "Secret(…)");
        for bad in ["", "00", &text[1..], &format!("{text}0"), &"g".repeat(64)] {
            assert!(Secret::parse(bad).is_none(), "{bad}");
        }
    }

    #[test]
    fn keys_for_two_purposes_are_two() {
        let secret = Secret::parse(&"01".repeat(32)).unwrap();
        assert_ne!(secret.derive("one"), secret.derive("two"));
        assert_ne!(secret.derive("one").to_vec(), secret.reveal().into_bytes());
    }

    #[cfg(unix)]
    fn mode(file: &Path) -> u32 {
        use std::os::unix::fs::PermissionsExt;
        fs::metadata(file).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn a_file_is_made_once_and_for_its_owner() {
        let folder = TempDir::new().unwrap();
        let file = folder.path().join("key");
        assert_eq!(make(&file, "the key", "one\n"), Ok(true));
        assert_eq!(make(&file, "the key", "two\n"), Ok(false));
        assert_eq!(read(&file, "the key").unwrap(), "one\n");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing else is left");
        #[cfg(unix)]
        assert_eq!(mode(&file), 0o600);
        let nowhere = folder.path().join("no/such/folder");
        assert!(make(&nowhere, "the key", "").unwrap_err().starts_with("cannot make the key /"));
    }

    #[test]
    fn lines_are_added_each_on_its_own_and_only_if_they_fit() {
        let folder = TempDir::new().unwrap();
        let file = folder.path().join("tokens");
        let any = |_: &str| Ok(());
        append(&file, "the list", "one", any).unwrap();
        #[cfg(unix)]
        assert_eq!(mode(&file), 0o600);
        let text = fs::read_to_string(&file).unwrap();
        fs::write(&file, text.trim_end()).unwrap();
        append(&file, "the list", "two", any).unwrap();
        let refused = append(&file, "the list", "three", |text| {
            assert_eq!(text, "one\ntwo\nthree\n");
            Err("no".to_owned())
        });
        assert_eq!(refused, Err("no".to_owned()));
        assert_eq!(fs::read_to_string(&file).unwrap(), "one\ntwo\n");
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_everybody_can_read_is_neither_read_nor_written() {
        use std::os::unix::fs::PermissionsExt;
        let folder = TempDir::new().unwrap();
        let file = folder.path().join("tokens");
        for open in [0o644, 0o602, 0o601] {
            fs::write(&file, "one\n").unwrap();
            fs::set_permissions(&file, fs::Permissions::from_mode(open)).unwrap();
            let refused = read(&file, "the list").unwrap_err();
            assert!(refused.contains("run chmod o= "), "{refused}");
            assert_eq!(append(&file, "the list", "two", |_| Ok(())), Err(refused));
            assert_eq!(fs::read_to_string(&file).unwrap(), "one\n");
        }
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        assert_eq!(read(&file, "the list").unwrap(), "one\n");
    }
}
