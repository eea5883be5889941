//! What the commands share: exit status, input and output.
//!
//! This module must not know a command.

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use serde::Serialize;
use umpire_engine::any_game::AnyGame;
use umpire_engine::games::{self, GAMES};
use umpire_engine::replay::answer::Status;
use umpire_engine::replay::{Limits, Query};

use super::words;
use crate::error::ApiError;
use crate::json;
use crate::store::Store;
use crate::store::place::Place;

/// One record to read.
#[derive(Args, Debug)]
pub(super) struct Input {
    /// The record; - reads standard input.
    #[arg(value_name = "FILE")]
    pub(super) file: PathBuf,
    /// Print what the service would answer.
    #[arg(long)]
    pub(super) json: bool,
}

/// What a command found out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// All is well: exit status 0.
    Good,
    /// A record is illegal, or something differs: exit status 1.
    Illegal,
    /// Something could not be read: exit status 2.
    Unreadable,
    /// It cannot be decided from what the viewer may know: exit status 3.
    Undecidable,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        match exit {
            Exit::Good => ExitCode::SUCCESS,
            Exit::Illegal => ExitCode::from(1),
            Exit::Unreadable => ExitCode::from(2),
            Exit::Undecidable => ExitCode::from(3),
        }
    }
}

impl From<Status> for Exit {
    fn from(status: Status) -> Self {
        match status {
            Status::Complete | Status::InProgress | Status::Possible => Exit::Good,
            Status::Illegal | Status::BadChance | Status::Impossible => Exit::Illegal,
            Status::Undecided => Exit::Undecidable,
        }
    }
}

/// Writes to standard output. A reader that has gone (`| head`) is no error.
pub(super) fn print(text: &[u8]) -> Result<(), String> {
    let mut out = io::stdout().lock();
    match out.write_all(text).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(format!("cannot write: {error}"))
        }
        _ => Ok(()),
    }
}

/// Prints a value as indented JSON.
pub(super) fn print_json<T: Serialize>(value: &T) -> Result<(), String> {
    print(pretty(value).as_bytes())
}

/// An answer as indented JSON, with its last line ended. What was carried over as text is indented
/// too.
pub(super) fn pretty<T: Serialize>(value: &T) -> String {
    let value = serde_json::to_value(value).unwrap_or_default();
    serde_json::to_string_pretty(&value).unwrap_or_default() + "\n"
}

/// An answer in JSON, as the service gives it in that language.
pub(super) fn pretty_in<T: Serialize>(game: &'static dyn AnyGame, answer: &T) -> String {
    let voice = words::voice(game);
    if voice.is_english() {
        return pretty(answer);
    }
    let text = voice.answer(json::text(answer));
    serde_json::from_slice::<serde_json::Value>(&text)
        .map_or_else(|_| pretty(answer), |it| pretty(&it))
}

/// The store at a path, or in the database at an address. A file must be there: opening would make one.
pub(super) fn stored(path: &Path) -> Result<Box<dyn Store>, String> {
    let place = Place::from(path);
    if place.file().is_some_and(|path| !path.is_file()) {
        return Err(format!("there is no store {}", path.display()));
    }
    place.open().map_err(|error| error.to_string())
}

/// Refuses the address of a database where a file is meant, and says what serves there.
pub(super) fn file_only(path: &Path, instead: &str) -> Result<(), String> {
    match Place::from(path) {
        Place::File(_) => Ok(()),
        place => Err(format!("{place}: this command is for files; for a database {instead}")),
    }
}

/// Reads a whole file, or standard input.
pub(super) fn read(file: &Path) -> Result<Vec<u8>, String> {
    let read = if file.as_os_str() == "-" {
        let mut text = Vec::new();
        io::stdin().lock().read_to_end(&mut text).map(|_| text)
    } else {
        std::fs::read(file)
    };
    read.map_err(|error| format!("cannot read {}: {error}", file.display()))
}

/// Says that a record could not be answered; with `json` as the service would.
pub(super) fn unanswered(error: &ApiError, input: &Input) -> Result<Exit, String> {
    if input.json {
        print_json(&error.problem())?;
    } else {
        eprintln!("umpire: {}: {}", input.file.display(), words::problem(error));
    }
    Ok(Exit::Unreadable)
}

pub(super) fn game_named(id: &str) -> Result<&'static dyn AnyGame, String> {
    games::find(id).ok_or_else(|| {
        let known: Vec<_> = GAMES.iter().map(|game| game.meta().id).collect();
        format!("there is no game {id:?}; the games are {}", known.join(", "))
    })
}

/// The engine's question for a viewer by name.
pub(super) fn query(
    game: &dyn AnyGame,
    viewer: &str,
    ply: Option<u32>,
) -> Result<Query<'static>, ApiError> {
    let observer = game.viewer(viewer).ok_or_else(|| {
        ApiError::NotFound(format!(
            "nobody called {viewer:?} looks at {}; referee, spectator, {} do",
            game.meta().id,
            game.meta().seats.join(", ")
        ))
    })?;
    Ok(Query { viewer: observer, ply, ..Query::default() })
}

/// No bound that a record of a real game could meet.
pub(super) fn limits() -> Limits<'static> {
    Limits::default()
}
