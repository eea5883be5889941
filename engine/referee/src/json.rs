//! Writing JSON text.
//!
//! This module must not read anything.

use serde::Serialize;

/// A value as JSON text.
///
/// This service writes plain structs, enums, lists and string-keyed maps; serialising them to
/// memory cannot fail. If it ever did, the text would be `null`.
pub fn text<T: Serialize>(value: &T) -> Vec<u8> {
    serde_json::to_vec(value).unwrap_or_else(|_| b"null".to_vec())
}

/// A value as JSON text, as a string.
pub fn string<T: Serialize + ?Sized>(value: &T) -> String {
    serde_json::to_string(value).unwrap_or_else(|_| "null".to_owned())
}

/// Appends a value to `to` as a line of NDJSON.
pub fn line<T: Serialize>(to: &mut Vec<u8>, value: &T) {
    if serde_json::to_writer(&mut *to, value).is_err() {
        to.extend_from_slice(b"null");
    }
    to.push(b'\n');
}
