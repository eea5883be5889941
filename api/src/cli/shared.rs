//! Shared by all commands: exit statuses, input and output.
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
use crate::store::Store;
use crate::store::place::Place;
use umpire_referee::json;
use umpire_referee::problem::Problem;

/// The record to read.
#[derive(Args, Debug)]
pub(super) struct Input {
    /// The record; - reads standard input.
    #[arg(value_name = "FILE")]
    pub(super) file: PathBuf,
    /// Print what the service would return.
    #[arg(long)]
    pub(super) json: bool,
}

/// The result of a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// Success: exit status 0.
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

/// Writes to standard output. A closed pipe (`| head`) is not an error.
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

/// A response as indented JSON with a final newline. Embedded JSON text is indented, too.
pub(super) fn pretty<T: Serialize>(value: &T) -> String {
    let value = serde_json::to_value(value).unwrap_or_default();
    serde_json::to_string_pretty(&value).unwrap_or_default() + "\n"
}

/// A response as JSON, as the service sends it in that language.
pub(super) fn pretty_in<T: Serialize>(game: &'static dyn AnyGame, answer: &T) -> String {
    let voice = words::voice(game);
    if voice.is_english() {
        return pretty(answer);
    }
    let text = voice.answer(json::text(answer));
    serde_json::from_slice::<serde_json::Value>(&text)
        .map_or_else(|_| pretty(answer), |it| pretty(&it))
}

/// The store at a path or database address. A file must exist: opening would create it.
pub(super) fn stored(path: &Path) -> Result<Box<dyn Store>, String> {
    let place = Place::from(path);
    if place.file().is_some_and(|path| !path.is_file()) {
        return Err(format!("the store {} does not exist", path.display()));
    }
    place.open().map_err(|error| error.to_string())
}

/// Rejects the address of a database if a file is required, with what to use instead.
pub(super) fn file_only(path: &Path, instead: &str) -> Result<(), String> {
    match Place::from(path) {
        Place::File(_) => Ok(()),
        place => {
            Err(format!("{place}: this command works on files only; for a database, {instead}"))
        }
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

/// Reports that a record could not be processed; with `json` as the service would.
pub(super) fn unanswered(error: &Problem, input: &Input) -> Result<Exit, String> {
    if input.json {
        print_json(error)?;
    } else {
        eprintln!("umpire: {}: {}", input.file.display(), words::problem(error));
    }
    Ok(Exit::Unreadable)
}

pub(super) fn game_named(id: &str) -> Result<&'static dyn AnyGame, String> {
    games::find(id).ok_or_else(|| {
        let known: Vec<_> = GAMES.iter().map(|game| game.meta().id).collect();
        format!("unknown game {id:?}; expected one of {}", known.join(", "))
    })
}

/// The engine query for a viewer with this name.
pub(super) fn query(
    game: &dyn AnyGame,
    viewer: &str,
    ply: Option<u32>,
) -> Result<Query<'static>, Problem> {
    let observer = game.viewer(viewer).ok_or_else(|| {
        Problem::not_found(format!(
            "unknown viewer {viewer:?} of {}; expected one of referee, spectator, {}",
            game.meta().id,
            game.meta().seats.join(", ")
        ))
    })?;
    Ok(Query { viewer: observer, ply, ..Query::default() })
}

/// Limits far beyond the record of any real game.
pub(super) fn limits() -> Limits<'static> {
    Limits::default()
}
