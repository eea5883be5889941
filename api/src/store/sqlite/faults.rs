//! Errors of SQLite in the store's words.
//!
//! This module must not say what to do about them.

use rusqlite::ErrorCode;

use super::super::StoreError;

/// An error of SQLite in the store's words.
pub(super) fn plain(error: rusqlite::Error) -> StoreError {
    let text = error.to_string();
    match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => StoreError::Busy,
        Some(ErrorCode::OperationInterrupted) => {
            StoreError::Unavailable("the read takes too long; ask for less".to_owned())
        }
        Some(ErrorCode::NotADatabase) => StoreError::Corrupt("it is not a database".to_owned()),
        Some(ErrorCode::DatabaseCorrupt) => StoreError::Corrupt(text),
        Some(ErrorCode::ConstraintViolation | ErrorCode::TooBig | ErrorCode::TypeMismatch) => {
            StoreError::Rejected(text)
        }
        Some(ErrorCode::DiskFull) => StoreError::Unavailable("the disk is full".to_owned()),
        Some(_) => StoreError::Unavailable(text),
        // Not SQLite's own, so a column does not hold what we write into it.
        None => StoreError::Corrupt(text),
    }
}
