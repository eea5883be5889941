//! Public ids of records, and the entity tags of responses about them.
//!
//! The internal id of a record is the hash of its text. If a part of the text is hidden, such an id
//! reveals it to anyone who can try all possibilities; so does any tag that is computed from the
//! text. On a server with private ids a record has a different public id: its own id, encrypted
//! with the server's key. That needs no storage, so the store is the same with and without it. This
//! module must not look into a record, and must not log or print a key.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use hctr2_rs::Hctr2_256;

use crate::auth::secrets::{self, Secret};
use umpire_referee::record_id::{RecordId, RecordIdError};

/// The public id of a record: 64 lowercase hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PublicId([u8; 32]);

impl fmt::Display for PublicId {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        RecordId::from_bytes(self.0).fmt(to)
    }
}

impl fmt::Debug for PublicId {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "PublicId({self})")
    }
}

impl FromStr for PublicId {
    type Err = RecordIdError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(|id: RecordId| PublicId(*id.as_bytes()))
    }
}

/// Separates the encryption of ids from any other use of the cipher. Must never change.
const TWEAK: &[u8] = b"umpire record id";

/// The purpose of the key for ids. Must never change, or every public id would change.
const FOR_IDS: &str = "umpire 2026-11-22 public ids of records";

/// The purpose of the key for tags.
const FOR_TAGS: &str = "umpire 2026-11-22 tags of answers about records";

/// How records are named publicly, and how responses about them are tagged.
pub struct Names {
    ids: Option<Hctr2_256>,
    tags: Option<[u8; 32]>,
}

impl fmt::Debug for Names {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (private, keyed) = (self.ids.is_some(), self.tags.is_some());
        write!(to, "Names(private: {private}, tags keyed: {keyed})")
    }
}

impl Names {
    /// Public ids are the internal ones; tags are plain hashes. For a server whose callers may all
    /// read everything.
    pub fn open() -> Self {
        Names { ids: None, tags: None }
    }

    /// Public ids are the internal ones; tags reveal nothing and depend on the secret.
    pub fn with_opaque_tags(secret: &Secret) -> Self {
        Names { ids: None, tags: Some(secret.derive(FOR_TAGS)) }
    }

    /// Neither ids nor tags reveal anything. Both are the same on every server with the same
    /// secret.
    pub fn private(secret: &Secret) -> Self {
        let ids = Hctr2_256::new(&secret.derive(FOR_IDS));
        Names { ids: Some(ids), tags: Some(secret.derive(FOR_TAGS)) }
    }

    /// The public id of a record.
    pub fn outside(&self, id: &RecordId) -> PublicId {
        let Some(ids) = &self.ids else { return PublicId(*id.as_bytes()) };
        let mut name = [0; 32];
        // Only texts shorter than a block are refused; the name would then reveal nothing.
        let done = ids.encrypt(id.as_bytes(), TWEAK, &mut name);
        debug_assert!(done.is_ok());
        PublicId(name)
    }

    /// The record with a public id. Every id stands for one; whether it is stored is another
    /// question.
    pub fn inside(&self, id: &PublicId) -> RecordId {
        let Some(ids) = &self.ids else { return RecordId::from_bytes(id.0) };
        let mut bytes = [0; 32];
        let done = ids.decrypt(&id.0, TWEAK, &mut bytes);
        debug_assert!(done.is_ok());
        RecordId::from_bytes(bytes)
    }

    /// The tag of the response to a question about a text: 32 hexadecimal digits, the same for the
    /// same question and text.
    pub fn tag(&self, question: &str, text: &str) -> String {
        let mut tag = match &self.tags {
            Some(key) => blake3::Hasher::new_keyed(key),
            None => blake3::Hasher::new(),
        };
        tag.update(question.as_bytes());
        tag.update(text.as_bytes());
        tag.finalize().to_hex().as_str()[..32].to_owned()
    }
}

/// How errors refer to the file with the key.
const KEY_FILE: &str = "the key for private ids";

/// Reads the key for private ids from a file of 64 hexadecimal digits, or creates the file if it
/// does not exist; also returns whether it is new.
///
/// # Errors
/// A plain message with the path: the file cannot be read or created, everyone can read it, or it
/// contains no key.
pub fn key(file: &Path) -> Result<(Secret, bool), String> {
    let mut new = false;
    if !file.exists() {
        let text = format!("{}\n", Secret::random()?.reveal());
        new = secrets::make(file, KEY_FILE, &text)?;
    }
    let text = secrets::read(file, KEY_FILE)?;
    match Secret::parse(text.trim()) {
        Some(secret) => Ok((secret, new)),
        None => Err(format!("{KEY_FILE} {} is not 64 hexadecimal digits", file.display())),
    }
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;

    fn secret(byte: &str) -> Secret {
        Secret::parse(&byte.repeat(32)).unwrap()
    }

    fn id(byte: u8) -> RecordId {
        RecordId::from_bytes([byte; 32])
    }

    #[test]
    fn an_open_name_is_the_id_itself() {
        for names in [Names::open(), Names::with_opaque_tags(&secret("07"))] {
            assert_eq!(names.outside(&id(5)).to_string(), id(5).to_string());
            assert_eq!(names.inside(&id(5).to_string().parse().unwrap()), id(5));
        }
    }

    /// Stored links and seat tokens depend on it. The expected value is from an independent
    /// implementation that follows the paper (AES of PyCryptodome, POLYVAL by its definition, RFC
    /// 8452).
    #[test]
    fn a_private_name_never_changes_under_one_key() {
        let names = Names::private(&secret("07"));
        assert_eq!(
            names.outside(&id(5)).to_string(),
            "b079f84e5844bed5d19d6dddbe5d158f4b210a4dcae2a21c9f68b80c9c5bec34"
        );
    }

    #[test]
    fn a_private_name_leads_back_under_its_key_only() {
        let (one, two) = (Names::private(&secret("07")), Names::private(&secret("08")));
        for byte in 0..=255 {
            let name = one.outside(&id(byte));
            assert_ne!(name.to_string(), id(byte).to_string());
            assert_eq!(one.inside(&name), id(byte));
            assert_ne!(two.outside(&id(byte)), name);
            assert_ne!(two.inside(&name), id(byte));
        }
    }

    /// Half of the bits of a public id change with each bit of an id, so it reveals nothing about
    /// it.
    #[test]
    fn names_of_ids_that_are_alike_are_not_alike() {
        let names = Names::private(&secret("07"));
        let first = names.outside(&id(0)).0;
        for bit in 0..256 {
            let mut bytes = [0; 32];
            bytes[bit / 8] ^= 1 << (bit % 8);
            let other = names.outside(&RecordId::from_bytes(bytes)).0;
            let unlike: u32 =
                first.iter().zip(other).map(|(one, other)| (one ^ other).count_ones()).sum();
            assert!((80..=176).contains(&unlike), "bit {bit}: {unlike}");
        }
    }

    #[test]
    fn a_tag_depends_on_question_text_and_key() {
        let (one, two) = (Names::private(&secret("07")), Names::private(&secret("08")));
        let tag = one.tag("who?", "a record");
        assert_eq!(tag.len(), 32);
        assert_eq!(one.tag("who?", "a record"), tag);
        assert_eq!(Names::with_opaque_tags(&secret("07")).tag("who?", "a record"), tag);
        for other in [
            one.tag("what?", "a record"),
            one.tag("who?", "another"),
            two.tag("who?", "a record"),
            Names::open().tag("who?", "a record"),
        ] {
            assert_ne!(other, tag);
        }
    }

    #[test]
    fn a_key_is_made_once_and_read_again() {
        let folder = TempDir::new().unwrap();
        let file = folder.path().join("ids.key");
        let (made, new) = key(&file).unwrap();
        let (read, again) = key(&file).unwrap();
        assert_eq!((new, again), (true, false));
        assert_eq!(made.reveal(), read.reveal());
        secrets::append(&file, "it", "more", |_| Ok(())).unwrap();
        let refused = key(&file).map(drop).unwrap_err();
        assert!(refused.ends_with("is not 64 hexadecimal digits"), "{refused}");
        assert!(!refused.contains(&made.reveal()));
    }

    #[test]
    fn nothing_of_a_key_is_printed() {
        let names = Names::private(&secret("07"));
        assert_eq!(format!("{names:?}"), "Names(private: true, tags keyed: true)");
    }
}
