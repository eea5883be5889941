//! Records as people write them by hand, both ways.

use umpire_engine::games::GAMES;
use umpire_engine::notation::{self, Dialect};
use umpire_engine::record::{self, Fault, FaultCode};

use crate::problem::{Code, Problem};
use crate::reading;

/// The notations of the games.
pub fn dialects() -> Vec<Dialect> {
    GAMES.iter().map(|game| game.dialect()).collect()
}

/// The record that notes stand for, as JSON.
///
/// # Errors
/// The notes cannot be read; the detail says in which lines and columns, and what was expected.
pub fn record_of(notes: &[u8]) -> Result<Vec<u8>, Problem> {
    match notation::read_record(record::utf8(notes)?, &dialects()) {
        Ok(noted) => Ok(noted.record.into_bytes()),
        Err(mistakes) => {
            let lines: Vec<String> = mistakes
                .iter()
                .map(|it| format!("line {}, column {}: {}", it.line, it.column, it.message))
                .collect();
            Err(Problem::new(Code::BadRecord, lines.join("; ")))
        }
    }
}

/// The notes of a record.
///
/// # Errors
/// The record cannot be read, or something in it cannot be written by hand.
pub fn notes_of(record: &[u8]) -> Result<Vec<u8>, Problem> {
    let record = reading::meant(record);
    let notes = notation::write_record(record::utf8(&record)?, &dialects());
    Ok(notes.map_err(|why| Fault::new(FaultCode::BadRecord, "", why))?.into_bytes())
}
