//! Names of players as they are compared, in every store.
//!
//! Must not change how a name is shown.

use unicode_normalization::UnicodeNormalization;

/// A player's name, normalised for search: in lower case, letters and accents composed.
#[must_use]
pub fn folded(name: &str) -> String {
    name.to_lowercase().nfc().collect()
}
