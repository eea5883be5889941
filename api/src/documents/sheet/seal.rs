//! Signatures of verdict sheets: detached Ed25519 over the bytes of the canonical JSON.
//!
//! This module must not print a secret key, and must not say who owns a key.

use std::fmt;
use std::path::Path;

use data_encoding::HEXLOWER;
use ed25519_dalek::{Signer, SigningKey, VerifyingKey};
use serde::{Deserialize, Serialize};

use crate::auth::secrets::{self, Secret};
use umpire_referee::digits::bytes;

/// The only supported algorithm.
pub const ALGORITHM: &str = "ed25519";

/// How errors refer to the file with the key.
const KEY_FILE: &str = "the signing key";

/// A signature of a sheet.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = VerdictSignature))]
#[serde(deny_unknown_fields)]
pub struct Signature {
    /// `ed25519`.
    pub algorithm: String,
    /// The public key that verifies it, in hexadecimal digits. The signature does not prove who
    /// owns the key.
    #[cfg_attr(feature = "openapi", schema(pattern = "^[0-9a-f]{64}$"))]
    pub public_key: String,
    /// The signature of the canonical JSON of the sheet, in hexadecimal digits.
    #[cfg_attr(feature = "openapi", schema(pattern = "^[0-9a-f]{128}$"))]
    pub signature: String,
}

/// The public part of a signing key.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = VerdictKey))]
pub struct PublicKey {
    /// `ed25519`.
    pub algorithm: &'static str,
    /// The key, in hexadecimal digits.
    #[cfg_attr(feature = "openapi", schema(pattern = "^[0-9a-f]{64}$"))]
    pub public_key: String,
}

/// A signing key. Its `Debug` output reveals nothing.
pub struct Key(SigningKey);

impl fmt::Debug for Key {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("Key(…)")
    }
}

impl Key {
    /// The signing key of a secret.
    pub fn of(secret: &Secret) -> Self {
        Key(SigningKey::from_bytes(&secret.bytes()))
    }

    /// Reads a signing key from a file of 64 hexadecimal digits.
    ///
    /// # Errors
    /// A plain message with the path: the file cannot be read, others can read it, or it contains
    /// no key.
    pub fn read(file: &Path) -> Result<Self, String> {
        let text = secrets::read(file, KEY_FILE)?;
        match Secret::parse(text.trim()) {
            Some(secret) => Ok(Key::of(&secret)),
            None => Err(format!("{KEY_FILE} {} is not 64 hexadecimal digits", file.display())),
        }
    }

    /// Generates a signing key in a new file, readable only by its owner.
    ///
    /// # Errors
    /// A plain message with the path: the file cannot be created, or already exists.
    pub fn make(file: &Path) -> Result<Self, String> {
        let secret = Secret::random()?;
        match secrets::make(file, KEY_FILE, &format!("{}\n", secret.reveal()))? {
            true => Ok(Key::of(&secret)),
            false => Err(format!("{} already exists; a key is never replaced", file.display())),
        }
    }

    /// The public key.
    pub fn public(&self) -> PublicKey {
        let public_key = HEXLOWER.encode(self.0.verifying_key().as_bytes());
        PublicKey { algorithm: ALGORITHM, public_key }
    }

    /// Signs a text.
    pub fn sign(&self, text: &[u8]) -> Signature {
        Signature {
            algorithm: ALGORITHM.to_owned(),
            public_key: self.public().public_key,
            signature: HEXLOWER.encode(&self.0.sign(text).to_bytes()),
        }
    }
}

impl Signature {
    /// Checks that this is a signature of the text by the key that it names.
    ///
    /// # Errors
    /// A plain message that says what is wrong with it.
    pub fn check(&self, text: &[u8]) -> Result<(), String> {
        if self.algorithm != ALGORITHM {
            return Err(format!("its algorithm is {:?}; expected {ALGORITHM}", self.algorithm));
        }
        let key = bytes(&self.public_key).and_then(|key| VerifyingKey::from_bytes(&key).ok());
        let key = key.ok_or("its public key is invalid")?;
        let signature =
            bytes(&self.signature).ok_or("its signature is not 128 hexadecimal digits")?;
        // Strictly: a weak key or a second encoding of the same signature is rejected.
        key.verify_strict(text, &ed25519_dalek::Signature::from_bytes(&signature))
            .map_err(|_| "it is not a signature of this sheet by that key".to_owned())
    }
}

/// Parses a public key: 64 hexadecimal digits, or the JSON in which it is published.
pub fn public_key(text: &str) -> Option<String> {
    #[derive(Deserialize)]
    struct Published {
        public_key: String,
    }
    let text = text.trim();
    let text = match serde_json::from_str::<Published>(text) {
        Ok(published) => published.public_key,
        Err(_) => text.to_ascii_lowercase(),
    };
    bytes::<32>(&text).map(|_| text)
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;

    /// RFC 8032, 7.1, test 2.
    #[test]
    fn a_signature_is_that_of_the_standard() {
        let secret = "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb";
        let key = Key::of(&Secret::parse(secret).unwrap());
        let public = "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c";
        assert_eq!(key.public().public_key, public);
        let signed = key.sign(&[0x72]);
        assert_eq!(
            signed.signature,
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da\
             085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
        );
        assert_eq!(signed.check(&[0x72]), Ok(()));
        assert!(signed.check(&[0x73]).is_err());
        for at in [0, 64, 127] {
            let mut other = signed.clone();
            let digit = if &other.signature[at..=at] == "1" { "2" } else { "1" };
            other.signature.replace_range(at..=at, digit);
            assert!(other.check(&[0x72]).is_err(), "digit {at}");
        }
        let other = Key::of(&Secret::parse(&"07".repeat(32)).unwrap()).public().public_key;
        assert!(Signature { public_key: other, ..signed.clone() }.check(&[0x72]).is_err());
        assert!(Signature { algorithm: "none".to_owned(), ..signed }.check(&[0x72]).is_err());
    }

    #[test]
    fn a_key_is_made_once_for_its_owner_and_never_printed() {
        let folder = TempDir::new().unwrap();
        let file = folder.path().join("signing.key");
        let made = Key::make(&file).unwrap();
        assert_eq!(Key::read(&file).unwrap().public(), made.public());
        assert!(Key::make(&file).unwrap_err().ends_with("a key is never replaced"));
        assert_eq!(format!("{made:?}"), "Key(…)");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = |file: &Path| std::fs::metadata(file).unwrap().permissions().mode() & 0o777;
            assert_eq!(mode(&file), 0o600);
            std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o644)).unwrap();
            assert!(Key::read(&file).unwrap_err().contains("everyone can read"));
        }
        let none = folder.path().join("none");
        secrets::make(&none, "it", "a key\n").unwrap();
        assert!(Key::read(&none).unwrap_err().ends_with("is not 64 hexadecimal digits"));
    }

    #[test]
    fn a_public_key_is_read_as_digits_or_as_published() {
        let key = "3d".repeat(32);
        assert_eq!(public_key(&format!("{key}\n")), Some(key.clone()));
        let published = format!(r#"{{"algorithm": "ed25519", "public_key": "{key}"}}"#);
        assert_eq!(public_key(&published), Some(key));
        assert_eq!(public_key("3d"), None);
        assert_eq!(public_key(&"é".repeat(32)), None);
    }
}
