//! PostgreSQL errors as store errors.
//!
//! This module must not decide how to react to them.

use std::error::Error as _;

use tokio_postgres::Error;

use super::super::StoreError;

/// A PostgreSQL error as a store error.
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
        // Cancelled by the time limit on reads.
        "57014" => StoreError::Unavailable("the query takes too long; ask for less".to_owned()),
        // A lock timeout, a deadlock, or too many connections.
        "55P03" | "40P01" | "40001" | "53300" => StoreError::Busy,
        "53100" => StoreError::Unavailable("the disk of the database is full".to_owned()),
        "XX001" | "XX002" => StoreError::Corrupt(text),
        _ if concerns_one_record(error) => StoreError::Rejected(text),
        _ => StoreError::Unavailable(format!("database error: {text} ({code})")),
    }
}

/// Whether other requests may succeed without the one that caused this error: an invalid value, a
/// failed constraint, a limit.
pub(super) fn concerns_one_record(error: &Error) -> bool {
    error.code().is_some_and(|code| ["22", "23", "54"].contains(&&code.code()[..2]))
}

/// A value in a row that differs from what was written.
pub(super) fn corrupt(error: &Error) -> StoreError {
    let cause =
        error.source().map_or_else(|| error.to_string(), |cause| format!("{error}: {cause}"));
    StoreError::Corrupt(cause)
}

/// Whether the connection failed, rather than the query.
pub(super) fn lost(error: &Error) -> bool {
    // The server is shutting down (class 57P), or is gone.
    error
        .as_db_error()
        .map_or_else(|| error.is_closed(), |answered| answered.code().code().starts_with("57P"))
}
