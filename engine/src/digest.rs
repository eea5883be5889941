//! The published fingerprint of a state and the chain over a replay.
//!
//! `fingerprint` = BLAKE3 of the referee's view in canonical JSON (RFC 8785). The chain starts
//! with BLAKE3 of the first fingerprint's 32 bytes, and goes on with BLAKE3 of the chain so far
//! followed by the next fingerprint. A changed fingerprint of an old record is a breaking change:
//! this module must never use a hash whose values are not promised.

use std::fmt;

use serde::Serialize;

/// 32 bytes, printed as 64 lower-case hex digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fingerprint(pub [u8; 32]);

impl fmt::Display for Fingerprint {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(blake3::Hash::from(self.0).to_hex().as_str())
    }
}

impl fmt::Debug for Fingerprint {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, to)
    }
}

impl Serialize for Fingerprint {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

/// The fingerprint of a referee's view, or of any other value, in canonical JSON.
///
/// Views hold only strings, whole numbers, booleans, lists and objects, so canonicalising them
/// cannot fail; a value that cannot be canonicalised has the fingerprint of `null`.
pub fn fingerprint<V: Serialize>(view: &V) -> Fingerprint {
    let text = serde_json_canonicalizer::to_vec(view).unwrap_or_else(|_| b"null".to_vec());
    Fingerprint(*blake3::hash(&text).as_bytes())
}

/// The chain over the fingerprints of a replay, ply by ply.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Chain(Option<[u8; 32]>);

impl Chain {
    /// Adds the next fingerprint and returns the chain up to it.
    pub fn add(&mut self, next: Fingerprint) -> Fingerprint {
        let mut hasher = blake3::Hasher::new();
        if let Some(before) = &self.0 {
            hasher.update(before);
        }
        hasher.update(&next.0);
        let chain = *hasher.finalize().as_bytes();
        self.0 = Some(chain);
        Fingerprint(chain)
    }
}
