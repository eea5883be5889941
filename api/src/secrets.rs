//! Secrets: random ones, and the files that hold them and that nobody else may read.
//!
//! This module must not log or print a secret, nor say what stands in a file.

use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Read as _, Write as _};
use std::path::Path;

/// A secret of 32 bytes, too long to be guessed. `Debug` shows nothing of it.
#[derive(Clone)]
pub struct Secret([u8; 32]);

impl fmt::Debug for Secret {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("Secret(…)")
    }
}

impl Secret {
    /// A new one, from the random source of the operating system.
    ///
    /// # Errors
    /// Says in plain words that there is no such source.
    pub fn random() -> Result<Self, String> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes)
            .map_err(|error| format!("the system has no random numbers to give: {error}"))?;
        Ok(Secret(bytes))
    }

    /// The secret that a text of 64 hexadecimal digits says.
    pub fn parse(text: &str) -> Option<Self> {
        blake3::Hash::from_hex(text).ok().map(|bytes| Secret(bytes.into()))
    }

    /// The text that [`Secret::parse`] reads. For the one who is to keep it, and for nobody else.
    pub fn reveal(&self) -> String {
        blake3::Hash::from(self.0).to_hex().to_string()
    }

    /// Its bytes. For the maker of a key, and for nobody else.
    pub fn bytes(&self) -> [u8; 32] {
        self.0
    }

    /// A key for one purpose. Who has it learns nothing about the secret or the key for another
    /// purpose. A purpose is never said otherwise once it was released.
    pub fn derive(&self, purpose: &str) -> [u8; 32] {
        blake3::derive_key(purpose, &self.0)
    }
}

/// Reads a file with secrets. `what` names it in errors, as "the token file".
///
/// # Errors
/// Says in plain words, with the path, that it cannot be read, or that everybody can read it.
pub fn read(file: &Path, what: &str) -> Result<String, String> {
    let cannot = |error| format!("cannot read {what} {}: {error}", file.display());
    let mut open = File::open(file).map_err(cannot)?;
    // Of the open file, not of the path, which may lead elsewhere by now.
    refuse_if_open_to_others(&open, file, what)?;
    let mut text = String::new();
    open.read_to_string(&mut text).map_err(cannot)?;
    Ok(text)
}

/// Makes a file with a text, readable by its owner only, durable when this returns. `false` if there
/// is such a file already, which is left as it is.
///
/// # Errors
/// Says in plain words, with the path, that it cannot be made.
pub fn make(file: &Path, what: &str, text: &str) -> Result<bool, String> {
    let cannot = |error| format!("cannot make {what} {}: {error}", file.display());
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    // First under a name that nobody reads: a half-written file is never taken for a whole one.
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
    // The name must be as durable as what the file holds.
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(cannot)?;
    Ok(true)
}

/// Adds a line to the end of a file, which is made if it is not there, readable by its owner only.
/// `fits` is asked first whether the text with the line is what the file is to hold.
///
/// # Errors
/// Says in plain words, with the path, that it cannot be read or written, that everybody can read
/// it, or what `fits` said. Nothing is written then.
pub fn append(
    file: &Path,
    what: &str,
    line: &str,
    fits: impl FnOnce(&str) -> Result<(), String>,
) -> Result<(), String> {
    let cannot = |error| format!("cannot write {what} {}: {error}", file.display());
    let mut options = owners_own();
    let mut open = options.read(true).append(true).create(true).open(file).map_err(cannot)?;
    // Two that add at the same time must not be taken for one line.
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

/// Options that make a file which only its owner can read.
fn owners_own() -> OpenOptions {
    #[allow(unused_mut, reason = "only where files have owners")]
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// Refuses a file that others than its owner and their group can read or write.
fn refuse_if_open_to_others(open: &File, file: &Path, what: &str) -> Result<(), String> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let meta = open.metadata();
        let meta =
            meta.map_err(|error| format!("cannot read {what} {}: {error}", file.display()))?;
        if meta.permissions().mode() & 0o007 != 0 {
            let file = file.display();
            return Err(format!("{what} {file} can be read by everybody; chmod o= {file}"));
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
            assert!(refused.contains("can be read by everybody; chmod o= "), "{refused}");
            assert_eq!(append(&file, "the list", "two", |_| Ok(())), Err(refused));
            assert_eq!(fs::read_to_string(&file).unwrap(), "one\n");
        }
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        assert_eq!(read(&file, "the list").unwrap(), "one\n");
    }
}
