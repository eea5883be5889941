//! Errors of PostgreSQL in the store's words.
//!
//! This module must not say what to do about them.

use std::error::Error as _;

use tokio_postgres::Error;

use super::super::StoreError;

/// An error of PostgreSQL in the store's words.
pub(super) fn plain(error: &Error) -> StoreError {
    let Some(answered) = error.as_db_error() else {
        let cause =
            error.source().map_or_else(|| error.to_string(), |cause| format!("{error}: {cause}"));
        return match error.is_closed() || error.source().is_some_and(|it| it.is::<std::io::Error>())
        {
            true => StoreError::Unavailable(format!("the database cannot be reached: {cause}")),
            false => StoreError::Unavailable(cause),
        };
    };
    let (code, text) = (answered.code().code(), answered.message().to_owned());
    match code {
        // Cancelled by the bound of time that reading has.
        "57014" => StoreError::Unavailable("the read takes too long; ask for less".to_owned()),
        // A lock was not had in time; a deadlock; too many connections.
        "55P03" | "40P01" | "40001" | "53300" => StoreError::Busy,
        "53100" => StoreError::Unavailable("the disk of the database is full".to_owned()),
        "XX001" | "XX002" => StoreError::Corrupt(text),
        _ if concerns_one_record(error) => StoreError::Rejected(text),
        _ => StoreError::Unavailable(format!("the database says: {text} ({code})")),
    }
}

/// Whether other requests may succeed without the one that caused this: a value that cannot be
/// kept, a condition that does not hold, a limit.
pub(super) fn concerns_one_record(error: &Error) -> bool {
    error.code().is_some_and(|code| ["22", "23", "54"].contains(&&code.code()[..2]))
}

/// A value of a row that is not what was written.
pub(super) fn corrupt(error: &Error) -> StoreError {
    let cause =
        error.source().map_or_else(|| error.to_string(), |cause| format!("{error}: {cause}"));
    StoreError::Corrupt(cause)
}

/// Whether it is the connection that failed, not what was asked.
pub(super) fn lost(error: &Error) -> bool {
    // The server says that it ends (class 57P), or says nothing.
    error
        .as_db_error()
        .map_or_else(|| error.is_closed(), |answered| answered.code().code().starts_with("57P"))
}
