//! SQLite errors as store errors.
//!
//! This module must not decide how to react to them.

use rusqlite::ErrorCode;

use super::super::StoreError;

/// An SQLite error as a store error.
pub(super) fn plain(error: rusqlite::Error) -> StoreError {
    let text = error.to_string();
    match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => StoreError::Busy,
        Some(ErrorCode::OperationInterrupted) => {
            StoreError::Unavailable("the query takes too long; ask for less".to_owned())
        }
        Some(ErrorCode::NotADatabase) => StoreError::Corrupt("it is not a database".to_owned()),
        Some(ErrorCode::DatabaseCorrupt) => StoreError::Corrupt(text),
        Some(ErrorCode::ConstraintViolation | ErrorCode::TooBig | ErrorCode::TypeMismatch) => {
            StoreError::Rejected(text)
        }
        Some(ErrorCode::DiskFull) => StoreError::Unavailable("the disk is full".to_owned()),
        Some(_) => StoreError::Unavailable(text),
        // Not an SQLite error, so a column contains something that we never write.
        None => StoreError::Corrupt(text),
    }
}
